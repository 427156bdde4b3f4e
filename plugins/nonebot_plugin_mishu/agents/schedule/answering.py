"""Answers to the schedule agent's questions. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final, cast

from ...language import Act, Answer, Limit, Question, answer, limit, words_of
from ...language.answers.answer_with_more import SaidMore
from ...language.clause import Clause
from ...language.clauses.features import chats, talks
from ...language.free_time import Offer, OfferPick, offer_pick
from ...language.match import AnswerMatch
from ...language.names.names import asks_for_a_list, tells_of_state
from ...language.names.naming import extract_title
from ...language.names.referents import shared
from ...language.recognise.times import names_day
from ...language.repairs.canonical import canonical
from ...language.schedule_phrases import CHANGING, attendance, split_place
from ...language.text.fold import fold
from ...language.timing.day_half import half_of_day
from ...language.timing.pointed_time import place_by_time
from ...language.timing.series import times_listed
from ...patterns import Pattern
from ...storage.records import FrameRecord
from ...storage.schedules.records import WALL
from ..api.questions import BEGINS, answered_with_more
from .candidates.candidate import Candidate, CandidateTime, Problem, loaded
from .candidates.moments import joined, when_of
from .candidates.reading import candidates, clause_of, short, timed
from .frames import CHOOSING, CONFIRMING, FILLING, OFFERING, STAGE

_QUESTION: Final = Pattern("[?？]|吗$|呢$|什么|怎么|为什么|谁|哪")
_EMPTY_TALK: Final = Pattern("(?:哈+|呵+|嗯+|哦+|啊+|好的?|行|ok|收到|谢谢.*|[^\\w]+)", re.IGNORECASE)
_AROUND: Final = Pattern("[\\W是那就改定在要好嗯行吧啊的了到换成对哈呗嘛呢哦噢嘞啦咯噻呀]")

_ACTS: Final[Mapping[str, Act]] = {"add": "make", "edit": "change", "delete": "delete", "join": "make"}


def answers(frame: FrameRecord, clause: Clause) -> AnswerMatch | None:
    """Match of a line with the open question of a schedule; None: no answer, to be read as a new line.

    During a confirmation each line of the owner belongs to it: triage and `check_intent` classify it, and
    irrelevant lines are passed on.
    """
    stage = frame.slots.get(STAGE)
    text = clause.text.strip()
    if stage == CONFIRMING and _deletes_what_is_changed(frame, clause):
        return None
    if stage == CONFIRMING:
        asked = f"{frame.text}{frame.question or ''}"
        grave = (
            takes_away(frame) and answer(text, Question("delete", said=asked, behind_nod=True)).kind == "yes"
        )
        consents = answer(text, Question(said=frame.text)).kind == "yes"
        weak = _names_another(frame, clause)
        return AnswerMatch("corrects", weak=weak, grave=grave, consents=consents)
    if stage == OFFERING:
        said = heard(frame, text)
        if said.refuses:
            return AnswerMatch("cancel")
        return AnswerMatch("fills", whole=True) if offer_picked(frame, clause) is not None else None
    if stage not in (FILLING, CHOOSING):
        return None
    said = heard(frame, text)
    if said.refuses:
        return AnswerMatch("cancel")
    if stage == CHOOSING:
        if said.half or chosen(frame, clause)[1] or limited(frame, clause) is not None:
            return AnswerMatch("fills", grave=said.kind == "yes" and takes_away(frame))
        return None
    doubt = str(frame.slots.get("_doubt"))
    options = _count(frame.slots.get("_options"))
    known = str(frame.slots.get("new_description") or "")
    if corrected_draft(frame, clause) is not None:
        return AnswerMatch("corrects")
    more = answered_with_more(frame, clause) if doubt != "no_description" else None
    if more is not None and more.notes and _is_of_no_option(frame, more.value):
        return None  # 12月20号放假 聚一次, to 是指12月5日还是12月12日: of another thing
    if more is not None and fills(doubt, more.value, options, known):
        return AnswerMatch("fills", whole=True)
    return AnswerMatch("fills") if fills(doubt, clause, options, known) else None


def offer_picked(frame: FrameRecord, clause: Clause) -> OfferPick | None:
    """The picked offer; a plain yes means the first. None for another line."""
    said = heard(frame, clause.text.strip())
    places = _places(said)
    if len(places) == 1 and places[0] < _count(frame.slots.get("_offers")):
        return OfferPick(places[0])
    return offer_pick(clause, _offers_of(frame, clause))


def _offers_of(frame: FrameRecord, clause: Clause) -> list[Offer]:
    kept: object = frame.slots.get("_offers")
    zone = clause.situation.zone
    try:
        return [
            (
                datetime.strptime(str(begins), WALL).replace(tzinfo=zone),
                datetime.strptime(str(ends), WALL).replace(tzinfo=zone),
            )
            for begins, ends in cast("list[tuple[object, object]]", kept if isinstance(kept, list) else [])
        ]
    except (TypeError, ValueError):
        return []


def takes_away(frame: FrameRecord) -> bool:
    """True if a yes to the frame's question deletes a schedule."""
    if frame.slots.get(STAGE) == CHOOSING:
        return str(frame.slots.get("_action") or frame.intent) == "delete"
    return frame.slots.get(STAGE) == CONFIRMING and any(
        each.intent == "delete" for each in asked_about(frame)
    )


