"""Learning how far a reading is to be trusted: the weights of its grounds, and the thresholds of being sure.

The judge knows the lines that it learned from too well; so the grounds of a row are reckoned with a judge
and a tagger that have learned from all parts of the corpus but the row's own. Thresholds are chosen on the
part that calibrates, which none of them has seen, so that at most one line in a hundred is acted on
wrongly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from math import exp
from typing import Any
from unittest.mock import patch

from nonebot_plugin_mishu.agents.builtin import builtin_rules
from nonebot_plugin_mishu.agents.clause import Situation
from nonebot_plugin_mishu.core.decision import reader, settling
from nonebot_plugin_mishu.core.decision.confidence import GROUNDS, Confidence, act_of
from nonebot_plugin_mishu.core.decision.reading import Frame, MessageReading
from nonebot_plugin_mishu.core.decision.segments import message
from nonebot_plugin_mishu.frontdesk.words import uncalled
from nonebot_plugin_mishu.language import judge, tagger
from nonebot_plugin_mishu.language.linear import LinearModel, packed

from benchmarks.corpus import CORPUS, Row, said_rows
from benchmarks.understanding import NAMES, NOW, ZONE, judged
from bot.explain.reading import shown_frames
from bot.explain.world import World, world

from .acts import learn_acts
from .borders import learn_borders
from .material import CALIBRATES, Line, learned_lines

STEPS, COST = 8, 2.0
BLANK = Confidence({}, {"other": 1.0}, 1.0, 0.0)
MOST_WRONG = 0.045
"""The share of lines that may be acted on wrongly."""


@dataclass(frozen=True)
class Example:
    """One reading of a row: its grounds, whether it is right, and by which threshold it is judged."""

    row: Row
    grounds: Mapping[str, float]
    right: bool
    act: str
    rules: bool
    empty: bool
    may: bool
    """Nothing but its probability keeps it from being sure."""
    frames: tuple[Frame, ...]
    sure: bool
    """The rules vouch for it."""


@contextmanager
def using(acts: Mapping[int, Sequence[int]], borders: Mapping[int, Sequence[int]]) -> Iterator[None]:
    """The judge and the tagger are these."""
    both = (
        (judge, LinearModel(judge.LANES, {key: packed(row) for key, row in acts.items()})),
        (tagger, LinearModel(len(tagger.LABELS), {key: packed(row) for key, row in borders.items()})),
    )
    with ExitStack() as stack:
        for module, model in both:
            stack.enter_context(patch.object(module, "_model", lambda model=model: model))
        _forget()
        yield
    _forget()


def _forget() -> None:
    judge._judged.cache_clear()  # pyright: ignore[reportPrivateUsage]
    tagger._tagged.cache_clear()  # pyright: ignore[reportPrivateUsage]


def learn_from(lines: Sequence[Line]) -> tuple[Mapping[int, Sequence[int]], Mapping[int, Sequence[int]]]:
    """The stored weights of the judge and of the tagger."""
    return learn_acts(lines), learn_borders(lines)


def crossed_examples() -> list[list[Example]]:
    """The readings of the rows that are learned from, each by models that have not seen its part."""
    found: list[list[Example]] = []
    parts = sorted({line.part for line in learned_lines() if line.part >= 0})
    for part in parts:
        with using(*learn_from([line for line in learned_lines() if line.part != part])):
            found += examples([row for row in said_rows() if row.part == part])
    return found


def examples(rows: Sequence[Row]) -> list[list[Example]]:
    """The readings of each row with the models that are in use; of those that are compared at all."""
    worlds = {file.stem: world(file, ZONE) for file in (CORPUS / "worlds").glob("*.json")}
    agents = builtin_rules()
    return [found for row in rows if (found := _of_row(row, worlds, agents))]


def _of_row(row: Row, worlds: Mapping[str, World], agents: Any) -> list[Example]:
    situation = Situation(NOW.astimezone(ZONE), open_tasks=True)
    known = worlds.get(row.world)
    if known is not None:
        situation = known.around(situation)
    text = uncalled(row.say, list(NAMES))
    said, pieces = message(text, situation)
    found, complete = reader.by_rules(said, pieces, agents)
    if not settling.is_comparable(found, said):
        return []
    result: list[Example] = []
    for each in settling.readings(found, said, agents, BLANK):
        frames = tuple(
            replace(frame, sure=settling.may_be_sure(frame) and (complete or not each.rules))
            for frame in each.frames
        )
        whole_sure = all(frame.sure for frame in frames)
        told = MessageReading(frames, whole_sure)
        shown = shown_frames(row.say, text, situation, told, known or World())
        verdict = judged(row, {"frames": shown, "sure": True})
        empty = all(frame.agent_code == "chat" for frame in frames)
        right = verdict.kind == "right"
        acts = [act_of(frame) for frame in frames]
        result.append(
            Example(
                row,
                each.grounds,
                right,
                acts[0],
                each.rules,
                empty,
                whole_sure,
                frames,
                each.rules and found.sure,
            )
        )
    return result


def learn_weights(found: Sequence[Sequence[Example]]) -> Mapping[str, float]:
    """The weights of the grounds, rounded to two digits: a logistic regression by Newton's steps, with a
    small cost for every weight."""
    rows = [
        (
            [(at, value) for at, name in enumerate(GROUNDS) if (value := example.grounds.get(name, 0.0))],
            float(example.right),
        )
        for each in found
        for example in each
    ]
    size = len(GROUNDS)
    weights = [0.0] * size
    for _ in range(STEPS):
        slope = [-COST * weight for weight in weights]
        curve = [[COST if at == to else 0.0 for to in range(size)] for at in range(size)]
        for values, wanted in rows:
            odds = 1.0 / (1.0 + exp(-max(-30.0, min(30.0, sum(weights[at] * value for at, value in values)))))
            spread = odds * (1.0 - odds)
            for at, value in values:
                slope[at] += (wanted - odds) * value
                row = curve[at]
                for to, other in values:
                    row[to] += spread * value * other
        weights = [w + step for w, step in zip(weights, solved(curve, slope), strict=True)]
    return {name: round(weight, 2) for name, weight in zip(GROUNDS, weights, strict=True)}


def solved(matrix: Sequence[Sequence[float]], wanted: Sequence[float]) -> list[float]:
    """The solution of a system of linear equations that has one, by elimination."""
    rows = [[*row, value] for row, value in zip(matrix, wanted, strict=True)]
    size = len(rows)
    for at in range(size):
        best = max(range(at, size), key=lambda row: abs(rows[row][at]))
        rows[at], rows[best] = rows[best], rows[at]
        for row in range(at + 1, size):
            factor = rows[row][at] / rows[at][at]
            if factor:
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[at], strict=True)]
    found = [0.0] * size
    for at in range(size - 1, -1, -1):
        rest = sum(rows[at][to] * found[to] for to in range(at + 1, size))
        found[at] = (rows[at][size] - rest) / rows[at][at]
    return found


def chosen(readings: Sequence[Example], scale: Confidence) -> tuple[Example, float]:
    """The reading that stands, and its probability."""
    given = [
        settling.Reading(each.frames, each.rules, each.grounds, scale.of(each.grounds)) for each in readings
    ]
    best = settling.preferred(given[0], given[1:], scale, sure=readings[0].sure)
    return next(each for each in readings if each.grounds is best.grounds), best.probability


def is_kept(example: Example, odds: float) -> bool:
    """The rules vouch for it, and no learned reading contradicts them."""
    contradicted = len(example.frames) == 1 and example.grounds.get("differ", 0.0) > 0
    return example.sure and (not contradicted or odds >= KEEP)


def curve(picks: Sequence[tuple[Example, float]]) -> Iterator[tuple[float, float, float]]:
    """The curve of coverage against error: by the threshold of what the rules do not vouch for, the shares of
    lines that are right and sure, and wrong and sure. Talk that is left alone needs no
    threshold and is in neither."""
    count = len(picks)
    acted = [(odds, example) for example, odds in picks if not example.empty and example.may]
    kept = [example for odds, example in acted if is_kept(example, odds)]
    right = sum(example.right for example in kept)
    wrong = len(kept) - right
    sure = sorted(((odds, e.right) for odds, e in acted if not is_kept(e, odds)), reverse=True)
    for odds, good in sure:
        right += good
        wrong += not good
        yield odds, right / count, wrong / count


def chosen_threshold(picks: Sequence[tuple[Example, float]]) -> float:
    """The lowest threshold at which at most `MOST_WRONG` of the lines are acted on wrongly; 1 where there is
    none."""
    return min((odds for odds, _, wrong in curve(picks) if wrong <= MOST_WRONG), default=1.0)


def thresholds(picks: Sequence[tuple[Example, float]], default: float) -> Mapping[str, float]:
    """By act the threshold: the common one, higher for an act of which too many lines would be wrong."""
    found = {"other": round(default, 3)}
    for act in sorted({example.act for example, _ in picks if not example.empty}):
        own = [(odds, e.right) for e, odds in picks if e.act == act and not e.empty and e.may]
        raised = default
        for odds, _ in sorted(own):
            above = [good for other, good in own if other >= raised]
            if not above or above.count(False) / len(above) <= MOST_WRONG_OF_AN_ACT:
                break
            raised = max(raised, odds + 0.0005)
        found[act] = round(raised, 3)
    return found


MOST_WRONG_OF_AN_ACT = 0.05
"""The share of the sure readings of one act that may be wrong, on the few rows that calibrate it."""
KEEP = 0.8
"""What the rules vouch for stays sure above it."""
ASK = 0.6
"""A learned reading that is less probable than this is not worth a question."""


def learn_confidence(
    acts: Mapping[int, Sequence[int]], borders: Mapping[int, Sequence[int]]
) -> tuple[Confidence, list[tuple[Example, float]]]:
    """The confidence that goes with a judge and a tagger, and what it picks on the rows that calibrate it."""
    weights = learn_weights(crossed_examples())
    blank = Confidence(weights, {"other": 1.0}, KEEP, ASK)
    with using(acts, borders):
        rows = examples([row for row in said_rows() if row.part == CALIBRATES])
    picks = [chosen(each, blank) for each in rows]
    act = thresholds(picks, chosen_threshold(picks))
    return Confidence(weights, act, KEEP, ASK), picks


def as_toml(scale: Confidence) -> str:
    """The file of a confidence."""
    weights = "\n".join(f"{name} = {value}" for name, value in scale.weights.items())
    act = "\n".join(f'"{name}" = {value}' for name, value in scale.act.items())
    head = (
        "# Made by `python -m training` (docs/language.md): weights of the grounds of a reading, and the\n"
        "# probabilities from which it is acted on.\n"
    )
    return f"{head}ask = {scale.ask}\nkeep = {scale.keep}\n\n[act]\n{act}\n\n[weights]\n{weights}\n"
