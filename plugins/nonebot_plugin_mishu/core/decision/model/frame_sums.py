"""Check of a model's sums against the sums of the line: each is booked once. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any, Final, cast

from ....agents.api.frame import SlotFrame
from ....language.ledger.item_parts import item_parts
from ....language.ledger.shares.participants import division_of
from ....language.mood import is_still_to_do
from ....language.recognise.money import find_amounts
from ....language.recognise.times import names_day
from ..reading import Frame

AMOUNT: Final = "amount"
ITEM: Final = "item"
_RECORD: Final = ("bookkeeping", "record")
_TASK: Final = ("tasks", "create_task")
_MARKS: Final = str.maketrans("，、;；", ",,,,")


def sums_in(text: str) -> list[Decimal]:
    """Amounts of a text, in order; a bare number is one."""
    found = [each.yuan for each in find_amounts(text)]
    if found:
        return found
    plain = text.strip().lstrip("¥￥").rstrip("元块钱 ")
    return [Decimal(plain)] if plain.replace(".", "", 1).isdecimal() and plain.isascii() else []


def apart(slots: Mapping[str, str]) -> list[dict[str, str]]:
    """The slots of each of several items that were put into one frame (午饭,打车 and 35,20); themselves where
    they are of one."""
    items, amounts = _listed(slots.get(ITEM, "")), _listed(slots.get(AMOUNT, ""))
    if len(amounts) < 2 or len(items) != len(amounts) or not all(map(sums_in, amounts)):
        return [dict(slots)]
    days = _listed(slots.get("date", ""))
    each_day = days if len(days) == len(items) else [slots.get("date", "")] * len(items)
    rest = {name: value for name, value in slots.items() if name not in (ITEM, AMOUNT, "date")}
    return [
        {**rest, ITEM: item, AMOUNT: amount, **({"date": day} if day else {})}
        for item, amount, day in zip(items, amounts, each_day, strict=True)
    ]


def _listed(value: str) -> list[str]:
    return [each.strip() for each in value.translate(_MARKS).split(",") if each.strip()]


def booked(frames: Sequence[Frame], rules: Sequence[Frame]) -> list[Frame]:
    """Frames without sums booked twice, with the rules' day and item of each sum; a frame of the rules in
    place of one with no more in it."""
    records = [frame for frame in frames if (frame.agent_code, frame.intent) == _RECORD]
    theirs = next((each for each in rules if (each.agent_code, each.intent) == _RECORD), None)
    if theirs is None and records and (task := _still_to_do(records, rules)) is not None:
        return [task if frame is records[0] else frame for frame in frames if not _among(frame, records[1:])]
    known = _items(theirs) if theirs is not None else []
    if theirs is None or not records or not known:
        return list(frames)
    kept = _once(records, known)
    if _says_the_same(kept, theirs, known):
        one = replace(theirs, priority=records[0].priority)
        return [one if frame is records[0] else frame for frame in frames if not _among(frame, records[1:])]
    found: list[Frame] = []
    for frame in frames:
        if not _among(frame, records):
            found.append(frame)
        elif _among(frame, kept):
            found.append(_dated(frame, known, theirs))
    return found


def _still_to_do(records: Sequence[Frame], rules: Sequence[Frame]) -> Frame | None:
    """Task frame by the rules, in place of a model's record of a sum still to be given back
    (别忘了还小红30)."""
    task = next((each for each in rules if (each.agent_code, each.intent) == _TASK), None)
    return task if task is not None and is_still_to_do(task.clause.text) and len(records) == 1 else None


def _among(frame: Frame, frames: Sequence[Frame]) -> bool:
    """True if the frame is one of these by identity."""
    return any(frame is each for each in frames)


def _items(frame: Frame) -> list[Mapping[str, Any]]:
    items: object = frame.slots.get("items")
    return cast("list[Mapping[str, Any]]", items) if isinstance(items, list) else []


def _sum_of(frame: Frame) -> Decimal | None:
    sums = sums_in(str(frame.slots.get(AMOUNT) or ""))
    return sums[0] if len(sums) == 1 else None


def _once(records: Sequence[Frame], known: Sequence[Mapping[str, Any]]) -> list[Frame]:
    """Frames with each sum at most as often as the line has it, and none without a sum if all sums are there.
    Of two, the frame whose item the line names stays."""
    said = Counter(Decimal(str(each["amount"])) for each in known)
    kept: list[Frame] = []
    for frame in sorted(records, key=lambda each: not each.slots.get(ITEM)):
        of = _sum_of(frame)
        if of is not None and of in said and not said[of]:
            continue
        if of is None and not frame.slots.get(ITEM) and not +said:
            continue
        if of is not None and of in said:
            said[of] -= 1
        kept.append(frame)
    return [frame for frame in records if _among(frame, kept)]


def _says_the_same(kept: Sequence[Frame], theirs: Frame, known: Sequence[Mapping[str, Any]]) -> bool:
    """True if the sums are equal and no item has another name: the rules also have the date and the
    sharers."""
    sums = [_sum_of(frame) for frame in kept]
    if not any(sum_ is not None for sum_ in sums):
        return not any(frame.slots.get(ITEM) for frame in kept)
    if Counter(sums) != Counter(Decimal(str(each["amount"])) for each in known):
        return False
    told = [str(frame.slots.get(name) or "") for frame in kept for name in ("date", "payer", "sharers")]
    text, where = theirs.clause.text, theirs.clause.situation
    if any(value and value not in text for value in told):
        return False
    parts = item_parts(text, where.mentions, where.people) or (text,)
    divisions = [division_of(part, where.mentions, where.people) for part in parts]
    if any(frame.slots.get("sharers") for frame in kept) and not any(each.divides for each in divisions):
        return False  # 我跟她还有阿宽一块儿吃的
    named = {who.text for each in divisions for who in (*each.people, each.payer) if who is not None}
    members = {one.name for one in (*where.members, *where.mentions)}
    shared = [str(frame.slots.get("sharers") or "") for frame in kept]
    if any(name in value for name in members - named for value in shared):
        return False  # 火锅我来 260 小红那半回头给我
    payers = {each.payer.text for each in divisions if each.payer is not None and not each.payer.me}
    theirs_paid = {str(frame.slots.get("payer") or "") for frame in kept} - {"", "我", "自己", "本人"}
    if theirs_paid - payers:
        return False  # 回来老猫叫的车六十
    names = {str(each["amount"]): str(each.get("description") or "") for each in known}
    return all(
        any(_same_thing(str(frame.slots.get(ITEM) or ""), name, text) for name in _of(frame, known, names))
        for frame in kept
    )


def _of(frame: Frame, known: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> list[str]:
    return [names[str(each["amount"])] for each in known if Decimal(str(each["amount"])) == _sum_of(frame)]


def _same_thing(item: str, name: str, text: str) -> bool:
    return not item or item in name or (bool(name) and name in item and name in text)


def _dated(frame: Frame, known: Sequence[Mapping[str, Any]], theirs: Frame) -> Frame:
    """The frame with the date and item that the rules read for its sum."""
    of = _sum_of(frame)
    same = [each for each in known if of is not None and Decimal(str(each["amount"])) == of]
    if len(same) != 1:
        return frame
    slots = dict(frame.slots)
    if not slots.get(ITEM) and same[0].get("description"):
        slots[ITEM] = same[0]["description"]
    day = date.fromisoformat(str(same[0]["date"])) if same[0].get("date") else None
    today = theirs.clause.situation.now.date()
    if day is not None and day != today and not names_day(str(slots.get("date") or "")):
        words = [each.text for each in theirs.clause.times if each.date == day and names_day(each.text)]
        slots["date"] = words[0] if words else f"{day.month}月{day.day}日"
    return frame if slots == dict(frame.slots) else replace(frame, read=SlotFrame(slots))
