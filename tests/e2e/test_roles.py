"""Who may open tables and who may bank, by roles, as members meet it by every way in."""

from functools import partial

from bot.practice.component_tree import walk
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.servers import NOTHING, Member, Role
from bot.rules.knobs import BankPasses, HouseBank
from bot.table.refusals import Refusal
from bot.table.state import NOBODY
from bot.ui.press.custom_ids import ANY_ROUND, Press, PressAction
from cogs.roles import Roles
from tests.e2e.answers import OPENS, form_of, id_of, message_of, said
from tests.e2e.evening import MENU, Evening


async def with_roles(evening: Evening, *settings: str) -> Role:
    """Adds a role that these settings ask for, and which nobody has."""
    role = Role(evening.discord.world.new_id(), "Dealer", NOTHING)
    evening.server.roles.append(role)
    evening.chip_settings = dict.fromkeys(settings, f"<@&{role.id}>")
    await evening.restart()
    return role


def member(evening: Evening, person: Person) -> Member:
    return evening.server.members[person.id]


async def test_tables_are_opened_by_who_has_the_role_and_admins(evening: Evening) -> None:
    mei, alice = evening.persons("Mei", "Alice")
    dora = evening.person("Dora", manage_server=True)
    # The button of a table that was closed before there was a role.
    board = await evening.open_table(alice)
    await alice.slash(evening.channel, "table close")
    await evening.board_says(board, "closed")
    again = next(one.custom_id for one in board.buttons() if "open" in str(one.custom_id))
    role = await with_roles(evening, "open_role")
    refused = f"Only members with <@&{role.id}> can open tables here."
    for answer in (
        await alice.slash(evening.other_channel, "table open"),
        await alice.slash(evening.other_channel, "play"),
        await alice.press_raw(board, again),
        *[await alice.press_raw(board, opens) for opens in OPENS],
    ):
        assert said(answer).startswith(refused), said(answer)
    assert not evening.bot.croupier.tables.all()
    member(evening, mei).roles.append(role)
    await evening.open_table(mei)
    # At a table that is there, everybody plays.
    await alice.slash(evening.channel, "play")
    assert evening.table().has(evening.party(alice))
    await evening.open_table(dora, evening.other_channel)


async def test_only_who_has_the_role_banks_by_every_way_in(evening: Evening) -> None:
    evening.rules = evening.rules.model_copy(update={"bank_passes": BankPasses.EVERY_ROUND})
    role = await with_roles(evening, "bank_role")
    mei, alice, bob = evening.persons("Mei", "Alice", "Bob")
    refused = f"Only members with <@&{role.id}> can bank here. You can play."
    board = await evening.open_table(mei)
    table_id = evening.table().table_id

    def bank(action: PressAction) -> str:
        return Press(action, table_id, ANY_ROUND).custom_id

    async def refuse(person: Person) -> None:
        for action in (PressAction.BANK, PressAction.BANK_NEXT, PressAction.ROLL):
            answer = await person.press_raw(board, bank(action))
            assert said(answer) == refused, (action, said(answer))

    for person in (alice, bob):
        await evening.press(person, board, "Join")
    await refuse(alice)
    member(evening, mei).roles.append(role)
    await evening.take_bank(mei, board)
    # A form that was open when the role was lost; with it, the member waits for the bank.
    member(evening, alice).roles.append(role)
    form = form_of(await alice.press_raw(board, bank(PressAction.BANK_NEXT)))
    member(evening, alice).roles.clear()
    assert said(await alice.submit(form, lowest="5", highest="50")) == refused
    assert evening.bot.croupier.bank_queue.waiting(table_id) == []
    member(evening, alice).roles.append(role)
    await alice.submit(form, lowest="5", highest="50")
    assert evening.bot.croupier.bank_queue.waiting(table_id) == [evening.party(alice)]
    # Who has the role no more when the bank is free does not get it.
    member(evening, alice).roles.clear()
    for person in (alice, bob):
        await evening.press(person, board, "20")
    await evening.reveal(board, alice, bob, mei)
    # The bank passes after the round, and to nobody here.
    await evening.board_says(board, f"<@{mei.id}> had to pass the bank, but nobody here could take it.")
    assert evening.table().bank is None
    assert evening.bot.croupier.bank_queue.waiting(table_id) == []
    await refuse(alice)
    # By direct message Discord tells no roles: until a press in the server, or an answer, nobody knows.
    not_known = evening.bot.croupier.bank_refused(evening.server.id, NOBODY)
    assert not_known is not None
    assert not_known.code is Refusal.BANK_ROLE_NOT_KNOWN
    member(evening, bob).roles.append(role)
    await evening.restart()
    bank_refused = partial(evening.bot.croupier.bank_refused, evening.server.id)
    await evening.until(lambda: bank_refused(evening.party(bob)) is None, "Discord has told the roles of Bob")
    await refuse(alice)
    # Discord is asked once an hour about who has left, not each minute.
    evening.expect_fault(404)
    evening.discord.world.leave(evening.server, bob.user)
    sent = len(evening.discord.requests)

    def asked() -> int:
        return sum(one.path.endswith(f"/members/{bob.id}") for one in evening.discord.requests[sent:])

    await evening.restart()
    await evening.until(asked, "Discord has told that Bob has left")
    await evening.settle_down()
    cog = evening.bot.get_cog("Roles")
    assert isinstance(cog, Roles)
    await cog.look()
    assert asked() == 1


