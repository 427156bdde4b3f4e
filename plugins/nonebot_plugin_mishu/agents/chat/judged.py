"""A reply that brings its judgement along: one JSON object instead of an analysis and a reply. Pure."""

from __future__ import annotations

import json
import re
from typing import Any, Final, cast

from pydantic import ValidationError

from ...patterns import Pattern
from ..api.judgement import Judgement

_THOUGHT: Final = Pattern("(</?think(?:ing)?>)", re.IGNORECASE)


def judged(said: str) -> tuple[Judgement | None, str]:
    """The judgement and the words of an answer; None and the text as it is where it is no such object.

    Prose and fences around the object are left out. Never raises.
    """
    text = _without_thoughts(said).strip()
    first, last = text.find("{"), text.rfind("}")
    if first < 0 or last < first:
        return None, said
    try:
        value: object = json.loads(text[first : last + 1], strict=False)
    except ValueError:
        return None, said
    if not isinstance(value, dict):
        return None, said
    fields = cast("dict[str, Any]", value)
    reply = fields.get("reply")
    if not isinstance(reply, str):
        return None, said
    try:
        judgement = Judgement.model_validate({"should_reply": True, "is_questioned": True, **fields})
    except ValidationError:
        judgement = None
    return judgement, reply


def _without_thoughts(said: str) -> str:
    """The text outside of its thoughts, in one pass however many marks there are."""
    kept: list[str] = []
    thinks = False
    for piece in _THOUGHT.split(said):
        if _THOUGHT.fullmatch(piece):
            thinks = not piece.startswith("</")
        elif not thinks:
            kept.append(piece)
    return "".join(kept)
