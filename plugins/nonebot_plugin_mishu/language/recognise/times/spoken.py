"""Words of a time as people type them, put into the grammar's own before it reads: dialect, slips, lengths.

听日下昼三点 -> 明天下午三点, 名天 -> 明天, tmr -> 明天, 十来分钟后 -> 十分钟后, 倒计时十分钟 -> 十分钟后,
半小时提醒我 -> 半小时后提醒我. Every character remembers where it came from.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Sequence
from datetime import date
from typing import Final

from ....patterns import Pattern
from ...text.fold import Folded
from ...word_lists import table
from .numbers import DECIMAL, NUM

_CLOCK: Final = f"(?:早上|早晨|上午|上昼|中午|下午|下昼|晏昼|晚|凌晨|傍晚|{NUM}[点时:])"
_AT_DAY: Final = f"(?=[早晨晚]|{_CLOCK}|(?:记得|要)?(?:提醒|叫|喊)我)"
"""Text after a day in an order: required to accept a typing error."""
_CALLS: Final = "(?:提醒|叫醒?|喊|催|通知)(?:一下|一声|下)?(?:我|俺|咱|大家)"
_PLANNED: Final = (
    "(?=(?:我们?|咱们?|大家|群里|都|还|有|要|哪些|什么|啥|的|得){0,4}"
    "(?:安排|日程|会|活动|待办|任务|计划|事|要[干做办]))"
)
_LENGTH: Final = (
    f"(?:(?:{DECIMAL})(?:个半?|半)?(?:小时|钟头|分钟|刻钟|秒钟?|min|h(?![a-z]))半?(?:零?{NUM}(?:分钟?|秒钟?))?"
    "|半个?(?:小时|钟头)|半分钟)"
)
_ALONE: Final = (
    "(?<![0-9.第前早晚每隔差剩迟后延点零一二三四五六七八九十百有满够])(?<!每过)"
    "(?<![一二两三四五六七八九十0-9]个)"
)
"""Not after these, a length counts from now (提前半小时提醒我, 每半小时叫我, 还有半小时叫我)."""

_ROWS: Final[Sequence[tuple[str, str]]] = (
    # A name that ends in a number: 老二二十九号来.
    ("(?P<name>老[二三四五六七八九])(?=[一二三四五六七八九][十点号日月])", r"\g<name> "),
    # Days.
    (f"[名鸣眀朋铭]天{_AT_DAY}|明[夭添田]{_AT_DAY}|听日(?![本语剧韩系])", "明天"),
    (f"(?<!气)[候厚]天{_AT_DAY}|(?<![最今以之然前往午日])后日(?![本语剧韩常子期程益])", "后天"),
    (f"[金仒]天{_AT_DAY}|今夭{_AT_DAY}", "今天"),
    ("[琴寻]日(?=[早晚上下]|的)", "昨天"),
    (f"听朝早?|(?<![一-鿿])明朝(?={NUM}[点时:])", "明天早上"),
    ("明朝(?=早上|早晨|上午|中午|下午|晚上|夜里)", "明天"),
    ("听晚(?!会)", "明天晚上"),
    ("大后儿(?:个|天)?", "大后天"),
    ("(?P<day>[今明后昨])(?:儿个?)?黑(?:了|哒|间|儿)(?!板)", r"\g<day>天晚上"),
    (f"今朝早?(?={NUM}[点时:])", "今天早上"),
    (f"(?P<day>[今明后])个(?=[早晚上中下]|晌|{NUM}[点时:])", r"\g<day>天"),
    ("(?P<day>[今明后])(?=晌午|头晌|后晌|下晌|下昼|上昼|晏昼)", r"\g<day>天"),
    (r"(?<![a-z])(?:tmr|tmrw|tmw|tomorrow|2moro|2morrow)(?![a-z])", "明天"),
    (r"(?<![a-z])(?:today|2day)(?![a-z])", "今天"),
    (r"(?<![a-z])every ?day(?![a-z])", "每天"),
    (r"(?<![a-z])(?:tonight|2nite)(?![a-z])", "今晚"),
    # Some days from today on, of what is planned; of what was spent 这几天 lies behind.
    (f"(?:这|今后?)(?:两|2|俩)天{_PLANNED}", "今明两天"),
    (f"(?:这|接下来|往后|后面)几天{_PLANNED}|这些天{_PLANNED}", "今明后三天"),
    (f"(?:这|接下来|往后|后面)(?:两|2|俩)(?:个?星期|个?礼拜|周){_PLANNED}", "本周到下周"),
    ("(?<![0-9点半刻天日号末午上一二三四五六七八九十])下班(?:之|以)?前", "今天下班前"),
    # The first and the fifteenth of the moon.
    (
        "(?<![一二三四五六七八九十腊正冬闰月0-9])(?:逢|每逢)?(?:初一[、和跟同与,]?|初1)十五(?![天个分元块岁号日日])",
        "每月初一十五",
    ),
    # Parts of a day.
    ("下昼|晏昼|下晡|下晏|后半晌|下晌|后晌", "下午"),
    ("上昼|前半晌|前晌|头晌|上晌", "上午"),
    ("晌午头儿?", "晌午"),
    (f"(?:朝头?早|早起|起早)(?={NUM}[点时:])", "早上"),
    (f"天?(?:擦|傍|麻麻|煞)黑(?={NUM}[点时:])", "傍晚"),
    # Clocks.
    (
        "(?<=[上中下早晚][午上]|[今明][早晚天])(?P<hour>[一二两三四五六七八九十]{1,2}|[0-9]{1,2})[典奌店电]"
        "(?=半|钟|开|吃|打|集|出|见|到|在|去|叫|喊|提醒|面试|考|上课|有|$|[ ,])",
        r"\g<hour>点",
    ),
    ("仨(?=点(?!建议|意见|要求|理由|原因))", "三"),
    ("俩(?=点(?:钟|半|整|一刻|三刻|[零一二三四五六七八九十0-9]))", "两"),
    (f"(?:晚黑|晚夕|夜头|夜晚黑?)(?={NUM}[点时:])", "晚上"),
    # Lengths that are only about so long.
    (f"(?P<count>{NUM})来(?=个?(?:小时|钟头|分钟|天|秒))", r"\g<count>"),
    ("十几(?=分钟|秒|天)", "十五"),
    (f"(?<![0-9十百好])几(?=分钟(?:之|以|过)?后|分钟{_CALLS})", "五"),
    ("个把(?=小时|钟头|月|星期)", "一个"),
    ("(?:大半|半)个[来多](?=小时|钟头)|半(?=来小时)", "半个"),
    (f"再?过(?:一?会儿?|一?下下?)(?={_CALLS})", "十分钟后"),
    # Lengths that count from now.
    (
        f"(?<![每天])(?:倒计时|定时|计时|timer)[: ]*一?个?(?P<length>{_LENGTH})(?![内里每一])后?",
        r"\g<length>后",
    ),
    (f"{_ALONE}(?P<length>{_LENGTH})的?(?=一?个?(?:倒计时|计时|定时)器?|闹[钟铃])", r"\g<length>后"),
    (f"{_ALONE}(?P<length>{_LENGTH})[就再]?(?={_CALLS})", r"\g<length>后"),
)
_TABLE: Final = tuple((Pattern(pattern), put) for pattern, put in _ROWS)
_HINT: Final = Pattern(
    "[典奌店电名鸣眀朋铭候厚金仒听琴昼晌晡晏朝夭添田黑仨老]|初[一1]|早起|起早|俩点|后儿|后日|[今明后]个|晚黑|晚夕|夜头|夜晚|来|十?几|个把|半个|会|等一?下|计时|定时"
    "|闹[钟铃]|[两俩2几]|些天|下班|tm|2[mnd]|to|every|提醒|[叫喊催]|通知"
)
"""In a line without any of these there is nothing to put."""


def plain(folded: Folded) -> Folded:
    """The text in the grammar's words. Case counts for nothing."""
    if _HINT.search(folded.text.lower()) is None:
        return folded
    for pattern, put in _TABLE:
        folded = put_in(folded, pattern, lambda found, put=put: found.expand(put))
    return folded


