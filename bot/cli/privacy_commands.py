"""The `gnau privacy` commands: for members who ask the host, because they cannot use `/privacy`."""

import asyncio
from typing import Annotated, Final

import typer

from bot.cli.database_commands import FAULTY, existing_database_or_refused, ledger_errors_refused
from bot.cli.errors import CommandError
from bot.rules.typed_text import json_text

privacy: Final = typer.Typer(name="privacy")
UserId = Annotated[
    int, typer.Argument(metavar="USER_ID", help="Discord's id of the user.", min=1, max=2**63 - 1)
]


@privacy.command()
def export(user_id: UserId) -> None:
    """Print everything that is stored about a user, as JSON. The bot may run meanwhile."""
    database = existing_database_or_refused()

    async def read() -> dict[str, object] | None:
        from bot.croupier.privacy import own_data

        async with database.reading() as ledger:
            identities = await ledger.identities_of(user_id)
            return await own_data(ledger, identities) if identities else None

    with ledger_errors_refused():
        data = asyncio.run(read())
    if data is None:
        raise CommandError(f"nothing is stored about the user {user_id}")
    typer.echo(json_text(data))


@privacy.command()
def erase(user_id: UserId) -> None:
    """Erase a user in every server, as `/privacy erase` does. Stop the bot first."""
    database = existing_database_or_refused()
    with ledger_errors_refused():
        database.refuse_running_bot()
        erased, refused = asyncio.run(_erase(database.url, user_id))
    if not erased and not refused:
        raise CommandError(f"nothing is stored about the user {user_id}")
    for server_id, chips in erased.items():
        typer.echo(f"the user is erased in server {server_id}; chips that went to the house: {chips:,}")
    for server_id, tables in refused.items():
        numbers = ", ".join(map(str, tables))
        typer.echo(
            f"the user is not erased in server {server_id}: start the bot, close table {numbers} with "
            "/table close, and try again"
        )
    if refused:
        raise typer.Exit(FAULTY)


async def _erase(url: str, user_id: int) -> tuple[dict[int, int], dict[int, tuple[int, ...]]]:
    """The chips that went to the house, and the tables that the user must leave first, by server."""
    from bot.croupier.croupier import Croupier
    from bot.croupier.houses import unchanged
    from bot.croupier.privacy import ErasureRefused, Privacy
    from bot.ledger.ledger import open_ledger

    erased: dict[int, int] = {}
    refused: dict[int, tuple[int, ...]] = {}
    async with open_ledger(url) as ledger:
        croupier = Croupier(ledger, unchanged)
        await croupier.load()
        for identity in await ledger.identities_of(user_id):
            done = await Privacy(croupier).erase(identity.server_id, user_id)
            if isinstance(done, ErasureRefused):
                refused[identity.server_id] = done.tables
            else:
                erased[identity.server_id] = done
        await croupier.close()
    return erased, refused