def asked_about(frame: FrameRecord) -> list[Candidate]:
    """Candidates waiting for a yes on an open card."""
    kept: object = frame.slots.get("_batch")
    items = cast("Mapping[str, Any]", kept).get("items") if isinstance(kept, Mapping) else None
    found = [
        cast("Mapping[str, Any]", each)
        for each in cast("list[object]", items or [])
        if isinstance(each, Mapping)
    ]
    return loaded([each.get("value") for each in found])


def limited(frame: FrameRecord, clause: Clause) -> Limit | None:
    """Limit of a deletion to a part of it; None for any other line."""
    text = clause.text.strip()
    if not takes_away(frame) or heard(frame, text).kind != "other":
        return None
    if frame.slots.get(STAGE) == CHOOSING and _pointed(frame, clause) is not None:
        return None  # one candidate is picked
    spans = [time.span for time in clause.times if names_day(time.text)]
    return limit(clause.text, spans, _called(frame))


def left_to_delete(frame: FrameRecord, clause: Clause, found: Limit) -> Candidate | None:
    """Deletion narrowed by the limit: 就明天这一次 is 取消明天的例会; None without a day."""
    when = "".join(clause.text[start:end] for start, end in found.spans) or found.once
    if not when or not found.whole:
        return None
    names = _called(frame)
    order = f"取消{when}的{names[0] if names else '日程'}"
    read = candidates("delete", clause_of(order, clause.situation))
    return replace(read[0], once=True) if read and read[0].problem is None else None


def _called(frame: FrameRecord) -> list[str]:
    if frame.slots.get(STAGE) == CONFIRMING:
        return [each.old_description for each in asked_about(frame) if each.old_description]
    kept: object = frame.slots.get("_names")
    return (
        list(dict.fromkeys(str(each) for each in cast("list[object]", kept)))
        if isinstance(kept, list)
        else []
    )


def _deletes_what_is_changed(frame: FrameRecord, clause: Clause) -> bool:
    """True for 聚餐取消, to 要把「部门聚餐」改到周六吗: the schedule goes, not the change of it."""
    asked = asked_about(frame)
    if not asked or any(each.intent != "edit" for each in asked) or not clause.situation.addressed:
        return False
    words = words_of(clause.text, clause.times, clause.amounts)
    takes = any("take_away" in each.classes for each in words)
    held = any("negation" in each.classes or "prohibit" in each.classes for each in words)
    names = [thing.name for thing in clause.situation.things if thing.agent == frame.agent_code]
    changed = [name for name in names if shared(frame.text, name) >= _NAMED]
    return takes and not held and any(shared(clause.text, name) >= _NAMED for name in changed)


_NAMED: Final = 2
"""Least characters of a schedule's name in a line that means it"""


def _names_another(frame: FrameRecord, clause: Clause) -> bool:
    """True if a line with a time names another thing: a sure order of it is a new request
    (下个月2号是我老婆生日 提前三天提醒我)."""
    if not clause.times or CHANGING.search(clause.text) is not None:
        return False
    rest = _AROUND.sub("", extract_title(clause.text, clause.times))
    known = f"{frame.text}{frame.slots.get('_names') or ''}"
    return len(rest) >= _OWN_NAME and not shared(rest, known)


_OWN_NAME: Final = 3
"""Least characters of a name beside a time"""


