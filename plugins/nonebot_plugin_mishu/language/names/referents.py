"""Stored items meant by a clause: by name, by time, or mentioned last. Pure.

周五那个评审 is the review on Friday, 客户那个 the item with 客户 in its name, 明天那个 the one of tomorrow;
那个, or an order without a name, the item just created, changed or shown.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise
from typing import Final

from ...patterns import Pattern
from ..clause import Clause, KeptThing, Situation
from ..reading import Reading
from ..recognise.numerals import parse_integer
from ..recognise.times import TimeExpression, names_day, parse
from ..text.fold import normalise
from ..text.tokens import Token
from ..timing.own_times import in_half, minutes_apart
from ..word_lists import table

_LEAST: Final = 2
"""Fewest characters in a row shared by name and line."""
_OF_ORDERS: Final = frozenset(
    {
        *("change", "later", "earlier", "defer", "take_away", "refuse", "negation", "remind"),
        *("time", "task_noun", "schedule_noun", "reminder_noun", "note_noun", "join", "cannot"),
        *("look", "what", "whether", "help", "pause", "filler", "courtesy", "particle", "call", "this"),
    }
)
"""Word classes of the order, not the item."""
_OF_THINGS: Final = frozenset({"occasion", "personal", "action", "plain", "quoted", "unread"})
_CHANGES: Final = frozenset({"change", "later", "earlier", "defer"})
_MAKES: Final = frozenset({"make", "remind", "rouse", "mind", "announce", "task_noun", "schedule_noun"})
_KEPT: Final = frozenset({"occasion", "hui", "personal", "action"})
_SCHEDULE: Final = "schedule"
_KINDS: Final = tuple(
    (Pattern(table(f"kinds.{kind}_said")), Pattern(table(f"kinds.{kind}_named")))
    for kind in (
        *("meal", "ball", "medicine", "money", "meeting"),
        *("singing", "film", "run", "doctor", "class"),
    )
)
"""那顿饭 is the stored dinner, 打球那个 the badminton."""
_DIGITS: Final = Pattern("[0-9]+|[一二两三四五六七八九十]+")
_OF_BOOKS: Final = Pattern("(?:[那这上]|刚才|刚刚|前)的?一?笔|[那这]条账")
"""刚才那笔删掉: a record of the books."""
_EACH: Final = Pattern(
    "都(?:给我|帮我|先|要|往|可以|再)?(?=取消|删|去掉|撤|不[用要去]|推|挪|改|延|提前|做完|搞定|划|清|停|关|完成)"
)
"""周五的都取消."""
_BOTH: Final = ("俩", "两个", "两场", "两条", "两件", "这些", "那些")


@dataclass(frozen=True, slots=True)
class Meant:
    """Items meant, of one agent. `refs` are their known ids; `every`: all of them; else of several one must
    be chosen."""

    agent: str
    things: tuple[KeptThing, ...]
    every: bool = False
    counted: bool = False
    """Meant by number (两个都, 这三个, 全部)."""
    beside: tuple[KeptThing, ...] = ()
    """Items of other agents in the same order."""
    shown: bool = True
    """Just created or shown; a change of all others needs confirmation."""

    @property
    def refs(self) -> tuple[str, ...]:
        """Ids of the items, in the order of the world."""
        return tuple(thing.id for thing in self.things if thing.id)

    @property
    def clear(self) -> bool:
        """True for a single item, or all of them."""
        return len(self.things) == 1 or self.every


def meant(said: Sequence[Token], clause: Clause) -> Meant | None:
    """Stored items meant by a clause; None for none, or items of several agents."""
    where = clause.situation
    if not where.addressed or _OF_BOOKS.search(clause.text) is not None:
        return None
    times = _of_what_is_kept(said, clause.times)
    if (spared := _without_spared(said, clause, times)) is not None:
        return spared
    if not times and (counted := _counted(said, clause)) is not None:
        return counted
    if not times and (others := _all_but(said, clause)) is not None:
        return others
    if (listed := _listed(said, clause.text, where.things)) is not None:
        return listed
    numbered = _numbered(said, clause.text, where.shown)
    if len({thing.agent for thing in numbered}) > 1:
        return _together(numbered)  # 第二个和第三个, of a list of schedules and tasks
    if numbered and len(numbered) < _ordinals(said):
        return _unclear([thing for thing in where.shown if thing.id and thing.name])
    that_time = () if numbered else _that_time(said, clause.text, times, where.things)
    found = numbered or that_time or _named(said, clause.text, where.things)
    if found and not that_time:  # 12月16号那次场馆维修: by its day, the reason behind
        meetings = [thing for thing in where.things if thing.agent == _SCHEDULE and _meets(said)]
        found = _at(found, times) or _at(meetings, times) or found
    elif not found and _meets(said) and times:
        found = _at([thing for thing in where.things if thing.agent == _SCHEDULE], times)
    elif not found and _points(said):
        found = _at(where.things, times) if times else ()
    if not found and times and not _names(said) and not _alters(said):
        found = _of_one_agent(_at(where.things, times), where.last)  # 把周五的都删了
    if not found and where.quoted and not _names(said):
        found = _in_quote(where, times)
    if not found and _is_another(said, clause.text):
        return None
    if not found and where.last is not None and not _ordinals(said) and (_points(said) or not _names(said)):
        found = tuple(thing for thing in where.things if where.last.id and _is(thing, where.last))
        found = found or (where.last,)
        if times and not _alters(said):
            found = tuple(each for each in found if _is_then(each, times[0]))  # 把这周的都取消了
    if not found:
        return None
    shortest = min(found, key=lambda thing: len(thing.name)).agent
    found = tuple(thing for thing in found if thing.agent == shortest)
    every = len(found) > 1 and (
        any("ordinal" in token.classes for token in said)
        or any("all" in token.classes for token in said)
        or _EACH.search(clause.text) is not None
        or any(word in clause.text for word in _BOTH)
    )
    return Meant(shortest, found, every, counted=every and _ordinals(said) == len(found))


def _ordinals(said: Sequence[Token]) -> int:
    return sum("ordinal" in token.classes for token in said)


def _counted(said: Sequence[Token], clause: Clause) -> Meant | None:
    """两个都, 这三个, 全部: the items just created or shown, else all stored ones if the number fits;
    otherwise a question. None without a number, or with a name."""
    where = clause.situation
    count = _count(said, clause.text)
    if count is None or not all(_says_no_name(token) for token in said):
        return None
    words = {word for token in said for word in token.classes}
    if words.isdisjoint(_DOES) or "ordinal" in words:
        return None
    own = [agent for noun, agent in _OWN_NOUNS.items() if noun in words]
    kept = [thing for thing in where.things if not own or thing.agent in own]
    just = [thing for thing in where.shown if thing.id and thing.name and (not own or thing.agent in own)]
    if count == _ALL:
        if len(just) > 1:
            return _together(just)
        return _together(kept, shown=False) if len(kept) > 1 and where.shown else None
    for pool in (just, kept):
        if len(pool) == count:
            return _together(pool, shown=pool is just)
    return _unclear(just if len(just) > count else kept)


def _listed(said: Sequence[Token], line: str, things: Sequence[KeptThing]) -> Meant | None:
    """买球跟交场地费都弄完了, 桌游和看房都推迟一小时: several named items, with only connectives and times
    between."""
    spans = sorted(
        ((*where, thing) for thing, where in said_names(line, things).items()), key=lambda one: one[:2]
    )
    if len(spans) < 2 or any(one[1] > other[0] for one, other in pairwise(spans)):
        return None  # one name within another: which, is asked
    joined = [
        [token for token in said if one[1] <= token.start and token.end <= other[0]]
        for one, other in pairwise(spans)
    ]
    if not all(between and all(map(_joins, between)) for between in joined):
        return None
    return _together([thing for _, _, thing in spans])


def said_names(line: str, things: Sequence[KeptThing]) -> Mapping[KeptThing, tuple[int, int]]:
    """Items named in a line, also in fewer words (换灯泡 of 换门厅灯泡), with their spans. Empty above
    `_MOST_NAMED` candidates."""
    pairs = _pairs(line)
    perhaps = [thing for thing in things if not pairs.isdisjoint(_pairs(thing.name))]
    if len(perhaps) > _MOST_NAMED:
        return {}
    return {thing: where for thing in perhaps if (where := _said_at(thing.name, line)) is not None}


_MOST_NAMED: Final = 16


@lru_cache(maxsize=2048)
def _pairs(text: str) -> frozenset[str]:
    """All pairs of neighbouring characters of a text."""
    return frozenset(map("".join, pairwise(text)))


def _said_at(name: str, line: str) -> tuple[int, int] | None:
    blocks = SequenceMatcher(None, line, name, autojunk=False).get_matching_blocks()
    longest = max(blocks, key=lambda block: block.size)
    near = [block for block in blocks if block.size and abs(block.a - longest.a) < len(name)]
    if longest.size < _LEAST or 5 * sum(block.size for block in near) < 3 * len(name):
        return None
    return near[0].a, near[-1].a + near[-1].size


def _joins(token: Token) -> bool:
    return not token.classes.isdisjoint({"and", "with", "pause", "blank", "time"})


def _without_spared(said: Sequence[Token], clause: Clause, times: Sequence[TimeExpression]) -> Meant | None:
    """除了羽毛球周五的都取消, 周五的都取消 羽毛球留着: all of a kind or time but the named ones. None without
    an exception, or if nothing remains."""
    where = clause.situation
    words = {word for token in said for word in token.classes}
    if words.isdisjoint(_DOES):
        return None
    spared = spared_things(clause)
    if not spared:
        return None
    nouns = [agent for noun, agent in _OWN_NOUNS.items() if noun in words]
    pool = [thing for thing in (_at(where.things, times) if times else where.things) if thing not in spared]
    left = [thing for thing in pool if thing.agent in (nouns or [spared[0].agent])]
    left = left or ([] if nouns else pool)  # 除了周会都删了, with one schedule: the tasks
    return replace(_together(left, shown=False), every=True) if left else None


def spared_things(clause: Clause) -> list[KeptThing]:
    """Stored items that a line excepts by name: 除了羽毛球和周会其他的都取消."""
    line, where = clause.text, clause.situation
    if not any(word in line for word in _EVERYTHING):
        return []
    spared: list[KeptThing] = []
    last = -1
    for thing, at in sorted(said_names(line, where.things).items(), key=lambda one: one[1]):
        tied = bool(spared) and 0 <= last <= at[0] and line[last : at[0]].strip() in _TIES
        if tied or _is_spared(line, *at):
            spared, last = [*spared, thing], at[1]
    return spared


def spares_some(said: Sequence[Token], clause: Clause) -> bool:
    """True if a clause excepts named items from all the others."""
    return _without_spared(said, clause, _of_what_is_kept(said, clause.times)) is not None


def _is_spared(line: str, start: int, end: int) -> bool:
    behind = line[end : end + _NEAR].lstrip("就先给我 那个")
    before = line[:start].rstrip(" 那个把")
    excepts = before.endswith(_EXCEPTS) and not before.endswith(_TAKES_AWAY)
    return excepts or behind.startswith(_LEFT)


_TIES: Final = frozenset({"和", "跟", "与", "、", "还有", "以及"})
_EVERYTHING: Final = ("都", "全", "所有", "其他", "其它", "其余", "别的", "剩下")
_EXCEPTS: Final = ("除了", "除开", "除去", "除")
_TAKES_AWAY: Final = ("删除", "清除", "移除", "去除", "解除", "删除了", "清除了")
_LEFT: Final = (
    "留",
    "保留",
    "别动",
    "别删",
    "别取消",
    "不动",
    "不删",
    "不取消",
    "照常",
    "照旧",
    "除外",
    "不算",
)
_NEAR: Final = 8


def _all_but(said: Sequence[Token], clause: Clause) -> Meant | None:
    """只留值班，其他的都取消: all but the named one; a question if none is named."""
    where, line = clause.situation, clause.text
    rest = min((at for word in _OTHERS if (at := line.find(word)) >= 0), default=-1)
    spared = any(0 <= line.find(word) < rest for word in _SPARING)
    if rest >= 0 and any(word in line[rest:] for word in _STAY):
        return None  # 把站会取消，其他留着
    words = {word for token in said for word in token.classes}
    if rest < 0 or words.isdisjoint(_DOES):
        return None
    meant_by_name = _named(said, line, where.things) if spared else ()
    named = {(thing.agent, thing.id) for thing in meant_by_name}
    just = [thing for thing in where.shown if thing.id and thing.name]
    nouns = [agent for noun, agent in _OWN_NOUNS.items() if noun in words]
    pool = just if len(just) > 1 else list(where.things)
    pool = [thing for thing in pool if not nouns or thing.agent in nouns]
    left = [thing for thing in pool if (thing.agent, thing.id) not in named]
    if not left or (named and len(left) == len(pool)):
        return None
    if named:
        return _together(left, shown=False)
    return _unclear(left)


_OTHERS: Final = ("其他", "其它", "其余", "别的")
_STAY: Final = ("留", "照常", "不变", "不动", "照旧")
_SPARING: Final = ("只留", "就留", "留着", "保留", "除了")


def _unclear(things: Sequence[KeptThing]) -> Meant | None:
    """Several candidates; one must be chosen."""
    own = tuple(thing for thing in things if thing.agent == things[0].agent)
    return Meant(own[0].agent, own, counted=True, shown=False) if len(own) > 1 else None


def _together(things: Sequence[KeptThing], *, shown: bool = True) -> Meant:
    agent = things[0].agent
    own = tuple(thing for thing in things if thing.agent == agent)
    others = tuple(thing for thing in things if thing.agent != agent)
    return Meant(agent, own, every=len(things) > 1, counted=True, beside=others, shown=shown)


_ALL: Final = 0
"""Any number."""
_DOES: Final = frozenset({"change", "later", "earlier", "defer", "take_away", "refuse", "finish", "done"})
_OWN_NOUNS: Final = {"task_noun": "tasks", "reminder_noun": "tasks", "schedule_noun": _SCHEDULE}
_COUNTS: Final = frozenset("个件项条场样")
_SOME: Final = frozenset({"俩", "这些", "那些", "这俩", "那俩", "俩个", "它们"})


def _count(said: Sequence[Token], line: str) -> int | None:
    """Number of items in a line: `_ALL` for 全部, 都 and 这些; None without one."""
    spoken = None
    for token in said:
        word = line[token.start : token.end]
        if "all" in token.classes or word in _SOME or word == "都":
            spoken = _ALL if spoken is None else spoken
        if word in ("俩", "这俩", "那俩", "俩个"):
            return 2
        if "unit" in token.classes and word[-1] in _COUNTS and len(word) > 1:
            number = parse_integer(word[:-1])
            if number is not None and number > 1:
                return number
    return spoken


def _says_no_name(token: Token) -> bool:
    return token.classes.isdisjoint(_OF_THINGS) or not token.classes.isdisjoint({"take_away", "refuse"})


def _in_quote(where: Situation, times: Sequence[TimeExpression]) -> tuple[KeptThing, ...]:
    """Items named in full in a quoted line (已记下：明天15:00 组会): 改到四点 refers to them, not to the item
    mentioned last. Of several the one at the quote's time."""
    quote = normalise(where.quoted or "").lower()[:_QUOTED]
    named = [
        thing for thing in where.things if len(thing.name) > 1 and normalise(thing.name).lower() in quote
    ]
    longest = [
        one for one in named if not any(one.name != two.name and one.name in two.name for two in named)
    ]
    if len(longest) < 2:
        return tuple(longest)
    then = parse(quote, where.now, where.zone)
    at = _at(longest, then)
    return at if len(at) == 1 else tuple(longest)


