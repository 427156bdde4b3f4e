"""A model's frame said again in the rules' own words, so that the grammar gives the values. Pure.

{tasks, update_task, ref: 7, startTime: 十点} becomes 把给妈打电话改到十点, heard where nothing is kept but
what the frame names, and read as any line is, with the same certainty. What the rules do not read so
stays the model's frame, unsure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from ....agents import AgentSpec
from ....agents.api.frame import refs_of
from ....language.books.questions import in_whole_words
from ....language.clause import Clause, KeptThing, Mention, Situation
from ....language.entries.prices import said_by_head
from ....language.ledger.repayments.repaying import givings_in
from ....language.ledger.shares.participants import division_of, named_plainly, people_in
from ....language.recognise.times import names_day, parse
from ....language.timing.shifts import shift_in
from ....patterns import Pattern
from ..reading import Frame, MessageReading
from .reading import ModelReading
from .sources import MEMBER, SELF

Reads = Callable[[str, Situation, Sequence[AgentSpec]], MessageReading]
TIMES: Final = (
    *("dueDate", "dueDateFrom", "date", "new_time", "time", "timeSegment", "startTime", "remindAt"),
    *("endTime", "end", "segment", "recurrence"),
)
"""Slots with words of time."""
REMINDS: Final = Pattern("提醒|叫我|喊我|叫一下|别忘|闹钟|remind")
SEVERAL: Final = Pattern("[都俩两仨全和跟与、，]|所有|那些|这些|几个|三[个条件样]|还有")
LENT: Final = "借"
GAVE_BACK: Final = "还"
"""In an item of a model's: money that was lent, or given back."""
NEARLY: Final = 0.8
"""Least probability of work in the rules' reading to ask about it against a model's "talk"."""
ORDERED: Final = 0.6
"""The same of work that is ordered in so many words (记一笔 昨天跟室友吃火锅 我付了218)."""
LIKE_TALK: Final = "像是闲聊"
_CHAT: Final = "chat"
_AND: Final = Pattern("还有|以及|[、，,和跟与及 ]+")
_NAMES: Final = ("title", "new_description", "description", "old_description", "name")


def never_worse(found: ModelReading, reading: MessageReading) -> bool:
    """True if the rules' reading is kept: no frame of the model's holds, or it reads only talk in what the
    rules are nearly sure is work or in which one of several things is unclear, or it would ask which of
    several things is meant (the rules ask with a numbered list).

    Talk that was asked about and answered is talk: what the rules only guessed at is not put in its place.
    """
    if found.bound:
        return False
    if found.clarify:
        return any(frame.match is not None and len(frame.match.refs) > 1 for frame in reading.frames)
    if not found.frames:
        return found.refused > 0
    if any(frame.agent_code != _CHAT for frame in found.frames):
        return False
    return any(
        frame.match is not None
        and (frame.match.weight > 1 or frame.match.refs)
        and frame.match.why != LIKE_TALK
        and (frame.probability >= _nearly(frame.match.weight) or len(frame.match.refs) > 1)
        for frame in reading.frames
        if frame.agent_code != _CHAT
    )


def _nearly(weight: int) -> float:
    """Probability of work needed against a model's "talk", by the weight of its match."""
    return ORDERED if weight > 2 else NEARLY


def restated(frame: Frame, spec: AgentSpec, read: Reads, before: Situation, *, reminds: bool) -> Frame | None:
    """The frame as the rules read it when it is said in their words, sure of every word; else None.

    `reminds`: the line speaks of reminding.
    """
    refs = refs_of(frame.slots)
    if len(refs) > 1 and SEVERAL.search(frame.clause.text) is None:
        return None  # one thing is said: which of these, its agent asks
    things = [each for each in before.things if each.agent == spec.code and each.id in refs]
    people = [each for each in before.members if each.name == frame.slots.get("member")]
    where = _narrowed(before, things, people) if things or people else before
    for line in _lines(frame, things, people, reminds=reminds):
        reading = read(line, where, [spec])
        own = [each for each in reading.frames if each.agent_code == spec.code]
        if len(own) != 1 or len(reading.frames) != 1 or own[0].intent != frame.intent or not own[0].sure:
            continue
        found = own[0]
        if len(frame.clause.amounts) > len(found.clause.amounts):
            continue  # 午饭35 打车20, of which a model named one sum
        if refs and found.match is not None and set(found.match.refs) != set(refs):
            found = replace(found, match=replace(found.match, refs=tuple(refs)))
        return replace(found, priority=frame.priority)
    return None


