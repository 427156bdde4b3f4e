"""No pattern of ours takes longer than its text: every one that is compiled is walked (`pattern_paths`)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from pattern_paths import Fault, faults

BOUNDED = {
    "plugins/nonebot_plugin_mishu/language/cards/grammar.py": "`LONGEST_ORDER` characters of an answer",
    "plugins/nonebot_plugin_mishu/language/cards/only.py": "`LONGEST_ORDER` characters of an answer",
    "plugins/nonebot_plugin_mishu/language/text/edges.py": "`edges.REACH` tokens at an end of a name",
    "plugins/nonebot_plugin_mishu/language/repairs/canonical.py": "400 characters of a message, and no row "
    "has more than two such neighbours",
    "plugins/nonebot_plugin_mishu/language/forms/forms.py": "`MOST` tokens of a clause: two free stretches "
    "may stand side by side",
    "plugins/nonebot_plugin_mishu/language/ledger/pieces.py": "`pieces.LONGEST` characters of a line, and no "
    "row backtracks more than its square",
}
"""Files whose patterns may have neighbouring repeats that share characters, and what bounds the text."""
_COLLECTOR = Path(__file__).with_name("collect_patterns.py")


@pytest.mark.parametrize(
    ("pattern", "fault"),
    [
        ("(?:刚刚|刚)*", Fault.EXPONENTIAL),
        ("(?:那么|那就|那|就)+x", Fault.EXPONENTIAL),
        ("(?:嗯+|好)*$", Fault.EXPONENTIAL),
        ("(?:a+b?)*", Fault.EXPONENTIAL),
        ("(?:ab|a|b)*?c", Fault.EXPONENTIAL),
        ("x(?=(?:a|aa)*y)", Fault.EXPONENTIAL),
        ("(?>(?:a|aa)*y)", Fault.EXPONENTIAL),
        ("(?:[a-c]|(b))*", Fault.EXPONENTIAL),
        ("(?:a?b?)*", Fault.NOTHING),
        ("(?:a*)*", Fault.NOTHING),
        ("a*a*", Fault.ADJACENT),
        ("a*(?:ab*){1,9}a*x", Fault.ADJACENT),
        (r"\s*,?\s*", Fault.ADJACENT),
        (".*a.*", Fault.QUADRATIC),
    ],
)
def test_what_backtracks_is_found(pattern: str, fault: Fault) -> None:
    assert fault in faults(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        "(?:刚刚|刚)*+(?:刚|就)*+",
        "(?>刚刚|刚)*x",
        "(?:刚|那)*x",
        "(?:a+b)*",
        "a*+a*",
        "[a-c]*[d-e]*",
        "(?:ab|abc|cd)*",
        r"(.)\1+",
        "(?:扣|税后|后|扣税(?!后))*",
        "(?:错哦*+)*",
    ],
)
def test_what_does_not_is_not(pattern: str) -> None:
    assert faults(pattern) == {}


@pytest.mark.parametrize("pattern", ["a{0,12}?a*", "[ ,]{0,4}a?[ ,]*$"])
def test_what_is_bounded_is_no_neighbour(pattern: str) -> None:
    assert Fault.ADJACENT not in faults(pattern)


@pytest.fixture(scope="module")
def patterns() -> list[tuple[str, str, int]]:
    """Collected in a process of its own: this one has imported, and compiled, what it needs already."""
    run = subprocess.run([sys.executable, str(_COLLECTOR)], capture_output=True, text=True, check=True)
    found = json.loads(run.stdout.rpartition("\n")[2] or run.stdout.strip().rpartition("\n")[2])
    assert len(found) > 1500, "the collector does not see all of them"
    return found


@pytest.mark.exhaustive
def test_no_pattern_backtracks(patterns: list[tuple[str, str, int]]) -> None:
    bad = [
        f"{place}: {fault.value}, for instance {example!r} again and again: {pattern[:100]}"
        for place, pattern, flags in patterns
        for fault, example in faults(pattern, flags).items()
        if fault in (Fault.EXPONENTIAL, Fault.NOTHING)
        or (fault is Fault.ADJACENT and place.partition(":")[0] not in BOUNDED)
    ]
    assert not bad, "\n".join(bad)
