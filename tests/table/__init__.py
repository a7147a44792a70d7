"""Proofs of the table: what each command makes of it, what it refuses, and what chips move."""