def restated_together(
    frames: Sequence[Frame], spec: AgentSpec, read: Reads, before: Situation
) -> Frame | None:
    """Several frames of one intent as one line that the rules are sure of; else None.

    Sums of one line go on one card also where the rules are not sure of them: the card shows them all."""
    lines = [_lines(frame, (), (), reminds=False) for frame in frames]
    if not all(lines):
        return None
    reading = read("；".join(each[0] for each in lines), before, [spec])
    own = reading.frames[0]
    if len(reading.frames) != 1 or (own.agent_code, own.intent) != (spec.code, frames[0].intent):
        return None
    made = own.slots.get("items")
    items = len(cast("list[object]", made)) if isinstance(made, list) else 0
    fewer = isinstance(made, list) and 0 < items < len(frames)  # a sum was left out
    return own if not fewer and (own.sure or items == len(frames)) else None


def restated_list(frames: Sequence[Frame], spec: AgentSpec, read: Reads, before: Situation) -> Frame | None:
    """Several new tasks of the speaker's as one numbered list, which goes on one card; else None. Sure as the
    rules are of the list: that there are so many things in the line is what the model read."""
    if (spec.code, frames[0].intent) != ("tasks", "create_task"):
        return None
    if any(frame.slots.get("member") or frame.slots.get("recurrence") for frame in frames):
        return None
    items = [_item(frame) for frame in frames]
    if not all(items) or len(set(items)) < len(items):
        return None
    line = f"{len(items)}个任务：{' '.join(f'{n}.{item}' for n, item in enumerate(items, 1))}"
    reading = read(line, replace(before, things=(), shown=()), [spec])
    own = reading.frames[0]
    made = own.slots.get("items")
    if len(reading.frames) != 1 or own.intent != "create_task" or not isinstance(made, list):
        return None
    return replace(own, sure=True) if len(cast("list[object]", made)) == len(frames) else None


def _item(frame: Frame) -> str:
    """A new task in one piece: when, a call where one is ordered, and what."""
    slots = frame.slots
    name = str(slots.get("title") or "")
    calls = "提醒我" if slots.get("remindAt") or REMINDS.search(frame.clause.text) else ""
    return f"{_when(slots, frame.clause)}{calls}{name}" if name else ""


def _narrowed(where: Situation, things: Sequence[KeptThing], people: Sequence[Mention]) -> Situation:
    """Nothing is kept but what is named, and it was spoken of last."""
    if things:
        where = replace(where, things=tuple(things), shown=tuple(things), quoted=None)
    return replace(where, mentions=(*where.mentions, *people)) if people else where


