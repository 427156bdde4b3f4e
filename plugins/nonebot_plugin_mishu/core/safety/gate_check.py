"""The gate as the core asks it: local rules at once, and a model's second look where one is wanted.

The model can only make a verdict graver. Its words are used only where they may be said.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Final, Literal

from pydantic import BaseModel, Field

from ...agents import Request, Utterance
from ...llm import ModelClient, ModelError
from ...prompts.quoting import fitted
from ...storage.records import LedgerMessage
from ..instructions import SAFETY_CHECK, repeats_instructions
from ..protocols import Judged
from .gate import LINES, SAFE, Verdict, local_verdict, may_say, offers_help, replies

BUDGET: Final = 5.0
"""Seconds a model check may take at most, or DECIDE_TIMEOUT where that is shorter."""
TOGETHER: Final = 600.0
"""Seconds in which lines of one speaker are looked at together."""
_SHOWN: Final = 2000
"""Characters that a model is shown: the newest. The local rules read all of every line."""
_ORDER: Final = {"SAFE": 0, "BLOCK": 1, "EMERGENCY": 2}


class SafetyAnswer(BaseModel):
    """The answer of `check_safety` (contracts, Model calls)."""

    verdict: Literal["SAFE", "BLOCK", "EMERGENCY"]
    category: str = Field(default="")
    reply: str = Field(default="")


def graver(one: Verdict, other: Verdict) -> Verdict:
    """The graver of two verdicts, the first of equals."""
    return other if _ORDER[other.verdict] > _ORDER[one.verdict] else one


def locally(texts: Sequence[str], before: Sequence[str] = ()) -> Verdict:
    """The gravest verdict of the local rules over some texts, of which the first was said after `before`."""
    found = SAFE
    for number, text in enumerate(texts):
        found = graver(found, local_verdict(text, before if number == 0 else ()))
    return found


def lines_before(said: LedgerMessage, newest_first: Iterable[LedgerMessage]) -> list[str]:
    """Earlier lines of a message's speaker within ten minutes, oldest first, four at most."""
    found: list[str] = []
    for message in newest_first:
        if message.time < said.time - TOGETHER or len(found) == LINES - 1:
            break
        theirs = message.user_id == said.user_id and not message.is_bot and not message.recalled
        if theirs and message.order < said.order and message.text.strip():
            found.insert(0, message.text)
    return found


def gravest(request: Request, utterances: Sequence[Utterance]) -> Verdict:
    """The gravest local verdict on what is said, each with what its speaker said just before."""
    found = SAFE
    for said in utterances:
        before = lines_before(said.message, reversed(request.context))
        found = graver(found, locally(texts_of(request, said), before))
    return found


def texts_of(request: Request, said: Utterance) -> Sequence[str]:
    """Texts for the gate: the words, the quoted text, the captions of their pictures."""
    captioned = {message.message_id: message.captions for message in request.context if message.captions}
    texts = [said.words, *captioned.get(said.message.message_id, said.message.captions)]
    if said.quoted is not None:
        texts.append(said.quoted.text)
        texts.extend(captioned.get(said.quoted.message_id, said.quoted.captions))
    return texts


def from_model(
    verdict: Literal["SAFE", "BLOCK", "EMERGENCY"], category: str = "", reply: str = ""
) -> Verdict:
    """A model's verdict with words that may be said: its own where they pass, else ours."""
    if verdict == "SAFE":
        return SAFE
    reply = reply.strip()
    fits = 0 < len(reply) <= 500 and may_say(reply) and not repeats_instructions(reply)
    if verdict == "BLOCK":
        return Verdict("BLOCK", category[:20] or "模型判断", reply if fits else replies().block)
    fits = fits and offers_help(reply)
    ours = replies().emergency.get(category, replies().other)
    return Verdict("EMERGENCY", category[:20] or "模型判断", reply if fits else ours)


class SafetyGate:
    """The gate of the running plugin."""

    def __init__(self, model: ModelClient | None, decide_timeout: float) -> None:
        self._model = model
        self._budget = min(BUDGET, decide_timeout)

    async def check(self, request: Request, texts: Sequence[str], *, ask_model: bool) -> Judged:
        """As `Gate.check`. The check's own time-out leaves `late`; any other failure the local verdict."""
        found = locally(texts)
        if found.verdict == "EMERGENCY" or not ask_model or self._model is None or not self._model.online:
            return Judged(found)
        deadline = request.deadline.earlier(self._budget)
        before = lines_before(request.lead.message, reversed(request.context))
        try:
            async with asyncio.timeout(deadline.remaining()):
                answer = await self._model.structured(
                    "check_safety",
                    {"text": "\n".join(map(fitted, [*before, *texts]))[-_SHOWN:]},
                    SafetyAnswer,
                    instructions=SAFETY_CHECK,
                    deadline=deadline,
                    conversation=request.conversation,
                    log=request.calls,
                )
        except TimeoutError:
            return Judged(found, late=True)
        except ModelError as error:
            return Judged(found, late=error.kind == "timeout")
        return Judged(graver(found, from_model(answer.verdict, answer.category, answer.reply)))
