"""PostgreSQL as the ledger's engine, for bots that outgrew one machine."""
