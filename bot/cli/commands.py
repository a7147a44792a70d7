"""Every command that there is, under the name by which it is called."""

from typing import Final

import typer

from bot.cli import chances, hands, proofs, service
from bot.cli.complaints import OneLineGroup
from bot.cli.database import db

app: Final = typer.Typer(
    name="gnau",
    cls=OneLineGroup,
    help="A Discord bot that hosts Gnau and Tau Ngau, games against a banker, for play-money chips.",
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command()(service.run)
app.command()(service.practice)
app.command()(hands.hand)
app.command()(hands.duel)
app.command()(chances.odds)
app.command()(chances.simulate)
app.command()(proofs.verify)
app.add_typer(db)
