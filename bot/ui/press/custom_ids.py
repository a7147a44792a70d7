"""What buttons, menus and modals are: their custom_ids, written and read, so that a restart loses none.

A custom_id of a table is `gnau:<table>:<round>:<action>[:<number>][@<player>]`. Any other begins as `_FORMS`
says, followed by its arguments. Buttons live on for months: a form that is out there never changes.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto
from types import MappingProxyType
from typing import Final

from bot.games.knobs import KNOBS
from bot.games.register import GAMES
from bot.rules.knobs import OPENED, About, GameName, Play
from bot.table.accounts import LedgerPart
from bot.table.standings import EVERY, SEASON, Measure, Period
from bot.table.state import NOBODY

ANY_ROUND: Final = 0
"""The round number of a button that means whichever round is on when it is pressed."""
NO_TABLE: Final = 0
"""The table of a press that is not about one."""
LARGEST_NUMBER: Final = (1 << 63) - 1
"""The largest number that a custom_id may hold: the largest that the ledger can store."""

_NO_FIELDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({})


class Shape(Enum):
    """What kind of component carries an action."""

    BUTTON = auto()
    MENU = auto()
    MODAL = auto()


class GuidePage(StrEnum):
    """A page of *How to play*."""

    OVERVIEW = "overview"
    RANKING = "ranking"
    ODDS = "odds"
    BANKER = "banker"
    WORDS = "words"
    KNOBS = "knobs"


class AuditPage(StrEnum):
    """A page of `/bank audit`."""

    WEEKS = "weeks"
    FLOWS = "flows"
    NEW = "new"


class PressAction(StrEnum):
    """What a component does."""

    JOIN = "join"
    LEAVE = "leave"
    LEAVE_TO_BACK = "leave_to_back"
    """Leaves the table, to back one of its players in this round."""
    BANK = "bank"
    BANK_MODAL = "bank_modal"
    BANK_NEXT = "bank_next"
    """Waits for the bank."""
    LEAVE_QUEUE = "leave_queue"
    """Waits for the bank no longer."""
    PLAY_HOUSE = "play_house"
    """Has the house bank."""
    ROLL = "roll"
    LIMITS = "limits"
    LIMITS_MODAL = "limits_modal"
    GIVE_UP = "give_up"
    PLAY = "play"
    """Plays this round, at a table for points."""
    BET = "bet"
    """Bets the number of chips."""
    BET_MOST = "bet_most"
    """Bets the number of chips, or less if less is possible by then."""
    OTHER_BET = "other_bet"
    """Asks how many chips."""
    BET_MODAL = "bet_modal"
    AGAIN = "again"
    WITHDRAW = "withdraw"
    SIT_OUT = "sit_out"
    SIDE_BETS = "side_bets"
    """Shows the page for side bets on the member's panel."""
    BACK = "back"
    """Backs the player with the number of chips."""
    BACK_MENU = "back_menu"
    OTHER_BACK = "other_back"
    BACK_MODAL = "back_modal"
    UNBACK = "unback"
    """Takes back the side bet on the player."""
    UNBACK_ANY = "unback_any"
    DEAL = "deal"
    HAND = "hand"
    SEE_LAST = "see_last"
    """Shows a member who squeezes the last piece of their hand."""
    SQUEEZE = "squeeze"
    DONT_SQUEEZE = "dont_squeeze"
    FIND_OX = "find_ox"
    """Lets the member find the ox of their hands themselves."""
    SHOW_OX = "show_ox"
    DAILY = "daily"
    """Takes a handout, as `/daily` does."""
    ARRANGE = "arrange"
    """Picks the piece at the place in the hand for the ox, or takes it back."""
    STRONGEST = "strongest"
    NO_OX = "no_ox"
    """Says that the hand has no ox."""
    WHY = "why"
    FAIRNESS = "fairness"
    """Says what the codes in the small print are."""
    VERIFY = "verify"
    """Checks the settled round that it is of, as `/round verify` does."""
    REVEAL = "reveal"
    MESSAGES = "messages"
    RULES = "rules"
    CLOSE = "close"
    CLOSE_NOW = "close_now"
    """Closes the table, whatever bets are down."""
    KEEP_OPEN = "keep_open"
    """Takes back that the table closes after the round."""
    MORE = "more"
    """The menu of a board or a panel: each value is another action. Its number only changes to reset it."""

    CONFIRM = "confirm"
    """Makes the change of house rules with this draft's id, and shows the page it was asked for from."""
    EXACT = "exact"
    """Shows the preview of this draft with exact figures."""
    CANCEL = "cancel"
    """Drops what was asked about, and shows the page it was asked for from."""
    SHOW = "show"
    """Shows the page of the game in `/house`, or of `server`."""
    PRESETS = "presets"
    """The game; the value is a preset."""
    PICK = "pick"
    """The game, what the knobs are about, which part of them, and if they stand alone `menus`; the value is a
    knob.
    """
    VALUE = "value"
    """The game, the knob, and `menus` as for `PICK`; the modal brings the knob's value."""
    TAKE_BACK = "take_back"
    """The value is the number of the change that is taken back."""
    UNBAN = "unban"
    """Asks whether a member may play again; the value is their hash."""
    UNBAN_NOW = "unban_now"
    """Lets the member with this hash play again."""
    BANS = "bans"
    """Shows who is banned."""

    START_SEASON = "start_season"
    END_SEASON = "end_season"
    """Ends the season with this number."""
    AUDIT = "audit"
    """Shows an audit of the server: the page, of how many weeks, and which part of it."""

    CARRY_OUT = "carry_out"
    """Does what an admin's command with this id asks for."""

    GIVE = "give"
    """Makes the gift that was asked for by the command with this id."""

    ERASE = "erase"
    """Erases the member in the server; without one, in every server."""
    KEEP = "keep"

    LEADERS = "leaders"
    """Shows a leaderboard: the measure, the period, the game, and the page."""
    LEADERS_WHEN = "leaders_when"
    """Shows the same of another period."""
    LEADERS_BY = "leaders_by"
    """The same; the value is the measure."""
    LEADERS_GAME = "leaders_game"
    """The same; the value is the game."""
    LEADERS_SEASON = "leaders_season"
    """The same; the value is the period of a season."""
    LEADERS_HIDE = "leaders_hide"
    """Hides the member from leaderboards, or shows them again."""
    PROFILE = "profile"
    """Shows the profile of the user, or with 0 that of who presses; with their hands in the game."""
    ACHIEVEMENTS = "achievements"
    """Shows all achievements, and which of them the user has."""

    WALLET = "wallet"
    """Shows the member their chips, as `/wallet` does, with what leads on from there."""
    LEDGER = "ledger"
    """Shows a page of the member's ledger in the server: its part, on which side of which entry, and what
    they had there."""
    LEDGER_OF = "ledger_of"
    """Shows the newest page in the server; the value is the part."""
    LEDGER_IN = "ledger_in"
    """The same of the part, or the file; the value is the server."""
    LEDGER_FILE = "ledger_file"
    """Sends the member their ledger in the server as a file."""

    REMIND = "remind"
    """Reminds the member of their daily chips in the server."""
    TELL = "tell"
    """Tells the member when there is a table to play at in the channel it is in."""
    REMIND_OFF = "remind_off"
    """Ends such a reminder: of daily chips in a server, or of tables in a channel."""
    TAKE_DAILY = "take_daily"
    """Takes a handout in the server, as `/daily` does."""
    ASK_BREAK = "ask_break"
    """Asks how long a break is to be, as `/break` does."""
    BREAK = "break"
    """Asks whether to begin a break from playing in the server; how many days it takes is in the id."""
    BREAK_NOW = "break_now"
    NO_BREAK = "no_break"
    LOSS = "loss"
    """Asks how much the member wants to lose a day at most."""
    LOSS_MODAL = "loss_modal"

    SCHEDULED = "scheduled"
    """Lists the scheduled tables of the server."""
    SCHEDULE = "schedule"
    """Asks when a table is to open in the channel it is in, and which."""
    SCHEDULE_MODAL = "schedule_modal"
    ZONE = "zone"
    """Schedules what the command with this id asked for, its time and day without signs between digits; the
    value is a time zone.
    """
    UNSCHEDULE = "unschedule"
    """Cancels the table that the command with this id scheduled."""
    ENTER = "enter"
    WITHDRAW_ENTRY = "withdraw_entry"
    START_EARLY = "start_early"
    """Asks whether to start a tournament before its time."""
    CALL_OFF = "call_off"
    """Asks whether to cancel a tournament."""
    CALL_OFF_NOW = "call_off_now"

    OPEN = "open"
    """Opens a table of the game, for chips or for points, in the channel it is in; a table that is named is
    closed first, with `YES` whatever that ends.
    """
    PLAY_NOW = "play_now"
    """Seats the member at a table of the game, in the channel it is in, as `/play` does."""
    HOUSE_RULES = "house_rules"
    """Shows the rules of the game: to change for those who manage the server, to read for others."""

    TURN = "turn_page"
    """Shows a page about the game, by the rules of the table if one is named."""
    LEARN = "learn"
    """Shows the first example of a lesson about the game that is played in the channel it is in."""
    TEACH = "teach"
    """Shows an example of a lesson, before its questions."""
    NEXT = "next"
    """Asks a lesson's question; after the last one, shows the result."""
    ANSWER = "answer"
    """Answers it."""

    @property
    def shape(self) -> Shape:
        """What kind of component carries it."""
        if self in _MENUS:
            return Shape.MENU
        return Shape.MODAL if self in _MODALS else Shape.BUTTON

    @property
    def subject(self) -> str:
        """What it is about: `table`, or the word its custom_id begins with."""
        return _FORMS[self][0].partition(":")[0] if self in _FORMS else "table"


