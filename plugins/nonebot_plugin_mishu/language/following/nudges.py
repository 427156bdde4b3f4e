"""Nudges: 帮我催一下阿凯交方案, 催阿凯还钱, 每天催小雅一次直到她交, 别催阿凯了. Pure.

Whole lines only: talk of it (老板又催了, 催什么催, 我妈催我结婚) fits no form.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import takewhile
from typing import Any, Final

from ...patterns import Pattern
from ..clause import Clause, Mention, Situation
from ..forms.forms import Fit, Grammar
from ..lexicon import Lexicon
from ..mood import ends_in_question
from ..names.referents import shared
from ..recognise.members import matched
from ..recognise.money import find_amounts
from ..recognise.numerals import parse_integer
from ..recognise.times import TimeExpression, parse
from ..text.tokens import Thing, Token, tokens
from ..word_lists import table
from .tables import grammar_of, lexicon_of, names_in, things_in
from .until_done import MOST, how_often, reminds_all_until, until_done

LONGEST: Final = 60
"""Characters of a line that may be such an order."""
LONGEST_TITLE: Final = 40
_SIGNS: Final = ("催", "追", "敲", "盯", "问", "提醒", "跟进")
_URGES: Final = ("赶紧", "快点", "赶快", "尽快", "抓紧", "快些", "快快")
_BORDERS: Final = ("please", "behalf", "pause", "time", "member", "name", "everyone", "affair")
_HARD: Final = ("chase", "stop", "not", "asks")
_LOOSE: Final = frozenset({"once", "end", "pause", "link", "affair"})
"""Classes that begin and end no title."""
_NOBODY: Final = Pattern(table("following.no_matter"))
"""Begins what is no matter of somebody else's: 催我交表, 催什么催, 催没回的."""
_EDGES: Final = " ,。!?~"
_TIMES_SAID: Final = Pattern("(?P<number>[0-9]{1,2}|[一两二三四五六七八九十])(?:次|遍|回|天(?=$|[ ,]))")
_COUNT: Final = frozenset({"once", "count"})
EVERYBODY: Final = "大家"
"""Stands for all who are known, in place of a name."""


@dataclass(frozen=True, slots=True)
class NudgeOrder:
    """An order to nudge a member, or to stop it."""

    people: tuple[Mention, ...] = ()
    """Members who are meant; of several or none it is asked who."""
    named: str = ""
    """A name of nobody here."""
    title: str = ""
    """Topic; empty: everything open between the two."""
    money: bool = False
    """It is about money owed."""
    when: TimeExpression | None = None
    """Time of the first nudge; None: now."""
    rhythm: Mapping[str, Any] | None = None
    """Recurrence with its `count`; None: once."""
    stops: bool = False
    asks: bool = False
    """`title` is a question as it is to be put: 合同寄了没."""
    no_clock: str = ""
    """Words of its time of which nobody knows the clock: 下班前."""
    mine: bool = False
    """Nudges of the speaker are to stop (别催我了); with `stops` alone and nobody named, theirs and those
    that they ordered (别催了)."""
    again: bool = False
    """Whoever the speaker nudged last, about the same (再催一下)."""
    done: bool = False
    """The speaker says that what they were just nudged about is done (路线图我交了)."""
    blind: str = ""
    """Order to remind everybody, of which only those who have not done it are to be urged again."""
    shows: bool = False
    """It is asked who is nudged for the speaker (我都在催谁); with `mine` who nudges them (谁在催我)."""


def nudge_in(clause: Clause) -> NudgeOrder | None:
    """The nudge that a whole line orders; None for any other line."""
    text = clause.text
    if not 2 <= len(text) <= LONGEST or len(text) != len(text.lower()) or clause.lines:
        return None
    if _tells_done(clause):
        return NudgeOrder(done=True)
    nudged = clause.situation.reminded is not None and _ASKED_HOW.search(clause.situation.reminded_about)
    if nudged and _LEAVE_ME.fullmatch(text) is not None:
        return NudgeOrder(stops=True, mine=True)
    blind = reminds_all_until(clause)
    if blind:
        return NudgeOrder(blind=blind)
    return _read(clause) if any(sign in text for sign in (*_SIGNS, *_URGES)) else None


def _tells_done(clause: Clause) -> bool:
    """True for 路线图我交了 directly after a nudge about it, where no thing of that name is kept."""
    where = clause.situation
    if where.reminded is None or _ASKED_HOW.search(where.reminded_about) is None:
        return False
    said = _DONE_SAID.fullmatch(clause.text)
    if said is None or shared(said["what"], where.reminded_about) < _NAMES:
        return False
    return not any(shared(each.name, clause.text) >= _NAMES for each in where.things)


_NAMES: Final = 2
"""Least characters by which a line names what was asked about."""
_ASKED_HOW: Final = Pattern("想问问：")
_LEAVE_ME: Final = Pattern(
    "(?:别|不要|甭|莫|不许)再?(?:烦|吵|念叨|磨叽|追|问|催)(?:我|俺)?了?(?:$|[,。! ].{0,20})"
)
"""别烦我,今晚弄完行了吧: right behind a nudge."""
_DONE_SAID: Final = Pattern(
    "(?P<what>[^,，。!?？没不别]{2,20}?)我?(?:已经|刚刚?|早就?|都)?"
    "(?:交|发|还|转|弄|做|写|填|给|搞|完成|办|寄|付)(?:好|完|掉|定|过去|出去)?了[吧啊哈呀哦啦。!~ ]*"
)


