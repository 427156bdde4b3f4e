"""Handover of a stored item to a member: 这个改成提醒老猫, 交水费那个给阿宽吧, 换成小雅去交. Pure.

The words are at the end of the clause, the item before them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from ...patterns import Pattern
from ..clause import Clause, Mention
from .members import is_a_name, matched, spoken_names

SELF: Final = ("我自己", "我", "自己", "俺")
_DOES: Final = "(?:来|去)?(?:做|办|弄|管|负责|处理|搞|跟|盯|交|干)?"
_ENDS: Final = "(?:就行|就好|好了|一下|一声|[吧啊呀哈哦嘛呢了。!~, ])*$"
_OTHERWISE: Final = "(?:改成|改为|换成|换为|改|换|还是|应该是|是|就|,| )"
_CALLS: Final = "(?:提醒|通知|叫|喊)"
_GIVES: Final = "(?:转|移|改|换|派|分|安排|交|让)*给"
_BECOMES: Final = "(?:换成|改成|换|改|让|由)(?:了)?"
_CHANGES: Final = Pattern("改成|改为|换成|换为|还是|交|转")
_DENIED: Final = Pattern("(?:不用|不要|不必|别|莫|甭|不)$")
_KEEPS: Final = Pattern("^[^,，。]*?(?:只留|只剩|就留|只保留|只管|只做|只用)[^ ,，。]+[ ,，。]+")
_STAYS_OUT: Final = Pattern(
    "(?:我|俺|周?[一二三四五六日天]|那天|可能|突然|有事|那|,|，| )*+"
    "(?:[去来到]不(?:了|成)|不(?:去|来|参加|报名?)|参加不了|报不了|没法[去来])"
    "(?:了|啦)?(?:[,，。 ]|名额|位子|位置|我的|这个|那)*"
)
_NOT_WHOM: Final = Pattern(r"不是(?:提醒|通知|叫|喊|给)[^ ,。!和是]{1,6}[ ,。!]*")
_NAME_LIKE: Final = "[小老阿大][一-鿿]"
_TIME: Final = "\x01"
"""Placeholder of a time."""


@dataclass(frozen=True, slots=True)
class Handing:
    """Handover to a member. `named` as written; `among` the matching members, empty if none; `own`: the
    speaker. The words are at `span` of the clause's text."""

    named: str
    among: tuple[Mention, ...]
    span: tuple[int, int]
    own: bool = False
    plain: bool = False
    """Only 提醒 or 交给, no more."""

    @property
    def member(self) -> Mention | None:
        """The only matching member; None for none or several."""
        return self.among[0] if len(self.among) == 1 else None


def handing(clause: Clause) -> Handing | None:
    """Handover in a clause; None if none."""
    where = clause.situation
    if where.private or not where.addressed:
        return None
    pool = tuple({one.user_id: one for one in (*where.mentions, *where.members)}.values())
    text = clause.text
    for time in clause.times:
        for start, end in time.spans:
            text = f"{text[:start]}{_TIME * (end - start)}{text[end:]}"
    if denied := _NOT_WHOM.search(text):  # 不是提醒我 是提醒老猫
        start, end = denied.span()
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    names = "|".join(re.escape(name) for name in spoken_names(pool))
    who = f"(?:@ *)?(?P<who>{names + '|' if names else ''}{'|'.join(SELF)}|{_NAME_LIKE})"
    calls = rf"(?P<said>{_OTHERWISE}{{0,4}}(?:{_TIME}+{_OTHERWISE}{{0,4}})?{_CALLS})(?:一下|一声)?{who}"
    for plain, pattern in (
        (True, rf"{calls}{_DOES}{_ENDS}"),
        (True, rf"(?P<said>{_GIVES}){who}{_DOES}{_ENDS}"),
        (False, rf"(?P<said>{_BECOMES}){who}{_DOES}{_ENDS}"),
    ):
        found = re.search(pattern, text, re.IGNORECASE)
        if found is None:
            continue
        named, said = found["who"], found["said"].replace(_TIME, "")
        own = named in SELF
        among = () if own else matched(named, where.mentions) or matched(named, pool)
        if not own and not among and not (plain and is_a_name(named)):
            continue
        if own and not _CHANGES.search(said):
            continue  # 不用叫我了, 换我来: of whose it is already
        if _DENIED.search(text[: found.start()]):
            continue  # 别提醒老猫
        if _STAYS_OUT.fullmatch(text[: found.start()]) is not None:
            continue  # 我去不了了 让给大刘: a place where one goes, and no task
        span = (min(found.start(), denied.start()), found.end()) if denied else found.span()
        return Handing(named, among, span, own, plain=plain and said != "给")
    alone = re.search(rf"(?P<said>{_OTHERWISE}{{1,4}}{_CALLS}|{_GIVES}){_ENDS}", text)
    if alone is not None and len(where.mentions) == 1:  # 这个改成提醒 @老猫
        member = where.mentions[0]
        return Handing(member.name, (member,), alone.span(), plain=alone["said"] != "给")
    return None


def without_handing(clause: Clause, found: Handing) -> Clause:
    """Clause with the item, and the time beside it: 把交水费改到明天九点."""
    start, end = found.span
    opening = next((len(word) for word in ("把", "将") if clause.text.startswith(word)), 0)
    kept = _KEEPS.match(clause.text[:start])  # 老猫那个只留订场地 买水给月月: of the second alone
    head = clause.part(kept.end() if kept is not None else opening, start)
    said = tuple(one for one in clause.times if start <= one.span[0] and one.span[1] <= end)
    if not said:
        return head
    told = f"{head.text}改到"
    times, at = list(head.times), len(told)
    for one in said:
        times.append(one.moved(at - one.span[0]))
        told, at = f"{told}{one.text}", at + len(one.text)
    return replace(head, text=told, times=tuple(times))
