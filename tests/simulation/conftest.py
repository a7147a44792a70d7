"""Every test of the simulation removes its garbage, which would disturb other tests."""

import gc
import warnings
from collections.abc import Iterator

import pytest
from sqlalchemy.exc import SAWarning

from tests.simulation.disk import CUT_OFF


@pytest.fixture(autouse=True)
def no_garbage() -> Iterator[None]:
    """Collects what killed processes left, after the run."""
    yield
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", f".*{CUT_OFF}", SAWarning)
        warnings.filterwarnings("ignore", f".*{CUT_OFF}", ResourceWarning)
        gc.collect()
