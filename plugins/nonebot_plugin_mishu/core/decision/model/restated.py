"""A model's frame put into the rules' own words, so that the grammar gives the values. Pure.

{tasks, update_task, ref: 7, startTime: 十点} becomes 把给妈打电话改到十点, read as any line is, with the same
certainty, in a situation that holds only the things the frame names. A frame that the rules do not read so
stays the model's, unsure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from ....agents import AgentSpec
from ....agents.api.frame import refs_of
from ....language.books.questions import in_whole_words
from ....language.clause import Clause, KeptThing, Mention, Situation
from ....language.clauses.order_words import speaks_of_reminding
from ....language.entries.prices import said_by_head
from ....language.free_time import asks_who_is_free
from ....language.ledger.repayments.repaying import givings_in
from ....language.ledger.shares.participants import division_of, named_plainly, people_in
from ....language.polls.poll import OpenPoll
from ....language.polls.voices import option_told, says_none
from ....language.recognise.members import asks_of_all
from ....language.recognise.money import Amount
from ....language.recognise.times import names_day, parse
from ....language.text.lists import means_several, split_list
from ....language.timing.shifts import shift_in
from ..reading import Frame, MessageReading
from .reading import ModelReading
from .sources import MEMBER, SELF

Reads = Callable[[str, Situation, Sequence[AgentSpec]], MessageReading]
TIMES: Final = (
    *("dueDate", "dueDateFrom", "date", "new_time", "time", "timeSegment", "startTime", "remindAt"),
    *("endTime", "end", "segment", "recurrence"),
)
"""Slots with words of time."""
LENT: Final = "借"
GAVE_BACK: Final = "还"
"""In an item of a model's: money that was lent, or given back."""
NEARLY: Final = 0.8
"""Least probability of work in the rules' reading to ask about it against a model's "talk"."""
ORDERED: Final = 0.6
"""The same of work that is ordered in so many words (记一笔 昨天跟室友吃火锅 我付了218)."""
LIKE_TALK: Final = "像是闲聊"
_CHAT: Final = "chat"
_VOICE: Final = ("polls", "answer")
_NAMES: Final = ("title", "new_description", "description", "old_description", "name")


