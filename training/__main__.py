"""`python -m training`: learn the weights of the judges, the tagger and the confidence; `--check`: whether
the committed ones are what comes out."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from nonebot_plugin_mishu.core.decision import confidence
from nonebot_plugin_mishu.language.learned import judge, tagger
from nonebot_plugin_mishu.language.learned.linear import encode_model
from nonebot_plugin_mishu.language.learned.windows import score

from .judges import JUDGES, Judge
from .learning import learn
from .material import learned_lines
from .sentences import Sentence, read_sentences
from .trust import Example, as_toml, curve, learn_confidence, learn_from

BARS = (-1.0, -0.5, -0.2, 0.0, 0.1, 0.2, 0.3, 0.5, 1.0, 1.5)
SHOWN = (0.001, 0.0025, 0.005, 0.0075, 0.01, 0.02, 0.03, 0.05, 0.1)
"""Shares of lines that are wrong and sure at which the curve is printed."""


def main(arguments: Sequence[str]) -> int:
    """0; 1 where the check finds other weights; 2 for unknown arguments."""
    if list(arguments) not in ([], ["--check"]):
        print("python -m training [--check]", file=sys.stderr)
        return 2
    wrong = 0
    for file, content in (*_judges(), *_reading(trusted=not arguments)):
        if not arguments:
            file.write_bytes(content)
        elif file.read_bytes() != content:
            wrong = 1
            print(f"{file.name} is not what the sentences give: run `python -m training`", file=sys.stderr)
    return wrong


def _judges() -> Iterator[tuple[Path, bytes]]:
    for each in JUDGES:
        sentences = read_sentences(each)
        weights = learn([one for one in sentences if not one.held_out], each.buckets, each.pace)
        report(each, sentences, weights)
        yield each.weights, weights.tobytes()


def _reading(*, trusted: bool) -> Iterator[tuple[Path, bytes]]:
    """The judge of acts, the tagger, and, `trusted`, how far readings made with them are to be trusted.

    That follows from every rule of every agent, so it is not compared to the byte: `tests/corpus` holds its
    figures.
    """
    acts, borders = learn_from(learned_lines())
    yield judge.WEIGHTS, encode_model(acts, judge.LANES)
    yield tagger.WEIGHTS, encode_model(borders, len(tagger.LABELS))
    if not trusted:
        return
    scale, picks = learn_confidence(acts, borders)
    report_curve(picks, scale.weights)
    yield confidence.FILE, as_toml(scale).encode()


def report_curve(picks: Sequence[Example], weights: Mapping[str, float]) -> None:
    """Coverage against error on the rows that calibrate."""
    talk = sum(example.empty and example.right for example in picks) / len(picks)
    right = sum(example.right for example in picks) / len(picks)
    print(f"readings: {len(picks)} rows that calibrate; right {right:.1%}; talk left alone {talk:.1%}")
    print("wrong and sure   right and sure, talk included   threshold")
    points = list(curve(picks, weights))
    for most in SHOWN:
        within = [point for point in points if point[2] <= most]
        if within:
            odds, good, bad = max(within, key=lambda point: point[1])
            print(f"{bad:14.2%}   {good + talk:30.1%}   {odds:9.3f}")


def report(judge_: Judge, sentences: Sequence[Sentence], weights: array[int]) -> None:
    """Print a judge's scores on the sentences held out, by threshold and by subject."""
    held = [(each, score(each.buckets, weights)) for each in sentences if each.held_out]
    wanted = [value for each, value in held if each.wanted]
    other = [value for each, value in held if not each.wanted]
    print(
        f"{judge_.name}: {len(sentences)} sentences; held out {len(wanted)} to be found, {len(other)} others"
    )
    print("bar     found above   others above")
    for bar in BARS:
        mark = " *" if bar == judge_.bar else ""
        print(f"{bar:4}   {_above(wanted, bar):>12}   {_above(other, bar):>12}{mark}")
    for subject in sorted({each.subject for each, _ in held}):
        values = [value for each, value in held if each.subject == subject]
        print(f"  {subject:28} above {judge_.bar}: {_above(values, judge_.bar)} of {len(values)}")


def _above(values: Sequence[float], bar: float) -> str:
    return f"{100 * sum(value > bar for value in values) / max(1, len(values)):.2f} %"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
