"""A process is compared with itself when it was warm, and never with another."""

from collections.abc import Callable

import pytest

from tests.soak.memory import LEVEL_SAMPLES, SETTLED_SECONDS, WARM_SECONDS, Memory

WARM = int(WARM_SECONDS)
SETTLED = int(SETTLED_SECONDS)


def noted(memory: Memory, pid: int, begins: int, seconds: int, megabytes: Callable[[int], float]) -> None:
    """Notes the memory of a process each second of its life."""
    for age in range(seconds):
        memory.note(pid, megabytes(age), begins + age)


@pytest.mark.parametrize(
    ("megabytes", "growth"),
    [
        (lambda age: 50.0 + min(age, WARM), (50.0 + WARM - LEVEL_SAMPLES + 1, 50.0 + WARM)),
        (lambda age: 100.0 if age <= WARM else age - WARM + 100.0, (100.0, 200.0 - LEVEL_SAMPLES + 1)),
        (lambda age: 500.0 if age % LEVEL_SAMPLES == 0 else 100.0, (100.0, 100.0)),
    ],
    ids=["until it is warm", "a leak", "short peaks"],
)
def test_growth_counts_from_when_the_process_is_warm(
    megabytes: Callable[[int], float], growth: tuple[float, float]
) -> None:
    memory = Memory()
    noted(memory, 1, 0, WARM + 101, megabytes)
    assert memory.growth == growth


def test_another_process_starts_again() -> None:
    memory = Memory()
    noted(memory, 1, 0, WARM + 10, lambda _: 100.0)
    noted(memory, 2, WARM + 10, WARM + 100, lambda age: 400.0 if age < WARM + 50 else 440.0)
    assert memory.growth == (400.0, 440.0)


def test_nothing_is_said_of_processes_that_never_got_warm() -> None:
    memory = Memory()
    for pid in range(5):
        noted(memory, pid, pid * WARM, WARM - 1, lambda _: 100.0)
    assert memory.growth is None


def test_late_growth_leaves_out_the_first_half_of_a_life() -> None:
    memory = Memory()
    noted(memory, 1, 0, 2 * SETTLED + 101, lambda age: 100.0 + min(age, SETTLED))
    noted(memory, 2, 3 * SETTLED, SETTLED, lambda _: 50.0)
    assert memory.late_growth == (100.0 + SETTLED, 100.0 + SETTLED)


def test_a_leak_is_late_growth() -> None:
    memory = Memory()
    noted(memory, 1, 0, 4 * SETTLED + 1, lambda age: 100.0 + age)
    middle, most = (100.0 + age - LEVEL_SAMPLES + 1 for age in (2 * SETTLED, 4 * SETTLED))
    assert memory.late_growth == (middle, most)


def test_a_short_life_has_no_late_growth() -> None:
    memory = Memory()
    noted(memory, 1, 0, 2 * SETTLED, lambda age: 100.0 + age)
    assert memory.late_growth is None
