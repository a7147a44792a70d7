"""What the client sends for a filled-in form, select or text input, and what it does not let through."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.practice.component_tree import SELECTS, Kind, select_of
from bot.practice.places import Channel, Role, User
from bot.practice.replies import Modal, NotPossibleError
from bot.practice.resolved import Named, Resolved
from bot.practice.selects import DEFAULT_KINDS

Json = dict[str, Any]

_NAMES = {"user": User, "role": Role, "channel": Channel}


def filled_form(modal: Modal, values: Mapping[str, object]) -> Json:
    """What goes to the bot when a form is submitted.

    Args:
        modal: the form.
        values: by the custom_id of the input or by its label; what is not named keeps what stands there.

    Raises:
        NotPossibleError: an input that there is not, or a value that it does not take.
    """
    left = dict(values)
    resolved = Resolved(modal.channel)
    components = [_submitted(part, left, resolved) for part in modal.components]
    if left:
        raise NotPossibleError(f"the form has no input {', '.join(sorted(left))}")
    data: Json = {"custom_id": modal.custom_id, "components": components}
    # Whom a form names is described once, beside its components.
    return data | {"resolved": resolved.data} if resolved.data else data


def _submitted(part: Json, left: dict[str, object], resolved: Resolved) -> Json:
    """One component of a form as it is sent; what is used is taken from `left`."""
    sent: Json = {"type": part["type"], "id": part["id"]}
    if part["type"] == Kind.ACTION_ROW:
        return sent | {"components": [_submitted(child, left, resolved) for child in part["components"]]}
    if part["type"] == Kind.LABEL:
        inner = part["component"] | {"label": part["label"]}
        return sent | {"component": _submitted(inner, left, resolved)}
    if part["type"] not in (Kind.TEXT_INPUT, *SELECTS):
        return sent
    given = left.pop(part["custom_id"], left.pop(part.get("label") or "", None))
    values = given if given is None or isinstance(given, tuple | list) else (given,)
    return sent | filled_in(part, values, resolved, may_be_empty=part.get("required") is False)


def filled_in(
    part: Json, values: Sequence[object] | None, resolved: Resolved, *, may_be_empty: bool = False
) -> Json:
    """The value of one input, as it goes to the bot.

    Args:
        part: the raw select or text input.
        values: what was picked, or the one text that was typed; None leaves what stands there.
        resolved: gathers whom and what is named.
        may_be_empty: whether nothing at all will do, whatever the least number of values.

    Raises:
        NotPossibleError: where the input does not take that.
    """
    if part["type"] == Kind.TEXT_INPUT:
        return _typed(part, values or ())
    select = select_of(part)
    if select.disabled:
        raise NotPossibleError(f"the select {select.custom_id!r} is greyed")
    if select.kind is Kind.STRING_SELECT:
        default = [option.value for option in select.options if option.default]
        picked = default if values is None else [_option(part, value) for value in values]
    else:
        named = _preset(part, resolved) if values is None else [_named(part, it, resolved) for it in values]
        picked = [resolved.name(it) for it in named]
    least = 0 if may_be_empty and not picked else select.min_values
    if len(picked) != len(set(picked)) or not least <= len(picked) <= select.max_values:
        raise NotPossibleError(
            f"the select {select.custom_id!r} takes {select.min_values} to {select.max_values} values"
        )
    return {"custom_id": select.custom_id, "id": part["id"], "values": picked}


def _typed(part: Json, values: Sequence[object]) -> Json:
    text = str(values[0]) if values else part.get("value") or ""
    name = part.get("label") or part["custom_id"]
    least, most = part.get("min_length") or 0, part.get("max_length") or 4000
    if not text and part.get("required", True):
        raise NotPossibleError(f"{name!r} must be filled in")
    if text and not least <= len(text) <= most:
        raise NotPossibleError(f"{name!r} must have {least} to {most} characters")
    return {"custom_id": part["custom_id"], "id": part["id"], "value": text}


def _option(part: Json, value: object) -> str:
    for option in part["options"]:
        if value in (option["value"], option["label"]):
            return str(option["value"])
    listed = ", ".join(option["label"] for option in part["options"])
    raise NotPossibleError(f"{value!r} is not to be picked; there are: {listed}")


def _preset(part: Json, resolved: Resolved) -> list[Named]:
    """What a select has picked beforehand and is still there."""
    found = (resolved.find(int(it["id"]), (it["type"],)) for it in part.get("default_values") or ())
    return [it for it in found if it is not None]


def _named(part: Json, value: object, resolved: Resolved) -> Named:
    """The user, role or channel that a select is given, itself or by its id."""
    kind = Kind(part["type"])
    offered = DEFAULT_KINDS[kind]
    named = value
    if isinstance(named, str) and named.isdecimal():
        named = resolved.find(int(named), offered)
    fits = any(isinstance(named, _NAMES[name]) for name in offered)
    types = part.get("channel_types")
    if isinstance(named, Channel) and types:
        fits = fits and named.kind in types
    if fits and isinstance(named, Named):
        return named
    raise NotPossibleError(f"a select of the kind {kind.name} does not take {value!r}")
