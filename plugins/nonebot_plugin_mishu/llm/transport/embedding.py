"""Embeddings: the body of an answer read without trusting any of it, as `completion` reads the others."""

from __future__ import annotations

import json
import math
from typing import Any, cast

from ..failures import NO_ANSWER, Failure
from .completion import Completion
from .request import Route

_LONGEST = 16_384
"""Numbers of one vector."""


def embedding_of(body: bytes) -> Completion | Failure:
    """Read a 200's body: `{"data": [{"index", "embedding"}], "usage"}`."""
    try:
        whole: Any = json.loads(body.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return NO_ANSWER
    data = _get_field(whole, "data")
    if not isinstance(data, list):
        return NO_ANSWER
    found: dict[int, tuple[float, ...]] = {}
    for place, item in enumerate(cast("list[Any]", data)):
        vector = _vector(_get_field(item, "embedding"))
        index = _get_field(item, "index")
        if vector is None:
            return NO_ANSWER
        found[index if isinstance(index, int) else place] = vector
    tokens = _get_field(_get_field(whole, "usage"), "prompt_tokens")
    known = isinstance(tokens, int) and not isinstance(tokens, bool) and 0 <= tokens < 10**9
    in_order = tuple(found[place] for place in sorted(found))
    return Completion("", (), None, False, tokens if known else None, 0, in_order)


def vectors(answer: Completion, count: int) -> list[tuple[float, ...]] | Failure:
    """The vectors of `count` texts, all of one length."""
    if len(answer.vectors) != count or len({len(vector) for vector in answer.vectors}) > 1:
        return NO_ANSWER
    return list(answer.vectors)


def _get_field(value: Any, key: str) -> Any:
    return cast("dict[str, Any]", value).get(key) if isinstance(value, dict) else None


def _vector(value: Any) -> tuple[float, ...] | None:
    """Finite numbers, not all of them zero."""
    if not isinstance(value, list):
        return None
    numbers = cast("list[Any]", value)
    if not 0 < len(numbers) <= _LONGEST:
        return None
    if any(isinstance(number, bool) or not isinstance(number, int | float) for number in numbers):
        return None
    try:
        vector = tuple(float(number) for number in numbers)
    except OverflowError:
        return None
    return vector if all(map(math.isfinite, vector)) and any(vector) else None


EMBEDDINGS = Route("/embeddings", embedding_of)