def keeps_rules(found: ModelReading, reading: MessageReading) -> bool:
    """True if the rules' reading is used instead of the model's: no frame of the model holds, it reads only
    talk in likely work, or it asks which thing is meant (the rules ask with a numbered list).

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


def restate_frame(
    frame: Frame, spec: AgentSpec, read: Reads, before: Situation, *, reminds: bool
) -> Frame | None:
    """The frame as the rules read it from a line in their own words, if they are sure; else None.

    Args:
        frame: the model's, checked.
        spec: its agent.
        read: the rules' reader.
        before: situation of the member's line.
        reminds: the member's line speaks of reminding.
    """
    refs = refs_of(frame.slots)
    if len(refs) > 1 and not means_several(frame.clause.text):
        return None  # one thing is said: which of these, its agent asks
    things = [each for each in before.things if each.agent == spec.code and each.id in refs]
    people = [each for each in before.members if each.name == frame.slots.get("member")]
    where = _narrowed(before, things, people) if things or people else before
    if (frame.agent_code, frame.intent) == _VOICE and frame.slots.get("poll"):
        where = replace(
            where, polls=tuple(each for each in where.polls if str(each.id) == frame.slots["poll"])
        )
    for line in _lines(frame, things, people, reminds=reminds):
        reading = read(line, where, [spec])
        own = [each for each in reading.frames if each.agent_code == spec.code]
        if len(own) != 1 or len(reading.frames) != 1 or own[0].intent != frame.intent or not own[0].sure:
            continue
        found = own[0]
        if not _same_poll(found, frame):
            continue
        if len(_own_sums(frame.clause)) > len(found.clause.amounts):
            continue  # 午饭35 打车20, of which a model named one sum
        if refs and found.match is not None and set(found.match.refs) != set(refs):
            found = replace(found, match=replace(found.match, refs=tuple(refs)))
        # No word of a member's says a voice: it is asked about before it counts.
        voice = (found.agent_code, found.intent) == _VOICE
        return replace(found, priority=frame.priority, sure=found.sure and not voice)
    return None


def _own_sums(clause: Clause) -> list[Amount]:
    """Sums of a line, without those that only say who bears what (一共96 他俩一人还我32)."""
    where = clause.situation
    spans = division_of(clause.text, where.mentions, where.people).spans
    return [
        each
        for each in clause.amounts
        if not any(start <= each.start and each.end <= end for start, end in spans)
    ]


def _same_poll(found: Frame, frame: Frame) -> bool:
    """True if the rules put a voice into the poll that the model named, if it named one."""
    meant = frame.slots.get("poll")
    return not meant or (found.agent_code, found.intent) != _VOICE or found.slots.get("poll") == meant


def restate_together(
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


def restate_list(frames: Sequence[Frame], spec: AgentSpec, read: Reads, before: Situation) -> Frame | None:
    """Several new tasks of the speaker's as one numbered list for one card; else None. Always sure: the model
    read how many things the line has."""
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
    calls = "提醒我" if slots.get("remindAt") or speaks_of_reminding(frame.clause.text) else ""
    return f"{_when(slots, frame.clause)}{calls}{name}" if name else ""


def _narrowed(where: Situation, things: Sequence[KeptThing], people: Sequence[Mention]) -> Situation:
    """The situation with only these things, shown last, and with these people mentioned."""
    if things:
        where = replace(where, things=tuple(things), shown=tuple(things), quoted=None)
    return replace(where, mentions=(*where.mentions, *people)) if people else where


@dataclass(frozen=True, slots=True)
class _FrameWords:
    """Words of a frame that its lines are made of; empty where the frame has none."""

    when: str
    name: str
    """Title of something new."""
    kept: str
    """Names of the kept things."""
    day: str
    """Old day of the kept things."""
    series: str
    """The same, of a repeated thing."""


def _lines(
    frame: Frame, things: Sequence[KeptThing], people: Sequence[Mention], *, reminds: bool
) -> list[str]:
    """The frame in lines of the rules' own words, the likeliest first."""
    slots, clause = frame.slots, frame.clause
    day = _day_meant(slots, clause)
    words = _FrameWords(
        _when(slots, clause),
        next((str(slots[each]) for each in _NAMES if slots.get(each)), ""),
        "和".join(thing.name for thing in things),
        day,
        day if any(thing.repeats for thing in things) else "",
    )
    match frame.agent_code, frame.intent:
        case "tasks", "create_task" if words.name and (words.when or not reminds):
            return _new_task_lines(slots, words, people[0].name if people else "", reminds=reminds)
        case "tasks", "query_tasks" if things or asks_of_all(clause.text):
            return [f"谁{words.when}的任务还没做完"]
        case "tasks", "query_tasks":
            return [f"我{words.when}有什么任务"]
        case "tasks", _ if words.kept:
            return _kept_task_lines(frame, words, things)
        case "schedule", "add" if words.name and words.when:
            return _new_schedule_lines(slots, words)
        case "schedule", "query" if asks_who_is_free(clause.text) and (words.when or words.day):
            return [f"{words.when or words.day}大家谁有空"]
        case "schedule", "query":
            return [f"群里{words.when or words.day}有什么日程"]
        case "schedule", _ if words.kept:
            return _kept_schedule_lines(frame, words)
        case "bookkeeping", "record" if slots.get("amount"):
            return _sums(slots, clause)
        case "bookkeeping", "query" if slots.get("period") or slots.get("about"):
            return in_whole_words(str(slots.get("about") or ""), str(slots.get("period") or ""))
        case "polls", "answer":
            return _voices(slots, clause.situation.polls)
        case "record", intent:
            return _fact_lines(intent, slots)
        case _:
            return []


def _new_task_lines(slots: Mapping[str, Any], words: _FrameWords, whom: str, *, reminds: bool) -> list[str]:
    when, name = words.when, words.name
    if whom or reminds or "remindAt" in slots:
        return [f"提醒{whom or '我'}{when}{name}", f"{when}提醒{whom or '我'}{name}"]
    return [f"记个任务：{when}{name}", f"记个待办 {name} {when}"]


def _kept_task_lines(frame: Frame, words: _FrameWords, things: Sequence[KeptThing]) -> list[str]:
    when, kept, series = words.when, words.kept, words.series
    match frame.intent:
        case "update_task" if to := _handed_to(frame.slots, things):
            return [f"把{kept}改成{when}提醒{to}", f"把{kept}交给{to}"]
        case "update_task" if when and _is_a_shift(when, frame.clause):
            return [f"{kept}{when}", f"把{kept}{when}"]
        case "update_task" if when:
            return [f"把{kept}改到{when}", f"把{kept}的任务改到{when}", f"{kept}改到{when}"]
        case "delete_task" if series:
            return [f"取消{series}的{kept}", f"{series}的{kept}不用提醒了"]
        case "delete_task":
            return [f"删掉任务{kept}", f"把{kept}的任务删掉", f"{kept}不用提醒了"]
        case "complete_task":
            return [f"{kept}做完了", f"完成任务{kept}"]
        case _:
            return []


