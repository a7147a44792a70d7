"""Computer players, and who tells what happens at their table. They know the bot by its boards alone."""

from bot.practice.players.narrator import Narrator
from bot.practice.players.pace import AT_ONCE, Pace
from bot.practice.players.player import ComputerPlayer
from bot.practice.players.strategy import Habit

__all__ = ["AT_ONCE", "ComputerPlayer", "Habit", "Narrator", "Pace"]
