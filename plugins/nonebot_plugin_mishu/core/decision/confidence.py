"""Confidence: probability that a reading is right, from its features.

A logistic regression over a dozen grounds: what the judge thinks of each clause, whether the rules and the
learned reading agree, whether titles have the same borders, whether what is meant is one thing, what is left
unread. Weights and thresholds are made by `python -m training` from rows of the corpus that the judge has not
learned from (docs/language.md, "Sure"). Pure.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from itertools import pairwise
from math import exp, log
from pathlib import Path
from typing import Final

from ...agents.api.builtin_codes import intents_that
from ...language.learned.judge import LABELS, TALK, Acts
from ...language.learned.tagger import tag
from ...language.names.referents import said_names
from .learned import acts_of, labels_of, tokens_of
from .reading import Frame

FILE: Final = Path(__file__).with_name("confidence.toml")
_CHANGES: Final = intents_that("change")
_OF_KEPT: Final = intents_that("change", "delete", "finish")
_MAKES: Final = intents_that("make")
_COMPARED: Final = frozenset(
    {"title", "new_description", "dueDate", "startTime", "timeSegment", "remindAt", "new_time", "place"}
    | {"recurrence", "ref", "refs", "end", "segment", "shiftMinutes", "assignee", "old_time"}
)
_NAMING: Final = frozenset({"unread", "occasion", "hui", "personal", "latin", "action"})
_LONG: Final = 25
"""Characters of a line that says much."""
GROUNDS: Final = (
    *("one", "rules", "sure_by_rules", "judge", "judge_least", "talk", "agree", "differ"),
    *(
        "kin",
        "all_parts",
        "one_each",
        "parts_vouched",
        "two",
        "more",
        "title",
        "margin",
        "one_thing",
        "nothing_meant",
        "several_meant",
    ),
    *("unread", "untitled", "two_times", "long", "short"),
    *(
        "slots_alike",
        "slots_unlike",
        "several",
        "another",
        "left_over",
        "lead",
        "half_day",
        "sums",
        "numbers",
        "corrected",
        "others_named",
    ),
    *("schedule", "tasks", "books", "record", "asks", "changes", "none"),
    *("title_kept", "all_agree", "all_covered", "all_plain"),
    *(f"act_{act.replace('.', '_')}" for act in LABELS),
)
"""Feature names, in order."""


@dataclass(frozen=True, slots=True)
class Confidence:
    """Learned weights of the features, and the thresholds.

    At `act` and above a reading is sure; at `keep` and above one that the rules vouch for stays sure; a
    learned one below `ask` is not worth a question; at `leave` and above a line is surely talk.
    """

    weights: Mapping[str, float]
    act: Mapping[str, float]
    keep: float
    ask: float
    leave: float

    def of(self, grounds: Mapping[str, float]) -> float:
        """Probability of a reading with these features."""
        score = sum(self.weights.get(name, 0.0) * value for name, value in grounds.items())
        return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, score))))

    def threshold(self, frames: Sequence[Frame]) -> float:
        """Probability from which the reading is sure: the highest of its frames' thresholds."""
        default = self.act["other"]
        return max((self.act.get(act_of(frame), default) for frame in frames), default=default)


def act_of(frame: Frame) -> str:
    """The first act of a frame, the key of its thresholds; `other` for acts unknown to the judge."""
    return next(iter(labels_of(frame.agent_code, frame.intent)), "other")


def grounds_of(
    frames: Sequence[Frame], line: Acts, second: Frame | None, *, rules: bool, sure: bool, text: str
) -> Mapping[str, float]:
    """Features of a reading.

    Args:
        frames: the reading; none of them where it is talk.
        line: the judge's acts of the whole line.
        second: the learned reading of the line.
        rules: the agents' rules made it.
        sure: the rules vouch for it.
        text: the line.
    """
    work = [frame for frame in frames if frame.agent_code != "chat"]
    found = _grounds_of_line(work, line, second, rules=rules, sure=sure, text=text)
    made = False
    for frame in work:
        for name, value in _grounds_of_frame(frame).items():
            if not (made and name == "nothing_meant"):  # 评审会周四两点，阿凯参加: means the new meeting
                found[name] = max(found.get(name, 0.0), value)
        made = made or frame.intent in _MAKES
    found["one_each"] = float(len(work) > 1 and all(map(_is_whole, work)))
    found["others_named"] = float(_names_others(work))
    found |= _together(found)
    return {name: round(value, 3) for name, value in found.items() if value}


