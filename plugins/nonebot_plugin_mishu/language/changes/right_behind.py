"""Lines directly after the speaker's own change: 地点302, 不对 二十分钟就够了, 不对 是部门例会.

They name no item and are rewritten as change orders (地点改成302, 改到20分钟后, 改名为部门例会) for the
rules. Pure.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from ...patterns import Pattern
from ..answers.answer_words import UNDO
from ..clause import KeptThing, Situation
from ..lines.facts import put_right
from ..mood import leaves_open
from ..names.quantities import is_quantity
from ..names.referents import shared
from ..reading import words_of
from ..recognise.times import names_day, parse
from ..text.fold import fold
from .corrections import (
    Edit,
    changed_behind_why,
    chosen_again,
    corrected,
    correction_at,
    only_times,
    only_trails,
    opens_by_correcting,
    without_is,
)
from .frequency import says_how_often
from .recency import takes_one_away
from .undoing import says_unsaid

_REMEMBERED: Final = "记住了："
"""Prefix of the note about a stored fact."""
LONGEST: Final = 30
"""Most characters of such a line."""
_BY_DEFAULT: Final = "没说几点，先按"
"""In the note about a clock time that nobody said."""
_SOME_DAY: Final = datetime(2026, 1, 7, 12, tzinfo=ZoneInfo("Asia/Shanghai"))
"""Only the places of times are used, not their values."""
_PLACE: Final = 14
"""Most characters of a place."""
_NAME: Final = 12
"""Most characters of a name."""
_SOON: Final = timedelta(hours=6)
"""Farthest begin of an item for which a length means "in so long"."""
_OPENS: Final = Pattern(
    "^(?:(?:哦|噢|啊|嗯|对了|那个|另外|还有|忘(?:记)?(?:了)?说了?|补充(?:一下|一句)?|对|那)[ ,:]*){0,3}"
)
_FORGOT: Final = Pattern("^(?:哦|噢|啊|嗯|对了|,| )*(?:还|忘(?:记)?(?:了)?说|补充)")
_NOUN: Final = (
    "(?:地点|地儿|地址|地方|位置|场地|会场)(?!费|租|押金|钱)(?:的话|呢|嘛)?[ ,:]?"
    "(?:(?:就|还是|先|是|定|选|订|放|设|搁|在|到|改|换|成|为|[ :]){0,5})"
)
_AT: Final = "(?:那?就|还是|改|换|定|放|设|搁|挪|移){1,3}(?:在|到|成|去|搁)"
_SITE: Final = Pattern(f"^(?:(?P<noun>{_NOUN})|(?P<at>{_AT})|(?P<in>在)?)(?P<place>[^ ,:]{{1,{_PLACE}}})$")
_ROOM: Final = Pattern(
    "^[a-zA-Z0-9一二三四五六七八九十零-]{1,8}(?:号|栋|座|楼|层)?(?:大|小)?(?:教室|会议室|办公室|实验室|机房|包间|包厢|诊室|室|房间|房|厅)"
    "(?:[0-9]{1,4}|[a-zA-Z])?$"
)
_LENGTH: Final = Pattern(
    "^(?:只要|只用|就|改成|改|是)?(?P<length>(?:半个?|[0-9]{1,3}|[一二两三四五六七八九十]{1,3})个?半?(?:分钟|小时|钟头|刻钟))"
    "(?:以?后|之后)?(?:就)?(?:够|行|可以|好|成)?(?:了|吧|啦|嘛|哈|啊)*$"
)
_TAIL: Final = Pattern("(?<=[^吧哈啊呀哦嘛噻啦了的])(?:吧|哈|啊|呀|哦|嘛|噻|啦|见|集合)+$")
_TELLS: Final = Pattern(
    "^(?:有|太|挺|很|真|还|不|没|变|待|随|谁|哪|由|都|会|要|可以|离|远|近|大|小(?!会议室)|换|改)"
)
"""Predicates after a place noun: 地方有点小, 地点离我家远."""
_NO_PLACE: Final = frozenset(
    {
        *(
            "whether",
            "what",
            "who",
            "how_much",
            "negation",
            "prohibit",
            "refuse",
            "denial",
            "hold_off",
            "may",
        ),
        *("self", "you", "degree", "feeling", "cannot", "wish", "condition", "this", "tag", "amount", "time"),
        *("change", "take_away", "finish", "remind", "enter", "make", "pay", "have", "suggest", "reported"),
    }
)
"""Classes excluded from a place: 地点还没定, 位置不够, 就在那."""
_NO_NAME: Final = _NO_PLACE - {"you", "change", "finish", "pay", "make"}


def amends(line: str, names: str = "") -> bool:
    """True if a line may refer to the speaker's last change, by its shape; `names` is the name of the changed
    item."""
    text = fold(line).text.strip(" ,。.!~")
    if not 0 < len(text) <= LONGEST:
        return False
    if _place_in(text) is not None:
        return True
    if changed_behind_why(text) is not None or chosen_again(text) is not None:
        return True
    if (clock := _clock_alone(text)) and (_BY_DEFAULT in names or clock[0] > 0):
        return True
    if any(put.startswith("改到") for _, _, put in corrected(text)):
        return True  # 不是周五 周六
    if calls_off(text, names):
        return True
    if says_unsaid(text) or takes_one_away(text) or leaves_days_out(text) or says_how_often(text):
        return True
    if names.startswith(_REMEMBERED) and put_right(text, names[len(_REMEMBERED) :]) is not None:
        return True
    at = correction_at(text)
    if at is None:
        return False
    rest = without_is(text[at:])
    if _LENGTH.match(rest) or _clock_at(rest):
        return True
    return bool(names) and (_renames(rest, names) or _contrast_in(text, names) is not None)


def amendment(line: str, where: Situation) -> tuple[Edit, ...]:
    """Replacements of a line directly after a change; empty if it does not refer to one, or the item is
    unclear."""
    thing = where.last
    if not (where.addressed and where.just_done() and where.just_shown() and thing is not None):
        return ()
    text = line.strip(" ,。.!~")
    if not 0 < len(text) <= LONGEST or text not in line:
        return ()
    put = _put(text, thing, where)
    return () if put is None else ((0, len(line), put),)


def leaves_days_out(text: str) -> bool:
    """周末不用, 周五就不用提醒我了: exception for a series just created."""
    times = parse(text, _SOME_DAY, ZoneInfo("Asia/Shanghai"))
    if len(times) != 1 or times[0].span[0] or times[0].start is not None:
        return False
    rest = text[times[0].span[1] :].strip(" ,").lstrip("就都的话那两天一律")
    return rest.rstrip("了吧啦哈啊我") in _LEFT_OUT


_LEFT_OUT: Final = frozenset(
    {
        *(
            "不用",
            "不用提醒",
            "别提醒",
            "不提醒",
            "不要提醒",
            "不用叫",
            "别叫",
            "不叫",
            "不用喊",
            "莫喊",
            "别喊",
            "不需要",
        )
    }
)


def needless(line: str, where: Situation) -> tuple[Edit, ...]:
    """不用了 孩儿他妈去接 as a delete order: for the single item named in the reason, else the one just
    created or shown."""
    text = line.strip(" ,。.!~")
    if not where.addressed or not 0 < len(text) <= LONGEST or text not in line:
        return ()
    said = max((word for word in UNDO["needless"] if text.startswith(word)), key=len, default="")
    why = text[len(said) :]
    if not said or why[:1] not in (" ", ",") or leaves_open(why):
        return ()
    why = why.strip(" ,")
    words = words_of(why)
    if not why or parse(why, _SOME_DAY, ZoneInfo("Asia/Shanghai")) or any(w.classes & _ORDERS for w in words):
        return ()
    acts = "".join(why[w.start : w.end] for w in words if not w.classes.isdisjoint(_DEEDS))
    spoken = [one for one in where.things if one.id and any(sign in one.name for sign in acts)]
    recent = where.last if where.just_shown() else None
    thing = spoken[0] if len(spoken) == 1 else recent
    if thing is None or not thing.id or not thing.name:
        return ()
    return ((0, len(line), f"取消{thing.name}"),)


_ORDERS: Final = frozenset(
    {"make", "remind", "rouse", "enter", "change", "finish", "amount", "whether", "what"}
)
"""Classes excluded from a reason."""


def calls_off(text: str, names: str) -> bool:
    """算了不聚了, 唉算了 不搞了 and nothing else: the verb belongs to the name, or to any item."""
    found = _CALLED_OFF.match(text)
    if found is None or leaves_open(text):
        return False
    return found["any"] is not None or found["deed"] in names


_CALLED_OFF: Final = Pattern(
    "^(?:唉|哎|诶|欸|那|哦|,| )*(?:还是)?算了(?:吧)?[ ,]*(?:还是|咱们?|我们|大家|就|都)*"
    "(?:不|别)(?:(?P<any>搞|弄|办)|(?P<deed>[一-鿿]{1,2}?))了(?:吧|哈|啊|嘛|[。!~ ])*$"
)


def _put(text: str, thing: KeptThing, where: Situation) -> str | None:
    if thing.id and thing.name and (called := _called(text, thing.name)) is not None:
        name, times = called
        moved = f"改到{times} 名字" if times else ""
        return f"{thing.name}{moved}改成{name}" if times else f"{thing.name}改名为{name}"
    named = bool(thing.name) and text.startswith(f"{thing.name}在")
    place = _place_in(text.removeprefix(thing.name) if named else text)
    if place is None and thing.agent == "schedule" and thing.name and (other := _venue_in(text, thing)):
        return other
    if thing.id and thing.name and calls_off(text, thing.name):
        return f"取消{thing.name}行吗"  # said among members perhaps: asked back before it goes
    if (again := chosen_again(text)) is not None and place is None:
        return f"{thing.name}改到{text[slice(*again)]}"
    clock = None if place is not None or thing.repeats or not thing.id else _clock_alone(text)
    if clock is not None and thing.name and thing.at is not None:
        return f"{thing.name}改到{thing.at.month}月{thing.at.day}号{text[slice(*clock)]}"
    if place is not None:
        return f"地点改成{place}" if thing.agent == "schedule" else f"给{thing.name}加个备注：地点{place}"
    if (clocks := _clocks_in(text, thing, where)) and thing.at is not None:
        return f"{thing.name}改到{thing.at.month}月{thing.at.day}号{clocks}"
    if thing.id and (named := _named_instead(text, thing)):
        return named
    at = correction_at(text)
    if at is None or not thing.id:
        return None
    rest = without_is(text[at:])
    length = _LENGTH.match(rest)
    if length is not None:
        soon = thing.at is not None and abs(thing.at - where.now) <= _SOON
        return f"改到{length['length']}后" if soon and thing.agent == "tasks" else None
    return f"{thing.name}改名为{_TAIL.sub('', rest)}" if thing.name and _renames(rest, thing.name) else None


def _called(text: str, name: str) -> tuple[str, str] | None:
    """New name of a line that says what something is called, and the times beside it (叫爬百望山，一点到
    六点); None for any other line."""
    pieces = [piece for piece in text.replace("，", ",").replace(" ", ",").split(",") if piece]
    says = [piece for piece in pieces if piece.startswith(_CALLED)]
    rest = " ".join(piece for piece in pieces if piece not in says)
    rest = rest[max((len(word) for word in _MOVED if rest.startswith(word)), default=0) :]
    if len(says) != 1 or leaves_open(text):
        return None
    word = max((word for word in _CALLED if says[0].startswith(word)), key=len)
    new = _TAIL.sub("", says[0][len(word) :])
    times = parse(rest, _SOME_DAY, ZoneInfo("Asia/Shanghai")) if rest else []
    if not _renames(new, name) or (rest and not only_times(rest, times)):
        return None
    return new, rest


_MOVED: Final = ("改到", "改成", "挪到", "换到", "时间改到", "时间改成", "时间是", "时间")
_CALLED: Final = ("叫", "就叫", "改叫", "名字叫", "名字改叫", "名字就叫")


def _named_instead(text: str, thing: KeptThing) -> str | None:
    """The order of a line that says what is right and what of a thing's name or place is not: 错了 是爬山不是
    打球, 不是302 是301."""
    told = _contrast_in(text, f"{thing.name}\n{thing.place}")
    if told is None or thing.agent not in ("schedule", "tasks"):
        return None
    right, wrong = told
    if thing.place and wrong in thing.place:
        return f"地点改成{thing.place.replace(wrong, right)}"
    return f"{thing.name}改名为{thing.name.replace(wrong, right)}" if wrong in thing.name else None


def _contrast_in(text: str, names: str) -> tuple[str, str] | None:
    """The right word of a line and the wrong one, which stands in the names."""
    begins = correction_at(text) if opens_by_correcting(text) and not text.startswith("不是") else None
    said = text[begins:] if begins is not None else text
    found = _RIGHT_FIRST.fullmatch(said) or _WRONG_FIRST.fullmatch(said)
    if found is None or found["wrong"] not in names or leaves_open(said):
        return None
    right = _TAIL.sub("", found["right"])
    if not right or right in names or parse(said, _SOME_DAY, ZoneInfo("Asia/Shanghai")):
        return None
    said_of = any(not word.classes.isdisjoint(_NO_NAME) for word in words_of(right))
    return None if said_of else (right, found["wrong"])


_RIGHT_FIRST: Final = Pattern(
    "(?:应该)?是(?P<right>[^ ,。!?]{1,12}?)[ ,]?不是(?P<wrong>[^ ,。!?]{1,12}?)"
    "(?:吧|哈|啊|呀|哦|啦|[。!~ ])*+"
)
_WRONG_FIRST: Final = Pattern(
    "不是(?P<wrong>[^ ,。!?]{1,12}?)[ ,]?(?:而是|应该是|是)(?P<right>[^ ,。!?]{1,12})[。!~ ]*+"
)


def _place_in(text: str) -> str | None:
    """The place in a line of nothing else."""
    begins = correction_at(text) if opens_by_correcting(text) else None
    said = text[begins:] if begins is not None else text
    forgotten = _FORGOT.match(said) is not None
    said = _OPENS.sub("", said, count=1)
    found = _SITE.match(said)
    if found is None or leaves_open(said):
        return None
    place = _TAIL.sub("", found["place"])
    if found["in"] and (number := _room_number(place)):
        return number
    words = words_of(place)
    classes = frozenset(name for word in words for name in word.classes)
    if not place or classes & _NO_PLACE or _TELLS.match(place):
        return None
    known = not classes.isdisjoint({"place", "room"})
    if found["noun"]:
        return place
    if forgotten and found["in"]:
        return place  # 忘了说在海底捞
    if found["at"]:
        return place if known or _ROOM.match(place) else None
    return place if _ROOM.match(place) else None


def _room_number(place: str) -> str:
    """Number of a room behind 在 (在302, 在b205开会); empty for any other place."""
    number = next((place.removesuffix(word) for word in _MEETS if place.endswith(word)), place)
    digits = number[1:] if number[:1].isascii() and number[:1].isalpha() else number
    return number if digits.isdigit() and len(digits) in _DIGITS_OF_A_ROOM else ""


_MEETS: Final = ("开会", "集合", "开", "见", "上课")
_DIGITS_OF_A_ROOM: Final = (3, 4)


def _venue_in(text: str, thing: KeptThing) -> str | None:
    """换成西贝了, after a dinner: new place, or the place part of its name (海底捞聚餐). An activity is a new
    name (改成答辩)."""
    found = _BECOMES.match(text)
    if found is None:
        return None
    venue = _TAIL.sub("", found["what"]).removesuffix("了")
    classes = frozenset(name for word in words_of(venue) for name in word.classes)
    if not 1 < len(venue) <= _NAME or classes & (_NO_PLACE | _DEEDS) or _TELLS.match(venue):
        return None
    if is_quantity(venue) or parse(venue, _SOME_DAY, ZoneInfo("Asia/Shanghai")):
        return None
    if thing.place:
        return f"地点改成{venue}"
    name = thing.name
    words = words_of(name)
    deed = next((word for word in words if not word.classes.isdisjoint(_DEEDS)), None)
    if deed is None:
        return None
    if deed.start == 0:
        return f"地点改成{venue}"
    before = [word for word in words if word.end <= deed.start]
    unknown = all(word.unread or not word.classes.isdisjoint({"place", "room"}) for word in before)
    return f"{name}改名为{venue}{name[deed.start :]}" if unknown else None


_BECOMES: Final = Pattern(
    "^(?:那|还是|就|地方|地点|店|饭店|嗯|哦|,| )*(?:换成|改成|换到|改到|改在|换去|改去|换|定|改)(?:去|在|到)?"
    "(?P<what>[^,。!?？ ]{2,14})$"
)
_DEEDS: Final = frozenset({"occasion", "action", "meal", "meeting"})
"""Word classes of activities (聚餐, 评审); the name's words before are a place, or an owner."""


