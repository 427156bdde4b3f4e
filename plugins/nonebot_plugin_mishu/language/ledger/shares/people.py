"""People who are named in a line about money: one beside the other, and how many. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

from ...recognise.numerals import parse_integer
from ...text.tokens import Token
from ..pieces import EntryPiece
from ..strangers import LONGEST as LONGEST_RUN
from ..strangers import names_of_runs

_KNOWN: Final = frozenset({"member", "nick", "self", "kin"})
_TIES: Final = frozenset({"and", "with"})
_JOINS: Final = frozenset({"and", "with", "blank", "filler"})
_LONGEST_NAME: Final = 4
_ENDS: Final = frozenset({"split", "divide", "count", "few_of", "amount", "pause", "stop", "of", "is"})
_SHARE: Final = frozenset({"split", "divide", "count", "few_of"})
"""Words that may close a list of sharers."""
_ENDS_LINE: Final = frozenset({"pause", "stop"})
_HEADS: Final = frozenset({"split", "count", "counted", "several"})
"""Pieces before a list of sharers (四个人A 我 花花 小七)."""
_PAIRS: Final = {"俩": 2, "仨": 3}
ONE_MEANT: Final = ("他", "她")
_TWO_MEANT: Final = ("他俩", "她俩")
_SEVERAL_MEANT: Final = ("他", "她", "他们", "她们")
"""Words for whom the line named before: 她 of 小雅付的 我跟她还有阿凯分, 他们俩 of the last two."""


@dataclass(frozen=True, slots=True)
class Name:
    """A named person. `ids` of the members with this name: none if unknown, several if ambiguous; `me`: the
    speaker."""

    text: str = ""
    ids: tuple[str, ...] = ()
    me: bool = False


@dataclass(frozen=True, slots=True)
class PeopleGroup:
    """People named one beside the other."""

    names: tuple[Name, ...]
    start: int
    end: int
    led: bool
    """Begun by a word of company (和小雅)."""
    tied: bool
    """A word of company is before or in it."""
    before: frozenset[str]
    behind: frozenset[str]
    """The classes of the words around it."""
    listed: bool = False
    """Has unknown names beside the others without a word of company."""


def groups_in(
    read: Sequence[Token], text: str, found: Sequence[EntryPiece], how_many: int | None = None
) -> Iterable[PeopleGroup]:
    """Lists of people in a line, in order; `how_many`: number of sharers with the speaker."""
    taken = [(piece.start, piece.end) for piece in found if piece.reads not in ("count", "each", "several")]
    heads = {piece.end for piece in found if piece.reads in _HEADS}
    at = 0
    while at < len(read):
        token = read[at]
        headed = at > 0 and "blank" in read[at - 1].classes and read[at - 1].start in heads
        starts = not token.classes.isdisjoint(_KNOWN | {"with"}) or (headed and _is_listed(read, at, text))
        starts = starts or (_stands_for(read, at, text) and _is_tied(read, at + 1))
        starts = starts or _is_household(read, at, text) or _leads_to_self(read, at)
        if not starts or inside(token, taken):
            at += 1
            continue
        first = at
        names: list[Name | _NameRun] = []
        led = "with" in token.classes or headed
        end = token.start
        while at < len(read) and not inside(read[at], taken):
            token = read[at]
            if not token.classes.isdisjoint(_KNOWN):
                names.append(name_of(token, text))
                at, end = at + 1, token.end
            elif _is_household(read, at, text):
                names += [] if text[token.start : token.end] in _HOUSEHOLD else [Name("我", (), True)]
                at, end = at + 1, token.end
            elif count := _stands_for(read, at, text):
                meant = named_before(read[:first], text, count)
                names += meant if len(meant) == count else [Name(text[token.start : token.end])][: count == 1]
                at, end = at + 1, token.end
            elif (run := _unknown(read, at)) > at and (
                _may_be_name(read, at, run, names, led=led)
                if names or not headed
                else _is_listed(read, at, text)
            ):
                names.append(Name(text[token.start : read[run - 1].end]))
                end, at = read[run - 1].end, run
            elif (run := _unknown(read, at)) > at and _may_be_names(read, at, run, first):
                names.append(_NameRun(text[token.start : read[run - 1].end], at, end))
                end, at = read[run - 1].end, run
            elif not token.classes.isdisjoint(_JOINS):
                at += 1
            else:
                break
        at = max(at, first + 1)
        behind = read[at].classes if at < len(read) else frozenset[str]()
        before = read[first - 1].classes if first else frozenset[str]()
        closed = not behind.isdisjoint(_SHARE) or not before.isdisjoint({"split", "each"})
        closed = closed or (_ends_with_name(names) and (not behind or not behind.isdisjoint(_ENDS_LINE)))
        known, cut = _with_runs(names, how_many, closed=closed)
        if cut is not None:
            at, end = max(cut.at, first + 1), cut.end
            behind = read[at].classes if at < len(read) else frozenset[str]()
        if known:
            tied = any(not each.classes.isdisjoint(_TIES) for each in read[first:at])
            runs = cut is None and any(isinstance(each, _NameRun) for each in names)
            yield PeopleGroup(known, read[first].start, end, led, tied, before, behind, runs)


@dataclass(frozen=True, slots=True)
class _NameRun:
    """Unread words beside names, which may be names: where they begin, and where the name before them
    ends."""

    text: str
    at: int
    end: int


def _with_runs(
    names: Sequence[Name | _NameRun], how_many: int | None, *, closed: bool
) -> tuple[tuple[Name, ...], _NameRun | None]:
    """The names with those in runs beside them; where the runs are none, those before the first run, and that
    run."""
    runs = [each for each in names if isinstance(each, _NameRun)]
    known = [each for each in names if isinstance(each, Name)]
    if not runs:
        return tuple(known), None
    mine = any(name.me for name in known)
    missing = None if how_many is None else how_many - len(known) - (not mine)
    found = names_of_runs([run.text for run in runs], missing)
    if not found and closed:
        found = names_of_runs([run.text for run in runs], None)
    if not found:
        return tuple(each for each in names[: names.index(runs[0])] if isinstance(each, Name)), runs[0]
    told: list[Name] = []
    left = list(found)
    for each in names:
        if isinstance(each, Name):
            told.append(each)
            continue
        size = 0
        while left and size < len(each.text):
            size += len(left[0])
            told.append(Name(left.pop(0)))
    return tuple(told), None


def _ends_with_name(names: Sequence[Name | _NameRun]) -> bool:
    """True if a list includes the speaker and ends with a name (打车38 小雅 Leo 和我)."""
    return bool(names) and isinstance(names[-1], Name) and any(isinstance(n, Name) and n.me for n in names)


def _may_be_names(read: Sequence[Token], at: int, to: int, first: int) -> bool:
    """True for a run of unread characters, first or beside a name, without a word of company between."""
    length = read[to - 1].end - read[at].start
    beside = at == first or not read[at - 1].classes.isdisjoint(_KNOWN | _JOINS | {"of_all"})
    return beside and 1 < length <= LONGEST_RUN and "role" not in read[at].classes


def _leads_to_self(read: Sequence[Token], at: int) -> bool:
    """True for unknown names first, then the speaker (豆豆、大飞和我; 豆豆大飞我 before 三个人)."""
    before = read[at - 1].classes if at else frozenset({"blank"})
    if before.isdisjoint({"blank", "pause", "amount"}) or not read[at].unread:
        return False
    to = at
    while to < len(read) and (_unknown(read, to) > to or not read[to].classes.isdisjoint({"and", "blank"})):
        to = max(to + 1, _unknown(read, to))
    if to < len(read) and not read[to].classes.isdisjoint(_TIES):
        to += 1
    return to < len(read) and "self" in read[to].classes


_HOUSEHOLD: Final = ("家", "家里")


def _is_household(read: Sequence[Token], at: int, text: str) -> bool:
    """True for a family's name (阿凯家), or 我家, in a line that counts families (三家分)."""
    said = text[read[at].start : read[at].end]
    if said != "我家" and (said not in _HOUSEHOLD or not at):
        return False
    counts = (cast("str", each.value) for each in read if "count" in each.classes)
    return any(count.endswith(_HOUSEHOLD[0]) for count in counts)


