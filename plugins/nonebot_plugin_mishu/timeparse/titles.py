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
    "(?:(?:定|约|安排|放|设|改|排|订|就|时间是|时间|日期)?(?:在|于|到)|时间[是为:]?|日期[是为:]?|等到?|自|从"
    "|赶在|争取|尽量|务必|最好|大概|大约|差不多)$"
)
# … and behind it.
_AFTER_TIME: Final = re.compile(
    "(?:那天|当天|的?时候|的时间|之时|时(?=[,。 ])|那会儿?|准时|按时|左右|开始(?=.)|起(?=[,。 ]|$)|之间"
    "|期间|的(?!话)|[,:、 ])+"
)
_US: Final = (
    "(?:我们|咱们|咱(?!班|家)|俺|我(?![妈爸爹娘哥姐弟妹老家的儿女朋同室男]|奶奶|爷爷)|大家(?!庭|族)|大伙儿?"
    "|全体成员|(?:全体|全员)(?!大?会|动员|体检|核酸|合影)|群里|各位|所有人)"
)
_ALL: Final = "(?:大家|各位|所有人|全员|全体|同学们|家人们|兄弟们|姐妹们|小伙伴们?)"
_ONCE: Final = "(?:一下|一声|下(?![楼班单车课载午周个厨山去来棋雨]))?"
_THING: Final = "(?:日程|任务|待办事项|待办|提醒事项|提醒|闹钟|备忘录?|行程)"
_RANK: Final = "(?:(?:(?:最高|高|中等?|低|普通)优先级?|紧急|重要|加急)的?)?"
_A_THING: Final = f"(?:个|一个|一条|一项|新的?)?{_RANK}{_THING}"
_MAKE: Final = "(?:添加|新增|增加|新建|创建|建立|设置|设定|安排|记录|登记|加|建|设|定|订|记|排|来|弄)"
# What an order begins with; taken off again and again, until the sentence begins with what it is about.
_OPENINGS: Final = (
    "(?:各位|全体|亲爱的|尊敬的)*(?:同事|同学|老师|家长|家人|伙伴"
    "|小伙伴|朋友|兄弟|姐妹|群友|队员|业主|邻居|宝子|领导)们?[,:! ]",
    "小?(?:秘书|助手|助理)(?=[帮给替]|提醒|叫我|记|加|建)|我?想(?:要|再)?(?=新建|添加|新增|创建|[加建设记定]一?[个条项])",
    "(?:帮|替)(?:群里?|俺|咱们?)|帮(?=记|[加建设订])|再(?=[加建设记定]一?[个条项])",
    f"(?:(?:在|往)?(?:本?群里?的?|我的?|大家的?){_THING})(?:里面?|中|表|上)*"
    "(?:添加|新增|增加|加|添|记)(?:上|入|到|进)?(?:一?[条个项])?[,: ]*",
    "盯(?:着点?|一?下)[,: ]",
    "(?:到点|到时间)了?(?:就|再)?(?:提醒|叫|喊|催)(?:一下|一声)?(?:我|俺)[啊哦吧呀哈]*[,: ]",
    f"[加建设定]一?个(?:倒?计时|定时){_THING}[,: ]",
    "(?:安排|组织|来|搞|办)一?[个场次](?:群?活动|聚会)[,: ]",
    "(?:麻烦|烦请|劳烦|拜托|请(?![假客教安示愿柬帖缨功]))(?:你|您|各位|大家)?",
    "(?:你|您)?(?:能不能|可不可以|可以|可否|能)(?=帮|提醒|叫|给|记|通知)",
    f"(?:你|您)?(?:帮|替)(?:{_US}|忙|下忙|个忙)|给{_US}(?=提醒|记|加|定|设|建|安排|个|一个)",
    "(?:到时候?|到点|届时)(?=提醒|叫|喊|通知|记得|,|$)",
    "(?:你|您)?(?:一定|务必|千万)?要?(?:记得|记着|记住|别忘了?|别忘记|不要忘了?|不要忘记|勿忘)要?",
    f"(?:提醒|通知|告诉|告知|叫醒|叫|喊|催){_ONCE}{_US}{_ONCE}|(?:提醒|通知){_ONCE}(?=[,: ]|$)",
    f"{_MAKE}(?:上|好|下)?(?:一下)?{_A_THING}[:,]?|{_RANK}{_THING}[:, ]",
    "(?:添加|新增|新建|创建|安排|加上|记上|记一?下来?(?![账帐笔])|备注)(?:一下|一个|一场|个)?",
    "(?:在)?日程(?:里|中|表)*(?:新增|添加|新建|增加|加|记)(?:一下|上|个|一条|一个)?[,: ]*",
    "(?:大家|各位)?注意(?:一下|了|啦)?[,:!。]",
    "(?:群)?(?:公告|通知|预告|新任务|新日程|新待办)[:]",
    "(?:帮|给|替)[^,:的]{1,6}(?:建|创建|加|添加|新建|记|排|派|安排|布置)(?:一?[个条项])(?:[^,:]{0,6}的)?(?:任务|待办)[:,]",
    "(?:todo|to-do|TODO)[,: ]+",
    "(?:劳驾|有劳|劳烦)(?:您|你)?",
    "记(?=[,:])|盯一?下(?=[,:])",
    "那(?:就|么)?(?=我们|咱|大家|各位)",
    f"{_US}(?:都|还|也|就)?(?:需要|得(?![奖分到])|要(?![账债求])|想要|想|打算|应该|该|会(?!议))?",
    "(?:需要|必须|得(?![奖分到罪知])|要(?![账债求紧点是素塞领闻])|应该|该(?!死)|打算|还得|还要|就得|就要|都得|都要)(?=..)",
    f"{_THING}(?:里|中|列表|清单)?(?:添加|新增|加|添|记)(?:上|入)?(?:一?[条个项]|(?=[,: ]))[,: ]*",
    "(?:定|约|订|排|说)(?:一下|下)[,:]",
    "(?:一?[个场次件])?(?:会议?|活动|饭局|局|事儿?|通知)[:]",
    "(?:嗯|呃|额(?=[,. ])|诶|欸|哎呀?|喂(?=[,:!~ ])|嘿|哈喽)+|(?:那个|对了|话说|顺便|另外|然后)(?![人时])",
    "(?:小|@)?秘书[,:]",
    "(?:你好|好的?|行|这个|还有|就是|其实|ok|OK)(?=[,:。!~ ])",
    "有一?[个场次](?=..)",
    "是(?=..)(?![否不非])|把(?=[^把]{1,12}$)(?!.*[交带还送拿给做写改发完掉了好])",
    "[,。;!?:、~ @#·…-]+",
)
_ORDER: Final = re.compile("|".join(f"(?:{opening})" for opening in _OPENINGS))
# … and what it ends with.
_CLOSINGS: Final = (
    f"(?<=[^, ])[, ]+{_ALL}(?:都|请|记得|一定|务必|千万|要|也|尽量|可以)*"
    "(?:准时|按时|提前|到|在|穿|带|自[备带]|别|不要|勿|注意|加油|捧场|支持|参加|出席|上线|做好|准备好|互相|踊跃|积极"
    "|来(?!开|讨|聚|吃|打|爬|唱|商|上|培|排))[^,]{0,8}",
    "(?<=,)(?:大家|各位|所有人|请|都|记得|一定|务必|千万|要|也)*(?:来|到场?|准时(?:来|到|到场|参加|出席)?|参加|出席|(?:别|不要|勿)(?:迟到|缺席|忘)"
    "|不见不散|互相转告|收到请?回复|欢迎(?:参加|报名)?)",
    "(?<=[, ])(?:请|麻烦你?|帮我|帮忙|给我|给俺|帮|再|也)+",
    "[,。;!?:、~ …]+",
    "(?<![花借])呗|(?<!网)(?<!贴)(?<!(?<![喝买倒敬])酒)吧|[啊呀哦喔噢哈呢嘛啦哟咯嗷喽]",
    "(?<![好为得成到完极罢算除交完])了",
    "是|(?:定|约|安排|改|放)?在",
    "谢谢(?:你|您|啦|了)?|谢啦|谢了|多谢|感谢|拜托(?:了|啦|你)?|辛苦(?:了|啦|你)?|麻烦(?:了|你了?)",
    "(?:千万|可)?别(?:让我忘|给我忘|忘)(?:了|记|啦)*",
    "好吗|行吗|可以吗|好不好|行不行|可不可以|好么|行么",
    f"(?:记得|别忘了?|不要忘了?|到时候?|请|麻烦|帮我|你|要|再|,)*(?:提醒|通知|叫醒|叫|喊|告诉|催){_ONCE}{_US}{_ONCE}",
    f"(?:设|定|加|建)(?:个|一个){_THING}|(?:{_US}(?:都|也)?)?(?:千万|一定)?(?:要?记得|别忘了?|不要忘了?)|记一下来?",
    f"(?:加|记|写|放|添)(?:到|进|入|上)(?:本?群里?的?|我的?|大家的?)?{_THING}?(?:表|清单)?(?:里面?|中|上)?"
    f"|(?<=[, ])(?:帮我?|帮忙){{0,2}}记(?:一下|个|到)?{_THING}",
    "(?:加|记|写|放|添)(?:上|好|下来)",
)
_CLOSING: Final = re.compile("(?:" + "|".join(_CLOSINGS) + ")$")
_FILLER: Final = re.compile(
    "一下(?![子午次课班个面去来])儿?|(?<=[拿取买接打送])个(?=快递|外卖|电话|菜|药|作业)|那个啥|(?<=,),"
)
_MEASURE: Final = re.compile("(?:一个|一场|一次|个|场)(?=..)(?![人体性税月馆地所])")
# An order put as a question: its 吗 is no part of the title (可以提醒我喝水吗).
_ASKS: Final = re.compile("(?:你|您)?(?:能|可以|可否|可不可以)")
_DISPOSES: Final = re.compile("[把将][^把将,]{1,12}$")
"""把年假休了: the 了 that closes it belongs to the verb."""
_CLOSING_LENGTH: Final = 24
_MOST_WORDS: Final = 24


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
    _trim(kept)
    for found in reversed(list(_FILLER.finditer(kept.text))):
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
    if current[left - 1 : left] in {"(", "["} and current[right : right + 1] in {")", "]"}:
        left, right = left - 1, right + 1  # 整理资料（周五前）
    kept.drop(left, right)
    if left and left < len(kept.characters) and ("," in tail or "、" in tail or " " in tail):
        kept.characters.insert(left, (" ", kept.characters[left][1]))


def _trim(kept: _Kept) -> None:
    """Order words from the front and closing words from the end, as long as there are any."""
    asked = False
    for _ in range(_MOST_WORDS):
        current = kept.text
        found = _ORDER.match(current)
        if found is not None and found.end() > 0:
            asked = asked or _ASKS.match(found.group()) is not None
            kept.drop(0, found.end())
            continue
        if asked and current.endswith(("吗", "么")):
            kept.drop(len(current) - 1, len(current))
            continue
        closing = _CLOSING.search(current[-_CLOSING_LENGTH:])
        if closing is not None and closing.group() == "了" and _DISPOSES.search(current):
            return
        if closing is not None and closing.end() > closing.start():
            offset = max(0, len(current) - _CLOSING_LENGTH)
            kept.drop(offset + closing.start(), len(current))
            continue
        measure = _MEASURE.match(current)
        if measure is not None:
            kept.drop(0, measure.end())
            continue
        return