_QUOTED: Final = 400
"""Most characters of a quoted line searched."""


def _alters(said: Sequence[Token]) -> bool:
    """True for a change: a time may then be the new value."""
    return any(not token.classes.isdisjoint(_CHANGES) for token in said)


def _of_one_agent(things: Sequence[KeptThing], last: KeptThing | None) -> tuple[KeptThing, ...]:
    """Items of the agent mentioned last, else the schedules."""
    for agent in (last.agent if last is not None else _SCHEDULE, _SCHEDULE):
        own = tuple(thing for thing in things if thing.agent == agent)
        if own:
            return own
    return tuple(things)


def _numbered(said: Sequence[Token], line: str, shown: Sequence[KeptThing]) -> tuple[KeptThing, ...]:
    """第二个, 最后一个: items of the shown list."""
    found: list[KeptThing] = []
    for token in said:
        if "ordinal" not in token.classes or not shown:
            continue
        word = line[token.start : token.end]
        digits = _DIGITS.search(word)
        number = len(shown) if word.startswith("最后") else parse_integer(digits.group()) if digits else None
        if number is not None and 0 < number <= len(shown):
            found.append(shown[number - 1])
    return tuple(thing for thing in found if thing.id)


def _of_what_is_kept(said: Sequence[Token], times: Sequence[TimeExpression]) -> tuple[TimeExpression, ...]:
    """Times of the item, before the change verb; not the new value."""
    verb = next((token.start for token in said if not token.classes.isdisjoint(_CHANGES)), None)
    before = tuple(time for time in times if verb is None or time.span[1] <= verb)
    return before if before or verb is None or verb > 0 else tuple(times)


