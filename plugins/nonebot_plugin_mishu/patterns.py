"""Regular expressions that are compiled at first use.

The plugin has some fifteen hundred patterns. Compiling all of them takes more processor time than the start
of a bare NoneBot, and a group that keeps no accounts never needs half of them. A `Pattern` holds its source
and compiles it when the first of its methods is looked up; `warm` compiles the ones that are left, in a
thread, after the bot is ready. Any module may import this one.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakSet

_MADE: Final[WeakSet[Pattern]] = WeakSet()
_METHODS: Final = frozenset({"match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split"})
_FACTS: Final = frozenset({"groupindex", "groups"})


class Pattern:
    """A regular expression over text: what `re.compile` gives, made at first use.

    Parameters: the source and flags, as `re.compile` takes them. `re.error` of a malformed source is raised
    at first use; a test compiles every pattern there is. Equal to itself only.

    A method that was looked up once stands in the instance, as the compiled pattern's own: the second call
    costs what a compiled pattern's does.
    """

    def __init__(self, pattern: str, flags: int | re.RegexFlag = 0) -> None:
        self.pattern: Final = pattern
        self.flags: Final = int(flags)
        self.compiled: re.Pattern[str] | None = None
        """What was compiled; None before the first use."""
        _MADE.add(self)

    def compile(self) -> re.Pattern[str]:
        """The compiled pattern. Two threads that come at once compile it twice, to the same end."""
        if self.compiled is None:
            self.compiled = re.compile(self.pattern, self.flags)
        return self.compiled

    def __repr__(self) -> str:
        return f"Pattern({self.pattern!r}, {self.flags})" if self.flags else f"Pattern({self.pattern!r})"

    if TYPE_CHECKING:
        groups: int
        groupindex: dict[str, int]

        def match(self, string: str, pos: int = 0, endpos: int = sys.maxsize) -> re.Match[str] | None: ...
        def fullmatch(self, string: str, pos: int = 0, endpos: int = sys.maxsize) -> re.Match[str] | None: ...
        def search(self, string: str, pos: int = 0, endpos: int = sys.maxsize) -> re.Match[str] | None: ...
        def finditer(
            self, string: str, pos: int = 0, endpos: int = sys.maxsize
        ) -> Iterator[re.Match[str]]: ...
        def findall(self, string: str, pos: int = 0, endpos: int = sys.maxsize) -> list[Any]: ...
        def sub(self, repl: str | Callable[[re.Match[str]], str], string: str, count: int = 0) -> str: ...
        def subn(
            self, repl: str | Callable[[re.Match[str]], str], string: str, count: int = 0
        ) -> tuple[str, int]: ...
        def split(self, string: str, maxsplit: int = 0) -> list[str | Any]: ...

    else:

        def __getattr__(self, name: str) -> Any:
            """Attribute of the compiled pattern, cached after the first lookup."""
            if name not in _METHODS and name not in _FACTS:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            found = self.__dict__[name] = getattr(self.compile(), name)
            return found


class RowPattern(Pattern):
    """The pattern of a table's row, which an index tries only where a line has what it needs: of the two
    thousand such rows a day tries a few hundred, and the others are never compiled."""


TextTest = Callable[[str], bool]
"""A yes or no about a text."""


def begins(pattern: str) -> TextTest:
    """Test of texts that begin with a pattern."""
    compiled = Pattern(pattern)
    return lambda text: compiled.match(text) is not None


def holds(pattern: str) -> TextTest:
    """Test of texts that have a pattern somewhere."""
    compiled = Pattern(pattern)
    return lambda text: compiled.search(text) is not None


def is_whole(pattern: str) -> TextTest:
    """Test of texts that are a pattern and nothing else."""
    compiled = Pattern(pattern)
    return lambda text: compiled.fullmatch(text) is not None


def made() -> list[Pattern]:
    """Every pattern there is now."""
    return list(_MADE)


def warm() -> Iterator[None]:
    """Compile what is not compiled yet, a pattern a step; rows of tables are left."""
    for pattern in made():
        if pattern.compiled is None and not isinstance(pattern, RowPattern):
            pattern.compile()
            yield
