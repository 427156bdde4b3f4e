"""The core: gate and decision side by side, then the agents, in one order of things (product section 3)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from ..agents import Agent, Frame, Outcome, Request, Utterance
from ..storage.records import Conversation
from .gate import Verdict, local_verdict, may_say
from .protocols import Decision, Gate, OpenQuestions

CHAT = "chat"
UNSAYABLE = "这个我不方便说，我们换个话题吧。"
LONGEST = 20_000
"""Characters of one message that are read, as over HTTP; a longer one gets a clear line and no model."""


class LocalGate:
    """The gate's local rules; an optional model check joins them here later."""

    async def check(self, request: Request) -> Verdict:
        """The gravest verdict over the request's texts and what they quote."""
        verdicts = [local_verdict(text) for said in request.utterances for text in _texts(said)]
        order = {"SAFE": 0, "BLOCK": 1, "EMERGENCY": 2}
        return max(verdicts, key=lambda verdict: order[verdict.verdict])


def _texts(said: Utterance) -> list[str]:
    return [said.words] if said.quoted is None else [said.words, said.quoted.text]


class ChatOnly:
    """The decision while chat is the only agent: everything is talk."""

    def read(self, text: str) -> list[Frame]:
        """One chat frame."""
        return [Frame(agent_code=CHAT, intent="chitchat", text=text)]

    async def decide(self, request: Request, utterance: Utterance) -> list[Frame]:
        """One chat frame."""
        return self.read(utterance.words)


class NoQuestions:
    """Open questions while no agent asks any."""

    def awaits(self, conversation: Conversation, user_id: str) -> bool:
        """Never."""
        return False


def _too_long(request: Request) -> Outcome:
    """The answer to what is too long; before anything is awaited, so that no model is asked beside it."""
    for said in request.utterances:
        verdict = local_verdict(said.words)
        if verdict.verdict == "EMERGENCY":
            return Outcome(verdict.reply, "blocked", f"安全检查：{verdict.category}")
    length = max(len(said.words) for said in request.utterances)
    asked = request.way in ("forced", "core")
    text = f"这条消息有 {length} 字，太长了，我读不完。请分成每条不超过 {LONGEST} 字再发。"
    return Outcome(text if asked else None, "canceled", "消息太长")


class Core:
    """Everything behind the secretary's back: `handle` a request, and the two local looks it needs before."""

    def __init__(
        self, gate: Gate, decision: Decision, questions: OpenQuestions, agents: Sequence[Agent]
    ) -> None:
        self._gate = gate
        self._decision = decision
        self._questions = questions
        self._agents: Mapping[str, Agent] = {agent.code: agent for agent in agents}

    async def handle(self, request: Request) -> Outcome:
        """Gate and decision run at the same time; agents act only on SAFE, one after the other."""
        if any(len(said.words) > LONGEST for said in request.utterances):
            return _too_long(request)
        async with asyncio.TaskGroup() as side_by_side:
            verdict = side_by_side.create_task(self._gate.check(request), name="mishu gate")
            readings = [
                side_by_side.create_task(self._decision.decide(request, said), name="mishu decision")
                for said in request.utterances
            ]
        found = verdict.result()
        if found.verdict != "SAFE":
            return Outcome(found.reply, "blocked", f"安全检查：{found.category}")
        frames = [frame for reading in readings for frame in reading.result()]
        parts = [await self._agents[code].act(request, given) for code, given in self._by_agent(frames)]
        texts = [part.text for part in parts if part.text]
        text = "\n".join(texts) or None
        if text is not None and not may_say(text):
            return Outcome(UNSAYABLE, "canceled", "回复没有通过安全检查")
        return Outcome(text, parts[-1].status, "；".join(part.reason for part in parts))

    def awaits(self, conversation: Conversation, user_id: str) -> bool:
        """Whether a question or draft of ours waits for this member: the front desk's `answer` trigger."""
        return self._questions.awaits(conversation, user_id)

    def reads_as_order(self, text: str) -> bool:
        """Whether the rules read an unaddressed line as work for us: the front desk's `order` trigger."""
        return any(frame.agent_code != CHAT for frame in self._decision.read(text))

    def only_talk(self, text: str) -> bool:
        """Whether the rules see nothing but harmless chat: then waiting summons may be answered jointly."""
        if len(text) > LONGEST:
            return False
        chat = all(frame.agent_code == CHAT for frame in self._decision.read(text))
        return chat and local_verdict(text).verdict == "SAFE"

    def _by_agent(self, frames: list[Frame]) -> list[tuple[str, list[Frame]]]:
        grouped: dict[str, list[Frame]] = {}
        for frame in frames:
            code = frame.agent_code if frame.agent_code in self._agents else CHAT
            grouped.setdefault(code, []).append(frame)
        return list(grouped.items())
