"""A bot on the real discord.py with boards for practice players, but without cards."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import discord
import yarl
from discord import app_commands, ui

CHIPS = (5, 10, 20, 50)


@dataclass
class Press:
    """A press: who, action, round, time (the loop's clock, in seconds), and whether it was refused."""

    who: str
    action: str
    argument: str | None
    round: int
    at: float
    refused: bool = False


@dataclass
class Table:
    """A table: seats, banker, bets, and who has revealed their hand."""

    number: int
    round: int = 0
    bank: int | None = None
    seats: list[int] = field(default_factory=list)
    bets: dict[int, int] = field(default_factory=dict)
    out: set[int] = field(default_factory=set)
    shown: set[int] | None = None
    told: str = ""

    def view(self) -> ui.LayoutView:
        """The board."""
        view, box = ui.LayoutView(timeout=None), ui.Container[Any]()
        players = [seat for seat in self.seats if seat != self.bank]
        bets = [f"`{number}` {self._seat(who)}" for number, who in enumerate(players, start=1)]
        bank = f"👑 <@{self.bank}> banks" if self.bank else "👑 No banker yet"
        deadline = ["Betting closes <t:1790000000:R>"] if self.bets and self.shown is None else []
        lines = [f"## Table {self.number} · Round {self.round}", bank, *bets, *deadline]
        box.add_item(ui.TextDisplay("\n".join(lines)))
        if self.told:
            box.add_item(ui.TextDisplay(self.told))
        betting = self.bank is not None and self.shown is None
        enabled = {
            "0:join": self.shown is None,
            "0:bank": self.bank is None,
            f"{self.round}:reveal": self.shown is not None,
            **{f"{self.round}:bet:{chips}": betting for chips in CHIPS},
            f"{self.round}:other_bet": betting,
        }
        row = ui.ActionRow[Any]()
        for at, key in enumerate(key for key, on in enabled.items() if on):
            if at % 5 == 0:
                row = ui.ActionRow()
                box.add_item(row)
            row.add_item(ui.Button(label=key, custom_id=f"gnau:{self.number}:{key}"))
        menu = ui.ActionRow[Any]()
        options = [discord.SelectOption(label=value, value=value) for value in ("hand", "sit_out")]
        menu.add_item(ui.Select(custom_id=f"gnau:{self.number}:{self.round}:more", options=options))
        box.add_item(menu)
        view.add_item(box)
        return view

    def _seat(self, who: int) -> str:
        if who in self.bets:
            return f"<@{who}> · **{self.bets[who]}** · ✓"
        return f"<@{who}> · {'💤 sits out' if who in self.out else 'deciding…'}"

    def panel(self) -> ui.LayoutView:
        """The banker's own panel."""
        view, row = ui.LayoutView(timeout=None), ui.ActionRow[Any]()
        for action in ("deal", "give_up"):
            row.add_item(ui.Button(label=action, custom_id=f"gnau:{self.number}:{self.round}:{action}"))
        view.add_item(row)
        return view


class Limits(ui.Modal, title="Take the bank"):
    """Asks for the limits and proposes some."""

    lowest: ui.Label[Any] = ui.Label(text="Lowest", component=ui.TextInput(custom_id="lowest", default="5"))
    highest: ui.Label[Any] = ui.Label(
        text="Highest", component=ui.TextInput(custom_id="highest", default="50")
    )

    def __init__(self, dealer: "Dealer", table: Table) -> None:
        super().__init__()
        self._dealer, self._table = dealer, table

    async def on_submit(self, interaction: discord.Interaction) -> None:
        await self._dealer.carry_out(interaction, self._table, "bank", None)


class Dealer(discord.Client):
    """Hosts tables.

    Attributes:
        refuses: whether a press is refused.
        silent: the actions that get no reply.
        presses: every press so far.
        tables: the open tables by number.
    """

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents.default(), guild_ready_timeout=0.05)
        self.refuses: Callable[[Press], bool] = lambda press: False
        self.silent: set[str] = set()
        self.presses: list[Press] = []
        self.tables: dict[int, Table] = {}
        self.boards: dict[int, discord.Message] = {}
        self.ready = asyncio.Event()
        self.tree = app_commands.CommandTree(self)
        group = app_commands.Group(name="table", description="Tables")
        group.command(name="open", description="Open a table")(self._open)
        group.command(name="close", description="Close the tables")(self._close)
        self.tree.add_command(group)

    async def setup_hook(self) -> None:
        await self.tree.sync()

    async def on_ready(self) -> None:
        self.ready.set()

    def pressed(self, action: str, who: str | None = None, *, refused: bool = False) -> list[Press]:
        """The presses of this action, optionally by this person."""
        return [
            press
            for press in self.presses
            if press.action == action and who in (None, press.who) and press.refused == refused
        ]

    async def _open(self, interaction: discord.Interaction, game: str = "gnau") -> None:
        table = Table(len(self.boards) + 1)
        self.tables[table.number] = table
        await interaction.response.send_message(view=table.view())
        self.boards[table.number] = await interaction.original_response()

    async def _close(self, interaction: discord.Interaction) -> None:
        for number in list(self.tables):
            del self.tables[number]
            await self.boards[number].delete()
        await interaction.response.send_message("Closed.", ephemeral=True)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        data: Any = interaction.data
        if interaction.type is not discord.InteractionType.component:
            return
        _, number, _, action, *argument = data["custom_id"].split(":")
        table = self.tables[int(number)]
        if action == "more":
            action = data["values"][0]
        if action == "hand":
            await interaction.response.send_message(view=table.panel(), ephemeral=True)
            return
        if action == "bank":
            await interaction.response.send_modal(Limits(self, table))
            return
        await self.carry_out(interaction, table, action, argument[0] if argument else None)

    async def carry_out(
        self, interaction: discord.Interaction, table: Table, action: str, argument: str | None
    ) -> None:
        """Carries out or refuses an action, and replies with the board."""
        who, now = interaction.user, asyncio.get_running_loop().time()
        press = Press(who.display_name, action, argument, table.round, now)
        press.refused = self.refuses(press) or not self._fits(table, who.id, action)
        self.presses.append(press)
        if action in self.silent:
            return
        if press.refused:
            await interaction.response.send_message("No.", ephemeral=True)
            return
        self._change(table, who.id, action, argument)
        if action in ("deal", "give_up"):
            await interaction.response.edit_message(view=table.panel())
            await self.boards[table.number].edit(view=table.view())
        else:
            await interaction.response.edit_message(view=table.view())

    def _fits(self, table: Table, who: int, action: str) -> bool:
        match action:
            case "bet" | "sit_out":
                return who != table.bank and table.shown is None and who not in table.bets
            case "bank":
                return table.bank is None
            case "deal" | "give_up":
                return who == table.bank
            case "reveal":
                return table.shown is not None and who not in table.shown
        return who not in table.seats

    def _change(self, table: Table, who: int, action: str, argument: str | None) -> None:
        match action:
            case "join":
                table.seats.append(who)
            case "bank":
                table.bank, table.round = who, table.round + 1
            case "give_up":
                table.bank = None
            case "bet":
                table.bets[who] = int(argument or 0)
            case "sit_out":
                table.out.add(who)
            case "deal":
                table.shown = set()
            case "reveal" if table.shown is not None:
                table.shown.add(who)
        players = [seat for seat in table.seats if seat != table.bank]
        if table.bets and all(seat in table.bets or seat in table.out for seat in players):
            table.shown = set() if table.shown is None else table.shown
        if table.shown is not None and table.shown >= {*table.bets, table.bank}:
            paid = f"-# 👑 <@{table.bank}> pays **−{sum(table.bets.values())}**"
            won = (f"▲ <@{seat}> wins **+{chips}**" for seat, chips in table.bets.items())
            table.told = "\n".join((paid, *won, f"-# 🧾 {table.round} · RECEIPT"))
            table.round += 1
            table.bets, table.out, table.shown = {}, set(), None


@asynccontextmanager
async def dealing(dealer: Dealer, token: str, api_url: str, gateway_url: str) -> AsyncIterator[Dealer]:
    """Runs the dealer, logged in to a stand-in."""
    discord.http.Route.BASE = api_url
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway_url)
    connection = asyncio.create_task(dealer.start(token))
    try:
        ready = asyncio.create_task(dealer.ready.wait())
        await asyncio.wait([ready, connection], return_when=asyncio.FIRST_COMPLETED)
        if connection.done():
            await connection
        yield dealer
    finally:
        await dealer.close()
        await connection