async def test_dice_choose_among_those_who_may_bank(evening: Evening) -> None:
    role = await with_roles(evening, "bank_role")
    alice, bob, chan = evening.persons("Alice", "Bob", "Chan")
    board = await evening.open_table(alice, game="tau-ngau")
    for person in (alice, bob, chan):
        await evening.press(person, board, "Join")
    await evening.can_press(board, "Roll for the bank")
    answer = await alice.click(board, "Roll for the bank")
    assert said(answer) == f"Only members with <@&{role.id}> can bank here. You can play."
    member(evening, bob).roles.append(role)
    await bob.click(board, "Roll for the bank")
    bank = evening.table().bank
    assert bank is not None
    assert bank.party == evening.party(bob)


async def test_the_house_banks_without_the_role(evening: Evening) -> None:
    evening.rules = evening.rules.model_copy(update={"house_bank": HouseBank.WHEN_NOBODY_BANKS})
    await with_roles(evening, "bank_role")
    (alice,) = evening.persons("Alice")
    await alice.slash(evening.channel, "play")
    assert evening.table().house_banks


async def test_an_admin_names_the_role_by_its_name_or_from_the_list(evening: Evening) -> None:
    role = await with_roles(evening)
    dora = evening.person("Dora", manage_server=True)
    suggested = await dora.suggest(evening.channel, "house set", "value", "deal", rule="bank_role")
    assert [(one.name, one.value) for one in suggested] == [("@Dealer", f"<@&{role.id}>")]
    for typed in ("@dealer", f"<@&{role.id}>"):
        shown = message_of(await dora.slash(evening.channel, "house set", rule="bank_role", value=typed))
        assert f"- **Who banks**: everyone → **<@&{role.id}>**" in shown.text
    for wrong in ("@nobody", f"<@&{role.id + 1}>"):
        told = said(await dora.slash(evening.channel, "house set", rule="bank_role", value=wrong))
        assert told.startswith("There is no role “"), told
    everyone = said(await dora.slash(evening.channel, "house set", rule="bank_role", value="everyone"))
    assert everyone == "Nothing would change: the rules are already like that."
    assert id_of(shown, "Confirm")


def menu_of(page: Message, entry: str) -> str:
    """The custom_id of the menu that has this entry."""
    return next(
        menu.custom_id for menu in page.selects() if entry in [option.value for option in menu.options]
    )


