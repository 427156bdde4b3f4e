"""Sentences in a model's own words: what is true passes, nothing that is invented does."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from nonebot_plugin_mishu.language.lines.check import Sentence, check
from nonebot_plugin_mishu.language.lines.line import RecordLine
from nonebot_plugin_mishu.language.text.fold import normalise
from paraphrases import GROUPS, UNSEEN, Group

DAY = datetime(2026, 5, 20, tzinfo=ZoneInfo("Asia/Shanghai"))
"""A Wednesday."""


def span(script: str) -> list[RecordLine]:
    lines: list[RecordLine] = []
    for number, row in enumerate(script.strip().splitlines(), start=1):
        clock, rest = row.split(" ", 1)
        name, text = rest.split(": ", 1)
        at = DAY.replace(hour=int(clock[:2]), minute=int(clock[3:]))
        lines.append(RecordLine(str(number), at, f"u-{name}", name, normalise(text)))
    return lines


def judged(groups: Sequence[Group], *, true: bool) -> tuple[list[str], list[str]]:
    """What passed and what was dropped, with why."""
    passed: list[str] = []
    dropped: list[str] = []
    for name, script, right, wrong in groups:
        lines = span(script)
        for text, numbers in right if true else wrong:
            verdict = check(Sentence("talk", text, tuple(str(each) for each in numbers)), lines)
            told = f"{name} {verdict.why}: {text}"
            (passed if verdict.sentence is not None else dropped).append(told)
    return passed, dropped


def test_no_invention_passes() -> None:
    passed, dropped = judged([*GROUPS, *UNSEEN], true=False)
    assert len(passed) + len(dropped) >= 60
    assert passed == []


def test_true_paraphrases_pass() -> None:
    passed, dropped = judged(GROUPS, true=True)
    assert len(passed) + len(dropped) >= 60
    assert len(passed) >= 0.9 * (len(passed) + len(dropped)), "\n".join(dropped)


def test_of_talk_nobody_looked_at_most_of_what_is_true_passes() -> None:
    passed, dropped = judged(UNSEEN, true=True)
    assert len(passed) >= 0.65 * (len(passed) + len(dropped)), "\n".join(dropped)