def _stands_for(read: Sequence[Token], at: int, text: str) -> int:
    """Number of people of a pronoun: 1 of 她, 2 of 他们 in 他们俩, else 0."""
    said = text[read[at].start : read[at].end]
    if said in _SEVERAL_MEANT and at + 1 < len(read) and "count" in read[at + 1].classes:
        behind = text[read[at + 1].start : read[at + 1].end]
        return next((value for word, value in _PAIRS.items() if word in behind), 0)
    return 2 if said in _TWO_MEANT else 1 if said in ONE_MEANT else 0


def with_names(words: Sequence[Token], said: str, before: Sequence[Token], line: str) -> str:
    """Words of people (`words` of `said`) with 她 and 他们俩 replaced by names from the words `before`;
    unchanged if there are too few."""
    found: list[str] = []
    skips = False
    named = {said[each.start : each.end] for each in words if "member" in each.classes}
    for at, token in enumerate(words):
        own = said[token.start : token.end]
        if skips:
            skips = False
            continue
        count = _stands_for(words, at, said)
        others = [each for each in before if line[each.start : each.end] not in named]
        meant = named_before(others, line, count) if count else []
        if count and len(meant) == count:
            found.append("、".join(name.text for name in meant))
            skips = count > 1 and own not in _TWO_MEANT
        else:
            found.append(own)
    return "".join(found)


