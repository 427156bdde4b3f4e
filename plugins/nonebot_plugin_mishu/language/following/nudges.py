"""Nudges: 帮我催一下阿凯交方案, 催阿凯还钱, 每天催小雅一次直到她交, 别催阿凯了. Pure.

Whole lines only: talk of it (老板又催了, 催什么催, 我妈催我结婚) fits no form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import takewhile
from typing import Any, Final

from ...patterns import Pattern
from ..clause import Clause, Mention
from ..forms.forms import Fit, Grammar
from ..lexicon import Lexicon
from ..mood import ends_in_question
from ..recognise.members import matched
from ..recognise.times import TimeExpression
from ..text.tokens import Thing, Token, tokens
from .tables import grammar_of, lexicon_of, things_in
from .until_done import MOST, until_done

LONGEST: Final = 60
"""Characters of a line that may be such an order."""
LONGEST_TITLE: Final = 40
_SIGNS: Final = ("催", "追", "敲", "盯", "问", "提醒", "跟进")
_URGES: Final = ("赶紧", "快点", "赶快", "尽快", "抓紧", "快些", "快快")
_BORDERS: Final = ("please", "behalf", "pause", "time", "member", "name", "everyone", "affair")
_HARD: Final = ("chase", "stop", "not", "asks")
_LOOSE: Final = frozenset({"once", "end", "pause", "link", "affair"})
"""Classes that begin and end no title."""
_NAME: Final = Pattern(
    "(?!大家|大伙|大概|小时|老是|小组|大会)[小老阿大][一-鿿]|[一-鿿](?:哥|姐|总|老师|师傅|工)"
)
"""A word that looks like the name of somebody."""
_NOBODY: Final = Pattern(
    "^(?:我|俺|自己|咱|什么|啥|谁|得|没|还没|未|大家|待办|代办|任务|一?个|更|婚|债|命|眠|促)"
)
"""Begins what is no matter of somebody else's: 催我交表, 催什么催, 催没回的."""
_EDGES: Final = " ,。!?~"


@dataclass(frozen=True, slots=True)
class NudgeOrder:
    """An order to nudge a member, or to stop it."""

    people: tuple[Mention, ...] = ()
    """Members who are meant; of several or none it is asked who."""
    named: str = ""
    """A name of nobody here."""
    title: str = ""
    """What about; empty: what is open between the two."""
    money: bool = False
    """It is about money owed."""
    when: TimeExpression | None = None
    """Time of the first nudge; None: now."""
    rhythm: Mapping[str, Any] | None = None
    """Recurrence with its `count`; None: once."""
    stops: bool = False
    asks: bool = False
    """`title` is a question as it is to be put: 合同寄了没."""
    mine: bool = False
    """Nudges of the speaker are to stop (别催我了); with `stops` alone and nobody named, theirs and those
    that they ordered (别催了)."""
    again: bool = False
    """Whoever the speaker nudged last, about the same (再催一下)."""
    shows: bool = False
    """It is asked who is nudged for the speaker (我都在催谁)."""


def nudge_in(clause: Clause) -> NudgeOrder | None:
    """The nudge that a whole line orders; None for any other line."""
    text = clause.text
    if not 2 <= len(text) <= LONGEST or len(text) != len(text.lower()) or clause.lines:
        return None
    return _read(clause) if any(sign in text for sign in (*_SIGNS, *_URGES)) else None


