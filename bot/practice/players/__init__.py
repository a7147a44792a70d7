"""Practice players, and a narrator of their rounds. They know the bot only by its boards."""

from bot.practice.players.narrator import Narrator
from bot.practice.players.player import PracticePlayer
from bot.practice.players.strategy import AT_ONCE, FAST, Habit, Pace

__all__ = ["AT_ONCE", "FAST", "Habit", "Narrator", "Pace", "PracticePlayer"]
