"""Kinds are complete and unique, parts are found, and counts match all combinations."""

from collections import Counter
from itertools import combinations, combinations_with_replacement
from math import comb

import pytest

from bot.odds.combinatorics import kinds, parts, ways


@pytest.mark.parametrize(("faces", "size"), [(14, 5), (14, 2), (14, 1), (14, 0), (3, 5), (1, 4)])
def test_every_kind_is_listed_once(faces: int, size: int) -> None:
    listed = [tuple(row) for row in kinds(faces, size).tolist()]

    assert len(listed) == comb(faces + size - 1, size)
    assert set(listed) == set(combinations_with_replacement(range(faces), size))


@pytest.mark.parametrize("part", range(6))
def test_the_parts_of_a_kind_have_the_faces_at_the_chosen_places(part: int) -> None:
    whole, listed = kinds(6, 5), kinds(6, part)
    found = parts(6, 5, part)

    for choice, places in enumerate(combinations(range(5), part)):
        for kind, faces in enumerate(whole.tolist()):
            assert listed[found[choice, kind]].tolist() == [faces[place] for place in places]


@pytest.mark.parametrize(
    "copies", [(4, 4, 1), (3, 1, 2, 5), (8, 2), (1, 1, 1, 1, 1, 1), (0, 3, 3)], ids=lambda copies: str(copies)
)
@pytest.mark.parametrize("size", range(6))
def test_the_count_of_each_kind_matches_all_combinations(copies: tuple[int, ...], size: int) -> None:
    pieces = [face for face, times in enumerate(copies) for _ in range(times)]
    taken = Counter(tuple(sorted(some)) for some in combinations(pieces, size))

    counted = {
        tuple(kind): count
        for kind, count in zip(kinds(len(copies), size).tolist(), ways(copies, size).tolist(), strict=True)
        if count
    }

    assert counted == dict(taken)


def test_cached_arrays_are_read_only() -> None:
    for shared in (kinds(5, 2), parts(5, 3, 2)):
        with pytest.raises(ValueError, match="read-only"):
            shared[0, 0] = 1