def beside(clause: Clause, known: Meant) -> Clause:
    """Clause with ambiguous clock times read next to the item's own: 改到八点 for 19:00 is 20:00, on its day.
    A day without a month is in the item's month."""
    at = known.things[0].at if len(known.things) == 1 else None
    clause = _in_its_month(clause, at)
    if at is None:
        return clause
    dated = any(names_day(each.text) for each in clause.times)
    if (at.hour, at.minute) == (0, 0):
        return clause if dated else replace(clause, times=tuple(_on_its_day(one, at) for one in clause.times))
    times = tuple(_next_to(each, at, dated=dated) for each in clause.times)
    return clause if times == clause.times else replace(clause, times=times)


def _in_its_month(clause: Clause, at: datetime | None) -> Clause:
    """挪到23号 for 24 December, 把12月11号那次挪到10号: in that December, if still to come."""
    today = clause.situation.now.date()
    first = None if at is None else at.date()
    found: list[TimeExpression] = []
    for time in clause.times:
        bare = _BARE_DAY.match(time.text) is not None
        if bare and first is not None and time.date is not None and time.recurrence is None:
            last = monthrange(first.year, first.month)[1]
            own = first.replace(day=min(time.date.day, last))
            if own >= today and own.day == time.date.day and time.end_date is None:
                time = replace(time, date=own)
        elif time.date is not None and names_day(time.text):
            first = time.date
        found.append(time)
    times = tuple(found)
    return clause if times == clause.times else replace(clause, times=times)