def _lines(
    frame: Frame, things: Sequence[KeptThing], people: Sequence[Mention], *, reminds: bool
) -> list[str]:
    slots = frame.slots
    when = _when(slots, frame.clause)
    name = next((str(slots[each]) for each in _NAMES if slots.get(each)), "")
    whom = people[0].name if people else ""
    kept = "和".join(thing.name for thing in things)
    day = _day_meant(slots, frame.clause)
    series = day if any(thing.repeats for thing in things) else ""
    match frame.agent_code, frame.intent:
        case "tasks", "create_task" if name and (when or not reminds):
            if whom or reminds or "remindAt" in slots:
                return [f"提醒{whom or '我'}{when}{name}", f"{when}提醒{whom or '我'}{name}"]
            return [f"记个任务：{when}{name}", f"记个待办 {name} {when}"]
        case "tasks", "update_task" if kept and (to := _handed_to(slots, things)):
            return [f"把{kept}改成{when}提醒{to}", f"把{kept}交给{to}"]
        case "tasks", "update_task" if kept and when and _is_a_shift(when, frame.clause):
            return [f"{kept}{when}", f"把{kept}{when}"]
        case "tasks", "update_task" if kept and when:
            return [f"把{kept}改到{when}", f"把{kept}的任务改到{when}", f"{kept}改到{when}"]
        case "tasks", "delete_task" if kept and series:
            return [f"取消{series}的{kept}", f"{series}的{kept}不用提醒了"]
        case "tasks", "delete_task" if kept:
            return [f"删掉任务{kept}", f"把{kept}的任务删掉", f"{kept}不用提醒了"]
        case "tasks", "complete_task" if kept:
            return [f"{kept}做完了", f"完成任务{kept}"]
        case "schedule", "add" if name and when:
            place = str(slots.get("place") or "")
            place = "" if place in name else place
            if place:
                return [f"群日程：{when}{name}，在{place}", f"群日程：{when}{name}，地点{place}"]
            return [f"{when} {name} 记到群日程", f"群日程：{when}{name}"]
        case "schedule", "edit" if kept and slots.get("place"):
            place = str(slots["place"])
            moved = [f"把{kept}改到{when}，地点改成{place}"] if when else []
            return [*moved, *([] if when else [f"{kept}地点改成{place}", f"{kept}换到{place}"])]
        case "schedule", "edit" if kept and when and series and names_day(str(slots.get("old_time") or "")):
            return [f"把{series}的{kept}改到{when}", f"{series}的{kept}改到{when}"]
        case "schedule", "edit" if kept and when and _is_a_shift(when, frame.clause):
            return [f"{kept}{when}", f"把{kept}{when}"]
        case "schedule", "edit" if kept and when:
            return [f"把{kept}改到{when}", f"日程{kept}改到{when}"]
        case "schedule", "delete" if kept and series:
            return [f"取消{series}的{kept}", f"把{series}的{kept}取消掉"]
        case "schedule", "delete" if kept:
            return [f"取消日程{kept}", f"把{kept}取消掉", f"取消{kept}"]
        case "schedule", "query":
            return [f"群里{when or day}有什么日程"]
        case "tasks", "query_tasks":
            return [f"我{when}有什么任务"]
        case "bookkeeping", "record" if slots.get("amount"):
            return _sums(slots, frame.clause)
        case "bookkeeping", "query" if slots.get("period") or slots.get("about"):
            return in_whole_words(str(slots.get("about") or ""), str(slots.get("period") or ""))
        case "record", _ if refs_of(slots):
            return []  # the fact that is meant is named by its id, which no words of a line do
        case "record", "find" if slots.get("words"):
            return [f"谁说过{slots['words']}"]
        case "record", "remember" if slots.get("fact"):
            return [f"记住：{slots['fact']}"]
        case "record", "forget" if slots.get("fact"):
            return [f"忘掉{slots['fact']}"]
        case "record", "fact" if slots.get("fact"):
            return [f"{slots['fact']}是什么"]
        case _:
            return []


def _is_a_shift(when: str, clause: Clause) -> bool:
    """True if words of a new time name none, only by how much it moves (推一个小时)."""
    where = clause.situation
    return not parse(when, where.now, where.zone) and shift_in(when) is not None


def _handed_to(slots: Mapping[str, Any], things: Sequence[KeptThing]) -> str:
    """New assignee of a kept thing; empty if the frame names nobody, or the owner."""
    member = str(slots.get(MEMBER) or "")
    return "" if all(thing.owner == member for thing in things) else member


