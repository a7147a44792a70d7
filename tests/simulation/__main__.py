"""Repeats one run: `python -m tests.simulation SEED`, from the root of the repository."""

import argparse

from tests.simulation.run import simulate
from tests.simulation.run_size import LARGE
from tests.simulation.trace import KEPT


def main() -> None:
    """Runs one seed, and prints the outcome."""
    asked = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    asked.add_argument("seed", type=int, help="what all chance comes from")
    asked.add_argument("--large", action="store_true", help="hundreds of tables and members, for days")
    asked.add_argument("--lines", type=int, default=KEPT, help="how much is told of what happened last")
    given = asked.parse_args()
    report = simulate(given.seed, LARGE if given.large else None, given.lines)
    counts = [f"{times:8} {what}" for what, times in sorted(report.counts.items())]
    print("\n".join([*counts, report.digest, str(report)]))  # noqa: T201  # a command prints


if __name__ == "__main__":
    main()
