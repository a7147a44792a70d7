"""One module per migration, named by its version and effect; never changed after a release."""
