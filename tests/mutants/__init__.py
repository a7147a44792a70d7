"""Deliberate faults, one at a time, each of which some test has to catch: `scripts/mutants` runs them."""
