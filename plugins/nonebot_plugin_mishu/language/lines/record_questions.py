"""Questions to the record of the group's talk: kind, span, words. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from ...patterns import Pattern
from ..clause import Clause
from ..recognise.times import TimeExpression
from . import facts
from .lookup import TalkQuestion, of_the_talk, only_asks, only_tells, question_of
from .shared import SharedQuestion, shared_asked
from .spans import RecordSpan, span_of, without_lately

Kind = Literal[
    "catch_up",
    "sum_up",
    "find",
    "look_up",
    "shared",
    "calls",
    "decisions",
    "remember",
    "forget",
    "fact",
    "facts",
]

_TOLD: Final = ("catch_up", "sum_up", "find")
_END: Final = Pattern(r"[吧呗呢呀啊哈!。~ ]+$")
_LONGEST: Final = 60
"""Longest line (characters) that may ask for the record."""
_FRONT: Final = Pattern(
    r"^(?:请|麻烦|帮我|帮忙|给我|能不能|可不可以|可以|能|你(?=帮|给|来|能|可)|来|我?想知道"
    r"|跟我说说|告诉我|我?看看|[,. ])+"
)
_BACK: Final = Pattern(r"[吧呗呢呀啊吗哈?!。~,. ]+$")
_PICTURE: Final = Pattern(
    r"[, ]*(?:并|再|然后|帮我|给我|用|以)?(?:发|画|做|生成|转|变)?(?:成|为|张|一张|个|一下)*"
    r"(?:图片?|长图|图的形式)(?:发?给?我|发出来|看看)?$"
)
_ALOUD: Final = Pattern(r"[, ]*(?:直接|就)?(?:发|说|讲)?(?:在|到)群里(?:说|发|讲)?(?:就行|就好|一下)?$")
"""我错过了什么，发在群里"""
_WHAT: Final = "(?:些)?(?:什么|啥子|啥|哪些?(?:事情?|内容|话题?)|什么(?:事情?|内容|话题?))"
_PEOPLE: Final = "(?:大家|你们|他们|群里|我们|群友们?|各位)?"
_LATE: Final = "(?:刚才?|之前|最近|上面|前面|的|在|都|这会儿|这段时间|我不在(?:的时候|时)?)*+"
_CATCH_UP: Final = Pattern(
    rf"{_LATE}{_PEOPLE}{_LATE}(?:(?:聊|讨论)(?:了|过|到|的是|的)?|(?:说|讲|谈)(?:了|过|到|的是)){_WHAT}了?"
    rf"|我?{_LATE}(?:错过|漏掉|漏看|落下|漏)了?{_WHAT}(?:消息)?"
    rf"|{_LATE}(?:群里|大家)?{_LATE}(?:发生|出|有)了?(?:什么|啥)(?:事|新鲜事|新消息)"
    rf"|{_LATE}(?:群里|大家)?{_LATE}(?:(?:发生|出|有)了?)?(?:什么|啥|哪些)(?:重要|要紧|关键|大)的?(?:事情?|消息|内容)?"
    rf"|我?{_LATE}(?:错过|漏掉|漏看|落下|漏)了?{_WHAT}了"
    rf"|{_LATE}(?:有(?:啥|什么)(?:事|情况|新鲜事)|啥情况|什么情况|{_PEOPLE}都?(?:说|聊|讲)(?:啥|什么)(?:了|呢)?)"
    rf"|{_LATE}(?:群里|大家)?{_LATE}发生了?(?:些)?(?:什么|啥)(?:事情?)?"
    r"|帮?我?爬(?:一?下|个)?楼(?:总结)?(?:一?下)?|(?:楼上|上面)(?:都)?(?:说|聊|讲)了?(?:啥|什么)了?|太长不看|tldr",
    re.IGNORECASE,
)
_EXCUSE: Final = Pattern(
    r"^(?:不好意思|抱歉|哎|欸|诶|啊)?[, ]*我?(?:刚才?|刚刚|才|今天|上午|下午|昨晚|一直"
    r"|这会儿)?(?:在)?[^,? ]{0,6}"
    r"(?:开完?会|忙完?|睡着?|睡了?一?觉|醒|回来|下课|上课|下班|上班|上线|到家|开车|洗澡|吃饭|没看(?:手机|群|消息)?|[不没]在|掉线|出来|完)"
    r"(?:了|着|去了|来)?[, ]+(?=\S)"
    r"|^(?:群里?|消息)?(?:都|一下)?(?:99[+]|[几上好]百条|刷屏|炸)(?:条|了)*[, ]+(?=\S)"
    r"|^(?:爬楼|消息|聊天记录)?太(?:累|长|多)了?(?:看不完了?)?[, ]+(?=\S)"
)
_NOT_SEEN: Final = Pattern(
    r"[, ]+(?:我)?(?:刚才?|刚刚|一直|都|有点)?(?:没(?:看|看到|跟上|注意|来得及看|细看)|不在|错过了|在忙"
    r"|在开会|睡着了)(?:手机|群|消息|完|到)?(?:了)?$"
)
"""Reason for having missed the talk, not part of the question (我刚开完会 错过啥了, 刚刚说啥了 我没看)."""
_CALLS: Final = Pattern(
    rf"{_LATE}(?:群里)?(?:有没有|有)?(?:谁|人|哪些人|哪个){_LATE}(?:@|艾特|圈|找|叫|喊|点名?|提到|提|回复?|问|cue|call)(?:过|了|到)?我(?:了|没|没有)?(?:来着)?"
    rf"|{_LATE}(?:群里)?{_LATE}(?:有没有|有)我的?(?:啥|什么)?事(?:情|儿)?(?:没|没有|吗|么)?"
)
"""Question for those who called the asker."""
_TALK: Final = (
    "(?:的|群里|大家|本群|群|会议|例会|周会|会上|会|聊天|讨论|消息|内容|记录|聊|说|讲|事|重点|要点"
    "|了什么|都|这段时间|这段|刚才|刚刚|之前|上面)*"
)
_SUM_UP: Final = Pattern(
    rf"{_LATE}(?:把|将)?{_TALK}(?:整理|出|写|做|来|生成|弄|给)(?:一?[份个下]|成|出)*{_TALK}(?:会议|群聊|聊天|讨论|今天的?)?(?:的)?(?:纪要|摘要|小结|总结|要点)"
    rf"|{_LATE}(?:把|将)?{_TALK}(?:做个|做一个|写个|来个)?(?:总结|概括|归纳|汇总|小结|回顾|梳理)(?:一?下|下)?{_TALK}"
)
_MEETING: Final = Pattern(
    rf"{_LATE}(?:会|会议|例会|周会|早会|晨会)(?:上|里)?{_PEOPLE}都?(?:说|讲|聊|讨论|谈)了?(?:到|过)?{_WHAT}"
)
_DECIDED: Final = Pattern(
    rf"{_LATE}(?:(?:会|会议|例会|周会|早会|晨会|讨论)(?:上|里)?)?{_PEOPLE}(?:的|都|最后|最终|到底|一共|有没有|有)*"
    rf"(?:定|决定|商定|敲定|说定|拍板)(?:下来|下|好)?(?:了|的)?(?:是)?(?:{_WHAT}|哪些)(?:东西|事情?)?(?:了|来着)?"
    rf"|{_LATE}{_PEOPLE}(?:有|都有)?{_WHAT}(?:决定|结论)(?:了|吗)?"
)
_DECIDED_BY: Final = Pattern(
    rf"{_LATE}(?:这(?:事|个)|那(?:事|个)|是|到底|最后)*(?:谁|哪个|哪位){_LATE}(?:最后|最终)?(?:拍(?:的|了)?板|定的|定下来的|决定的|做的主|敲定的|说了算)(?:的)?(?:来着)?"
)
_TO_DO: Final = Pattern(
    rf"{_LATE}(?:群里?|本群|咱们群|我们群|大家|会上|会里)(?:的|现在|目前|还|都|我们)*有?(?:些|没有)?(?:什么|啥|哪些)?的?"
    r"(?:待办|要做的|要办的|该做的|要干的)(?:事项|事情|事)?(?:是|有)?(?:什么|啥|哪些)?"
)
_FIND: Final = (
    Pattern(
        rf"{_LATE}(?:有)?(?:谁|哪个|哪位|边个){_LATE}(?:(?:说|提|聊|讲|讨论|发)(?:过|到过?|起过?)|说(?!的|不定|话|谎|了算|好))"
        r"(?:关于|有关)?(?P<what>.{1,20}?)(?:来着)?"
    ),
    Pattern(
        rf"{_LATE}(?:是)?(?:谁|哪个|哪位|边个){_LATE}(?:说|提|讲|定|喊|叫)(?:的|得|嘅)(?P<what>.{{1,20}}?)(?:来着)?"
    ),
    Pattern(
        r"(?:搜索|查找|找|搜|查|翻)(?:一?找|一?下|一?搜)?(?:群里|之前|以前|大家)?(?:关于|有关|提到过?|说过?|聊过?|讨论过?)"
        r"(?P<what>.{1,20}?)(?:的(?:消息|聊天记录|记录|内容|话|讨论)?)?"
    ),
    Pattern(r"(?:搜索|查找|找|搜|查|翻)(?:一?找|一?下|一?搜)?(?P<what>.{1,20}?)的?(?:聊天记录|群消息|聊天)"),
    Pattern(
        rf"(?:上次|之前|前几天|前面|以前|刚才|那天){_PEOPLE}(?:说|发|提|讲|聊|贴|分享)(?:过|到|了)?的(?:那个|那条|那份|这个)?"
        r"(?P<what>[^改删取推完换挪加记定]{1,12}?)(?:是什么|是啥|在哪里?|是多少|发我|给我)?"
    ),
)
_SAYS: Final = "(?:说(?!不定|话|谎|了算|好)|提(?!醒|前|交)|讲|聊|喊)"
_WHO_SAID: Final = (
    Pattern(
        rf"(?:{_LATE}(?:是)?(?:谁|哪个|哪位){_LATE}{_SAYS}(?:到|起|过|了|的|要)*+(?P<what>[^,。]{{1,20}}?)"
        "(?:的?(?:这|那)?个?(?:事儿?|话))?(?:来着)?)"
    ),
    Pattern(
        rf"{_LATE}(?P<what>[^,。谁]{{1,20}}?)(?:的?(?:这|那)?个?(?:事儿?|话))?(?:是|,| )*"
        rf"(?:谁|哪个|哪位){_LATE}{_SAYS}(?:到|起|过|出来)?(?:的|来着)+"
    ),
    Pattern(
        rf"{_LATE}{_SAYS}(?:到|起|过|了)?(?P<what>[^,。谁]{{1,20}}?)的(?:人|那个人|那位)?(?:是)?(?:谁|哪个|哪位)(?:来着)?"
    ),
)
"""Question for the speaker of a topic: 刚谁说备份来着, 备份是谁提的, 提备份的是谁."""
_EATS: Final = Pattern(
    "(?:考考你|考你|问你|猜猜|你?还?记得|记不记得)?[, ]*我(?:"
    "(?:不能|不可以|没法|不)[吃喝碰]|[吃喝碰]不[了得]|(?:是|会)?(?:对)?(?=[啥什哪]\\S{0,4}过敏)|的?(?:忌口|过敏)(?:的?(?:东西|食物))?的?(?:是|有)?)"
    "(?:什么|啥子?|哪些|哪个)?(?:东西|食物)?(?:过敏)?(?:来着)?"
)
"""Question about the asker's own diet: 我不能吃啥来着, 我对什么过敏."""
EATEN: Final = ("过敏", "忌口", "不能吃", "不吃", "吃不了", "不能喝", "不喝", "不能碰")
"""Words of telling one's diet."""
_OF_NOTHING: Final = frozenset({"这个", "那个", "这", "那", "话", "这话", "什么", "啥", "我", "你"})
_SAID: Final = Pattern(rf"(?P<who>.{{1,24}}?){_LATE}(?:都)?(?:说|讲|发|聊)(?:过|了)?{_WHAT}(?:了|来着)?")
_OTHERS: Final = Pattern("账|支出|收入|花费|开销|待办|任务|日程|提醒|安排")
"""Nouns of other agents' data: 查一下报销的账."""


