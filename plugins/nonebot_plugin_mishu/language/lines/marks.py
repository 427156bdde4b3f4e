"""Kinds of single lines, by rules: decision, assent, plan, to-do, question, link. Broad for quotations (a
question), narrow for claims (a decision)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from ...patterns import Pattern
from ..recognise.times import TimeExpression, parse
from ..text.fold import normalise
from .line import RecordLine

ASSENT_WITHIN: Final = timedelta(minutes=10)
"""Longest time between a proposal and another member's assent."""
ASSENT_LINES: Final = 8
"""Most lines between a proposal and an assent without a quote."""

LINK: Final = Pattern(
    r"https?://[^\s\u3000-\u303f\u4e00-\u9fff\uff00-\uffef<>\"'」』]+"
    r"|(?<![a-z0-9_@.-])(?:[a-z0-9-]+\.)+(?:com|cn|net|org|io|top|me|dev|app|edu|gov|cc)\b"
    r"(?:/[^\s\u3000-\u303f\u4e00-\u9fff\uff00-\uffef<>\"'」』]*)?",
    re.IGNORECASE,
)
_ASKS: Final = Pattern(
    r"[?]|[吗么呢嘛]\s*$|谁(?![也都])|什么|啥|怎么|咋|哪[个里儿天些一位家]|[去在到放定]哪|哪$|几[点号个位时]|多少|多久|能不能|可不可以"
    r"|要不要|(?<!看)有没有|方便吗|何时|(?<![差时动])(?P<one>[\u4e00-\u9fff])不(?P=one)"
)
_RHETORICAL: Final = Pattern("能不.{1,6}[吗嘛]|不是.{1,20}[吗嘛]|怎么(?:又|这么|那么|还|就)|怎么.{0,6}[啦]$")
_DECIDES: Final = Pattern(
    r"就这么(?:定|办|说定)|就这样(?:定|办)|(?:就|先)?(?:定|订)(?:在|到|为|成)(?![哪几什])|(?:就|已经?|都|说|约|敲|商)定了"
    r"|定下来了?|^定了|[,]定了|敲定|拍板|说好了|(?:最终|最后|我们|大家|一致|已经?)决定|决定(?:了|就|是)"
    r"|一致(?:同意|通过)|投票(?:结果|通过)|改(?:到|成|在|为).{1,20}(?:了|吧)\s*$"
)
_UNDECIDED: Final = Pattern(
    r"(?:没|未|不|别|还没|尚未|没有|待).{0,3}(?:敲?定|决定|拍板|说好)|再(?:定|说|决定)|如果|要是|假如|是否|说不定|不一定"
)
_SUPPOSES: Final = Pattern("如果|要是|假如|是否|说不定|不一定")
_PROPOSES: Final = Pattern(
    r"^(?:那|那么)?(?:咱们?|我们|大家)?(?:那?就|干脆|要不|不如|还是).{2,60}[吧呗][!。~]*$"
    r"|^那(?:咱们?|我们|大家)?.{2,60}[吧呗][!。~]*$|(?:建议|提议|要不|不如).{2,60}"
)
_TAG: Final = Pattern(
    r"(?:[, ]*(?:大家|你们|各位)?(?:觉得|看|说)?(?:怎么样|咋样|如何|行不行|行不|行吗|行么|行嘛|好不好"
    r"|好吗|好么|好伐|可不可以"
    r"|可以吗|可以不|可以么|ok吗|ok不|要得不|要得吗|要得啵|得行不|中不中|中不|成不成|成不|成吗|没问题吧|没意见吧|有意见吗|有意见没"
    r"|有没有意见|有问题吗|同意吗|都行吧|都可以吧|都没问题吧|合适吗|合适不)){0,2}[?!~. ]*$",
    re.IGNORECASE,
)
"""Tag that makes a proposal a question for assent (…行不行)."""
_FOR_ASSENT: Final = Pattern("[行可成中意题]|要得|得行")
"""Tag for a yes; 天气怎么样 asks for news."""
_LEADS: Final = Pattern(
    r"^(?:[嗯哦行好啊诶欸],? ?){0,2}(?:那么?(?:就|咱们?|我们|大家|还是|要不|不如|改)"
    r"|那(?=[周下明后今0-9一二三四五六七八九十两])"
    r"|(?:咱们?|我们|大家)?(?:要不(?!要)|不如|干脆|还是(?=[周下明后今去到在老定])|就定)|我?(?:提议|建议))"
)
"""Start of a proposal."""
_OF_YOU: Final = Pattern("^(?:你|他|她|您|@)")
_TO_ALL: Final = Pattern(
    "(?:那|那么)?(?:大家|咱们?|我们|各位|大伙|伙计们|同学们|兄弟们|姐妹们|小伙伴们|朋友们)"
)
_KEPT_WITH_US: Final = Pattern("日程|安排|任务|待办|提醒|预算|账|支出|收入|花|记|改|取消|推迟|提前|删")
"""Words of our stored items, or of a change to them."""
_ATOM: Final = (
    "好++(?:的|呀|啊|嘞|滴|哒|吧|耶|叭|嘛)*|行++(?:的|啊|吧|呀|叭|嘞)*|(?:我|都|那|也|就|完全)*可以(?:的|啊|呀|哒)*"
    "|(?:我|都|我都)(?:行|ok|没问题|没意见)(?:的|啊)?|没(?:啥|什么)?(?:问题|意见|毛病|异议)(?:的|啊)?"
    "|(?:我)?(?:同意|赞成?|支持)|ok++(?:ay)?(?:的|啦)?|[+]1|1(?![0-9])|收到"
    "|(?:那)?就(?:先)?这么(?:定|办|说定)?(?:吧|了)*|(?:那)?就这样(?:定|办)?(?:吧|了)*"
    "|(?:那)?就(?:定)?(?:它|这个|这家|那个)(?:吧|了)?|听(?:你|大家)(?:的|们的)|妥++(?:了|妥的|的)?|成(?:的|啊)?|中"
    "|要得|得行|巴适|走起|一言为定|说定了|不见不散|可|安排|嗯++(?:呢|呐)?|[👌👍]++"
)
_ASSENT: Final = Pattern(
    rf"(?:@\S+\s)*(?:[哦那啊],? ?)?(?:(?>{_ATOM})[!。~,呀啊哈啦 ]*+){{1,5}}"
    r"(?:(?<=[, ])(?:到时候?|[周0-9一二三四五六七八九十两点半:]{1,8})见[!。~]*)?",
    re.IGNORECASE,
)
_NO_ASSENT: Final = Pattern(r"^(?:@\S+\s)*(?:嗯+|安排|可|这么)[!。~,呀啊哈呢 ]*$")
"""Heard, not agreed to; or no word by itself."""
_AGREES: Final = Pattern(rf"(?:(?>{_ATOM}))+(?:[, !。~]|$)", re.IGNORECASE)
_AGREES_TO: Final = Pattern(rf"(?:都|也|就|我)?(?:{_ATOM})(?:[, !。~啊呀的了]|$)", re.IGNORECASE)
"""Behind a time that is said once more (两点没问题, 九点半好 能多睡会)."""
_SAID_TIME: Final = Pattern(
    "(?:(?:[今明后]天?|周[一二三四五六日天末]|[早晚]上|上午|下午|中午|今晚|明晚|明早){1,3}"
    "(?:[0-9一二两三四五六七八九十]{1,3}[点号:](?:半|整|一刻|[0-9一二三四五]{1,3})?)?"
    "|[0-9一二两三四五六七八九十]{1,3}[点号:](?:半|整|一刻|[0-9一二三四五]{1,3})?) ?"
)
_RESERVES: Final = Pattern(
    "但|不过|可是|只是|然而|再说|再看|看看|考虑|想想|问问|商量|等等|等会|等下|先等|除非|不"
)
"""Words after an assent that suspend it."""
_TIME_ASKED: Final = Pattern("[?,. 呢吧行不可以吗么啊怎样咋的?]*")
"""Words of a question beside its time (周六晚上？ 周三呢)."""
_GOES_ALONG: Final = Pattern(
    rf"(?:{_ATOM})(?:[, ]|$)|我们?(?:也|都|能|会|可以)+(?:去|来|到|参加|行|带)|我俩|我没问题"
    r"|(?:也|都)?(?:算|加|带|叫)(?:上|着)?我(?:一个|们|[!。~]*$)|那就|就这|说定|定了",
    re.IGNORECASE,
)
"""Start of a line that joins a plan."""
_TODO: Final = Pattern(
    r"(?<![我还都])记得(?=[^吗了。!,~ ])|别忘了?"
    r"|(?:[天晚早午点日号班周末学饭一二三四五六]|回来|出门|睡)(?:之|以)?前.{0,10}(?:交|填|发|完成|搞定|报|回复|确认|弄好|买|拿|带|取|订|打扫|关好)|麻烦.{1,30}(?:一下|一份|发|交|写|扫描|打印|复印|带|拿|送|查|填|传|搬|收|清|转|催|通知|处理|回复|整理|准备|联系|确认|安排|订|买|改|做|看)|(?:由|归)?.{0,6}(?:来)?负责"
    r"|(?:得|要|需要|必须|务必)(?:在|于|尽快|把|提前|先)?.{0,20}"
    r"(?:交|提交|完成|搞定|准备好?|写完|做完|发给|发到|填好?|填写|整理|联系|确认|带上|带好)"
    r"|我(?P<act>[订定买带写做发交拿取接送查弄约画剪记付垫])(?:吧|呗|好了)?[,! ]?我(?P=act)"
    r"|^那?我(?:来)?[订定买带写拿取接送弄约画剪付垫加拟改出报查](?:吧|呗|好了|一[版份个下])"
    r"(?:[ ,!。~].{0,12})?$"
    r"|待办|todo|截止|(?:请|帮忙?).{0,20}(?:交|发|写|整理|准备|联系|确认|安排|订|买|改|带|填|做)"
    r"|我(?:来|去|会).{0,20}(?:做|写|发|交|订|买|整理|联系|准备|弄|搞定|改|查|带)",
    re.IGNORECASE,
)
_WHEN: Final = Pattern(
    r"什么时候|啥时候|哪[一个]?天|哪个时间|几点|几号|周几|礼拜几|何时|哪里|哪儿|哪家|在哪|放哪|定哪|去哪|什么时间|怎么(?:定|安排)"
)
_SAYS_SO: Final = Pattern(
    "没课|有课|有空|空着|休息|出差|上班|加班|才[能有]|不行|没空|有事|不在|来不了|去不了|不方便|不可以|没时间|太[早晚赶]|不太?好|别"
)
"""Availability, beside a time."""
_TOO: Final = Pattern("太[早晚赶]|起不来|来不及|赶不上")
"""No plan: 早上太早我也起不来."""
_PLAN_WORDS: Final = Pattern(
    r"开会|会议|例会|周会|评审|聚餐|吃饭|聚会|团建|集合|出发|见面?|碰头|比赛|训练|活动|讲座|培训|上课|考试|面试|答辩|值班"
    r"|交付|上线|发布|截止|交[报作材论]|去|来|到|打|看|玩|爬|参加|举行|开始|约|面谈|演出|体检|检查|验收|彩排|排练|放假|报名"
)
_PARTS: Final = Pattern("[,。;!? ]+")
_WEATHER: Final = Pattern("^去啊|(?:天气|预报|说是).{0,12}(?:晴|雨|雪|阴|多云|风|度|热|冷)")
"""No plan: 去啊 天气预报说周六晴."""
_TIMED: Final = Pattern(
    r"[0-9一二三四五六七八九十两][点号日时:]|[明后今]|周|星期|礼拜|下[个月]|[早晚]上|上午|下午|中午|月"
)
_LEAST: Final = 4
"""Characters of what is proposed, at the least."""
_LONGEST_ASSENT: Final = 40
_MOST_TIMED: Final = 200
"""Characters of a line that are searched for times."""


