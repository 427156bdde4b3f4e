"""Words of polls, read from `words.toml`, as patterns."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final

from ..word_lists import one_of


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))


def listed(name: str) -> tuple[str, ...]:
    """The words of a table, named `section.table`."""
    section, table = name.split(".")
    return tuple(str(_tables()[section][table]).split())


def any_of(*names: str) -> str:
    """A pattern for any word of these tables, the longest first."""
    return one_of(word for name in names for word in listed(name))


HEADS: Final = f"(?:{any_of('make.asks_heads')})"
"""Pattern of words that ask how many people, or which: 几个人吃饭."""
DOER: Final = f"(?:{any_of('make.asks_doer')})(?:{any_of('make.may')}){{0,3}}"
"""Pattern of words that ask who does something: 谁要."""
MANY: Final = f"(?:几|多少)(?:{any_of('meta.units')})"
"""Pattern of words that ask how many pieces: 几份, 多少箱."""
NUMBER: Final = "[0-9]{1,3}|[零一二两三四五六七八九十]{1,3}"
"""Pattern of a small whole number."""
