"""The table of claims as patterns, made of `claims.toml`."""

# ruff: noqa: E501 - a pattern is one row of the table

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, get_args

from ...patterns import Pattern

Kind = Literal["note", "change", "remove", "finish", "look", "send", "order", "remind", "state", "anything"]
"""Kinds of claimed actions: stored, changed, deleted, finished, looked up, passed on to somebody,
bought or booked, a reminder set, a stored state told; `anything` for an unnamed completed action."""
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
HERE: Final = Pattern("日程|安排|任务|待办|账|日历|记录|清单|备忘")
"""Items that the secretary stores, and knows without a look-up."""

_DONE = "(?:了|啦|咯|喽|嘞|惹|辣)"
_TAIL = "(?:[哈哦喔呀啊呢吧的噢嗷]|就好|就行)*"
_WHOM = "(?:你们|你|您|大家|各位|他们|她们|他|她|它|咱们?|我们|二位|几位)"
_FOR = f"(?:(?:帮|给|替|为){_WHOM}?|把)"
_SOON = (
    "(?:这就|马上|立刻|立马|现在就?|先|来|就|去|会|回头|等下|待会儿?|一会儿?|稍后|一定|肯定|尽快|及时|"
    "第一时间|随时|准时|到时候?|届时|自动|再|都|也|要)"
)
_NOT_OURS = {
    "加": "油班倍热价薪",
    "点": "赞头",
    "列": "车",
    "排": "队",
    "写": "作",
    "换": "句",
    "打": "的",
    "清": "楚",
}
"""One-character verbs in words that mean something else."""


@dataclass(frozen=True, slots=True)
class Row:
    """One way to claim a kind of deed. Its group `deed` is where the words of the deed begin."""

    kind: Kind
    pattern: Pattern
    perfect: bool = True
    """Completed action; False for a promise."""


@cache
def data() -> dict[str, Any]:
    """The file."""
    return tomllib.loads(Path(__file__).with_name("claims.toml").read_text("utf-8"))


@cache
def words(section: str, name: str) -> tuple[str, ...]:
    """A list of words, the longest first."""
    node: Any = data()
    for part in section.split("."):
        node = node[part]
    return tuple(sorted(str(node[name]).split(), key=lambda word: (-len(word), word)))


def either(listed: tuple[str, ...]) -> str:
    """A pattern for any of the words; for none, one that never matches."""
    parts = [re.escape(word) + (f"(?![{_NOT_OURS[word]}])" if word in _NOT_OURS else "") for word in listed]
    return f"(?:{'|'.join(parts)})" if parts else "(?!)"


@cache
def rows() -> tuple[Row, ...]:
    """The table, in the order in which its kinds are named."""
    found: list[Row] = []
    for kind in KINDS:
        if kind == "remind":
            found += _reminding()
        elif kind == "anything":
            found += _anything()
        elif kind != "state":  # its table is `states`
            found += _doing(kind)
    return (*found, *_passing_on(), *_looking(), *_english())


def _row(kind: Kind, pattern: str, *, perfect: bool = True) -> Row:
    return Row(kind, Pattern(pattern, re.IGNORECASE), perfect)


