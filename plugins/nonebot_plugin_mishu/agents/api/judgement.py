"""The answer of `analyze_conversation`: what the secretary thinks of the talk (contracts, model calls)."""

from __future__ import annotations

from pydantic import BaseModel


class Judgement(BaseModel):
    """Decision to speak up. `should_reply` alone decides; the flags say in which way, the rest is
    advice for the reply."""

    should_reply: bool
    is_questioned: bool = False
    """Somebody asks the bot something further."""
    is_interesting: bool = False
    """The topic is worth joining."""
    reply_strategy: str = ""
    topic: str = ""
    reply_target: str = ""
    plan: str | None = None
    """Plan that several people agreed on, as an order in words."""


DEFAULT = Judgement(should_reply=True, is_questioned=True, reply_strategy="直接回答")
"""Used where a summons must be answered and no analysis could be had."""
