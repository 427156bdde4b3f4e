"""Words around a schedule's time: change verbs, offsets, places, reminders, attendance. Pure.

Patterns for normalised text; they decide nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ..patterns import Pattern
from .clause import Mention
from .recognise.times import TimeExpression
from .timing.reminder_leads import CALLS_AHEAD, ahead_in
from .word_lists import table


@dataclass(frozen=True, slots=True)
class Attendance:
    """A member takes part, or no longer; `what` are the words of the name."""

    joins: bool
    what: str = ""
    others: tuple[Mention, ...] = ()
    """Other participants, by @ or by name (@阿凯 @小雅 参加)."""
    unknown: tuple[str, ...] = ()
    """Names unknown here."""
    nameable: bool = True
    """`what` may be repeated as a name."""
    speaker: bool = True
    """The speaker takes part, alone or with others."""


CHANGING: Final = Pattern(
    "(?:改名(?:叫|为|成)?|重命名为|更名为|改期到|改叫|(?:改|换|挪|调|调整|移|推|推迟|延|延后|延期|延迟|提前|提早|变更?|更改|修改|定)"
    "(?:到|成|为|至)|改在|改去|(?<=地点)改(?!一|个|变|动|下)|改(?=[0-9今明后大下周上星礼]))了?"
)
"""Change verb between a schedule and its new value (把明天的会改到四点)."""
RENAMING: Final = Pattern("改名|改叫|重命名|更名")
PLACE_BEFORE: Final = Pattern("(?:的)?(?:地点|地方|位置|场地|会议室)(?:要)?$")
"""Place noun before a change verb."""
ALSO_PLACE: Final = Pattern(
    "[,， ]+(?:地点|地方|场地|位置)(?:也|就|都)?(?:改|换|挪|定)(?:成|到|为|在|去)"
    "(?P<place>[^ ,，。?？吗]{1,20}?)[吧了啊呀哈。!]*(?=$|[ ,，])"
)
"""评审改到周三两点半 地点改成腾讯会议: place after the time."""
ELSEWHERE: Final = Pattern(
    "(?:换|改)(?:一?个|一下|下)?(?:地方|地点|场地|位置)[吧了啊]*[,， ]+(?:就|还是)*(?:去|到|在|改去|改到|定)"
    "(?P<place>[^,，。?？吗]{1,20}?)[吧了啊呀哈。!]*$"
)
"""换个地方 去外婆家: new place."""
PLACE_IS: Final = Pattern(
    "(?:集合|活动|开会|见面)?(?:地点|地方|场地|位置)(?:就|先|暂|还是)*(?:定|改|放|选|换)?(?:在|到|是|成|为)(?:了)?"
    "(?P<place>[^,，。?？吗]{1,20}?)[吧了啊呀哈。!]*"
)
"""地点定在海底捞: place of the schedule mentioned last."""
PUT_AT: Final = Pattern(
    "(?:还是|就|那就|都|先|以后|今后|往后)*(?:(?:放|搬)(?:在|到|去)?|(?:安排|固定|定|排|弄|搞|约)(?:在|到)?"
    "|就|还是|是|[在到])[ ]*$"
)
"""聚餐放, 评审定在: words before an item's time (`agents/routing/settling.py`)."""
REMINDING: Final = Pattern(rf"[,，、 ]*(?:请|记得|到时候?)?{CALLS_AHEAD}[吧啊哈呀]*", re.IGNORECASE)
"""Reminder leads (提前半小时提醒大家, 提前一天和十分钟各提醒一次)."""
EVERYBODY: Final = Pattern(
    f"@全体(?:成员)?|@所有人|{table('calls.call')}(?:一下|一声|下)?{table('calls.everybody')}(?:一下|一声)?"
)
"""Reminder for everybody."""
_PLACE_SAID: Final = Pattern(
    "[,，、。; ]*(?:地点|地址|位置|场地)(?:定)?(?:还是|是|在|为|:)* ?(?P<place>[^,，。;!?、\\s]{1,30})"
)
_DOING: Final = (
    "开|召开|期中|期末|举行|举办|进行|集合|集中|碰头|碰面|见面|见|聚|吃|喝|打|玩|唱|看|上课|上|面试|讨论|评审|培训|排练|彩排|团建|活动|汇合"
    "|会合|考试|比赛|训练|练|面谈|谈|录|拍|做|参加|签|交|办|过|搞|爬|跑|滑|游"
)
_EVENTS: Final = table("schedule.occasion")
EVENTS: Final = Pattern(_EVENTS)
HELD: Final = Pattern(
    f"^(?:加|搞|办|来|弄|约|定|举办|举行|开展)(?:了)?(?:一?[个场次顿])"
    f"(?=[^,，\\s]{{0,8}}?(?:{_EVENTS})(?:$|[\\s,，]))"
)
"""搞个消防培训: words before the event."""
_ROOM: Final = "(?:会议|活动|培训|排练|讲座|演出|婚礼|展览|聚会)(?:室|厅|中心|馆|场)"
_AT: Final = "在(?!线|一起|那儿?|这儿?)"
_PLACE_IN: Final = Pattern(
    f"(?:^|(?<=[,，、 ])){_AT}(?P<place>[^,，。;!?、在]{{1,15}}?)(?!{_ROOM})"
    f"(?=(?:{_DOING}|听|学|考|参观|{_EVENTS}))"
)
_PLACE_END: Final = Pattern(f"[,，、 ]?{_AT}(?P<place>[^,，。;!?、在]{{2,15}})$")
_SITE: Final = f"(?:{table('schedule.site')}|(?:语音)?频道)"
_NUMBERED_SITE: Final = (
    f"(?:[^ ,，。;!?、的去到在开]{{0,6}}{_SITE}[a-zA-Z]?[0-9一二三四五六七八九十]{{0,3}}"
    "(?:[层楼](?:[^ ,，。]{0,4}[室厅])?)?"
    "|(?!(?:19|20)[0-9]{2})[a-zA-Z]?[1-9][0-9]{2,3}(?:室|教室|会议室)?"
    "|[0-9一二三四五六七八九十]{1,2}(?:号?楼|层)[^ ,，。的]{0,6})"
)
_PLACE_PIECE: Final = Pattern(
    f"(?:^|[,，、 ]+)(?:(?P<place>{_NUMBERED_SITE})(?=$|[,，、 ])"
    "|(?P<meet>(?![一两二三四五六七八九十]+点)[^ ,，。0-9我你他她大都就在到]{2,10}?)"
    "(?:集合|碰头|汇合|见)(?=$|[,，、 ]))",
    re.IGNORECASE,
)
"""会议室B, 302, 东操场: a piece that is only a place name."""
_PLACE_FIRST: Final = Pattern(
    f"^(?P<place>(?:[^ ,，。;!?、的去到在开我和跟]{{0,4}}{_SITE}[a-zA-Z0-9]{{0,3}}"
    "|(?!(?:19|20)[0-9]{2})[a-zA-Z]?[1-9][0-9]{2,3}(?:室|教室)?))"
    f"(?=(?:(?:开|打|聚|吃|踢|看|玩|唱|做|办|搞|集合)|{_EVENTS}))(?!开放|演练|大扫除|消防)(?<!宿舍)(?<!办公室)(?<!实验室)",
    re.IGNORECASE,
)
"""302开短会, 体育馆打羽毛球: place directly before the activity."""
_PLACE_GONE_TO: Final = Pattern(
    f"^[去到](?P<place>[^ ,，。;!?、的去到在开我你他她和跟]{{0,6}}{_SITE}[a-zA-Z]?[0-9]{{0,4}})"
    f"(?!吃|聚餐|用餐|喝)(?=[去来]?(?:开|打|聚|踢|看|玩|唱|做|办|搞|集合|下棋|练|跳|上课|听|参加|{_EVENTS}))"
)
"""去社区活动室下棋, 到活动中心205开业主会: place before the activity. A meal keeps its place in its title
(去食堂吃饭)."""
_AWAY: Final = (
    "(?:不去|不来|不参加|[去来]不[了成]|参加不[了成]|到不了|"
    "赶不(?:上|过[去来])|(?:不能|没法|没办法)(?:去|来|参加)|请假)"
)
_PERHAPS: Final = "(?:就|也|可能|应该|大概|估计|怕是|恐怕|先)*"
_AROUND_NAME: Final = Pattern(f"^{_PERHAPS}|{_PERHAPS}$")
_JOIN: Final = Pattern(
    "(?:那[天次场个]|这[次场个]|当天|那|嗯|好的?|行|ok)?[,， ]?(?:\\+1|加1|"
    "(?:我(?:也|要|想|来)*|也)?(?:参加|报名|参与|加入)(?:一下|一个)?"
    "|我也?(?:要|想|来|会|可以|能)?(?:去|来)|(?:算|加|带|叫)(?:上)?我(?:一个|1个)?|去{2,4}|我也?算(?:我)?一个|也?算上?我)"
    "(?:第?[0-9一二三四五六七八九十]+[个场次]|这个|那个)?(?:日程|活动)?[吧啊呀哦喔啦了呗!~。]*",
    re.IGNORECASE,
)
_JOIN_NAMED: Final = Pattern(
    "(?:(?:帮|给|替)我|我)?(?:也|要|想|来)*(?:参加|报名|参与|加入)(?P<what>[^,，。?吗]{1,20}?)(?:的?(?:日程|活动))?[吧啊呀哦啦了!~。]*"
)
_JOIN_TOO: Final = Pattern(
    "我也(?:要|想|会|可以)?(?:去|来|加入)(?P<what>[^,，。?吗]{2,12}?)[吧啊呀哦啦了!~。]*"
)
_JOIN_AFTER: Final = Pattern(
    "(?P<what>[^,，。?吗]{1,20}?)[,， ]?也?(?:算我一个|我也?算(?:我)?一个|算上我|加我一个|带我一个|带上我"
    "|[带加拉]我|我也?来|我也?报名|我也?参加"
    f"|我也去|我(?:要|会|可以|能|肯定|一定)?去(?![不了过])|(?P<not>我{_PERHAPS}{_AWAY}(?:[,，\\s](?:去|来|参加)不了|[,，\\s]?不[去来做参]加?)?))"
    "[吧啊呀哦了啦哈呗!~。]*"
)
_TOGETHER: Final = Pattern(
    "(?P<what>[^,，。?吗和跟我]{1,12})?[,， ]*(?P<me>我)(?:和|跟|带上?|还有|、)"
    "(?P<names>[^,，。?吗的]{1,24}?)"
    "(?:一起|一块儿?|也|都|俩|两个|要|会)*(?:参加|报名|参与|加入|去|来)[吧啊呀哦啦了哈!~。]*"
)
"""我和小李都报名: the speaker and others."""
_AND: Final = Pattern("[、和跟与及 ]|还有")
_LEAVE: Final = Pattern(
    f"(?:我)?(?:(?:就|又|也|先)?(?:{_AWAY}|退出|不报名|不报)了?|(?:要)?(?:取消|撤销)报名)"
    "(?P<what>[^,，。?吗了]{0,20}?)(?:了)?[吧啊呀哦啦哈!~。]*"
)
_LEAVE_MIDST: Final = Pattern(
    f"我(?!们)[,， ]*(?P<what>[^,，。?吗我你他她们]{{2,12}}?){_PERHAPS}{_AWAY}[吧啊呀哦了啦哈呗!~。]*"
)
"""我周会不参加了: event between speaker and verb."""
_LEAVE_UNSAID: Final = Pattern(
    f"(?P<what>[0-9今明后这下周星期礼拜一二三四五六日天早中晚上午的那个点半]*(?:{_EVENTS}))[,， ]?{_PERHAPS}"
    "(?:不参加|[去来]不了|来不成|参加不[了成]|赶不上|请假)[吧啊呀哦了啦哈呗!~。]*"
)
"""周会不参加了: speaker omitted. 不去了 and 去不成 without 我 cancel the event."""
_TAKE_ME_OUT: Final = Pattern(
    "(?:请|帮我|麻烦)*(?:把|将)?(?:我|俺|我的?名字)(?:从(?P<what>[^,，。?吗]{1,16}?))?(?:的)?(?:名单|报名|日程|活动)?(?:里面?|中|上)?"
    "(?:去掉|删掉|删了|删除|移除|移出|划掉|拿掉|除名|踢(?:出来|了|掉)|撤(?:了|掉|出来))[吧啊呀哦了啦哈呗!~。]*"
)
"""把我从羽毛球里去掉: removes the speaker, not the event."""
_BEFORE: Final = Pattern(
    "^(?:那(?![天次场个])|对了|算了|取消吧|[哎唉嗯呃]呀?|抱歉|对不起|不好意思|不行|糟了|完了)+[,，。 ]*(?=.)"
)
_REASON: Final = Pattern(
    "(?:我)?(?:[今明后]天|[上下中]午|晚上|周[一二三四五六日末天]|那天|当天|到时候?|这边|这次|家里|"
    "公司|单位|临时|突然|正好|刚好|可能|要|得|还|又|有点|在)*"
    "(?:有(?:点|些)?(?:急|别的)?事儿?|加个?班|出差|没空|没时间|走不开|"
    "[^,，。?吗去来参加们我]{1,6}了(?=[,，。 ]*(?:就|也)?(?:[去来]不[了成]|不[去来]|参加不))|"
    "生病|感冒|发烧|不舒服|有课|有会|值班|带娃|看娃|在外地)了?[,，。 ]*"
)
"""Reason for absence."""
_FAREWELL: Final = Pattern(
    "[,，。 ]*(?:(?:你们|大家)(?:先|自己|几个|好好)*"
    "(?:去|玩|吃|聚|打|开|唱|爬)(?:[吧啊呀呗]|就行|就好|得?开心)*+"
    "|(?:别|不用|不必)(?:等|管|算)我了?|(?:你们|大家)?(?:好好)?玩得?(?:开心|尽兴|愉快)|下次(?:一定|吧|再[约去来说聚]))[吧啊呀哦了啦哈呗!~。]*$"
)

