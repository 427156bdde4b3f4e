"""A model that lies about 200 scripted spans: none of its inventions passes, nearly all that is true does."""

from __future__ import annotations

from collections import Counter

from nonebot_plugin_mishu.language.lines.check import check
from record_support import scripted

SPANS = 200


def test_no_invention_passes() -> None:
    passed: list[str] = []
    tried: Counter[str] = Counter()
    for seed in range(SPANS):
        script = scripted(seed)
        for what, lie in script.lies:
            tried[what] += 1
            told = check(lie, script.lines).sentence
            if told is not None:
                cited = [line.text for line in script.lines if line.id in lie.lines]
                passed.append(f"{what}: {told.kind} {told.text} <- {cited}")
    assert len(tried) >= 12
    assert sum(tried.values()) > 20 * SPANS
    assert not passed, f"{len(passed)} of {sum(tried.values())}:\n" + "\n".join(passed[:30])


def test_what_is_true_passes() -> None:
    dropped: list[str] = []
    tried = 0
    for seed in range(SPANS):
        script = scripted(seed)
        for true in script.true:
            tried += 1
            verdict = check(true, script.lines)
            if verdict.sentence is None or verdict.sentence.kind != true.kind:
                cited = [line.text for line in script.lines if line.id in true.lines]
                dropped.append(f"{verdict.why}: {true.kind} {true.text} <- {cited}")
    assert tried > 8 * SPANS
    assert len(dropped) <= 0.05 * tried, f"{len(dropped)} of {tried}:\n" + "\n".join(dropped[:30])
