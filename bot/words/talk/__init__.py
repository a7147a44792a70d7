"""What practice players say at the table: a file for each language, with lines by temperament and topic."""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path


def table_talk() -> dict[str, Mapping[str, Mapping[str, Sequence[str]]]]:
    """The lines by language, by whose they are (anybody's, or a temperament's), and by topic."""
    files = sorted(Path(__file__).parent.glob("*.toml"))
    return {file.stem: tomllib.loads(file.read_text(encoding="utf-8")) for file in files}
