"""A slash command as Discord's client lets a user type it: the commands on offer and the values that fit."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from bot.practice.component_input import ResolvedData
from bot.practice.replies import NotPossibleError
from bot.practice.servers import Channel, Permission, User
from bot.practice.validation.commands import CHAT_INPUT, INNER, OF_A_MEMBER, OptionKind
from bot.practice.world import World

Json = dict[str, Any]

_EXPECTED = {
    OptionKind.STRING: "text",
    OptionKind.INTEGER: "a whole number",
    OptionKind.USER: "a person",
}


@dataclass(frozen=True, slots=True)
class AvailableCommand:
    """A command that can be typed: as it is registered, then its group and subcommand, if it has some."""

    path: tuple[Json, ...]

    @property
    def name(self) -> str:
        """The full name, such as `table open`."""
        return " ".join(part["name"] for part in self.path)

    def shown(self, locale: str) -> str:
        """The full name in the language of a client."""
        return " ".join(_in_language(part, "name", locale) for part in self.path)

    @property
    def leaf(self) -> Json:
        """The command or subcommand that has the options."""
        return self.path[-1]

    @property
    def options(self) -> list[Json]:
        """The raw options, in order."""
        return list(self.leaf.get("options") or ())

    def localized(self, locale: str) -> Json:
        """The command for a client with this language.

        Returns:
            `name`, the full name that is sent; `shown`, the name in their language; `description`; and the
            raw `options`, each with `shown` and with its texts in their language.
        """
        return {
            "name": self.name,
            "shown": self.shown(locale),
            "description": _in_language(self.leaf, "description", locale),
            "options": [_localized_option(option, locale) for option in self.options],
        }


def _localized_option(option: Json, locale: str) -> Json:
    localized = option | {
        "shown": _in_language(option, "name", locale),
        "description": _in_language(option, "description", locale),
    }
    if choices := option.get("choices"):
        localized["choices"] = [choice | {"name": _in_language(choice, "name", locale)} for choice in choices]
    return localized


def _in_language(raw: Json, key: str, locale: str) -> str:
    """A text of a command or option in this language, or as it was registered."""
    text: str = (raw.get(f"{key}_localizations") or {}).get(locale) or raw[key]
    return text


def available_commands(world: World, user: User, channel: Channel) -> list[AvailableCommand]:
    """The commands this user may use in this channel, sorted by name."""
    if Permission.USE_APPLICATION_COMMANDS not in channel.permissions_of(user):
        return []
    if channel.server is not None and channel.server.member(world.bot) is None:
        return []
    found: dict[str, AvailableCommand] = {}
    # A server's own command replaces the global one of the same name.
    for root in sorted(world.commands.values(), key=lambda raw: "guild_id" in raw):
        if root["type"] == CHAT_INPUT and _offered_in(root, channel) and _allowed(root, user, channel):
            found |= {command.name: command for command in _leaves((root,))}
    return [found[name] for name in sorted(found)]


def find_command(world: World, user: User, channel: Channel, name: str) -> AvailableCommand:
    """The available command with this full name.

    Raises:
        NotPossibleError: if there is none, or this user may not use it in this channel.
    """
    for command in available_commands(world, user, channel):
        if command.name == name:
            return command
    raise NotPossibleError(why_no_command(world, user, channel, name))


def member_command_data(world: World, channel: Channel, name: str, member: User) -> Json:
    """The `data` of the interaction that a command in a member's menu sends."""
    root = next(one for one in world.commands.values() if (one["type"], one["name"]) == (OF_A_MEMBER, name))
    resolved = ResolvedData(channel)
    target_id = resolved.add(member)
    about = {"id": root["id"], "name": name, "type": OF_A_MEMBER, "target_id": target_id}
    return about | {"resolved": resolved.data}


