"""Exact odds: how often each hand comes, who wins how often, and the edge of the bank. Pure."""
