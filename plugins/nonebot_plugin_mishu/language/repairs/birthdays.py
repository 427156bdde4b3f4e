"""Birthday told to the bot as a yearly task that is asked about: 我生日是12月15, 1月3号是我妈生日. Pure."""

from __future__ import annotations

from typing import Final

from ..clause import Situation
from ..reading import words_of
from ..recognise.times import parse
from ..text.fold import Folded
from .canonical import edited

LONGEST: Final = 30
"""Most characters of such a line."""
_BIRTHDAY: Final = "生日"
_OWN: Final = "过生日"
"""Name of the speaker's own: 生日 without a name in front is what talk tells (正月十五我生日)."""
_MINE: Final = ("我的", "我", "本人", "俺的", "俺")
_FAMILY: Final = frozenset("妈爸姐哥弟妹爷奶")
"""Relatives called by one syllable (我妈) or by two alike (妈妈)."""
_LONGEST_NAME: Final = 6
_KEEPS: Final = ("帮我记一下", "帮我记下", "帮我记", "记一下", "记下", "记住", "记得", "记")
_OPENS: Final = ("对了", "那个", "还有")
_IS: Final = ("就是", "是在", "是", "在")
_OF: Final = ("就是", "是")
_LUNAR: Final = ("农历", "阴历", "旧历")
_EDGE: Final = " ,。.!~"
_SPACE: Final = " ,"
_NUMBERED: Final = "号日 ,"
_PARTICLES: Final = "哦哈啊呀吧噢啦的"
_ENDS: Final = "~!。 "
_MARKS: Final = " ,:、。"
_NO_NAME: Final = frozenset(
    {
        *(
            "negation",
            "prohibit",
            "denial",
            "refuse",
            "whether",
            "what",
            "who_asked",
            "remind",
            "rouse",
            "make",
        ),
        *(
            "take_away",
            "change",
            "finish",
            "pay",
            "have",
            "you",
            "says",
            "condition",
            "may",
            "amount",
            "time",
        ),
        *("action", "enter", "look", "call", "come", "leave"),
        *("help", "is"),
    }
)


def birthday_told(folded: Folded, where: Situation) -> Folded | None:
    """The line as an order for a yearly task, to be asked about; None where it says more or less."""
    line = folded.text.strip(_EDGE)
    if not where.addressed or _BIRTHDAY not in line or len(line) > LONGEST:
        return None
    times = parse(line, where.now, where.zone)
    if len(times) != 1 or times[0].start is not None or times[0].recurrence is not None:
        return None
    time = times[0]
    if time.date is None or time.invalid or time.end_date or "月" not in time.text:
        return None
    start, end = time.span
    name = _name(line[:start].strip(_SPACE), line[end:].lstrip(_NUMBERED).rstrip(_PARTICLES + _ENDS))
    if name is None:
        return None
    lunar = time.text if time.text.startswith(_LUNAR) else ""
    when = lunar or f"{time.date.month}月{time.date.day}号"
    own = not name and not lunar and _says_it(line[:start], line[end:])
    return edited(folded, ((0, len(folded.text), f"每年{when}{_OWN if own else name + _BIRTHDAY}"),))


def _says_it(head: str, behind: str) -> bool:
    """True if a verb tells the day (我生日是12月15, 12月15是我生日); it does not in 我生日12月15."""
    return head.rstrip(_SPACE).endswith(_IS) or behind.lstrip(_NUMBERED).startswith(_OF)


def _name(head: str, behind: str) -> str | None:
    """Whose birthday it is, before its day (我妈生日是) or behind it (是我妈的生日); None if none."""
    kept = next((word for word in _KEEPS if head.startswith(word)), "")
    for word in (kept, *_OPENS):
        head = head.removeprefix(word).lstrip(_SPACE)
    if not behind:
        says = next((word for word in _IS if head.endswith(word)), "")
        if kept and says:
            return None  # 记一下小李生日是3月8号: a fact of the group's
        told = head.removesuffix(says)
    elif not head:
        told = next((behind.removeprefix(word) for word in _OF if behind.startswith(word)), "")
    else:
        return None
    if not told.endswith(_BIRTHDAY):
        return None
    name = told.removesuffix(_BIRTHDAY)
    mine = next((word for word in _MINE if name.startswith(word)), "")
    name = name.removeprefix(mine).removesuffix("的") if mine else name
    name = name * 2 if name in _FAMILY else name
    if len(name) > _LONGEST_NAME or name.endswith("的") or any(sign in name for sign in _MARKS):
        return None
    return None if any(not word.classes.isdisjoint(_NO_NAME) for word in words_of(name)) else name