_ASKED: Final = Pattern("什么|怎么|哪|谁|几|[?？吗呢么]")


def attendance(text: str) -> Attendance | None:
    """Attendance of the speaker in a line of nothing else (参加, +1, 我不去了); None otherwise."""
    line = text.strip()
    if len(line) > 40 or _ASKED.search(line):
        return None
    said = _BEFORE.sub("", line)
    together = _TOGETHER.fullmatch(said)
    if together is not None:
        names = tuple(name for name in _AND.split(together["names"]) if name)
        return Attendance(True, _named(together["what"] or ""), unknown=names, speaker=bool(together["me"]))
    first = re.split("[ ,，。]", said, maxsplit=1)[0]
    return (
        _stays_away(first, said)
        or _beside_others(first, said)
        or _attendance(said)
        or _attendance(_without_reason(said))
        or (_attendance(first) if _TAKE_ME_OUT.fullmatch(first) is not None else None)
    )


def signs_up(text: str, names: Iterable[str]) -> Attendance | None:
    """Attendance of the speaker in a name with 报名 behind it (爬山报名, 周日舞狮报名); None for other lines,
    and where another member is named (阿凯爬山报名)."""
    found = _SIGNS_UP.fullmatch(text.strip())
    if found is None or any(name.lower() in found["what"] for name in names if name):
        return None
    return Attendance(True, _named(found["what"]))