def _doing(kind: Kind) -> list[Row]:
    section = f"kinds.{kind}"
    verb, end = either(words(section, "verbs")), either(words(section, "ends"))
    strong = either(tuple(word for word in words(section, "verbs") if len(word) > 1))
    promised, lasting = either(words(section, "promised")), either(words(section, "lasting"))
    into = "(?:到|进|入|在|成|至|为)[^的]{1,14}?"
    closed = rf"(?:{_DONE}|{end}{_TAIL}$)"
    listed = words(section, "whole")
    ending = either(tuple(dict.fromkeys(word[:-1] for word in listed if word[-1] in "了啦")))
    whole = f"(?:{ending}{_DONE}|{either(tuple(word for word in listed if word[-1] not in '了啦'))})"
    made = [
        # 已经给你记到…了, 帮你改好了, 给你加到周六下午了
        _row(
            kind,
            rf"(?P<deed>已经?[^,]{{0,4}}?{_FOR}|{_FOR})[^没不]{{0,10}}?{verb}(?:{end}|{into})?[^吗么]{{0,8}}?{closed}",
        ),
        # 已记录, 已经安排妥当, 已添加任务
        _row(kind, rf"(?P<deed>已经?[^,没不在]{{0,4}}?(?:在[^,没不]{{1,5}})?){strong}(?!的)"),
        _row(kind, rf"(?P<deed>已经?(?:成功|都|全部?)?){verb}{end}(?!的)"),
        _row(kind, rf"(?P<deed>){strong}(?:成功|完毕|完成|到位|就绪)"),
        # 删掉了, 记到日程里啦, 奶茶16记上了
        _row(kind, rf"(?P<deed>){verb}(?:{end}|{into}){_DONE}(?!的|就|再|才|吗|没)"),
        _row(kind, rf"(?P<deed>我(?:就|先|都|也|刚|刚刚|刚才|这边|已)*){verb}{_DONE}(?!的|就|再|才|吗|没)"),
        _row(
            kind,
            rf"^(?P<deed>(?:{_FOR}|都|也|全部?|全都|这就|那|就|先|我|刚|已经?|统统|顺手|一并)*){whole}{_TAIL}$",
        ),
        _row(kind, rf"(?P<deed>{_FOR})[^没不]{{0,8}}?{whole}{_TAIL}$"),
        # 我这就给你记, 我马上去改, 帮你记一下哈
        _row(
            kind,
            rf"(?P<deed>(?:我|小秘|秘书|这边){_SOON}{{1,3}}(?:{_FOR}[^没不]{{0,8}}?)?){promised}(?!账和|账、)"
            rf"(?=下|上|到|进|住|好|成|掉|一|{_TAIL}$)",
            perfect=False,
        ),
        _row(
            kind,
            rf"(?P<deed>(?:我|小秘|秘书|这边)?{_SOON}{{0,3}}{_FOR})[^没不]{{0,8}}?{promised}"
            rf"(?:一?下|[一了]?{promised}|[一两几][笔条个项件份次]|上|起来|进去|着|到[^吗]{{1,10}}|成[^吗]{{1,10}})?{_TAIL}$",
            perfect=False,
        ),
    ]
    # 加了加了, 删掉了删掉了
    again = rf"{verb}(?:上|好|完|掉)?{_DONE}"
    made.append(_row(kind, rf"^(?P<deed>(?:都|我|已经?)*){again}{again}{_TAIL}(?!吗|没)"))
    if words(section, "lasting"):
        made.append(_row(kind, rf"(?P<deed>){lasting}着{_TAIL}$"))
    if kind == "order":
        bought = either(words(section, "things"))
        ways = "打|叫|订|定|约|买|抢|下|付|交|充|挂|报|占|租|点"
        made.append(
            _row(
                kind,
                rf"(?P<deed>){bought}[^,没不]{{0,6}}?(?:{ways})(?:好|到|上|妥|成|完|下来)?{_DONE}(?!的|吗|没|就)",
            )
        )
        made.append(
            _row(
                kind,
                rf"(?P<deed>{_FOR}|已经?)[^,没不]{{0,2}}?(?:{ways})(?:好|到|上|妥|成|了)*[^,吗]{{0,6}}?{bought}",
            )
        )
    if kind == "finish":
        made.append(_row(kind, r"(?P<deed>)[打画划](?:上|了|个|一个)*[勾钩√]"))
    if kind == "change":
        made.append(_row(kind, rf"(?P<deed>){verb}{_DONE}[^,没不]{{0,4}}(?:小时|天|周|分钟|个月|一刻钟)"))
    if kind == "note":
        places = either(words(section, "places"))
        made.append(
            _row(
                kind,
                rf"(?P<deed>){places}(?:里|上|中|里面)?[^没不]{{0,4}}(?:多了|有了|加了|添了|新增了|躺好了)",
            )
        )
    return made


def _reminding() -> list[Row]:
    thing, verb = either(words("remind", "things")), either(words("remind", "verbs"))
    call, when = either(words("remind", "calls")), either(words("remind", "when"))
    watch = either(words("remind", "watch"))
    hour = "[0-9一二三四五六七八九十两半几](?:点|分钟?|小时|号|日|天|:)|[明后今][早天晚]|周[一二三四五六日天末]|星期|早上|晚上|中午|下午|上午"
    whom = f"(?:{_WHOM}|@|[\\w▯]{{1,4}})"
    tells = rf"(?:{call}{_WHOM}|(?:跟|和|给|向|对)(?:你们?|您|大家|各位)(?:说|发|打|弹|推|提个?醒|报|敲|吱))"
    return [
        _row("remind", rf"(?P<deed>){thing}[^,没不]{{0,6}}?{verb}(?:好|上|成|妥)?{_DONE}"),
        _row("remind", rf"(?P<deed>){thing}[^,没不]{{0,4}}?(?:已经?)?{verb}(?:好|上|成|妥){_TAIL}$"),
        _row("remind", rf"(?P<deed>){thing}(?:已经?|都)[^,没不]{{1,3}}$"),
        _row("remind", rf"(?P<deed>){verb}(?:好|上|成)?{_DONE}(?:个|一个)?[^,]{{0,10}}?{thing}"),
        _row("remind", rf"(?P<deed>{_FOR}|已经?){verb}(?:好|上|成|个|一个){{0,2}}[^,]{{0,10}}?{thing}"),
        _row("remind", rf"(?P<deed>已经?)(?:{_FOR})?[^,没不]{{0,8}}?{thing}"),
        # 我会提醒你, 到点叫你, 周五中午前我叫你一声
        _row(
            "remind",
            rf"(?P<deed>(?:我|小秘|秘书|这边|咱){_SOON}{{1,3}}[^,没不让]{{0,14}}?){call}{_WHOM}",
            perfect=False,
        ),
        _row("remind", rf"(?P<deed>{when}|{hour})[^,没不让]{{0,12}}?(?:{call}{whom}|{tells})", perfect=False),
        _row(
            "remind",
            rf"(?P<deed>有(?:消息|结果|变化|动静|情况)|一有[^,]{{0,5}})[^,没不]{{0,6}}?{call}{_WHOM}",
            perfect=False,
        ),
        _row("remind", rf"(?P<deed>(?:帮|替|给|我){_WHOM}?[^,没不]{{0,4}}?){watch}着", perfect=False),
        _row("remind", r"(?P<deed>包在我身上|交给我[了吧啦]?|有我呢)", perfect=False),
    ]