@dataclass(frozen=True, slots=True)
class RecordQuestion:
    """Question to the record. `span` None: none was given."""

    kind: Kind
    span: RecordSpan | None = None
    what: str = ""
    """Words searched for."""
    who: str = ""
    """Member whose lines are searched."""
    picture: bool = False
    """The answer is drawn as a picture."""
    aloud: bool = False
    """The answer goes to the group, however busy it is."""
    lately: bool = False
    """刚才 without a span."""
    content: str = ""
    """Words of a fact to be stored, if its line has no form of its own."""
    ref: str = ""
    """Id of the stored fact, as a model gave it."""

    question: TalkQuestion | None = None
    """Question looked up in the talk."""
    shared: SharedQuestion | None = None
    """Files or links of the question."""
    kept: bool = False
    """To-dos are asked for: stored tasks and schedules are included."""
    own: tuple[str, ...] = ()
    """Words, one of which the asker said: their own lines are searched."""
    card: bool = True
    """A card for the decisions is offered; 谁拍的板 only asks."""

    @property
    def slots(self) -> Mapping[str, Any]:
        """Values of the question, for display."""
        found: dict[str, Any] = {"what": self.what, "who": self.who}
        if self.span is not None and self.span.since is not None:
            found |= {"since": self.span.since.isoformat(), "until": self.span.until.isoformat()}
        return {name: value for name, value in found.items() if value}

    @property
    def spans(self) -> Mapping[str, tuple[int, int]]:
        """Not told."""
        return {}