def put_in(folded: Folded, pattern: Pattern, put: Callable[[re.Match[str]], str | None]) -> Folded:
    """The text with other words where a pattern stands, each with its place; where `put` is None it stays."""
    text, origin = folded.text, folded.origin
    pieces: list[str] = []
    places: list[int] = []
    at = 0
    for found in pattern.finditer(text.lower()):
        new = put(found)
        if new is None:
            continue
        pieces += [text[at : found.start()], new]
        places += [*origin[at : found.start()], *_spread(origin[found.start() : found.end()], len(new))]
        at = found.end()
    return Folded("".join([*pieces, text[at:]]), (*places, *origin[at:]), folded.length) if at else folded


_DOTTED: Final = Pattern(
    r"(?:(?<=[ ,;。])|(?<=[今明后大]天)|(?<![^ ,;。]))(?P<hour>[1-9]|1[0-9]|2[0-3])\.(?P<minute>00|15|30|45)"
    "(?= ?(?:(?:我们|咱们|大家|一起|都|准时|去|来|在)[^ ,。]{0,4}?)?"
    f"(?:{table('schedule.occasion', 'times.begins')}))"
)
"""7.30 篮球, 明天8.15开会: before what people meet for. A price stands behind its thing, or has a unit."""
_HALF_A_YEAR: Final = 183
_DECEMBER: Final = 12


def with_dotted_clocks(folded: Folded, today: date) -> Folded:
    """The text with a colon in a clock that was written with a point. What may be a day to come (12.15 开会)
    is left alone."""
    if "." not in folded.text:
        return folded
    letters = list(folded.text)
    for found in _DOTTED.finditer(folded.text.lower()):
        if not _is_day_to_come(int(found["hour"]), int(found["minute"]), today):
            letters[found.end("hour")] = ":"
    return folded._replace(text="".join(letters))


def _is_day_to_come(month: int, day: int, today: date) -> bool:
    if month > _DECEMBER or not 1 <= day <= monthrange(today.year, month)[1]:
        return False
    this_year = date(today.year, month, day)
    return this_year >= today or (today - this_year).days > _HALF_A_YEAR


def _spread(origin: tuple[int, ...], length: int) -> list[int]:
    """The places of `length` new characters: from the first to the last of the old ones."""
    return [origin[0]] * (length - 1) + [origin[-1 if length > 1 else 0]] if length else []
