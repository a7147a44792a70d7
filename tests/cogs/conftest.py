"""Fixtures that the tests of cogs share with the tests of the croupier and with the evenings."""

from tests.croupier.conftest import house as house
from tests.e2e.conftest import evening as evening
from tests.e2e.conftest import patient_bot as patient_bot
