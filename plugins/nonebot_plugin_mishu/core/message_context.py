"""One message in work: its speaker's plan, the reply so far, and the running gate."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from ..agents import Action, AgentFrame, Clause, Request, Situation, Utterance
from ..agents.api.builtin_codes import ROUTING
from ..language.polls.poll import OpenPoll
from ..storage.records import Conversation, FrameRecord
from ..truth.reply_length import cut_reply
from .answers.alignment import Quote
from .protocols import Judged
from .safety.gate import Verdict
from .tasks.orchestrator import CHAT, TaskPlan


class Vetoed(Exception):
    """The gate's verdict on a message is not SAFE: its work ends, and nothing of it is stored."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict.verdict)
        self.verdict = verdict


@dataclass(slots=True)
class MessageContext:
    """One message on its way through the core. Lives as long as its request."""

    request: Request
    said: Utterance
    situation: Situation
    plan: TaskPlan
    keeps: bool = True
    """Its tasks are kept in M3; unrequested talk is not."""
    asked_here: tuple[FrameRecord, ...] = ()
    """Tasks of other members here whose question is put to the speaker."""
    quotes_over: bool = False
    """It quotes a question of ours that is over."""
    open_here: tuple[FrameRecord, ...] = ()
    """Other members' tasks here that concern the speaker as well (a shared bill)."""
    polls: tuple[OpenPoll, ...] = ()
    """Polls that the line may answer, where it answers no open question of its speaker's."""
    clearance: asyncio.Task[Judged] | None = None
    """The gate, running beside. No handler but chat's starts, and nothing is kept, before it is done."""
    clauses: dict[str, Clause] = field(default_factory=dict[str, Clause])
    frames: dict[str, AgentFrame] = field(default_factory=dict[str, AgentFrame])
    """By task: what its agent read in its clause; of what a model took it for it is read when it runs."""
    unsure: set[str] = field(default_factory=set[str])
    """Tasks whose reading is not sure."""
    asks_back: set[str] = field(default_factory=set[str])
    """Unsure tasks without a model's help: their agents ask before they write."""
    needs_yes: set[str] = field(default_factory=set[str])
    """Tasks of which the line is no plain order (a report, a guess, a request for leave): nothing is written
    before a yes, whoever read it."""
    partial: bool = False
    """The message holds more than one task."""
    mine: set[str] = field(default_factory=set[str])
    """Tasks that this message brought."""
    unkept: set[str] = field(default_factory=set[str])
    """Tasks that are not on disk yet."""
    parts: list[str] = field(default_factory=list[str])
    """Parts of the reply, in order."""
    asked: list[str] = field(default_factory=list[str])
    touched: list[str] = field(default_factory=list[str])
    """Dispatched or ended tasks, in order."""
    told: dict[str, str] = field(default_factory=dict[str, str])
    """By task: its part of the reply."""
    reasons: list[str] = field(default_factory=list[str])
    actions: list[Action] = field(default_factory=list[Action])
    looked: bool = False
    """Kept data were queried."""
    tells_waiting: bool = False
    """The answer from kept data tells itself what waits for a yes."""
    pictures: list[bytes] = field(default_factory=list[bytes])
    spoken: bool = False
    """The reply may also be spoken."""
    quiet: bool = False
    """A handler did its work and has nothing to say, though the line is answered."""
    signs: list[str] = field(default_factory=list[str])
    """Parts for which a sign on the member's line would do."""
    anew: str | None = None
    """An order that waited for the answer that the line gave: read anew behind it."""
    passed_on: bool = False
    """A handler returned the line as not about its task: it is read anew."""

    def bring(self, task_id: str, clause: Clause, frame: AgentFrame | None) -> None:
        """A new task of this message; `frame` is what its agent's rules read."""
        self.clauses[task_id] = clause
        if frame is not None:
            self.frames[task_id] = frame
        self.mine.add(task_id)
        self.unkept.add(task_id)

    @property
    def conversation(self) -> Conversation:
        """Conversation of the message."""
        return self.request.conversation

    @property
    def user_id(self) -> str:
        """Acting member."""
        return self.said.user_id

    @property
    def called(self) -> bool:
        """True if the message is said to us by name."""
        return self.request.reply_mode == "forced"

    async def cleared(self) -> Judged:
        """Wait for the gate. Raises `Vetoed` where it does not say SAFE."""
        if self.clearance is None:
            return Judged()
        judged = await asyncio.shield(self.clearance)
        if judged.verdict.verdict != "SAFE":
            raise Vetoed(judged.verdict)
        return judged

    def say(self, task: FrameRecord | None, text: str | None, *, asks: bool = False) -> None:
        """Add to the reply. `asks`: it holds the task's question.

        What is not our own code's, a model's words or another plugin's, is cut to what may be sent.
        """
        if not text or not text.strip():
            return
        if task is not None and task.agent_code not in ROUTING:
            text = cut_reply(text.strip())
        self.parts.insert(self._place(task), text.strip())
        if task is not None:
            self.told[task.task_id] = text.strip()
            if asks and task.task_id not in self.asked:
                self.asked.append(task.task_id)

    def _place(self, task: FrameRecord | None) -> int:
        """Index of a part: at the end, but before talk that stands at the end."""
        if task is None or task.agent_code != CHAT or task.task_id not in self.mine:
            return len(self.parts)
        for one in self.plan.tasks:
            later = one.task_id in self.mine and one.place > task.place
            if later and (said := self.told.get(one.task_id)) in self.parts:
                return self.parts.index(said)
        return len(self.parts)


def quote_of(job: MessageContext) -> Quote | None:
    """The quoted message, as alignment uses it."""
    quoted = job.said.quoted
    if quoted is None:
        return None
    # What another plugin said through our account is none of ours.
    return Quote(quoted.message_id, "" if job.quotes_over else quoted.text, quoted.is_bot)
