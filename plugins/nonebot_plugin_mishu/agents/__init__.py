"""Agents: what does the work, and the interface every one of them is written against.

A folder each (`chat` …). An agent is an `AgentSpec`: the core reads messages by its rules, hands its
handler a `TaskDispatch` with an `Errand` beside it, and gets a `TaskResult` back. Agents know neither the
secretary nor the core. Other NoneBot plugins register theirs with `register_agent` (docs/agents.md).
"""

from ..storage.records import FrameRecord
from .clause import Bound, Clause, Match, Mention, Situation
from .dispatch import Priority, TaskDispatch, TaskResult, TaskStatus
from .errand import Actor, Errand
from .frame import AgentFrame, SlotFrame, frame_of
from .judgement import DEFAULT, Judgement
from .ports import Announcer, Handed, NotAnnounced
from .registry import REGISTRY, AgentRefused, Joined, Registry, register_agent
from .request import Action, Outcome, Request, Status, Utterance, Way
from .spec import AgentSpec, Intent, MemoryPolicy, Slot

__all__ = [
    "DEFAULT",
    "REGISTRY",
    "Action",
    "Actor",
    "AgentFrame",
    "AgentRefused",
    "AgentSpec",
    "Announcer",
    "Bound",
    "Clause",
    "Errand",
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
    "Request",
    "Situation",
    "Slot",
    "SlotFrame",
    "Status",
    "TaskDispatch",
    "TaskResult",
    "TaskStatus",
    "Utterance",
    "Way",
    "frame_of",
    "register_agent",
]
