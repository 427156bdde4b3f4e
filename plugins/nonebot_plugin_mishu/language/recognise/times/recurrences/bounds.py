"""Begin and end of a recurrence, apart from it: 每周四打球到年底, 每天吃药，从下周一开始, 打五周.

The words of the end are no part of the title, and belong to the spans of the time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from itertools import islice
from typing import Final

from .....patterns import Pattern
from ..days.almanac import add_months
from ..days.day import Day, step
from ..expression import Recurrence
from ..numbers import NUM, integer
from ..phrase import Phrase
from .occurrences import dates

_LONGEST: Final = 38
"""Characters that one time may stretch over, for a line is never cut inside one of that length."""
_SENTENCE_END: Final = Pattern("[。!?;…]")
_FROM: Final = Pattern("(?:从|自从?|打从|由)")
_STARTS: Final = Pattern("(?:开始|起)$")
_ONLY_ORDER: Final = Pattern(
    "(?:记[得住]|请|要|都|就|帮我|给我|麻烦|提醒|叫|喊|催|通知|我们?|大家|群里|一[下声]|你|在|的|,| )*+"
)
"""Between a first day and what repeats from it on."""
_MOVES: Final = Pattern(
    "(?:改|换|挪|调|移|推迟|推|延|延后|延期|延迟|提前|提早|提|变|搬|拖|停|休|加班|直接|等)(?:到|成|为|至)了?$"
)
_TO: Final = Pattern(
    "[, ]*(?:但是?|不过)?(?:要|就|得|一直|连续|先|都|固定|会|只|坚持)*(?P<does>[一-鿿]{1,3}?)?"
    "(?:一直|直|持续)?(?:到|至)$"
    "|[, ]*(?:最后|末)一?[次回天场节](?:就?[是在])?$"
)
"""Before the last day: 到年底, 打到年底, 最后一次是12月24号."""
_CLOSES: Final = Pattern(
    "(?:那天|当天)?(?:(?:为止|截止|止|结束|完|收尾)|(?:就|再|才|便|之后|以后|后)*"
    "(?:停|不[^,。!?; ]{0,3}|行|好|完|收[^,。!?; ]{0,2}|结束|散))?"
    "(?:了|吧|哈|啊|嘛|呗|哦|噻|哒|咯|~)*(?=$|[ ,。!?;)])"
)
_UNITS: Final = "(?P<unit>天|日|周|个?星期|个?礼拜|个?月|年|次|回|场|节课?|期)"
_ON_END: Final = Pattern(
    "[, ]*(?:(?:先|就|要|得|都|只|一)*"
    "(?:连续|连着|一连|接连|连|总共|一共|共计?|为期|坚持|持续|维持)(?:[一-鿿]?)"
    "|(?<=[, ])(?:先|就|要|只)*(?P<does>[一-鿿])满?)"
    f"(?P<count>{NUM}|俩)(?P<each>个?)(?P<half>半)?{_UNITS}"
    "(?:(?:就|为止|以后|之后|再|才)*(?:停|不[^,。!?; ]{0,3}|行|好|完|结束)?(?:了|吧|哈|啊|嘛|呗|哦|噻)*)"
    "(?=$|[ ,。!?;)])"
)
"""Behind what repeats: 连着五天, 一共八次, 吃三天, 打两个月."""
_NO_DOING: Final = frozenset("每第隔过前后近这那上下整满有还差晚早头休请停歇")
_BEFORE: Final = Pattern(
    f"(?:连续|连着|一连|接连|连)(?P<count>{NUM}|俩)(?P<each>个?)(?P<half>半)?{_UNITS}[的都, ]*$"
)
"""Before it: 连续五天每天."""


def bounds_it(text: str, before: Phrase, phrase: Phrase) -> bool:
    """Make `phrase` the first or the last day of what repeats in `before`, or `before` the first day of
    `phrase`; False where neither is said."""
    gap = text[before.end : phrase.start]
    if _SENTENCE_END.search(gap) or phrase.end - before.start > _LONGEST:
        return False
    if phrase.every is not None and phrase.anchor is None and _opens(text, before) and before.every is None:
        if _ONLY_ORDER.fullmatch(gap) is None:
            return False
        phrase.anchor = before.days[0]
        phrase.spans = [*before.spans, *phrase.spans]
        _take(before, phrase)
        return True
    if phrase.every is not None and phrase.until is None and _closes(before) and not gap.strip(", "):
        day = before.days[0]
        up_to = _WHOLE_DAY.search(text, before.start, before.end) is not None
        phrase.until = day if up_to or day.start is None else Day(step(day.start, -1))
        phrase.spans = [*before.spans, *phrase.spans]
        _take(before, phrase)
        return True
    if before.every is None or phrase.every is not None:
        return False
    if (parted := _day_apart(text, before, phrase)) is not None:
        day, rest = parted
        if not _is_day(day) or not _ends(text, before, day):
            return False
        before.times = phrase.times
        before.spans.extend(rest)
        return True
    if not _is_day(phrase):
        return False
    if before.anchor is None and _opens(text, phrase):
        before.anchor = phrase.days[0]
        before.spans.extend(phrase.spans)
        return True
    return _ends(text, before, phrase)


def _opens(text: str, phrase: Phrase) -> bool:
    """True for a start day: 从下周一开始, 下周一起."""
    if not _is_day(phrase) or phrase.limit is not None:
        return False
    words = text[phrase.start : phrase.end]
    return _STARTS.search(words) is not None


_WHOLE_DAY: Final = Pattern("[底末止]")


_PARTED: Final = Pattern("[, ]+")


def _day_apart(text: str, before: Phrase, phrase: Phrase) -> tuple[Phrase, list[tuple[int, int]]] | None:
    """The day of a phrase in which a clock stands parted from it, and where the clock stands; None where what
    repeats has a clock already (每周四打球到年底 晚上七点半)."""
    if before.times or before.whole or not phrase.times or phrase.limit is not None:
        return None
    (begin, end), *further = phrase.spans
    gap = _PARTED.search(text, begin, end)
    if gap is not None:
        return Phrase([(begin, gap.start())], days=phrase.days), [(gap.end(), end), *further]
    if not further or further[0][0] == end or text[end : further[0][0]].strip(", "):
        return None
    return Phrase([(begin, end)], days=phrase.days), further


def _closes(phrase: Phrase) -> bool:
    """True for a last day: 11月30号之前每天."""
    return phrase.limit == "before" and _is_day(phrase)


def _is_day(phrase: Phrase) -> bool:
    one = phrase.only_day and len(phrase.days) == 1 and phrase.offset is None and not phrase.after
    return one and phrase.every is None and phrase.days[0].start is not None


def _take(before: Phrase, phrase: Phrase) -> None:
    """All that `phrase` says, said from where `before` begins."""
    for name in Phrase.__slots__:
        setattr(before, name, getattr(phrase, name))


def _ends(text: str, before: Phrase, phrase: Phrase) -> bool:
    if before.until is not None or before.last_day is not None:
        return False
    if phrase.limit is not None and not text[phrase.start : phrase.end].endswith("止"):
        return False
    gap = text[before.end : phrase.start]
    tie = _TO.search(gap)
    close = _CLOSES.match(text, phrase.end)
    if tie is None or close is None or _MOVES.search(gap) is not None:
        return False
    before.until = phrase.days[0]
    before.spans.append((before.end + _tied(gap, tie), close.end()))
    return True


def _tied(gap: str, tie: re.Match[str]) -> int:
    """Start of the words before the last day. An action belongs to them only if repeated (打羽毛球 打到年底),
    or a verb by itself."""
    does = tie.groupdict().get("does") or ""
    begin, end = tie.span("does") if does else (tie.start(), tie.start())
    parted = tie.start() < begin and gap[tie.start()] in ", "
    if not does or (parted and (len(does) == 1 or does in gap[: tie.start()])):
        return tie.start()
    return next((at for at in range(begin, end) if gap[at:end] in gap[:at]), end)


def counted(text: str, phrases: Sequence[Phrase]) -> None:
    """Give what repeats the number of days, weeks or times that it is said to go on for."""
    for at, phrase in enumerate(phrases):
        if phrase.every is None or phrase.until is not None or phrase.last_day is not None:
            continue
        since = phrases[at - 1].end if at else 0
        ahead = _BEFORE.search(text, since, phrase.start)
        if ahead is not None:
            phrase.count = _count(ahead)
            phrase.spans.insert(0, ahead.span())
            continue
        following = phrases[at + 1].start if at + 1 < len(phrases) else len(text)
        end = _SENTENCE_END.search(text, phrase.end)
        stop = min(following, end.start() if end else len(text), phrase.start + _LONGEST)
        behind = _ON_END.search(text, phrase.end, stop)
        if behind is None or (behind["does"] or "") in _NO_DOING:
            continue
        phrase.count = _count(behind)
        if phrase.count is not None:
            phrase.spans.append(behind.span())


def _count(found: re.Match[str]) -> tuple[int, str] | None:
    number = 2 if found["count"] == "俩" else integer(found["count"])
    unit = found["unit"].removeprefix("个")
    if (
        number is None
        or not 0 < number <= 400
        or (unit == "月" and not (found["each"] or "个" in found["unit"]))
    ):
        return None
    return number, f"半{unit}" if found["half"] else unit


def last_of(first: date, rule: Recurrence, count: tuple[int, str]) -> date | None:
    """The last day of what begins on `first` and goes on for so long, or comes so often."""
    number, unit = count
    if unit in _TIMES:
        return next(islice(dates(rule, first), number - 1, None), None)
    half, whole = unit.startswith("半"), unit.removeprefix("半")
    if whole in ("天", "日"):
        return step(first, number - 1)
    if whole in ("年", "月"):
        months = number * (12 if whole == "年" else 1) + (6 if half and whole == "年" else 0)
        return step(add_months(first, months), (15 if half and whole == "月" else 0) - 1)
    return step(first, 7 * number + (4 if half else 0) - 1)


_TIMES: Final = frozenset({"次", "回", "场", "节", "节课", "期"})