@lru_cache(maxsize=256)
def _read(clause: Clause) -> NudgeOrder | None:
    goes_on = until_done(clause)
    clause = clause if goes_on is None else goes_on.order
    told = how_often(clause)
    clause = clause if told is None else told.order
    unclocked = _no_clock(clause)
    if unclocked is not None and not _in_a_rhythm(clause, *unclocked.span()):
        clause = clause.without(*unclocked.span())
    line = clause.text.lower()
    where = clause.situation
    known = (*where.mentions, *where.members)
    things = things_in(clause, line, known)
    things += names_in(line, things)
    for found in _TIMES_SAID.finditer(line):
        if not any(each.start < found.end() and found.start() < each.end for each in things):
            things.append(Thing(*found.span(), _COUNT, parse_integer(found["number"])))
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
        often = _times_of(clause, time, read)
        if fit.form.reads in _NAMING_NOBODY:
            return _of_none_named(fit, often)
        people, named = _people(who, known, where.mentions)
        known_whom = bool(people or named)
        if fit.form.reads == "ask" and not people and named in ("", EVERYBODY):
            continue  # 问一下大家吃饭没
        if title and _has_time(clause, title[0].start, title[-1].end, but=time):
            continue  # 催一下林老师周五前发课件: something to be done by then
        if _NOBODY.match(about) or not (known_whom or (title and asked and not clause.times)):
            continue
        if told is not None and time is None:
            time = told.when
        rhythm = _rhythm(time, None if goes_on is None else goes_on.rhythm, often)
        if told is not None and told.minutes:
            rhythm = {"freq": "minutely", "interval": told.minutes, "count": min(often or MOST, MOST)}
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
            "" if unclocked is None else unclocked.group(),
        )
    return None


def _no_clock(clause: Clause) -> re.Match[str] | None:
    """Words like 下班前 where no clock is said in front of whom is urged."""
    clocked = any(each.start is not None or each.moment is not None for each in clause.times)
    chased = next((at for sign in _SIGNS if (at := clause.text.find(sign)) >= 0), 0)
    return None if clocked else _NO_CLOCK.search(clause.text[:chased])


def _in_a_rhythm(clause: Clause, start: int, end: int) -> bool:
    said = [each for each in clause.times if each.recurrence is not None]
    return any(begin <= start and end <= stop for time in said for begin, stop in time.spans)


_NO_CLOCK: Final = Pattern(table("following.no_clock"))
_AT_ONCE: Final = Pattern("(?:就|请|现在|这就|马上|立刻|立即|即刻|赶紧|尽快|快)+")


def order_of(who: str, about: str, when: str, where: Situation, *, stops: bool = False) -> NudgeOrder | None:
    """The nudge of words that were taken out of a line: whom (else those with an @), what about, and when;
    None where `when` is no single time."""
    when = "" if _AT_ONCE.fullmatch(when) is not None else when
    times = parse(when, where.now, where.zone)
    if when and len(times) != 1:
        return None
    time = times[0] if times else None
    unclocked = _NO_CLOCK.search(when)
    people = matched(who, (*where.mentions, *where.members)) if who else where.mentions
    return NudgeOrder(
        people,
        "" if people else who,
        about[:LONGEST_TITLE],
        bool(find_amounts(about)),
        None if time is None or (time.recurrence is not None and time.start is None) else time,
        _rhythm(time, None, None),
        stops,
        no_clock=unclocked.group() if unclocked is not None and (time is None or time.start is None) else "",
    )


_NAMING_NOBODY: Final = ("again", "show", "show_mine", "every", "stop_bare", "stop_mine")


def _of_none_named(fit: Fit, often: int | None) -> NudgeOrder:
    """An order that names nobody: 再催一下, 催三次, 都催一遍, 别催我了, 别催了, 我都在催谁, 谁在催我."""
    match fit.form.reads:
        case "show" | "show_mine":
            return NudgeOrder(shows=True, mine=fit.form.reads == "show_mine")
        case "again":
            when = next((each.value for each in fit.slots.get("when", ())), None)
            time = when if isinstance(when, TimeExpression) else None
            return NudgeOrder(again=True, when=time, rhythm=_rhythm(None, None, often))
        case "every":
            return NudgeOrder(named=EVERYBODY)
        case _:
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


def _times_of(clause: Clause, time: TimeExpression | None, read: Sequence[Token]) -> int | None:
    """How many nudges it is to be: 3 of 催三次阿凯, and of 每天催阿凯交方案，催三次, where the words of the
    recurrence hold it. None where no number is said, or 一次, which says how often in each turn."""
    if time is None:
        said = [each.value for each in read if "count" in each.classes]
    else:
        later = (clause.text[max(start - 1, 0) : end] for start, end in time.spans[1:])
        found = (_TIMES_SAID.search(each) for each in later if each[0] in _EDGES or each[1:2] in _EDGES)
        said = [parse_integer(each["number"]) for each in found if each is not None]
    return next((each for each in said if isinstance(each, int) and each > 1), None)


def _rhythm(
    time: TimeExpression | None, until: Mapping[str, Any] | None, often: int | None
) -> Mapping[str, Any] | None:
    if time is not None and time.recurrence is not None:
        return {**time.recurrence.as_kept(), "count": min(often or time.recurrence.count or MOST, MOST)}
    goes_on = until is not None or often is not None
    return {"freq": "daily", "interval": 1, "count": min(often or MOST, MOST)} if goes_on else None


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
            named = named or EVERYBODY
    if not found and not named:
        found = {one.user_id: one for one in mentions}
    return tuple(found.values()), named


@cache
def _lexicon() -> Lexicon:
    return lexicon_of("nudge")


@cache
def _grammar() -> Grammar:
    return grammar_of("nudge", _lexicon(), borders=_BORDERS, hard_borders=_HARD)
