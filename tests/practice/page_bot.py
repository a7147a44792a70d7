"""A small bot without a library, with one of everything that the page renders."""

import asyncio
import io
from typing import Any

from PIL import Image

from bot.practice.interactions import CallbackKind, Interaction, InteractionKind
from bot.practice.person import Person
from tests.practice.raw import (
    PRIVATE,
    V2,
    Json,
    box,
    button,
    call,
    callback_of,
    command,
    gallery,
    label,
    modal,
    option,
    row,
    said,
    select,
    text,
    v2,
)
from tests.stand_in import StandIn

NASTY = (
    "<img src=x onerror=alert(1)> <script>alert(2)</script> `<b>` **<i>bold</i>** [x](javascript:alert(3))"
)
OX = "An ox, smiling"
PIECES = ("6-5", "4-2", "2-1", "1-1", "6-6")
CHOICES = [
    {"label": "Give up the bank", "value": "give", "description": "After this round"},
    {"label": "Leave", "value": "leave", "description": "Your stake goes back"},
]
AMOUNT = modal(
    label({"max_length": 3}, label="Chips", description="1 to 100"),
    label(
        select(custom_id="colour", options=[{"label": "Red", "value": "r"}, {"label": "Blue", "value": "b"}]),
        label="Colour",
    ),
    label(
        select(type=8, custom_id="places", channel_types=[0], min_values=0, max_values=2, required=False),
        label="Places",
    ),
    title="How much?",
)
SIDES = [
    {"name": name, "value": name, "name_localizations": {"de": german}}
    for name, german in (("Left", "Links"), ("Right", "Rechts"))
]
OPEN = option(type=1, name="open", description="Open a table here") | {
    "name_localizations": {"de": "öffnen"},
    "description_localizations": {"de": "Öffnet einen Tisch"},
    "options": [option(name="game", name_localizations={"de": "spiel"})],
}
COMMANDS = [
    command(name="wallet", description="Your balance"),
    command(name="silence", description="Says nothing at all"),
    command(name="think", description="Thinks first"),
    command(
        description="Place a bet",
        options=[
            option(type=4, name="amount", required=True, min_value=5, max_value=100),
            option(name="side", name_localizations={"de": "seite"}, choices=SIDES),
            option(name="word", autocomplete=True),
            option(type=6, name="whom"),
        ],
    ),
    command(name="table", description="Tables", name_localizations={"de": "tisch"}, options=[OPEN]),
]


def board(whom: int, presses: int = 0, picked: str = "nothing") -> Json:
    """A board with every kind of component; it shows how often it was pressed and what was picked."""
    title = f"# Gnau · Table 1\n-# Rules: Wikipedia\nPressed **{presses}** times, picked {picked}"
    labels = enumerate(("Count", "Ask", "Card", "Fail"), start=1)
    buttons = [button(label=label, style=style, custom_id=label.lower()) for style, label in labels]
    greyed = button(label="Greyed", custom_id="greyed", disabled=True, emoji={"name": "🔒"})
    three = [{"label": piece, "value": piece} for piece in PIECES]
    components = box(
        text(title),
        gallery(1, "attachment://ox.png", description=OX),
        {"type": 14},
        text(f"1 <@{whom}> `  50` ready\n2 *free*"),
        *[gallery(1, "attachment://ox.png", description="A♠ K♦ 3♣")] * bool(presses),
        row(*buttons, greyed),
        row(select(custom_id="more", placeholder="More…", options=CHOICES)),
        row(select(custom_id="three", placeholder="Which three?", options=three, min_values=3, max_values=3)),
    )
    return v2(components | {"accent_color": 0x3BA55C}) | {"attachments": [{"id": 0, "description": OX}]}


def ox() -> bytes:
    """A wide green picture."""
    data = io.BytesIO()
    Image.new("RGB", (900, 360), (36, 128, 70)).save(data, "PNG")
    return data.getvalue()


