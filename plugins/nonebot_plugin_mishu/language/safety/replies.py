"""Replies of the gate, as values; their words are in `tables/replies.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Replies:
    """Answers by category, one for an emergency of no category of ours, the refusal, and words of help."""

    emergency: Mapping[str, str]
    other: str
    block: str
    offers_help: str
    """A pattern: by this the bot's own words about self-harm are known as help."""
