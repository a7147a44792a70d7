"""Proofs of the rules, named by the clause they prove."""
