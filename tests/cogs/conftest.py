"""What the tests of cogs share with those of the croupier."""

from tests.croupier.conftest import house as house
