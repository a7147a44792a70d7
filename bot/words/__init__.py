"""Turns codes and facts into sentences, in the reader's locale."""
