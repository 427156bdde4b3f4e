"""Neighbouring pieces of work, one of which completes the other. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ....language import amendment, divided, words_of
from ....language.books.amending import orders_away
from ....language.books.questions import supposed
from ....language.clause import Clause
from ....language.clauses.change_intents import deletes, edits, nameless
from ....language.clauses.features import hear, upcoming
from ....language.clauses.joined_pieces import (
    comes,
    gives_new_value,
    is_budget_alone,
    is_spent,
    is_sum_alone,
    looks_at,
    only_comes,
    ticked_off,
)
from ....language.clauses.vocabulary import is_talk
from ....language.recognise.members import names_in
from ....language.recognise.money import find_amounts
from ....language.text.fold import normalise
from .unit import Unit

NAMED_WEIGHT: Final = 3
"""Weight of an agent's own noun (任务, 日程, 记账)."""
_CALLS: Final = frozenset({"remind", "rouse", "rouse_me"})


def calls_too(last: Unit, new: Unit) -> bool:
    """True for a second call without a title: 每天七点叫我起床，周末九点叫我."""
    if last.hollow or not new.hollow or "再" in new.clause.text:
        return False
    clocked = all(any(one.start is not None for one in unit.clause.times) for unit in (last, new))
    return clocked and all(_calls(unit.clause) for unit in (last, new))


def _calls(clause: Clause) -> bool:
    return any(not _CALLS.isdisjoint(token.classes) for token in words_of(clause.text, clause.times))


def means_kept(unit: Unit) -> bool:
    """True if a piece means a kept thing, which was done at the cost beside it: 猫粮买了 花了139."""
    return unit.choice is not None and bool(unit.choice.match.refs)


def puts_right(last: Unit, new: Unit) -> bool:
    """True for the new value of a record behind words of its fault: 中饭那笔多记了五块 改三十; 工资是9500
    不是8500."""
    if _tells_anew(last, new) or _takes_it_out(last, new):
        return True
    if last.choice is None or last.choice.intent != "correct" or not new.clause.amounts:
        return False
    return gives_new_value(new.clause.text)


def shares_it(last: Unit, new: Unit) -> bool:
    """True for sharers of the sum before and nothing else (火锅200，阿凯没去，我们三个AA), and other words
    that correct an earlier record (门票300 月月那份算我的)."""
    if last.choice is None or last.choice.intent != "record" or not last.clause.amounts:
        return False
    where, clause = new.clause.situation, new.clause
    if clause.amounts or where.private or any(time.start is not None for time in clause.times):
        return False
    line = normalise(clause.text)
    names = names_in(line, (*where.mentions, *where.people))
    said, anew = divided(line, (), names, shared=True), amendment(line, (), names)
    told = anew is not None and not anew.removed and (anew.waived or anew.payer or anew.filled)
    return said.divides or said.whole or bool(told) or _divides_otherwise(last, new, names)


def names_sharers(last: Unit, new: Unit) -> bool:
    """True for a list of as many members as it counts before a sum (参加的四个人：我、小明、阿凯、老周，烧烤
    400): who shares it."""
    if new.choice is None or new.choice.intent != "record" or not new.clause.amounts:
        return False
    where, clause = last.clause.situation, last.clause
    if last.recognised or where.private or clause.amounts or clause.times:
        return False
    line = normalise(clause.text)
    said = divided(line, (), names_in(line, (*where.mentions, *where.people)))
    return said.count is not None and len(said.people) > 1 and len(said.people) + said.me == said.count


def asks_of_before(last: Unit, new: Unit) -> bool:
    """要是我请大家吃饭200块 每人得多少; 羽毛球那2块是啥 删了: asked or ordered of the sum before it, which
    is no work of its own."""
    if last.recognised:
        return False
    both = normalise(f"{last.clause.text} {new.clause.text}")
    asked = supposed(both) is not None and bool(last.clause.amounts) and not new.clause.amounts
    return asked or orders_away(new.clause, last.clause)


