"""Agent-independent kinds of pieces: empty, order without an object, detail, reason."""

from __future__ import annotations

from typing import Final

from ...patterns import Pattern
from ..clause import Clause
from ..reading import words_of
from ..recognise.members import as_own, for_whom
from ..timing.reminder_leads import CALLS_AHEAD
from ..word_lists import table
from .features import OPENING, bare, chats, hear, talks, without_times
from .hollow import orders_alone

_PUNCTUATION: Final = " ,.;:!。、…~·-—^*#@"
_NOTHING: Final = Pattern(
    rf"(?>(?:{table('talk.vocative')}|{table('talk.polite')}|{table('talk.connective')})"
    r"[ ,.!~。?吧啊哦呀啦哈呢了]*)+"
)
_LITTLE: Final = Pattern(rf"(?:\[[^\]\n]{{0,20}}\]|{table('talk.little')}|[\s,，.。!！?？~～…、])+")
_LONGEST_NOD: Final = 60
"""Most characters of a line searched for a nod."""
_AHEAD: Final = Pattern(rf"(?>{OPENING}|记得|别忘了?|一定)*{CALLS_AHEAD}(?:哦|啊|吧)?")
_NOUN_PHRASE: Final = Pattern(
    "[^,;。!?]{0,12}(?:的(?!话)|那个|这个|那场|这场|那次|这次)(?![^,;。!?]*[了吗呢])[^,;。!?的]{1,8}"
)
_PHASE: Final = Pattern(
    rf"(?:大家|我们|所有人|全员|全体|各位|每个人|准时|就|要|都|在|于)*(?:[一-鿿]{{1,4}}(?=集合|出发|散会|见面))?"
    rf"(?:{table('talk.phase')}|到(?:场|齐|位|达|岗)?)(?:就行"
    rf"|就好|吧|哦|啊|了)*"
)
_DETAIL: Final = Pattern(
    "^(?:地点|地址|位置|时间|主题|内容|备注|参加人|参与人|人员|参会人|标题"
    "|描述|理由|原因|提前|不见不散|带上|带好|带着|记得带|别迟到|不要迟到"
    "|任务(?:已经?)?完成了?$|准时|务必|穿|人均|每人|预计|大概|大约|优先级?(?:别|是|为|:|设为|定为|设成)*[最很较]?[高中低普一]|[最很较]?[高中低]优先级$|在[^,]{1,12}$|就在|于)"
)

_ASKS_THE_OTHERS: Final = Pattern(
    "^(?:还?有人|有没有人|谁|还有谁|大家|你们|要不要|来不来|去不去|都)[^,]{0,4}?(?:来"
    "|去|参加|一起|报名|约|能到|有空|方便|可以)"
)
"""Question to the group beside a plan, without an answer of ours (周日打球，有人来吗)."""


def says_nothing(text: str) -> bool:
    """True for a piece of only greeting, courtesy, name or filler."""
    line = text.strip(_PUNCTUATION).lower()
    return not line or _NOTHING.fullmatch(line) is not None or not any(c.isalnum() or c == "?" for c in line)


def says_little(text: str) -> bool:
    """True for a line of only nod, laugh, faces and pauses ([赞] 收到, 哈哈, 1)."""
    line = text.strip().lower()[:_LONGEST_NOD]
    return not line or _LITTLE.fullmatch(line) is not None


def is_hollow(clause: Clause) -> bool:
    """True for an order without an object (提醒我, 记一下, 明天下午叫我)."""
    person = for_whom(clause)
    own = clause if person is None else as_own(clause, person)
    line = without_times(own.text.lower(), own.times).strip(_PUNCTUATION)
    if person is not None and not line:
        return True  # 给阿凯安排个活
    if clause.amounts or not line or _points_at_a_day(clause):
        return False
    return orders_alone(Clause(line, clause.situation)) in ("makes", "shows")


def _points_at_a_day(clause: Clause) -> bool:
    """安排一下 明天的那个: any item of that day."""
    if not clause.times:
        return False
    words = [token.classes for token in words_of(clause.text, clause.times)]
    return len(words) > 1 and "this" in words[-1] and not words[-2].isdisjoint({"of", "time"})


def only_time(clause: Clause) -> bool:
    """True for a time and nothing else."""
    return bool(clause.times) and not bare(without_times(clause.text.lower(), clause.times))


def is_detail(clause: Clause) -> bool:
    """True for a detail of the previous clause (七点集合, 地点在三楼, 三点到五点)."""
    line = without_times(clause.text.lower(), clause.times).strip(_PUNCTUATION)
    if only_time(clause) or _PHASE.fullmatch(line) is not None or _DETAIL.match(line) is not None:
        return True
    return _AHEAD.fullmatch(clause.text.lower()) is not None


