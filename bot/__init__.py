"""The bot: rules, tables, ledger, and the program that runs them. What Discord sees stands in `cogs`."""
