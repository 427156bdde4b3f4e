"""Roster in one line (明天早班小李 晚班阿芳; 周一小王值日 周二小李): a schedule for each turn or day.
Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from ...patterns import Pattern
from ..clause import Clause, KeptThing
from ..names.turns import DUTY, LONGEST_NAME, TIES, is_member_name, taken_over
from ..reading import words_of
from ..recognise.times import TimeExpression, names_day, parse
from ..text.tokens import Token
from ..word_lists import table

_SHIFT: Final = "shift"
_APART: Final = frozenset({"pause", "blank", "stop", "time"})


def turns_of(clause: Clause) -> tuple[Clause, ...]:
    """A clause for each of several turns, on the day before them; none for fewer than two. The member is
    after the turn (早班小李), or before it (小李早班阿芳晚班)."""
    tokens = words_of(clause.text, clause.times, clause.amounts)
    turns = [at for at, token in enumerate(tokens) if _SHIFT in token.classes]
    if len(turns) < 2 or clause.amounts:
        return ()
    behind = turns[0] == 0 or not tokens[turns[0] - 1].classes.isdisjoint(_APART)
    starts = [_start(tokens, at, turns, behind=behind) for at in turns]
    ends = [*starts[1:], len(clause.text)]
    parts = [clause.text[start:end].strip(" ,，、;") for start, end in zip(starts, ends, strict=True)]
    day = _day_before(clause, starts[0])
    situation = clause.situation
    said = [f"{day}{part}" for part in parts]
    return tuple(Clause(one, situation, tuple(parse(one, situation.now, situation.zone))) for one in said)


def _start(tokens: Sequence[Token], at: int, turns: Sequence[int], *, behind: bool) -> int:
    """Start of a turn's part: its name, or the member before it."""
    if behind:
        return tokens[at].start
    first = at
    while first and first - 1 not in turns and tokens[first - 1].classes.isdisjoint(_APART):
        first -= 1
    return tokens[first].start


def _day_before(clause: Clause, at: int) -> str:
    """Words of the day before the first turn."""
    for one in clause.times:
        start, end = one.spans[0]
        if end <= at:
            return clause.text[start:end]
    return ""


_EVERY: Final = Pattern("每周|每个?星期|每礼拜|以后|固定")
_TIE_WORDS: Final = Pattern("^(?:是|归|轮到|由|给|让|派)|(?:来|去|负责|的|吧|哈|啊)$")
_NO_ROSTER: Final = Pattern(
    "[吗么?？几谁啥不没别我]|换|改|取消|删|提醒|要是|如果|万一|听说|昨|上周|什么|还是|可能|应该"
)
_WEEKDAY_TEXT: Final = Pattern("^(?:周|星期|礼拜)[一二三四五六日天]")
_DAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_DAY_NAMES: Final = "一二三四五六日"


def days_of(clause: Clause) -> tuple[Clause, ...]:
    """A clause for each day of a duty roster.

    周一小王值日 周二小李 周三小张; 值日表:周一到周三 小王 小李 小张. None for no roster, a question or a
    change.
    """
    text, times = clause.text.rstrip(), clause.times
    duty = DUTY.search(text)
    if duty is None or _NO_ROSTER.search(text) is not None or not times or clause.amounts:
        return ()
    first, *others = times
    found = _named_by_day(text, times) if others else _dealt_out(text, first)
    if len(found) < _LEAST or any(not is_member_name(who) for _, who in found):
        return ()
    situation = clause.situation
    said = [f"{day}{who}{duty.group()}" for day, who in found]
    return tuple(Clause(one, situation, tuple(parse(one, situation.now, situation.zone))) for one in said)


_LEAST: Final = 2


def _named_by_day(text: str, times: Sequence[TimeExpression]) -> list[tuple[str, str]]:
    """Days with the name behind each."""
    named = [one for one in times if names_day(one.text) and one.invalid is None and not _only_weekly(one)]
    days = [one.spans[-1] for one in named]
    head = text[: days[0][0]] if days else ""
    if len(days) < _LEAST or len(_bare(head)) > LONGEST_NAME or len(set(days)) < len(days):
        return []
    every = _EVERY.search(head) is not None
    found: list[tuple[str, str]] = []
    for at, (start, end) in enumerate(days):
        until = days[at + 1][0] if at + 1 < len(days) else len(text)
        day = text[start:end]
        weekly = every and _WEEKDAY_TEXT.match(day) is not None
        found.append((f"每{day}" if weekly else day, _bare(text[end:until])))
    return found


def _dealt_out(text: str, days: TimeExpression) -> list[tuple[str, str]]:
    """周一到周三值日 小王 小李 小张: as many names as days."""
    if len(days.spans) != 1 or days.invalid is not None:
        return []
    rule, first, last = days.recurrence, days.date, days.end_date
    if rule is not None and rule.freq == "weekly" and rule.interval == 1:
        every = "每" if "每" in text[: days.span[1]] else ""
        said = [f"{every}周{_DAY_NAMES[_DAYS.index(code)]}" for code in rule.byday if code in _DAYS]
    elif rule is None and first is not None and last is not None and (last - first).days < _MOST_DAYS:
        run = [first + timedelta(days=at) for at in range((last - first).days + 1)]
        said = [f"{each.month}月{each.day}日" for each in run]
    else:
        return []
    behind = DUTY.sub(" ", text[days.span[1] :])
    names = [bare for name in re.split("[ ,，、;；:：]+", behind) if (bare := _bare(name))]
    return list(zip(said, names, strict=True)) if len(names) == len(said) else []


_MOST_DAYS: Final = 14


def _only_weekly(one: TimeExpression) -> bool:
    """每周 before a roster: recurrence of all its turns."""
    return one.recurrence is not None and not one.recurrence.byday


def _bare(words: str) -> str:
    """Words without the duty and connectives."""
    found = DUTY.sub("", words).strip(TIES)
    for word in ("表", "安排", "名单", "排班", "每周", "这周", "本周", "下周"):
        found = found.removeprefix(word).removesuffix(word).strip(TIES)
    return _TIE_WORDS.sub("", _TIE_WORDS.sub("", found)).strip(TIES)


_HANDS_OVER: Final = Pattern(
    f"(?:那天|{table('roster.duty')})*+(?:先|就|都|也)?(?:换|改|轮)(?:成|给|为|到|由)?"
    "(?P<who>[^ ,，。!?成给为到个了吗]{1,4}?)"
    "(?:来|上|吧|哈|啊|了|[。!~ ])*"
)


def handed_over(clause: Clause) -> Clause | None:
    """下周二换小红, on a day with a turn, as a change order; None for any other line."""
    one = clause.times[0] if len(clause.times) == 1 else None
    if one is None or one.date is None or one.start is not None or len(one.spans) != 1 or one.span[0] > 1:
        return None
    found = _HANDS_OVER.fullmatch(clause.text[one.span[1] :].strip())
    if found is None or not is_member_name(found["who"]):
        return None
    turns = [each for each in clause.situation.things if taken_over(each.name, found["who"]) != found["who"]]
    if not any(_is_on(each, one.date) for each in turns):
        return None
    text = f"{clause.text[: one.span[1]]}换成{found['who']}"
    return replace(clause, text=text, amounts=())


def _is_on(thing: KeptThing, day: date) -> bool:
    if thing.at is None:
        return False
    return thing.at.date() == day or (thing.repeats and thing.at.weekday() == day.weekday())
