"""A plan that several members made in several lines: who asked when, who set the time, who agreed. Pure.

那评审放哪天啊 / 周五吧 下午两点 302 / ok; 帮战周五晚上八点 / 扣1 / 1. Narrow: whoever reads one asks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final
from zoneinfo import ZoneInfo

from ...patterns import Pattern
from ..recognise.times import TimeExpression, names_day, parse
from .line import RecordLine
from .marks import ASSENT_LINES, ASSENT_WITHIN, asks, assents, settles

_CALLS: Final = Pattern("(?:扣|打)(?:个|波)?1|报名|接龙|来的|参加的|要去的|谁来|有人来|[+]1的?")
"""Calls upon the others to say that they come."""
_SIGNS: Final = Pattern("(?:扣|打)?[+]?1|我?来|我?参加|我?去|带我|算我(?:一个)?|我可以|在")
_SUBJECT: Final = Pattern(
    "^(?:那|那么|所以|话说|对了|大家|咱们?|我们|这次|[, ])*(?P<what>[^ ,。!?0-9哪几啥什]{2,8}?)"
    "(?:要|该|就)?(?:放|定|约|改|安排|搞|开|弄|订|办|吃|打|聚)?(?:在|到|个)?"
    "(?:什么时候|啥时候|哪[一个]?天|哪个时间|几点|几号|周几|礼拜几|何时|什么时间)"
)
_PARTICLES: Final = Pattern("(?<=[^ ,。])[吧呗啊哈呀嘛哦](?=$|[ ,。!~])")
_LEADS: Final = Pattern("^(?:那|就|要不|不如|还是|嗯|好的?|行|ok|[, ])++")
_LEAST: Final = 2
_MOST: Final = 40
"""Characters of the line that sets the time."""
_SIGNED: Final = 2
"""Number of others joining from which a plan is created unasked."""


def made_together(lines: Sequence[RecordLine]) -> tuple[RecordLine, str] | None:
    """The line of whoever set the time of a plan to which the last line agrees, and the plan in words; None
    where that agrees to none."""
    *before, last = lines
    if not (agrees(last) and before):
        return None
    agreed = {last.user_id}
    for at in range(len(before) - 1, max(-1, len(before) - 1 - ASSENT_LINES), -1):
        said = before[at]
        if last.at - said.at > ASSENT_WITHIN:
            return None
        if agrees(said):
            agreed.add(said.user_id)
        elif not _only_calls(said):
            return _set_by(said, before[:at], lines[at + 1 :], agreed - {said.user_id})
    return None


def agrees(line: RecordLine) -> bool:
    """True if the whole line is an assent, or an announcement to come."""
    return not line.bot and (assents(line) or _SIGNS.fullmatch(line.text.strip(" 。!~吧啊")) is not None)


def _only_calls(line: RecordLine) -> bool:
    text = line.text
    return len(text) <= _MOST and _CALLS.search(text) is not None and not _times(line)


def _set_by(
    said: RecordLine, before: Sequence[RecordLine], behind: Sequence[RecordLine], agreed: set[str]
) -> tuple[RecordLine, str] | None:
    times = _times(said)
    clocked = any(each.start is not None for each in times) and any(names_day(each.text) for each in times)
    if said.bot or said.to_us or not (clocked and agreed) or len(said.text) > _MOST or asks(said):
        return None
    words = _LEADS.sub("", _PARTICLES.sub("", said.text)).strip(" ,。!~")
    if len(_named(said, times)) >= _LEAST:
        called = any(_only_calls(each) and each.user_id == said.user_id for each in behind)
        return (said, words) if called or len(agreed) >= _SIGNED else None
    for question in reversed(before[-ASSENT_LINES:]):
        subject = _SUBJECT.search(question.text)
        near = said.at - question.at <= ASSENT_WITHIN
        if subject is not None and near and not question.bot and settles(said, question):
            return said, f"{words} {subject['what']}"
    return None


def _times(line: RecordLine) -> tuple[TimeExpression, ...]:
    zone = line.at.tzinfo
    return tuple(parse(line.text[:_MOST], line.at, zone)) if isinstance(zone, ZoneInfo) else ()


def _named(line: RecordLine, times: Sequence[TimeExpression]) -> str:
    """Content of a line beside times, numbers and fillers."""
    text = line.text
    for start, end in sorted((span for each in times for span in each.spans), reverse=True):
        text = f"{text[:start]} {text[end:]}"
    text = _LEADS.sub("", _PARTICLES.sub("", text.strip()))
    return re.sub("[^一-鿿a-zA-Z]|老地方|见|集合|开始|在|[吧呗啊]", "", text)