def why_no_command(world: World, user: User, channel: Channel, typed: str) -> str:
    """Why this user can't send what they typed as a command in this channel, in one sentence.

    `typed` is the line without its `/`; it may go on with options.
    """
    words = typed.lower().split()
    group = words[0] if words else ""
    here = [
        name
        for command in available_commands(world, user, channel)
        for name in sorted({command.name, command.shown(user.locale)})
    ]
    if inside := [name.removeprefix(f"{group} ") for name in here if name.startswith(f"{group} ")]:
        return f"/{' '.join(words[:2])} is not a command; /{group} has: {', '.join(inside)}."
    if group in {root["name"] for root in world.commands.values()}:
        where = "direct messages" if channel.is_dm else f"#{channel.name}"
        return f"{user.display_name} may not use /{group} in {where}."
    close = get_close_matches(group, sorted({name.split()[0] for name in here}), n=1, cutoff=0.75)
    return f"There is no command /{group}. {f'Is it /{close[0]}?' if close else 'Type / to see them all.'}"


def command_data(
    channel: Channel, command: AvailableCommand, given: Mapping[str, object], focused: str | None = None
) -> Json:
    """The `data` of the interaction that a typed command sends, checked as Discord's client checks it.

    The option `focused` is still being typed; it may be unfinished, and others may be missing.

    Raises:
        NotPossibleError: for an unknown option, a missing required one, or a value that does not fit.
    """
    options = {option["name"]: option for option in command.options}
    if unknown := sorted(set(given) - set(options)):
        raise NotPossibleError(f"/{command.name} has no option {', '.join(unknown)}")
    missing = [name for name, option in options.items() if option.get("required") and name not in given]
    if missing and focused is None:
        raise NotPossibleError(f"/{command.name} needs the option {', '.join(missing)}")
    resolved = ResolvedData(channel)
    values = []
    for name, option in options.items():
        if name not in given or (given[name] is None and name != focused):
            continue
        filled = {"name": name, "type": option["type"]}
        if name == focused:
            if not option.get("autocomplete"):
                raise NotPossibleError(f"/{command.name} suggests nothing for {name}")
            values.append(filled | {"value": given[name], "focused": True})
        else:
            values.append(filled | {"value": _checked(name, option, given[name], resolved)})
    root, *inner = command.path
    for part in reversed(inner):
        values = [{"name": part["name"], "type": part["type"], "options": values}]
    data: Json = {"id": root["id"], "name": root["name"], "type": root["type"], "options": values}
    if resolved.data:
        data["resolved"] = resolved.data
    if "guild_id" in root:
        data["guild_id"] = root["guild_id"]
    return data


def _checked(name: str, option: Json, value: object, resolved: ResolvedData) -> object:
    """The value as it is sent; a user becomes an id."""
    kind = OptionKind(option["type"])
    if option.get("choices"):
        return _chosen(name, option, value)
    if kind is OptionKind.USER and isinstance(value, User):
        return resolved.add(value)
    if kind is OptionKind.STRING and isinstance(value, str):
        least, most = option.get("min_length") or 0, option.get("max_length") or 6000
        if not least <= len(value) <= most:
            raise NotPossibleError(f"{name} must have {least} to {most} characters")
        return value
    if kind is OptionKind.INTEGER and isinstance(value, int) and not isinstance(value, bool):
        lowest, highest = option.get("min_value"), option.get("max_value")
        if lowest is not None and value < lowest:
            raise NotPossibleError(f"{name} must be at least {lowest}")
        if highest is not None and value > highest:
            raise NotPossibleError(f"{name} must be at most {highest}")
        return value
    raise NotPossibleError(f"{name} must be {_EXPECTED[kind]}, not {value!r}")


def _chosen(name: str, option: Json, value: object) -> object:
    """The value of a listed choice, given by its value or its name."""
    for choice in option["choices"]:
        if value in (choice["value"], choice["name"]):
            return choice["value"]
    listed = ", ".join(str(choice["name"]) for choice in option["choices"])
    raise NotPossibleError(f"{name} must be one of {listed}, not {value!r}")


def _leaves(path: tuple[Json, ...]) -> list[AvailableCommand]:
    """Every way to type a command: the command itself, or each subcommand."""
    inner = [option for option in path[-1].get("options") or () if option["type"] in INNER]
    return [leaf for one in inner for leaf in _leaves((*path, one))] or [AvailableCommand(path)]


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
    # Discord's rule: 0 means admins only.
    wanted = Permission(int(needed)) or Permission.ADMINISTRATOR
    return wanted in held
