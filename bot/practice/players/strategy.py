"""Which moves a practice player would make, given a board and what it remembers, and how fast."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Final

from bot.practice.players.board_reader import Action, Board

MOST_REFUSALS: Final = 3
"""How often a button may refuse a player before they stop pressing it."""

BETS: Final = (Action.BET, Action.SIT_OUT)
"""Who does one of these in a round does not do the other."""


Occasion = tuple[str, int, str, str]
"""A table, its round, the action, and the move's variant."""


class Habit(Enum):
    """What kind of player it is."""

    PLAYS = auto()
    """Sits down, bets, and rolls dice for the bank."""
    BANKS = auto()
    """The same, and takes a free bank."""
    WATCHES = auto()
    """Does not sit down, but sometimes backs players."""


@dataclass(frozen=True, slots=True)
class Temperament:
    """How somebody is, which shows in what they bet, how long they take and what they say.

    Attributes:
        name: whose lines they say, beside everybody's.
        bets: which of the smallest amounts they bet, from 0, round after round.
        slowness: how long they take, as a multiple of their pace.
    """

    name: str
    bets: tuple[int, ...]
    slowness: float


TEMPERAMENTS: Final = (
    # Always the same three amounts, one after another.
    Temperament("superstitious", (0, 1, 2), 1.0),
    Temperament("careful", (0, 0, 1), 1.2),
    Temperament("boastful", (2, 1, 2), 0.7),
)
"""They bet modestly, so that the bank can cover the others too."""


def temperament_of(at: int) -> Temperament:
    """The temperament of one of a channel's players, by their place among these."""
    return TEMPERAMENTS[at % len(TEMPERAMENTS)]


@dataclass(frozen=True, slots=True)
class Move:
    """A move that a player would make now.

    Attributes:
        action: what the button or menu does.
        custom_id: the button or menu, or the menu that opens the panel with it.
        delay: how long the player waits first, in seconds.
        variant: a different variant of the move starts its delay again.
    """

    board: Board
    action: str
    custom_id: str
    delay: float
    variant: str = ""

    @property
    def occasion(self) -> Occasion:
        """What identifies the move, even when the board is edited."""
        return self.board.table, self.board.round, self.action, self.variant


@dataclass(slots=True)
class TableMemory:
    """What a player remembers of a table.

    Attributes:
        joined: whether they asked for a seat.
        done: their actions, by round.
        refused: for each button how often it refused them, and the board's content then.
    """

    joined: bool = False
    done: set[tuple[int, str]] = field(default_factory=set)
    refused: dict[str, tuple[int, str]] = field(default_factory=dict)

    def note_done(self, move: Move) -> None:
        """Records a move."""
        self.done.add((move.board.round, Action.BET if move.action in BETS else move.action))

    def note_refused(self, move: Move) -> None:
        """Records a refusal."""
        times, _ = self.refused.get(move.custom_id, (0, ""))
        self.refused[move.custom_id] = times + 1, move.board.content

    def is_refused(self, move: Move) -> bool:
        """Whether the button refused them on the same board, or too often."""
        times, content = self.refused.get(move.custom_id, (0, ""))
        return times >= MOST_REFUSALS or content == move.board.content


