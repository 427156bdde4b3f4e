"""Mood and topic of a clause: question, order, report, wish, reported speech. Shared by the rules of all
agents. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from typing import Final, Literal, NamedTuple, cast

from ...patterns import Pattern
from ..clause import Clause
from ..recognise.times import TimeExpression, names_day
from ..word_lists import one_of, table, words

LONGEST: Final = 400
"""Most characters of a clause searched."""

_POLITE: Final = f"(?:{table('talk.polite')})"
_VOCATIVE: Final = f"(?:@?(?:{table('talk.vocative')}))"
OPENING: Final = (
    rf"(?>(?:{_VOCATIVE}|{_POLITE})[,:!。~ 、]+|(?:{table('talk.connective')})[,: ]?|[,:;!?。~、 @#·…]+"
    "|(?:麻烦|烦请|劳烦|拜托|请(?![假客教安示愿柬帖]))(?:你|您|大家)?|小?(?:秘书|助手|助理)(?=[帮给把替]|提醒|叫我|记|加|建|查|取消)|(?:你"
    "|您)?(?:能不能|可不可以|可以|可否|能否|能)(?=帮|提醒|叫|给|记|通知"
    "|把|将|取|删|改)"
    "|(?:你|您)?(?:帮|替)(?:我们|我|俺|咱们?|忙|下忙|大家|群里?)|帮(?=[记加建设订查])|给(?:我们|我|俺|咱们?)(?=提醒"
    "|记|加|定|设|建|安排|取|删|改|查|看|列)|那(?![个些天边里次场条件位家么])就?|也|就|先|再|都|还(?=要"
    "|得|需|想))"
)
"""Words before an order and outside it. Repeated, so each piece has one reading only."""
_OPENINGS: Final = Pattern(f"{OPENING}+")
_SELF: Final = Pattern(
    "(?:我们|咱们|咱|我(?![妈爸爹娘哥姐弟妹老家的国校司])|大家|俺)?(?:自己)?(?:也"
    "|都|还(?=要|得|需|想)|又|就|先|再)?"
    "(?:需要|必须|得(?!到|分|奖|知|了)|要(?!求|是|闻|紧|点|素|塞|领)"
    "|想|准备(?!材料|资料|考|晚|午|早|礼|会|P|p|一|东|好)|该|应该|会(?!议)"
    "|可以|可能要)*"
)
_TIE: Final = Pattern("^(?:时候|的(?!话)|开始|起(?=[,。 ]|$)|之?前|以前|左右|准时|钟|[,:、 ~])+|[,:、 ]+$")

_QUESTION: Final = Pattern(
    r"[?]|吗|(?<![什怎那这多要])么(?:$|[,。!~ ])|呢$|什么|啥|(?<!没)(?<!没.)多少"
    r"|几(?:[点号时个天笔次人位家块周月楼]"
    r"|岁)|谁|哪|怎么|怎样|咋|为什么|为何|何时|是不是|有没有|要不要"
    r"|能不能|可不可以|(?P<one>[^时动偏])不(?P=one)|(?:周|星期|礼拜)几"
    r"|(?<!没)(?<!没.)多久|多大|多长|如何|没有$|[了完好]没$|(?:行|成|可以)不$|是否|能否"
    r"|(?!地点|时间|地方|位置)[^,还]{2}还是[^,改取删推换算]{1,8}[^,吧了啊吗]$"
)
_ASKED_ORDER: Final = Pattern(
    "(?:能不能|可不可以|可以|可否|能否|能|麻烦|帮|行不行).{0,12}?(?:提醒"
    "|叫我|喊我|记|加|安排|订|定|设|建|取消|删|改|推迟|通知|延|提前)"
)
_REMEMBERS: Final = Pattern("记得(?:当年|那年|那时|以前|小时候|上次|第一次)")
_ABILITY: Final = Pattern(
    "(?:你|您|小?秘书?)(?:能不能|可不可以|能|会|可以)(?!(?:提醒|叫|喊)我[^吗么嘛不?])(?:帮(?:我们|我|忙"
    "|人|大家)?)?[^0-9一二三四五六七八九十,]{1,6}(?:吗|么|嘛|不)?[?]?"
)
"""Question about the secretary's abilities, no order (你能帮我记账吗)."""
_ORDERED: Final = Pattern(
    rf"{table('tasks.remind')}|记(?:一?下来?|一?个|一?笔|(?<!会议记)录|到|上)|添加|新增"
    rf"|新建|创建|(?:加|建|设|定|订|约|排|来)(?:个|一个|一场|一次|上|一条"
    rf"|一项|条|好|下)"
    r"|安排(?!$|吗|了|得|的|[,。?])|发起|组织(?=[^的内里])|帮(?:我|忙|大家"
    r"|我们)|替我|给我(?!发|打|买|寄|转|看|讲|说|的|还|送)|麻烦(?!的|事"
    r"|了|死)|请(?:你|您|帮|提|记|把|将|安|取|删|在|于|务)|务必|预约|预定"
    r"|预订"
)
_REPORTED: Final = Pattern(
    rf"{table('talk.reported')}|(?:(?:{table('talk.person')})们?|(?<![\w])小[^\s,的]"
    rf"|老[王张李刘陈杨赵黄周吴徐孙](?![\w]*店)|[a-z]{{2,}})"
    r"(?:刚才?|昨天|昨晚|今天|又|都|还|也|之前|早上|跟我|和我|对我"
    r"|在群里|给我发消息)*(?:说(?!明|服|一|下|好)|问(?!题|卷|候|他|她|问)"
    r"|讲(?!座|课|台|解|义)|告诉|提到|表示|宣布|通知(?=我|大家|说|了|,|:"
    r"|今|明|后|下|周))"
)
_THIRD: Final = Pattern(
    rf"^(?:他们?|她们?|它|我?(?:爸爸?|妈妈?|哥哥?|姐姐?|弟弟?|妹妹?|同事"
    rf"|朋友|老板|领导|室友|对象|女朋友|男朋友|老公|老婆|媳妇))(?!的|们|和"
    rf"|跟|与|生日|聚|约(?!我)|会|让我|叫我|要我|那)"
    rf"|^(?:(?:{table('talk.person')})们?|小[^\s,的时雨雪吃区学组龙面菜说票程酒火][^\s,的]?"
    rf"|老[王张李刘陈杨赵黄周吴徐孙])(?:今天|明天|昨天|也|都|就|还|又|要"
    rf"|会(?!议)|想|在|正|刚|打算|准备|可能|应该|说|让|叫|不|来|去|走|到|回|生日"
    rf"|结婚|出差|考|有|是|放|给|上|下|请|发|换|加|住|买|花|工资|月薪|把|将|给)"
)
_DOES_WELL: Final = (
    "买卖做写办弄搞备拾订约理排填发画改修收拿带洗穿煮学练背看读选拍录装关锁放存充打问买定安谈商交"
)
"""Characters before 好 as a result (买好礼物), not a judgement."""
_FEELING: Final = Pattern(
    rf"{table('talk.feeling')}|终于(?![^,]{{0,4}}(?:发|到账|到手|下来|还|退|付|交|卖|回本))"
    rf"|不想(?!要)|太[^ ,]{{1,4}}了"
    rf"|(?<![{_DOES_WELL}])好[^的好,了不像多几久吧嘞啦]{{1,3}}(?:啊"
    rf"|呀|哦|!|$)|[^完]死了|感觉|觉得|真的[^吗]|啊啊|唉"
)
_WISH: Final = Pattern(table("talk.wish"))
_WEATHER: Final = Pattern(table("talk.weather"))
_ADVICE: Final = Pattern(table("talk.advice"))
_REQUEST: Final = Pattern(table("talk.request"))
_STATE: Final = Pattern(
    "^(?:[就又还真都也总]?是|才是|不是|(?:周|星期|礼拜)[一二三四五六日天末几]|几号|几点"
    "|放假|放(?!学)|休息日|有[^课事会约空课场个局安活聚比]"
    "|没|还没|没有|一定会|肯定|快乐|愉快|见$|见[!~,]|再[说聊见]|好$|好[!~,]"
    "|加油|继续|快到|到了|终于|怎|的我|的你)"
)
_TOLD: Final = Pattern(
    r"[^为除算完成好不到定改取消别得要删搞定办弄][了过](?:$|[一二两三四五六七八九十几\d个,!。~ ]"
    r"|啊|呢|点|好多|半|很)|刚刚|刚(?!才那|才这|才的|刚)|已经|曾经|的时候$"
    r"|[^值获取]得(?:真|太|很|挺|特别|超)"
    "|[吃喝睡起下上开打看坐洗跑办]的(?:饭|酒|觉|床|班|课|会|球|电影|车|戏|步|澡|手续)(?:$|[,。!~ 啊呢])"
)
_IMMINENT: Final = Pattern("(?:就要|又要|快要|要|就)[^,]{1,8}了(?:$|[,!~。啊])")
_UNTIL: Final = Pattern("(?P<verb>[开加上打聊玩写看学等喝吃忙熬睡走做])[^ ,]{1,3}(?P=verb)到")
"""开会开到十二点: duration in the past."""
_LEADS_TO: Final = Pattern("(?:赶在|在|于|自|从)$")
_SPACES: Final = Pattern(" +")


