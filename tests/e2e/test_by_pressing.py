"""What leads beyond a table is reached by pressing: leaderboards, profile, ledger, breaks, schedules."""

from bot.croupier.schedules import read_schedule
from bot.practice.messages import Message
from bot.practice.person import Person
from tests.e2e.answers import form_of, in_menu, labels, message_of, said
from tests.e2e.evening import Evening

WALLET = ["Leaderboard", "My profile", "My ledger", "Take a break"]
"""What leads on from a member's chips."""


async def test_a_member_gets_from_the_menu_of_a_table_to_all_that_is_theirs(evening: Evening) -> None:
    board, mei, (alice,) = await evening.seated_table("gnau", "Mei", "Alice")
    await alice.click(board, "20")
    await evening.reveal(board, mei, alice)
    await evening.counted()
    wallets = [
        message_of(await in_menu(alice, board, "wallet")),
        message_of(await evening.press(alice, await evening.panel(alice, board), "My chips")),
        message_of(await alice.click(message_of(await alice.slash(evening.channel, "help")), "My chips")),
    ]
    for wallet in wallets:
        assert (wallet.ephemeral, labels(wallet)) == (True, WALLET)
    starts = ("## 🏆 Most chips", "## 📊 Alice", "<t:", "**Take a break?**")
    for label, start in zip(WALLET, starts, strict=True):
        wallet = message_of(await in_menu(alice, board, "wallet"))
        shown = message_of(await alice.click(wallet, label))
        assert shown.ephemeral
        assert shown.text.startswith(start), shown.text
        if label != "Take a break":
            assert labels(message_of(await alice.click(shown, "My chips"))) == WALLET, "and back"
    form = form_of(await alice.click(shown, "Limit my losses"))
    assert said(await alice.submit(form, amount="70")).startswith("**Your limit**")
    # By direct message, the ledger alone is of no place.
    wallet = message_of(await alice.slash(alice.dm(), "wallet"))
    assert labels(wallet) == ["My ledger"]
    assert message_of(await alice.click(wallet, "My ledger")).text.startswith(f"### {evening.server.name}")


async def test_who_may_schedule_does_so_from_the_menu_of_an_empty_table(evening: Evening) -> None:
    dora, alice = evening.person("Dora", manage_server=True), evening.person("Alice")
    board = await evening.open_table(alice, game="niu-niu")

    async def scheduled(person: Person) -> Message:
        return message_of(await in_menu(person, board, "scheduled"))

    nothing = await scheduled(alice)
    assert (nothing.text, labels(nothing)) == ("No table is scheduled.", [])
    helped = message_of(await dora.slash(evening.channel, "help"))
    assert labels(message_of(await dora.click(helped, "Scheduled tables"))) == ["Schedule a table"]
    form = form_of(await dora.click(await scheduled(dora), "Schedule a table"))
    assert form.components[0]["description"] is None
    late = said(await dora.submit(form, time="late"))
    assert late.startswith("I don't understand that time."), late
    asked = message_of(await dora.submit(form, time="20:00", repeat="weekly", play="points"))
    await dora.choose(asked, asked.selects()[0], "Europe/Berlin")
    (plan,) = await evening.bot.schedules.planned(evening.server.id)
    planned = read_schedule(plan.what)
    assert (planned.game, planned.play, planned.is_weekly) == ("niu-niu", "points", True)
    # The zone is known now, so the form names it, and the next one is scheduled at once.
    form = form_of(await dora.click(await scheduled(dora), "Schedule a table"))
    clock = "By the clock in Europe/Berlin. For another, use “zone” of the command."
    assert form.components[0]["description"] == clock
    last_day = form.selects()[0].options[-1].value
    shown = message_of(await dora.submit(form, time="8 pm", day=last_day, game="gnau"))
    assert not shown.ephemeral
    assert shown.text.startswith("📅 Gnau opens in ")
    listed = await scheduled(alice)
    assert (listed.text.count("📅"), labels(listed)) == (2, [])