_BARE_DAY: Final = Pattern("(?:[0-9]{1,2}|[一二三四五六七八九十]{1,3})[号日]")


def _on_its_day(time: TimeExpression, at: datetime) -> TimeExpression:
    """改到晚上六点 for an item with a day and no clock time: on that day."""
    if time.start is None or time.kind not in ("point", "range"):
        return time
    if time.recurrence is not None or time.moment is not None:
        return time
    return replace(time, date=at.date(), ambiguous="am_pm" if time.ambiguous == "am_pm" else None)


def _next_to(time: TimeExpression, at: datetime, *, dated: bool) -> TimeExpression:
    """`dated`: the line has a day, also for a separate clock time (挪到周日下午吧，时间三点)."""
    if time.start is None or time.recurrence is not None:
        return time
    if time.ambiguous != "am_pm":
        own = time.kind == "point" and not dated and time.moment is None
        return replace(time, date=at.date(), ambiguous=None) if own else time
    early, late = time.start, time.start.replace(hour=(time.start.hour + 12) % 24)
    start = min((early, late), key=lambda one: minutes_apart(one, at.time()))
    return replace(in_half(time, late=start.hour >= 12), date=time.date if dated else at.date())


def _is(thing: KeptThing, other: KeptThing) -> bool:
    return (thing.agent, thing.id) == (other.agent, other.id)


