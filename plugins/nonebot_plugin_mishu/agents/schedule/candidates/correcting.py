"""Reader of a line about an open card: yes, no or change. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from ....language import Act, Question, answer, behind_consent, mood_of
from ....language.cards.pointed import Pointed
from ....language.clause import Clause, Situation
from ....language.names.meeting_places import met_at
from ....language.names.naming import extract_title
from ....language.names.referents import shared
from ....language.recognise.item_numbers import ordinals
from ....language.repairs.canonical import canonical
from ....language.schedule_phrases import leads_in, split_place, takes_a_portion
from ....language.text.fold import fold
from ....language.timing.other_time import names_another_time
from ....language.timing.reminder_leads import says_only_a_lead
from ....language.timing.stored_length import kept_length
from ....patterns import Pattern
from ....storage.schedules.records import WALL
from ...routing import Routed, route
from ..answering import fill, fills, half, picked
from ..model.grounding import ModelEntry, refined
from .candidate import Candidate
from .machine import CheckedIntent
from .reading import clause_of

_CORRECTS: Final = Pattern("不是|改|应该|换|挪|延|其实|是在|推迟|提前|地点|而是|才对|错了|不过|但")
_SAYS_OTHERWISE: Final = Pattern("不是|改|应该|换|挪|延[到至后期]|其实|是在|推迟|地点|而是|才对|错了")
"""Markers of a correction with any other words; 提前 and 但 need a word of the card"""
_SEVERAL: Final = 2


def check_locally(text: str, situation: Situation, candidates: Sequence[Candidate]) -> CheckedIntent:
    """`check_intent` by local rules, for lines left by triage."""
    clause = _clause(text, situation)
    told = behind_consent(clause.text)
    if candidates and leads_in(told) and says_only_a_lead(told) and not asked_of(candidates).grave:
        return "edit"
    said = answer(text, asked_of(candidates))
    if said.refuses:
        return "deny"
    if said.kind == "yes":
        return "confirm"
    if any(each.problem is not None and _answers(each, clause) for each in candidates):
        return "edit"
    if not asked_of(candidates).grave and len(_each_own(clause, candidates)) > 1:
        return "edit"
    if _guesses(clause) or takes_a_portion(clause.text):
        return "irrelevant"
    if not asked_of(candidates).grave and _tells_the_end(clause, candidates):
        return "edit"
    if all(_of_another_time(each, clause) for each in candidates):
        return "irrelevant"
    if _orders_another(clause, candidates) or asked_of(candidates).grave:
        return "irrelevant"  # 这周六加班 不是 我说笑的: no edit here, and only a yes deletes
    if clause.times:
        rest = re.sub(
            "[\\W]|改|成|到|是|应该|不|要|在|[吧啊的对嗯好那就哈呗嘛呢哦噢嘞啦咯噻呀了]",
            "",
            extract_title(text, clause.times),
        )
        if not rest or _SAYS_OTHERWISE.search(text) or split_place(rest)[1]:
            return "edit"
        names = [name for each in candidates for name in (each.new_description, each.old_description) if name]
        about = any(shared(rest, name) for name in names)
        return "edit" if about and _CORRECTS.search(text) else "irrelevant"
    return "edit" if any(_differs(refined(each, None, clause), each) for each in candidates) else "irrelevant"


def _tells_the_end(clause: Clause, candidates: Sequence[Candidate]) -> bool:
    """True for a new end (打到九点) of a card's one item with a clock, unless another is named."""
    told = kept_length(clause)
    if told is None or not told.closes or len(candidates) != 1:
        return False
    name = candidates[0].new_description or candidates[0].old_description
    when = candidates[0].when
    return when is not None and not when.segment and (not told.head or shared(told.head, name) > 0)


def _guesses(clause: Clause) -> bool:
    """True for a possibility or condition (剧本杀八成改到周日, 不行就改到三点), which is no edit. 应该是三点
    is a correction."""
    said = clause.text.lstrip("不对, ")
    for word in _OUGHT:
        if said.startswith(word):
            at = clause.text.index(word) + len(word)
            clause = clause.part(at, len(clause.text))
            break
    mood = mood_of(clause.text, "change", clause.times, clause.amounts)
    return mood.kind == "condition" or (mood.modality == "may" and mood.polarity == "plus")


_OUGHT: Final = ("应该是", "应当是", "应该", "应当")


def _clause(text: str, situation: Situation) -> Clause:
    """Clause of the normalised line."""
    return clause_of(canonical(fold(text)).text, situation)


def _of_another_time(candidate: Candidate, clause: Clause) -> bool:
    """True for another time than the card's (12月7号的挪到周二, card of every Monday)."""
    when = candidate.when
    if when is None or not when.start:
        return False
    begins = datetime.strptime(when.start, WALL)
    clock = None if when.segment else begins.time()
    return names_another_time(
        clause, begins.date(), clock, when.segment or None, repeats=when.recurrence is not None
    )


def asked_of(candidates: Sequence[Candidate]) -> Question:
    """Question of a card with these candidates."""
    intents = {each.intent for each in candidates}
    act: Act = "delete" if "delete" in intents else "change" if intents == {"edit"} else "make"
    names = [name for each in candidates for name in (each.new_description, each.old_description) if name]
    said = _ASKED if act == "delete" else ""
    about = tuple(names) if len(candidates) == 1 else ()
    return Question(act, said=said, about=about, behind_nod=True)


_ASKED: Final = "取消"
"""Delete verb of the card's question; repeated after a nod it is a yes (要得 取消嘛)"""


