"""What `/bank audit` tells of new members: who fed whom, with the gifts and rounds, a page at a time."""

from bot.table.audit import Evidence, GiftSeen, Newcomer, fed
from bot.ui.audit import ON_PAGE, AuditShown, NewcomersPage, newcomers_content, newcomers_on
from bot.ui.press.custom_ids import AuditPage
from tests.ui.messages import sent, text_of
from tests.ui.sample_names import mention
from tests.ui.sample_tables import BANKER, NAMES, PLAYERS

NEW = [Newcomer(party, 1_000, BANKER, 500 + place, 100) for place, party in enumerate(PLAYERS[: ON_PAGE + 1])]
FOUND = fed(NEW)


def page_of(part: int) -> tuple[str, list[str]]:
    """The text of a page, and the lines of its file."""
    shown = AuditShown(AuditPage.NEW, part=part)
    pairs = [(one.party, one.to) for one in newcomers_on(shown, FOUND)]
    page = NewcomersPage(
        FOUND,
        {pair: [Evidence(3, 7, 90), Evidence(3, 8, 10)] for pair in pairs},
        {pair: [GiftSeen(1_790_000_000.5, 500)] for pair in pairs},
    )
    content = newcomers_content(shown, page, NAMES, {}, is_counted=True)
    (written,) = content.files or ()
    return text_of(sent(list(content.layout))), written.data.decode("utf-8-sig").splitlines()


def test_new_members_who_fed_one_are_told_with_gifts_and_rounds() -> None:
    first, last = page_of(0), page_of(1)
    (least, *_), given = NEW, sum(one.given for one in NEW)
    for told, shown in (first, NEW[:0:-1]), (last, [least]):
        assert f"**{mention(BANKER)}** got {given:,} chips from {len(NEW)} new members:\n" in told[0]
        for one in shown:
            assert (
                f"- {mention(one.party)}: {one.given:,} of 1,000 · gifts +{one.gifts:,}, weaker hands +100\n"
                "-# Gifts: <t:1790000000:d> +500\n"
                "-# Most in: `/round show table:3 round:7` +90, `/round show table:3 round:8` +10" in told[0]
            )
    assert mention(least.party) not in first[0]
    assert len(first[1]) == len(last[1]) == 1 + len(NEW), "the file has all of them"