def asked(clause: Clause) -> RecordQuestion | None:
    """Question of the whole line to the record; None if it asks for anything else, or for more."""
    if len(clause.text) > _LONGEST:
        return _asked(clause)
    plain = _END.sub("", clause.text)
    aloud = _ALOUD.sub("", plain)
    if aloud != plain:
        found = _asked(replace(clause, text=aloud)) if aloud else None
        return replace(found, aloud=True) if found is not None and found.kind in _TOLD else None
    drawn = _PICTURE.sub("", plain)
    if drawn == plain:
        found = _asked(clause)
        return _asked_beside(clause) or found if found is None or found.kind == "look_up" else found
    found = _asked(replace(clause, text=drawn)) if drawn else None
    return replace(found, picture=True) if found is not None and found.kind in _TOLD else None


def _asked_beside(clause: Clause) -> RecordQuestion | None:
    """Question of one part of a line whose other parts give reasons (我在门口呢 门禁码多少): a stored
    fact, or earlier talk. None if several parts ask, or one orders something."""
    parts = [each for each in _PARTS.split(clause.text) if each]
    if not 2 <= len(parts) <= _MOST_PARTS or clause.amounts:
        return None
    found: list[RecordQuestion] = []
    for part in parts:
        times = tuple(each for each in clause.times if each.text in part)
        asking = _asked(replace(clause, text=part, times=times))
        if asking is not None and asking.kind in ("fact", "look_up"):
            found.append(asking)
        elif asking is not None or times or not only_tells(part):
            return None
    return found[0] if len(found) == 1 else None