_MENUS: Final = frozenset(
    {
        PressAction.BACK_MENU,
        PressAction.MORE,
        PressAction.PRESETS,
        PressAction.PICK,
        PressAction.TAKE_BACK,
        PressAction.UNBAN,
        PressAction.LEADERS_BY,
        PressAction.LEADERS_GAME,
        PressAction.ZONE,
        PressAction.LEDGER_OF,
        PressAction.LEDGER_IN,
        PressAction.LEADERS_SEASON,
    }
)
_MODALS: Final = frozenset(
    {
        PressAction.BANK_MODAL,
        PressAction.LIMITS_MODAL,
        PressAction.BET_MODAL,
        PressAction.BACK_MODAL,
        PressAction.VALUE,
        PressAction.LOSS_MODAL,
        PressAction.SCHEDULE_MODAL,
    }
)
_WITH_NUMBER: Final = frozenset(
    {PressAction.BET, PressAction.BET_MOST, PressAction.BACK, PressAction.ARRANGE}
)
_WITH_PLAYER: Final = frozenset(
    {PressAction.BACK, PressAction.OTHER_BACK, PressAction.BACK_MODAL, PressAction.UNBACK}
)
IN_MENU: Final = (
    PressAction.HAND,
    PressAction.JOIN,
    PressAction.BANK,
    PressAction.BANK_NEXT,
    PressAction.SIT_OUT,
    PressAction.WITHDRAW,
    PressAction.UNBACK_ANY,
    PressAction.SIDE_BETS,
    PressAction.SCHEDULED,
    PressAction.WALLET,
    PressAction.RULES,
    PressAction.LEARN,
    PressAction.CLOSE,
    PressAction.KEEP_OPEN,
    PressAction.LIMITS,
    PressAction.SQUEEZE,
    PressAction.DONT_SQUEEZE,
    PressAction.FIND_OX,
    PressAction.SHOW_OX,
    PressAction.FAIRNESS,
    PressAction.MESSAGES,
    PressAction.LEAVE_QUEUE,
    PressAction.GIVE_UP,
    PressAction.LEAVE,
)
"""The actions that a menu *More* may offer: that of a board, and that of a panel."""