@dataclass(frozen=True, slots=True)
class Pace:
    """Delays in seconds from when a move becomes possible, and chances of optional moves from 0 to 1.

    The defaults are a person's pace: a few seconds for each move, and less where no human has to decide.

    Attributes:
        join: before taking a seat.
        bank: before taking a free bank; long enough for a human to take it.
        roll: before rolling the dice for the bank; long enough for a human to sit down.
        bet: before betting.
        bet_before_humans: before betting while a human at the table has not, as a bet starts the countdown;
            also in the first round if only practice players sit there.
        at_first: how many times as long everything takes until a table's first bet; newcomers read then.
        time_to_back: before betting if only practice players sit there, and a human may back one.
        hurry: what is left of `bet`, `deal`, `look`, `arrange` and `reveal` once no human decides, banks or
            backs.
        back: before backing a player, as a spectator.
        deal: before dealing, as the banker.
        deals_early: whether a banker deals although somebody at the table has not bet; if not, the
            countdown deals. It also does if only practice players sit there, and a human may back one.
        arrange: before arranging the hand.
        look: before looking at a hand that no message has brought; long enough for a message.
        reveal: before revealing the hand.
        give_up_bank: before giving up a bank that nobody bets against.
        give_up_bank_on_humans: the same while a human at the table has not bet.
        spread: how much each delay varies at random, as a share of it.
        chance_to_back: how often a spectator backs somebody.
        chance_of_own_three: how often a player picks three pieces; otherwise the bot arranges the hand.
    """

    join: float = 2.0
    bank: float = 20.0
    roll: float = 10.0
    bet: float = 3.0
    bet_before_humans: float = 25.0
    at_first: float = 2.0
    time_to_back: float = 12.0
    hurry: float = 0.4
    back: float = 3.0
    deal: float = 2.0
    deals_early: bool = False
    arrange: float = 4.0
    look: float = 4.0
    reveal: float = 4.0
    give_up_bank: float = 60.0
    give_up_bank_on_humans: float = 180.0
    spread: float = 0.5
    chance_to_back: float = 0.5
    chance_of_own_three: float = 0.4


FAST: Final = Pace(
    join=0.7,
    bank=3,
    roll=5,
    bet=3,
    bet_before_humans=6,
    at_first=1,
    time_to_back=8,
    back=0.5,
    deal=10,
    deals_early=True,
    hurry=1,
    arrange=0.8,
    look=1,
    reveal=1,
    give_up_bank_on_humans=60,
    spread=0.3,
)
"""For humans who know the game: the banker deals after ten seconds."""

AT_ONCE: Final = replace(
    FAST,
    join=0,
    bank=0,
    roll=0,
    bet=0,
    bet_before_humans=0,
    time_to_back=0,
    back=0,
    deal=1,
    arrange=0,
    look=0.5,
    reveal=0,
    give_up_bank=2,
    give_up_bank_on_humans=2,
    spread=0,
    chance_to_back=1,
)
"""For tests and rounds without humans. The banker still gives the others time to bet."""