def question_of(frame: FrameRecord) -> Question:
    """Question of the frame: a choice, or a yes to the found one."""
    act: Act = _ACTS.get(str(frame.slots.get("_action") or frame.intent), "do")
    said = f"{frame.text}{frame.question or ''}"
    if frame.slots.get(STAGE) == OFFERING:
        return Question("make", _count(frame.slots.get("_offers")), (), said)
    if frame.slots.get(STAGE) != CHOOSING:
        return Question(act, _count(frame.slots.get("_options")), (), said)
    kept: object = frame.slots.get("_names")
    names = tuple(str(each) for each in cast("list[object]", kept)) if isinstance(kept, list) else ()
    count = _count(frame.slots.get("_choices"))
    return Question(act, count, names if count > 1 else (), said)


def expects(frame: FrameRecord) -> int | None:
    """Number of listed schedules of which one is to be chosen; 0 where a yes or no is expected; None for
    another answer."""
    if frame.slots.get(STAGE) != CHOOSING:
        return None
    count = _count(frame.slots.get("_choices"))
    return 0 if count == 1 or frame.slots.get("_together") else count or None


def _places(said: Answer) -> tuple[int, ...]:
    return (0,) if said.kind == "yes" else said.values if said.kind in ("pick", "name") else ()


def heard(frame: FrameRecord, text: str) -> Answer:
    """Answer to the frame's question; for a joint question (要取消A、B吗) a plain yes counts too."""
    if frame.slots.get("_together"):
        act: Act = _ACTS.get(str(frame.slots.get("_action") or frame.intent), "do")
        whole = answer(text, Question(act, said=f"{frame.text}{frame.question or ''}"))
        if whole.kind != "other" or whole.half:
            return whole
    return answer(text, question_of(frame))


def chosen(frame: FrameRecord, clause: Clause) -> tuple[Answer, tuple[int, ...]]:
    """Answer with the 0-based places of the chosen items."""
    said = heard(frame, clause.text)
    if said.kind == "other" and not said.half:
        place = place_by_time(clause, frame.slots.get(BEGINS))
        place = _pointed(frame, clause) if place is None else place
        said = said if place is None else Answer("name", (place,), exact=False)
    if frame.slots.get("_together") and said.kind == "yes":
        return said, tuple(range(_count(frame.slots.get("_choices"))))
    return said, _places(said)


def _pointed(frame: FrameRecord, clause: Clause) -> int | None:
    """Place of the item pointed at (后面那个, 早一点的那个)."""
    count = _count(frame.slots.get("_choices"))
    found = limit(clause.text, (), _called(frame), dated=False) if count > 1 else None
    if found is None or found.point not in ("first", "last"):
        return None
    return 0 if found.point == "first" else count - 1


def _count(value: object) -> int:
    return len(cast("list[object]", value)) if isinstance(value, list) else 0


def picked(text: str, count: int) -> tuple[int, ...]:
    """0-based places picked in a numbered list; empty for any other line."""
    return _places(answer(text, Question("do", count))) if count else ()


def fills(doubt: str, clause: Clause, options: int, known: str = "") -> bool:
    """True if the line answers the doubt; `known`: known description."""
    text = clause.text.strip()
    if doubt in ("am_pm", "which_day", "which_week") and (
        half(text, known) is not None or picked(text, options)
    ):
        return True
    if doubt == "no_description":
        plain = 0 < len(text) <= 40 and _QUESTION.search(text) is None and _EMPTY_TALK.fullmatch(text) is None
        plain = plain and answer(text, Question("make")).kind == "other" and not (talks(text) or chats(text))
        plain = plain and not (tells_of_state(text) or asks_for_a_list(text))
        return plain and not clause.times and attendance(text) is None
    if not clause.times or _QUESTION.search(text) is not None:
        return False
    rest = _AROUND.sub("", extract_title(text, clause.times))
    return rest in ("", known) or bool(times_listed(clause))


def half(text: str, name: str = "") -> int | None:
    """0 for am, 1 for pm; None if not named."""
    return half_of_day(text, (name,))


def filled_with_more(candidate: Candidate, more: SaidMore, now: datetime) -> Candidate:
    """Candidate with the answered time, place and duration."""
    found = fill(candidate, more.value, now)
    when = found.when
    if when is not None and more.minutes and when.clocked and not when.end:
        ends = datetime.strptime(when.start, WALL) + timedelta(minutes=more.minutes)
        found = replace(found, when=replace(when, end=ends.strftime(WALL)))
    return replace(found, place=short(more.place)) if more.place and candidate.intent == "add" else found


