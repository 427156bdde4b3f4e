"""Orders to put something among a group's announcements (群公告), and not to. Pure; whole lines only, but for
orders not to, which may be a piece of one."""

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
_NOT: Final = (
    "(?:先|暂时|千万|可|都|还是|咱们?|我们|今天|这次)*+(?:别|不要|不用|不必|不需要|不许|不准|不能|不可以|甭|莫|勿|不)"
    "(?:再|又|急着|着急|忙着|乱|先|给我|帮我|往群里)*+"
)
_HANDLED: Final = "(?:发布?|设(?:置)?|弄|做|挂|贴|写|放|出|置顶|公布)(?:出去|出来|上去|到群里)?"
_OVER: Final = "(?:了|啦|哦|噢|喔|嘛|哈|好不好)?"
_NAMED_FIRST: Final = Pattern(
    f"{_POLITE}(?:{_THING})(?:群里?的?)?公告(?:的事)?[ ,，]?(?:{_NOT})(?:{_HANDLED}){_OVER}{_TAIL}"
)
"""群公告先别发"""
_FORBIDS: Final = Pattern(
    f"{_POLITE}(?:{_THING}|它|这|那)?[ ,，]?(?P<not>{_NOT})"
    f"(?P<order>[\\s\\S]{{0,600}}?公告[\\s\\S]{{0,600}}?){_OVER}(?P<tail>{_TAIL})"
)
"""别发群公告, 不要把这个设为群公告"""
_TELLS_BEHIND_COLON: Final = Pattern(f"{_POLITE}(?:{_MAKE})(?:一下)?[:：]\\s*\\S[\\s\\S]*")
_PAUSES: Final = Pattern("[,，。;；!！?？\\n]")
_ASKS: Final = Pattern("[?？]|吗")
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


def forbids_announcement(line: str) -> bool:
    """True for a line that orders to publish nothing (别发群公告, 公告先别发), and orders nothing else.
    不发公告吗 asks."""
    said = line.strip()
    if "公告" not in said or len(said) > LONGEST:
        return False
    if _NAMED_FIRST.fullmatch(said):
        return not _ASKS.search(said)
    found = _FORBIDS.fullmatch(said)
    if found is None or not _is_one_order(found["order"]):
        return False
    # 别发好吗 forbids all the same; 不发吗 does not.
    return found["not"].endswith(("别", "甭", "莫", "勿")) or not _ASKS.search(found["tail"])


def holds_forbidding(line: str) -> bool:
    """True for a line that forbids to publish, as a whole or in a piece (别发群公告，发群里就行)."""
    pieces = _PAUSES.sub("\n", line).split("\n")
    return any(forbids_announcement(piece) for piece in (line, *pieces))


def _is_one_order(said: str) -> bool:
    """True for an order to publish without another order in it."""
    if _BARE.fullmatch(said) or _REFERS.fullmatch(said) or _TELLS_BEHIND_COLON.fullmatch(said):
        return True
    turned = _TURNS.fullmatch(said)
    return turned is not None and _PAUSES.search(turned["text"]) is None
