"""Provable shuffles at a table: the committed secret, the client seeds, and what follows from them.

A table commits to a new secret for each round, and to another for its hands once dice have picked its banker:
a secret is used once. `bot.rules.shuffle` has the algorithm, `round_record` what a shuffle is mixed with.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from bot.games.hands import shuffled_pack
from bot.rules.shuffle import roll, seeded_random, words_code
from bot.table.bank import dice_needed, rolling
from bot.table.commands import Command, Deal, RollForBank, SetClientSeed
from bot.table.dealing import hands_to_deal
from bot.table.events import (
    BankTaken,
    BetPlaced,
    ClientSeedSet,
    DiceRolled,
    Event,
    SeatTaken,
    SecretCommitted,
    SideBetPlaced,
)
from bot.table.evolve import Draft
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.round_record import deal_sheet, dice_sheet
from bot.table.state import THE_HOUSE, Phase, TableState, is_computer

LONGEST_CLIENT_SEED: Final = 100
"""The most characters of the words that a member chooses."""


@dataclass(frozen=True, slots=True)
class Entropy:
    """What comes with a command that nobody could know before.

    Attributes:
        secret: a new secret, in hexadecimal.
        client_seed: the id of the interaction, which the host cannot choose; None without one.
    """

    secret: str = field(repr=False)
    client_seed: str | None = None


def add_entropy(draft: Draft, entropy: Entropy) -> None:
    """Adds the client seed of a member who bets, sits down or takes the bank, and a secret if one is due."""
    before, after = draft.before, draft.state
    rolled = any(isinstance(event, DiceRolled) for event in draft.events)
    # Who gets the bank by dice need not be who asked for them.
    member = None if rolled else next(filter(None, map(_contributor, draft.events)), None)
    if member is not None and entropy.client_seed is not None:
        draft.add(ClientSeedSet(member, entropy.client_seed))
    due = after.round_to_deal, after.next_use
    is_new = before is None or (before.round_to_deal, before.next_use) != due
    if is_new and after.phase is not Phase.CLOSED:
        draft.add(SecretCommitted(entropy.secret))


def _contributor(event: Event) -> int | None:
    """The member who bet, sat down or took the bank; None for any other event.

    The house and computer players bring nothing: it could be chosen to get the hands that the house wants.
    """
    match event:
        case SeatTaken(party=party) | SideBetPlaced(party) | BetPlaced(party) | BankTaken(party):
            return None if party == THE_HOUSE or is_computer(party) else party
        case _:
            return None


def set_client_seed(draft: Draft, command: SetClientSeed) -> Refused | None:
    """Sets a member's own words as their client seed, in place of an interaction's id."""
    state = draft.state
    if state.phase is Phase.DEALT:
        return refuse(Refusal.ALREADY_DEALT)
    words = one_line(command.words)
    if not 1 <= len(words) <= LONGEST_CLIENT_SEED:
        return refuse(Refusal.CLIENT_SEED_LENGTH, longest=LONGEST_CLIENT_SEED)
    if not state.has(command.party) and not state.side_bets_of(command.party):
        return refuse(Refusal.NOT_PLAYING)
    draft.add(ClientSeedSet(command.party, words_code(command.salt, words), chosen=True))
    return None


def one_line(words: str) -> str:
    """A member's words as they count: in UTF-8, without line breaks and repeated blanks."""
    return " ".join(words.encode(errors="replace").decode().split())


SALT_DIGITS: Final = 32
"""The hexadecimal digits of a salt: 128 bits."""


def with_pieces_and_dice(
    state: TableState, command: Command, key: str, wallets: Mapping[int, int] = MappingProxyType({})
) -> Command:
    """The command with the pieces or dice that it needs; replaces any that it has.

    Args:
        key: the command's unique key, which a member who deals or rolls contributes as their client seed.
    """
    match command:
        case Deal(party) if state.bank is not None:
            below = seeded_random(state.secret, deal_sheet(state, party, key))
            pieces = shuffled_pack(hands_to_deal(state), state.rules, below)
            return replace(command, pieces=pieces, client_seed=key)
        case RollForBank(party):
            sheet = dice_sheet(state, party, key, rolling(state, command, wallets))
            dice = roll(dice_needed(state), seeded_random(state.secret, sheet))
            return replace(command, dice=dice, client_seed=key)
        case _:
            return command


def with_salt(command: Command, secret: Callable[[], str]) -> Command:
    """The command with random text that keeps chosen words from being guessed; replaces any that it has."""
    return replace(command, salt=secret()[:SALT_DIGITS]) if isinstance(command, SetClientSeed) else command
