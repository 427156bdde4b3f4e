"""Clauses that change or delete records. Pure."""

from __future__ import annotations

import re
from typing import Final

from ...patterns import Pattern
from ..clause import Clause
from ..clauses.features import ClauseFeatures
from ..ledger import Amendment, marked
from ..ledger.shares.participants import (
    amendment_of,
    division_of,
    left_out_of,
    rest_in,
    thing_told,
    treated_in,
)
from ..match import Match
from ..recognise.numerals import parse_integer
from .hearsay import NAMED
from .pointing import only_day, points_at_sum

_POINTED: Final = Pattern(
    "[两俩三四五六七八九十几]笔都|(?:刚才|刚刚|刚|上|上一|前一|最后一?|最近一?|那|这"
    "|第[一二三四五六七八九十0-9]+)(?:记)?(?:的)?(?:那)?(?:一)?(?:笔"
    "|条账|条记录)|[^,]{1,6}(?:那|这)(?:[一几两二三四五六七八九十]|[0-9]{1,2})?笔|账(?!单)|记录|记的"
)
_CORRECTING: Final = Pattern(
    "改成|改为|改到|改一下|改下|修改|更正|纠正|换成|应该是|应为|不是|错了"
    "|记错|算错|写错|多记|少记|记多|记少|重复|调成|变成|分类|归到|归为"
    "|算作|算成|改"
)
_CHANGED_TO: Final = Pattern(
    "(?:改成|改为|改到|换成|应该是|应为|更正为|修改为|调成|其实是|实际是"
    "|记成)[^,]{0,6}?$|不是[^,]{0,10}(?:是|应该)[^,]{0,4}$|(?:记错|算错"
    "|写错|弄错|搞错)"
)
_REALLY: Final = Pattern(
    "(?<=[^ ,我们咱他她你])[ ,]{0,4}(?:其实|实际上?|(?:[多少]记|记[多少])了?[ ,]{0,4}"
    "(?:其实|实际上?|应该|是)?)"
    "(?:就|才|只)?是?(?:花了)?[ ,]{0,4}$"
)
"""打车其实25, 奶茶多记了 13: corrected amount."""
_CHANGED_ALONE: Final = Pattern("[ ,]*(?:改|换)(?:成|为|一下)?[ ,]*")
"""改30, of what was recorded; of several it is asked which."""
_RENAMED: Final = Pattern("(?:改成|改为|换成|改作|写成)(?=[^0-9,，。?？吗])")
"""把槟榔改成零食, of what was recorded."""
_BOOKS_WORDS: Final = ("笔", "账", "记的", "记账")
_ONLY_POINTED: Final = Pattern("[ ,]*(?:刚才|刚刚|上面|[那这上前]一?)的?[那这]?一?笔(?:账|钱)?[ ,]*")
WRONG_ALONE: Final = Pattern(
    "[ ,]*(?:[哦啊噢]?(?:不对|不是|(?:[打写记说弄搞]?错)了?|其实|实际上?)"
    "[ ,吧啊哦呀]*+)+"
    "(?:应该|其实)?(?:是|为)?(?:花了)?[ ,]*"
)
"""不对是一百六: the sum told last is told again."""
_OF_BOOKS: Final = Pattern("笔|(?<![对结查报做合清平销])账(?![号目本单期户房])|记录|记的|花的")
"""References to a record; 对账 is an activity."""
_DELETED: Final = Pattern("删|撤|取消|去掉|不要|作废|移除")
_LAST: Final = Pattern("刚才|刚刚|上一|上笔|最后一|最近一|前一")


_PLACE: Final = Pattern(
    "第(?P<number>[0-9]{1,2}|[一二三四五六七八九十]{1,3})[个笔条]|最后(?:那|的那)?一?[个笔条](?!月)"
)


def place_in(text: str) -> tuple[int, str]:
    """Position in a list (1 is the first, -1 the last, 0 none), and the line without it."""
    said = _PLACE.search(text)
    if said is None:
        return 0, text
    number = parse_integer(said["number"]) if said["number"] else -1
    return number or 0, f"{text[: said.start()]}{text[said.end() :]}"


def _of_those_listed(clause: Clause, heard: ClauseFeatures) -> bool:
    """第二个删了吧, 最后那笔不对: of the records that were just recorded or listed."""
    place, rest = place_in(heard.text)
    listed = clause.situation.listed
    if not listed or not clause.situation.addressed or not place or place > listed:
        return False
    return any(each.search(rest) is not None for each in (_DELETED, _CORRECTING, _AMISS))