class ClauseFeatures(NamedTuple):
    """Features of a clause for any agent. All texts are in lower case."""

    text: str
    rest: str
    """Text without times, openings and subject (明天下午我要去买菜 -> 买菜)."""
    body: str
    """Text without times only."""
    asks: bool
    """Question, and no order put as one (能提醒我吗)."""
    ordered: bool
    """Has order words for us."""
    advice: bool
    """Asks for knowledge, taste or advice, which no agent stores."""
    reported: bool
    """Reported speech."""
    third: bool
    """About somebody else."""
    felt: bool
    wished: bool
    weather: bool
    state: bool
    """State, not a task (明天是周六, 明天见)."""
    told: bool
    """Report of an event."""
    past: bool
    """All named days are past; a clock time alone belongs to the day before it (昨天开到十点)."""
    ahead: bool
    """Names a later day, or a moment from now."""

    @property
    def talk(self) -> bool:
        """True for talk, even with a time and an activity; an explicit order outweighs it."""
        return self.reported or self.third or self.felt or self.wished or self.weather or self.state


class _Said(NamedTuple):
    asks: bool
    ordered: bool
    advice: bool
    reported: bool
    felt: bool
    wished: bool
    weather: bool


@lru_cache(maxsize=64)
def _said(text: str) -> _Said:
    ordered = _ORDERED.search(text) is not None and _REMEMBERS.search(text) is None
    question = _QUESTION.search(text) is not None
    return _Said(
        asks=question
        and (_ABILITY.fullmatch(text) is not None or not (_ASKED_ORDER.search(text) and ordered)),
        ordered=ordered,
        advice=question and _ADVICE.search(text) is not None,
        reported=_REPORTED.search(text) is not None,
        felt=_FEELING.search(text) is not None,
        wished=_WISH.search(text) is not None,
        weather=_WEATHER.search(text) is not None,
    )


