"""New time for a kept thing without a verb of changing: 聚餐放周四吧, 评审就定在三点. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from ...language import Fit, Form, Reading, Token, ends_in_question
from ...language.clause import Clause, KeptThing
from ...language.names.referents import Meant, is_at
from ...language.recognise.times import names_day
from ...language.timing.series import first_day
from .owners import SCHEDULE

_AROUND: Final = frozenset(
    {
        "filler",
        "particle",
        "pause",
        "again",
        "modal",
        "ba",
        "this",
        "unit",
        "of",
        "or",
        "at",
        "to",
        "courtesy",
        "is",
    }
)
_PUTS: Final = frozenset({"at", "to", "make"})
_IS: Final = frozenset({"是", "应该是", "其实是"})
"""家长会是晚上八点: of what was just made or changed it corrects that, else it is asked."""
_SURELY: Final = frozenset({"应该", "其实", "原来", "就"})
_CHANGED: Final = "改到"
_A_WHILE: Final = 600.0
_PLAIN: Final = frozenset({"放", "放在", "放到", "就", "还是", "还是放", "就放", "搬到", "定到"})
"""Said of what is kept only: whoever makes something new says 定, 安排."""


@dataclass(frozen=True, slots=True)
class PutChange:
    """The line as a change; `sure` if its verb of putting makes nothing new."""

    fit: Fit
    sure: bool
    clause: Clause
    """The line with a verb of changing."""
    things: tuple[KeptThing, ...] = ()
    """Things meant, if they were mentioned last."""


def settles(said: Reading, known: Meant | None, clause: Clause) -> PutChange | None:
    """Change of the one meant thing to another time; None if the line is no such change.

    The thing's name, a word of putting, then a time that is not its own already, and nothing else.
    """
    if known is None or not known.things or not all(thing.name for thing in known.things):
        return None
    named = [token for token in said.tokens if _names(said.line, token, known.things)]
    if not named:
        return None
    behind = [token for token in said.tokens if token.start >= named[-1].end]
    times = [token for token in behind if "time" in token.classes]
    first = _corrects(said)
    if not times or any(
        _is_foreign(token, named) and said.line[token.start : token.end] not in _IS
        for token in said.tokens
        if token.start >= first
    ):
        return None
    puts = [token for token in behind if token.end <= times[0].start and _is_putting(said.line, token)]
    if not puts or _are_at(known.things, clause, times[0].start):
        return None
    words = [said.line[token.start : token.end] for token in puts]
    tells = _IS.issuperset(words)
    if tells and (_asks(said, clause) or not known.clear):
        return None
    slots = {"name": tuple(named), "when": tuple(times)}
    own = tells and clause.situation.just_shown(_A_WHILE) and clause.situation.last in known.things
    sure = known.clear and (own or first > 0 or any(word in _PLAIN for word in words))
    told = _put(clause, _surely(said, puts[0]), puts[0]) if tells else clause
    return PutChange(Fit(Form("change", ""), slots), sure, told)


def takes_place(said: Reading, known: Meant | None, clause: Clause) -> PutChange | None:
    """Place of the one schedule that a whole line names (周会地点在三楼会议室, 周会在三楼会议室开). None for
    a question, a negation, a time, or more words."""
    if (
        known is None
        or known.agent != SCHEDULE
        or len(known.things) != 1
        or clause.times
        or _asks(said, clause)
    ):
        return None
    words = [token for token in said.tokens if token.classes.isdisjoint({"particle", "courtesy", "pause"})]
    named = [token for token in words if _names(said.line, token, known.things)]
    if not named or words[0] not in named:
        return None
    behind = [token for token in words if token.start >= named[-1].end]
    at = next((token for token in behind if "at" in token.classes), None)
    if at is None or any(
        token.classes.isdisjoint({"of", "note_noun", "filler"}) for token in behind if token.end <= at.start
    ):
        return None
    place = [token for token in behind if token.start >= at.end]
    if place and said.line[place[-1].start : place[-1].end] in _HELD:
        place = place[:-1]
    spots = [not token.classes.isdisjoint({"place", "room"}) for token in place]
    if not any(spots) or any(token.classes.isdisjoint(_OF_PLACES) for token in place):
        return None
    name, spot = clause.text[named[0].start : named[-1].end], clause.text[place[0].start : place[-1].end]
    told = replace(clause, text=f"{name}地点改成{spot}")
    return PutChange(Fit(Form("change", ""), {"name": tuple(named)}), known.clear, told)


_HELD: Final = frozenset({"开", "举行", "举办", "办", "进行", "集合", "开会", "召开"})
"""Said behind the place of what the group meets for."""
_OF_PLACES: Final = frozenset({"place", "room", "number", "latin", "unit", "unread", "plain", "of", "mark"})


def _surely(said: Reading, word: Token) -> int:
    """Index of 应该是, 其实是 before the word, else of the word."""
    before = next((token for token in said.tokens if token.end == word.start), None)
    known = before is not None and said.line[before.start : before.end] in _SURELY
    return before.start if before is not None and known else word.start


def _put(clause: Clause, start: int, word: Token) -> Clause:
    """The clause with 改到 in place of a verb of putting."""
    text = f"{clause.text[:start]}{_CHANGED}{clause.text[word.end :]}"
    longer = len(_CHANGED) - (word.end - start)
    times = tuple(time.moved(longer) if time.span[0] >= word.end else time for time in clause.times)
    return replace(clause, text=text, times=times)


_WRONG: Final = frozenset(
    {
        "不对",
        "不对不对",
        "错了",
        "搞错了",
        "打错了",
        "说错了",
        "记错了",
        "弄错了",
        "我说错了",
        "我打错了",
        "我记错了",
    }
)


def _corrects(said: Reading) -> int:
    """Index behind a leading correction (不对 公会战是周日); 0 without one."""
    pause = next((token for token in said.tokens if "pause" in token.classes), None)
    return pause.end if pause is not None and said.line[: pause.start] in _WRONG else 0


def begins_series(said: Reading, known: Meant | None, clause: Clause) -> PutChange | None:
    """New first day of a series: 语音会从下下周一开始, 从下周开始哈. None if the thing named, or mentioned
    last, is no series, or the line has more."""
    where, since = clause.situation, first_day(clause.times)
    if since is None or len(clause.times) > 1:
        return None
    pool = known.things if known is not None else ()
    named = [token for token in said.tokens if _names(said.line, token, pool)]
    things = pool if named else (where.last,) if where.last is not None else ()
    if len(things) != 1 or things[0].agent != SCHEDULE or not (things[0].repeats and things[0].id):
        return None
    if any(
        _is_foreign(token, named) and token.classes.isdisjoint({"degree", "all"}) for token in said.tokens
    ):
        return None
    when = tuple(token for token in said.tokens if "time" in token.classes)
    fit = Fit(Form("change", ""), {"name": tuple(named), "when": when})
    return PutChange(fit, True, clause, things)


def _names(line: str, token: Token, things: Sequence[KeptThing]) -> bool:
    word = line[token.start : token.end].lower()
    return (
        len(word) > 1 and "time" not in token.classes and any(word in thing.name.lower() for thing in things)
    )


def _is_putting(line: str, token: Token) -> bool:
    word = line[token.start : token.end]
    return not token.classes.isdisjoint(_PUTS) or word in _PLAIN or word in _IS


def _asks(said: Reading, clause: Clause) -> bool:
    """True for a question: 公会战是周日吧, 公会战是周日？"""
    return ends_in_question(clause.text) or said.line.rstrip(" ,。!~").endswith("吧")


def _is_foreign(token: Token, named: Sequence[Token]) -> bool:
    """True if a word is outside the name, the verb of putting and the time."""
    return token not in named and token.classes.isdisjoint(_AROUND | _PUTS | {"time", "ought"})


def _are_at(things: Sequence[KeptThing], clause: Clause, start: int) -> bool:
    """True if the time behind the name is one of the things' own already, or no new time."""
    time = next((each for each in clause.times if each.span[0] >= start), None)
    if time is None or time.kind in ("deadline", "recurring"):
        return True
    if not names_day(time.text) and time.start is None:
        return True
    return any(is_at(thing, time) for thing in things)
