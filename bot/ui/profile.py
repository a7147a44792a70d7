"""`/profile`: what a member's rounds brought them, as a picture and, below it, as text."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Final

from bot.clock import DAY_SECONDS
from bot.games.lesson import example_hands
from bot.games.register import GAMES
from bot.ledger.records import Purse
from bot.pictures.pictured_hand import PicturedHand
from bot.pictures.profile import ClassOfHand, ProfilePicture, profile_picture
from bot.rules.knobs import GameName
from bot.rules.pieces import HandRank
from bot.table.achievements import Achievement, Reached
from bot.table.standings import AS_BANKER, BY_DAY, EVERY, Standing, Tally
from bot.ui.components import Layout, button, picture, row, text
from bot.ui.pictures import rendered
from bot.ui.press.custom_ids import Press, PressAction
from bot.wire.requests import Attachment
from bot.words.hands import rank_name
from bot.words.members import luck_words
from bot.words.translation import listed, number, plain_name, signed, signed_points, translate, translated

PICTURE: Final = "profile.png"


@dataclass(frozen=True)
class Profile:
    """What a member's rounds brought them.

    Attributes:
        user_id: whose it is.
        name: how they are called; clean, but not escaped.
        standing: all their rounds together.
        today: in days since 1970, in UTC.
        game: whose hands are shown; `EVERY` for the one with the most.
        is_counted: whether all rounds are counted.
        is_hidden: whether nobody else sees it.
        reached: their achievements, the oldest first.
    """

    user_id: int
    name: str
    standing: Standing
    tallies: Sequence[Tally]
    purse: Purse
    today: int
    game: GameName = EVERY
    is_counted: bool = True
    is_hidden: bool = False
    reached: Sequence[Reached] = ()

    @cached_property
    def days(self) -> list[Tally]:
        """What each day brought them on which they played, in order."""
        return sorted((one for one in self.tallies if one.part == BY_DAY), key=lambda one: one.item)

    @property
    def bank(self) -> Tally | None:
        """What they did as banker; None if they never were."""
        return next((one for one in self.tallies if one.part == AS_BANKER), None)

    @cached_property
    def best_day(self) -> Tally | None:
        """The day on which they gained most; None without a gain."""
        best = max(self.days, key=lambda one: one.net)
        return best if best.net > 0 else None

    @cached_property
    def days_in_a_row(self) -> tuple[int, int]:
        """How many days in a row they have played up to now, or yesterday; and how many at most."""
        run, most, before = 0, 0, None
        for one in self.days:
            run = run + 1 if before == one.item - 1 else 1
            most, before = max(most, run), one.item
        return (run if before is not None and before >= self.today - 1 else 0), most

    @cached_property
    def games(self) -> dict[GameName, int]:
        """In how many rounds of each game they had a hand, the most first."""
        played = {name: sum(one.rounds for one in self._hands_in(name)) for name in GAMES}
        return {name: played[name] for name in sorted(played, key=lambda one: -played[one]) if played[name]}

    @property
    def shown_game(self) -> GameName | None:
        """The game whose hands are shown; None if they never had a hand."""
        return self.game if self.game in self.games else next(iter(self.games), None)

    @property
    def hands(self) -> list[Tally]:
        """The results with each class of hand in that game, the strongest first."""
        game = self.shown_game
        return [] if game is None else sorted(self._hands_in(game), key=lambda one: -one.item)

    def _hands_in(self, game: GameName) -> Iterable[Tally]:
        return (one for one in self.tallies if one.part == game)


def class_name(game: GameName, hand_class: int) -> str:
    """The name of a class of hands: `Five Dukes`, `Double-Ox K–A`, `Ox of 10 – Ox of 1`."""
    declared = GAMES[game]
    of_class = [one for one in declared.ranking(declared.rules()) if one.hand_class == hand_class]
    if len(of_class) == 1:
        return translated(of_class[0].title)
    values = [value for one in of_class for value in one.values]
    ends = (HandRank(of_class[0].hand_class, value) for value in (max(values), min(values)))
    return " – ".join(rank_name(rank, game) for rank in ends)


def profile_words(profile: Profile) -> str:
    """Everything that the picture shows, and some more."""
    standing, purse = profile.standing, profile.purse
    lines = [f"## 📊 {plain_name(profile.name)}"]
    if profile.hands:
        lines.append(f"-# {translate('profile.picture')}")
    net = standing.net or 0
    lines.append(translate("profile.chips", owned=purse.total, net=net))
    won = sum(one.won for one in profile.days)
    lines.append(translate("profile.rounds", count=standing.rounds, won=won))
    if standing.biggest is not None:
        lines.append(translate("profile.biggest", chips=standing.biggest))
    if (bank := profile.bank) is not None:
        lines.append(translate("profile.bank", count=bank.rounds, won=bank.won, net=bank.net))
    if (best := profile.best_day) is not None:
        at = best.item * DAY_SECONDS + DAY_SECONDS // 2
        lines.append(translate("profile.day", net=best.net, at=at))
    now, most = profile.days_in_a_row
    lines.append(translate("profile.days", now=now, most=most))
    if standing.deviations is not None:
        lines.append(f"{translate('choice.luck')} · {luck_words(standing.deviations)}")
    if standing.points is not None:
        lines.append(translate("wallet.points", points=signed_points(standing.points)))
    if profile.reached:
        names = listed([translate(f"achievement.{one.achievement}") for one in profile.reached])
        lines.append(f"🏅 {number(len(profile.reached))}/{number(len(Achievement))} · {names}")
    if (game := profile.shown_game) is not None:
        lines.append(f"**{translate(f'game.{game}')}**")
        lines += [
            translate(
                "profile.hand",
                hand=class_name(game, one.item),
                won=one.won,
                count=one.rounds,
                net=one.net,
            )
            for one in profile.hands
        ]
    if profile.is_hidden:
        lines.append(f"-# {translate('profile.hidden')}")
    if not profile.is_counted:
        lines.append(f"-# {translate('leaderboard.counting')}")
    return "\n".join(lines)


async def profile_view(profile: Profile) -> tuple[Layout, list[Attachment]]:
    """The picture, the text, and a button for each other game that they have played."""
    files = []
    parts: Layout = []
    if profile.hands:
        alt = translate("profile.alt", who=profile.name)
        files.append(Attachment(PICTURE, await rendered(profile_picture, _pictured(profile)), alt))
        parts.append(picture(PICTURE, alt))
    parts.append(text(profile_words(profile)))
    others = [game for game in profile.games if game != profile.shown_game]
    if others:
        parts.append(
            row(*(button(profile_press(profile.user_id, game), translate(f"game.{game}")) for game in others))
        )
    return parts, files


def profile_press(user_id: int = 0, game: GameName = EVERY) -> Press:
    """What shows a member's profile with their hands in a game; without a member, that of who presses."""
    return Press(PressAction.PROFILE, arguments=(str(user_id), game))


def _pictured(profile: Profile) -> ProfilePicture:
    game = profile.shown_game
    assert game is not None
    examples = {int(hand.hand_class): hand for hand in reversed(example_hands(GAMES[game].rules()))}
    bank, best = profile.bank, profile.best_day
    return ProfilePicture(
        line=(0, *accumulate(one.net for one in profile.days)),
        net=_figure(profile.standing.net or 0),
        marks=(
            "" if bank is None else f"{number(bank.rounds)}  {_figure(bank.net)}",
            "" if best is None else _figure(best.net),
            number(profile.days_in_a_row[1]),
        ),
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


def _figure(amount: int) -> str:
    """A gain or a loss; 0 without a sign."""
    return signed(amount) if amount else "0"
