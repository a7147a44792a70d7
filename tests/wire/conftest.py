"""An evening, whose presses and requests go over the wire; and a small bot, for single requests."""

from tests.e2e.conftest import evening as evening
from tests.e2e.conftest import paced_bot as paced_bot
from tests.practice.conftest import bot as bot
from tests.practice.conftest import scene as scene
from tests.practice.conftest import start as start
