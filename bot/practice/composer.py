"""What Discord's client does while a person types a command: which there are, for whom, and what fits in."""

from dataclasses import dataclass
from typing import Any

from bot.practice.commands import CHAT_INPUT, OptionKind
from bot.practice.permissions import Permission
from bot.practice.places import Channel, Role, User
from bot.practice.replies import NotPossibleError
from bot.practice.resolved import Named, Resolved
from bot.practice.world import World

Json = dict[str, Any]

_WORDS = {
    OptionKind.STRING: "a text",
    OptionKind.INTEGER: "a whole number",
    OptionKind.NUMBER: "a number",
    OptionKind.BOOLEAN: "true or false",
    OptionKind.USER: "a person",
    OptionKind.ROLE: "a role",
    OptionKind.MENTIONABLE: "a person or a role",
    OptionKind.CHANNEL: "a channel",
}


@dataclass(frozen=True, slots=True)
class Typed:
    """A command as it can be typed: its full name, and the raw registration of it and of its last part.

    Attributes:
        name: such as `table open`.
        root: the registered command.
        leaf: the command or subcommand that has the options.
    """

    name: str
    root: Json
    leaf: Json

    @property
    def options(self) -> list[Json]:
        """The raw options, in order."""
        return list(self.leaf.get("options") or ())


def commands_for(world: World, user: User, channel: Channel) -> list[Typed]:
    """The commands this user may type in this channel, by name."""
    if Permission.USE_APPLICATION_COMMANDS not in channel.permissions_of(user):
        return []
    if channel.server is not None and channel.server.member(world.bot) is None:
        return []
    found: dict[str, Typed] = {}
    # A server's own command stands before the global one of the same name.
    for root in sorted(world.commands.values(), key=lambda raw: "guild_id" in raw):
        if root["type"] == CHAT_INPUT and _offered_in(root, channel) and _allowed(root, user, channel):
            found |= {typed.name: typed for typed in _leaves(root)}
    return [found[name] for name in sorted(found)]


def command_named(world: World, user: User, channel: Channel, name: str) -> Typed:
    """The command of this full name.

    Raises:
        NotPossibleError: where there is none, or none that this user may use there.
    """
    for typed in commands_for(world, user, channel):
        if typed.name == name:
            return typed
    everywhere = {typed.name for root in world.commands.values() for typed in _leaves(root)}
    if name in everywhere:
        raise NotPossibleError(f"{user.display_name} may not use /{name} in {channel.name}")
    raise NotPossibleError(
        f"there is no command /{name}; there are: {', '.join(sorted(everywhere)) or 'none'}"
    )


