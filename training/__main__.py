"""`python -m training`: learn the judges' weights; `--check`: whether the committed ones are what comes
out."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence

from nonebot_plugin_mishu.text.windows import score

from .judges import JUDGES, Judge
from .learning import learn
from .sentences import Sentence, read_sentences

BARS = (-2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5)


def main(arguments: Sequence[str]) -> int:
    """0; 1 where the check finds other weights; 2 for unknown arguments."""
    if list(arguments) not in ([], ["--check"]):
        print("python -m training [--check]", file=sys.stderr)
        return 2
    wrong = 0
    for judge in JUDGES:
        sentences = read_sentences(judge)
        weights = learn([each for each in sentences if not each.held_out], judge.buckets)
        report(judge, sentences, weights)
        if not arguments:
            judge.weights.write_bytes(weights.tobytes())
        elif judge.weights.read_bytes() != weights.tobytes():
            wrong = 1
            told = f"{judge.weights.name} is not what the sentences give: run `python -m training`"
            print(told, file=sys.stderr)
    return wrong


def report(judge: Judge, sentences: Sequence[Sentence], weights: array[int]) -> None:
    """What a judge makes of the sentences held out, by where its bar stands and by subject."""
    held = [(each, score(each.buckets, weights)) for each in sentences if each.held_out]
    wanted = [value for each, value in held if each.wanted]
    other = [value for each, value in held if not each.wanted]
    print(
        f"{judge.name}: {len(sentences)} sentences; held out {len(wanted)} to be found, {len(other)} others"
    )
    print("bar     found above   others above")
    for bar in BARS:
        mark = " *" if bar == judge.bar else ""
        print(f"{bar:4}   {_above(wanted, bar):>12}   {_above(other, bar):>12}{mark}")
    for subject in sorted({each.subject for each, _ in held}):
        values = [value for each, value in held if each.subject == subject]
        print(f"  {subject:28} above {judge.bar}: {_above(values, judge.bar)} of {len(values)}")


def _above(values: Sequence[float], bar: float) -> str:
    return f"{100 * sum(value > bar for value in values) / max(1, len(values)):.2f} %"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