def _divides_otherwise(last: Unit, new: Unit, names: Mapping[str, tuple[str, ...]]) -> bool:
    """ktv600 我和小雅AA 小雅没唱多久 她算一半: with the words behind it the bill is divided otherwise."""
    if not names or last.choice is None or (new.choice is not None and new.choice.agent != last.choice.agent):
        return False
    first = normalise(last.clause.text)
    both = f"{first} {normalise(new.clause.text)}"
    known = {**names_in(first, (*new.clause.situation.mentions, *new.clause.situation.people)), **names}
    before, after = divided(first, find_amounts(first), known), divided(both, find_amounts(both), known)
    if not before.divides or not after.divides:
        return False
    return (before.parts, before.without, before.payer) != (after.parts, after.without, after.payer)


def _takes_it_out(last: Unit, new: Unit) -> bool:
    """刚才记的工资是重复的 删掉一个: what is to become of the record that is called wrong."""
    if last.choice is None or last.choice.intent != "correct":
        return False
    heard = hear(new.clause)
    if new.clause.amounts or new.clause.times or not deletes(heard):
        return False
    return nameless(new.clause, heard) is not None


def _tells_anew(last: Unit, new: Unit) -> bool:
    """True for two pieces that together correct a sum: 工资是9500 不是8500."""
    if (
        new.choice is None
        or new.choice.intent != "correct"
        or not (last.clause.amounts and new.clause.amounts)
    ):
        return False
    line = f"{last.clause.text} {new.clause.text}"
    said = amendment(line, find_amounts(line), {})
    alone = amendment(new.clause.text, new.clause.amounts, {})
    return said is not None and said.old is not None and said.new is not None and alone is None


def another_record(last: Unit, new: Unit) -> bool:
    """True if the next piece corrects another record than the one deleted before it: 奶茶那笔删了 打车其实
    25."""
    if last.choice is None or new.choice is None or not new.clause.amounts or last.clause.amounts:
        return False
    books = last.choice.intent == new.choice.intent == "correct"
    return books and deletes(hear(last.clause)) and not puts_right(last, new)


def costs(last: Unit, new: Unit) -> bool:
    """True if a weak order is the item of the sum behind it: 叫了份酸菜鱼外卖，满减完26块8."""
    if last.choice is None or new.choice is None or last.choice.sure or last.clause.amounts:
        return False
    spent = new.choice.sure or new.choice.weight > last.choice.weight
    return spent and bool(new.clause.amounts) and last.choice.agent != new.choice.agent


def plans_sum(last: Unit, new: Unit) -> bool:
    """True for the planned cost of an event, which is no monthly budget: 12月20号年会 预算8000."""
    return is_budget_alone(new.clause) and any(one.date is not None for one in last.clause.times)


_LONGEST_HEADING: Final = 6


def tells_cost(last: Unit, new: Unit) -> bool:
    """今天出差，打车45: told of today before a sum it is no plan, and 今日花费 no question."""
    if last.choice is None or new.choice is None or last.clause.amounts or not new.clause.amounts:
        return False
    heard = hear(last.clause)
    over = all(one.ambiguous == "which_day" for one in last.clause.times)  # 早上, said at ten
    if (
        heard.asks
        or heard.ordered
        or (heard.ahead and not over)
        or new.clause.times
        or edits(heard)
        or deletes(heard)
    ):
        return False
    if last.choice.weight < NAMED_WEIGHT and is_sum_alone(new.clause):
        return True  # 交了半年房租，一共15600
    if last.choice.agent == new.choice.agent:
        heading = len(heard.rest) <= _LONGEST_HEADING and not is_talk(last.clause.text)
        return heading and last.choice.intent != new.choice.intent and not looks_at(heard.rest)
    today = bool(last.clause.times) and all(one.start is None for one in last.clause.times)
    begun = over or not upcoming(last.clause) or is_spent(new.clause.text)
    return today and begun and last.choice.weight < NAMED_WEIGHT


def ticks_off(last: Unit, new: Unit) -> bool:
    """眼镜拿回来了，拿眼镜的任务勾掉: told as done, then ordered to be noted so."""
    if last.choice is None or new.choice is None or last.choice.intent != new.choice.intent:
        return False
    what = ticked_off(new.clause.text)
    if not what or last.choice.sure or last.choice.agent != new.choice.agent:
        return False
    said = set(what)
    return 2 * len(said & set(last.clause.text)) > len(said)


def comes_again(last: Unit, new: Unit) -> bool:
    """True if a piece only repeats that its speaker takes part (聚餐我也去 +1)."""
    if last.choice is None or last.choice.intent != "edit":
        return False
    return comes(last.clause.text) and only_comes(new.clause.text)