def upcoming(clause: Clause) -> bool:
    """True if a time of the clause begins after now, also later today."""
    now = clause.situation.now
    return any(
        (begins := found.begins_at(clause.situation.zone)) is not None and begins > now
        for found in clause.times
    )


def hear(clause: Clause) -> ClauseFeatures:
    """Features of a clause; cached, since every agent's rules ask."""
    return _heard(clause.text[:LONGEST].lower(), clause.times, clause.situation.now.date())


@lru_cache(maxsize=64)
def _heard(text: str, times: tuple[TimeExpression, ...], today: date) -> ClauseFeatures:
    said = _said(text)
    body = without_times(text, times)
    rest = bare(body)
    dates = _days(times)
    repeats = any(found.recurrence is not None for found in times)
    past = bool(dates) and all(day < today for day in dates) and not repeats
    ahead = repeats or any(day > today for day in map(_last_day, times) if day is not None)
    told = _TOLD.search(body) is not None or (_UNTIL.search(text) is not None and not said.ordered)
    told = told or (_IMMINENT.search(text) is not None and not said.ordered)
    return ClauseFeatures(
        text=text,
        rest=rest,
        body=body,
        asks=said.asks,
        ordered=said.ordered,
        advice=said.advice,
        reported=said.reported,
        third=_THIRD.match(_OPENINGS.sub("", body, 1)) is not None,
        felt=said.felt,
        wished=said.wished,
        weather=said.weather,
        state=bool(times) and _STATE.match(body.strip(" ,")) is not None,
        told=told,
        past=past,
        ahead=ahead,
    )