class Filled:
    """A command with its options filled in, checked as the client checks them.

    Attributes:
        data: the `data` of the interaction.
    """

    def __init__(
        self,
        channel: Channel,
        typed: Typed,
        given: dict[str, object],
        focused: str | None = None,
    ) -> None:
        """Checks.

        Args:
            channel: in which channel it is typed.
            typed: the command.
            given: values by the names of the options.
            focused: the option that is being typed, which may be unfinished as others may be missing.

        Raises:
            NotPossibleError: an option that there is not, a required one that is missing, a value that
                does not fit.
        """
        self._resolved = Resolved(channel)
        options = {option["name"]: option for option in typed.options}
        if unknown := sorted(set(given) - set(options)):
            raise NotPossibleError(f"/{typed.name} has no option {', '.join(unknown)}")
        missing = [name for name, option in options.items() if option.get("required") and name not in given]
        if missing and focused is None:
            raise NotPossibleError(f"/{typed.name} needs the option {', '.join(missing)}")
        values = []
        for name, option in options.items():
            if name not in given or (given[name] is None and name != focused):
                continue
            filled = {"name": name, "type": option["type"]}
            if name == focused:
                if not option.get("autocomplete"):
                    raise NotPossibleError(f"/{typed.name} suggests nothing for {name}")
                values.append(filled | {"value": given[name], "focused": True})
            else:
                values.append(filled | {"value": self._value(name, option, given[name])})
        self.data = self._data(typed, values)

    def _data(self, typed: Typed, values: list[Json]) -> Json:
        root = typed.root
        # Around the options stand the subcommand and its group, innermost first.
        path = typed.name.split()[1:]
        kinds = [OptionKind.SUBCOMMAND, OptionKind.GROUP]
        for kind, name in zip(kinds, reversed(path), strict=False):
            values = [{"name": name, "type": int(kind), "options": values}]
        data: Json = {"id": root["id"], "name": root["name"], "type": root["type"], "options": values}
        if self._resolved.data:
            data["resolved"] = self._resolved.data
        if "guild_id" in root:
            data["guild_id"] = root["guild_id"]
        return data

    def _value(self, name: str, option: Json, value: object) -> object:
        kind = OptionKind(option["type"])
        try:
            if option.get("choices"):
                return _chosen(name, option, value)
            match kind:
                case OptionKind.STRING:
                    return _text(name, option, value)
                case OptionKind.INTEGER | OptionKind.NUMBER:
                    return _number(name, option, value, kind)
                case OptionKind.BOOLEAN if isinstance(value, bool):
                    return value
                case OptionKind.USER:
                    return self._named(value, User)
                case OptionKind.ROLE:
                    return self._named(value, Role)
                case OptionKind.MENTIONABLE:
                    return self._named(value, User, Role)
                case OptionKind.CHANNEL if _fits_channel(option, value):
                    return self._named(value, Channel)
        except TypeError:
            pass
        raise NotPossibleError(f"{name} must be {_WORDS.get(kind, 'something else')}, not {value!r}")

    def _named(self, value: object, *kinds: type[Named]) -> str:
        if not isinstance(value, kinds):
            raise TypeError
        return self._resolved.name(value)


def _fits_channel(option: Json, value: object) -> bool:
    kinds = option.get("channel_types")
    return not kinds or getattr(value, "kind", None) in kinds


def _text(name: str, option: Json, value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    least, most = option.get("min_length") or 0, option.get("max_length") or 6000
    if not least <= len(value) <= most:
        raise NotPossibleError(f"{name} must have {least} to {most} characters")
    return value


def _number(name: str, option: Json, value: object, kind: OptionKind) -> int | float:
    fits = (int,) if kind is OptionKind.INTEGER else (int, float)
    if not isinstance(value, fits) or isinstance(value, bool):
        raise TypeError
    least, most = option.get("min_value"), option.get("max_value")
    if least is not None and value < least:
        raise NotPossibleError(f"{name} must be at least {least}")
    if most is not None and value > most:
        raise NotPossibleError(f"{name} must be at most {most}")
    assert isinstance(value, int | float)
    return value


def _chosen(name: str, option: Json, value: object) -> object:
    """The value of a listed choice, which may be given by its name as well."""
    for choice in option["choices"]:
        if value in (choice["value"], choice["name"]):
            return choice["value"]
    listed = ", ".join(str(choice["name"]) for choice in option["choices"])
    raise NotPossibleError(f"{name} must be one of {listed}, not {value!r}")


def _leaves(root: Json) -> list[Typed]:
    """Every way to type a command: itself, or its subcommands, and those of its groups."""
    nested = [o for o in root.get("options") or () if o["type"] in (OptionKind.SUBCOMMAND, OptionKind.GROUP)]
    if not nested:
        return [Typed(root["name"], root, root)]
    found = []
    for option in nested:
        inner = option.get("options") or () if option["type"] == OptionKind.GROUP else (None,)
        for leaf in inner:
            name = " ".join(part["name"] for part in (root, option, leaf) if part is not None)
            found.append(Typed(name, root, option if leaf is None else leaf))
    return found


def _offered_in(root: Json, channel: Channel) -> bool:
    if "guild_id" in root:
        return channel.server is not None and root["guild_id"] == str(channel.server.id)
    if root.get("contexts") is not None:
        return channel.context in root["contexts"]
    return not channel.is_dm or root.get("dm_permission", True)


def _allowed(root: Json, user: User, channel: Channel) -> bool:
    needed = root.get("default_member_permissions")
    if needed is None or channel.is_dm:
        return True
    held = channel.permissions_of(user)
    # Discord's own rule: 0 leaves a command to admins alone.
    wanted = Permission(int(needed)) or Permission.ADMINISTRATOR
    return wanted in held
