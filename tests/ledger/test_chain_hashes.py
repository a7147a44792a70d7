"""The hash of each kind of link, compared with values from `(head -c 32 …; printf …) | sha256sum`."""

from itertools import product

from bot.ledger.chain import GENESIS, event_hasher, house_hasher, transfer_hasher

PREVIOUS = b"a" * 32


def test_the_first_transfer_of_a_server() -> None:
    digest = transfer_hasher(1, None, 1790000000.25, "k")(
        GENESIS, 1, "mint", "wallet:7", 1000, "opening_chips", None
    )
    assert digest.hex() == "3f389f198a62a847d821d917ae527dc9f7a21f4b302f5532835fd027c4d126c3"


def test_an_event_outside_of_any_round() -> None:
    digest = event_hasher(1, 77, 5.0, "click")(PREVIOUS, 3, 1, None, "table_opened", '{"opener":"牛"}')
    assert digest.hex() == "6277b6d82718a285698ce6c19aeb0ff3013d17b4def3df1f63a996589353f4d4"


def test_the_length_of_an_events_key_counts_characters() -> None:
    digest = event_hasher(1, 77, 0.1, "牛牛")(PREVIOUS, 3, 2, 4, "bet_placed", "{}")
    assert digest.hex() == "a99bb69bf537be3eb47ed722a0de223b5bcd7cc18426ed2787fb4a7a352d1216"


def test_no_two_links_have_the_same_text_wherever_their_lines_break() -> None:
    texts = ["".join(parts) for length in range(4) for parts in product("\n:1", repeat=length)]
    of_events = {
        event_hasher(1, 77, 5.0, key)(PREVIOUS, 3, 1, None, "kind", body)
        for key, body in product(texts, texts)
    }
    assert len(of_events) == len(texts) ** 2
    short = [text for text in texts if len(text) < 3]
    of_houses = {
        house_hasher(1, 5.0, key)(PREVIOUS, 3, 1, 7, what, house)
        for key, what, house in product(short, short, short)
    }
    assert len(of_houses) == len(short) ** 3
