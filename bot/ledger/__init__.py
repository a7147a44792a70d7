"""The ledger: every chip, every table and its record, on disk. Nothing else imports SQLAlchemy."""