def _grounds_of_line(
    work: Sequence[Frame], line: Acts, second: Frame | None, *, rules: bool, sure: bool, text: str
) -> dict[str, float]:
    """Features of the line: judged acts, agreement with the learned reading, number of frames, length."""
    first = work[0] if work else None
    odds = [acts_of(frame.clause).of(*labels_of(frame.agent_code, frame.intent)) for frame in work]
    odds = odds or [line.of(TALK)]
    same = second is not None and first is not None and _same(first, second) and len(work) == 1
    kin = second is not None and first is not None and len(work) == 1 and not same and _are_kin(first, second)
    found: dict[str, float] = {
        "one": 1.0,
        "rules": float(rules),
        "sure_by_rules": float(rules and sure),
        "judge": sum(map(_logit, odds)) / len(odds),
        "judge_least": min(odds),
        "talk": line.of(TALK),
        "agree": float(rules and same),
        "kin": float(rules and kin),
        "differ": float(rules and second is not None and not same and not kin),
        "several": line.several if len(work) < 2 else 1.0 - line.several,
        "two": float(len(work) == 2),
        "more": float(len(work) > 2),
        "long": float(len(text) > _LONG),
        "short": float(len(text) < 7),
        "none": float(not work),
    }
    if same and second is not None and first is not None:
        alike, unlike = _compared(first, second)
        found |= {"slots_alike": alike, "slots_unlike": unlike}
    if len(work) == 1 and first is not None:
        found["another"] = _another_act(first)
    return found


def _together(found: Mapping[str, float]) -> Mapping[str, float]:
    """Features combined of others, with weights of their own."""
    agree = found.get("agree", 0.0) > 0 and found.get("slots_unlike", 0.0) == 0 and found["sure_by_rules"] > 0
    covered = found.get("left_over", 0.0) == 0 and found.get("unread", 0.0) == 0 and found["several"] < 0.2
    single = not any(found.get(name) for name in ("two_times", "half_day", "several_meant", "nothing_meant"))
    return {
        "all_agree": float(agree and found.get("title", 0.0) < 0.1),
        "all_parts": float(
            found["sure_by_rules"] > 0 and found["two"] + found["more"] > 0 and found["judge_least"] > 0.5
        ),
        "parts_vouched": float(
            found["sure_by_rules"] > 0 and found["two"] + found["more"] > 0 and bool(found["one_each"])
        ),
        "all_covered": float(covered and single and not found["none"]),
        "all_plain": float(agree and covered and single and found["judge_least"] > 0.8),
    }


def _grounds_of_frame(frame: Frame) -> Mapping[str, float]:
    refs = frame.match.refs if frame.match is not None else ()
    refs = refs or _then(frame)
    kept = frame.intent in _OF_KEPT
    makes = frame.intent in _MAKES
    title = str(frame.slots.get("title") or frame.slots.get("new_description") or "")
    act = act_of(frame)
    tokens = tokens_of(frame.clause)
    tagged = tag(frame.clause.text, tokens, act)
    times, amounts = frame.clause.times, frame.clause.amounts
    words = "".join(frame.clause.text[each.start : each.end] for each in tagged if each.slot == "title")
    margin = min((each.margin for each in tagged), default=1.5)
    return {
        "title": _unlike(title, words) if makes and title else 0.0,
        "margin": min(4.0, max(0.0, 2.0 - margin)),
        "left_over": _left_over(frame, [(each.start, each.end) for each in tagged]),
        "lead": float(any("ahead" in token.classes or "提前" in frame.clause.text for token in tokens)),
        "half_day": float(any(time.ambiguous is not None for time in times)),
        "sums": float(bool(amounts) and frame.agent_code != "bookkeeping"),
        "numbers": float(len(amounts) > 1),
        "corrected": float(_corrects(frame)),
        "untitled": float(makes and not title),
        "title_kept": float(makes and _is_kept(title, frame)),
        f"act_{act.replace('.', '_')}": 1.0,
        "one_thing": float(kept and len(refs) == 1),
        "nothing_meant": float(kept and not refs),
        "several_meant": float(kept and len(refs) > 1),
        "unread": float(frame.match is not None and bool(frame.match.unread)),
        "two_times": float(len(frame.clause.times) > 1),
        "schedule": float(frame.agent_code == "schedule"),
        "tasks": float(frame.agent_code == "tasks"),
        "books": float(frame.agent_code == "bookkeeping"),
        "record": float(frame.agent_code == "record"),
        "asks": float(act.endswith(".query")),
        "changes": float(frame.intent in _CHANGES),
    }