def only_takes_out(clause: Clause) -> bool:
    """True for a delete or tick order without an object (从日程里删掉, 打个勾)."""
    return orders_alone(clause) == "takes"


def names_a_thing(clause: Clause) -> bool:
    """True for the name of a known item and nothing else (明早的晨会, 买菜那个任务)."""
    return len(clause.text) <= 20 and _NOUN_PHRASE.fullmatch(clause.text) is not None


def is_talk(text: str) -> bool:
    """True for a piece with an answer of its own: a question, a joke, a poem; not a question to the group."""
    return talks(text) and _ASKS_THE_OTHERS.match(text) is None


def asks_more(text: str) -> bool:
    """True for a further question about the same item, unnamed (在哪, 几点结束)."""
    return _FURTHER.fullmatch(text) is not None


_FURTHER: Final = Pattern(
    "(?:又|还|都|具体|大概)*(?:在|是)?(?:哪里?|哪儿|什么地方|几点|什么时候|啥时候|哪天|多久|谁(?:去|来|参加)?|几个人|多少人)"
    "(?:开始|结束|开|集合|去|来|举行)?[呀啊呢吗?]*"
    "|(?:又|还|都|要|该|得|一共|总共|各)*(?:转|还|给|付|欠|打|出|掏)?(?:多少|几多|好多)(?:块?钱)?[呀啊呢?]*"
)


_ASSENT: Final = Pattern(f"(?:{table('decision.assent')})[吧啊呀哦的了 ,.!~。]*")


def is_reply(text: str) -> bool:
    """True for a piece that can only answer our question (确认，提醒我明天交表)."""
    return _ASSENT.fullmatch(text.strip()) is not None


def is_chatter(text: str) -> bool:
    """True for feelings, wishes or reported speech."""
    return chats(text)


_REASON: Final = Pattern(
    "(?:因为|由于)|(?:要|得|需要|临时|突然|可能|正好|刚好|还)(?:去|在|出)?(?:出差|加班|请假|值班|上课|补课|开会|考试|回老家|回家|搬家|体检|看病|住院)$"
    "|(?:^|[点天晚午上周日号一二三四五六])"
    "(?:有人|有的人|好几个人?|一半人|[他她]们?|我们?|俺|咱|对方|客户|老板|领导|经理|老师|教练"
    "|[老小阿][^ ,]{1,2})"
    "(?:[今明后]天|[早晚][上]?|[上下中]午|周[一二三四五六日])*(?:都|也|还|又|要|得|在|正好|刚好|临时|突然)*"
    "(?:出差|加班|请假|值班|上课|补课|开会|考试|搬家|体检|看病|住院|回老家|出国|休假|休息|结婚)$"
    "|(?:没空|没时间|没法[^,]{0,4}|有事|有课|有点事|来不了|去不了|赶不上|赶不及|来不及|不方便|不在|撞了|冲突|在外地|堵车|生病|发烧|感冒|不舒服)了?$"
)


def gives_reason(clause: Clause) -> bool:
    """True for a reason after a change (往后推一天吧 周四要出差): nothing to store."""
    heard = hear(clause)
    return not heard.ordered and _REASON.search(heard.text.strip(" ,。!~吧啊呢的")) is not None


def tells_own_plan(clause: Clause) -> bool:
    """推到九点 我要接孩子: the speaker's own plan without a time after a change, as its reason."""
    if clause.times or clause.amounts:
        return False
    tokens = [
        token.classes for token in words_of(clause.text) if token.classes.isdisjoint({"filler", "particle"})
    ]
    if len(tokens) < 3 or "self" not in tokens[0] or tokens[1].isdisjoint({"ought", "modal"}):
        return False
    return all(each.isdisjoint(_ORDERS_US) for each in tokens[2:]) and "action" in tokens[2]


_ORDERS_US: Final = frozenset(
    {
        "make",
        "remind",
        "rouse",
        "rouse_me",
        "mind",
        "change",
        "take_away",
        "finish",
        "later",
        "earlier",
        "look",
    }
)
_TELLS: Final = Pattern("[没不有要了还得]|在(?!$)|生病|发烧|加班|出差|堵车|下雨")


def says_why(clause: Clause) -> bool:
    """True for an unknown piece after a change that is only a reason (她要追剧): without time, amount or
    place."""
    if clause.times or clause.amounts or is_detail(clause):
        return False
    return _TELLS.search(clause.text) is not None
