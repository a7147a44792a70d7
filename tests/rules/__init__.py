"""Tests of the rules. A test that proves a clause has its id in the name."""
