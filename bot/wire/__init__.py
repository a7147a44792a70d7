"""The connection to Discord: events in, requests out; the only room that uses private parts of discord.py."""