def _named(said: Sequence[Token], line: str, things: Sequence[KeptThing]) -> tuple[KeptThing, ...]:
    """Items sharing most characters with the names in the line."""
    spoken = "".join(
        line[token.start : token.end] if token.classes.isdisjoint(_OF_ORDERS) else "\n" for token in said
    ).lower()
    pairs, names = _pairs(spoken), [normalise(thing.name).lower() for thing in things]
    scored = [
        (0 if pairs.isdisjoint(_pairs(name)) else shared(spoken, name), thing)
        for name, thing in zip(names, things, strict=True)
    ]
    named = _things_said(said, line)
    scored = [
        (0 if length and _of_another_kind(named, name) else length, thing)
        for (length, thing), name in zip(scored, names, strict=True)
    ]
    most = max((length for length, _ in scored), default=0)
    if most >= _LEAST:
        return tuple(thing for length, thing in scored if length == most)
    if _meets(said):
        return tuple(thing for thing in things if thing.name.endswith("会"))
    for spoken_as, names in _KINDS:
        if spoken_as.search(spoken) is not None:
            return tuple(thing for thing in things if names.search(thing.name) is not None)
    letters = set(spoken)
    return tuple(thing for thing in things if 2 <= len(thing.name) <= 4 and letters.issuperset(thing.name))


