"""Agents: what does the work, and the interface every one of them is written against.

A folder each (`chat` …). An agent is an `AgentSpec`: the core reads messages by its rules, hands its
handler a `TaskDispatch` with a `TaskContext` beside it, and gets a `TaskResult` back. Agents know neither the
secretary nor the core. Other NoneBot plugins register theirs with `register_agent` (docs/agents.md).
"""

from ..language.clause import Clause, Mention, Situation
from ..language.match import AnswerMatch, Match
from ..storage.records import FrameRecord
from .dispatch import Priority, TaskDispatch, TaskResult, TaskStatus
from .frame import AgentFrame, SlotFrame, frame_of
from .judgement import DEFAULT, Judgement
from .ports import Announcer, Handed, NotAnnounced
from .registry import REGISTRY, AgentRefused, Joined, Registry, register_agent
from .request import Action, Outcome, ReplyMode, Request, Status, Utterance
from .spec import AgentSpec, Intent, MemoryPolicy, Slot
from .task_context import Asker, TaskContext

__all__ = [
    "DEFAULT",
    "REGISTRY",
    "Action",
    "AgentFrame",
    "AgentRefused",
    "AgentSpec",
    "Announcer",
    "AnswerMatch",
    "Asker",
    "Clause",
    "FrameRecord",
    "Handed",
    "Intent",
    "Joined",
    "Judgement",
    "Match",
    "MemoryPolicy",
    "Mention",
    "NotAnnounced",
    "Outcome",
    "Priority",
    "Registry",
    "ReplyMode",
    "Request",
    "Situation",
    "Slot",
    "SlotFrame",
    "Status",
    "TaskContext",
    "TaskDispatch",
    "TaskResult",
    "TaskStatus",
    "Utterance",
    "frame_of",
    "register_agent",
]