_FEW_AWAY: Final = Pattern(
    "(?:把|将|刚才|刚刚|刚)*+[^,，。?？吗没别不]{1,12}[那这]几[笔条](?:账|记录)?(?:都|全|给我|帮我|全部)*"
    "(?:删|撤|去掉|不要|作废)(?:掉|除|销|了|吧|啊|呀|[!。~ ])*"
)
_AMISS: Final = Pattern("不对|有误|有问题|搞错|弄错")


def amended(clause: Clause, heard: ClauseFeatures) -> Match | None:
    """A line that tells a sum, its sharers or a waived part anew (奶茶不是18，是16; 那三百是三个人的).

    It is sure where the speaker recorded something lately.
    """
    where = clause.situation
    if not where.addressed or heard.asks or heard.reported or heard.wished:
        return None
    if not where.private:
        treated = treated_in(clause.text, where.mentions, where.people)
        called = (*where.recorded, *where.bills)
        if treated is not None and any(treated.thing in each or each in treated.thing for each in called):
            return Match("correct", NAMED)
        if (treated is not None and treated.pointed) or rest_in(clause.text, where.mentions, where.people):
            return Match("correct", NAMED)
    said = amendment_of(clause.text, where.mentions, where.people)
    if said is None:
        return None
    known = bool(where.recorded)
    if said.thing and not any(said.thing in each or each in said.thing for each in where.recorded):
        return None
    if _tells_its_own(clause, said):
        return None
    if said.count is not None:
        return Match("correct", NAMED) if said.whole else None
    if said.filled:
        return Match("correct", NAMED, sure=known)
    if said.off is not None:
        named = not said.name or names_a_record(clause)
        return Match("correct", NAMED if known and named else 2, sure=said.whole and known and named)
    if said.payer is not None:
        return Match("correct", NAMED) if known and said.payer.ids else None
    if said.waived is not None:
        return Match("correct", NAMED if said.whole else 2, sure=said.whole) if said.waived.ids else None
    of_one = said.name and any(said.name in each or each in said.name for each in where.recorded)
    if said.new is not None and said.old is not None and of_one:
        return Match("correct", NAMED)  # 记错了 鸡是69不是96 数字看倒了
    if said.removed or said.new is not None:
        return Match("correct", NAMED if said.whole and known else 2, sure=said.whole and known)
    shared = said.old is not None and division_of(clause.text, where.mentions, where.people).divides
    return Match("correct", NAMED) if shared else None


def _tells_its_own(clause: Clause, said: Amendment) -> bool:
    """True if what is said anew is of the line's own thing and sum (门票300 月月那份算我的): no record."""
    if said.new is not None or said.old is not None or said.off is not None or said.removed:
        return False
    where = clause.situation
    thing = thing_told(clause.text, where.people)
    called = any(thing in each or each in thing for each in where.recorded)
    return bool(thing) and (not called or division_of(clause.text, where.mentions, where.people).split)


def correction(clause: Clause, heard: ClauseFeatures) -> Match | None:
    if (anew := amended(clause, heard)) is not None:
        return anew
    if asks_and_orders_away(clause):
        return Match("correct", NAMED)
    if _FEW_AWAY.fullmatch(clause.text) is not None and names_a_record(clause):
        return Match("correct", NAMED)  # 打车那几笔删掉: 几 asks nothing
    if heard.asks or heard.reported or heard.wished:
        return None
    if _of_those_listed(clause, heard):
        return Match("correct", NAMED)
    if of_records(clause) or (clause.situation.recorded and only_day(clause.text)):
        return Match("correct", NAMED)
    pointed = _OF_BOOKS.search(heard.text) is not None and _POINTED.search(heard.text) is not None
    where = clause.situation
    ours = pointed or names_a_record(clause)
    if ours and not where.private and left_out_of(clause.text, where.mentions, where.members):
        return Match("correct", NAMED)  # 药水那笔把摸鱼去掉: a sharer, and not the record
    if pointed and _DELETED.search(heard.text) and not clause.amounts:
        weight = NAMED if "笔" in heard.text else 2
        return Match("undo" if _LAST.search(heard.text) else "correct", weight)
    if not clause.amounts and _DELETED.search(heard.text) and names_a_record(clause):
        return Match("correct", 2)
    if pointed and _SAID_TO_BE.search(heard.text):
        return Match("correct", 2)
    if pointed and _CORRECTING.search(heard.text):
        return Match("correct", 2)
    if not clause.amounts and _RENAMED.search(heard.text) is not None and names_a_record(clause):
        return Match("correct", 2)
    if clause.amounts:
        last = clause.amounts[-1]
        before = heard.text[: last.start]
        said_again = any(each is not None for each in (_REALLY.search(before), *_alone(before)))
        said_again = said_again or (bool(clause.situation.recorded) and _CHANGED_ALONE.fullmatch(before))
        said_again = said_again or (before.rstrip().endswith("改") and names_a_record(clause))
        if (said_again or _CHANGED_TO.search(before)) and not re.search(
            "预算|闹钟|地点|时间|会议|任务|优先级|日程", heard.text
        ):
            return Match("correct", 2)
    if re.search(
        "(?:改成|改为|应该是|换成|归到|归为|算)(?:收入|支出|转账|餐饮|交通"
        "|购物|娱乐|日用|医疗|居住|住房|教育|通讯|人情|其他)(?!会)",
        heard.text,
    ):
        return Match("correct", 2)
    if re.search("记错了|金额(?:错|不对|改)|记错账", heard.text):
        return Match("correct", 2, sure=bool(clause.amounts))
    return None