async def test_an_admin_types_the_role_in_the_form_of_the_settings(evening: Evening) -> None:
    role = await with_roles(evening, "bank_role")
    dora = evening.person("Dora", manage_server=True)
    page = message_of(await dora.slash(evening.channel, "house show"))
    await dora.click(page, "Show server settings")
    for setting, shown, typed, change in (
        ("open_role", "", "dealer", f"- **Who opens tables**: everyone → **<@&{role.id}>**"),
        ("bank_role", "@Dealer", "", f"- **Who banks**: <@&{role.id}> → **everyone**"),
    ):
        form = form_of(await dora.choose(page, menu_of(page, setting), setting))
        [line] = (part for part in walk(form.components) if part.get("custom_id") == "value")
        assert line.get("value", "") == shown
        await dora.submit(form, value=typed)
        await evening.board_says(page, change)
        await dora.click(page, "Cancel")
        await evening.board_says(page, "Nothing was changed.")


async def test_a_role_that_no_member_can_have_is_neither_offered_nor_set(evening: Evening) -> None:
    await with_roles(evening)
    dora = evening.person("Dora", manage_server=True)
    of_bot = next(role for role in evening.server.roles if role.managed_by)
    suggested = await dora.suggest(evening.channel, "house set", "value", "", rule="open_role")
    assert [one.name for one in suggested if one.name.startswith("@")] == ["@Dealer"]
    for typed in (f"@{of_bot.name}", f"<@&{of_bot.id}>"):
        told = said(await dora.slash(evening.channel, "house set", rule="open_role", value=typed))
        assert told == f"<@&{of_bot.id}> belongs to a bot: no member can have it. Choose another role."
    # A role of members may have the same name.
    namesake = Role(evening.discord.world.new_id(), of_bot.name, NOTHING)
    evening.server.roles.append(namesake)
    await evening.restart()
    shown = await dora.slash(evening.channel, "house set", rule="open_role", value=of_bot.name)
    assert f"→ **<@&{namesake.id}>**" in message_of(shown).text


async def test_what_can_be_taken_back_has_the_names_of_channels_and_roles(evening: Evening) -> None:
    role = await with_roles(evening)
    dora = evening.person("Dora", manage_server=True)
    for rule, value in (("open_role", role.name), ("log_channel", f"<#{evening.channel.id}>")):
        shown = message_of(await dora.slash(evening.channel, "house set", rule=rule, value=value))
        await dora.click(shown, "Confirm")
    history = message_of(await dora.slash(evening.channel, "house history"))
    [menu] = history.selects()
    assert [option.label for option in menu.options] == [
        f"Log channel off → #{evening.channel.name}",
        "Who opens tables everyone → @Dealer",
    ]


async def test_who_waits_for_a_bank_keeps_their_place_over_a_restart_if_they_keep_the_role(
    evening: Evening,
) -> None:
    role = await with_roles(evening, "bank_role")
    mei, alice, bob = evening.persons("Mei", "Alice", "Bob")
    for person in (mei, alice, bob):
        member(evening, person).roles.append(role)
    board = await evening.open_table(mei)
    await evening.take_bank(mei, board)
    for person in (bob, alice):
        form = form_of(await person.choose(board, MENU, "Bank next"))
        await person.submit(form, lowest="5", highest="20")
    member(evening, bob).roles.clear()
    await evening.restart()
    await evening.press(mei, board, "Give up the bank")
    await evening.until(lambda: evening.table().is_banker(evening.party(alice)), "Alice has the bank")
    turn = f"It was your turn to bank at table 1 (<#{board.channel.id}>)."
    why = f"Only members with <@&{role.id}> can bank here. You can play."
    await evening.until(
        lambda: [message.text for message in bob.sees(bob.dm())] == [f"{turn} {why}"], "Bob is told why not"
    )
