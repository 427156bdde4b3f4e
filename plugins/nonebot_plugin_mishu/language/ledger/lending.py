"""Money between the speaker and one member that nobody shares: lent, borrowed, owed, paid for another. Pure.

借给小雅500, 跟阿凯借了200, 阿凯欠我300, 小雅帮我垫了奶茶18, 替阿凯垫付快递费25: only where the other is a
member by card, nickname or @; else it stays a record of the speaker's. It counts in 谁欠谁, and what is given
back (`repaying`) lowers it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..clause import Clause, Mention
from ..entries.categories import Categories
from ..entries.entry import OTHER, Entry, Share
from ..fold import normalise
from ..recognise.members import matched
from ..recognise.money import find_amounts

CATEGORY: Final = "转账"
_LONGEST: Final = 60
"""Characters of a line that says so."""
_WHO: Final = "@?(?P<who>[^,，。#\\s我]{1,12}?)"
_LATELY: Final = (
    "(?:今天|昨天|昨晚|前天|上周|上次|之前|刚才|刚刚|刚|已经|又|再|还|先|都|总共|一共|临时|微信)*+"
)
_SUM: Final = "(?:#(?:块钱?|元|钱)?)"
_THING: Final = "(?P<thing>[^,，。#我]{0,12}?)的?"
_BEHIND: Final = "(?P<behind>[^,，。#我]{0,12}?)的?"
_END: Final = "(?:了|现金|微信|支付宝|呢|啊|哈|吧|哦|,|，|。| |记一?下|帮?我?记上|记着|没还|还没还)*+"
_PAY: Final = "(?:垫付|代付|代垫|垫|先付)(?:了|的|上)?"
_LENT: Final = tuple(
    re.compile(pattern + _END)
    for pattern in (
        f"(?:我)?{_LATELY}(?:借|借出)(?:了|出)?给(?:了)?{_WHO}{_SUM}",
        f"(?:我)?{_LATELY}借(?:了|出)?{_SUM}给(?:了)?{_WHO}",
        f"{_WHO}{_LATELY}(?:跟|找|向|问|从|管)我(?:这里|这儿|这)?{_LATELY}(?:借|拿)(?:走)?了?{_SUM}",
        f"{_WHO}{_LATELY}借(?:走)?了我{_SUM}",
        f"{_WHO}{_LATELY}借走我{_SUM}",
    )
)
_BORROWED: Final = tuple(
    re.compile(pattern + _END)
    for pattern in (
        f"(?:我)?{_LATELY}(?:跟|找|向|问|从|管){_WHO}(?:那里|那儿|那)?{_LATELY}借了?{_SUM}",
        f"{_WHO}{_LATELY}借(?:给)?(?:了)?我{_SUM}",
        f"(?:我)?{_LATELY}借了{_WHO}{_SUM}",
    )
)
_OWED: Final = tuple(
    re.compile(pattern + _END)
    for pattern in (f"{_WHO}{_LATELY}欠(?:着|了|下)?(?:我)(?:的)?{_SUM}", f"{_WHO}该(?:给|还)我{_SUM}")
)
_OWES: Final = tuple(
    re.compile(pattern + _END)
    for pattern in (f"(?:我)?{_LATELY}欠(?:着|了|下)?{_WHO}(?:的)?{_SUM}", f"我该(?:给|还){_WHO}{_SUM}")
)
_PAID_FOR: Final = tuple(
    re.compile(pattern + _END)
    for pattern in (
        f"(?:我)?{_LATELY}(?:帮|替|给|为){_WHO}{_LATELY}{_PAY}{_THING}{_SUM}{_BEHIND}",
        f"{_WHO}的(?P<thing>[^,，。#我]{{1,10}}?)我{_LATELY}{_PAY}{_SUM}",
    )
)
_PAID_BY: Final = tuple(
    re.compile(pattern + _END)
    for pattern in (
        f"{_WHO}{_LATELY}(?:帮|替|给|为)我{_LATELY}(?:{_PAY}|付了|买了|买的|交了){_THING}{_SUM}{_BEHIND}",
        f"我的?(?P<thing>[^,，。#我]{{1,10}}?)(?:是)?{_WHO}{_LATELY}{_PAY}{_SUM}",
    )
)


@dataclass(frozen=True, slots=True)
class Lending:
    """What one owes the other for. `mine`: the speaker gave. `thing` is what was paid for, if it was."""

    other: Mention
    mine: bool
    way: str
    """`lent`, `owed` or `paid`."""
    thing: str = ""
    fen: int | None = None
    """The sum."""


def lending(text: str, mentions: Sequence[Mention], members: Sequence[Mention]) -> Lending | None:
    """What all of a line says of one amount between the speaker and a member; None where it says none."""
    marked = _marked(text)
    if marked is None:
        return None
    line, fen = marked
    for patterns, mine, way in (
        (_PAID_BY, False, "paid"),
        (_PAID_FOR, True, "paid"),
        (_LENT, True, "lent"),
        (_OWED, True, "owed"),
        (_BORROWED, False, "lent"),
        (_OWES, False, "owed"),
    ):
        for pattern in patterns:
            said = pattern.fullmatch(line)
            other = None if said is None else _member(said["who"], mentions, members)
            if said is not None and other is not None:
                found = said.groupdict()
                thing = (found.get("thing") or found.get("behind") or "").strip(" 的了,")
                return Lending(other, mine, way, thing, fen)
    return None


def lends(clause: Clause) -> bool:
    """Whether a clause says of one sum that the speaker and a member of the group owe it to each other."""
    where = clause.situation
    if where.private or not clause.amounts:
        return False
    return lending(clause.text, where.mentions, where.members) is not None


def lent(said: Lending, entry: Entry, speaker: tuple[str, str], categories: Categories) -> Entry:
    """The entry as what one owes the other: whoever gave bears nothing of it, the other all.

    What a member paid for the speaker was spent by the speaker; everything else only changed hands.
    """
    other = (said.other.user_id, said.other.name)
    giver, getter = (speaker, other) if said.mine else (other, speaker)
    shares = (Share(*giver, 0), Share(*getter, entry.fen))
    if said.way == "paid" and not said.mine:
        words = said.thing or f"{giver[1]}垫付"
        category = categories.of(words)
        kind = entry.category if category == OTHER and entry.type == "EXPENSE" else category
        return replace(entry, type="EXPENSE", category=kind, description=words, shared=True, shares=shares)
    words = {
        "lent": f"{giver[1]}借给{getter[1]}",
        "owed": f"{getter[1]}欠{giver[1]}",
        "paid": f"替{getter[1]}垫付{said.thing}",
    }[said.way]
    return replace(entry, type="TRANSFER", category=CATEGORY, description=words, shared=True, shares=shares)


def _marked(text: str) -> tuple[str, int | None] | None:
    """The line with # for its one amount, and that; None where it has none, or several, or is too long."""
    line = normalise(text[: _LONGEST + 1]).strip(" 。.!~")
    if not line or len(line) > _LONGEST or "#" in line:
        return None
    amounts = [found for found in find_amounts(line) if found.fen and found.fen > 0]
    if len(amounts) != 1:
        return None
    marked = f"{line[: amounts[0].start].rstrip(' ¥￥:：')}#{line[amounts[0].end :].lstrip()}"
    return marked, amounts[0].fen


def _member(who: str, mentions: Sequence[Mention], members: Sequence[Mention]) -> Mention | None:
    """The one member a name means; somebody @-ed first."""
    name = who.strip(" @的")
    for known in (mentions, members):
        found = matched(name, known)
        if len(found) == 1:
            return found[0]
    return None