_LONGEST_ID: Final = len(str(LARGEST_NUMBER))
_ID, _GAME = rf"\d{{1,{_LONGEST_ID}}}", "|".join(GAMES)
_HASH: Final = r"[0-9a-f]{64}"
"""Of a member, in hexadecimal."""
BREAK_DAYS: Final = ("1", "7", "30")
"""How long a break may be, in days."""
AUDIT_WEEKS: Final = ("1", "4", "13")
"""Of how many weeks an audit may be."""
OWN_PAGE: Final = "own"
"""Stands for the page of a leaderboard with the member's own place."""
_PERIOD = rf"{'|'.join(Period)}|{SEASON}\d{{1,6}}"
_LEADERS = rf":({'|'.join(Measure)}):({_PERIOD}):({EVERY}|{_GAME}):(\d{{1,6}}|{OWN_PAGE})"
YES: Final = "yes"
"""Stands for the answer to a question whether it is meant."""
IN_FILE: Final = "csv"
"""Stands for the whole of a ledger, in a file."""
SERVER_PAGE: Final = About.SERVER.value
HISTORY_PAGE: Final = "history"
"""The pages of `/house` that are of no game."""
MENUS: Final = "menus"
"""Stands for menus of knobs that are alone in their message."""
_HOUSE_PAGE = rf"{_GAME}|{SERVER_PAGE}|{HISTORY_PAGE}|(?:{_GAME})\.(?:{'|'.join(About)})"
_PARTS = rf"{'|'.join(LedgerPart)}|{_GAME}"
_QUESTION = rf"({_ID}):({_GAME}):(\d{{1,2}})"
_FORMS: Final[Mapping[PressAction, tuple[str, str]]] = {
    PressAction.CONFIRM: ("house:confirm", f":({_ID})(?::({_HOUSE_PAGE}))?"),
    PressAction.EXACT: ("house:exact", f":({_ID})(?::({_HOUSE_PAGE}))?"),
    PressAction.CANCEL: ("house:cancel", f"(?::({_ID})(?::({_HOUSE_PAGE}))?)?"),
    PressAction.SHOW: ("house:show", f":({_GAME}|{SERVER_PAGE})"),
    PressAction.PRESETS: ("house:presets", f":({_GAME})"),
    PressAction.PICK: ("house:pick", rf":({_GAME}):({'|'.join(About)}):(\d{{1,2}})(?::({MENUS}))?"),
    PressAction.VALUE: ("house:value", f":({_GAME}):({'|'.join(KNOBS)})(?::({MENUS}))?"),
    PressAction.TAKE_BACK: ("house:take_back", ""),
    PressAction.UNBAN: ("house:unban", ""),
    PressAction.UNBAN_NOW: ("house:unban_now", f":({_HASH})"),
    PressAction.BANS: ("house:bans", ""),
    PressAction.START_SEASON: ("house:start_season", rf":({_ID}):(.{{1,30}})"),
    PressAction.END_SEASON: ("house:end_season", r":(\d{1,6})"),
    PressAction.AUDIT: ("house:audit", rf":({'|'.join(AuditPage)}):({'|'.join(AUDIT_WEEKS)}):(\d{{1,3}})"),
    PressAction.CARRY_OUT: ("house:carry_out", f":({_ID})"),
    PressAction.GIVE: ("gift:give", f":({_ID})"),
    PressAction.ERASE: ("privacy:erase", f"(?::({_ID}))?"),
    PressAction.KEEP: ("privacy:keep", ""),
    PressAction.LEADERS: ("leaders:show", _LEADERS),
    PressAction.LEADERS_WHEN: ("leaders:when", _LEADERS),
    PressAction.LEADERS_BY: ("leaders:by", _LEADERS),
    PressAction.LEADERS_GAME: ("leaders:game", _LEADERS),
    PressAction.LEADERS_SEASON: ("leaders:season", _LEADERS),
    PressAction.LEADERS_HIDE: ("leaders:hide", ":(on|off)"),
    PressAction.PROFILE: ("profile", f":({_ID}):({EVERY}|{_GAME})"),
    PressAction.ACHIEVEMENTS: ("achievements", f":({_ID})"),
    PressAction.WALLET: ("wallet", ""),
    PressAction.LEDGER: ("ledger:show", rf":({_ID}):({_PARTS}):(older|newer):({_ID}):({_ID})"),
    PressAction.LEDGER_OF: ("ledger:of", f":({_ID})"),
    PressAction.LEDGER_IN: ("ledger:in", f":({_PARTS}|{IN_FILE})"),
    PressAction.LEDGER_FILE: ("ledger:csv", f":({_ID})(?::({_PARTS}))?"),
    PressAction.REMIND: ("remind:daily", f":({_ID})"),
    PressAction.TELL: ("remind:table", ""),
    PressAction.REMIND_OFF: ("remind:off", f":(daily|table):({_ID})"),
    PressAction.TAKE_DAILY: ("remind:take", f":({_ID})"),
    PressAction.SCHEDULED: ("schedule:list", ""),
    PressAction.SCHEDULE: ("schedule:ask", ""),
    PressAction.SCHEDULE_MODAL: ("schedule:set", ""),
    PressAction.ZONE: (
        "schedule:zone",
        rf":({_ID}):((?:[01]\d|2[0-3])[0-5]\d):(\d{{8}}|any):(once|weekly):({_GAME}):({'|'.join(OPENED)})",
    ),
    PressAction.UNSCHEDULE: ("schedule:cancel", f":({_ID})"),
    PressAction.ENTER: ("tournament:enter", f":({_ID})"),
    PressAction.WITHDRAW_ENTRY: ("tournament:leave", f":({_ID})"),
    PressAction.START_EARLY: ("tournament:start", f":({_ID})"),
    PressAction.CALL_OFF: ("tournament:cancel", f":({_ID})"),
    PressAction.CALL_OFF_NOW: ("tournament:cancel_now", rf":({_ID}):(\d{{1,2}}):(\d{{1,2}})"),
    PressAction.ASK_BREAK: ("break:ask", ""),
    PressAction.BREAK: ("break", f":({'|'.join(BREAK_DAYS)})"),
    PressAction.BREAK_NOW: ("break:now", f":({'|'.join(BREAK_DAYS)})"),
    PressAction.NO_BREAK: ("break:not", ""),
    PressAction.LOSS: ("loss:ask", ""),
    PressAction.LOSS_MODAL: ("loss:set", ""),
    PressAction.OPEN: (
        "channel:open",
        rf":({_GAME}):({'|'.join(OPENED)})(?::([1-9]\d{{0,18}})(?::({YES}))?)?",
    ),
    PressAction.PLAY_NOW: ("channel:play", f":({_GAME})"),
    PressAction.HOUSE_RULES: ("channel:house_rules", f":({_GAME}):({'|'.join(Play)})"),
    PressAction.TURN: ("guide", f":({'|'.join(GuidePage)}):({_GAME})(?::([1-9]\\d{{0,18}}))?"),
    PressAction.LEARN: ("learn:here", ""),
    PressAction.TEACH: ("learn:teach", rf":{_QUESTION}:([1-9])"),
    PressAction.NEXT: ("learn:next", rf":{_QUESTION}:(\d):(\d)"),
    PressAction.ANSWER: (
        "learn:answer",
        rf":{_QUESTION}:(\d):(\d):(\d{{1,3}}(?:-\d{{1,3}}){{4}}):(t(?:\d{{3}})?|r\d{{1,3}})",
    ),
}
"""How the custom_ids begin that are about no table, and the pattern of their arguments."""
_PICKED: Final[Mapping[PressAction, re.Pattern[str]]] = {
    action: re.compile(pattern, re.ASCII)
    for action, pattern in {
        PressAction.MORE: "|".join(IN_MENU),
        PressAction.BACK_MENU: _ID,
        PressAction.PICK: "|".join(KNOBS),
        PressAction.TAKE_BACK: _ID,
        PressAction.UNBAN: _HASH,
        PressAction.LEDGER_OF: _PARTS,
        PressAction.LEDGER_IN: _ID,
        PressAction.LEADERS_BY: "|".join(Measure),
        PressAction.LEADERS_GAME: f"{EVERY}|{_GAME}",
        PressAction.LEADERS_SEASON: _PERIOD,
    }.items()
}
"""What can be picked in a menu. Of other menus, the handler knows."""
_TABLE: Final = re.compile(
    rf"gnau:(?P<table_id>[1-9]\d{{0,18}}):(?P<round_number>\d{{1,9}}):(?P<action>[a-z_]+)"
    rf"(?::(?P<number>{_ID}))?(?:@(?P<backed>{_ID}))?",
    re.ASCII,
)
_OF_TABLES: Final = {action.value: action for action in PressAction if action not in _FORMS}
_OTHERS: Final = {
    action: re.compile(begins + arguments, re.ASCII) for action, (begins, arguments) in _FORMS.items()
}


