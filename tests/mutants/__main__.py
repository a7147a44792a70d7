"""Tries every deliberate fault; exit status 1 where one survives, proves nothing, or has rotted."""

import os
import time
from typing import Annotated

import typer

from tests.mutants.faults import RottedError, faults
from tests.mutants.trials import Trial, Verdict, try_all


def mutants(
    words: Annotated[
        list[str] | None, typer.Argument(help="Only faults whose name or file has one of these words.")
    ] = None,
    at_once: Annotated[int, typer.Option(min=1, help="How many are tried at once.")] = os.cpu_count() or 1,
) -> None:
    """Commits faults in copies of the tree, one at a time, and asks whether a test finds out."""
    begun = time.monotonic()
    missed: list[Trial] = []
    try:
        wanted = [
            fault
            for fault in faults()
            if not words or any(word in f"{fault.name} {fault.file}" for word in words)
        ]
        for trial in try_all(wanted, at_once):
            typer.echo(trial)
            if not isinstance(trial, Trial):
                typer.echo("The tests fail where nothing is wrong: no fault was tried.", err=True)
                raise typer.Exit(1)
            if trial.verdict is not Verdict.CAUGHT:
                missed.append(trial)
    except RottedError as rotted:
        typer.echo(str(rotted), err=True)
        raise typer.Exit(1) from None
    seconds = time.monotonic() - begun
    typer.echo(f"{len(wanted) - len(missed)} of {len(wanted)} faults caught in {seconds:.0f} s")
    for trial in missed:
        typer.echo(trial)
    if missed or not wanted:
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(mutants)
