"""Corrections of an earlier line or item: 打错咯 是二十九号, 不对 公会战是周日.

Rewritten as change orders (改到二十九号, 公会战改到周日) for the rules. Pure; the words are in `answer.toml`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo

from ..answers.answer_words import CORRECTION
from ..reading import words_of
from ..recognise.times import TimeExpression, names_day, parse

Edit = tuple[int, int, str]
"""Stretch of a line, and its replacement."""
LONGEST: Final = 40
"""Most characters of a pure correction."""
_ZONE: Final = ZoneInfo("Asia/Shanghai")
_SOME_DAY: Final = datetime(2026, 1, 7, 12, tzinfo=_ZONE)
"""Only the places of times are used, not their values."""
_PAUSES: Final = frozenset(" ,.。;!、~…")
_PUT: Final = "改到"
_RENAME: Final = "改名为"
_NOT: Final = "不是"
_IS: Final = "是"
_HINTS: Final = ("错", "不对", "不不", "不是", "误", "滑", "唔", "没", "不删", "不取消", "咋", "怎么", "为啥")
_CHANGES: Final = frozenset({"change", "later", "earlier", "defer"})
_DENIALS: Final = ("不", "没", "别", "莫")
_PAST: Final = ("昨", "前天", "上", "去年")
_NAME: Final = range(2, 13)
"""Characters of a name before its new value."""


def corrected(line: str) -> tuple[Edit, ...]:
    """Replacements of a correcting line; empty if none, or not of a time."""
    if not 0 < len(line) <= LONGEST or not any(hint in line for hint in (*_HINTS, *_words("unfit"))):
        return ()
    if kept := _kept_and_changed(line):
        return kept
    if (name := _misnamed(line)) is not None:
        return ((0, name, _RENAME),)
    if (change := changed_behind_why(line)) is not None:
        return ((0, change, ""),)
    if (denied := _denied_behind(line)) is not None:
        told = line[:denied].rstrip(" ,")
        return (*(corrected(told) or _only_is(told) or _name_is(told)), (len(told), len(line), ""))
    at = _behind_openers(line)
    times = parse(line, _SOME_DAY, _ZONE)
    if at is None:
        return _wondered(line, times) or _contrasted(line, times)
    if _longest(line, at, _words("part")):
        return ((0, at, ""),)  # 打错了 地点是302
    says = _longest(line, at, _words("is"))
    begins = at + says
    first = next((time for time in times if time.span[0] >= at), None)
    if first is not None and first.span[0] == begins:
        rest = _ended(line, first.span[1])
        if rest is not None and not says and not names_day(first.text):
            return ((0, begins, ""), rest)  # 不对，等等，5点: a clock time is the item, or its new value
        if rest is not None:
            return ((0, begins, _PUT), rest)
        return ((0, begins, _PUT),) if says else ()  # 是二十九号去医院
    if first is not None and (named := _named(line, at, first)) is not None:
        rest = _ended(line, first.span[1])
        return ((0, at, ""), (named, first.span[0], _PUT), rest) if rest is not None else ()
    said = words_of(line[begins:])
    if said and not said[0].classes.isdisjoint(_CHANGES) and "soon" not in said[0].classes:
        return ((0, begins, ""),)  # 不对 是往后挪一天, 哎不对 改三点
    return ()


def changed_behind_why(line: str) -> int | None:
    """Start of the last piece with a new time, after 不对 or a rejected time and its reason (不对
    两点半医院还在午休 改三点一刻); None for any other line."""
    at = max(line.rfind(mark) for mark in " ,.。") + 1
    if not 0 < at < len(line) or len(line) > LONGEST:
        return None
    verb = next((word for word in _CHANGE_WORDS if line.startswith(word, at)), "")
    times = parse(line, _SOME_DAY, _ZONE)
    last = times[-1] if times else None
    if not verb or last is None or last.span[0] != at + len(verb) or _ended(line, last.span[1]) is None:
        return None
    why = line[:at].strip(" ,.。")
    if _behind_openers(line) is not None:
        return at if correction_at(line) != at else None
    unfit = why.endswith(tuple(_words("unfit")))
    return at if unfit and len(times) == 2 and times[0].span[0] == 0 else None


_CHANGE_WORDS: Final = ("改成", "改到", "改为", "改", "换成", "换到", "换", "挪到", "推到", "提前到", "延到")


def _kept_and_changed(line: str) -> tuple[Edit, ...]:
    """没取消 就是改到晚上六点, 剧本杀不是不搞 是改到周日: without the denied deletion."""
    start = next((place for place in range(len(line)) if _kept(line, place)), None)
    if start is None or (start and not (start in _NAME and line[:start].strip(" ,").isalnum())):
        return ()
    at = start
    while at < len(line) and (size := _kept(line, at) or int(line[at] in _PAUSES)):
        at += size
    put = _longest(line, at, (*_words("is"), "只是"))
    at += put
    said = words_of(line[at:])
    changes = any(not one.classes.isdisjoint(_CHANGES) and "soon" not in one.classes for one in said)
    if changes:
        return ((start, at, ""),)
    first = next(iter(parse(line[at:], _SOME_DAY, _ZONE)), None) if put else None
    if first is None or first.span[0]:
        return ()
    end = at + first.span[1]
    verb = next((each[1:] for each in _words("taken") if each[0] == "不" and each in line[start:at]), "")
    done = end + len(verb) if verb and line.startswith(verb, end) else end
    return ((start, at, _PUT), (end, len(line), "")) if _ended(line, done) is not None else ()


def _kept(line: str, at: int) -> int:
    """Length of words denying a deletion: 没取消, 不是不去, 又没说不要了."""
    whole = _longest(line, at, _words("kept"))
    denial = _longest(line, at, _words("denial"))
    taken = _longest(line, at + denial, _words("taken")) if denial else 0
    size = max(whole, denial + taken if taken else 0)
    return size + _longest(line, at + size, ("了",)) if size else 0


def _misnamed(line: str) -> int | None:
    """名字不对 叫清明带爸妈去成都耍: start of the name."""
    at = _longest(line, 0, _words("misnamed"))
    if not at:
        return None
    while at < len(line) and line[at] in _PAUSES:
        at += 1
    named = _longest(line, at, (*_words("named"), *_words("is"), "应该叫", "是叫"))
    return at + named if named and at + named < len(line) else None


def _wondered(line: str, times: Sequence[TimeExpression]) -> tuple[Edit, ...]:
    """我的降压药咋个改成九点了 是七点半: the right value after a wrong change."""
    places = [at for word in _words("wonders") if (at := line.find(word)) > 0]
    if not places or len(times) != 2:
        return ()
    asked, (wrong, right) = min(places), times
    between, before = line[wrong.span[1] : right.span[0]], line[asked : wrong.span[0]]
    rest = _ended(line, right.span[1])
    if rest is None or not before.endswith(("成", "到")) or not _only_says_is(between):
        return ()
    return ((asked, right.span[0], _PUT), rest)


def correction_at(line: str) -> int | None:
    """Start of the right value, after 不对, 打错咯, 不是 and the like and a pause; None if none."""
    at = _behind_openers(line)
    if at is None and line.startswith(_NOT) and line[len(_NOT) : len(_NOT) + 1] in _PAUSES:
        at = len(_NOT) + 1
    return at if at is not None and 0 < at < len(line) and line[at - 1] in _PAUSES else None


def without_is(line: str) -> str:
    """Line without a leading 是, 应该是 and the like."""
    return line[_longest(line, 0, _words("is")) :].strip(" ,")


def opens_by_correcting(line: str) -> bool:
    """True for 不对, 打错咯 and the like at the start of a longer line."""
    return _behind_openers(line) is not None


def _behind_openers(line: str) -> int | None:
    """Start of the right value; None without a correcting word, or without a value."""
    at, wrong = 0, False
    while at < len(line):
        opener, lead = _longest(line, at, _words("opener")), _longest(line, at, _words("lead"))
        if line[at] in _PAUSES:
            at += 1
        elif opener >= lead and opener and not _longest(line, at, _words("is")) > opener:
            at, wrong = at + opener, True
        elif lead:
            at += lead
        else:
            break
    return at if wrong and at < len(line) else None


def _named(line: str, at: int, time: TimeExpression) -> int | None:
    """End of a name before 是 and its time (公会战是 | 周日)."""
    for word in sorted(_words("is"), key=len, reverse=True):
        start = time.span[0] - len(word)
        name = line[at:start].strip(" ,")
        if line[start : time.span[0]] == word and len(name) in _NAME:
            return start if name.isalnum() and not any(no in name for no in _DENIALS) else None
    return None


def chosen_again(line: str) -> tuple[int, int] | None:
    """Span of the newly chosen time in a line of nothing else (七点半吧还是, 还是七点半吧)."""
    text = line.strip(" ,")
    first = next(iter(parse(line, _SOME_DAY, _ZONE)), None) if _RATHER in text else None
    if first is None or not 0 < len(line) <= LONGEST:
        return None
    start, end = first.span
    before, behind = line[:start].strip(" ,"), line[end:].strip(" ,。!~")
    if before == _RATHER:
        return (start, end) if only_trails(line, end) else None
    tail = behind.removesuffix(_RATHER)
    return (start, end) if not before and tail != behind and only_trails(f"{tail} ", 0) else None


_RATHER: Final = "还是"


def _contrasted(line: str, times: Sequence[TimeExpression]) -> tuple[Edit, ...]:
    """聚餐不是后天 打错了 是大后天; 下周四 不是这周四."""
    no = line.find(_NOT)
    wrong = next((time for time in times if time.span[0] == no + len(_NOT)), None) if no >= 0 else None
    if wrong is None:
        return ()
    if (
        not no and len(times) == 2 and times[0].span == times[1].span
    ):  # 不是周五 周六: two days, read as a list
        at = next((place for place in range(*wrong.span) if line[place] in _PAUSES), None)
        rest = _ended(line, wrong.span[1]) if at is not None else None
        return ((0, at + 1, _PUT), rest) if at is not None and rest is not None else ()
    right = next((time for time in times if time is not wrong), None)
    if right is None:
        return ()
    start, end = right.span
    if end <= no and not line[:start].strip(" ,") and not line[end:no].strip(" ,"):
        rest = _ended(line, wrong.span[1])
        return ((0, start + 1, _PUT + line[start]), (end, len(line), "")) if rest is not None else ()
    between = line[wrong.span[1] : start] if start >= wrong.span[1] else ""
    rest = _ended(line, end)
    if not between or rest is None or no not in (0, *_NAME) or not _only_says_is(between):
        return ()
    if not no and any(past in time.text for time in (wrong, right) for past in _PAST):
        return ()  # 不是昨天 是前天, of what was spent
    return ((no, start, _PUT), rest)


def _denied_behind(line: str) -> int | None:
    """Start of a wrong time that is denied behind the right one and closes the line (不对 是周六 | 不是周日,
    是六点 | 不是五点, 买菜是九点 | 不是八点); None in any other line."""
    no = line.find(_NOT, 1)
    if no < 0 or _ended(line[no:], 0) is not None:
        return None
    wrong, told = line[no + len(_NOT) :], line[:no].rstrip(" ,")
    times = parse(wrong, _SOME_DAY, _ZONE)
    if len(times) != 1 or times[0].span[0] or _ended(wrong, times[0].span[1]) is None:
        return None
    known = bool(_only_is(told) or _name_is(told)) or _behind_openers(told) is not None
    return no if known and parse(told, _SOME_DAY, _ZONE) else None


def _only_is(told: str) -> tuple[Edit, ...]:
    """是六点 and nothing else, as an order."""
    says = _longest(told, 0, _words("is"))
    first = next(iter(parse(told, _SOME_DAY, _ZONE)), None) if says else None
    return ((0, says, _PUT),) if first is not None and first.span == (says, len(told)) else ()


def _name_is(told: str) -> tuple[Edit, ...]:
    """买菜是九点 and nothing else, as an order; 今天是周六 tells the day."""
    times = parse(told, _SOME_DAY, _ZONE)
    if len(times) != 1 or times[0].span[1] != len(told):
        return ()
    named = _named(told, 0, times[0])
    return ((named, times[0].span[0], _PUT),) if named is not None else ()


def _only_says_is(between: str) -> bool:
    at = _behind_openers(between + "|") or 0
    while at < len(between) and (between[at] in _PAUSES or _longest(between, at, _words("tail"))):
        at += max(1, _longest(between, at, _words("tail")))
    return between[at:] in _words("is") or (at > 0 and not between.strip(" ,"))  # 不是周五 周六


def _ended(line: str, at: int) -> Edit | None:
    """Trailing particles after a time as a deletion; None if anything else follows."""
    start = at
    while at < len(line):
        size = _longest(line, at, _words("tail"))
        if not size and line[at] not in _PAUSES:
            return None
        at += max(1, size)
    return (start, len(line), "")


def name_told(line: str) -> tuple[int, str] | None:
    """Start of a later piece with a new name (改到3点半 名字改成取快递), and the name."""
    for word in _words("name"):
        at = line.find(word, 1)
        if at < 1 or line[at - 1] not in _PAUSES:
            continue
        put = _longest(line, at + len(word), _words("named"))
        rest = line[at + len(word) + put :]
        if put and rest:
            end = min((place for mark in " ,。!" if (place := rest.find(mark)) > 0), default=len(rest))
            return at, rest[:end].strip("「」“”\"' 吧")
    return None


def only_trails(line: str, at: int) -> bool:
    """True if only particles follow a place in a line."""
    return _ended(line, at) is not None


def only_times(line: str, times: Sequence[TimeExpression]) -> bool:
    """True for times with only particles behind (九点嘛, 从下下周开始哈)."""
    if not times or len(line) > LONGEST:
        return False
    at = 0
    for start, end in sorted({span for time in times for span in time.spans}):
        if any(letter not in _PAUSES for letter in line[at:start]):
            return False  # 周六聚餐 晚上六点: one time in two pieces, and what happens between them
        at = max(at, end)
    return _ended(line, at) is not None


def corrects_time(line: str) -> bool:
    """Word of change, correction or identity beside a time, or one used only before a value (改到周日三点,
    两个都是昨天的, 到十二点)."""
    if line.startswith(tuple(_words("before_value"))):
        return True
    tells = any(not token.classes.isdisjoint(_CHANGES) for token in words_of(line)) or _IS in line
    return tells or correction_at(line) is not None


def _longest(line: str, at: int, words: Iterable[str]) -> int:
    return max((len(word) for word in words if line.startswith(word, at)), default=0)


@cache
def _words(kind: str) -> frozenset[str]:
    return frozenset(CORRECTION[kind])
