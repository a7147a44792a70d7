"""Tau Ngau through real discord.py: dice, limits, tiles, side bets, and a bank that passes."""

import pytest

from bot.games.hands import evaluate
from bot.games.settle import settle
from bot.games.tau_ngau.rules import TauNgauClass
from bot.practice.person import Person
from bot.table.state import TableState
from bot.words.hands import hand_name
from bot.words.translation import signed
from tests.e2e.answers import form_of, in_menu, offered
from tests.e2e.evening import Evening

GAME = "tau-ngau"
MOST_ROUNDS = 40
"""Enough rounds for a side bet to win and lose, and a bank to stay and pass; fails once in a million."""


def gain(evening: Evening, table: TableState, player: Person) -> int:
    """The gain per chip of the player whose hand is dealt."""
    assert table.bank is not None
    own = evaluate(table.pieces_of(evening.party(player)), table.rules)
    return settle(own, evaluate(table.bank.pieces, table.rules), table.rules).units


async def test_a_round_of_tau_ngau_moves_the_right_chips(evening: Evening) -> None:
    board, banker, players = await evening.seated_table(GAME, "Alice", "Bob", "Chan", "Mei")
    zed = evening.person("Zed")
    for player, stake in zip(players, (20, 50, 10), strict=True):
        if player is players[-1]:
            await evening.back(zed, board, players[1], 30)
            await evening.board_says(board, f"backed by <@{zed.id}> (30)")
        await player.slash(evening.channel, "bet", amount=stake)
    await evening.have_cards(banker, *players)
    table = evening.table()
    for person in (banker, *players):
        hand = evaluate(table.pieces_of(evening.party(person)), table.rules)
        shown = evening.shown_hand(person)
        assert hand_name(hand) in shown.text
        assert len(shown.gallery()) == 1
    assert not zed.sees(zed.dm())
    await evening.reveal(board, banker, *players)
    owned = await evening.chips(banker, *players, zed)
    moved = {
        player.name: gain(evening, table, player) * stake
        for player, stake in zip(players, (20, 50, 10), strict=True)
    }
    moved["Zed"] = gain(evening, table, players[1]) * 30
    moved[banker.name] = -sum(moved.values())
    assert owned == {name: 1000 + chips for name, chips in moved.items()}
    assert f"<@{zed.id}> on <@{players[1].id}> · **{signed(moved['Zed'])}**" in board.text
    assert len(board.gallery()) == 1


async def test_t03_whom_the_dice_pick_while_they_are_away_is_told_by_direct_message(evening: Evening) -> None:
    members = evening.persons("Alice", "Bob", "Chan")
    alice = members[0]
    board = await evening.open_table(alice, game=GAME)
    for member in members:
        await evening.press(member, board, "Join")
    # From now on, nobody is known to be there but who rolls.
    await evening.restart()
    while not (bank := evening.table().bank) or bank.party == evening.party(alice):
        if bank:
            await evening.press(alice, board, "Give up the bank")
        await evening.can_press(board, "Roll for the bank")
        await alice.click(board, "Roll for the bank")
    (away,) = (member for member in members if evening.table().is_banker(evening.party(member)))
    keep = "⏳ Press any button to keep the bank."
    await evening.until(lambda: keep in "".join(one.text for one in away.sees(away.dm())), "they are told")
    assert not alice.sees(alice.dm())


async def test_who_banks_by_dice_reads_why_and_gives_the_bank_up_on_their_panel(evening: Evening) -> None:
    board, banker, (other, _) = await evening.seated_table(GAME, "Alice", "Bob", "Chan")
    own = await evening.panel(banker, board)
    assert "**You rolled highest, so you bank**" in own.text
    assert "Press any button" not in own.text, "they have pressed something by now"
    lost = await evening.panel(other, board)
    assert f"🎲 <@{banker.id}> rolled highest and banks." in lost.text
    await banker.click(own, "Give up the bank")
    seat = evening.table().seat_of(evening.party(banker))
    assert seat is not None
    # The seat that is free is theirs from before the roll.
    assert f"You gave up the bank. You now have seat {seat.number}." in own.text
    assert {"Roll for the bank", "Play the house"} <= offered(own)
    await evening.press(other, board, "Play the house")
    await other.submit(form_of(await in_menu(other, board, "bank")), lowest="5", highest="50")
    await evening.until(lambda: evening.table().is_banker(evening.party(other)), "they took it themselves")
    assert "so you bank**" not in (await evening.panel(other, board)).text