def asks(line: RecordLine) -> bool:
    """True for a question."""
    return questions(line.text)


def questions(text: str) -> bool:
    """True for words that are a question; 不是刚停过吗 is none."""
    text = LINK.sub(" ", text) if "." in text else text
    return _ASKS.search(text) is not None and not rhetorical(text)


def rhetorical(text: str) -> bool:
    """True for a rhetorical question (鱼都涨了能不涨嘛)."""
    return _RHETORICAL.search(text) is not None


def stated(text: str) -> str:
    """Statements of a line without its questions (水我来买吧 of 水我来买吧 一箱够不够)."""
    return " ".join(part for part in _PARTS.split(text) if part and not questions(part))


def decides(line: RecordLine) -> bool:
    """True for an explicit decision (定在…, 就这么定)."""
    text = line.text
    return _DECIDES.search(text) is not None and _UNDECIDED.search(text) is None and not asks(line)


def proposes(line: RecordLine) -> bool:
    """True for a proposal that another's assent would decide (那就…吧, …行不行)."""
    return (_PROPOSES.search(line.text) is not None and not asks(line)) or _suggests(line)


def asks_for_assent(text: str) -> bool:
    """A line asks others for a yes, with a tag or as an alternative: 周六去爬山怎么样, 要不周六去吧."""
    said = normalise(text).strip()
    tag = _TAG.search(said)
    tagged = tag is not None and bool(tag.group().strip(" ,!~.?"))
    return tagged or _LEADS.match(said) is not None


