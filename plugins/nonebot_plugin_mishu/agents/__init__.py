"""Agents: what does the work, and the interface every one of them is written against.

A folder each (`chat` …). An agent is an `AgentSpec`: the core reads messages by its rules, hands its
handler a `TaskDispatch` with a `TaskContext` beside it, and gets a `TaskResult` back. Agents know neither the
secretary nor the core. Other NoneBot plugins register theirs with `register_agent` (docs/agents.md).
"""

from ..language.answers.slot_values import amount_in, clock_in, day_in, member_in, number_in
from ..language.clause import Clause, KeptThing, LastDone, Mention, SaidBefore, Situation
from ..language.match import AnswerMatch, Match
from ..language.polls.poll import OpenPoll
from ..language.recognise.money import Amount
from ..language.recognise.times import Recurrence, TimeExpression
from ..llm import CallLog, ChatMessage, Deadline
from ..storage.records import Conversation, FrameRecord, LedgerMessage
from .api.dispatch import Ask, Priority, TaskDispatch, TaskResult, TaskStatus
from .api.frame import AgentFrame, SlotFrame, frame_of
from .api.judgement import DEFAULT, Judgement
from .api.ports import Announcer, Handed, NotAnnounced
from .api.registry import REGISTRY, AgentRefused, RegisteredAgents, Registry, register_agent
from .api.request import Action, Outcome, ReplyMode, Request, Status, Utterance
from .api.spec import Act, AgentSpec, Intent, MemoryPolicy, Slot, Undo
from .api.task_context import Asker, TaskContext, Undoable

__all__ = [
    "DEFAULT",
    "REGISTRY",
    "Act",
    "Action",
    "AgentFrame",
    "AgentRefused",
    "AgentSpec",
    "Amount",
    "Announcer",
    "AnswerMatch",
    "Ask",
    "Asker",
    "CallLog",
    "ChatMessage",
    "Clause",
    "Conversation",
    "Deadline",
    "FrameRecord",
    "Handed",
    "Intent",
    "Judgement",
    "KeptThing",
    "LastDone",
    "LedgerMessage",
    "Match",
    "MemoryPolicy",
    "Mention",
    "NotAnnounced",
    "OpenPoll",
    "Outcome",
    "Priority",
    "Recurrence",
    "RegisteredAgents",
    "Registry",
    "ReplyMode",
    "Request",
    "SaidBefore",
    "Situation",
    "Slot",
    "SlotFrame",
    "Status",
    "TaskContext",
    "TaskDispatch",
    "TaskResult",
    "TaskStatus",
    "TimeExpression",
    "Undo",
    "Undoable",
    "Utterance",
    "amount_in",
    "clock_in",
    "day_in",
    "frame_of",
    "member_in",
    "number_in",
    "register_agent",
]