def _days(times: Sequence[TimeExpression]) -> list[date]:
    """Last days of the times; with explicit dates only of these. An ambiguous week (本周五 on a Sunday) is
    left out."""
    known = [found for found in times if found.ambiguous != "which_week" or "上" in found.text[:2]]
    named = [found for found in known if names_day(found.text)]
    return [day for day in map(_last_day, named or known) if day is not None]


def _last_day(found: TimeExpression) -> date | None:
    return found.end_date or found.date


def forget() -> None:
    """Clear the cache, for measurements."""
    _heard.cache_clear()
    _said.cache_clear()


def without_times(text: str, times: Sequence[TimeExpression]) -> str:
    """`text` without time pieces and their connectives."""
    if not times:
        return text
    spans = sorted({span for found in times for span in found.spans})
    pieces: list[str] = []
    at = 0
    for start, end in spans:
        if start >= at:
            pieces.append(text[at:start])
        at = max(at, end)
    pieces.append(text[at:])
    kept = [
        *(_LEADS_TO.sub("", piece) for piece in pieces[:1]),
        *(_LEADS_TO.sub("", _TIE.sub("", piece)) for piece in pieces[1:-1]),
        *(_TIE.sub("", piece) for piece in pieces[1:][-1:]),
    ]
    return _SPACES.sub(" ", "".join(kept)).strip(" ,、")


def bare(text: str) -> str:
    """Text without openings, courtesies and speaker."""
    for _ in range(4):
        before = text
        text = _OPENINGS.sub("", text, 1) if _OPENINGS.match(text) else text
        found = _SELF.match(text)
        if found is not None and found.end() < len(text):
            text = text[found.end() :]
        if text == before:
            break
    return text.strip(" ,.!~。")


_SIGNS: Final = Pattern(
    one_of(
        [
            *words("schedule.noun", "schedule.occasion"),
            *words("tasks.noun", "tasks.remind", "bookkeeping.noun", "bookkeeping.report"),
            *(word for word in words("change.delete", "change.edit") if len(word) > 1),
            *("安排", "预约", "预订", "新建", "添加", "创建", "做完", "完成"),
        ]
    )
)


def hints_at_work(clause: Clause) -> bool:
    """True if a clause without a matching rule may still be work: then a model may be asked. A time is no
    sign in a question of taste or advice (你觉得我今天穿什么好)."""
    signs = _SIGNS.search(clause.text[:LONGEST].lower()) is not None
    return signs or bool(clause.amounts) or (bool(clause.times) and not hear(clause).advice)


def tells(text: str) -> bool:
    """True for a request to tell, write or calculate something: talk, not work."""
    return _REQUEST.search(text) is not None


_AND_SO_ON: Final = Pattern("(?:啥的|什么的|之类的?|等等)(?=$|[ ,，。!~])")
"""牙膏纸巾啥的 asks nothing."""


def talks(text: str) -> bool:
    """True for talk that needs an answer: a question, or a request to tell."""
    lowered = _AND_SO_ON.sub("", text[:LONGEST].lower())
    return _REQUEST.search(lowered) is not None or _QUESTION.search(lowered) is not None


Topic = Literal["money", "poll", "reminder", "free", "plan"]


def topic_of(text: str) -> Topic:
    """What a line that was not understood is about, by its nouns; `plan` where nothing tells."""
    found = _TOPIC.search(text)
    return cast("Topic", found.lastgroup) if found is not None and found.lastgroup else "plan"


_TOPIC: Final = Pattern(
    "(?P<poll>投票|几票|接龙|报名|名单|几份|多少份|统计|名额|选项)"
    "|(?P<money>[钱账块元]|[欠还垫]了?[我你他她]|转给|转了|AA|aa|平摊|房租|水电|份是不是)"
    "|(?P<reminder>提醒|叫我|喊我|闹钟|催)|(?P<free>有空|没空|空闲|得空|有课|没课|课表)"
)


def chats(text: str) -> bool:
    """True for feelings, wishes, reported speech or weather, outside an order."""
    said = _said(text[:LONGEST].lower())
    return said.felt or said.wished or said.reported or said.weather


_TIES: Final = Pattern(
    "^(?:顺便|顺带|另外|此外|还有|然后|同时|并且|以及|对了|接着|最后)[,: ]*再?"
    "(?:请?问(?:一?下|一问)?)?(?=[^,。]{2})"
)


def untied(text: str) -> str:
    """Piece without a leading connective (顺便问一下…)."""
    return _TIES.sub("", text, count=1)
