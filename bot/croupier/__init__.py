"""The croupier: hosts tables, commits what happens, notifies listeners, and keeps deadlines."""