async def test_who_is_slow_with_the_form_for_a_bank_reads_why_it_waits_and_has_a_seat(
    evening: Evening,
) -> None:
    alice, bob, chan, dora = evening.persons("Alice", "Bob", "Chan", "Dora")
    board = await evening.open_table(alice, game=GAME)
    await alice.click(board, "Play the house")
    forms = {person: form_of(await in_menu(person, board, "bank")) for person in (bob, chan, dora)}
    await alice.click(board, "20")
    await evening.can_press(board, "Reveal")

    async def submitted(person: Person, *words: str) -> None:
        await person.submit(forms[person], lowest="5", highest="50")
        # The board may be answered first.
        await evening.until(
            lambda: any(all(word in one.text for word in words) for one in person.sees(evening.channel)),
            f"{person.name} reads {words}",
        )
        await evening.until(lambda: evening.table().seat_of(evening.party(person)), "so that they can roll")

    def limits_now() -> tuple[int, int] | None:
        bank = evening.table().bank
        return None if bank is None else (bank.lowest, bank.highest)

    limits = "If the bank is yours then: 5–50."
    await submitted(bob, "Bets are down, so the house gives up the bank after this round. Then", limits)
    await evening.reveal(board, alice)
    await evening.can_press(board, "Play the house")
    await submitted(chan, "The bank is free, and dice pick the banker.", limits)
    await evening.can_press(board, "Roll for the bank")
    await alice.click(board, "Roll for the bank")
    bank = evening.table().bank
    assert bank is not None
    banker = evening.person_of(bank.party)
    stated = (5, 50) if banker in (bob, chan) else (1, 100)
    await evening.until(lambda: limits_now() == stated, "their limits are those that they stated")
    await submitted(dora, f"<@{banker.id}> got the bank before you, so your limits don't count.")


@pytest.mark.thorough
async def test_t10_the_bank_passes_to_the_right_after_a_discard_and_side_bets_win_and_lose(
    evening: Evening,
) -> None:
    evening.expect_haste()
    board, *_ = await evening.seated_table(GAME, "Alice", "Bob", "Chan")
    zed, seen = evening.person("Zed"), set[str]()
    for number in range(1, MOST_ROUNDS + 1):
        banker, players = evening.banker_and_players()
        chips = (await evening.chips(zed))["Zed"]
        for player in players:
            await player.slash(evening.channel, "bet", amount=5)
            if player is players[0]:
                await evening.back(zed, board, player, 7)
        await evening.until(lambda: evening.table().pieces_of(evening.party(banker)), "the tiles are dealt")  # noqa: B023 - at once
        table = evening.table()
        await evening.reveal(board, banker, *players)
        side = gain(evening, table, players[0])
        assert (await evening.chips(zed))["Zed"] == chips + 7 * side
        seen.add(f"side bets {'won' if side > 0 else 'lost' if side < 0 else 'pushed'}")
        stuck = evaluate(table.pieces_of(evening.party(banker)), table.rules).hand_class is TauNgauClass.STUCK
        heir = banker if stuck else players[-1]
        assert evening.banker_and_players()[0] is heir, f"round {number}"
        seen.add(f"the bank {'stayed' if stuck else 'passed'}")
        if not stuck:
            await evening.board_says(board, f"Now: 👑 <@{heir.id}> banks")
        if seen >= {"side bets won", "side bets lost", "the bank stayed", "the bank passed"}:
            return
    pytest.fail(f"in {MOST_ROUNDS} rounds there was only {seen}")
