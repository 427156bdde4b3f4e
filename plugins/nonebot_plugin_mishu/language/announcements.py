"""Orders to put something among a group's announcements (群公告). Pure; whole lines only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..patterns import Pattern

LONGEST: Final = 2000
"""Characters of a line that may order one."""

_POLITE: Final = "(?:请|麻烦|帮我|帮忙|给我|那就?|就|可以|能不能|能|你|现在|直接|在?群里|[ ,，])*+"
_THING: Final = (
    "(?:上面|刚才|刚刚|前面)?(?:说)?的?(?:这|那)?(?:一)?(?:个|条|段|份|张|句)?(?:投票|报名|接龙|统计|日程|安排|名单|结果|总结|纪要"
    "|清单|消息|内容|通知|话|图){0,2}+"
)
_MEANT: Final = Pattern(f"(?:{_THING}|它|这|那)")
_PUT: Final = (
    "(?:设(?:置)?|发布?|弄|做|变|挂|贴|写|放|转|当|升|置顶|改)(?:成|为|到|个|进|在|作|去)?(?:一?[个条]|一下)?"
    "(?:本|咱们?|我们|这个)?(?:群里?的?)?公告(?:栏)?(?:里|上|中)?(?:去)?"
)
_MAKE: Final = "(?:发布?|写|贴|出|来|弄|加)(?:一?[个条]|一下)?(?:新的?)?(?:群里?的?)?公告"
_TAIL: Final = "(?:[ ,，。!！~?？]|吧|啊|呀|哈|呗|一下|好吗|行吗|可以吗|吗|谢谢|辛苦)*+"

_REFERS: Final = Pattern(f"{_POLITE}(?:(?:把|将)?(?:{_THING}|它|这|那))?{_POLITE}(?:{_PUT}){_TAIL}")
"""设为群公告, 把这个发群公告, 结果发到群公告里吧"""
_BARE: Final = Pattern(f"{_POLITE}(?:{_MAKE}){_TAIL}")
"""发个群公告"""
_TELLS: Final = Pattern(f"{_POLITE}(?:{_MAKE}|群公告)(?:一下)?[:：,，\\s]\\s*(?P<text>\\S[\\s\\S]*)")
"""发个群公告：明天停水"""
_TURNS: Final = Pattern(f"{_POLITE}(?:把|将)(?P<text>[\\s\\S]{{1,600}}?)(?:{_PUT}){_TAIL}")
"""把明天停水发群公告"""
_QUOTES: Final = "「」『』“”\"'‘’"


@dataclass(frozen=True, slots=True)
class AnnouncementOrder:
    """An announcement that was ordered. `text` None: what is quoted, or what was said last, is meant."""

    text: str | None = None
    points: bool = True
    """It names something that stands there already (把这个, 设为); else only what is quoted can be meant."""


def read_announcement(line: str) -> AnnouncementOrder | None:
    """The order of a whole line, in its own words; None where it is none."""
    said = line.strip()
    if "公告" not in said or len(said) > LONGEST:
        return None
    if _BARE.fullmatch(said):
        return AnnouncementOrder(points=False)
    if _REFERS.fullmatch(said):
        return AnnouncementOrder()
    found = _TELLS.fullmatch(said) or _TURNS.fullmatch(said)
    if found is None:
        return None
    text = found["text"].strip().strip(_QUOTES)
    return AnnouncementOrder(None if _MEANT.fullmatch(text) else text)