def fill(candidate: Candidate, clause: Clause, now: datetime) -> Candidate:
    """Candidate with its problem answered; unchanged if not answered."""
    problem = candidate.problem
    if problem is None:
        return candidate
    if problem.doubt == "no_description":
        words, place = split_place(extract_title(clause.text, ()))
        return replace(
            candidate,
            new_description=short(words),
            place=short(place) or candidate.place,
            problem=None if words else problem,
        )
    chosen = _option(problem, clause.text, candidate.new_description)
    if chosen is not None:
        return _timed_any(candidate, chosen)
    if clause.times and not times_listed(clause):  # 周一九点和周三十点: which of them is asked once more
        new = when_of(clause.times[0], now)
        if isinstance(new, CandidateTime) and not (new.dated and new.clocked) and problem.options:
            if not new.clocked and len({each.start[11:] for each in problem.options}) > 1:
                return candidate  # 礼拜三那个, between 07:00 and 19:00: neither was chosen
            new = joined(problem.options[0], new)  # 是明天, answer to 是指明天 20:00吗: the clock stays
        return _timed_any(candidate, new)
    return candidate


def corrected_draft(frame: FrameRecord, clause: Clause) -> Candidate | None:
    """Draft of an open question with the clock or place that a line corrects (集合改8点吧, 不对 还是7点半,
    改到西门); the half of the day stays, and what was asked is asked on. None for any other line, and where a
    kept thing is named or was changed since."""
    found, place = loaded(frame.slots.get("_candidates")), frame.slots.get("_place")
    where, done = clause.situation, clause.situation.done
    if (
        not isinstance(place, int)
        or not 0 <= place < len(found)
        or isinstance(frame.slots.get("_target"), int)
    ):
        return None
    draft, problem = found[place], found[place].problem
    if draft.intent != "add" or problem is None or not problem.options:
        return None
    line = clause_of(canonical(fold(clause.text)).text, where)
    said = candidates("edit", line)[0] if CHANGING.search(line.text) is not None else None
    if said is None or _QUESTION.search(line.text) is not None or said.shift:
        return None
    near, name = shared(said.old_description, draft.new_description), said.old_description
    kept = [shared(name, thing.name) for thing in where.things if thing.agent == frame.agent_code]
    if (name and not near) or any(each >= max(near, 1) for each in kept):
        return None
    if not name and done is not None and done.at > frame.updated_at:
        return None
    draft = replace(draft, place=said.place or draft.place)
    clocks = said.problem.options if said.problem is not None else (said.when,) if said.when else ()
    if not clocks:
        return draft if said.place else None
    if clocks[0].dated or not clocks[0].clocked:
        return None  # a day fills what was asked
    options = tuple(joined(each, _same_half(each, clocks)) for each in problem.options)
    return replace(draft, problem=replace(problem, options=options))


def _same_half(kept: CandidateTime, clocks: Sequence[CandidateTime]) -> CandidateTime:
    """Reading of a clock in the half of the day in which something is already."""
    return next(
        (each for each in clocks if (each.start[11:] < _NOON) == (kept.start[11:] < _NOON)), clocks[0]
    )


_NOON: Final = "12:00"


def _is_of_no_option(frame: FrameRecord, clause: Clause) -> bool:
    """True if a day is none of the days that were offered."""
    kept: object = frame.slots.get("_options")
    days = {str(each)[:10] for each in cast("list[object]", kept)} if isinstance(kept, list) else set[str]()
    said = [each.date.isoformat() for each in clause.times if each.date is not None and names_day(each.text)]
    return bool(days and said) and days.isdisjoint(said)


def _option(problem: Problem, text: str, name: str) -> CandidateTime | None:
    """Chosen reading, by number or half of the day."""
    places = picked(text, len(problem.options))
    number = half(text, name)
    if not places and number is not None and problem.doubt == "am_pm":
        places = (min(number, len(problem.options) - 1),)
    return problem.options[places[0]] if problem.options and places else None


def _timed_any(candidate: Candidate, when: CandidateTime | Problem) -> Candidate:
    if candidate.intent == "add":
        return timed(replace(candidate, problem=None), when)
    if isinstance(when, Problem):
        return replace(candidate, problem=when)
    return replace(candidate, when=when, new_time=when.start, problem=None)
