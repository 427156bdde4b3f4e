"""`check_agent`: what a half-made agent lacks, by its own table of intents."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from ..agents import AgentSpec, Intent, Situation
from ..agents.api.registry import BUILT_IN
from ..core.situation import whole
from .desk import BEGAN, ZONE, Desk


class HalfMade(AssertionError):
    """An agent misses a required part; the text has a line for each."""


async def check_agent(spec: AgentSpec) -> None:
    """Hold an agent against its own table of intents. Raises `HalfMade`, which names what is missing.

    Every intent must have a description and examples, a mood (`act`, `reads_only` or `own_mood`), words by
    which the agent's rules know each example (in a group, in private, or behind a reminder), and a handler
    that comes back from each of them with a result; every required slot a question.
    """
    lacks = [*_lacking(spec), *await _failing(spec)]
    if lacks:
        raise HalfMade("\n".join(f"agent {spec.code!r}: {each}" for each in lacks))


def _lacking(spec: AgentSpec) -> list[str]:
    """Gaps found in the tables alone."""
    found = [] if spec.boundary.strip() else ["no boundary: a model cannot tell what is its business"]
    for intent in spec.intents:
        found += [f"intent {intent.name!r}: {lack}" for lack in _lacks_of(spec, intent)]
    found += [
        f"slot {slot.name!r}: it is required and has no question"
        for slot in spec.slots
        if slot.required and not slot.question.strip()
    ]
    return found


def _lacks_of(spec: AgentSpec, intent: Intent) -> list[str]:
    lacks: list[str] = []
    if not intent.description.strip():
        lacks.append("no description")
    if not intent.examples:
        lacks.append("no example sentence")
    if intent.name not in spec.acts and not (intent.reads_only or intent.own_mood):
        lacks.append(
            "no mood: say what it does to what is kept (act=), that it only reads (reads_only=), or "
            "that its handler weighs questions and negations itself (own_mood=)"
        )
    lacks += [
        f"no words: the agent's rules do not read 「{example}」 as it"
        for example in intent.examples
        if not _knows(spec, intent, example)
    ]
    if spec.handler_of(intent.name) is None:
        lacks.append("no handler")
    return lacks


def _knows(spec: AgentSpec, intent: Intent, example: str) -> bool:
    now = datetime.fromisoformat(BEGAN).replace(tzinfo=ZoneInfo(ZONE))
    places = (Situation(now), Situation(now, private=True), Situation(now, reminded="recent"))
    found = (spec.rules(whole(example, where)) for where in places)
    return any(match is not None and match.intent == intent.name for match in found)


async def _failing(spec: AgentSpec) -> list[str]:
    """Failures when each example is said to a desk with the agent."""
    found: list[str] = []
    for intent in spec.intents:
        for example in intent.examples:
            async with Desk.open(*([] if spec.code in BUILT_IN else [spec]), strict=False) as desk:
                reply = await desk.call("小明", example)
                found += [f"intent {intent.name!r}: 「{example}」: {error}" for error in desk.errors]
            read = f"{spec.code}.{intent.name}" in reply.read
            if read and spec.code not in reply.called and not found:
                found.append(f"intent {intent.name!r}: 「{example}」 is read, and its handler is not called")
    return found
