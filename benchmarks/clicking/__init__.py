"""What the benchmarks of clicks, overload and start share: the bots under test, the crowd, the figures."""
