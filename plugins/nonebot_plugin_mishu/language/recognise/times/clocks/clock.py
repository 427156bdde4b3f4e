"""Clock times and words for parts of the day, at a place in a normalised text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from .....patterns import Pattern
from ..expression import Segment
from ..nextword import unless_next
from ..nottime import counts_points, is_ratio, is_score, tells_the_time
from ..numbers import SMALL, integer

# How a part of the day turns a spoken hour into one of 24; "night" is said far into the small hours.
Rule = Literal["early", "morning", "forenoon", "noon", "afternoon", "dusk", "evening", "night"]


@dataclass(frozen=True, slots=True)
class Period:
    """A named part of a day, as said."""

    word: str
    segment: Segment
    rule: Rule


@dataclass(frozen=True, slots=True)
class SpokenClock:
    """A clock as said: `hour` 0–30 as spoken. `sure` where the hour can only mean one of 24 (15, 0, 08:05).

    `last` is the later hour of an estimate (三四点). `invalid` says why it is no clock.
    """

    hour: int
    minute: int = 0
    sure: bool = False
    half: Literal["am", "pm"] | None = None
    last: int | None = None
    invalid: str | None = None
    written: bool = False


_PERIODS: Final[tuple[tuple[str, Segment, Rule], ...]] = (
    ("晚?凌晨|拂晓|黎明|后半夜", "early_morning", "early"),
    ("大?清早上?|一?大早上?|(?<![初十周期拜])一早|早上|早晨|清晨|早间|晨间", "morning", "morning"),
    ("上午|午前", "forenoon", "forenoon"),
    ("中午|正午|午间|晌午", "noon", "noon"),
    ("下午|午后|后晌", "afternoon", "afternoon"),
    ("傍晚|黄昏", "evening", "dusk"),
    ("晚上|晚间|夜晚|夜间|入夜", "evening", "evening"),
    ("深更半夜|大半夜|三更半夜|半夜|深夜|夜里|夜半|午夜|大晚上|大夜里", "evening", "night"),
)
_PERIOD_BEGINNINGS: Final = frozenset("晚凌拂黎后大清一早晨上午中正晌下傍黄夜入深半三")
_CLOCK_BEGINNINGS: Final = frozenset("0123456789零〇一二两三四五六七八九十廿差缺")
_PERIOD: Final = Pattern("|".join(f"(?P<p{index}>{words})" for index, (words, _, _) in enumerate(_PERIODS)))
# 周五晚到了, 明天晚到10分钟: late, not in the evening; but 今晚到家, 周五晚到周日.
_LATE: Final = f"(?<![今明昨][早晚])到(?:$|[,。!?;了些会吗]|一会|一点|半(?!夜)|几|{SMALL}个?(?:分|小时|天))"
# 今晚上课, 明早上班: 上 begins the next word.
_GOES_TO: Final = Pattern(
    "上(?:课(?![程堂多后前间题时])|班(?![会级长主委车])|学(?![习校生会车期])|线(?![上下路])|车(?![站去来到接展])|岸|映)"
    # 今晚 and 明早 are whole without 上
    "|(?<=[今明昨][早晚])上(?:海(?![边鲜])|门(?!口)|传|山(?!顶)|街|岗|新(?=$|[,。!?])|完|哪|飞机|高铁|地铁)"
)
# 早, 晚, 夜 alone count right behind a day (周五晚聚餐, 12号晚8点) or right before a clock (早8点到晚8点).
# 周五早点, 12号晚会, 晨跑, 夜骑 are words; 今晚 and 明早 are whole, whatever stands behind but 点 (明早点来).
_EARLY_WORD: Final = (
    f"(?<![今明昨]早){unless_next('饭餐点会班自睡起了退高茶期些教读操课市盘就已在知产安日年先上晨')}"
    f"|(?<=[今明昨]早){unless_next('点上晨')}"
)
_LATE_WORD: Final = (
    f"(?<![今明昨]晚){unless_next('饭餐点会班自睡起了退高茶期些婚霞报场课操市年辈恋于归安宵空色莺上间里晚')}"
    f"|(?<=[今明昨]晚){unless_next('点报安婚辈上间')}"
)
_AFTER_DAY: Final = Pattern(
    f"(?P<am>早|晨(?![跑骑练训]))(?!{_LATE})(?!{_EARLY_WORD})"
    f"|(?P<noon>中)(?=、?晚)|(?P<pm>晚|夜(?![跑骑爬钓游]))(?!{_LATE})(?!{_LATE_WORD})"
)
_BEFORE_CLOCK: Final = Pattern("(?P<am>早|晨)|(?P<pm>晚|夜)")
_CLOCK_FOLLOWS: Final = Pattern(
    f" ?(?!一点(?![半钟整]))(?:{SMALL}(?:点(?!点(?!名)|儿)|:[0-5]| ?(?:到|至|-|~|–|—) ?{SMALL}点)|零点)"
)
# 早上好, 晚安, 下午茶: greetings and things, not parts of a day.
_NOT_A_PERIOD: Final = Pattern("好(?!好|像|几|多|不|了)|安(?![排装置全检])|茶|哈喽|自习|场演出|大师")

_MINUTE: Final = (
    "[0-5][0-9]|[0-9](?=分)|[零〇][一二三四五六七八九]|[一二三四五]?十[一二三四五六七八九]?"
    "|[一二三四五六七八九](?=分(?!钟))"
)
_THINGS: Final = (
    f"(?:{unless_next('个人块元瓶份%天号月米公斤岁次位件张只条杯度万千百几')}|多(?=[个人位名张块元份条]))"
)
_SPOKEN: Final = Pattern(
    f"(?P<hour>[0-9]{{1,2}}|零|〇|{SMALL})(?P<unit>点|时(?![间代期常候刻段空差髦尚装光机效速区令而不])) ?"
    "(?:(?P<half>半)(?!小时|{unless_next('个天年价路场月导成')})"
    "|(?P<quarter>[一三123])刻钟?"
    f"|过(?P<past>{SMALL})分"
    "|(?P<wrong>[6-9][0-9]|[六七八九]十[一二三四五六七八九]?)分(?!钟)"
    f"|[差缺](?:(?P<short>{SMALL})分|(?P<shortquarter>一刻))"
    f"|(?P<minute>{_MINUTE})(?:分钟?|(?!{_THINGS}|[0-9一二三四五六七八九十点]|:))"
    "|(?P<even>钟?整(?![理顿修改治合装编容牙])|正(?![式在常好是确要])|钟(?:整|正)?))?"
)
_LACKING: Final = Pattern(
    f"差(?:(?P<minutes>{SMALL})分钟?|(?P<quarter>一刻)钟?)(?:就|不到|到)?(?P<hour>{SMALL})点(?:整|钟)?"
)
_DIGITAL: Final = Pattern(
    r"(?<![0-9.:#vV])(?<!(?<!:[0-5][0-9])/)"
    r"(?P<hour>[0-9]{1,2})(?::| : )(?P<minute>[0-9]{2})(?::[0-5][0-9])?(?![0-9:]|\.[0-9])"
    r"(?: ?(?P<half>[AaPp])\.?[Mm]\.?(?![a-zA-Z]))?分?"
)
# Only right behind a part of the day: 晚上8.30 is a clock, 8.30 may be a price, a version or a date.
_DOTTED: Final = Pattern(
    r"(?P<hour>[0-9]{1,2})\.(?P<minute>[0-5][0-9])"
    r"(?![0-9.]|[元块折%倍斤公千百万亿度米分版号日级大kKmMGg¥￥])"
)
_LATIN: Final = Pattern(
    r"(?<![0-9.:a-zA-Z])(?P<hour>1[0-2]|0?[1-9]) ?(?P<half>[AaPp])\.?[Mm](?![a-zA-Z0-9_])\.?"
)
_ESTIMATE: Final = Pattern(
    "(?P<first>十?[一二三四五六七八九])(?P<last>[一二三四五六七八九])点(?!半|[0-9一二三四五六七八九十])(?:来?钟)?"
    "|(?P<a>[0-9]{1,2}|十?[一二三四五六七八九])、(?P<b>[0-9]{1,2}|十?[一二三四五六七八九])点(?!半|[0-9])钟?"
)
_ROUGHLY: Final = Pattern(" ?(?:左右|前后|上下|来钟|多钟?|出头|许(?![多可])|过一?点(?!点)|不到)")
_ELLIPTIC: Final = Pattern(
    f"(?P<hour>{SMALL}) ?(?=(?:到|至|-|~|–|—|〜) ?{SMALL}(?:点|时(?!间|候)| ?[AaPp][Mm](?![a-zA-Z])))"
)


def read_period(text: str, at: int, after_day: bool) -> tuple[Period, int] | None:
    """The part of a day named at `at`, and where its word ends. `after_day`: a date stands right before."""
    if text[at : at + 1] not in _PERIOD_BEGINNINGS:
        return None
    found = _PERIOD.match(text, at)
    if found is not None:
        if _NOT_A_PERIOD.match(text, found.end()):
            return None
        if after_day and found.group() in {"早上", "晚上"} and _GOES_TO.match(text, found.end() - 1):
            return _short_period(found.group()[0]), found.end() - 1
        assert found.lastgroup is not None
        _, segment, rule = _PERIODS[int(found.lastgroup[1:])]
        return Period(found.group(), segment, rule), found.end()
    found = (_AFTER_DAY if after_day else _BEFORE_CLOCK).match(text, at)
    if found is None:
        return None
    if not after_day and (
        _CLOCK_FOLLOWS.match(text, found.end()) is None or text[at - 1 : at] in {"最", "太", "越", "要", "更"}
    ):
        return None
    return _short_period(found.group()), found.end()


def _short_period(word: str) -> Period:
    """早, 中 or 晚 in one character."""
    if word == "中":
        return Period(word, "noon", "noon")
    return Period(word, "morning", "morning") if word in "早晨" else Period(word, "evening", "evening")


def read_clock(text: str, at: int, supported: bool) -> tuple[SpokenClock, int] | None:
    """The clock said at `at`, and where it ends.

    `supported`: a day or a part of a day stands right before, so 一点 or 30点 can only be meant as a clock.
    """
    if text[at : at + 1] not in _CLOCK_BEGINNINGS:
        return None
    found = (
        _lacking(text, at)
        or _digital(text, at, supported)
        or _estimate(text, at)
        or _spoken(text, at, supported)
    )
    if found is None:
        return None
    clock, end = found
    rough = _ROUGHLY.match(text, end)
    return clock, rough.end() if rough else end


def read_dotted(text: str, at: int) -> tuple[SpokenClock, int] | None:
    """8.30 behind a part of the day (晚上8.30), and where it ends."""
    found = _DOTTED.match(text, at) if text[at : at + 1].isdigit() else None
    if found is None or not 1 <= int(found["hour"]) <= 23:
        return None
    hour = int(found["hour"])
    return SpokenClock(hour, int(found["minute"]), sure=hour > 12, written=True), found.end()


def read_elliptic(text: str, at: int) -> tuple[SpokenClock, int] | None:
    """The first hour of 3-5点 or 三到五点, which leaves its 点 to the second."""
    found = _ELLIPTIC.match(text, at) if text[at : at + 1] in _CLOCK_BEGINNINGS else None
    hour = integer(found["hour"]) if found else None
    if found is None or hour is None or hour > 24 or text[at - 1 : at] in {".", ":", "-", "/"}:
        return None
    return SpokenClock(hour, sure=hour == 0 or hour > 12), found.end()


def _lacking(text: str, at: int) -> tuple[SpokenClock, int] | None:
    found = _LACKING.match(text, at)
    if found is None:
        return None
    hour = integer(found["hour"])
    short = 15 if found["quarter"] else integer(found["minutes"])
    if hour is None or not short or short >= 60 or not 1 <= hour <= 24:
        return None
    return SpokenClock(hour - 1, 60 - short, sure=hour > 13), found.end()


def _digital(text: str, at: int, supported: bool) -> tuple[SpokenClock, int] | None:
    found = _DIGITAL.match(text, at)
    if found is None:
        found = _LATIN.match(text, at)
        if found is None:
            return None
        return SpokenClock(int(found["hour"]), half=_half(found["half"])), found.end()
    hour, minute = int(found["hour"]), int(found["minute"])
    if is_ratio(text, at, found.end()):
        return None
    if hour > 24 or minute > 59 or (hour == 24 and minute):
        if supported and hour < 60:
            return SpokenClock(hour, minute, invalid=f"没有{found['hour']}:{found['minute']}"), found.end()
        return None
    sure = found["hour"].startswith("0") or hour > 12
    return SpokenClock(hour, minute, sure=sure, half=_half(found["half"]), written=True), found.end()


def _half(letter: str | None) -> Literal["am", "pm"] | None:
    return None if letter is None else "am" if letter in "Aa" else "pm"


def _estimate(text: str, at: int) -> tuple[SpokenClock, int] | None:
    found = _ESTIMATE.match(text, at)
    if found is None or counts_points(text, at, found.end(), bare=False):
        return None
    first = integer(found["first"] or found["a"])
    if first is None:
        return None
    second = integer(found["last"] or found["b"])
    if second is None:
        return None
    if found["first"] and first > 10:
        second += 10  # 十一二点
    if second != first + 1 or second > 24:
        return None
    return SpokenClock(first, sure=first > 12, last=second), found.end()


def _spoken(text: str, at: int, supported: bool) -> tuple[SpokenClock, int] | None:
    found = _SPOKEN.match(text, at)
    if found is None or (at and text[at - 1] == "第"):
        return None
    if at and text[at].isdigit() and text[at - 1] in ".0123456789":
        return None
    end = found.end() if found.lastgroup != "unit" else found.end("unit")
    hour = 0 if found["hour"] in "零〇" else integer(found["hour"])
    if hour is None or hour > 99:
        return None
    exact = found.lastgroup != "unit"
    if found["unit"] == "时" and not (
        supported or found["minute"] or hour > (3 if found["hour"].isdigit() else 9)
    ):
        return None
    if not supported and tells_the_time(text, at, end):
        return None
    if found["minute"] and not supported and text[end - 1] == "分" and is_score(text, at):
        return None
    if text.startswith("方向", end) or (not exact and counts_points(text, at, end, bare=not supported)):
        return None
    if found["wrong"]:
        return SpokenClock(hour, invalid=f"没有{integer(found['wrong'])}分"), end
    minute = _minutes(found)
    if minute is None or minute > 59:
        return None
    if found["short"] or found["shortquarter"]:
        return SpokenClock(hour - 1 if hour else 23, 60 - minute, sure=hour > 13), end
    if hour > 24 or (hour == 24 and minute):
        if not supported and hour > 30:
            return None
        return SpokenClock(hour, minute, invalid=f"没有{found.group()[: end - at].strip()}"), end
    sure = hour == 0 or hour > 12 or (len(found["hour"]) == 2 and found["hour"].startswith("0"))
    return SpokenClock(hour, minute, sure=sure), end


def _minutes(found: re.Match[str]) -> int | None:
    if found["half"]:
        return 30
    if found["quarter"]:
        return 15 if found["quarter"] in "一1" else 45
    if found["shortquarter"]:
        return 15
    said = found["minute"] or found["past"] or found["short"]
    if said is None:
        return 0
    return integer(said.lstrip("零〇") if len(said) > 1 else said)
