"""Answers that do not agree with the ledger are found, and only those."""

from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import create_engine, insert

from bot.ledger import schema
from bot.practice.interactions import CallbackKind, Interaction, InteractionKind
from bot.practice.messages import NO_FLAGS, Flag, Message
from bot.practice.world import World
from tests.soak.answers import TRIED_SECONDS, Answers, was_tried
from tests.stand_in import RecordedRequest

RECEIVER = 5
CHIPS = 7


def gift() -> Interaction:
    """A gift that somebody asks for."""
    world = World()
    giver = world.add_user("Siti")
    channel = world.add_channel(world.add_server("Club"), "cards")
    data = {"options": [{"name": "member", "value": str(RECEIVER)}, {"name": "amount", "value": CHIPS}]}
    return world.open_interaction(InteractionKind.COMMAND, giver, channel, data, command="give")


def answered(interaction: Interaction, text: str, flags: Flag = NO_FLAGS) -> Interaction:
    """The same interaction, with an answer."""
    interaction.callback = CallbackKind.DEFERRED_MESSAGE if Flag.LOADING in flags else CallbackKind.MESSAGE
    bot = World().bot
    interaction.original = Message(1, interaction.channel, bot, interaction.created, text, flags=flags)
    return interaction


def given(interaction: Interaction) -> str:
    """What everybody reads of the gift."""
    return f"<@{interaction.user.id}> gives <@{RECEIVER}> **{CHIPS} chips**."


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


def request(interaction: Interaction, after: float, fault: str | None = None) -> RecordedRequest:
    """An answer that the bot sent."""
    sent = RecordedRequest(
        method="POST",
        path=f"/interactions/{interaction.id}/{interaction.token}/callback",
        route=None,
        query={},
        body=None,
        files=[],
        status=404,
        response=None,
        budgeted=False,
        at=interaction.created + timedelta(seconds=after),
    )
    sent.fault = fault
    return sent


@pytest.mark.parametrize("done", [True, False])
def test_an_unanswered_interaction_is_wrong_if_it_was_carried_out(tmp_path: Path, *, done: bool) -> None:
    answers, silent = Answers(), gift()
    answers.note_silence(silent)
    found = list(answers.disagreements(ledger(tmp_path, *[silent] * done)))
    assert found == [f"/give (interaction {silent.id}) was carried out, and got no answer"] * done


@pytest.mark.parametrize("done", [True, False])
def test_a_gift_that_its_giver_was_told_of_is_in_the_ledger(tmp_path: Path, *, done: bool) -> None:
    answers, asked = Answers(), gift()
    answers.note_gift(answered(asked, given(asked)), ledger_worked=False)
    found = list(answers.disagreements(ledger(tmp_path, *[asked] * done)))
    told = f"gift {asked.id} is not in the ledger, and its giver was told: {given(asked)}"
    assert found == [told] * (not done)


def test_an_answer_that_was_deferred_and_says_done_is_about_a_gift_in_the_ledger(tmp_path: Path) -> None:
    answers, asked = Answers(), gift()
    answers.note_gift(answered(asked, "Done."), ledger_worked=True)
    assert len(list(answers.disagreements(ledger(tmp_path)))) == 1


@pytest.mark.parametrize("worked", [True, False])
def test_a_refused_gift_is_not_in_the_ledger_unless_the_ledger_failed(
    tmp_path: Path, *, worked: bool
) -> None:
    answers, asked = Answers(), gift()
    answers.note_gift(answered(asked, "You can't."), ledger_worked=worked)
    found = list(answers.disagreements(ledger(tmp_path, asked)))
    assert found == [f"gift {asked.id} is in the ledger, and its giver was told: You can't."] * worked


def test_a_deferral_alone_says_nothing_of_a_gift(tmp_path: Path) -> None:
    answers = Answers()
    answers.note_gift(answered(gift(), "", Flag.LOADING), ledger_worked=True)
    assert list(answers.disagreements(ledger(tmp_path))) == []


def test_an_answer_that_a_fault_kept_away_or_that_was_a_little_late_was_tried() -> None:
    asked = gift()
    assert was_tried(asked, [request(asked, 0.1, fault="drop")])
    assert was_tried(asked, [request(asked, TRIED_SECONDS - 0.1)])
    assert not was_tried(asked, [request(asked, TRIED_SECONDS + 0.1)])
    assert not was_tried(asked, [request(replace(asked, id=asked.id + 1), 0.1, fault="drop")])