_SETTLES: Final = Pattern(
    "^(?:(?:嗯+|好的?|行|哦|噢|对|可以|ok)[ ,]*)?(?:那?就|那)(?:先?定|约|在|是)?$", re.IGNORECASE
)
_GOES: Final = Pattern(
    "(?:左右|钟)?(?:走|出发|动身|出门|去|过去|开始|开工|开搞|开干|开弄|集合|到)?"
    "(?:吧|嘛|哈|噻|了|,| |到|然后|再|大概|差不多)*"
)
_OVER: Final = Pattern(
    "(?:左右|钟)?(?:就|差不多|应该|能|要)*(?:[搞弄忙做办搬收整干打开逛吃]?(?:完|好|定|工|结束)|结束|回来?|回家|散|撤)"
    "(?:了|吧|嘛|哈|噻|事)*"
)


def _clocks_in(text: str, thing: KeptThing, where: Situation) -> str:
    """Begin and end of a future item, in a line of nothing else (那就下午三点走 五点搞完); empty for a line
    that says more."""
    if not thing.id or thing.repeats or thing.at is None or not thing.name:
        return ""
    times = parse(text, where.now, where.zone)
    if not 1 <= len(times) <= 2 or any(
        one.kind != "point" or one.invalid or len(one.spans) > 1 for one in times
    ):
        return ""
    said = [text[one.span[0] : one.span[1]] for one in times]
    if any(names_day(each) for each in said):
        return ""
    first, last = times[0], times[-1]
    settled = _SETTLES.match(text[: first.span[0]]) is not None
    today = where.now.date()
    gone = not text[: first.span[0]] and thing.at.date() > today and (first.date or today) > today
    between = text[first.span[1] : last.span[0]] if len(times) > 1 else text[first.span[1] :]
    if not (settled or (gone and len(times) > 1)) or _GOES.fullmatch(between) is None:
        return ""
    if len(times) == 1:
        return said[0]
    return "到".join(said) if _OVER.fullmatch(text[last.span[1] :]) else ""


