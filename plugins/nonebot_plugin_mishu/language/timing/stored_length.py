"""End or length of a stored item, alone: 打到九点, 会十一点结束, 再加半小时. Pure.

Only the item's name and fillers may precede it; no question, negation or condition, since the reading is
written.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from ...patterns import Pattern
from ..clause import Clause
from ..recognise.leads import LENGTH
from ..recognise.times import TimeExpression, names_day, parse
from ..word_lists import table
from .reminder_leads import minutes_of

_DOING: Final = f"(?:{table('lasting.doing')})"
_ENDS: Final = f"(?:{table('lasting.ends')})"
_ABOUT: Final = f"(?:{table('lasting.about')})"
_AROUND: Final = "(?:左右|上下|前后|的?样子|那样|整|准时)?"
_LAST: Final = f"{_AROUND}(?:为止|{_ENDS})?"
_PARTICLES: Final = "(?:就行|就好|就够了?|就可以了?|好了|算了|得了|足够|差不多|[吧哈啊呀哦呗嘛了。!~ ])*+$"
_TAIL: Final = Pattern(f"{_LAST}{_PARTICLES}")
_ENDING_TAIL: Final = Pattern(f"{_AROUND}(?:就|再|准时|要)?{_ENDS}{_PARTICLES}")
_UNTIL: Final = Pattern(
    f"(?:^(?:那|嗯|就|一直|[, ])*|(?:一直|才)?(?:{_DOING}|延长|拖长|加长)(?:它|个)?(?:一直)?)"
    f"到(?:了?{_ABOUT})?$"
)
"""Also 到五点 alone."""
_UP_TO: Final = Pattern(f"(?:{_ABOUT}|就|一直|准时|到|至|在|,)*$")
_END_IS: Final = Pattern(
    f"{_ENDS}的?(?:时间)?(?:也|就|都|先)*(?:定|改|挪|调|放)?(?:是|为|在|到|成|:)?{_ABOUT}?$"
)
_LENGTH: Final = Pattern(rf"(?P<length>{LENGTH})(?![后前内里之以来])")
_LONGER: Final = Pattern(
    f"(?:延长|拉长|加长|加时|(?:再|多|往后)*(?:加|延长)|(?:再|多|再多)(?:{_DOING}))(?:上|个)?$"
)
_ENDS_LATER: Final = Pattern("(?:晚|推迟|延迟|延后|推后|拖|多拖)(?:个|上)?$")
_ENDS_EARLIER: Final = Pattern("(?:提前|提早|早)(?:个)?$")
_SHORTER: Final = Pattern(f"(?:缩短|缩减|压缩|减少?|砍掉?|少(?:{_DOING}))(?:个|掉)?$")
_IN_ALL: Final = Pattern(
    "(?:(?:时长|时间)?(?:缩短|缩减|压缩|缩|压|减|减少|延长|拉长|加|加长)(?:到|成|至|为)"
    f"|时长(?:就|先)?(?:定|改)?(?:是|为|成|到|在|:)?|持续|为期|(?:总共|一共|{_DOING})(?:个)?{_ABOUT}?)$"
)
_ROUGHLY: Final = Pattern(f"(?:{_ABOUT}|得|要|需要)+$")
_OF_A_THING: Final = Pattern("的?(?:会议?|课|球|局|时间)?")
_THING_BEFORE: Final = Pattern(
    "[一-鿿a-z]{2}(?<![前后早晚提迟快慢加再过等隔每共延推拖挪移调缓退搬到差多少长])$"
)
"""家长会一个半钟头: event directly before its length."""
_LIGHT: Final = Pattern(
    "^(?:那就?|就|然后|哦|噢|对了?|还有|嗯+|额|这次|这场|我们?|咱们?|大家|时间|还|改成|改一下|改|先|把|将|给"
    "|[,的 ])++"
    f"|(?:{_ABOUT}|还|就|会|要|得|可以|先|时间|[,的 ])++$"
)
_HEARSAY: Final = Pattern(
    "(?<!差)不|[没别莫吗么呢?？几谁啥若]|多久|什么|如果|要是|万一|假如|的话|可能|估计|也许|说不定|听说|昨|已经"
)
_CORRECTS: Final = Pattern("^(?:(?:不不|不对|不是|错了|说错了|搞错了|打错了)[,，。 ]*)+(?=.)")
"""不对 打到八点半: correction."""
_WHY: Final = Pattern("(?<=.)[,，。 ]+[^0-9一二两三四五六七八九十点半,，。]{1,10}$")
"""聚餐到九点就撤，不续摊: trailing remark."""
_ORDERS: Final = Pattern(
    "不对|不行|不要|算了|取消|改|删|[吗?？谁啥几]|如果|要是|别|什么|提醒|[叫喊]|换|推|挪|开始|结束|时"
)
_MOST: Final = 24 * 60


@dataclass(frozen=True, slots=True)
class KeptLength:
    """New end of an item: clock time, total length, or difference. `closes`: the clock time is the end alone;
    else its range is the whole time."""

    head: str
    """Words before it that may name the item, without fillers; often empty."""
    clock: TimeExpression | None = None
    closes: bool = True
    lasts: int = 0
    """Total minutes."""
    longer: int = 0
    """Minutes by which the end moves; negative for earlier."""
    day: date | None = None
    """Day beside the clock time: restricts the items."""
    bare: bool = False
    """Value alone (两点到五点): only for an item mentioned a moment ago."""


def kept_length(clause: Clause) -> KeptLength | None:
    """End or length of a clause; None for anything else, a question, negation or condition."""
    if clause.amounts and not clause.times and _LENGTH.search(clause.text) is None:
        return None
    text = clause.text.rstrip()
    first = _CORRECTS.match(text)
    if first is not None:
        clause = clause.part(first.end(), len(text))
        text = clause.text
    why = _WHY.search(text)
    if why is not None and _ORDERS.search(why.group()) is None and text[: why.start()].strip():
        shorter = clause.part(0, why.start())
        found = _read(shorter.text, shorter)
        if found is not None:
            return found
    return _read(text, clause)


def says_only_a_length(clause: Clause) -> bool:
    """True for an end or a length without a name (爬三个小时, 打到九点)."""
    told = kept_length(clause)
    return told is not None and not told.head and not told.bare


def _read(text: str, clause: Clause) -> KeptLength | None:
    if len(text) > _LONGEST or _HEARSAY.search(text) is not None:
        return None
    found = _by_length(text) or _by_clock(text, clause)
    if found is None:
        return None
    head = _without_days(found.head, clause)
    for _ in range(3):
        head = _LIGHT.sub("", head.strip())
    return replace(found, head=head, day=found.day or _day_before(found.head, clause))


def _day_before(head: str, clause: Clause) -> date | None:
    """The only day before the value (今晚打球打到九点); None for none or several."""
    days = {
        one.date
        for one in clause.times
        if one.span[1] <= len(head) and one.kind in ("day", "segment") and names_day(one.text)
    }
    return next(iter(days)) if len(days) == 1 else None


_LONGEST: Final = 40
_ASKED: Final = Pattern(
    f"(?:(?:大概|一般|到底|预计|得|要|会|能|是|在)*(?:(?:{_DOING})?到|{_DOING}|持续|延长到)?(?:大概|是|在)?"
    f"(?:几点钟?|什么时候|啥时候|几时|什么时间)(?:才|能|会|就)*(?:{_ENDS})?(?<!几点)"
    f"|(?:大概|一般|到底|预计|得|要|会|能)*(?:一共|总共)?(?:{_DOING}|持续|延长到)?个?到(?:几点钟?|什么时候|啥时候|几时)"
    f"|{_ENDS}的?(?:时间)?(?:是|在|到)?(?:几点钟?|什么时候|啥时候|几时)"
    f"|(?:大概|一般|到底|预计|得|要|会|能)*(?:一共|总共)?(?:{_DOING}|持续|时长|用|花)?(?:是)?(?:多久|多长时间|多长|几个小时|几小时))"
    "(?:了|啊|呀|呢|来着|哦|啦|[?？。! ])*$"
)


def end_asked(clause: Clause) -> str | None:
    """Words before a question for an event's end or length (羽毛球打到几点), often empty; None for another
    question."""
    text = clause.text.rstrip()
    found = _ASKED.search(text) if len(text) <= _LONGEST else None
    if found is None or _OF_ENDS.search(found.group()) is None:
        return None
    head = _without_days(text[: found.start()], clause)
    for _ in range(3):
        head = _LIGHT.sub("", head.strip())
    return head


_OF_ENDS: Final = Pattern(f"到|久|多长|几个?小时|{_ENDS}")


def _by_length(text: str) -> KeptLength | None:
    for found in _LENGTH.finditer(text):
        minutes = minutes_of(found["length"])
        before, behind = text[: found.start()], text[found.end() :]
        if minutes is None or not minutes < _MOST:
            continue
        if _ENDING_TAIL.fullmatch(behind) is not None:
            for pattern, sign in ((_ENDS_LATER, 1), (_ENDS_EARLIER, -1)):
                verb = pattern.search(before)
                if verb is not None:
                    return KeptLength(before[: verb.start()], longer=sign * minutes)
        thing = _OF_A_THING.match(behind)
        rest = behind[thing.end() :] if thing is not None else behind
        if _TAIL.fullmatch(rest) is None:
            continue
        for pattern, sign in ((_LONGER, 1), (_SHORTER, -1)):
            verb = pattern.search(before)
            if verb is not None:
                return KeptLength(before[: verb.start()], longer=sign * minutes)
        verb = _IN_ALL.search(before) or _ROUGHLY.search(before)
        if verb is not None:
            return KeptLength(before[: verb.start()], lasts=minutes)
        if _THING_BEFORE.search(before) is not None and thing is not None and not thing.group():
            return KeptLength(before, lasts=minutes)
    return None


def _by_clock(text: str, clause: Clause) -> KeptLength | None:
    clock = clause.times[-1] if clause.times else None
    if clock is None or clock.start is None or clock.recurrence is not None or clock.moment is not None:
        return None
    if clock.invalid is not None or len(clock.spans) > _WITH_DAY:
        return None
    day = clock.date if names_day(clock.text) else None
    if day is not None:
        clock = _clock_alone(text, clock, clause)
        if clock is None or clock.start is None:
            return None
    before, behind = text[: clock.span[0]], text[clock.span[1] :]
    if clock.end is not None:
        plain = _TAIL.fullmatch(behind) is not None
        return KeptLength(before, clock, closes=False, bare=True) if plain and day is None else None
    if clock.kind != "point":
        return None
    verb = _UNTIL.search(before) or _END_IS.search(before)
    if verb is not None and _TAIL.fullmatch(behind) is not None:
        return KeptLength(before[: verb.start()], clock, day=day)
    if _ENDING_TAIL.fullmatch(behind) is not None:
        start = _UP_TO.search(before)
        assert start is not None
        return KeptLength(before[: start.start()], clock, day=day)
    return None


_WITH_DAY: Final = 2


def _clock_alone(text: str, clock: TimeExpression, clause: Clause) -> TimeExpression | None:
    """Clock time of 周六打到九点, without its day, which names the item."""
    start, end = clock.spans[-1]
    found = parse(text[start:end], clause.situation.now, clause.situation.zone)
    alone = found[0].moved(start) if len(found) == 1 else None
    return None if alone is None or names_day(alone.text) or len(clock.spans) != _WITH_DAY else alone


def _without_days(head: str, clause: Clause) -> str:
    """Words before without their times, which name the item."""
    for one in reversed(clause.times):
        for start, end in reversed(one.spans):
            if end <= len(head):
                head = f"{head[:start]} {head[end:]}"
    return head.replace("  ", " ").strip()
