"""What developers run by hand: checks, the soak, faults in the code, and the tools of translators."""
