"""Commands as the reader types them. A link shows that of itself; this is for texts that can have none."""

from itertools import accumulate

from bot.words.translation import translate


def typed_command(name: str, **options: int) -> str:
    """A command by its names in the reader's language: `/round verify round:3`, `/runde prüfen runde:3`.

    Args:
        name: the command in English, as in the catalogue: `round.verify`.
        **options: the values of its options, which are named in English.

    Raises:
        KeyError: there is no such command or option.
    """
    named = (translate(f"name.{part}") for part in accumulate(name.split("."), "{}.{}".format))
    valued = (f"{translate(f'name.option.{option}')}:{value}" for option, value in options.items())
    return f"/{' '.join([*named, *valued])}"