def _things_said(said: Sequence[Token], line: str) -> tuple[str, ...]:
    """Name words of a line; adjacent ones joined."""
    chunks: list[str] = []
    end = -1
    for token in said:
        if token.classes.isdisjoint(_OF_THINGS) or "time" in token.classes:
            continue
        word = line[token.start : token.end].lower()
        chunks = [*chunks[:-1], chunks[-1] + word] if token.start == end else [*chunks, word]
        end = token.end
    return tuple(chunks)


def _of_another_kind(named: Sequence[str], name: str) -> bool:
    """True if line and name share only the kind of event, with different specifiers: 跨年晚会 is not the
    stored 元旦晚会."""
    found = False
    for words in named:
        length = next((n for n in range(len(words), _LEAST - 1, -1) if words[-n:] == name[-n:]), 0)
        if not length:
            if shared(words, name):
                return False
            continue
        own, kept = words[:-length], name[:-length]
        if len(own) < _LEAST or len(kept) < _LEAST or set(own) & set(kept):
            return False
        found = True
    return found


def _meets(said: Sequence[Token]) -> bool:
    """True for a meeting without a name (那个会)."""
    return any("hui" in token.classes for token in said)


def _at(things: Sequence[KeptThing], times: Sequence[TimeExpression]) -> tuple[KeptThing, ...]:
    """Items at the first time: its day, and its clock time if one fits."""
    if not times:
        return ()
    first = times[0]
    there = [thing for thing in things if thing.at is not None and _on_day(thing, first)]
    pool = there if names_day(first.text) else things
    clocked = [thing for thing in pool if first.start is not None and _at_clock(thing, first)]
    return tuple(clocked or there)


def is_at(thing: KeptThing, time: TimeExpression) -> bool:
    """True if an item is exactly at a time: its day, and its clock time if given."""
    if thing.at is None:
        return False
    day = not names_day(time.text) or _on_day(thing, time)
    return day and (time.start is None or _at_clock(thing, time))


def _is_then(thing: KeptThing, time: TimeExpression) -> bool:
    """True unless a named day differs from the item's."""
    return thing.at is None or not names_day(time.text) or _on_day(thing, time)


def _at_clock(thing: KeptThing, time: TimeExpression) -> bool:
    """True if an item begins at a clock time, in either half of the day if ambiguous."""
    assert time.start is not None
    if thing.at is None or thing.at.minute != time.start.minute:
        return False
    early = time.ambiguous == "am_pm"
    return thing.at.hour == time.start.hour or (early and thing.at.hour % 12 == time.start.hour % 12)


def _on_day(thing: KeptThing, time: TimeExpression) -> bool:
    assert thing.at is not None
    if time.date is None:
        return False
    return time.date <= thing.at.date() <= (time.end_date or time.date)


def on_another_day(known: Meant, clause: Clause) -> bool:
    """True for a named item and another day in one piece (明天不开周会了, with 周会 stored for Monday); not
    with a reason (明天我有事 周会取消)."""
    places = said_names(clause.text, known.things)
    days = [one for one in clause.times if one.kind == "day" and one.date is not None]
    if len(days) != 1 or not places or any(thing.repeats or thing.at is None for thing in known.things):
        return False
    between = clause.text[days[0].span[1] : min(start for start, _ in places.values())]
    one_breath = days[0].span[1] <= len(clause.text) and not set(between) & _BREATHS
    return one_breath and names_day(days[0].text) and not any(_on_day(each, days[0]) for each in known.things)


_BREATHS: Final = frozenset(" ,，。;；")


def speaks_of(said: Reading, known: Meant, clause: Clause) -> bool:
    """True if an apparent creation refers to a stored item: a name and a pointer (猫粮那个), or a clock time
    without a day or recurrence (羽毛球 场地没了 八点吧)."""
    names = "".join(thing.name for thing in known.things)
    for before, token in pairwise(said.tokens):
        named = said.line[before.start : before.end]
        if "this" in token.classes and len(named) > 1 and named in names:
            return True
        if "this" in before.classes and not token.classes.isdisjoint(_KEPT):
            return True  # 周六那顿饭 七点开始吧
    timed = bool(clause.times) and all(
        time.start and time.recurrence is None and not names_day(time.text) for time in clause.times
    )
    return timed and not any(not token.classes.isdisjoint(_MAKES) for token in said.tokens)


