"""The address of a tab: who looks at which channel."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from bot.practice.page.viewer import Viewer
from bot.practice.person import Person
from bot.practice.servers import Channel

LONGEST_SHOWN: Final = 40
"""How many characters of a wrong name are repeated."""


@dataclass(frozen=True, slots=True)
class Opening:
    """What a tab opens with.

    Attributes:
        viewer: who looks at which channel.
        notice: what is wrong with the address; empty if nothing is.
    """

    viewer: Viewer
    notice: str


def read_address(query: Mapping[str, str], people: Iterable[Person], home: Channel) -> Opening:
    """What an address opens: `?as=` names the person, `?in=` is the id of the channel.

    Args:
        query: the parameters.
        people: the people to play as; the first if none is named.
        home: the channel that opens if none is named.
    """
    people = list(people)
    wrong: list[str] = []
    person = people[0]
    if name := query.get("as", ""):
        names = {known.casefold(): it for it in people for known in (it.name, it.user.name)}
        if (found := names.get(name.casefold())) is not None:
            person = found
        else:
            wrong.append(f"Nobody here is called {_short(name)}. This tab plays as {person.name}.")
            wrong.append(f"There are: {', '.join(it.name for it in people)}.")
    channel = home
    if channel_id := query.get("in", ""):
        listed = {str(it.id): it for it in person.world.channels.values()}
        seen = listed.get(channel_id)
        if seen is not None and Viewer(person, seen).can_see(seen):
            channel = seen
        else:
            wrong.append(f"There is no channel {_short(channel_id)} for {person.name}. This is #{home.name}.")
    if not Viewer(person, channel).can_see(channel):
        channel = person.dm()
    return Opening(Viewer(person, channel), " ".join(wrong))


def write_address(viewer: Viewer) -> str:
    """The address of a tab, from the `?` on."""
    return f"?{urlencode({'as': viewer.person.user.name, 'in': viewer.channel.id})}"


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_SHOWN else f"{name[: LONGEST_SHOWN - 1]}…"