def _new_schedule_lines(slots: Mapping[str, Any], words: _FrameWords) -> list[str]:
    when, name, place = words.when, words.name, str(slots.get("place") or "")
    if place and place not in name:
        return [f"群日程：{when}{name}，在{place}", f"群日程：{when}{name}，地点{place}"]
    return [f"{when} {name} 记到群日程", f"群日程：{when}{name}"]


def _kept_schedule_lines(frame: Frame, words: _FrameWords) -> list[str]:
    slots, when, kept, series = frame.slots, words.when, words.kept, words.series
    match frame.intent:
        case "edit" if place := str(slots.get("place") or ""):
            if when:
                return [f"把{kept}改到{when}，地点改成{place}"]
            return [f"{kept}地点改成{place}", f"{kept}换到{place}"]
        case "edit" if when and series and names_day(str(slots.get("old_time") or "")):
            return [f"把{series}的{kept}改到{when}", f"{series}的{kept}改到{when}"]
        case "edit" if when and _is_a_shift(when, frame.clause):
            return [f"{kept}{when}", f"把{kept}{when}"]
        case "edit" if when:
            return [f"把{kept}改到{when}", f"日程{kept}改到{when}"]
        case "delete" if series:
            return [f"取消{series}的{kept}", f"把{series}的{kept}取消掉"]
        case "delete":
            return [f"取消日程{kept}", f"把{kept}取消掉", f"取消{kept}"]
        case _:
            return []


def _fact_lines(intent: str, slots: Mapping[str, Any]) -> list[str]:
    """Lines about a fact of the group; none for one meant by its id, which no words of a line name."""
    if refs_of(slots):
        return []
    words, fact = slots.get("words"), slots.get("fact")
    lines = {
        "find": words and f"谁说过{words}",
        "remember": fact and f"记住：{fact}",
        "forget": fact and f"忘掉{fact}",
        "fact": fact and f"{fact}是什么",
    }
    line = lines.get(intent)
    return [line] if line else []


def _voices(slots: Mapping[str, Any], polls: Sequence[OpenPoll]) -> list[str]:
    """A voice in an open poll in plain words, of whoever it is: 帮小红报名, 要2份, 选周六."""
    meant = [each for each in polls if not each.closed and slots.get("poll", str(each.id)) == str(each.id)]
    if not meant:
        return []
    poll = max(meant, key=lambda each: each.touched_at)
    choice, count = option_told(str(slots.get("choice") or ""), poll), str(slots.get("count") or "")
    whose = str(slots.get(MEMBER) or "")
    whose = "" if whose in SELF else whose
    if poll.form != "vote" and says_none(count):
        out = "退出" if poll.form == "signup" else "不要"
        return [f"帮{whose}{out}" if whose else out]
    match poll.form:
        case "vote":
            return [f"帮{whose}选{choice}" if whose else f"选{choice}"] if choice in poll.options else []
        case "signup":
            return [f"帮{whose}报名" if whose else f"+{count or 1}"] if not choice else []
        case "count":
            wants = f"帮{whose}要{count}" if whose else f"要{count}"
            return [f"{wants}份", wants] if count else []


def said_of_card(slots: Mapping[str, Any]) -> str:
    """What a model says is otherwise on an open card, in the rules' words: 改到礼拜六，地点改成奥体中心."""
    values = {name: str(value) for name, value in slots.items() if isinstance(value, str) and value}
    when = "".join(dict.fromkeys(values[each] for each in TIMES if each in values))
    name = next((values[each] for each in _NAMES if each in values), "")
    told = (("改到", when), ("名字改成", name), ("地点改成", values.get("place", "")))
    return "，".join(f"{put}{value}" for put, value in told if value)


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
    people = split_list(sharers)
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
    """Words of the kept thing's old day: the frame's, else the line's own; empty if neither names one. Of a
    repeated thing they mean that one time, never the whole series."""
    said = str(slots.get("old_time") or "")
    if names_day(said):
        return said
    days = [one.text for one in clause.times if one.recurrence is None and names_day(one.text)]
    return days[0] if len(days) == 1 else ""


def _day_before(words: Sequence[str], clause: Clause) -> str:
    """Day that a clock takes from earlier words of the line (明天上午10点来访，下午3点预算会); empty if the
    words name a day, or mean the same day without the line."""
    if not words or any(names_day(word) for word in words):
        return ""
    where = clause.situation
    for said in clause.times:
        alone = parse(said.text, where.now, where.zone) if said.text in words else []
        if alone and said.date is not None and said.date != alone[0].date:
            return f"{said.date.month}月{said.date.day}日"
    return ""