def _anything() -> list[Row]:
    word, end, talk = (
        either(words("anything", "words")),
        either(words("any", "ends")),
        either(words("any", "talk")),
    )
    quiet = rf"(?!{talk})"
    ours = rf"(?:(?:已经?|都|也|刚|刚刚|先|全|顺手|就|{_FOR})*)"
    return [
        # 已录, 已清除
        _row("anything", rf"^(?P<deed>已)(?!知|婚|故|读|阅|经|然){quiet}[^,没不]{{1,4}}$"),
        # 群公告我发好了, 那天我圈出来了
        _row("anything", rf"(?P<deed>我{ours}){quiet}[^,没不]{{1,4}}?{end}{_DONE}(?!的|吗|没|就|再|才)"),
        # 帮你瞄了眼, 给你弄了
        _row(
            "anything",
            rf"(?P<deed>(?:帮|给|替)(?:你们?|您|大家|各位)(?:都|也|先|已经?)*){quiet}[^,没不]{{1,6}}?{_DONE}(?!的|吗|没|就|再|才|不起)",
        ),
        # 先帮你占上
        _row(
            "anything",
            rf"(?P<deed>(?:先|这就|马上|立刻)(?:帮|给|替)(?:你们?|您|大家|各位)){quiet}[^,没不]{{1,6}}",
            perfect=False,
        ),
        _row("anything", r"(?P<deed>)话(?:我|已经?|给你|帮你)*带到了"),
        _row(
            "anything",
            rf"^(?P<deed>(?:{_FOR}|都|也|全部?|已经?|统统|好的?|行|嗯|这就|我)*){word}{_DONE}?{_TAIL}$",
        ),
    ]


def _passing_on() -> list[Row]:
    other = "(?!你(?!的)|您|你们)"
    return [
        _row(
            "send",
            r"(?P<deed>)(?:跟|和|向|同)[^,没不]{1,8}?(?:说|讲|提|打过?招呼|确认|沟通)(?:了|好了|过了|好)(?!的|算|吧)",
        ),
        _row(
            "send", r"(?P<deed>)(?:发|传|捎|带)(?:给|到|去|过去|出去|送)[^,没不]{0,8}?(?:了|啦)(?!的|吗|没)"
        ),
        _row("send", r"(?P<deed>)(?:私聊|私信|艾特|@)(?:你|您|他|她|大家|[\w▯]{1,6})?了"),
        _row(
            "send",
            rf"(?P<deed>我?){other}(?:通知|转告|转达|告诉|知会|问)(?:到|好|过)?了?(?:他|她|他们|大家|[\w▯]{{1,4}}?)?(?:一声|一下|了|过了)(?!的|算)",
        ),
        _row(
            "send",
            r"(?P<deed>(?:我|帮[你您]|替[你您])(?:已经?|刚|刚刚|也|都|这就|去)*)(?:喊|叫|催|拉|约|艾特|cue|call|找|问)(?:过|到|上)?(?:他|她|他们|大家|[\w▯]{1,4}?)(?:进群)?(?:了|过了|一声|一下)(?!的|算)",
        ),
        _row(
            "send",
            rf"(?P<deed>我{_SOON}{{1,3}}(?:帮你|替你|给你)?)(?:告诉|问问?|跟|和|去?说给|通知)(?!你|您|你们)[^,没不]{{1,8}}$",
            perfect=False,
        ),
    ]


