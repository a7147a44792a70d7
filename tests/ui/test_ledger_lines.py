"""Lines of `/ledger`: a banker's round is one, with whom it was played against, and what they had then."""

from bot.ledger.records import Entry
from bot.table.accounts import Reason
from bot.ui.ledger import ledger_lines
from tests.ui.sample_names import mention
from tests.ui.sample_tables import NAMES, ON_LOOKERS, PLAYERS

ALICE, BOB, CHAN = PLAYERS[:3]
ZED = ON_LOOKERS[0]
NOON = 1_790_000_000
WHEN = f"<t:{NOON}:t>"
ROUNDS = (
    (3, 20, Reason.PLAYER_WON, CHAN),
    (3, 5, Reason.SIDE_BET_WON, ALICE),
    (3, 5, Reason.SIDE_BET_WON, ALICE),
    (2, -20, Reason.PLAYER_WON, ALICE),
    (2, -5, Reason.SIDE_BET_WON, ZED),
    (2, 12, Reason.BANKER_WON, BOB),
    (1, 5, Reason.BANKER_WON, ALICE),
    (1, 3, Reason.SIDE_BET_LOST, ALICE),
    (None, -50, Reason.GIFT, BOB),
    (None, 1000, Reason.OPENING_CHIPS, None),
)


def test_a_bankers_round_is_one_line_and_every_line_says_what_they_had_then() -> None:
    entries = [
        Entry(-link, NOON, chips, reason, 7 if number else None, 1 if number else None, number, other)
        for link, (number, chips, reason, other) in enumerate(ROUNDS)
    ]
    others = ", ".join(map(mention, (ALICE, ZED, BOB)))
    told = [line.words(NAMES, NOON) for line in ledger_lines(entries, 975)]
    assert told == [
        f"{WHEN} **+20** You beat {mention(CHAN)} · table 1, round 3 → **975**",
        f"{WHEN} **+5** Your side bet beat {mention(ALICE)} · table 1, round 3 → **955**",
        f"{WHEN} **+5** Your side bet beat {mention(ALICE)} · table 1, round 3 → **950**",
        f"{WHEN} **−13** As banker against {others} · table 1, round 2 → **945**",
        f"{WHEN} **+8** As banker against {mention(ALICE)} · table 1, round 1 → **958**",
        f"{WHEN} **−50** Gift to {mention(BOB)} → **950**",
        f"{WHEN} **+1,000** Opening chips → **1,000**",
    ]