def _that_time(
    said: Sequence[Token], line: str, times: Sequence[TimeExpression], things: Sequence[KeptThing]
) -> tuple[KeptThing, ...]:
    """Recurring item pointed at by the day of an occurrence (12月16号那次); empty if several or none fit that
    weekday."""
    first = times[0] if times else None
    if first is None or first.date is None or first.recurrence is not None or not names_day(first.text):
        return ()
    behind = next((token for token in said if token.start >= first.span[1]), None)
    if behind is None or line[behind.start : behind.end] not in _ONE_TIME:
        return ()
    day = first.date
    found = tuple(
        thing
        for thing in things
        if thing.agent == _SCHEDULE
        and thing.at is not None
        and (thing.at.date() == day or (thing.repeats and thing.at.date() < day))
        and thing.at.weekday() == day.weekday()
    )
    return found if len(found) == 1 else ()


_ONE_TIME: Final = frozenset({"那次", "这次", "那一次", "那场", "那回", "那节"})


def _is_another(said: Sequence[Token], line: str) -> bool:
    """True for a pointer with a name of its own (牙医那个, 私下问那个): without a stored item of that name
    nothing is meant."""
    for at, token in enumerate(said):
        if "this" not in token.classes or line[token.start : token.end] not in _POINTERS:
            continue
        named: list[Token] = []
        for before in reversed(said[:at]):
            if not before.classes.isdisjoint(_ENDS_NAME) or before.end != (named or [token])[-1].start:
                break
            named.append(before)
        words = "".join(line[each.start : each.end] for each in reversed(named)).removesuffix("的")
        if len(words) > 1 and any(not each.classes.isdisjoint(_OF_THINGS) for each in named):
            told = any(not each.classes.isdisjoint(_TELLS_OF_IT) for each in named)
            return not told and not words.startswith(_LATELY)
    return False


_POINTERS: Final = frozenset({"那个", "这个", "那条", "那场", "那顿", "那件", "那件事", "那个事", "那份"})
_ENDS_NAME: Final = frozenset({"time", "pause", "blank", "ba", "this", "take_away", "change", "courtesy"})
_TELLS_OF_IT: Final = frozenset(
    {"says", "make", "remind", "self", "you", "ordinal", "schedule_noun", "task_noun"}
)
_LATELY: Final = ("刚", "上面", "前面", "最近", "最后")
"""刚才说的那个, 我记的那个: reference by time or action, not a name."""


def _points(said: Sequence[Token]) -> bool:
    return any("this" in token.classes for token in said)


def _names(said: Sequence[Token]) -> bool:
    """True if any word may be a name."""
    return any(not token.classes.isdisjoint(_OF_THINGS) for token in said)


_NAMED: Final = 2
"""Fewest characters shared with the order."""


def names_part(line: str, order: str) -> bool:
    """True if a line names a part of the order."""
    return shared(normalise(line).lower(), normalise(order).lower()) >= _NAMED


def another_part(named: str, name: str) -> str:
    """Words after an item's name for an unstored part of it (培训老师, of 培训); empty if none."""
    words = named.lower()
    for end in range(len(words) - 1, _LEAST - 1, -1):
        if any(words[at:end] in name.lower() for at in range(end - _LEAST + 1)):
            rest = named[end:].strip("的那个这 ")
            return rest if len(rest) >= _LEAST and rest not in _OF_ANYTHING else ""
    return ""


_OF_ANYTHING: Final = frozenset(
    {
        "日程",
        "活动",
        "安排",
        "时间",
        "名字",
        "标题",
        "名称",
        "内容",
        "主题",
        "提醒",
        "任务",
        "待办",
        "计划",
        "那次",
        "那个",
        "那天",
        "这次",
        "这个",
        "地点",
        "地方",
    }
)


def shared(line: str, name: str) -> int:
    """Number of characters of a name in the line, in runs of two or more: 设计的评审 has four."""
    found = at = 0
    while at < len(name):
        run = next((n for n in range(len(name) - at, _LEAST - 1, -1) if name[at : at + n] in line), 0)
        found += run
        at += run or 1
    return found
