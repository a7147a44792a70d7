"""Commands that can be clicked in a message: their links need the ids that Discord gives them."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from discord.app_commands import AppCommand, AppCommandGroup

from bot.wire.requests import Interaction

_NAMED: Final = re.compile(r"`/(?P<name>[^`]+)`")


class CommandLinks:
    """The link of every command that Discord knows, by its full name; empty until commands are synced."""

    def __init__(self) -> None:
        self._links: dict[str, str] = {}

    def learn(self, synced: Iterable[AppCommand]) -> None:
        """Takes the ids of these commands, which Discord returned, in place of earlier ones."""
        self._links = dict(link for command in synced for link in _links(command))

    def in_text(self, text: str) -> str:
        """The text with a link in place of each command in backticks; those without stay as they are."""
        return _NAMED.sub(lambda found: self._links.get(found["name"], found[0]), text)


def link_commands(interaction: Interaction, links: CommandLinks) -> None:
    """Lets `with_links` know the links of commands."""
    interaction.extras[CommandLinks] = links


def with_links(interaction: Interaction, text: str) -> str:
    """A text with clickable commands, where the interaction is handled by somebody who knows their links."""
    links: CommandLinks | None = interaction.extras.get(CommandLinks)
    return text if links is None else links.in_text(text)


def _links(command: AppCommand | AppCommandGroup) -> Iterator[tuple[str, str]]:
    """Full name and link of a command, or of each command in a group, which itself cannot be typed."""
    groups = [option for option in command.options if isinstance(option, AppCommandGroup)]
    if not groups:
        name = command.name if isinstance(command, AppCommand) else command.qualified_name
        yield name, command.mention
    for group in groups:
        yield from _links(group)
