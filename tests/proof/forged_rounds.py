"""Forged records, each with codes that fit its content."""

import json
from contextlib import suppress
from copy import deepcopy
from typing import Any

from bot.rules.shuffle import Use, seal_of
from bot.table.round_proof import NOTHING_NOTED, Mismatch, Noted, first_mismatch
from bot.table.round_record import receipt_in


def proof(told: Any, noted: Noted = NOTHING_NOTED) -> Mismatch | None:
    """The first mismatch in a record, as JSON values."""
    return first_mismatch(json.dumps(told), noted)


def with_new_codes(told: dict[str, Any]) -> dict[str, Any]:
    """The record with the seals and the receipt that fit its content."""
    remade = deepcopy(told)
    _seal_again(remade)
    with suppress(KeyError, TypeError):
        _seal_again(remade["sheet"]["dice"])
    with suppress(ValueError):
        remade["receipt"] = receipt_in(remade)
    return remade


def _seal_again(opened: dict[str, Any]) -> None:
    """Makes the seal that fits a secret, if there is one."""
    with suppress(KeyError, TypeError, ValueError):
        sheet = opened["sheet"]
        opened["seal"] = seal_of(opened["secret"], Use(sheet["purpose"]), int(sheet["table"]), sheet["round"])


def forged(told: dict[str, Any]) -> Mismatch | None:
    """The first mismatch in a changed record, with new codes."""
    return proof(with_new_codes(told))
