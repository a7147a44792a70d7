"""What Discord's client sends for a submitted modal or a used select menu, after checking the values."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.practice.component_tree import SELECTS, Kind, select_of
from bot.practice.payloads import channel_json, member_json, user_json
from bot.practice.replies import Modal, NotPossibleError
from bot.practice.servers import Channel, Permission, User

Json = dict[str, Any]


class ResolvedData:
    """The `resolved` part of an interaction: the users, members and channels that its data names."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self.data: dict[str, dict[str, Json]] = {}

    def add(self, it: User | Channel) -> str:
        """Describes a user, also as a member of the channel's server, or a channel; returns the id."""
        if isinstance(it, Channel):
            permissions = str(int(Permission.EVERYTHING))
            self._put("channels", it.id, channel_json(it) | {"permissions": permissions})
            return str(it.id)
        self._put("users", it.id, user_json(it))
        server = self._channel.server
        if server is not None and (member := server.member(it)) is not None:
            permissions = str(int(self._channel.permissions_of(it)))
            described = member_json(member, with_user=False) | {"permissions": permissions}
            self._put("members", it.id, described)
        return str(it.id)

    def channel(self, number: str) -> Channel | None:
        """The channel of this server with this id, or None."""
        server = self._channel.server
        return server.channels.get(int(number)) if server is not None and number.isdecimal() else None

    def _put(self, kind: str, number: int, described: Json) -> None:
        self.data.setdefault(kind, {})[str(number)] = described


def modal_data(modal: Modal, values: Mapping[str, object]) -> Json:
    """The `data` of the interaction that submits a modal.

    `values` are by custom_id or label of the input. Inputs that are not named keep their value.

    Raises:
        NotPossibleError: for an unknown input, or a value that does not fit.
    """
    left = dict(values)
    resolved = ResolvedData(modal.channel)
    components = [_submitted(part, left, resolved) for part in modal.components]
    if left:
        raise NotPossibleError(f"the modal has no input {', '.join(sorted(left))}")
    data: Json = {"custom_id": modal.custom_id, "components": components}
    # A modal describes everything that it names once, next to its components.
    return data | {"resolved": resolved.data} if resolved.data else data


def _submitted(part: Json, left: dict[str, object], resolved: ResolvedData) -> Json:
    """One component of a modal as it is sent; removes the values it uses from `left`."""
    sent: Json = {"type": part["type"], "id": part["id"]}
    if part["type"] == Kind.LABEL:
        inner = part["component"] | {"label": part["label"]}
        return sent | {"component": _submitted(inner, left, resolved)}
    if part["type"] not in (Kind.TEXT_INPUT, *SELECTS):
        return sent
    given = left.pop(part["custom_id"], left.pop(part.get("label") or "", None))
    values = given if given is None or isinstance(given, tuple | list) else (given,)
    return sent | input_data(part, values, resolved, may_be_empty=part.get("required") is False)


def input_data(
    part: Json, values: Sequence[object] | None, resolved: ResolvedData, *, may_be_empty: bool = False
) -> Json:
    """The value of a raw select or text input as it is sent to the bot.

    Args:
        part: the input.
        values: the picked values, or the one typed text; None keeps the current value.
        resolved: collects the channels that are named.
        may_be_empty: whether no value at all is fine, whatever `min_values` says.

    Raises:
        NotPossibleError: if the values do not fit.
    """
    if part["type"] == Kind.TEXT_INPUT:
        return _typed(part, values or ())
    select = select_of(part)
    if select.disabled:
        raise NotPossibleError(f"the select {select.custom_id!r} is disabled")
    if select.kind is Kind.STRING_SELECT:
        default = [option.value for option in select.options if option.default]
        picked = default if values is None else [_option(part, value) for value in values]
    else:
        named = _preset(part, resolved) if values is None else [_named(part, it, resolved) for it in values]
        picked = [resolved.add(it) for it in named]
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
    raise NotPossibleError(f"there is no option {value!r}; there are: {listed}")


def _preset(part: Json, resolved: ResolvedData) -> list[Channel]:
    """The default channels of a select that still exist."""
    found = (resolved.channel(it["id"]) for it in part.get("default_values") or ())
    return [it for it in found if it is not None]


def _named(part: Json, value: object, resolved: ResolvedData) -> Channel:
    """The channel that a value stands for, itself or by id."""
    named = resolved.channel(value) if isinstance(value, str) else value
    kinds = part.get("channel_types")
    if isinstance(named, Channel) and (not kinds or named.kind in kinds):
        return named
    raise NotPossibleError(f"a menu of channels does not take {value!r}")