_ORDERED_AWAY: Final = Pattern(
    "(?<![ ,?])[ ,?]++(?:给我|帮我|直接|快|就)?(?:删|去掉|作废)(?:掉|了|吧|它|那笔)*+[!。~ ]*+$"
)
"""An order behind a question about its record (羽毛球那2块是啥 删了)."""


def orders_away(clause: Clause, before: Clause) -> bool:
    """True if a clause says only that the record in the clause before it is to go."""
    alone = _ORDERED_AWAY.fullmatch(f" {clause.text.strip()}") is not None
    return alone and _ASKED_FIRST.search(before.text) is not None and _points_at_one(before)


def asks_and_orders_away(clause: Clause) -> bool:
    """True if a clause names a record and ends in the order to take it out, whatever it asks before."""
    return asked_then_away(clause.text) and _points_at_one(clause)


def asked_then_away(text: str) -> bool:
    """True for a question with an order behind it to take out what it asks about."""
    said = _ORDERED_AWAY.search(text)
    return said is not None and _ASKED_FIRST.search(text[: said.start()]) is not None


_ASKED_FIRST: Final = Pattern("啥|什么|哪|怎么|咋|谁|吗|[?？]")


def _points_at_one(clause: Clause) -> bool:
    """True if a clause names a recent record, with its sum where another stored item has the name too."""
    pointed = points_at_sum(clause.text)
    named = pointed and any(len(each) > 1 and each in clause.text for each in clause.situation.recorded)
    return named or names_a_record(clause)


def of_records(clause: Clause) -> bool:
    """True for deleting a number of records, a duplicate record, or a new division of one."""
    where = clause.situation
    if not where.addressed:
        return False
    said = amendment_of(clause.text, where.mentions, where.people)
    if said is not None and said.count is not None:
        return said.whole
    if clause.amounts or not where.recorded:
        return False
    twice = "repeated" in marked(clause.text, clause.amounts)
    ours = names_a_record(clause) or any(word in clause.text for word in _BOOKS_WORDS)
    return (twice and ours) or _divided_anew(clause)


def _divided_anew(clause: Clause) -> bool:
    """True for a new division of a recent record (门票改成四个人AA)."""
    where = clause.situation
    if clause.amounts or where.private or not where.addressed or not names_a_record(clause):
        return False
    return division_of(clause.text, where.mentions, where.people).divides


def names_a_record(clause: Clause) -> bool:
    """True if a clause names a recent record, and no other stored item."""
    kept = (thing.name for thing in clause.situation.things)
    named = [each for each in clause.situation.recorded if len(each) > 1 and each in clause.text]
    return bool(named) and not any(each in name for name in kept for each in named)


def _alone(before: str) -> tuple[re.Match[str] | None, ...]:
    """Matches of words before an amount that only point, or only call the last one wrong."""
    return _ONLY_POINTED.fullmatch(before), WRONG_ALONE.fullmatch(before)


_SAID_TO_BE: Final = Pattern(
    "(?:刚才|刚刚|上|前|那|这|第[一二三四五六七八九十0-9]+)(?:那|这)?一?[笔条].{0,4}[是算](?!什么|谁|哪"
    "|多少)[^,]"
)
