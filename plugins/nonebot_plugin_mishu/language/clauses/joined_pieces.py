"""Words by which a piece of a message completes, corrects or repeats the piece before it. Pure."""

from __future__ import annotations

from typing import Final

from ...patterns import Pattern, begins, holds, is_whole
from ..clause import Clause
from ..word_lists import table
from .features import bare

gives_new_value: Final = begins(
    "(?:其实|应该|实际|就|给|帮我|是|把它)*(?:改|换|记|是|算)?(?:成|为|到)?[ ]*"
    "(?=[0-9一二两三四五六七八九十百])"
)
"""True if a new value begins the text: 改三十, 应该是9500."""
says_what_it_becomes: Final = begins("(?:就|都|那|我们)*(?:改|换)(?:成|到|为|去|在|约|期)")
"""True for 改成周四的下午茶, behind 取消周三聚餐."""
looks_at: Final = begins("[查看列发]|显示|打开|统计|汇总")
"""True if the text begins with an order to show something."""
begins_anew: Final = begins(f"(?:{table('decision.connective')}|再)")
"""True if a connective begins the text."""
is_spent: Final = holds("[花用付给出掏交买][^,]{0,3}了")
"""True if money is told as spent: 花了139."""
comes: Final = holds("去|来|参加|报名|算我|加我|带我|[+]1")
"""True if somebody takes part: 我也去."""
calls_wrong: Final = holds("[记写弄搞输填算说]错|不(?:开|去|办|搞|聚|约|吃|打|爬|看|做|来)[^,不]{0,4}?了")
"""True if something is called wrong, or off."""
asks_advice: Final = holds(
    "你说|你觉得|你看|你认为|多少|怎么|怎样|咋|什么|啥|合适|该不该|要不要|能不能|行不行|值不值|贵不贵"
)
"""True if a question asks for an opinion or a fact: 冰箱二手能卖多少."""
is_to_be_noted: Final = holds("记|提醒|日程|任务|待办|安排|大家|群里|[^,]{2,}通知")
"""True if a text has a word of noting or telling."""

_TAKES_PART: Final = is_whole("(?:我?[+] ?1|加一|(?:也?算|带|加)?上?我一个|我也[去来]?)[吧啊呀哈了!~。]*")
_SUM_ALONE: Final = is_whole("(?:我|俺|收|一共|总共|共|才|就|只|花|用|付|给|出|掏|了|的|请客?|买单|[, ])*")
_BUDGET_ALONE: Final = is_whole(
    "(?:人均|每人|总|大概|的|费用|活动)*(?:预算|经费)(?:是|大概|总共|一共|控制在|在|[: ])*"
)
_ABOUT_SO: Final = is_whole("(?:左右|以内|以下|上下|块钱?|元|吧|[ ,])*")
_TICKED: Final = Pattern(
    "(?P<what>[^,]{2,12}?)的?(?:任务|待办|[那这][个条])?(?:可以)?"
    "(?:打个?勾|[勾划]掉|标记?(?:为|成)?(?:已)?完成)[了吧啊]*"
)


def is_budget_alone(clause: Clause) -> bool:
    """True for one planned sum and nothing else: 预算8000左右."""
    if len(clause.amounts) != 1:
        return False
    text, amount = clause.text, clause.amounts[0]
    return _BUDGET_ALONE(text[: amount.start].strip()) and _ABOUT_SO(text[amount.end :])


def is_sum_alone(clause: Clause) -> bool:
    """True for sums without an item: 一共15600."""
    text = clause.text
    for one in reversed(clause.amounts):
        text = text[: one.start] + text[one.end :]
    return _SUM_ALONE(text)


def ticked_off(text: str) -> str:
    """Task that a text orders ticked off (拿眼镜的任务勾掉); empty for any other."""
    found = _TICKED.fullmatch(bare(text))
    return found["what"] if found is not None else ""


def only_comes(text: str) -> bool:
    """True if a text says that its speaker takes part, and nothing else: +1."""
    return _TAKES_PART(text.strip())