def _clock_alone(text: str) -> tuple[int, int] | None:
    """Span of the clock time of a line that says nothing else (早上9点吧, 算了8点半): of what just got a time
    by default, and behind 算了 of whatever was just made."""
    called_off = _CALLS_OFF_FIRST.match(text)
    at = 0 if called_off is None else called_off.end()
    times = parse(text[at:], _SOME_DAY, ZoneInfo("Asia/Shanghai"))
    if len(times) != 1 or times[0].kind != "point" or times[0].start is None or len(times[0].spans) > 1:
        return None
    start, end = times[0].span
    alone = not start and not names_day(times[0].text) and only_trails(text[at:], end)
    return (at, at + end) if alone else None


_CALLS_OFF_FIRST: Final = Pattern("^(?:唉|哎|诶|欸|哦|噢|嗯)?算了(?:吧)?[ ,]*(?:还是|就|改成?)?")


def _clock_at(text: str) -> bool:
    """True for a time with nothing more behind it."""
    times = parse(text, _SOME_DAY, ZoneInfo("Asia/Shanghai"))
    return len(times) == 1 and times[0].span[0] == 0 and only_trails(text, times[0].span[1])


def _renames(text: str, names: str) -> bool:
    """True if a text is a new form of the name: shares a part of it and is no longer than a name."""
    name = _TAIL.sub("", text)
    if not 2 <= len(name) <= _NAME or not name.isalnum() or name == names or name in names:
        return False
    if parse(name, _SOME_DAY, ZoneInfo("Asia/Shanghai")):
        return False  # 打错了 公会战是周六: when it is
    if any(not word.classes.isdisjoint(_NO_NAME) and "team" not in word.classes for word in words_of(name)):
        return False
    near = name[0] in names or name[-1] == names[-1:]
    return shared(name, names) >= 2 or (near and len(name) <= len(names) + 2)