def menus_page(game: GameName, about: About) -> str:
    """The page of `/house` that has only the menus for one group of a game's knobs."""
    return f"{game}.{about}"


def parse_menus_page(page: str) -> tuple[GameName, About] | None:
    """The game and the group of a page that has only menus; None for any other page."""
    game, _, about = page.partition(".")
    return (game, About(about)) if about else None


@dataclass(frozen=True, slots=True)
class Press:
    """A component, or what a member did with it.

    Attributes:
        round_number: the round the component was made for; `ANY_ROUND` if that does not matter.
        number: a number that goes with it, such as chips.
        arguments: what else goes with it, as the action says.
        presser: who pressed it; `NOBODY` until the router knows.
        values: what was picked in a menu.
        fields: what was entered in a modal, by the custom_id of each input.
    """

    action: PressAction
    table_id: int = NO_TABLE
    round_number: int = ANY_ROUND
    number: int | None = None
    backed: int | None = None
    arguments: tuple[str, ...] = ()
    presser: int = NOBODY
    values: tuple[str, ...] = ()
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _NO_FIELDS, hash=False)

    @property
    def custom_id(self) -> str:
        """The press as a component carries it."""
        if self.action in _FORMS:
            return ":".join((_FORMS[self.action][0], *self.arguments))
        number = "" if self.number is None else f":{self.number}"
        backed = "" if self.backed is None else f"@{self.backed}"
        return f"gnau:{self.table_id}:{self.round_number}:{self.action}{number}{backed}"

    @property
    def meant_round(self) -> int | None:
        """The round that is meant; None if that does not matter."""
        return self.round_number or None


