"""`/profile`: what a member's rounds brought them: chips and hands in a picture, the rest as text."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Final

from bot.clock import DAY_SECONDS
from bot.games.lesson import example_hands
from bot.games.register import GAMES
from bot.ledger.records import DaysPlayed, Entry, Purse
from bot.pictures.pictured_hand import PicturedHand
from bot.pictures.profile import ClassOfHand, ProfilePicture, profile_picture
from bot.rules.knobs import GameName
from bot.rules.pieces import HandRank
from bot.table.achievements import Achievement, Reached
from bot.table.standings import AS_BANKER, EVERY, Standing, Tally
from bot.ui.board.results import ACHIEVED_SIGN
from bot.ui.components import Layout, button, picture, rows, text
from bot.ui.pictures import rendered
from bot.ui.press.custom_ids import Press, PressAction
from bot.ui.press.next_steps import wallet_button
from bot.wire.requests import Attachment
from bot.words.hands import rank_name
from bot.words.members import luck_words
from bot.words.translation import listed, number, plain_name, signed, signed_points, translate, translated

PICTURE: Final = "profile.png"
NOT_YET_SIGN: Final = "▫️"
"""The sign of an achievement that a member does not have."""


@dataclass(frozen=True)
class Profile:
    """What a member's rounds brought them.

    Attributes:
        user_id: whose it is.
        name: how they are called; clean, but not escaped.
        standing: all their rounds together.
        results: of their rounds as banker, and with each class of hand.
        balances: the chips that they had, one time after another until now; at least two.
        game: whose hands are shown; `EVERY` for the one with the most.
        is_counted: whether all rounds are counted.
        is_hidden: whether nobody else sees it.
        reached: their achievements, the oldest first.
    """

    user_id: int
    name: str
    standing: Standing
    results: Sequence[Tally]
    days: DaysPlayed
    purse: Purse
    balances: Sequence[int]
    game: GameName = EVERY
    is_counted: bool = True
    is_hidden: bool = False
    reached: Sequence[Reached] = ()

    @property
    def bank(self) -> Tally | None:
        """What they did as banker; None if they never were."""
        return next((one for one in self.results if one.part == AS_BANKER), None)

    @property
    def side_bets(self) -> Tally | None:
        """What their side bets brought: all that their hands did not; None without any."""
        hands = [one for name in GAMES for one in self.hands_in(name)]
        rounds = self.standing.rounds - sum(one.rounds for one in hands)
        won = self.days.won - sum(one.won for one in hands)
        net = (self.standing.net or 0) - sum(one.net for one in hands)
        server_id, party = self.standing.server_id, self.standing.party
        # A round that is counted while a profile is read is in the hands, and not yet in the standing.
        return Tally(server_id, party, "", 0, rounds, won, net) if rounds > 0 else None

    @cached_property
    def games(self) -> dict[GameName, int]:
        """In how many rounds of each game they had a hand, the most first."""
        played = {name: sum(one.rounds for one in self.hands_in(name)) for name in GAMES}
        return {name: played[name] for name in sorted(played, key=lambda one: -played[one]) if played[name]}

    @property
    def shown_game(self) -> GameName | None:
        """The game whose hands are shown; None if they never had a hand."""
        return self.game if self.game in self.games else next(iter(self.games), None)

    @property
    def hands(self) -> list[Tally]:
        """The results with each class of hand in that game, the strongest first."""
        game = self.shown_game
        return [] if game is None else sorted(self.hands_in(game), key=lambda one: -one.item)

    def hands_in(self, game: GameName) -> Iterable[Tally]:
        """The results with each class of hand in a game."""
        return (one for one in self.results if one.part == game)


def chips_by_round(owned: int, entries: Sequence[Entry]) -> list[int]:
    """A member's chips before the first of these rounds, after each change since, and now; at least two.

    Args:
        owned: what they have now.
        entries: what changed it, the newest first.
    """
    first = max((place for place, one in enumerate(entries) if one.round_number is not None), default=-1)
    line = [owned]
    # A banker has an entry a player, all of one moment.
    for _, together in groupby(entries[: first + 1], key=lambda one: one.at):
        line.append(line[-1] - sum(one.chips for one in together))
    return line[::-1] if first >= 0 else [owned, owned]


def class_name(game: GameName, hand_class: int) -> str:
    """The name of a class of hands: `Five Dukes`, `Double-Ox K–A`, `Ox of 10 – Ox of 1`."""
    declared = GAMES[game]
    of_class = [one for one in declared.ranking(declared.rules()) if one.hand_class == hand_class]
    if len(of_class) == 1:
        return translated(of_class[0].title)
    values = [value for one in of_class for value in one.values]
    ends = (HandRank(of_class[0].hand_class, value) for value in (max(values), min(values)))
    return " – ".join(rank_name(rank, game) for rank in ends)


def title_words(profile: Profile) -> str:
    """Whose profile it is, and the chips at the end of the line in the picture."""
    chips = translate("profile.chips", owned=profile.purse.total, net=profile.standing.net or 0)
    return f"## 📊 {plain_name(profile.name)}\n{chips}"


def profile_words(profile: Profile) -> str:
    """What each hand in the picture is and brought, and what the picture does not show."""
    standing, days, lines = profile.standing, profile.days, list[str]()
    if profile.hands:
        lines += [f"-# {line}" for line in (translate("profile.picture"), *_by_hand(profile))]
    lines.append(translate("profile.rounds", count=standing.rounds, won=days.won))
    if (bank := profile.bank) is not None:
        lines.append(translate("profile.bank", count=bank.rounds, won=bank.won, net=bank.net))
    if standing.biggest is not None:
        lines.append(translate("profile.biggest", chips=standing.biggest))
    if days.best is not None:
        day, net = days.best
        lines.append(translate("profile.day", net=net, at=day * DAY_SECONDS + DAY_SECONDS // 2))
    lines.append(translate("profile.days", now=days.in_a_row, most=days.most_in_a_row))
    if standing.deviations is not None:
        lines.append(f"{translate('choice.luck')} · {luck_words(standing.deviations)}")
    if standing.points is not None:
        lines.append(translate("profile.points", points=signed_points(standing.points)))
    names = listed([translate(f"achievement.{one.achievement}") for one in profile.reached])
    lines.append(" · ".join(filter(None, (f"{ACHIEVED_SIGN} {_share(profile.reached)}", names))))
    lines += _brought(profile)
    if profile.is_hidden:
        lines.append(f"-# {translate('profile.hidden')}")
    if not profile.is_counted:
        lines.append(f"-# {translate('leaderboard.counting')}")
    return "\n".join(lines)


def picture_words(profile: Profile) -> str:
    """What the picture shows, for those who cannot see it."""
    line = profile.balances
    hands = " · ".join(_by_hand(profile))
    return translate(
        "profile.alt", who=profile.name, first=line[0], now=line[-1], most=max(line), hands=hands
    )


def _by_hand(profile: Profile) -> Iterator[str]:
    """What each class of hand brought, in the order of the picture."""
    return (_results(class_name(one.part, one.item), [one]) for one in profile.hands)


def _brought(profile: Profile) -> Iterator[str]:
    """What each game and side bets brought, together `Standing.net`; nothing if there is only one of them."""
    parts = [(translate(f"game.{game}"), [*profile.hands_in(game)]) for game in profile.games]
    if (side_bets := profile.side_bets) is not None:
        parts.append((translate("profile.side_bets"), [side_bets]))
    if len(parts) > 1 or not profile.games:
        yield from (_results(f"**{name}**", tallies) for name, tallies in parts)


def _results(name: str, tallies: Iterable[Tally]) -> str:
    """How often it was won, and the chips."""
    count, won, net = (
        sum(figures) for figures in zip(*((one.rounds, one.won, one.net) for one in tallies), strict=True)
    )
    return translate("profile.hand", hand=name, won=won, count=count, net=net)


def achievements_words(name: str, reached: Sequence[Reached]) -> str:
    """All achievements with what each is for, and which of them a member has.

    Args:
        name: how the member is called; clean, but not escaped.
        reached: what they have achieved.
    """
    theirs = {one.achievement for one in reached}
    lines = [
        f"{ACHIEVED_SIGN if one in theirs else NOT_YET_SIGN} **{translate(f'achievement.{one}')}** · "
        + translate(f"achievement.{one}.what")
        for one in Achievement
    ]
    return "\n".join([f"## {ACHIEVED_SIGN} {_share(reached)} · {plain_name(name)}", *lines])


async def profile_view(profile: Profile, *, is_private: bool) -> tuple[Layout, list[Attachment]]:
    """The picture between two texts, and buttons for each other game they have played and achievements.

    A private one, which may stand in place of the reader's chips, leads back to those.
    """
    files = []
    parts: Layout = [text(title_words(profile))]
    if profile.hands:
        alt = picture_words(profile)
        files.append(Attachment(PICTURE, await rendered(profile_picture, _pictured(profile)), alt))
        parts.append(picture(PICTURE, alt))
    parts.append(text(profile_words(profile)))
    others = [game for game in profile.games if game != profile.shown_game]
    buttons = [button(profile_press(profile.user_id, game), translate(f"game.{game}")) for game in others]
    press = Press(PressAction.ACHIEVEMENTS, arguments=(str(profile.user_id),))
    buttons.append(button(press, translate("button.achievements"), emoji=ACHIEVED_SIGN))
    parts += rows([*buttons, *([wallet_button()] if is_private else [])])
    return parts, files


def profile_press(user_id: int = 0, game: GameName = EVERY) -> Press:
    """What shows a member's profile with their hands in a game; without a member, that of who presses."""
    return Press(PressAction.PROFILE, arguments=(str(user_id), game))


def _pictured(profile: Profile) -> ProfilePicture:
    game = profile.shown_game
    assert game is not None
    examples = {int(hand.hand_class): hand for hand in reversed(example_hands(GAMES[game].rules()))}
    return ProfilePicture(
        line=profile.balances,
        hands=[
            ClassOfHand(
                PicturedHand.face_up(examples[one.item]),
                one.won / one.rounds,
                (f"{number(one.won)}/{number(one.rounds)}", _figure(one.net)),
                one.net,
            )
            for one in profile.hands
        ],
    )


def _share(reached: Sequence[Reached]) -> str:
    """How many of all achievements these are: `5/20`."""
    return f"{number(len(reached))}/{number(len(Achievement))}"


def _figure(amount: int) -> str:
    """A gain or a loss; 0 without a sign."""
    return signed(amount) if amount else "0"
