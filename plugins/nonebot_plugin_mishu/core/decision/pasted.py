"""Pasted text: minutes, notices and articles that somebody puts into the group. Pure.

It is never work by itself, however many orders its lines look like; with an order beside it (帮我记一下 and
the minutes) what its lines plan is put on one card. Nothing of it is money.
"""

from __future__ import annotations

import re
from typing import Final

from ...agents.clause import Clause, Situation
from ...agents.lexicon import table
from .segments import message

LONG: Final = 400
"""Characters from which on nobody has typed it to us."""
SHORT: Final = 120
"""Characters up to which some lines are a list of orders, not a text."""
MOST: Final = 30
"""Lines that are looked into."""
_LINES: Final = 4
_HEADING: Final = re.compile("【[^】]{2,20}】|^[^\n]{0,12}(?:纪要|通知|公告|议程|须知|简报)", re.MULTILINE)
_TITLED: Final = re.compile("[^\n,，。;；:：]{0,12}(?:纪要|会议记录|通知|公告|议程|须知|简报)")
_MINUTES: Final = re.compile("[^\n,，。;；:：]{0,12}(?:纪要|会议记录|简报)[:：]")
"""A heading: what stands behind it in its line is what the minutes are of."""
_ITEM: Final = re.compile(r"(?:(?<=[\n。;；,，:： ])|^)(?:\d{1,2}[.、)）](?!\d)|[一二三四五六七八九十]、)")
_ITEMS: Final = 3
"""Numbered items behind a heading from which on one line is a text, however short."""
_ORDER: Final = re.compile(
    f"(?:请|麻烦|你|帮忙|小秘|秘书|[ ,，。:：@])*{table('pasted.order')}"
    "(?:一下|下|吧|啊|哈|谢谢|里|上|[ ,，。!！:：~])*"
)
_LONGEST_ORDER: Final = 30
_LABEL: Final = re.compile(f"^(?:{table('pasted.label')})[^:：]{{0,6}}[:：]")
_TOLD: Final = re.compile("已经|已[完解恢通提发]|过一[次遍]|了$")
_HEAD: Final = re.compile(r"^[\s\d一二三四五六七八九十.、,，)）(（①-⑳*•·-]{0,6}")


def is_pasted(text: str) -> bool:
    """Whether a message is a text that was put there, not words said to somebody."""
    body = text.strip()
    if _TITLED.match(body) is not None and len(_ITEM.findall(body)) >= _ITEMS:
        return True
    if len(body) <= SHORT:
        return False
    lines = [line for line in body.splitlines() if line.strip()]
    headed = _HEADING.search(body) is not None and len(lines) > 1
    return len(body) > LONG or headed or (len(lines) >= _LINES and len(body) > SHORT * 2)


def body_of(text: str) -> str | None:
    """The text behind, or before, the order that stands beside it; None where nothing is ordered."""
    body = text.strip()
    found = _ORDER.match(body)
    if found is not None:
        return body[found.end() :]
    first, _, rest = body.partition("\n")
    if len(first) <= _LONGEST_ORDER and rest and _ordered(first):
        return rest
    before, _, last = body.rpartition("\n")
    return before if before and len(last) <= _LONGEST_ORDER and _ordered(last) else None


def _ordered(line: str) -> bool:
    return _ORDER.search(line) is not None


def plans_in(text: str, situation: Situation) -> tuple[Clause, ...]:
    """The lines of a text that name a day, each as if it were said alone; its labels (时间：, 地点：) are no
    plans."""
    found: list[Clause] = []
    for line in re.split("[\n。；;]", _ITEM.sub("\n", text)):
        words = line.strip()
        if not words or len(words) > SHORT or _LABEL.match(words) is not None or _MINUTES.match(words):
            continue
        said, _ = message(_HEAD.sub("", words), situation)
        clause = said.clause(0, len(said.text))
        told = _TOLD.search(clause.text) is not None or any(one.kind == "date_range" for one in clause.times)
        if clause.times and not told:
            found.append(Clause(clause.text, situation, clause.times))
    return tuple(found[:MOST])
