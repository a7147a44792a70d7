"""The soak finds presses and gifts whose answers do not agree with the ledger, and excuses only stalls."""

from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine, insert

from bot.ledger import schema
from bot.practice.interactions import CallbackKind, Interaction, InteractionKind
from bot.practice.messages import Message
from bot.practice.world import World
from tests.soak.answers import REPLY_SECONDS, Answers
from tests.soak.run import Soak
from tests.soak.stalls import Stall

RECEIVER = 5


def gift() -> Interaction:
    """A gift that somebody asks for."""
    world = World()
    giver = world.add_user("Siti")
    channel = world.add_channel(world.add_server("Club"), "cards")
    data = {"options": [{"name": "member", "value": str(RECEIVER)}, {"name": "amount", "value": 7}]}
    return world.open_interaction(InteractionKind.COMMAND, giver, channel, data, command="give")


def ledger(folder: Path, *done: Interaction) -> Path:
    """A database in which these interactions were carried out."""
    path = folder / "gnau.db"
    engine = create_engine(f"sqlite:///{path}")
    schema.commands.create(engine)
    with closing(engine.connect()) as connection, connection.begin():
        for interaction in done:
            row = {"key": str(interaction.id), "server_id": 1, "at": 0.0}
            connection.execute(insert(schema.commands).values(row))
    engine.dispose()
    return path


@pytest.mark.parametrize("done", [True, False])
@pytest.mark.parametrize("told", ["", "given", "Done. You have 5 chips left.", "You can't."])
def test_an_answer_and_the_ledger_must_agree(tmp_path: Path, told: str, *, done: bool) -> None:
    answers, asked = Answers(), gift()
    if told:
        text = f"<@{asked.user.id}> gives <@{RECEIVER}> **7 chips**." if told == "given" else told
        asked.callback = CallbackKind.MESSAGE
        asked.original = Message(1, asked.channel, World().bot, asked.created, text)
        answers.note_gift(asked, ledger_worked=True)
    else:
        answers.note_silence(asked)
    found = list(answers.disagreements(ledger(tmp_path, *[asked] * done)))
    should_be_done = told not in ("", "You can't.")
    assert len(found) == (done is not should_be_done), found


@pytest.mark.parametrize("stalled", [True, False])
async def test_a_press_without_an_answer_is_excused_only_by_a_stall(tmp_path: Path, *, stalled: bool) -> None:
    soak = Soak(tmp_path, seed=7, tables=1)
    table = soak.crowd.tables[0]
    press = soak.discord.world.open_interaction(
        InteractionKind.COMPONENT, table.members[0].user, table.channel, {"custom_id": "gnau:1:1:reveal"}
    )
    at = press.created.timestamp()
    soak.stalls.noted += [Stall(at - 60, at - 50), *[Stall(at + 1, at + 5)] * stalled]
    with closing(soak.log):
        soak.judge_presses(at + 2 * REPLY_SECONDS)
    assert soak.figures.unanswered == ((0, 1) if stalled else (1, 0))
    assert len(soak.answers.silent) == (not stalled)
