"""The address of a tab: whose it is, which channel it shows, and what is wrong with it."""

from typing import Any
from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.practice.limits import Limits
from bot.practice.page.viewer import Opening, Viewer, read_address, write_address
from bot.practice.person import Person
from bot.practice.world import World

WORLD = World()
SERVER = WORLD.add_server("Practice")
HOME, OTHER = (WORLD.add_channel(SERVER, name) for name in ("home", "other"))


def person(name: str) -> Person:
    user = WORLD.add_user(name)
    WORLD.join(SERVER, user)
    return Person(WORLD, user, Limits(), lambda interaction: None)


YOU, MEI = (person(name) for name in ("You", "Mei Ling"))
PEOPLE = (YOU, MEI)


def opening(**query: Any) -> Opening:
    return read_address({"in": "", **query}, PEOPLE, HOME)


@pytest.mark.parametrize("name", ["Mei Ling", "mei_ling", "MEI LING"])
def test_a_person_is_named_as_people_or_the_address_name_them(name: str) -> None:
    assert opening(**{"as": name}) == Opening(Viewer(MEI, HOME), "")


def test_what_a_tab_shows_is_in_its_address() -> None:
    for viewer in (Viewer(one, channel) for one in PEOPLE for channel in (HOME, OTHER, one.dm())):
        query = {name: values[0] for name, values in parse_qs(write_address(viewer)[1:]).items()}
        assert read_address(query, PEOPLE, HOME) == Opening(viewer, "")


@given(st.text(min_size=1), st.text(min_size=1))
def test_whatever_is_unknown_is_named(name: str, channel: str) -> None:
    opened = opening(**{"as": f"x{name}", "in": f"x{channel}"})
    assert opened.viewer == Viewer(YOU, HOME)
    assert f"Nobody here is called x{name[:30]}" in opened.notice
    assert f"There is no channel x{channel[:30]}" in opened.notice
    assert len(opened.notice) < 300
