"""Discord's checks of request bodies: commands, messages, components and modals."""