def with_those_meant(read: Sequence[Token], text: str) -> tuple[Token, ...]:
    """Words in which 他 and 她 before a portion are the member named last before them (小雅付的 我出六成
    她出四成); a stranger where nobody is named."""
    found: list[Token] = []
    for at, token in enumerate(read):
        behind = next((each for each in read[at + 1 :] if each.classes.isdisjoint(_BEFORE_PORTION)), None)
        apart = behind is None or behind.classes.isdisjoint({"portion", "numeral"})
        if apart or text[token.start : token.end] not in ONE_MEANT:
            found.append(token)
            continue
        meant = next(iter(named_before(read[:at], text, 1)), Name())
        kind = frozenset({"member" if meant.ids else "nick"})
        found.append(replace(token, classes=kind, value=meant.ids))
    return tuple(found)


_BEFORE_PORTION: Final = frozenset({"only", "pay", "lately", "filler"})


def _is_tied(read: Sequence[Token], at: int) -> bool:
    return 0 <= at < len(read) and not read[at].classes.isdisjoint(_TIES)


def named_before(read: Sequence[Token], text: str, count: int) -> list[Name]:
    """The last so many members who are named in these words, in their order."""
    found: list[Name] = []
    for token in reversed(read):
        name = name_of(token, text)
        if not token.classes.isdisjoint({"member", "nick"}) and all(name.text != one.text for one in found):
            found.append(name)
        if len(found) == count:
            break
    return found[::-1]


def _is_listed(read: Sequence[Token], at: int, text: str) -> bool:
    """True for a run of unread characters after a count of sharers, as a list's first name (四个人A 小七
    花花)."""
    run = _unknown(read, at)
    length = read[run - 1].end - read[at].start if run > at else 0
    behind = read[run].classes if run < len(read) else frozenset[str]()
    further = read[run + 1] if run + 1 < len(read) else None
    known = further is not None and (not further.classes.isdisjoint(_KNOWN) or further.unread)
    said = text[read[at].start : read[at].start + length]
    return (
        1 < length <= _LONGEST_NAME and not behind.isdisjoint({"blank", "and"}) and known and said.isalnum()
    )


def _unknown(read: Sequence[Token], at: int) -> int:
    """End of a run of unread characters, or of one word for a companion (室友)."""
    if "role" in read[at].classes:
        return at + 1
    to = at
    while to < len(read) and read[to].unread and "number" not in read[to].classes:
        to += 1
    return to


