"""Titles: what remains of a sentence without its time, its order words and its fillers.

提醒我明天下午三点去拿一下快递 -> 去拿快递. The words kept are the member's own, in their own script.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..text.normalise import fold
from .expression import TimeExpression

MAX_LENGTH: Final = 4000
"""Characters of a sentence that are looked at."""

# A time takes these with it: before it …
_BEFORE_TIME: Final = re.compile(
    "(?:(?:定|约|安排|放|设|改|排|订|就|时间是|时间|日期)?(?:在|于|到)|时间[是为:]?|日期[是为:]?|等到?|自|从|赶在|争取|尽量|务必|最好|大概|大约|差不多)$"
)
# … and behind it.
_AFTER_TIME: Final = re.compile(
    "(?:的?时候|的时间|之时|时(?=[,。 ])|那会儿?|准时|按时|左右|开始(?=.)|起(?=[,。 ]|$)|之间|期间|的(?!话)|,|:|、| )+"
)
_NAMES: Final = "(?:个|一个|一条|一项|新的?|一?场)?(?:日程|任务|待办事项|待办|提醒事项|提醒|闹钟|备忘录?|事项|行程|计划)"
# Words of an order, at the beginning. Each stands alone; they are taken off again and again.
_ORDER: Final = re.compile(
    "(?:"
    "(?:麻烦|烦请|有请|劳烦|拜托|请)(?:你|您|各位|大家)?|(?:你|您)?(?:能不能|可不可以|可以|能|要不要)(?=帮|提醒|叫|给|记|通知)"
    "|(?:你|您)?(?:来)?(?:帮|给|替|为)(?:一下|忙|个忙)?(?:我们|咱们|俺|我|大家|大伙|群里)?(?=提醒|叫|喊|记|通知|加|添|新|创|建|设|定|安排|订个|弄|排|[,: ]|$|把)"
    "|帮我们?|帮忙|替我|给我(?=提醒|记|加|定|设|建|安排|个|一个)"
    "|(?:到时候?|到点|届时|到时)(?:候)?(?:再)?(?=提醒|叫|喊|通知|记得|,|$)|(?:你|您)?(?:一定|务必|千万)?(?:要)?(?:记得|记着|记住|别忘了?|别忘记|不要忘了?|不要忘记|勿忘)(?:要)?"
    "|(?:提醒|通知|告诉|告知|提示|叫醒|叫|喊|催|催促)(?:一下|一声|下)?(?:我们|咱们|咱|俺|我|大家|大伙|全体成员|全体|全员|群里|各位|所有人)(?:们)?(?:一下|一声|下)?"
    "|(?:提醒|通知|提示)(?:一下|一声)?(?=[,: ]|$)"
    f"|(?:再)?(?:添加|新增|增加|新建|创建|建立|设置|设定|安排|预定|记录|登记|加|建|设|定|记|订|弄|排|来|整)(?:上|好|下)?(?:一下|一笔)?{_NAMES}"
    "|(?:添加|新增|新建|创建|安排|加上|记上|记录|记下来?|记一下|记着|备注)(?:一下|一个|一场|个|:|,| )?"
    f"|{_NAMES}(?=[:, ]|$)|(?:日程|任务|待办|提醒|备忘)[:]"
    "|(?:我们|咱们|咱|俺|大家|我|本人|人家|自己)(?:都|还|也|今天)?(?:需要|需|必须|得(?![奖分到罪])|要(?![账债求])|想要|想|打算|准备|计划|应该|该|应当|会)?(?=[^的们]|$)"
    "|(?:需要|必须|得(?![奖分到罪])|要(?![账债求紧点是素塞])|应该|该(?!死)|应当|打算|准备(?=[去开做交买来写参])|计划(?=[去开做交买来写参])|记|还得|还要|就得|就要|都得|都要|又要|也要)"
    "|(?:那个|这个|那|嗯+|呃+|额+|诶+|哎+|唉+|欸+|喂+|嘿+|嗨+|哈喽|你好|好的|好|对了|行|ok|OK|然后|另外|还有|顺便|话说|就是|就|是|有(?=[一个]+)|到时|其实|以及|并且|而且|和|跟我|把(?=.*(?:记|加|添|设|安排|写)(?:上|下|好|到|进|为|成)?$))(?=.)"
    "|[,。;!?:、~ @#\\-·…]+"
    ")"
)
# What may stand at the end.
_CLOSING: Final = re.compile(
    "(?:"
    "[,。;!?:、~ …]+|[吧啊呀哦喔噢哈呢嘛啦哟咯呗嗷喽](?=$)|(?<![好为得成到完极罢算除])了(?=$)|谢谢(?:你|您|啦|了)?|谢啦|谢了|多谢|感谢|拜托(?:了|啦|你)?|辛苦(?:了|啦|你)?|麻烦(?:了|你了?)"
    "|(?:好吗|行吗|可以吗|好不好|行不行|可不可以|ok吗|OK吗|怎么样|如何|好么|行么)|(?:记得|别忘了?|不要忘了?|到时候?|请|麻烦|帮我|你|要|再|并|,)*(?:提醒|通知|叫醒|叫|喊|告诉|提示|催)(?:一下|一声|下)?(?:我们|咱们|我|大家|大伙|全体成员|各位|所有人)(?:一下|一声|下)?"
    "|(?:设|定|加|建)?(?:个|一个)(?:提醒|闹钟|日程|待办|任务)|(?:记得|别忘了?|不要忘了?|一定|务必|千万|要记得)|(?:加|记|写|放|添)(?:到|进|入|上|下)(?:日程|待办|任务|备忘录?|清单|列表|日历)?(?:里|中|上)?"
    "|(?:记|写|添加|安排)?(?:一下|下来|上|好)(?=$)(?<!=)"
    ")$"
)
_FILLER: Final = re.compile("一下(?!子|午|次|课|班|个|面|去|来)儿?|(?<=[拿取买去看做交带送接打开见])个(?=快递|外卖|会(?!员|计|议室)|电话|东西|菜|药|作业)|那个啥|(?<=.),(?=,)")
_MEASURE: Final = re.compile("^(?:一个|一场|一次|个|场)(?=.{2,})(?!月|人|体|性|税)")
_SHORT_VERB: Final = re.compile("(?:安排|上|好|下来|一下)$")


class _Kept:
    """The characters still kept, as text, and where each stands in the original."""

    def __init__(self, characters: list[tuple[str, int]]) -> None:
        self.characters = characters

    @property
    def text(self) -> str:
        return "".join(character for character, _ in self.characters)

    def drop(self, start: int, end: int) -> None:
        del self.characters[start:end]


def title(text: str, expressions: Sequence[TimeExpression]) -> str:
    """What `text` is about: without the spans of `expressions`, order words, fillers and closing politeness.

    Empty where nothing else was said (半小时后叫我); whoever needs a title asks then. Only the first
    `MAX_LENGTH` characters are looked at. Never raises.
    """
    folded = fold(text[:MAX_LENGTH])
    used = sorted({span for expression in expressions for span in expression.spans})
    kept = _Kept(list(zip(folded.text, folded.origin, strict=True)))
    for start, end in reversed(used):
        _drop_time(kept, start, end)
    for pattern in (_FILLER,):
        while (found := pattern.search(kept.text)) is not None:
            kept.drop(*found.span())
    _trim(kept)
    kept_indices = list(dict.fromkeys(origin for _, origin in kept.characters))
    return "".join(text[index] for index in kept_indices).strip()


def _drop_time(kept: _Kept, start: int, end: int) -> None:
    """Take one time out, with the words that only tie it to the sentence."""
    inside = [index for index, (_, origin) in enumerate(kept.characters) if start <= origin < end]
    if not inside:
        return
    first, last = inside[0], inside[-1] + 1
    current = kept.text
    before = _BEFORE_TIME.search(current[:first])
    after = _AFTER_TIME.match(current, last)
    left = before.start() if before else first
    right = after.end() if after else last
    tail = after.group() if after else ""
    kept.drop(left, right)
    if left and left < len(kept.characters) and ("," in tail or "、" in tail or " " in tail):
        kept.characters.insert(left, (" ", kept.characters[left][1]))


def _trim(kept: _Kept) -> None:
    """Order words from the front and closing words from the end, as long as there are any."""
    for _ in range(24):
        current = kept.text
        found = _ORDER.match(current)
        if found is not None and found.end() > 0:
            kept.drop(0, found.end())
            continue
        closing = _CLOSING.search(current[-24:])
        if closing is not None and closing.end() > closing.start():
            offset = max(0, len(current) - 24)
            kept.drop(offset + closing.start(), len(current))
            continue
        measure = _MEASURE.match(current)
        if measure is not None:
            kept.drop(0, measure.end())
            continue
        return