class PageBot:
    """Replies to the commands and buttons of the tests.

    Attributes:
        heard: the custom_ids and commands it got, in order.
        locales: the locale of each interaction, in order.
        may_answer: set when `/think` may be answered.
    """

    def __init__(self, stand_in: StandIn) -> None:
        self.heard: list[str] = []
        self.locales: list[str] = []
        self.may_answer = asyncio.Event()
        self._stand_in = stand_in
        self._tasks: set[asyncio.Task[None]] = set()

    def person(self, name: str, server: Any) -> Person:
        """A member whose interactions come to this bot."""
        user = self._stand_in.world.add_user(name)
        self._stand_in.world.join(server, user)
        return Person(self._stand_in.world, user, self._stand_in.limits, self._hear)

    async def register(self) -> None:
        """Registers the commands."""
        await self._call("PUT", f"/applications/{self._stand_in.world.application_id}/commands", COMMANDS)

    async def _call(self, method: str, path: str, body: Any, files: dict[str, bytes] | None = None) -> Any:
        status, answer = await call(self._stand_in, method, path, body, files=files)
        assert status < 400, answer
        return answer

    def _hear(self, interaction: Interaction) -> None:
        self.locales.append(interaction.user.locale)
        task = asyncio.ensure_future(self._act(interaction))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _act(self, it: Interaction) -> None:
        match it.kind:
            case InteractionKind.COMMAND:
                await self._run(it, it.data.get("options") or [])
            case InteractionKind.AUTOCOMPLETE:
                typed = next(each["value"] for each in it.data["options"] if each.get("focused"))
                words = [word for word in ("ox", "oxen", "bull") if word.startswith(typed)]
                choices = [{"name": f"the {word}", "value": word} for word in words]
                await self._reply(it, CallbackKind.SUGGESTIONS, {"choices": choices})
            case InteractionKind.COMPONENT:
                self.heard.append(it.data["custom_id"])
                await self._press(it)
            case InteractionKind.MODAL:
                await self._submit(it)

    async def _run(self, it: Interaction, options: list[Json]) -> None:
        given = {each["name"]: each.get("value") for each in options}
        match it.command:
            case "wallet":
                await self._say(it, "You have **1,000** chips.", PRIVATE)
            case "silence":
                self.heard.append("silence")
            case "think":
                await self._reply(it, CallbackKind.DEFERRED_MESSAGE)
                await self.may_answer.wait()
                hook = f"/webhooks/{self._stand_in.world.application_id}/{it.token}"
                await self._call("POST", hook, said("Thought about it."))
                await self._call("POST", hook, said("It is a pair."))
            case "bet":
                whom = self._stand_in.world.users.get(int(given.get("whom") or 0))
                side, word = given.get("side") or "no side", given.get("word") or "no word"
                name = "nobody" if whom is None else whom.display_name
                await self._say(it, f"Bet {given['amount']}: {side}, {word}, {name}.")
            case "table open":
                inner = {each["name"]: each["value"] for each in options[0]["options"]}
                self.heard.append(f"open {inner.get('game', 'gnau')}")
                await self._reply(it, CallbackKind.MESSAGE, board(it.user.id), {"ox.png": ox()})

    async def _press(self, it: Interaction) -> None:
        match it.data["custom_id"]:
            case "count":
                new = board(it.user.id, self.heard.count("count"))
                await self._reply(it, CallbackKind.UPDATE, new, {"ox.png": ox()})
            case "more" | "three":
                new = board(it.user.id, picked=" ".join(it.data["values"]))
                await self._reply(it, CallbackKind.UPDATE, new, {"ox.png": ox()})
            case "ask":
                await self._reply(it, CallbackKind.MODAL, AMOUNT)
            case "card":
                await self._reply(it, CallbackKind.DEFERRED_UPDATE)
                dm = self._stand_in.world.dm_with(it.user)
                await self._call("POST", f"/channels/{dm.id}/messages", said("Your cards: A♠ K♦"))

    async def _submit(self, it: Interaction) -> None:
        amount, colour, places = (part["component"] for part in it.data["components"])
        channels = self._stand_in.world.channels
        where = ", ".join(channels[int(place)].name for place in places["values"]) or "nowhere"
        if amount["value"].isdecimal():
            await self._say(it, f"{amount['value']} on {colour['values'][0]} in {where}", PRIVATE)

    async def _say(self, it: Interaction, words: str, flags: int = 0) -> None:
        await self._reply(it, CallbackKind.MESSAGE, said(words) | {"flags": V2 | flags})

    async def _reply(
        self,
        it: Interaction,
        kind: CallbackKind,
        data: Json | None = None,
        files: dict[str, bytes] | None = None,
    ) -> None:
        body = {"type": kind} | ({} if data is None else {"data": data})
        await self._call("POST", callback_of(it), body, files)