def _sums(slots: Mapping[str, Any], clause: Clause) -> list[str]:
    """A sum with its item, day, payer and sharers in plain words of the books."""
    item, amount = str(slots.get("item") or ""), str(slots["amount"])
    day, payer, sharers = (str(slots.get(each) or "") for each in ("date", "payer", "sharers"))
    day = day if names_day(day) else ""  # 这个月 is no day
    where = clause.situation
    sharers = named_plainly(sharers, clause.text, where.mentions, where.members) if sharers else ""
    people = [each for each in _AND.split(sharers) if each]
    divided = division_of(clause.text, where.mentions, where.people)
    if len(people) == 1 and not divided.divides:
        back = GAVE_BACK in item and people_in(people[0]) is None
        if payer in SELF and people[0] not in SELF and (back or _is_one(people[0], where)):
            return [f"{day}{_between(item, clause, amount, people[0])}"]
        if payer not in SELF and people[0] in SELF:
            return [f"{day}{_from(item, clause, amount, payer)}"]
    line = f"{day}{item}{amount}"
    if payer and payer not in SELF:
        line += f"，{payer}付的"
    guests = {guest.text for guest in divided.guests}
    people = [each for each in people if each.lower() not in guests]
    each = said_by_head(amount)
    if each is not None and len(people) > 1:  # 一人22, of two: beside other sums it would be a part of these
        line = line.replace(amount, f"{each * len(people):f}", 1)
    if people:
        line += f"，{'、'.join(people)}平摊"
    weights = [f"{part.who.text}{part.value}份" for part in divided.parts if part.kind == "weight"]
    return [" ".join([line, *weights])] if people else [line]


def _is_one(name: str, where: Situation) -> bool:
    """True if the name is one member's (三个人 is not)."""
    return any(each.name == name.lstrip("@") for each in (*where.members, *where.mentions))


def _between(item: str, clause: Clause, amount: str, other: str) -> str:
    """Payment of the speaker's to one other member: lent, given back, sent, or paid for them."""
    where, said = clause.situation, clause.text
    if LENT in item:
        return f"借给{other}{amount}"
    if GAVE_BACK in item or (GAVE_BACK in said and not item):
        return f"还了{other}{amount}"
    if not item and any(each.mine for each in givings_in(said, where.mentions, where.members)):
        return f"转给{other}{amount}"
    return f"帮{other}垫了{item}{amount}"


def _from(item: str, clause: Clause, amount: str, other: str) -> str:
    """Payment of another member's to the speaker: lent, given back, sent, or paid for them."""
    where, said = clause.situation, clause.text
    if LENT in item:
        return f"跟{other}借了{amount}"
    if GAVE_BACK in item or (GAVE_BACK in said and not item):
        return f"{other}还了我{amount}"
    if not item and any(not each.mine for each in givings_in(said, where.mentions, where.members)):
        return f"{other}转给我{amount}"
    return f"{other}帮我垫了{item}{amount}"


def _when(slots: Mapping[str, Any], clause: Clause) -> str:
    """Words of time in spoken order, none inside another."""
    words = list(dict.fromkeys(str(slots[each]) for each in TIMES if slots.get(each)))
    words = [word for word in words if not any(word != other and word in other for other in words)]
    line = clause.text
    words.sort(key=lambda word: line.find(word) if word in line else len(line))
    if day := _day_before(words, clause):
        words.insert(0, day)
    end = str(slots.get("endTime") or slots.get("end") or "")
    if len(words) > 1 and end in words[1:] and end != words[0]:
        words.remove(end)
        return f"{''.join(words)}到{end}"
    return "".join(words)


def _day_meant(slots: Mapping[str, Any], clause: Clause) -> str:
    """The words that say of which day the kept thing is meant: a frame's, else the line's own; empty where
    neither names a day. Of what repeats it is that one time, and never all of it."""
    said = str(slots.get("old_time") or "")
    if names_day(said):
        return said
    days = [one.text for one in clause.times if one.recurrence is None and names_day(one.text)]
    return days[0] if len(days) == 1 else ""


def _day_before(words: Sequence[str], clause: Clause) -> str:
    """The day of a clock that has it from what was said before it (明天上午10点来访，下午3点预算会); empty
    where the words say a day themselves, or mean by themselves what they mean there."""
    if not words or any(names_day(word) for word in words):
        return ""
    where = clause.situation
    for said in clause.times:
        alone = parse(said.text, where.now, where.zone) if said.text in words else []
        if alone and said.date is not None and said.date != alone[0].date:
            return f"{said.date.month}月{said.date.day}日"
    return ""