def parse_custom_id(custom_id: str) -> Press | None:
    """The press that a custom_id carries, without values and fields; None if this version knows no such."""
    if match := _TABLE.fullmatch(custom_id):
        return _table_press(match)
    for action, pattern in _OTHERS.items():
        if match := pattern.fullmatch(custom_id):
            arguments = tuple(one for one in match.groups() if one is not None)
            return Press(action, arguments=arguments) if all(map(_is_stored, arguments)) else None
    return None


def can_be_picked(action: PressAction, value: str) -> bool:
    """Whether a menu of this version may have such a value."""
    pattern = _PICKED.get(action)
    return pattern is None or (pattern.fullmatch(value) is not None and _is_stored(value))


def _is_stored(argument: str) -> bool:
    """Whether the ledger has room for a number, if it is one as long as an id."""
    return len(argument) < _LONGEST_ID or not argument.isdecimal() or int(argument) <= LARGEST_NUMBER


def _table_press(match: re.Match[str]) -> Press | None:
    action = _OF_TABLES.get(match["action"])
    if action is None:
        return None
    table_id, round_number = int(match["table_id"]), int(match["round_number"])
    number = None if match["number"] is None else int(match["number"])
    backed = None if match["backed"] is None else int(match["backed"])
    if max(table_id, number or 0, backed or 0) > LARGEST_NUMBER:
        return None
    incomplete = (action in _WITH_NUMBER and number is None) or (action in _WITH_PLAYER and backed is None)
    return None if incomplete else Press(action, table_id, round_number, number, backed)
