"""What the tests of cogs share with those of the croupier, and with the evenings on the stand-in."""

from tests.croupier.conftest import house as house
from tests.e2e.conftest import evening as evening