_SIGNS_UP: Final = Pattern(
    "(?:我|俺)?(?!开|快|赶紧|结束|停|截止|发|可以|能|要|想|已|来|去|再|关|大家|各位)"
    "(?P<what>[^,，。?吗我你他她们没不别谁帮给替]{2,16}?)的?报名(?:一下|下)?[吧啊呀哦啦哈呗!~。]*"
)


def attendance_of_another(text: str, names: Iterable[str]) -> Attendance | None:
    """Attendance of one member who is named, in a line of nothing else (周会小李也参加, 小李也参加周会)."""
    line = text.strip()
    if len(line) > 40 or _ASKED.search(line):
        return None
    for name in sorted(filter(None, names), key=len, reverse=True):
        before, there, behind = line.partition(name)
        found = _ANOTHER_JOINS.fullmatch(behind) if there else None
        what = "" if found is None else _named(before.strip(" ,，")) or _named(found["what"])
        if found is not None and what and not (before.strip(" ,，") and found["what"]):
            return Attendance(True, what, unknown=(name,), speaker=False)
    return None


_ANOTHER_JOINS: Final = Pattern(
    "(?:也|都|要|会|想|能|一起)*(?:参加|加入|出席|报名)(?P<what>[^,，。?吗了过]{0,20}?)(?:的?(?:日程|活动))?[吧啊呀哦啦哈!~。]*"
)


