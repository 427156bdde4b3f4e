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
from nonebot_plugin_mishu.core.decision import reader, settling
from nonebot_plugin_mishu.core.decision.confidence import GROUNDS, Confidence, act_of
from nonebot_plugin_mishu.core.decision.reading import MessageReading
from nonebot_plugin_mishu.language.addressing.called_names import uncalled
from nonebot_plugin_mishu.language.clause import Situation
from nonebot_plugin_mishu.language.clauses.segments import message
from nonebot_plugin_mishu.language.learned import judge, tagger
from nonebot_plugin_mishu.language.learned.linear import LinearModel, packed
from nonebot_plugin_mishu.language.recognise.times import parse

from benchmarks.corpus import CORPUS, Row
from benchmarks.understanding import NAMES, NOW, ZONE, judged
from bot.explain.reading import shown_frames
from bot.explain.world import World, world

from .acts import learn_acts
from .borders import learn_borders
from .material import CALIBRATES, Line, judged_rows, learned_lines

STEPS, COST = 8, 2.0
BLANK = Confidence({}, {"other": 1.0}, 1.0, 0.0, 0.0)
MOST_WRONG = 0.025
"""The share of lines that may be acted on wrongly."""


@dataclass(frozen=True)
class Example:
    """One reading of a row, and whether it is right."""

    row: Row
    reading: settling.CandidateReading
    right: bool
    empty: bool
    """There is nothing to do in it."""
    vouched: bool
    """The rules are sure of theirs."""
    complete: bool
    """They left nothing of the line out."""

    @property
    def grounds(self) -> Mapping[str, float]:
        """Evidence for and against the reading."""
        return self.reading.grounds

    @property
    def act(self) -> str:
        """By which threshold it is judged."""
        return act_of(self.reading.frames[0])

    def with_odds(self, scale: Confidence) -> Example:
        """The same, as probable as the scale says."""
        return replace(self, reading=replace(self.reading, probability=scale.of(self.grounds)))

    def is_sure(self, scale: Confidence) -> bool:
        """True if the reading would be acted on."""
        return not self.empty and settling.is_sure(
            self.reading, scale, vouched=self.vouched, complete=self.complete
        )


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
            found += examples([row for row in judged_rows() if row.part == part])
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
    found, complete = reader.read_by_rules(said, pieces, agents)
    if not settling.is_comparable(found, said):
        return []
    result: list[Example] = []
    times = [each.as_json() for each in parse(row.say, NOW, ZONE)]
    for each in settling.list_readings(found, said, agents, BLANK):
        frames = tuple(replace(frame, sure=True) for frame in each.frames)
        shown = shown_frames(row.say, text, situation, MessageReading(frames, sure=True), known or World())
        verdict = judged(row, {"frames": shown, "sure": True, "times": times})
        empty = all(frame.agent_code == "chat" for frame in frames)
        result.append(Example(row, each, verdict.kind == "right", empty, found.sure, complete))
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


def chosen(readings: Sequence[Example], scale: Confidence) -> Example:
    """The reading that stands, with its probability."""
    first, *others = (each.with_odds(scale) for each in readings)
    best = settling.preferred(first.reading, [each.reading for each in others], scale, sure=first.vouched)
    return next(each for each in (first, *others) if each.reading is best)


def shares(picks: Sequence[Example], scale: Confidence) -> tuple[float, float]:
    """The shares of lines that are right and sure, and wrong and sure. Talk that is left alone is in
    neither."""
    sure = [example.right for example in picks if example.is_sure(scale)]
    return sure.count(True) / len(picks), sure.count(False) / len(picks)


def curve(picks: Sequence[Example], weights: Mapping[str, float]) -> Iterator[tuple[float, float, float]]:
    """The curve of coverage against error: by the threshold of what the rules do not vouch for, the shares of
    lines that are right and sure, and wrong and sure."""
    for step in range(99, 59, -1):
        act = step / 100
        yield act, *shares(picks, Confidence(weights, {"other": act}, min(act, KEEP), ASK, LEAVE))


def chosen_threshold(picks: Sequence[Example], weights: Mapping[str, float]) -> float:
    """The lowest threshold at which at most `MOST_WRONG` of the lines are acted on wrongly; 1 where there is
    none."""
    return min((act for act, _, wrong in curve(picks, weights) if wrong <= MOST_WRONG), default=1.0)


def thresholds(picks: Sequence[Example], default: float) -> Mapping[str, float]:
    """By act the threshold: the common one, higher for an act of which too many lines would be wrong."""
    found = {"other": round(default, 3)}
    for act in sorted({example.act for example in picks if not example.empty}):
        own = [(e.reading.probability, e.right) for e in picks if e.act == act and not e.empty]
        raised = default
        for odds, _ in sorted(own):
            above = [good for other, good in own if other >= raised]
            if not above or above.count(False) / len(above) <= MOST_WRONG_OF_AN_ACT:
                break
            raised = max(raised, min(odds + 0.0005, HIGHEST))
        found[act] = round(raised, 3)
    return found


HIGHEST = 0.96
"""No act's threshold is higher: the few rows beyond tell nothing."""
MOST_WRONG_OF_AN_ACT = 0.05
"""The share of the sure readings of one act that may be wrong, on the few rows that calibrate it."""
KEEP = 0.7
"""Probability above which a reading vouched for by the rules stays sure."""
LEAVE = 0.65
"""Probability of talk below which a line may be work after all."""
ASK = 0.6
"""A learned reading that is less probable than this is not worth a question."""


def learn_confidence(
    acts: Mapping[int, Sequence[int]], borders: Mapping[int, Sequence[int]]
) -> tuple[Confidence, list[Example]]:
    """The confidence that goes with a judge and a tagger, and what it picks on the rows that calibrate it."""
    weights = learn_weights(crossed_examples())
    blank = Confidence(weights, {"other": 1.0}, KEEP, ASK, LEAVE)
    with using(acts, borders):
        rows = examples([row for row in judged_rows() if row.part == CALIBRATES])
    picks = [chosen(each, blank) for each in rows]
    act = thresholds(picks, chosen_threshold(picks, weights))
    return Confidence(weights, act, KEEP, ASK, LEAVE), picks


def as_toml(scale: Confidence) -> str:
    """The file of a confidence."""
    weights = "\n".join(f"{name} = {value}" for name, value in scale.weights.items())
    act = "\n".join(f'"{name}" = {value}' for name, value in scale.act.items())
    head = (
        "# Made by `python -m training` (docs/language.md): weights of the grounds of a reading, and the\n"
        "# probabilities from which it is acted on.\n"
    )
    bars = f"ask = {scale.ask}\nkeep = {scale.keep}\nleave = {scale.leave}\n"
    return f"{head}{bars}\n[act]\n{act}\n\n[weights]\n{weights}\n"
