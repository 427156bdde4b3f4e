"""Judges to train: for each its files of sentences, its features, and the file of its weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from nonebot_plugin_mishu.language.claims import judge as claims
from nonebot_plugin_mishu.language.claims.reading import features_of
from nonebot_plugin_mishu.language.learned import sums
from nonebot_plugin_mishu.language.learned.windows import features
from nonebot_plugin_mishu.language.recognise.money import find_amounts
from nonebot_plugin_mishu.language.recognise.times import parse
from nonebot_plugin_mishu.language.text.fold import normalise

from .learning import Pace

HERE = Path(__file__).parent / "sentences"


@dataclass(frozen=True)
class Judge:
    """One model. `found` and `other` are the files of what it is to find and of everything else."""

    name: str
    found: tuple[str, ...]
    other: tuple[str, ...]
    features: Callable[[str], Sequence[int]]
    """Features of a sentence."""
    buckets: int
    weights: Path
    bar: float
    """Scores above it are found."""
    pace: Pace
    holds: Callable[[str], bool] = bool
    """Filter of the lines of its files."""


ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 18, 10, 0, tzinfo=ZONE)
"""When the sentences are said: their times are masked, so that nothing depends on it but what is a time."""


def _sums(sentence: str) -> Sequence[int]:
    text = normalise(sentence)
    masked = sums.masked(text, parse(text, NOW, ZONE), find_amounts(text), NOW.date())
    return features(masked, sums.BUCKETS)


def _has_a_sum(sentence: str) -> bool:
    return bool(find_amounts(normalise(sentence)))


_BUSINESS = ("asking", "changes", "finishing", "joining", "reminders", "schedules_new", "tasks_new")
JUDGES = (
    Judge(
        *(
            "sums",
            ("moved/*", "orders/told_sums"),
            ("unmoved/*", "talk/*", *(f"orders/{x}" for x in _BUSINESS)),
        ),
        *(_sums, sums.BUCKETS, sums.WEIGHTS, sums.MOVED_ABOVE, Pace(), _has_a_sum),
    ),
    Judge(
        *("claims", ("claims/*",), ("harmless/*",)),
        *(features_of, claims.BUCKETS, claims.WEIGHTS, claims.CLAIMS_ABOVE, Pace(20, 0.03, 0.2)),
    ),
)
