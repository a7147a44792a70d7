"""Tools for those who change texts."""
