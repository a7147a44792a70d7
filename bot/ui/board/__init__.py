"""The board of a table: its text, buttons and message."""