_PARTS: Final = Pattern("[,，。;；!！ ]+")
_MOST_PARTS: Final = 4


def _asked(clause: Clause) -> RecordQuestion | None:
    text = clause.text
    if (given := facts.kept(text, places=not clause.times)) is not None and not (
        (clause.times and facts.subject_of(given[1]) == given[0])
        or (clause.amounts and not facts.sure(text, given[0]))
    ):
        return RecordQuestion("remember", what=given[0])
    if len(text) > _LONGEST:
        return None
    told = clause.situation.told
    if told is not None and clause.situation.addressed and facts.put_right(text, told[1]) is not None:
        return RecordQuestion("remember", what=told[0])
    now = clause.situation.now
    span = span_of(text, clause.times, now)
    bare = without_lately(text) if span is not None else text
    whole = bare
    for each in clause.times:
        bare = bare.replace(each.text, "")
    ahead = _lies_ahead(clause)
    for each in clause.times if ahead else ():
        whole = whole.replace(each.text, f" {each.text} " if each in ahead else "")
    bare = _FRONT.sub("", _BACK.sub("", bare))
    for _ in range(2):  # 我睡了一觉 群里99+了 说啥了
        bare = _EXCUSE.sub("", bare)
    bare = _FRONT.sub("", _NOT_SEEN.sub("", bare).strip(", "))
    if _DECIDED_BY.fullmatch(bare) is not None:
        return RecordQuestion("decisions", span, lately="刚" in text, card=False)
    if _DECIDED.fullmatch(bare) is not None or _TO_DO.fullmatch(bare) is not None:
        kept = _DECIDED.fullmatch(bare) is None
        return RecordQuestion("decisions", span, lately="刚" in text, kept=kept)
    if _CATCH_UP.fullmatch(bare) is not None and not _to_come(clause):
        return RecordQuestion("catch_up", span)
    if _CALLS.fullmatch(bare) is not None:
        return RecordQuestion("calls", span)
    if _MEETING.fullmatch(bare) is not None:
        return RecordQuestion("sum_up", span)
    if _SUM_UP.fullmatch(bare) is not None:
        return RecordQuestion("sum_up", span)
    said = _SAID.fullmatch(bare)
    if said is not None:
        who = _member(said["who"], clause)
        if who is not None:
            return RecordQuestion("find", span, "", who)
    known = _of_facts(text, clause.situation.facts, clause.situation.speaker)
    known = known or _birthday(clause)
    if known is not None:
        return known
    given = shared_asked(_without(text, clause.times))
    if given is not None and clause.situation.addressed:
        return RecordQuestion("shared", span, given.what or given.ending, shared=given)
    if clause.situation.addressed and _EATS.fullmatch(bare) is not None:
        return RecordQuestion("find", what=EATEN[0], own=EATEN)
    if not ahead and clause.situation.addressed and (spoken := _spoken_of(bare, clause)) is not None:
        return RecordQuestion("find", span, spoken)
    question = question_of(text, clause.times)
    if question is not None and not ahead and _is_looked_up(question, clause):
        return RecordQuestion("look_up", what=question.about, question=question)
    if ahead:
        span, bare = None, _FRONT.sub("", _BACK.sub("", whole))
    for pattern in _FIND:
        found = pattern.fullmatch(bare)
        if found is not None and _OTHERS.search(found["what"]) is None:
            return RecordQuestion("find", span, found["what"].strip(" 「」“”\"'的"))
    return None