def kept_away(text: str, names: Iterable[str]) -> str | None:
    """Name of the member who is not to come (别让阿凯参加周会, 周会别叫阿凯来): no deletion of the event."""
    for name, before, behind in _around(text, names):
        if _FORBIDS.search(before) is not None and _COMES.match(behind) is not None:
            return name
    return None


def portion_taken(text: str, names: Iterable[str]) -> str | None:
    """Name of the member whose portion alone is called off (阿凯那份取消)."""
    return next((name for name, _, behind in _around(text, names) if _PORTION.match(behind)), None)


def takes_a_portion(text: str) -> bool:
    """True if somebody's portion is called off in a piece of its own, whoever that is (…,凯那份取消)."""
    return any(_SOMEBODYS.match(piece) is not None for piece in _PIECES.split(text))


def _around(text: str, names: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """Each name in a text, or what is left of it without its 阿 or 小 (凯那份), with what stands before and
    behind it."""
    known = [name for name in names if name]
    short = [name[1:] for name in known if name.startswith(_CALLS) and len(name) > 1]
    for name in sorted({*known, *short}, key=len, reverse=True):
        before, there, behind = text.partition(name.lower())
        if there:
            yield name, before, behind


_FORBIDS: Final = Pattern("(?:别|不要|不用|不许|不准|甭|莫)再?(?:让|叫|喊|带|请|邀请?|拉|算上?)[ @]*$")
_COMES: Final = Pattern("[ ,]*(?:也|再)?(?:来|去|参加|加入|出席|进来?|一起)")
_CALLS: Final = ("阿", "小", "老", "大")
_PORTION_OFF: Final = (
    "的?那?[一两二三几俩0-9]?份(?:儿|子|也|就|先|都|给|我|帮)*(?:取消|不要|去掉|撤|删|退|免)"
    "|的?那?[一两二三几俩0-9]?份(?:别|不用|不)(?:算|要|记|留)"
)
_PORTION: Final = Pattern(_PORTION_OFF)
_SOMEBODYS: Final = Pattern(f"[^0-9第这那]{{1,4}}?(?:{_PORTION_OFF})")
_PIECES: Final = Pattern("[ ,，。;；、]+")


def _beside_others(first: str, line: str) -> Attendance | None:
    """我也去 带上我老公; 我不去了 拉肚子: attendance in the first piece, no event after it."""
    rest = line[len(first) :]
    if not rest.strip(" ,，。") or _NAMES_EVENT.search(rest) is not None or _ORDERS_MORE.search(rest):
        return None
    found = _attendance(first)
    return found if found is not None and not found.what else None


def _stays_away(first: str, line: str) -> Attendance | None:
    """我去不了评审会，孩子家长会: absence with its reason behind."""
    if first == line or _ORDERS_MORE.search(line[len(first) :]) is not None:
        return None
    found = _attendance(first)
    return found if found is not None and not found.joins and found.what and "我" in first else None


_NAMES_EVENT: Final = Pattern(_EVENTS)
_ORDERS_MORE: Final = Pattern(
    "日程|活动|提醒|[那这][个场次天]|第.个|[0-9一二三四五六七八九十][点号]|周[一二三四五六日]|[今明后]天"
)


def _without_reason(line: str) -> str:
    """Line without the reason for absence and wishes to the others."""
    rest = _FAREWELL.sub("", line)
    return _REASON.sub("我", rest, count=1).replace("我我", "我").strip(" ,，。")


def _attendance(line: str) -> Attendance | None:
    if _JOIN.fullmatch(line):
        return Attendance(True)
    out = _TAKE_ME_OUT.fullmatch(line)
    if out is not None:
        return Attendance(False, _named(out["what"] or ""))
    left = _LEAVE.fullmatch(line)
    if left is not None:
        return Attendance(False, _named(left["what"] or ""))
    after = _JOIN_AFTER.fullmatch(line)
    if after is not None and "我" in after["what"] and " " in after["what"]:
        after = None  # 我明天下午去医院 3点 爬山我也算一个: what comes first is another thing of theirs
    if after is not None:
        return Attendance(after["not"] is None, _named(after["what"]))
    midst = _LEAVE_MIDST.fullmatch(line) or _LEAVE_UNSAID.fullmatch(line)
    if midst is not None:
        return Attendance(False, _named(midst["what"]))
    named = _JOIN_NAMED.fullmatch(line) or _JOIN_TOO.fullmatch(line)
    return Attendance(True, _named(named["what"])) if named is not None else None


def _named(words: str) -> str:
    words = _AROUND_NAME.sub("", words.strip())
    return re.sub("^(?:这个|那个|这|那|了)|的$|^(?:日程|活动)$", "", words)


def leads_in(text: str, times: Sequence[TimeExpression] = (), *, new: bool = False) -> tuple[int, ...]:
    """Reminder leads in minutes, longest first; empty if none. Without a reminder verb (提前10分钟) only for
    a new item: for a stored one it moves the time."""
    found = ahead_in(text, times)
    return found.leads if found is not None and (found.called or new) else ()


def lead_minutes(text: str) -> int | None:
    """Longest lead; None if none."""
    return next(iter(leads_in(text)), None)


def split_place(text: str) -> tuple[str, str]:
    """`text` without its place, and the place (在会议室开会 -> 开会, 会议室); empty if none."""
    for pattern in (_PLACE_SAID, _PLACE_IN, _PLACE_END, _PLACE_PIECE, _PLACE_FIRST, _PLACE_GONE_TO):
        found = pattern.search(text)
        if found is None:
            continue
        rest = (text[: found.start()] + text[found.end() :]).strip(" ,，、。;")
        if rest or pattern not in (_PLACE_PIECE, _PLACE_FIRST, _PLACE_GONE_TO):
            return rest, (found["place"] or found["meet"]).strip("的 ")
    return text, ""


def is_venue(text: str) -> bool:
    """True for words that only name where something is (对面那家湘菜馆), no new name of what is done."""
    return _VENUE.fullmatch(text) is not None


_VENUE: Final = Pattern(
    "(?!去|到|逛|订|约|找|看|开|装|收拾|打扫|参观)[^ ,，。;!?、]{0,14}"
    f"(?:{table('schedule.site')}|菜馆|饭馆|宾馆|球馆|书店|酒楼|酒家|小店|面馆|[^分本商网]店"
    "|(?:对面|隔壁|楼下|楼上|旁边|附近|门口|街角|路口|上次|老)的?[这那]?家)"
)


_ASKS_WHETHER: Final = Pattern(
    "(?P<is>是不是|是[^,。!?]{1,10}(?:吗|么|噻|嘛|吧)[?? ]*$)|有没有|(?:吗|么|没|没有|不)[?? ]*$"
)
_ASKS_WHAT: Final = Pattern("什么|啥|哪|几(?!次)|谁|多少|怎么|咋|为何")


def yes_to(text: str) -> str:
    """Yes to a question of existence (有, 对); empty for no question."""
    found = _ASKS_WHETHER.search(text)
    if found is None or _ASKS_WHAT.search(text) is not None:
        return ""
    return "对" if found["is"] else "有"