def is_put_to_all(text: str) -> bool:
    """A plan that is put to the group and asks for its assent (大家下周三晚上七点吃火锅怎么样): no order and
    no question to us, while 下周三的日程怎么样 asks for what is kept."""
    said = normalise(text).strip()
    body = _TAG.sub("", said)
    if len(body) < _LEAST or not said[len(body) :].strip(" ,!~.?") or _OF_YOU.match(body):
        return False
    if questions(body) or _KEPT_WITH_US.search(body):
        return False
    leads = _TO_ALL.match(body) is not None or _LEADS.match(body) is not None
    return leads or (_TIMED.search(body) is not None and _PLAN_WORDS.search(body) is not None)


def _suggests(line: RecordLine) -> bool:
    """A proposal put as a question for assent: 那就周六九点半北门集合？ 周六九点北门集合行不行. What it
    proposes asks for nothing itself, and a day or a clock stands in it where it does not begin as one."""
    return _is_suggestion(line, line.text) or (
        "," in line.text and _is_suggestion(line, line.text.partition(",")[0])
    )


def _is_suggestion(line: RecordLine, text: str) -> bool:
    body = _TAG.sub("", text)
    if body == text or len(body) < _LEAST or questions(body) or _SUPPOSES.search(body) or _TODO.search(body):
        return False
    if any(_LEADS.match(part) is not None for part in re.split("[, ]+", body)):
        return True
    if _OF_YOU.match(body) or not times(line):
        return False
    return _PLAN_WORDS.search(body) is not None or _FOR_ASSENT.search(text[len(body) :]) is not None