def _then(frame: Frame) -> tuple[str, ...]:
    """Ids of the agent's things on the days of the clause (删除明天的会)."""
    days = {time.date for time in frame.clause.times if time.date is not None}
    return tuple(
        thing.id
        for thing in frame.clause.situation.things
        if thing.agent == frame.agent_code and thing.at is not None and thing.at.date() in days
    )


def _compared(one: Frame, other: Frame) -> tuple[float, float]:
    """Numbers of equal and of different slots of two readings, in thirds; at most 1 each."""
    first, second = one.slots, other.slots
    names = [name for name in {**first, **second} if name in _COMPARED]
    alike = sum(str(first.get(name)) == str(second.get(name)) for name in names)
    return min(3, alike) / 3, min(3, len(names) - alike) / 3


def _another_act(frame: Frame) -> float:
    """Probability that a piece of the clause has another act than the whole: 拜访我不去了 让晓琳准备礼物."""
    own = labels_of(frame.agent_code, frame.intent)
    text, most, start = frame.clause.text, 0.0, 0
    for token in (*tokens_of(frame.clause), None):
        if token is not None and "pause" not in token.classes:
            continue
        piece = frame.clause.part(start, len(text) if token is None else token.start)
        start = start if token is None else token.end
        if len(piece.text) < 3 or piece.text == text:
            continue
        acts = acts_of(piece)
        most = max(most, 1.0 - acts.of(TALK, *own))
    return most


def _is_whole(frame: Frame) -> bool:
    """True for a frame that makes something new, with one time and a title of its own: one of a list."""
    titled = frame.slots.get("title") or frame.slots.get("new_description")
    spans = {time.span for time in frame.clause.times}
    return frame.intent in _MAKES and bool(titled) and len(spans) == 1


def _names_others(frames: Sequence[Frame]) -> bool:
    """True if the clause names a kept thing that no frame refers to: 周五桌游、周六看房都删掉 names two."""
    # Ids count by agent: a task and a schedule may both be 1.
    refs = {
        (frame.agent_code, ref) for frame in frames if frame.match is not None for ref in frame.match.refs
    }
    for frame in frames:
        if frame.intent not in _OF_KEPT:
            continue
        text, things = frame.clause.text, frame.clause.situation.things
        own = "\n".join(thing.name for thing in things if (thing.agent, thing.id) in refs)
        said = said_names(text, things).items()
        others = [span for thing, span in said if (thing.agent, thing.id) not in refs]
        if any(text[start:end] not in own for start, end in others):
            return True
    return False


def _is_kept(title: str, frame: Frame) -> bool:
    """True if the title of something new matches the name of a kept thing: 预算会前移至周五九点 moves
    that."""
    names = {thing.name for thing in frame.clause.situation.things if len(thing.name) > 1}
    return title in names or any(name in title or title in name for name in names if len(title) > 1)


def _left_over(frame: Frame, spans: Sequence[tuple[int, int]]) -> float:
    """Share of unknown and naming words of a clause outside all slots (0 to 1)."""
    tokens = tokens_of(frame.clause)
    loose = [
        token
        for token in tokens
        if not token.classes.isdisjoint(_NAMING)
        and not any(start <= token.start and token.end <= end for start, end in spans)
    ]
    return min(1.0, len(loose) / 6)


_CORRECTIONS: Final = ("不对", "不是", "哦不", "啊不", "噢不", "错了", "改成", "算了", "还是")


def _corrects(frame: Frame) -> bool:
    """True if a word of correction stands between two times or two sums (七点 哦不 八点)."""
    spans = [time.span for time in frame.clause.times]
    spans += [(amount.start, amount.end) for amount in frame.clause.amounts]
    spans.sort()
    text = frame.clause.text
    return any(
        any(word in text[one[1] : other[0]] for word in _CORRECTIONS) for one, other in pairwise(spans)
    )


def _are_kin(one: Frame, other: Frame) -> bool:
    """True if both make the same thing, one as a schedule and one as a task."""
    return frozenset({one.intent, other.intent}) == _MAKES


def _same(one: Frame, other: Frame) -> bool:
    return (one.agent_code, one.intent) == (other.agent_code, other.intent)


def _unlike(one: str, other: str) -> float:
    first, second = (text.replace(" ", "").lower() for text in (one, other))
    return 1.0 - SequenceMatcher(None, first, second, autojunk=False).ratio()


def _logit(odds: float) -> float:
    kept = min(0.98, max(0.02, odds))
    return log(kept / (1.0 - kept))


@cache
def confidence() -> Confidence:
    """The committed weights and thresholds."""
    content = tomllib.loads(FILE.read_text("utf-8"))
    return Confidence(content["weights"], content["act"], content["keep"], content["ask"], content["leave"])