def called_on(words: str, pending: Sequence[tuple[int, Candidate]]) -> Pointed:
    """Item of the card named by the words, in full or by a unique part (就记聚餐)."""
    name = words.strip().removesuffix("的")
    found = [number for number, each in pending if len(name) > 1 and name in each.new_description]
    return Pointed(tuple(found)) if len(found) == 1 else Pointed(which=len(found) > 1)


def may_confirm(text: str, candidates: Sequence[Candidate]) -> bool:
    """False if a deletion lacks an explicit yes, whatever a model reads."""
    asked = asked_of(candidates)
    return not asked.grave or answer(text, asked).kind == "yes"


def _orders_another(clause: Clause, candidates: Sequence[Candidate]) -> bool:
    """True if the line is a separate order: another act than the deletion asked about (要取消…吗？
    下下周例会改成周四), or another stored thing."""
    routed = route(clause)
    if routed is None or routed.nameless or routed.act == "join":
        return False
    if routed.act == "query":
        return True
    kept = mood_of(clause.text, "delete", clause.times, clause.amounts).polarity == "minus"
    if routed.act == "delete" and clause.times and all(each.intent != "delete" for each in candidates):
        return not kept  # 没取消，改到下午三点 is about the card
    if routed.act == "make" and _makes_another(routed, clause, candidates):
        return True
    if all(each.intent == "delete" for each in candidates):
        return routed.act != "delete"
    if not routed.sure:
        return False
    if routed.meant is None or not routed.meant.clear:
        return False
    names = [name for each in candidates for name in (each.old_description, each.new_description) if name]
    return all(not shared(thing.name, name) for thing in routed.meant.things for name in names)


def _makes_another(routed: Routed, clause: Clause, candidates: Sequence[Candidate]) -> bool:
    """True for a new plan (每天早上八点发日报): time and title share nothing with the card."""
    title = "".join(clause.text[token.start : token.end] for token in routed.fit.slots.get("title", ()))
    called = not routed.fit.slots.keys().isdisjoint({"remind", "rouse"})
    if not clause.times or not (routed.sure or called):
        return False
    names = [name for each in candidates for name in (each.new_description, each.old_description) if name]
    return len(title) > 1 and all(not shared(title, name) for name in names)


def _answers(candidate: Candidate, clause: Clause) -> bool:
    problem = candidate.problem
    return problem is not None and fills(problem.doubt, clause, len(problem.options))


def _differs(new: Candidate, old: Candidate) -> bool:
    return (new.when, new.place, new.new_description) != (old.when, old.place, old.new_description)


def _changed_by(candidate: Candidate, clause: Clause) -> Candidate:
    """Candidate edited by local rules alone."""
    if candidate.problem is not None and _answers(candidate, clause):
        return fill(candidate, clause, clause.situation.now)
    changed = refined(candidate, None, clause)
    met = met_at(candidate.new_description, changed.place) if changed.place and not candidate.place else ""
    return replace(changed, new_description=met, place="") if met else changed


def edits(
    pending: Sequence[Candidate], said: Sequence[ModelEntry] | None, text: str, situation: Situation
) -> dict[int, Candidate] | None:
    """Edited candidates by place (s3); None if the referent is unclear. `said`: a model's entries; None
    without an answer."""
    clause = _clause(text, situation)
    own = _each_own(clause, pending)
    if len(own) > 1:  # 第一个改到周日 第二个改到周一
        return {place: _changed_by(pending[place], part) for place, part in own.items()}
    if len(ordinals(text)) > 1:
        return None
    place = _named(text, len(pending))
    if said is None:
        places = (place,) if place is not None else (0,) if len(pending) == 1 else ()
        return {place: _changed_by(pending[place], clause) for place in places} or None
    if place is not None and len(said) == 1:
        return {place: _confirmed(pending[place], said[0], clause)}
    if len(said) != len(pending):
        return None
    return {place: _confirmed(pending[place], each, clause) for place, each in enumerate(said)}


def _confirmed(candidate: Candidate, said: ModelEntry, clause: Clause) -> Candidate:
    if candidate.problem is not None and candidate.problem.options and not clause.times:
        if half(clause.text) is not None or picked(clause.text, len(candidate.problem.options)):
            return fill(candidate, clause, clause.situation.now)
        exact = [each for each in candidate.problem.options if each.start == said.new_time]
        if exact:
            return replace(candidate, when=exact[0], new_time=exact[0].start, problem=None)
    return refined(candidate, said, clause)


def _each_own(clause: Clause, candidates: Sequence[Candidate]) -> dict[int, Clause]:
    """Part of the line for each candidate named by number or name, each with a time (早班是9点到3点
    晚班3点到10点); else empty."""
    text = clause.text
    starts: dict[int, tuple[int, int]] = {}
    for place, span in ordinals(text):
        if place >= len(candidates) or place in starts:
            return {}
        starts[place] = span
    for place, each in enumerate(candidates if not starts else ()):
        name = each.old_description or each.new_description
        at = text.find(name) if len(name) > 1 else -1
        if at >= 0:
            starts[place] = (at, at + len(name))
    if len(starts) < _SEVERAL:
        return {}
    order = sorted(starts, key=lambda place: starts[place])
    ends = [*(starts[place][0] for place in order[1:]), len(text)]
    parts = {
        place: _clause(text[starts[place][1] : end].strip(" ,，。;；"), clause.situation)
        for place, end in zip(order, ends, strict=True)
    }
    return parts if all(part.times for part in parts.values()) else {}


def _named(text: str, count: int) -> int | None:
    place = next((place for place, _ in ordinals(text)), count)
    return place if place < count else None