def _may_be_name(
    read: Sequence[Token], at: int, to: int, names: Sequence[Name | _NameRun], *, led: bool
) -> bool:
    """True if a run of unread characters between words of company is a person's name."""
    length = read[to - 1].end - read[at].start
    tied = at > 0 and not read[at - 1].classes.isdisjoint(_TIES)
    listed = at > 0 and "blank" in read[at - 1].classes and bool(names)
    behind = read[to].classes if to < len(read) else frozenset({"stop"})
    closed = not behind.isdisjoint(_ENDS | _JOINS | _KNOWN)
    companion = "role" in read[at].classes and "deed" in behind
    return 1 < length <= _LONGEST_NAME and (closed or companion) and (tied or (listed and led))


def sharers(
    groups: Sequence[PeopleGroup], how_many: int | None, *, sharing: bool
) -> tuple[tuple[Name, ...], bool, list[tuple[int, int]]]:
    """Named sharers, a flag for the speaker among them, and their spans."""
    people: list[Name] = []
    me = False
    spans: list[tuple[int, int]] = []
    for group in groups:
        several = len(group.names) > 1
        beside = not group.behind.isdisjoint({"split", "divide", "count", "few_of", "each"}) or (
            not group.before.isdisjoint({"split", "each"})
        )
        strangers = sum(not name.ids and not name.me for name in group.names)
        if (
            strangers > 1
            and not (group.tied or group.listed)
            and how_many not in (len(group.names), len(group.names) + 1)
        ):
            continue  # 四个人 好吃 爆了
        if not (group.led or beside or several) or (strangers and not sharing):
            continue
        spans.append((group.start, group.end))
        for name in group.names:
            me = me or name.me
            if not name.me and all(name.text != other.text for other in people):
                people.append(name)
    return tuple(people), me, spans


def counted(read: Sequence[Token], text: str) -> tuple[int | None, bool]:
    """Number of people, and True if it counts the others only."""
    denied = [at for at in range(len(read)) if _is_denied(read, at)]
    for at, token in enumerate(read):
        if at in denied:
            continue
        if text[token.start : token.end] in _TWO_MEANT and (_is_tied(read, at + 1) or _is_tied(read, at - 1)):
            return 2, True
        if token.classes.isdisjoint({"count", "few_of"}):
            continue
        said = cast("str", token.value)
        count = next((value for word, value in _PAIRS.items() if word in said), None)
        if count is None:
            number = said.removeprefix("一共")  # its 一 is no digit of the number
            digits = "".join(each for each in number if each.isdigit() or each in "一二两三四五六七八九十")
            count = parse_integer(digits) if digits else None
        if count is None or not 2 <= count <= 200:
            continue
        if "few_of" in token.classes and not (denied or _of_ours(read, at)):
            continue
        of_them = at > 0 and text[read[at - 1].start : read[at - 1].end] in _SEVERAL_MEANT
        head = at - 1 if of_them else at
        more = head > 0 and not read[head - 1].classes.isdisjoint({"with"})
        more = more or (of_them and _is_tied(read, at + 1))  # 他们俩和我
        return count, more
    return None, False


def _is_denied(read: Sequence[Token], at: int) -> bool:
    """True for a number of people that is said to be wrong (不是十四个)."""
    if read[at].classes.isdisjoint({"count", "few_of"}) or not at:
        return False
    return not read[at - 1].classes.isdisjoint({"denied", "not"})


def _of_ours(read: Sequence[Token], at: int) -> bool:
    before = read[at - 1].classes if at else frozenset[str]()
    behind = read[at + 1].classes if at + 1 < len(read) else frozenset[str]()
    with_role = not behind.isdisjoint({"role"}) and not before.isdisjoint({"with"})
    by_itself = before.isdisjoint({"unread", "deed"}) and not behind.isdisjoint({"split"})  # 四个AA
    return not before.isdisjoint({"we", "they", "self", "member", "nick"}) or with_role or by_itself


def name_of(token: Token, text: str) -> Name:
    """Name of a token."""
    said = text[token.start : token.end].removeprefix("@").strip()
    if "self" in token.classes:
        return Name(said, (), True)
    ids = cast("tuple[str, ...]", token.value) if "member" in token.classes else ()
    return Name(said, ids)


def inside(token: Token, spans: Sequence[tuple[int, int]]) -> bool:
    """True if a word lies in one of these spans."""
    return any(start <= token.start and token.end <= end for start, end in spans)
