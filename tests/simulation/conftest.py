"""What holds after every test of the simulation: no garbage of it is left for others to stumble over."""

import gc
import warnings
from collections.abc import Iterator

import pytest
from sqlalchemy.exc import SAWarning

from tests.simulation.disk import CUT_OFF


@pytest.fixture(autouse=True)
def no_garbage() -> Iterator[None]:
    """Collects what killed processes left, once nothing of the run is referred to any more."""
    yield
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", f".*{CUT_OFF}", SAWarning)
        gc.collect()
