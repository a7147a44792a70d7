"""The rooms of `benchmarks/clicks.py`: the bots under test, the crowd that clicks, and what is measured."""
