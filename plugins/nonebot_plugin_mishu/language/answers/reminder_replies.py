"""Replies to a reminder: done, or later. Pure, whole lines only.

A line quoting the reminder may be short (好了, 晚点, 20分钟后); an unquoted next line of the reminded member
must be plain.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from ...patterns import Pattern
from ..recognise.numerals import parse_decimal
from ..recognise.times import SEGMENT_BOUNDS, parse
from ..text.fold import normalise

SNOOZE_MINUTES = 10
"""Default delay."""

LONGEST = 40
"""Most characters of a reply to a reminder."""

_TAIL = Pattern(
    r"(?:[吧啊呀啦哦嗯哈呗~～。.!！、,，\s]|谢谢[你您了]?|谢啦|多谢|辛苦(?:了|啦)|麻烦(?:了|啦|你了))+$"
)
_MAY_I = Pattern(r"(?:好|行|可以)(?:吗|不|么)?\s*[?？]?$")
"""Trailing request for permission: later, never done."""
_DONE = Pattern(
    r"(?:我)?(?:已经|已|都|刚)?(?:完成|做完|做好|做|弄完|弄好|办完|办好|办妥|搞定|处理完|处理好|干完|交)了|已?完成|done",
    re.IGNORECASE,
)
_DONE_IF_QUOTED = Pattern(
    r"好了?|ok|okay|行了?|可以了|收工|做[啦完]|完事了?|完了|搞定|知道了|收到|√|✓|✔|✅|☑️?", re.IGNORECASE
)
_DID_IF_QUOTED = Pattern(
    r"(?:我|已经|已|都|刚)*(?:吃|喝|做|交|买|取|拿|打|发|写|洗|关|带|还|付|缴|回|看|寄|送|浇|倒|收|喂|订|跑)(?:(?:完|好|过)了?|了)"
)
_HEARD = Pattern(
    r"知道了?|收到|好[的嘞哒呀]?|ok|okay|行|嗯+|马上就?[好交发弄做去来写]?|这就[去来交发弄做写]?"
    r"|(?:还)?(?:在|正在)(?:写|做|弄|办|搞|交|改|看|赶|路上)(?:着)?了?(?:在(?:写|做|弄|赶)了)?|快[了好]了?|还没有?[呢好完]?|没呢",
    re.IGNORECASE,
)
"""It was heard, and is not done yet."""
_DECLINED = Pattern(
    r"(?:我)?(?:才|就|偏|真的?)?(?:不想|不会|不能|没法|没办法|懒得|不)(?:再)?[交报做写发还给去来弄办管看填]了?|(?:我)?(?:没空|没时间|弄不了|做不了|办不到|不行)了?"
)
_HEAD = Pattern(r"^(?:请|麻烦|帮我|那就|那|给我|先)+")
_PUT_OFF = Pattern(
    r"^(?:推迟|延迟|延后|顺延|往后推|后推|推后|推)(?:提醒)?(?P<to>到|至)?|^晚(?=[0-9一二两三四五六七八九十半])"
)
_AGAIN = Pattern(
    r"(?:再|重新)?(?:提醒|叫|喊|告诉|通知)(?:我们|我|大家)?(?:一?[次下遍声])?(?:我们|我)?$|再(?:说|来)$"
)
_LATER = Pattern(
    r"晚[点些]|晚一[点些会]儿?|晚会儿?|迟点|等会儿?|等一会儿?|等一?下|待会儿?|过一?会儿?|稍后|稍等|一会儿?|回头|不急"
)

_SECONDS = Pattern(r"(.+?)\s{0,4}秒钟?[以之]?后")


@dataclass(frozen=True, slots=True)
class Later:
    """Remind again at `at` (aware)."""

    at: datetime


@dataclass(frozen=True, slots=True)
class Unclear:
    """Later, but without a possible time; `why` in Chinese."""

    why: str


Reply = Literal["done"] | Later | Unclear


def read(line: str, now: datetime, zone: ZoneInfo, *, quoted: bool, about: str = "") -> Reply | None:
    """Reply to a reminder; None if the line is none. `now` is aware; `about`: what was reminded of."""
    said = normalise(line[: 4 * LONGEST]).strip()
    text = _TAIL.sub("", said)
    if not text or len(text) > LONGEST:
        return None
    if _DONE.fullmatch(text) or (
        quoted and any(one.fullmatch(text) for one in (_DONE_IF_QUOTED, _DID_IF_QUOTED))
    ):
        return "done"
    if _did(_said_once(_TAIL.sub("", said.replace("啦", "了"))), about):
        return "done"
    rest = _TAIL.sub("", _MAY_I.sub("", _HEAD.sub("", text)))
    again = _AGAIN.search(rest)
    rest = rest[: again.start()] if again else rest
    put_off = _PUT_OFF.match(rest)
    rest = rest[put_off.end() :].strip() if put_off else rest.strip()
    if not (quoted or again or put_off):
        return None
    if _LATER.fullmatch(rest) or (put_off and not rest and put_off["to"] is None):
        return Later(now + timedelta(minutes=SNOOZE_MINUTES)) if quoted or again or put_off else None
    span = put_off is not None and put_off["to"] is None
    return _when(rest, now, zone, span=span)


def is_declined(line: str) -> bool:
    """True for a reply by which somebody who was asked says that they will not, or cannot: 我不交, 没空."""
    text = _TAIL.sub("", normalise(line[: 4 * LONGEST]).strip())
    return 0 < len(text) <= LONGEST and _DECLINED.fullmatch(text) is not None


def is_heard(line: str) -> bool:
    """True for a reply by which somebody who was asked heard it, or is at it: 知道了, 在写了."""
    text = _TAIL.sub("", normalise(line[: 4 * LONGEST]).strip())
    return 0 < len(text) <= LONGEST and _HEARD.fullmatch(_said_once(text.replace("啦", "了"))) is not None


def _said_once(text: str) -> str:
    """交了交了 is 交了."""
    for size in range(1, len(text) // 2 + 1):
        if len(text) % size == 0 and text == text[:size] * (len(text) // size):
            return text[:size]
    return text


def _did(text: str, about: str) -> bool:
    """True for 交了, 关火了, 药吃过了 behind a reminder of 交日报, 关火, 吃药: it is done."""
    if not text.endswith(("了", "过", "完")):
        return False
    said = text.removesuffix("了").rstrip("完好过")
    for word in _SELF:
        said = said.removeprefix(word)
    return (
        0 < len(said) <= _LONGEST_DEED
        and all(each in about for each in said)
        and any(each in _DEEDS for each in said)
    )


_SELF = ("我", "已经", "已", "都", "刚", "刚刚")
_DEEDS = "吃喝做交买取拿打发写洗关带还付缴回看寄送浇倒收喂订跑填签背练拖扫报约背锁充遛擦修"
"""Verbs that end with what was to be done; 开会了 and 上课了 tell that it begins."""
_LONGEST_DEED = 6


def _when(said: str, now: datetime, zone: ZoneInfo, *, span: bool) -> Reply | None:
    """Moment of a line that is only a time. `span`: a length of time."""
    phrase = said if not span or said.endswith("后") else said + "后"
    found = parse(phrase, now, zone)
    if len(found) != 1 or sum(end - start for start, end in found[0].spans) < len(phrase.replace(" ", "")):
        return None
    [named] = found
    if named.invalid is not None:
        return Unclear(f"没有这个时间：{named.invalid}")
    if named.recurrence is not None or named.date is None:
        return None
    clock = named.start
    if clock is None:
        clock = time(9, 0) if named.segment in (None, "all_day") else SEGMENT_BOUNDS[named.segment][0]
    at = datetime.combine(named.date, clock, zone)
    counted = phrase.endswith("后") or phrase.startswith(("过", "再过"))
    if counted and named.start is not None:
        # Counted from now; the grammar counts whole minutes, and rounds seconds up.
        seconds = _SECONDS.fullmatch(phrase)
        spoken = parse_decimal(seconds[1]) if seconds is not None else None
        at = at + timedelta(seconds=now.second) if spoken is None else now + timedelta(seconds=float(spoken))
    return Later(at) if at > now else Unclear("这个时间已经过了")
