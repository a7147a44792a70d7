"""Puts the page on a stand-in: one address for both, and a tab for each browser that opens it."""

from pathlib import Path
from typing import Final

from nicegui import app, ui
from starlette.requests import Request

from bot.practice.page.reader import Reader
from bot.practice.page.reading import Reading
from bot.practice.page.tab import Tab
from bot.practice.person import Person
from bot.practice.places import Channel
from bot.practice.stand_in import StandIn

_SHEETS: Final = ("base", "layout", "sides", "message", "markdown", "components", "forms", "composer")
_STYLE: Final = "\n".join(
    (Path(__file__).parent / "assets" / f"{sheet}.css").read_text(encoding="utf-8") for sheet in _SHEETS
)

_POLICY: Final = "img-src 'self' data:; connect-src 'self' ws:; font-src 'self'"
"""What the page may load: nothing from any other machine, whatever a message says."""

_HEAD: Final = f"""
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<style>{_STYLE}</style>
"""


def mount_page(discord: StandIn, people: list[Person], home: Channel) -> None:
    """Puts the page at `/` of the stand-in's own address; to be called before the stand-in is started.

    A tab is opened as the first of `people`, or as whom `?as=name` names; each tab goes its own way.
    A process has one page: that of the stand-in that was mounted last.

    Args:
        discord: the stand-in.
        people: who one can be on the page.
        home: the channel that is open first.
    """
    reading = Reading()
    names = {name.casefold(): it for it in people for name in (it.name, it.user.name)}

    def serve(request: Request) -> None:
        query = request.query_params
        person = names.get(query.get("as", "").casefold(), people[0])
        place = discord.world.channels.get(_number(query.get("in", "")), home)
        if not Reader(person, place).may_see(place):
            place = person.dm()
        ui.add_head_html(_HEAD)
        ui.page_title(f"#{home.name}")
        Tab(ui.context.client, people, person, place, reading)

    # NiceGUI has one app for the whole process, and Starlette takes no more middleware for an app that has
    # served a request: it begins anew, so that one session may follow another.
    app.user_middleware.clear()
    app.middleware_stack = None
    ui.run_with(
        discord.app,
        root=serve,
        title="gnau practice",
        favicon="🐂",
        dark=True,
        language="en-US",
        tailwind=False,
        show_welcome_message=False,
    )


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else 0
