"""Adds the page to a stand-in, on the same address; each browser tab gets its own `Tab`."""

import json
from pathlib import Path
from typing import Final

from nicegui import app, ui
from starlette.requests import Request

from bot.practice.page.tab import Tab
from bot.practice.page.viewer import ReadMarkers, read_address
from bot.practice.person import Person
from bot.practice.servers import Channel
from bot.practice.stand_in import StandIn

_SHEETS: Final = ("layout", "sidebar", "message", "components", "composer")
_STYLE: Final = "\n".join(
    (Path(__file__).parent / "assets" / f"{sheet}.css").read_text(encoding="utf-8") for sheet in _SHEETS
)

_POLICY: Final = "img-src 'self' data:; connect-src 'self' ws:; font-src 'self'"
"""The page loads nothing from other machines, whatever a message contains."""

_LOST: Final = "Practice isn't answering. If you ended it, run gnau practice again and open its new address."
"""What the page says while it has no connection."""

_HEAD: Final = f"""
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<style>{_STYLE}</style>
<script>
addEventListener("DOMContentLoaded", () => {{
  document.getElementById("popup").textContent = {json.dumps(_LOST)};
}});
</script>
"""


def mount_page(discord: StandIn, people: list[Person], home: Channel) -> None:
    """Serves the page at `/` of the stand-in. Call it before the stand-in starts.

    A tab opens as the first of `people` in the channel `home`, or as `read_address` says. A process has one
    page: that of the stand-in mounted last.
    """
    read_markers = ReadMarkers()

    def serve(request: Request) -> None:
        opening = read_address(request.query_params, people, home)
        ui.add_head_html(_HEAD)
        ui.page_title(f"#{home.name}")
        Tab(ui.context.client, people, opening, read_markers)

    # NiceGUI has one app per process, and Starlette accepts no middleware after the first request. The reset
    # lets one session follow another.
    app.user_middleware.clear()
    app.middleware_stack = None
    ui.run_with(
        discord.app,
        root=serve,
        title="gnau practice",
        favicon="🐂",
        # As the system asks; the colours are in layout.css.
        dark=None,
        language="en-US",
        tailwind=False,
        show_welcome_message=False,
    )