def settles(line: RecordLine, question: RecordLine | None) -> bool:
    """True if a line answers another member's question for a day, clock time or place with one, as a
    proposal."""
    if question is None or question.user_id == line.user_id or asks(line) or assigns(line):
        return False
    if not asks_when(question) or _SUPPOSES.search(line.text) is not None:
        return False
    return bool(times(line)) and _SAYS_SO.search(line.text) is None


def asks_when(line: RecordLine) -> bool:
    """True for a question for a day, clock time or place, or with one (周六晚上？)."""
    if _WHEN.search(line.text) is not None:
        return True
    rest = line.text
    named = times(line)
    for each in named:
        rest = rest.replace(each.text, "", 1)
    return bool(named) and _TIME_ASKED.fullmatch(rest) is not None


def agrees(line: RecordLine) -> bool:
    """True for a line that starts with an assent (好的好的 我定八个闹钟), or repeats its time with one
    (两点没问题). Counts only near a proposal: `settling`."""
    text = line.text
    if len(text) > _LONGEST_ASSENT or asks(line) or _NO_ASSENT.match(text.partition(" ")[0]) is not None:
        return False
    again = _SAID_TIME.match(text)
    rest = text[again.end() :] if again else text
    found = (_AGREES_TO if again else _AGREES).match(rest)
    return found is not None and _RESERVES.search(rest, found.end()) is None


def assents(line: RecordLine) -> bool:
    """True if the whole line is an assent."""
    text = line.text[:_LONGEST_ASSENT]
    return text == line.text and _ASSENT.fullmatch(text) is not None and _NO_ASSENT.fullmatch(text) is None


def assigns(line: RecordLine) -> bool:
    """True if somebody is given a task."""
    if _TODO.search(line.text) is None:
        return False
    if not asks(line):
        return True
    return "?" not in line.text and _TODO.search(stated(line.text)) is not None


def links(line: RecordLine) -> tuple[str, ...]:
    """The addresses in it, each once."""
    return tuple(dict.fromkeys(found.rstrip(".,;:!?)") for found in LINK.findall(line.text)))


