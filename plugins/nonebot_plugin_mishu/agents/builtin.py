"""The built-in agents as far as they only read: code, rules and slots, without a handler. Pure.

For whatever looks at a sentence and does nothing: `explain`, replay tables, benchmarks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from ..language.clause import Clause
from ..language.match import Match
from .announcements.rules import claims as announcement_claims
from .announcements.rules import rules as announcement_rules
from .api.builtin_codes import ACTS, ROUTING
from .api.frame import NOTHING_READ, AgentFrame, ReadFrame
from .bookkeeping.reader import read as read_bookkeeping
from .bookkeeping.rules import rules as bookkeeping_rules
from .nudges.reader import read as read_nudge
from .nudges.rules import claims as nudge_claims
from .nudges.rules import rules as nudge_rules
from .polls.reader import read as read_poll
from .polls.rules import claims as poll_claims
from .polls.rules import rules as poll_rules
from .record.rules import claims as record_claims
from .record.rules import read as read_record
from .record.rules import rules as record_rules
from .schedule.overhearing import listens, overhears
from .schedule.reader import read as read_schedule
from .schedule.rules import claims as schedule_claims
from .schedule.rules import rules as schedule_rules
from .tasks.reader import read as read_task
from .tasks.rules import claims as task_claims
from .tasks.rules import rules as task_rules
from .term.rules import claims as term_claims
from .term.rules import rules as term_rules


def read_nothing(intent: str, clause: Clause) -> AgentFrame:
    """Reader of agents without slots."""
    return NOTHING_READ


@dataclass(frozen=True, slots=True)
class ReadingAgent:
    """The pure half of an agent; the fields are those of its `AgentSpec`."""

    code: str
    rules: Callable[[Clause], Match | None]
    read: ReadFrame = read_nothing
    merges: bool = False
    acts: Mapping[str, str] = field(default_factory=dict[str, str])
    listens: Callable[[str], bool] | None = None
    overhears: Callable[[Clause], bool] | None = None
    claims: Callable[[Clause], Match | None] | None = None


_BUILTIN: Final = (
    ReadingAgent(
        "schedule",
        schedule_rules,
        read_schedule,
        acts=ACTS["schedule"],
        listens=listens,
        overhears=overhears,
        claims=schedule_claims,
    ),
    ReadingAgent("tasks", task_rules, read_task, acts=ACTS["tasks"], claims=task_claims),
    ReadingAgent("bookkeeping", bookkeeping_rules, read_bookkeeping, merges=True, acts=ACTS["bookkeeping"]),
    ReadingAgent("record", record_rules, read_record, acts=ACTS["record"], claims=record_claims),
    ReadingAgent("polls", poll_rules, read_poll, acts=ACTS["polls"], claims=poll_claims),
    ReadingAgent("announcements", announcement_rules, acts=ACTS["announcements"], claims=announcement_claims),
    ReadingAgent("nudges", nudge_rules, read_nudge, acts=ACTS["nudges"], claims=nudge_claims),
    ReadingAgent("term", term_rules, acts=ACTS["term"], claims=term_claims),
)
_BY_CODE: Final = {each.code: each for each in _BUILTIN}


def builtin_rules() -> tuple[ReadingAgent, ...]:
    """The pure halves of the built-in agents, in routing order. Raises `KeyError` for a code of `ROUTING`
    without an agent here."""
    return tuple(_BY_CODE[code] for code in ROUTING)
