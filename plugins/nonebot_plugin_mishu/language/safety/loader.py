"""Reads the tables: words by class, frames, rows. Refuses what is malformed, naming file, row and fault.

In a pattern `{class}` stands for the words of a class, and `{clause 6}`, `{sentence 6}`, `{unnegated 6}`,
`{undenied 6}` for up to six characters in between; all else is a regular expression.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import permutations
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ...patterns import Pattern
from .normal_form import Reader, Spelling
from .replies import Replies
from .required_characters import needs_of
from .rulebook import Exemption, Grave, Hint, Reach, Rule, Rulebook

TABLES: Final = Path(__file__).parent / "tables"
HEARD: Final = (
    "selfharm",
    "selfharm_signs",
    "body",
    "danger",
    "body_signs",
    "harm",
    "crime",
    "orders",
)
"""Files of rows about what members say, in the order in which they answer."""
SPOKEN: Final = "spoken"
"""The file of rows about what the bot says."""
_GAPS: Final = {
    "clause": "[^,。!?;]",
    "undenied": "[^,。!?;不没]",
    "unnegated": "[^,。!?;不没别]",
    "sentence": "[^。!?;]",
}
"""Kinds of what may stand between two words, to one character of it."""
_NAMED: Final = Pattern(r"\{([a-z_]+)(?: (\d+))?\}")
_Model = TypeVar("_Model", bound=BaseModel)


class TableError(ValueError):
    """A safety table is malformed. The text names file, row and fault."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Class(_Strict):
    about: str = Field(min_length=1)
    words: list[str] = Field(min_length=1)


class _Frame(_Strict):
    reach: Reach
    words: list[str] = Field(min_length=1)


class _Frames(_Strict):
    groups: dict[str, list[str]] = {}
    frame: dict[str, _Frame]


class _Near(_Strict):
    within: int = Field(ge=0, le=20)
    of: list[str] = Field(min_length=2, max_length=4)


class _Rule(_Strict):
    name: str = Field(min_length=1)
    verdict: Grave
    category: str = Field(min_length=1)
    says: list[str] = []
    near: list[_Near] = []
    unless: list[str] = []


class _Hint(_Rule):
    weight: Literal[1, 2, 3] = 1


class _Rows(_Strict):
    rule: list[_Rule] = []
    hint: list[_Hint] = []


class _Spelling(_Strict):
    of: str = Field(min_length=1)
    says: list[str] = Field(min_length=1)


class _Pulled(_Strict):
    words: list[str]


class _Reading(_Strict):
    plain: dict[str, str]
    pulled: _Pulled
    spelling: list[_Spelling]


class _Idioms(_Strict):
    idioms: list[str]


class _Other(_Strict):
    emergency: str
    block: str
    offers_help: list[str] = Field(min_length=1)


class _Replies(_Strict):
    numbers: dict[str, str]
    emergency: dict[str, str]
    other: _Other