@lru_cache(maxsize=256)
def _read(clause: Clause) -> NudgeOrder | None:
    goes_on = until_done(clause)
    clause = clause if goes_on is None else goes_on.order
    line = clause.text.lower()
    where = clause.situation
    known = (*where.mentions, *where.members)
    things = things_in(clause, line, known)
    for found in _NAME.finditer(line):
        if not any(each.start < found.end() and found.start() < each.end for each in things):
            things.append(Thing(*found.span(), frozenset({"name"}), found.group()))
    read = tokens(line, _lexicon(), things)
    asked = any("behalf" in each.classes for each in takewhile(_no_chase, read))
    said = frozenset[str]().union(*(each.classes for each in read))
    if ends_in_question(line) and not asked and said.isdisjoint({"polite", "ask", "asking"}):
        return None  # 催阿凯了吗
    until = "" if goes_on is None else goes_on.until
    for fit in _grammar().fits(line, read):
        when = next((each.value for each in fit.slots.get("when", ())), None)
        time = when if isinstance(when, TimeExpression) else None
        # 每隔十分钟催小雅交表，催三次: 催三次 is of the same recurrence.
        said_for = [each for each in fit.slots.get("title", ()) if time is None or each.value is not time]
        who, title = fit.slots.get("who", ()), _tight(said_for)
        about = clause.text[title[0].start : title[-1].end].strip(_EDGES) if title else ""
        if fit.form.reads in ("again", "show", "stop_bare", "stop_mine"):
            return _of_none_named(fit)
        people, named = _people(who, known, where.mentions)
        known_whom = bool(people or named)
        if fit.form.reads == "ask" and not people and named in ("", "大家"):
            continue  # 问一下大家吃饭没
        if title and _has_time(clause, title[0].start, title[-1].end, but=time):
            continue  # 催一下林老师周五前发课件: something to be done by then
        if _NOBODY.match(about) or not (known_whom or (title and asked and not clause.times)):
            continue
        rhythm = _rhythm(time, None if goes_on is None else goes_on.rhythm)
        if time is not None and time.recurrence is None:
            continue  # 周四晚七点催飞哥交照片: a reminder of theirs
        return NudgeOrder(
            people,
            named,
            (about.lstrip("的") or until)[:LONGEST_TITLE],
            any("money" in each.classes for each in title) or bool(clause.amounts),
            None if time is None or (time.recurrence is not None and time.start is None) else time,
            rhythm,
            fit.form.reads == "stop",
            fit.form.reads == "ask",
        )
    return None


def _of_none_named(fit: Fit) -> NudgeOrder:
    """An order that names nobody: 再催一下, 别催我了, 别催了, 我都在催谁."""
    if fit.form.reads == "show":
        return NudgeOrder(shows=True)
    if fit.form.reads == "again":
        when = next((each.value for each in fit.slots.get("when", ())), None)
        return NudgeOrder(again=True, when=when if isinstance(when, TimeExpression) else None)
    return NudgeOrder(stops=True, mine=fit.form.reads == "stop_mine")


def _has_time(clause: Clause, start: int, end: int, *, but: TimeExpression | None) -> bool:
    return any(
        start < stop and begin < end for time in clause.times if time is not but for begin, stop in time.spans
    )


def _no_chase(token: Token) -> bool:
    return "chase" not in token.classes


def _tight(title: Sequence[Token]) -> Sequence[Token]:
    while title and not _LOOSE.isdisjoint(title[-1].classes):
        title = title[:-1]
    while title and not _LOOSE.isdisjoint(title[0].classes):
        title = title[1:]
    return () if len(title) == 1 and "le" in title[0].classes else title


def _rhythm(time: TimeExpression | None, until: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    if time is not None and time.recurrence is not None:
        return {**time.recurrence.as_kept(), "count": min(time.recurrence.count or MOST, MOST)}
    return {"freq": "daily", "interval": 1, "count": MOST} if until is not None else None


def _people(
    who: Sequence[Token], known: Sequence[Mention], mentions: Sequence[Mention]
) -> tuple[tuple[Mention, ...], str]:
    """Members of the tokens, else those with an @; and a name of nobody."""
    found: dict[str, Mention] = {}
    named = ""
    for token in who:
        if "member" in token.classes and isinstance(token.value, Mention):
            found[token.value.user_id] = token.value
        elif "name" in token.classes:
            same = matched(str(token.value), known)
            found |= {one.user_id: one for one in same}
            named = named if same else str(token.value)
        elif "everyone" in token.classes:
            named = named or "大家"
    if not found and not named:
        found = {one.user_id: one for one in mentions}
    return tuple(found.values()), named


@cache
def _lexicon() -> Lexicon:
    return lexicon_of("nudge")


@cache
def _grammar() -> Grammar:
    return grammar_of("nudge", _lexicon(), borders=_BORDERS, hard_borders=_HARD)
