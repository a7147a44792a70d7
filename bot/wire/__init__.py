"""What crosses the wire to Discord, as plain data; the only room that uses private parts of discord.py."""
