"""Discord's side of the bot: commands, buttons, selects, modals and messages, and nothing that decides."""