class Tables:
    """All tables, read and checked."""

    def __init__(self, folder: Path = TABLES) -> None:
        """Raises `TableError`."""
        self._folder = folder
        self._words = {
            name: self._checked("words", _Class, raw, name) for name, raw in self._raw("words").items()
        }
        self._open: list[str] = []
        self._expanded: dict[str, str] = {}
        frames = self._checked("frames", _Frames, self._raw("frames"))
        self._groups = frames.groups
        self.frames: dict[str, Exemption] = {}
        for name, frame in frames.frame.items():
            pattern = "|".join(self._pattern("frames", name, word) for word in frame.words)
            self.frames[name] = Exemption(name, frame.reach, pattern)
        self.replies = self._read_replies()
        seen: set[str] = set()
        self.heard = [row for file in HEARD for row in self._rows(file, seen)]
        self.spoken = list(self._rows(SPOKEN, set()))
        self._offers_help = Pattern(self.replies.offers_help)
        self._declines = Pattern(self.words("declines"))
        self._worry = Pattern(self.words("worry"), re.IGNORECASE)

    def words(self, name: str) -> str:
        """The words of a class as one pattern. Raises `TableError` for an unknown class."""
        return self._class("words", name, name)

    @cached_property
    def reader(self) -> Reader:
        """Reader that normalises a text for the rows. Raises `TableError`."""
        reading = self._checked("reading", _Reading, self._raw("reading"))
        idioms = self._checked("idioms", _Idioms, self._raw("idioms"))
        spellings = [
            Spelling("|".join(self._pattern("reading", row.of, says) for says in row.says), row.of)
            for row in reading.spelling
        ]
        masked = [self._pattern("idioms", idiom, idiom) for idiom in idioms.idioms]
        return Reader(reading.plain, reading.pulled.words, spellings, masked)

    @cached_property
    def rulebook(self) -> Rulebook:
        """The rows about what members say."""
        return Rulebook(self.heard, self.frames)

    @cached_property
    def spoken_rulebook(self) -> Rulebook:
        """The rows about what the bot says."""
        return Rulebook(self.spoken, self.frames)

    def offers_help(self, text: str) -> bool:
        """True if a text names help: a number to call, or somebody near."""
        return self._offers_help.search(text) is not None

    def declines(self, form: str, start: int) -> bool:
        """True if the bot declines something close before `start`."""
        return self._declines.search(form, max(0, start - 30), start + 2) is not None

    def worries(self, text: str) -> bool:
        """True if a text holds a word that makes a model's check worth a call. Most such are harmless."""
        return self._worry.search(text) is not None

    def _rows(self, file: str, seen: set[str]) -> Iterable[Rule]:
        rows = self._checked(file, _Rows, self._raw(file))
        for row in [*rows.rule, *rows.hint]:
            if row.name in seen:
                raise TableError(f"{file}.toml, {row.name}: two rows have this name")
            seen.add(row.name)
            if row.verdict == "EMERGENCY" and row.category not in self.replies.emergency:
                raise TableError(f"{file}.toml, {row.name}: replies.toml has no answer for {row.category}")
            patterns = [self._pattern(file, row.name, says) for says in row.says]
            for near in row.near:
                classes = [f"(?:{self._pattern(file, row.name, one)})" for one in near.of]
                gap = f"{_GAPS['unnegated']}{{0,{near.within}}}"
                patterns += [gap.join(order) for order in permutations(classes)]
            if not patterns:
                raise TableError(f"{file}.toml, {row.name}: neither `says` nor `near`")
            unless = tuple(self._unless(file, row))
            args = (row.name, row.verdict, row.category, tuple(patterns), unless)
            yield Hint(*args, weight=row.weight) if isinstance(row, _Hint) else Rule(*args)

    def _unless(self, file: str, row: _Rule) -> Iterable[str]:
        for name in row.unless:
            group = self._groups.get(name[1:]) if name.startswith("@") else [name]
            if group is None or any(one not in self.frames for one in group):
                raise TableError(f"{file}.toml, {row.name}: there is no frame {name}")
            yield from group

    def _pattern(self, file: str, row: str, text: str) -> str:
        def named(match: re.Match[str]) -> str:
            name, count = match.groups()
            if count is None:
                return f"(?:{self._class(file, row, name)})"
            if name not in _GAPS:
                raise TableError(f"{file}.toml, {row}: there is no gap {name}, only {', '.join(_GAPS)}")
            return f"{_GAPS[name]}{{0,{count}}}"

        try:
            needs_of(text)  # what stands for a class is checked where the class is
        except ValueError as error:
            raise TableError(f"{file}.toml, {row}: {error}") from error
        return _NAMED.sub(named, text)

    def _class(self, file: str, row: str, name: str) -> str:
        if name in self._expanded:
            return self._expanded[name]
        if name not in self._words:
            raise TableError(f"{file}.toml, {row}: there is no class {name} in words.toml")
        if name in self._open:
            raise TableError(f"words.toml, {name}: it is made of itself by {' -> '.join(self._open)}")
        self._open.append(name)
        words = [self._pattern("words", name, word) for word in self._words[name].words]
        self._open.pop()
        self._expanded[name] = "|".join(words)
        return self._expanded[name]

    def _read_replies(self) -> Replies:
        read = self._checked("replies", _Replies, self._raw("replies"))
        try:
            said = {name: text.format_map(read.numbers) for name, text in read.emergency.items()}
            other = read.other.emergency.format_map(read.numbers)
            offers = "|".join(read.other.offers_help).format_map(read.numbers)
        except (KeyError, ValueError) as error:
            raise TableError(f"replies.toml: there is no number {error}") from error
        return Replies(said, other, read.other.block, offers)

    def _raw(self, file: str) -> Mapping[str, Any]:
        path = self._folder / f"{file}.toml"
        try:
            return tomllib.loads(path.read_text("utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise TableError(f"{path.name}: {error}") from error

    def _checked(self, file: str, model: type[_Model], raw: object, row: str = "") -> _Model:
        try:
            return model.model_validate(raw)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            name = _name_at(raw, first["loc"])
            place = ", ".join(part for part in (f"{file}.toml", row or name, where) if part)
            raise TableError(f"{place}: {first['msg']}") from error


def _name_at(raw: object, loc: tuple[int | str, ...]) -> str:
    """The name of the row that holds a fault, where it has one."""
    at: Any = raw
    for part in loc:
        try:
            at = at[part]
            name = at.get("name") or at.get("of")
        except (AttributeError, KeyError, IndexError, TypeError):
            continue
        if isinstance(name, str):
            return name
    return ""


def load(folder: Path = TABLES) -> Tables:
    """The tables of a folder. Raises `TableError`."""
    return Tables(folder)