def _looking() -> list[Row]:
    attends, outside = either(words("kinds.look", "attends")), either(words("kinds.look", "outside"))
    ours = "(?:我|帮你|替你|给你|刚|刚刚|刚才|去|先|已经?|又|都)*"
    return [
        # 看了眼导航, 我刚刷了下官微, 翻了翻你的朋友圈
        _row(
            "look",
            rf"^(?P<deed>{ours}){attends}(?:了|过)(?:{attends}|一?下|一?眼|一?圈|一?遍|[几两]个|[几两]次)?(?:你的?|他的?|那个?|这个?|群里?的?)?{outside}(?!吗|没|就|再)",
        ),
        # 比了几家, 试了一下, 数了数
        _row(
            "look",
            rf"^(?P<deed>{ours})(?:比了比|比了[几两]|试了试|试了一?下|数了数|数了一?下|核了一|翻了翻|打听了|逛了逛|逛了一|扫了一?眼)(?!吗|没|就|再)",
        ),
        _row(
            "look",
            r"(?P<deed>我?(?:刚|刚刚|刚才|先|已经?)?(?:帮[你您])?)(?:查|搜|检索|核对)(?:了(?:查|搜)?|过|到|完)(?!的|吗|没)",
        ),
        _row(
            "look",
            rf"(?P<deed>(?:我|刚|帮[你您])(?:刚|刚刚|刚才|先|已经?|去|帮[你您])*)(?:看|翻|对|瞅|瞄)(?:了(?:一?下|看|翻|一?眼|一遍)?|过)(?=[^,]{{0,4}}(?:{HERE.pattern}|天气|新闻|网|路况|票|价))",
        ),
        _row(
            "look",
            r"(?P<deed>)(?:去|到|在|从)?(?:网上|官网|百度|谷歌|小红书|知乎|点评|群文件|资料)[^,没不]{0,4}?(?:翻|看|逛|扒|查|搜|找|瞅)(?:了|到|过)(?!的|吗|没)",
        ),
        _row(
            "look",
            r"(?P<deed>(?:帮[你您]|我|刚)(?:去|刚|刚刚|刚才|已经?|先)*)(?:翻|打听|瞧|扒|问)(?:了(?:一?下|翻|一圈|问)?|过|到)(?!的|吗|没|你|您)(?![^,]{0,6}(?:聊|消息|群里|记录|上面|前面|他|她))",
        ),
        _row("look", r"(?P<deed>)(?:天气预报|网上|官网|百度|资料|系统|后台)(?:里|上|显示|说是?)(?!说)"),
    ]


def _english() -> list[Row]:
    have = r"(?:i(?:'ve| have)|(?:it|that|this)(?:'s| is| has been)|all|has been|have been|just|successfully)"
    will = r"(?:i'?ll|i will|i'm going to|i am going to|let me|will)"
    past = {
        "note": "noted|added|saved|recorded|scheduled|logged|created|booked in|put (?:it|that|this)|wrote|written down|jotted",
        "change": "moved|changed|updated|rescheduled|postponed|shifted|pushed",
        "remove": "deleted|removed|cancell?ed|cleared",
        "finish": "marked|checked off|ticked off|completed",
        "look": "looked (?:it )?up|searched|googled|checked the (?:weather|web|news)",
        "send": "sent|e-?mailed|notified|told|messaged|informed|let (?:him|her|them) know",
        "order": "booked|ordered|bought|reserved|paid",
    }
    future = {
        "note": "note|add|save|record|schedule|log|create|put|write|jot",
        "change": "move|change|update|reschedule|postpone",
        "remove": "delete|remove|cancel",
        "finish": "mark|check off",
        "look": "look|search|google|check the (?:weather|web|news)",
        "send": "send|notify|tell (?!you)|message|inform|let (?:him|her|them)",
        "order": "book|order|buy|reserve|pay",
        "remind": r"(?:\w+ ){0,2}(?:handle|take care|keep an eye|remind|ping|wake|nudge|alert|let you know)",
    }
    made: list[Row] = []
    for kind in KINDS:
        if kind in past:
            made.append(_row(kind, rf"(?P<deed>\b{have}\s+(?:\w+\s+)?)(?:{past[kind]})\b"))
            made.append(_row(kind, rf"(?P<deed>(?:^|[,.!;-]\s*|^\w+\s+))(?:{past[kind]})\b(?!\?)"))
        if kind in future:
            made.append(_row(kind, rf"(?P<deed>\b{will}\s+)(?:{future[kind]})\b", perfect=False))
    made.append(
        _row(
            "remind", r"(?P<deed>)\b(?:reminder|alarm|timer)s?\b.{0,12}\b(?:set|on|created|scheduled|ready)\b"
        )
    )
    made.append(_row("remind", r"(?P<deed>)\bset (?:a|an|your|the) (?:\w+ )?(?:reminder|alarm|timer)\b"))
    made.append(
        _row("anything", r"^(?P<deed>)(?:all )?(?:done|all set|taken care of|you're all set)\b[.!]?$")
    )
    return made
