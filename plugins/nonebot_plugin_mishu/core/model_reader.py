"""A model's reading of a line: `parse_intents` with the world, and its frames in the rules' words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from ..agents import AgentSpec, AnswerMatch, Clause
from ..language.clauses.order_words import speaks_of_reminding
from ..llm import ModelClient, ModelError
from ..storage import StorageError
from ..storage.records import FrameRecord
from .decision.model.completed import completed
from .decision.model.reading import ModelReading, ParseRequest, parse_intents
from .decision.model.restated import restate_frame, restate_list, restate_together, said_of_card
from .decision.reading import Frame, MessageReading
from .lines_before import around, lately
from .message_context import MessageContext
from .protocols import Agents, Read, Records
from .situation import whole
from .suggested_agents import SuggestedAgents
from .tasks.dispatching import Dispatcher
from .tasks.orchestrator import CHAT

_HISTORY: Final = 4
"""Rounds of M1 shown to `parse_intents`."""
_SUMMARIES: Final = 3
NEVER_WORSE: Final = {True: "模型只当是闲聊，按规则办", False: "模型说的对不上，按规则办"}
"""Reasons for keeping the rules' reading, by whether the model left any frame."""


@dataclass(frozen=True, slots=True)
class ModelReader:
    """Calls `parse_intents` and resolves its frames."""

    agents: Agents
    read: Read
    model: ModelClient
    dispatcher: Dispatcher
    decide_timeout: float
    suggested: SuggestedAgents
    records: Records

    @property
    def online(self) -> bool:
        """True if a model is online."""
        return self.model.online

    async def parsed(self, job: MessageContext, line: Clause, reading: MessageReading) -> ModelReading | None:
        """The model's reading; None if there is none."""
        try:
            records = await self.records(job.conversation, job.user_id)
        except StorageError:
            records = ()
        asking = ParseRequest(
            job.request,
            line,
            job.said.message.name,
            self._specs(job),
            [
                task
                for task in job.plan.open
                if task.status != "awaiting_other" and (task.agent_code != CHAT or task.question)
            ],
            reading.frames,
            await self.dispatcher.history(job, _HISTORY),
            around=around(job.request, job.said),
            summaries=await self.dispatcher.summaries(job, line.text, _SUMMARIES),
            records=records,
        )
        try:
            return await parse_intents(self.model, asking, self.decide_timeout)
        except ModelError as error:
            job.reasons.append(f"模型没答上来（{error.label}），按规则办")
        return None

    def completed(
        self, job: MessageContext, line: Clause, frames: Sequence[Frame], rules: Sequence[Frame]
    ) -> list[Frame]:
        """The model's frames completed from the rules."""
        return completed(frames, rules, line, self.agents, lately(job.request, job.said))

    def restated(self, job: MessageContext, frames: Sequence[Frame]) -> list[Frame]:
        """A model's frames in the words and with the certainty of the rules, where they read them so.

        Neighbours that their agent takes as one (`merges`: 午饭35，打车20) become one.
        """
        found: list[Frame] = []
        for _, one_kind in groupby(frames, key=lambda each: (each.agent_code, each.intent)):
            kind = list(one_kind)
            if all(each.match is not None for each in kind):
                found += kind  # as the rules read it
                continue
            spec = self.agents.get(kind[0].agent_code)
            if spec is None or spec.code == CHAT:
                found += kind
                continue
            listed = restate_list(kind, spec, self.read, job.situation) if len(kind) > 1 else None
            if listed is not None:
                found.append(listed)
                continue
            reminds = speaks_of_reminding(job.said.words)
            if len(kind) > 1 and spec.merges:
                together = restate_together(kind, spec, self.read, job.situation)
                if together is not None:
                    found.append(together)
                    continue
            found += [
                restate_frame(each, spec, self.read, job.situation, reminds=reminds) or each for each in kind
            ]
        return found

    def answer(self, job: MessageContext, task: FrameRecord, found: AnswerMatch) -> AnswerMatch:
        """Answer that a model copied from a line, read by the agent that asked; the model's own value if
        the agent has no reader or reads nothing."""
        spec = self.agents.get(task.agent_code)
        if spec is None or spec.answers is None or found.relation not in ("fills", "corrects"):
            return found
        if spec.drop is not None and (said := said_of_card(found.slots)):
            heard = spec.answers(task, whole(said, job.situation))
            return found if heard is None else replace(heard, words=said)
        if _is_of_another_slot(found, task, spec):
            return found  # another beginning is no answer to when it ends, and no yes
        words = "".join(str(value) for value in found.slots.values() if isinstance(value, str))
        heard = spec.answers(task, whole(words, job.situation)) if words else None
        return heard if heard is not None and heard.relation in ("fills", "corrects") else found

    def _specs(self, job: MessageContext) -> list[AgentSpec]:
        """All agents, the one that was suggested last first."""
        hint = self.suggested.of(job.conversation, job.user_id)
        return sorted(self.agents, key=lambda spec: spec.code != hint)


def _is_of_another_slot(found: AnswerMatch, task: FrameRecord, spec: AgentSpec) -> bool:
    """True if the model's answer has slots of the task, and none of the missing ones."""
    known = {slot.name for slot in spec.slots_of(task.intent)}
    named = found.slots.keys() & known
    return bool(named and task.missing_slots) and found.slots.keys().isdisjoint(task.missing_slots)