def times(line: RecordLine) -> tuple[TimeExpression, ...]:
    """The times it names, counted from when it was said. Lines without a word of time are not searched."""
    if _TIMED.search(line.text) is None:
        return ()
    return tuple(parse(line.text[:_MOST_TIMED], line.at, line.at.tzinfo))  # pyright: ignore[reportArgumentType]


def plans(line: RecordLine) -> bool:
    """True for a future event with its day or clock time."""
    if asks(line) or _SUPPOSES.search(line.text) or _PLAN_WORDS.search(_WEATHER.sub("", line.text)) is None:
        return False
    if _TOO.search(line.text) is not None:
        return False
    return any(
        found.invalid is None
        and found.date is not None
        and found.date >= line.at.date()
        and (found.start is None or found.date > line.at.date() or found.start >= line.at.time())
        for found in times(line)
    )


@dataclass(frozen=True, slots=True)
class ProposalAssents:
    """Settled proposals: by id of the proposal the ids of others' assents, and the question it answers."""

    assents: Mapping[str, tuple[str, ...]]
    about: Mapping[str, RecordLine]


def settling(lines: Sequence[RecordLine]) -> ProposalAssents:
    """Proposals of a span with their assents.

    A quoting assent belongs to the quoted line; any other to the newest proposal before it, near enough in
    lines and minutes. Lines addressed to us are no talk.
    """
    found: dict[str, list[str]] = {}
    about: dict[str, RecordLine] = {}
    proposals: dict[str, RecordLine] = {}
    newest: tuple[int, RecordLine] | None = None
    question: tuple[int, RecordLine] | None = None
    for place, line in enumerate(lines):
        if line.bot or line.to_us:
            continue
        open_ = _near(question, place, line)
        to = proposals.get(line.reply_to) if line.reply_to is not None else _near(newest, place, line)
        to = None if to is None or to.user_id == line.user_id else to
        if assents(line) or (to is not None and agrees(line)):
            if to is not None:
                found.setdefault(to.id, []).append(line.id)
                question = None
        elif proposes(line) or decides(line) or settles(line, open_):
            proposals[line.id] = line
            newest = (place, line)
            if open_ is not None:
                about[line.id] = open_
        elif asks(line) and (open_ is None or asks_when(line) or not asks_when(open_)):
            question = (place, line)  # 去哪 stays open behind 谁还没吃
    return ProposalAssents({key: tuple(ids) for key, ids in found.items()}, about)


def _near(before: tuple[int, RecordLine] | None, place: int, line: RecordLine) -> RecordLine | None:
    """A line before, near enough for another to answer it."""
    if before is None or place - before[0] > ASSENT_LINES or line.at - before[1].at > ASSENT_WITHIN:
        return None
    return before[1]


def perhaps_agreed(lines: Sequence[RecordLine], new: Collection[str]) -> bool:
    """True if one of the `new` lines joins something with another member's clock time: weakest sign of a
    joint plan (那周六吧 九点半 / 行). Broad, for a second look only."""
    for place, line in enumerate(lines):
        if line.id not in new or line.bot or line.to_us or not _goes_along(line):
            continue
        before = lines[max(0, place - ASSENT_LINES) : place]
        near = [each for each in before if not each.bot and line.at - each.at <= ASSENT_WITHIN]
        if any(each.user_id != line.user_id and _looks_ahead(each) for each in near):
            return True
    return False


def _goes_along(line: RecordLine) -> bool:
    return assents(line) or (len(line.text) <= _LONGEST_ASSENT and _GOES_ALONG.match(line.text) is not None)


def _looks_ahead(line: RecordLine) -> bool:
    """True for a possible future clock time; a day alone does not count."""
    return _SUPPOSES.search(line.text) is None and any(
        found.start is not None
        and found.recurrence is None
        and (found.date is None or found.date >= line.at.date())
        for found in times(line)
    )


def decided(
    lines: Sequence[RecordLine], settled: ProposalAssents | None = None
) -> Mapping[str, tuple[str, ...]]:
    """The lines that decide something, by id and in order, with the assents to them: those that say so
    themselves, and proposals that somebody else assented to."""
    assent = (settled or settling(lines)).assents
    return {
        line.id: assent.get(line.id, ())
        for line in lines
        if not (line.bot or line.to_us) and not assents(line) and (decides(line) or line.id in assent)
    }
