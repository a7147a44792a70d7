"""Computer players, and who tells what happens at their table. They know the bot by its boards alone."""

from bot.practice.players.narrator import Narrator
from bot.practice.players.player import AT_ONCE, ComputerPlayer, Pace

__all__ = ["AT_ONCE", "ComputerPlayer", "Narrator", "Pace"]
