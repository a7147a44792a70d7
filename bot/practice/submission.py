"""What the client sends for a filled-in form, select or text input, and what it does not let through."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.practice.component_tree import SELECTS, Kind, select_of
from bot.practice.payloads import member_json, user_json
from bot.practice.places import Channel, User
from bot.practice.replies import Modal, NotPossibleError

Json = dict[str, Any]


def filled_form(modal: Modal, values: Mapping[str, object]) -> Json:
    """What goes to the bot when a form is submitted.

    Args:
        modal: the form.
        values: by the custom_id of the input or by its label; what is not named keeps what stands there.

    Raises:
        NotPossibleError: an input that there is not, or a value that it does not take.
    """
    left = dict(values)
    resolved: Json = {}
    components = [_submitted(part, modal.channel, left, resolved) for part in modal.components]
    if left:
        raise NotPossibleError(f"the form has no input {', '.join(sorted(left))}")
    data: Json = {"custom_id": modal.custom_id, "components": components}
    return data | {"resolved": resolved} if resolved else data


def _submitted(part: Json, channel: Channel, left: dict[str, object], resolved: Json) -> Json:
    """One component of a form as it is sent; what is used is taken from `left`."""
    sent: Json = {"type": part["type"], "id": part["id"]}
    if part["type"] == Kind.ACTION_ROW:
        children = [_submitted(child, channel, left, resolved) for child in part["components"]]
        return sent | {"components": children}
    if part["type"] == Kind.LABEL:
        inner = part["component"] | {"label": part["label"]}
        return sent | {"component": _submitted(inner, channel, left, resolved)}
    if part["type"] not in (Kind.TEXT_INPUT, *SELECTS):
        return sent
    given = left.pop(part["custom_id"], left.pop(part.get("label") or "", None))
    values = () if given is None else given if isinstance(given, tuple | list) else (given,)
    filled = filled_in(part, values, channel)
    # Whom a form names is described once, beside its components.
    for kind, described in filled.pop("resolved", {}).items():
        resolved.setdefault(kind, {}).update(described)
    return sent | filled


def filled_in(part: Json, values: Sequence[object], channel: Channel) -> Json:
    """The value of one input, as it goes to the bot.

    Args:
        part: the raw select or text input.
        values: what was picked, or the one text that was typed; none leaves what stands there.
        channel: where that is done, for what is told of the users that were picked.

    Raises:
        NotPossibleError: where the input does not take that.
    """
    if part["type"] == Kind.TEXT_INPUT:
        return _typed(part, values)
    select = select_of(part)
    if select.disabled:
        raise NotPossibleError(f"the select {select.custom_id!r} is greyed")
    sent: Json = {"custom_id": select.custom_id, "id": part["id"]}
    if select.kind is Kind.STRING_SELECT:
        picked = [_option(part, value) for value in values]
        if not values:
            picked = [option.value for option in select.options if option.default]
    else:
        users = [_user(value, select.kind) for value in values]
        picked = [str(user.id) for user in users]
        if users:
            sent["resolved"] = _resolved(users, channel)
    if not select.min_values <= len(picked) <= select.max_values:
        raise NotPossibleError(
            f"the select {select.custom_id!r} takes {select.min_values} to {select.max_values} values"
        )
    return sent | {"values": picked}


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


def _user(value: object, kind: Kind) -> User:
    user = getattr(value, "user", value)
    if not isinstance(user, User) or kind not in (Kind.USER_SELECT, Kind.MENTIONABLE_SELECT):
        raise NotPossibleError(f"a select of the kind {kind.name} does not take {value!r}")
    return user


def _resolved(users: Sequence[User], channel: Channel) -> Json:
    server = channel.server
    members = {} if server is None else {user: server.member(user) for user in users}
    return {
        "users": {str(user.id): user_json(user) for user in users},
        "members": {
            str(user.id): member_json(member, with_user=False)
            | {"permissions": str(int(channel.permissions_of(user)))}
            for user, member in members.items()
            if member is not None
        },
    }
