"""Naming of a poll by words of its question: 奶茶几个 of 谁要喝奶茶, 唱K投票延到明天中午. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ...patterns import Pattern
from ..clause import Clause
from ..recognise.times import parse
from .poll import OpenPoll
from .words import MANY, any_of

_LEAST: Final = 2
"""Characters of a question that name it."""
_NO_TOPIC: Final = Pattern(
    f"{any_of('options.asks', 'options.either', 'make.asks_who', 'make.may', 'make.no_topic')}"
    f"|{MANY}|{any_of('make.vote', 'make.signup', 'make.count')}|[^0-9a-z一-鿿]"
)
_OF_POLLS: Final = Pattern(any_of("make.of_polls"))


@dataclass(frozen=True, slots=True)
class Named:
    """A poll that a line names, with the rest of the line."""

    poll: OpenPoll
    rest: Clause
    plainly: bool
    """The line has a word of polls beside the name (羽毛球报名), or its clause is left to nothing else."""
    name: str = ""


def named(clause: Clause, polls: Sequence[OpenPoll]) -> Named | None:
    """The poll whose question a line names, the longest name first, then the one touched last; None where
    none is named, or where the name may be that of something kept (日程 羽毛球)."""
    line = clause.text.lower()
    taken = [each.span for each in clause.times]
    found: tuple[int, bool, float, int, OpenPoll] | None = None
    for poll in polls:
        for topic in _topics(clause, poll.question):
            at, size = _shared(line, topic, taken)
            key = (size, not poll.closed, poll.touched_at)
            if size >= _LEAST and (found is None or key > found[:3]):
                found = (*key, at, poll)
    if found is None:
        return None
    size, at, poll = found[0], found[3], found[4]
    plainly = _OF_POLLS.search(line) is not None
    name = line[at : at + size]
    if not plainly and any(name in each.name.lower() for each in clause.situation.things):
        return None
    start = _with_time(clause, poll, at)
    return Named(poll, _cut(clause, start, at + size), plainly, name)


def numbered(clause: Clause, polls: Sequence[OpenPoll]) -> Named | None:
    """The poll that a line names by the number on its card (统计3结束, 报名7关掉, 投票2选涮肉); None for any
    other line: 报名2个 is a voice."""
    found = _BY_NUMBER.search(clause.text.lower())
    if found is None:
        return None
    poll = next((each for each in polls if str(each.id) == found["number"]), None)
    if poll is None or _KINDS[poll.form] not in found["kind"]:
        return None
    start, end = found.span("number")
    rest = _cut(clause, start, end)
    return Named(poll, rest, plainly=True) if rest.text.strip() != found["kind"] else None


_BY_NUMBER: Final = Pattern(
    "(?P<kind>投票|报名|接龙|统计) ?(?P<number>[0-9]{1,9})(?![0-9]|[ ]?[个人位份名点号:+])"
)
_KINDS: Final = {"vote": "投票", "signup": "报名", "count": "统计"}


def dated(clause: Clause, polls: Sequence[OpenPoll]) -> Named | None:
    """The one poll about a day that a line names beside a word of polls: 周六那个投票结果呢; None where none
    or several are."""
    if len(clause.times) != 1 or _OF_POLLS.search(clause.text.lower()) is None:
        return None
    here = [each for each in polls if clause.times[0].text in each.question]
    start, end = clause.times[0].span
    return Named(here[0], _cut(clause, start, end), plainly=True) if len(here) == 1 else None


def _with_time(clause: Clause, poll: OpenPoll, at: int) -> int:
    """Begin of a name with the time right before it that the question has too (周六聚餐 of 周六聚餐吃什么);
    周六 of 唱K投票延到周六 is no part of it."""
    for each in clause.times:
        start, end = each.span
        if each.text in poll.question and end <= at and not clause.text[end:at].strip(" 的那个"):
            return start
    return at


def name_of(clause: Clause, poll: OpenPoll) -> str:
    """The words by which a line may name a poll (羽毛球 of 周六羽毛球); empty where its question has none."""
    return max(_topics(clause, poll.question), key=len, default="")


def _topics(clause: Clause, question: str) -> list[str]:
    """Stretches of a question that say what it is about, without its times and asking words."""
    said = question.lower()
    for each in reversed(parse(question, clause.situation.now, clause.situation.zone)):
        start, end = each.span  # of 周六还是周日 both have the same
        said = f"{said[:start]}{' ' * (end - start)}{said[end:]}"
    return [each for each in _NO_TOPIC.sub(" ", said).split() if len(each) >= _LEAST]


def _shared(line: str, topic: str, taken: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Place and length of the longest piece of a topic that stands in a line, outside of its times."""
    for size in range(len(topic), _LEAST - 1, -1):
        for begin in range(len(topic) - size + 1):
            at = line.find(topic[begin : begin + size])
            if at >= 0 and not any(start < at + size and at < end for start, end in taken):
                return at, size
    return 0, 0


def _cut(clause: Clause, start: int, end: int) -> Clause:
    """The clause without a span, the two halves joined: 盒饭一共几份 is 一共几份."""
    before, behind = clause.part(0, start), clause.part(end, len(clause.text))
    text = before.text.rstrip(" ")
    gap = len(text)
    behind_text = behind.text.lstrip(" ,:")
    moved = gap - (len(behind.text) - len(behind_text))
    return Clause(
        text + behind_text,
        clause.situation,
        (*before.times, *(each.moved(moved) for each in behind.times)),
        (*before.amounts, *(each.moved(moved) for each in behind.amounts)),
    )
