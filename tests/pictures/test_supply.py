from hypothesis import example, given
from hypothesis import strategies as st

from bot.pictures.png import TABLE
from bot.pictures.supply import PARTS, WeekOfChips, supply_picture

from .strategies import decoded

_chips = st.one_of(st.just(0), st.integers(-10, 10), st.integers(-(10**12), 10**12))
_weeks = st.lists(
    st.builds(WeekOfChips, st.integers(0, 10**12), st.tuples(*[_chips] * len(PARTS))), min_size=1, max_size=53
)


@given(_weeks)
@example([WeekOfChips(9_300, (9_000, 100, 200, -1))])
def test_weeks_are_drawn_also_where_hardly_a_chip_moved(weeks: list[WeekOfChips]) -> None:
    image = decoded(supply_picture(weeks, f"{weeks[-1].owned:,}")).convert("RGB")
    assert image.getpixel((0, 0)) == TABLE
    assert image.width == 900
