"""Neighbouring pieces of work, one of which completes the other. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ....language import amendment, divided, words_of
from ....language.clause import Clause
from ....language.clauses.change_intents import deletes, edits, nameless
from ....language.clauses.features import bare, hear, upcoming
from ....language.clauses.vocabulary import is_talk
from ....language.recognise.members import names_in
from ....language.recognise.money import find_amounts
from ....language.text.fold import normalise
from ....patterns import Pattern
from .unit import Unit

NAMED_WEIGHT: Final = 3
"""Weight of an agent's own noun (任务, 日程, 记账)."""
_CALLS: Final = frozenset({"remind", "rouse", "rouse_me"})


def calls_too(last: Unit, new: Unit) -> bool:
    """每天七点叫我起床，周末九点叫我: a call of its own, though it does not say what for."""
    if last.hollow or not new.hollow or "再" in new.clause.text:
        return False
    clocked = all(any(one.start is not None for one in unit.clause.times) for unit in (last, new))
    return clocked and all(_calls(unit.clause) for unit in (last, new))


def _calls(clause: Clause) -> bool:
    return any(not _CALLS.isdisjoint(token.classes) for token in words_of(clause.text, clause.times))


def means_kept(unit: Unit) -> bool:
    """猫粮买了 花了139: what is kept is done beside what it cost."""
    return unit.choice is not None and bool(unit.choice.match.refs)


_PUTS_RIGHT: Final = Pattern(
    "(?:其实|应该|实际|就|给|帮我|是|把它)*(?:改|换|记|是|算)?(?:成|为|到)?[ ]*"
    "(?=[0-9一二两三四五六七八九十百])"
)


def puts_right(last: Unit, new: Unit) -> bool:
    """中饭那笔多记了五块 改三十: what a record becomes, behind what is wrong with it; 工资是9500 不是8500."""
    if _tells_anew(last, new) or _takes_it_out(last, new):
        return True
    if last.choice is None or last.choice.intent != "correct" or not new.clause.amounts:
        return False
    return _PUTS_RIGHT.match(new.clause.text) is not None


def shares_it(last: Unit, new: Unit) -> bool:
    """火锅200，阿凯没去，我们三个AA: who shares the sum told before, and nothing else; and what else
    would put an earlier record right (门票300 月月那份算我的)."""
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
    """工资是9500 不是8500: two pieces that say together what a sum is and what it is not."""
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
    """奶茶那笔删了 打车其实 25: one is taken away, another one, named, is put right."""
    if last.choice is None or new.choice is None or not new.clause.amounts or last.clause.amounts:
        return False
    books = last.choice.intent == new.choice.intent == "correct"
    return books and deletes(hear(last.clause)) and not puts_right(last, new)


def costs(last: Unit, new: Unit) -> bool:
    """叫了份酸菜鱼外卖，满减完26块8: what only hints at an order is what the sum behind it was for."""
    if last.choice is None or new.choice is None or last.choice.sure or last.clause.amounts:
        return False
    spent = new.choice.sure or new.choice.weight > last.choice.weight
    return spent and bool(new.clause.amounts) and last.choice.agent != new.choice.agent


_BUDGET_ALONE: Final = Pattern(
    "(?:人均|每人|总|大概|的|费用|活动)*(?:预算|经费)(?:是|大概|总共|一共|控制在|在|[: ])*"
)
_ABOUT_SO: Final = Pattern("(?:左右|以内|以下|上下|块钱?|元|吧|[ ,])*")


def plans_sum(last: Unit, new: Unit) -> bool:
    """12月20号年会 预算8000: what is to be spent on a plan is told of it, and is no budget of a month."""
    if len(new.clause.amounts) != 1 or not any(one.date is not None for one in last.clause.times):
        return False
    text, amount = new.clause.text, new.clause.amounts[0]
    return (
        _BUDGET_ALONE.fullmatch(text[: amount.start].strip()) is not None
        and _ABOUT_SO.fullmatch(text[amount.end :]) is not None
    )


SUM_ALONE: Final = Pattern("(?:我|俺|收|一共|总共|共|才|就|只|花|用|付|给|出|掏|了|的|请客?|买单|[, ])*")
_SPENT: Final = Pattern("[花用付给出掏交买][^,]{0,3}了")
_LONGEST_HEADING: Final = 6


def without_amounts(clause: Clause) -> str:
    text = clause.text
    for one in reversed(clause.amounts):
        text = text[: one.start] + text[one.end :]
    return text


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
    if last.choice.weight < NAMED_WEIGHT and SUM_ALONE.fullmatch(without_amounts(new.clause)):
        return True  # 交了半年房租，一共15600
    if last.choice.agent == new.choice.agent:
        heading = len(heard.rest) <= _LONGEST_HEADING and not is_talk(last.clause.text)
        return heading and last.choice.intent != new.choice.intent and _LOOKS.match(heard.rest) is None
    today = bool(last.clause.times) and all(one.start is None for one in last.clause.times)
    begun = over or not upcoming(last.clause) or _SPENT.search(new.clause.text) is not None
    return today and begun and last.choice.weight < NAMED_WEIGHT


_LOOKS: Final = Pattern("[查看列发]|显示|打开|统计|汇总")
_TICKED: Final = Pattern(
    "(?P<what>[^,]{2,12}?)的?(?:任务|待办|[那这][个条])?(?:可以)?"
    "(?:打个?勾|[勾划]掉|标记?(?:为|成)?(?:已)?完成)[了吧啊]*"
)


def ticks_off(last: Unit, new: Unit) -> bool:
    """眼镜拿回来了，拿眼镜的任务勾掉: told as done, then ordered to be noted so."""
    if last.choice is None or new.choice is None or last.choice.intent != new.choice.intent:
        return False
    found = _TICKED.fullmatch(bare(new.clause.text))
    if found is None or last.choice.sure or last.choice.agent != new.choice.agent:
        return False
    said = set(found["what"])
    return 2 * len(said & set(last.clause.text)) > len(said)


_COMES: Final = Pattern("去|来|参加|报名|算我|加我|带我|[+]1")
_COMES_AGAIN: Final = Pattern("(?:我?[+] ?1|加一|(?:也?算|带|加)?上?我一个|我也[去来]?)[吧啊呀哈了!~。]*")


def comes_again(last: Unit, new: Unit) -> bool:
    """True if a piece only repeats that its speaker takes part (聚餐我也去 +1)."""
    if last.choice is None or last.choice.intent != "edit":
        return False
    return _COMES.search(last.clause.text) is not None and bool(
        _COMES_AGAIN.fullmatch(new.clause.text.strip())
    )