class Strategy:
    """Chooses moves for one player.

    It waits for humans, who are not among `practice_players` (their ids); None means it waits for nobody.
    """

    def __init__(
        self, player_id: int, habit: Habit, pace: Pace, practice_players: Collection[int] | None
    ) -> None:
        self._player_id = player_id
        self._habit = habit
        self._pace = pace
        self._practice_players = practice_players

    def moves(
        self, board: Board, memory: TableMemory, bet_button: str, hand: Board | None = None
    ) -> Iterator[Move]:
        """Every move they would make at a table now, given what they remember of it.

        `bet_button` is the one they would bet with; empty if there is none. `hand` is the message with their
        hand of this round, if they have got one.
        """
        if self._habit is Habit.WATCHES:
            if (board.round, Action.SIDE_BETS) not in memory.done:
                yield from self._press(board, Action.SIDE_BETS, self._pace.back)
        elif not memory.joined:
            yield from self._press(board, Action.JOIN, self._pace.join)
        else:
            yield from self._seated(board, memory, hand)
            if board.banker == self._player_id:
                yield from self._banking(board, memory)
            elif bet_button and (board.round, Action.BET) not in memory.done:
                yield from self._betting(board, memory, bet_button)

    def _seated(self, board: Board, memory: TableMemory, hand: Board | None) -> Iterator[Move]:
        """What bankers and players both do: get the bank, look at the hand and arrange it, reveal it."""
        yield from self._press(board, Action.ROLL, self._pace.roll)
        if self._habit is Habit.BANKS and Action.BANK in board.buttons:
            yield from self._press(board, Action.BANK, self._pace.bank)
        may_arrange = hand is None or Action.ARRANGE in hand.buttons
        can_look = Action.REVEAL in board.buttons and Action.HAND in board.buttons
        done = {action for number, action in memory.done if number == board.round}
        if may_arrange and can_look and not {Action.ARRANGE, Action.REVEAL} & done:
            paced = self._paced(board, *((self._pace.arrange, "") if hand else (self._pace.look, "looks")))
            yield Move(board, Action.ARRANGE, board.buttons[Action.HAND][0], *paced)
        elif Action.REVEAL not in done:
            yield from self._press(board, Action.REVEAL, *self._paced(board, self._pace.reveal))

    def _banking(self, board: Board, memory: TableMemory) -> Iterator[Move]:
        """What only the banker's own panel offers."""
        panel = board.menu_choices.get(Action.HAND)
        if Action.BET not in board.buttons or panel is None:
            return
        heir = board.next_banker
        if heir is not None and self._is_human(heir) and (board.round, Action.GIVE_UP) not in memory.done:
            # The human who has asked for the bank gets it after this round.
            yield Move(board, Action.GIVE_UP, panel, self._pace.bet, "to a human")
        if not board.counts_down:
            on_humans = self._humans_decide(board)
            delay = self._pace.give_up_bank_on_humans if on_humans else self._pace.give_up_bank
            yield Move(board, Action.GIVE_UP, panel, delay, "on humans" if on_humans else "")
        elif (
            (board.round, Action.DEAL) not in memory.done
            and (self._pace.deals_early or not board.undecided)
            # Else the last call deals: the page for side bets says how long a human has.
            and not self._may_be_backed(board)
        ):
            yield Move(board, Action.DEAL, panel, *self._paced(board, self._pace.deal))

    def _is_human(self, member: int) -> bool:
        return self._practice_players is not None and member not in self._practice_players

    def _humans_decide(self, board: Board) -> bool:
        return any(map(self._is_human, board.undecided))

    def _paced(self, board: Board, delay: float, variant: str = "") -> tuple[float, str]:
        """The delay and variant of a move: less, and another one, where no human decides, banks or backs.

        A human who banks reads what the last round brought, and one who backs sees a hand after the other.
        """
        banker = set() if board.banker is None else {board.banker}
        if self._humans_decide(board) or any(map(self._is_human, banker | board.backers)):
            return delay, variant
        return delay * self._pace.hurry, f"{variant} at once"

    def _betting(self, board: Board, memory: TableMemory, bet_button: str) -> Iterator[Move]:
        smallest = board.buttons[Action.BET][0]
        if not any(chip in memory.refused for chip in board.buttons[Action.BET]):
            delay, waits = self._before_betting(board)
            yield Move(board, Action.BET, bet_button, delay, waits)
        elif smallest not in memory.refused:
            yield Move(board, Action.BET, smallest, self._pace.bet)
        else:
            yield from self._press(board, Action.SIT_OUT, self._pace.bet)

    def _before_betting(self, board: Board) -> tuple[float, str]:
        """How long they wait before a bet, and for what humans get that time; empty if for nothing."""
        pace = self._pace
        if board.is_for_points:
            # There is no amount to think about, and humans wait to see who is in.
            return pace.bet, ""
        if self._humans_decide(board):
            return pace.bet_before_humans, "to bet"
        if self._may_be_backed(board):
            return pace.time_to_back, "to back"
        if self._are_alone(board) and board.round == 1:
            return pace.bet_before_humans, "to sit down"
        return self._paced(board, pace.bet)

    def _are_alone(self, board: Board) -> bool:
        """Whether only practice players sit there, so that humans only look on."""
        return self._practice_players is not None and board.mentioned <= set(self._practice_players)

    def _may_be_backed(self, board: Board) -> bool:
        return self._are_alone(board) and Action.SIDE_BETS in board.buttons

    def _press(self, board: Board, action: str, delay: float, variant: str = "") -> Iterator[Move]:
        if action in board.buttons:
            yield Move(board, action, board.buttons[action][0], delay, variant)
        elif action in board.menu_choices:
            yield Move(board, action, board.menu_choices[action], delay, variant)
