"""The hash of a transfer, compared with values from `printf … | sha256sum`."""

from bot.ledger.transfers import GENESIS, transfer_hash


def test_the_first_transfer_of_a_server() -> None:
    digest = transfer_hash(
        GENESIS, 1, 1, "mint", "wallet:7", 1000, "opening_chips", None, None, 1790000000.25, "k"
    )
    assert digest == "e9bc6b682b90f0dce0b634bfa4d09b99baeef92b9070a02ee73c10e7b52337d9"


def test_a_later_transfer_at_a_table() -> None:
    digest = transfer_hash("a" * 64, 1, 2, "hold:77:7", "wallet:8", 50, "banker_won", 77, 12, 5.0, "click")
    assert digest == "48d353605cc291347af1881c15dca3d1d8cead9c7f6e0fa47c83f40eaae8ae36"