def _spoken_of(bare: str, clause: Clause) -> str | None:
    """Topic of a question for its speaker; None for data of other agents."""
    for pattern in _WHO_SAID:
        found = pattern.fullmatch(bare)
        what = "" if found is None else found["what"].strip(" 「」“”\"'的")
        if not what or what in _OF_NOTHING or _OTHERS.search(what):
            continue
        if not any(
            thing.name and (what in thing.name or thing.name in what) for thing in clause.situation.things
        ):
            return what
    return None


def _lies_ahead(clause: Clause) -> tuple[TimeExpression, ...]:
    """Future days behind a verb of saying, which belong to the topic: 谁说周六聚餐."""
    today = clause.situation.now.date()
    at = max(clause.text.rfind(word) for word in ("说", "提", "讲"))
    return tuple(
        each
        for each in clause.times
        if each.date is not None and each.date > today and 0 <= at < each.span[0]
    )


def _without(text: str, times: Sequence[TimeExpression]) -> str:
    for each in times:
        text = text.replace(each.text, "")
    return text.strip()


def _is_looked_up(question: TalkQuestion, clause: Clause) -> bool:
    """True if the talk is searched (谁负责买水, 周六几点集合来着): the line refers to the talk or no agent
    stores such a thing, and no kept thing has that name."""
    where = clause.situation
    if not where.addressed or where.private or not of_the_talk(clause.text):
        return False
    words = question.about.split()
    if only_asks(question.about) and (where.shown or where.things):
        return False  # 几点在哪来着, of what is kept
    if any(
        word in thing.name or thing.name in word for thing in where.things if thing.name for word in words
    ):
        return False
    if question.recalls:
        return True
    # 周四下午的面试谁负责 may mean what is planned then.
    return question.want == "value" or (question.want == "person" and question.day is None)


