"""Pasted text: minutes, notices and articles. Pure.

Never work by itself, whatever its lines look like; with an order beside it (帮我记一下 and the minutes) its
plans go on one card. No bookkeeping.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from ...patterns import Pattern
from ..clause import Clause, Situation
from ..recognise.money import find_amounts
from ..recognise.times import names_day
from ..word_lists import table
from .segments import message

LONG: Final = 400
"""Characters from which a message is pasted."""
SHORT: Final = 120
"""Characters up to which several lines are orders, not a text."""
MOST: Final = 30
"""Most lines searched."""
_LINES: Final = 4
_LISTED: Final = 160
"""Characters from which several lines are a text."""
_SENTENCES: Final = 5
_TOLD_AT_LENGTH: Final = 200
"""Characters from which several sentences are a text."""
_SPEAKERS: Final = 3
"""Lines with a speaker and a clock time, with words below, that make a copied chat."""
_HEADING: Final = Pattern("【[^】]{2,20}】|^[^\n]{0,12}(?:纪要|速记|通知|公告|议程|须知|简报)", re.MULTILINE)
_TITLED: Final = Pattern("[^\n,，。;；:：]{0,12}(?:纪要|速记|会议记录|通知|公告|议程|须知|简报)")
_MINUTES: Final = Pattern("[^\n,，。;；:：]{0,12}(?:纪要|会议记录|简报)[:：]")
"""Heading: the minutes follow in the same line."""
_ITEM: Final = Pattern(r"(?:(?<=[\n。;；,，:： ])|^)(?:\d{1,2}[.、)）](?!\d)|[一二三四五六七八九十]、)")
_ITEMS: Final = 3
"""Numbered items after a heading that make one line a text, however short."""
_ORDER: Final = Pattern(
    f"(?:请|麻烦|你|帮忙|小秘|秘书|把?这[个条]|[ ,，。:：@])*{table('pasted.order')}"
    "(?:一下|下|吧|啊|哈|谢谢|里|上|[ ,，。!！:：~])*"
)
_LONGEST_ORDER: Final = 30
_LABEL: Final = Pattern(f"^(?:{table('pasted.label')})[^:：]{{0,6}}[:：]")
_OF_ITSELF: Final = (_LABEL, _MINUTES)
_TOLD: Final = Pattern("已经|已[完解恢通提发]|过一[次遍]|了$")
_HEAD: Final = Pattern(r"[(（]?(?:\d{1,2}|[一二三四五六七八九十]{1,3})(?:[)）、]|[.,，](?!\d))|[①-⑳]")
"""List mark; not the number of a month (11月22日)."""
_BULLETS: Final = " \t*•·-—"
_CLOCK: Final = Pattern(r"\d{1,2}[:：]\d{2}(?:[:：]\d{2})?")
_LONGEST_NAME: Final = 16
_SENTENCE: Final = Pattern("[。!！?？]+")
_PARAGRAPH: Final = Pattern(r"\n[ \t\r]*\n")


def is_pasted(text: str) -> bool:
    """True if a message is pasted text, not addressed to somebody."""
    body = text.strip()
    if _TITLED.match(body) is not None and len(_ITEM.findall(body)) >= _ITEMS:
        return True
    lines = [line.strip() for line in body.splitlines() if line.strip()]
    if _is_talk(lines):
        return True
    if len(body) <= SHORT:
        return False
    headed = len(lines) > 1 and _HEADING.search(body) is not None
    labelled = sum(_LABEL.match(line) is not None for line in lines) > 1
    parted = _PARAGRAPH.search(body) is not None
    listed = len(lines) >= _LINES and len(body) > _LISTED
    told = len(body) > _TOLD_AT_LENGTH and len(_SENTENCE.findall(body)) >= _SENTENCES
    return len(body) > LONG or headed or labelled or parted or listed or told


def _is_talk(lines: Sequence[str]) -> bool:
    """老王 10:02, with words below: a copied chat; 开会 15:00 has none below."""
    speaks = [_speaks(line) for line in lines]
    return sum(one and not other for one, other in pairwise([*speaks, True])) >= _SPEAKERS


def _speaks(line: str) -> bool:
    name, _, clock = line.rpartition(" ")
    return 0 < len(name.strip()) <= _LONGEST_NAME and _CLOCK.fullmatch(clock.strip("()（）")) is not None


def body_of(text: str) -> str | None:
    """Text before or after its order; None without an order."""
    body = text.strip()
    found = _ORDER.match(body)
    if found is not None:
        return body[found.end() :]
    first, _, rest = body.partition("\n")
    if len(first) <= _LONGEST_ORDER and rest and _ordered(first):
        return rest
    before, _, last = body.rpartition("\n")
    return before if before and len(last) <= _LONGEST_ORDER and _ordered(last) else None


def quoted_body(words: str, quoted: str, situation: Situation) -> str | None:
    """Quoted text with future plans, for a line that is only the order to store it (记一下); None for any
    other line. Amounts in one line belong to the books."""
    if _ORDER.fullmatch(words.strip()) is None:
        return None
    if "\n" not in quoted.strip() and any(each.fen for each in find_amounts(quoted)):
        return None
    today = situation.now.date()
    times = (one for line in plans_in(quoted, situation) for one in line.times)
    return quoted if any(one.date is not None and one.date >= today for one in times) else None


def _ordered(line: str) -> bool:
    return _ORDER.search(line) is not None


def plans_in(text: str, situation: Situation) -> tuple[Clause, ...]:
    """Lines of a text with a day, each read alone; labels (时间：, 地点：) are no plans."""
    found: list[Clause] = []
    talk = _is_talk([line.strip() for line in text.splitlines() if line.strip()])
    for line in re.split("[\n。；;]", _ITEM.sub("\n", text)):
        words = line.strip()
        if not words or len(words) > SHORT or any(found.match(words) for found in _OF_ITSELF):
            continue
        if talk and _speaks(words):
            continue
        words = words.lstrip(_BULLETS)
        head = _HEAD.match(words)
        said, _ = message(words[0 if head is None else head.end() :].lstrip(_BULLETS), situation)
        clause = said.clause(0, len(said.text))
        told = _TOLD.search(clause.text) is not None or any(one.kind == "date_range" for one in clause.times)
        if not told and any(names_day(one.text) for one in clause.times):
            found.append(Clause(clause.text, situation, clause.times))
    return tuple(found[:MOST])
