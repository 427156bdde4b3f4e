"""Buttons beside a reply that asks: the words that answer it, for platforms that have buttons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..agents.api.dispatch import Ask
from ..agents.drafting.snapshots import BATCH
from ..agents.schedule.answering import expects as schedule_expects
from ..agents.tasks.answering import expects as tasks_expect
from ..storage.records import FrameRecord

YES_OR_NO: Final = ("确认", "不用")
DECIDES: Final = ("同意", "驳回")
MOST: Final = 10
"""Numbered options that get a button each."""


def answers_to(asked: Sequence[FrameRecord]) -> tuple[str, ...]:
    """The words on the buttons; none where two things are asked, or where the answer is free."""
    if len(asked) != 1:
        return ()
    slots = asked[0].slots
    ask = Ask.of_slots(slots)
    if ask is not None and ask.options:
        return _numbers(len(ask.options))
    if ask is not None and ask.act is not None:
        return DECIDES if ask.act == "approve" else YES_OR_NO
    if slots.get(BATCH) is not None:
        return YES_OR_NO
    for expects in (tasks_expect, schedule_expects):
        if (count := expects(asked[0])) is not None:
            return _numbers(count) if count else YES_OR_NO
    return ()


def _numbers(count: int) -> tuple[str, ...]:
    return tuple(str(number) for number in range(1, min(count, MOST) + 1))