_TALKED: Final = ("聊", "说", "讲", "谈", "讨论", "发生", "错过", "漏", "落下", "出了")


def _to_come(clause: Clause) -> bool:
    """True if a day is still to come and so only planned: 这周末有啥事, 后天有什么事."""
    today = clause.situation.now.date()
    if any(word in clause.text for word in _TALKED):
        return False
    return any(each.date is not None and (each.end_date or each.date) > today for each in clause.times)


def _of_facts(text: str, known: Sequence[str], speaker: str) -> RecordQuestion | None:
    if (other := facts.changed(text, known)) is not None:
        return RecordQuestion("remember", what=other[0])
    if (subject := facts.renewed(text)) is not None:
        return RecordQuestion("remember", what=subject)
    if facts.all_asked(text):
        return RecordQuestion("facts")
    gone = facts.forgotten(text)
    if gone is not None and (
        facts.nearest(gone, known) is not None or text.lstrip("请把").startswith("忘掉")
    ):
        return RecordQuestion("forget", what=gone)
    subject = facts.asked_subject(text, known, speaker)
    return None if subject is None else RecordQuestion("fact", what=subject)


def _birthday(clause: Clause) -> RecordQuestion | None:
    """Fact question for a birthday (小雅几号生日); None if a kept thing has that name."""
    subject = facts.birthday_asked(clause.text) if clause.situation.addressed else None
    planned = any(subject[:-2] in one.name for one in clause.situation.things) if subject else False
    if not subject or planned:
        return None
    return RecordQuestion("fact", what=subject)


def tagged_question(clause: Clause) -> RecordQuestion | None:
    """Question by the judge and the tagger: words of a fact, or search words."""
    content, topic = clause.words("text"), clause.words("ref")
    if clause.act == "record.remember" and facts.reported(clause.text):
        return None
    if clause.act == "record.remember" and content:
        return RecordQuestion("remember", what=facts.fact_of(content)[0], content=content)
    if clause.act == "record.forget" and topic:
        return RecordQuestion("forget", what=facts.subject_of(topic))
    if clause.act == "record.query" and topic:
        kept = facts.nearest(facts.subject_of(topic), clause.situation.facts)
        if kept is not None:
            return RecordQuestion("fact", what=kept)
        return RecordQuestion("find", span_of(clause.text, clause.times, clause.situation.now), topic)
    return None


def _member(words: str, clause: Clause) -> str | None:
    """Id of the member of that name, or @-mentioned in these words."""
    name = words.strip().removeprefix("@").strip()
    for each in (*clause.situation.mentions, *clause.situation.members):
        if name and name == each.name:
            return each.user_id
    return None
