"""Deletion by time of creation: 刚加的那个不要了, 早上加的那个任务删掉. Pure; the words are `[recency]` in
`answer.toml`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Final, Literal

from ...patterns import Pattern
from ..answers.answer_words import RECENCY
from ..clause import Clause, KeptThing, Situation
from ..mood import ends_in_question
from ..recognise.times import TimeExpression

LONGEST: Final = 30
"""Most characters of such an order."""
_JUST: Final = timedelta(minutes=30)
"""Longest age for 刚才."""
_LATELY: Final = timedelta(days=2)
"""Longest age for 前一个 and 最早."""
_A_MOMENT: Final = 600.0
"""Seconds within which 后面那个 refers to items created or shown together."""
_PIECES: Final = Pattern("[ ,，。;；]+")
_PARTS: Final = {
    "dawn": (time(0), time(7)),
    "morning": (time(5), time(12)),
    "forenoon": (time(6), time(12, 30)),
    "noon": (time(11), time(14)),
    "afternoon": (time(12), time(18, 30)),
    "evening": (time(17), time(23, 59, 59)),
    "night": (time(17), time(23, 59, 59)),
}
"""Parts of the day, wider than clock times."""
Which = Literal["last", "first", "before", "span"]


@dataclass(frozen=True, slots=True)
class Described:
    """Items described, newest first, and a flag for all of them."""

    things: tuple[KeptThing, ...]
    all: bool = False


def described(line: Clause) -> Described | None:
    """Items meant by such an order; None for no order, or no fitting item."""
    text = line.text
    if not 0 < len(text) <= LONGEST or ends_in_question(text):
        return None
    if not line.times:
        text = _without_kept(text)
    spans = {each.span[0]: each.span[1] for each in line.times if len(each.spans) == 1}
    kinds = _kinds(text, spans)
    if kinds is None or "away" not in kinds or not _describes(kinds):
        return None
    agents = kinds & {"schedule", "tasks"}
    known = [
        each
        for each in line.situation.things
        if each.made_at is not None and each.name and (not agents or each.agent in agents)
    ]
    known.sort(key=lambda each: each.made_at or line.situation.now, reverse=True)
    found = _of_two(kinds, line.situation) or _meant(known, kinds, line.times, line.situation.now)
    every = "all" in kinds and len(found) > 1
    return Described(tuple(found), every) if found else None


def takes_one_away(text: str) -> bool:
    """True if a line rejects one of two by position (后面那个不用了), by words alone."""
    if not 0 < len(text) <= LONGEST or ends_in_question(text):
        return False
    kinds = _kinds(_without_kept(text), {})
    return kinds is not None and "away" in kinds and not kinds.isdisjoint({"behind", "before"})


def _without_kept(text: str) -> str:
    """Text without the pieces about items to keep (前面那个留着 后面那个不用了)."""
    pieces = [piece for piece in _PIECES.split(text) if piece]
    told = [_kinds(piece, {}) or frozenset[str]() for piece in pieces]
    gone = [
        piece
        for piece, kinds in zip(pieces, told, strict=True)
        if not ("keep" in kinds and "away" not in kinds)
    ]
    return ",".join(gone) if gone and len(gone) < len(pieces) else text


def _of_two(kinds: frozenset[str], where: Situation) -> list[KeptThing]:
    """后面那个, 前面那个: last of the items just created or shown together, first of two."""
    shown = [each for each in where.shown if each.id and each.name] if where.just_shown(_A_MOMENT) else []
    if len(shown) < 2 or kinds.isdisjoint({"behind", "before"}):
        return []
    if "behind" in kinds:
        return shown[-1:]
    return shown[:1] if len(shown) == 2 else []


def _describes(kinds: frozenset[str]) -> bool:
    which = kinds & {"last", "first", "before", "span", "behind"}
    of_ours = not kinds.isdisjoint({"schedule", "tasks"}) and bool(which - {"span"})
    return bool(which) and ("made" in kinds or of_ours or not which - {"before", "behind"})


def _meant(
    known: Sequence[KeptThing], kinds: frozenset[str], times: Sequence[TimeExpression], now: datetime
) -> list[KeptThing]:
    lately = [each for each in known if each.made_at is not None and now - each.made_at <= _LATELY]
    if "span" in kinds:
        return [
            each
            for each in known
            if each.made_at is not None and all(_within(each.made_at, one, now) for one in times)
        ]
    if "behind" in kinds:
        return []
    if "first" in kinds:
        return lately[-1:]
    if "before" in kinds:
        return lately[1:2] or lately[:1]
    just = [each for each in lately if each.made_at is not None and now - each.made_at <= _JUST]
    return list(just) if "all" in kinds else just[:1]


def _within(made: datetime, said: TimeExpression, now: datetime) -> bool:
    """True if created in that part of that day; 早上 alone is this morning, if over."""
    if said.date is None or said.start is not None or said.recurrence is not None:
        return False
    if said.ambiguous == "which_day":
        if made.date() != now.date():
            return False
    elif not said.date <= made.date() <= (said.end_date or said.date):
        return False
    part = _PARTS.get(said.segment or "")
    return part is None or part[0] <= made.time() <= part[1]


def _kinds(text: str, spans: dict[int, int]) -> frozenset[str] | None:
    """Kinds of the words of a line, longest first; None if a word has none."""
    at, said = 0, set[str]()
    while at < len(text):
        if at in spans:
            at = spans[at]
            said.add("span")
            continue
        found = max(
            (
                (len(word), kind)
                for kind, words in RECENCY.items()
                for word in words
                if text.startswith(word, at)
            ),
            default=None,
        )
        if found is None:
            return None
        at, _ = at + found[0], said.add(found[1])
    return frozenset(said)
