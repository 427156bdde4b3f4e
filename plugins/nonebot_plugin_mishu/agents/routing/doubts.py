"""Doubts about a fitting form: the reading is then not sure. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...language import Fit, Reading, Token
from ...language.clauses.reports import counts_from_event
from ...language.names.referents import Meant
from .acts import THINGS, is_a_name
from .classes import classes, hinted

_OWN_NOUNS: Final = frozenset({"task_noun", "schedule_noun", "reminder_noun"})
_CHANGES: Final = (frozenset({"change", "later", "earlier"}),)
_TAKES: Final = (frozenset({"take_away", "refuse", "remind", "rouse"}),)
ORDERED: Final = frozenset({"remind", "rouse", "noun", "level"})
_ORDERS: Final = (frozenset({"make", "mind", "ought", "announce", "help", "look"}),)
_PAID: Final = (frozenset({"pay"}), frozenset({"number"}))
ASKS: Final = (frozenset({"look", "what", "whether", "have", "free"}),)


def is_unknown(act: str, fit: Fit) -> bool:
    """True if a change or deletion has only an unknown name: 帽子不要了."""
    if act not in ("change", "delete") or fit.slots.keys() - {"name", "whose"} or "name" not in fit.slots:
        return False
    return classes(fit.slots["name"]).isdisjoint(THINGS | {"action", "personal"})


def leaves_open(said: Reading, act: str, fit: Fit, known: Meant | None) -> bool:
    """True if a form fits and the clause stays ambiguous: a remark about a plan, a bare noun, a detail
    alone."""
    slots = fit.slots
    title = slots.get("title", ())
    if act == "make" and len(title) > 1 and "this" in title[-1].classes:
        return True  # 安排一下明天下午报销的那个
    if act == "make" and counts_from_event(said.line):
        return True  # 团建开始前一天晚上八点提醒大家: of a day that only the thing tells
    if act == "make" and slots.keys().isdisjoint(ORDERED | {"rouse"}) and _does_more(title):
        return True  # 周四评审加上老邓, 三点的会嘎掉
    if act == "make" and slots.keys().isdisjoint(ORDERED | {"rouse"}) and "money_noun" in classes(title):
        return True  # 今天用掉好多钱
    if act == "make" and slots.keys().isdisjoint(ORDERED) and hinted(said.tokens, _PAID):
        return True  # 今天聚餐 我刷的卡 1128
    if act == "make" and slots.keys().isdisjoint(ORDERED) and not hinted(said.tokens, _ORDERS):
        return any(token.unread for token in said.tokens) and not is_a_name(title)  # 周五的团建好尬
    if act == "delete" and known is None and not hinted(said.tokens, _TAKES):
        return True  # 不用买菜了, of nothing that is kept
    if act == "query" and known is None and not hinted(said.tokens, ASKS):
        return classes(slots.get("noun", ())).isdisjoint(_OWN_NOUNS)
    if act == "query" and known is None and "noun" not in slots:
        return any(token.unread for token in slots.get("name", ()))  # 现在纽约几点
    return act == "change" and "field" in slots and not hinted(said.tokens, _CHANGES)  # 地点：腾讯会议


def _does_more(title: Sequence[Token]) -> bool:
    """True if the title has an action on its thing: a change is as likely as a new one."""
    named = next((at for at, token in enumerate(title) if not token.classes.isdisjoint(THINGS)), len(title))
    return any(
        not token.classes.isdisjoint({"make", "result", "take_away", "change"})
        for token in title[named + 1 :]
    )
