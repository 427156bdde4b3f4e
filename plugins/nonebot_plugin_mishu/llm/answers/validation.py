"""From JSON values to the answer model: lenient in form, never in content.

Lenient: 是, 否 and the like where a truth value belongs; null where the field has a default, as if it were
missing; a bare list where the answer is an object with that list as its only field.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from .json_reading import Unreadable

T = TypeVar("T", bound=BaseModel)
MOST_MENDED = 50
"""Wrong parts of one answer that are put right; with more of them it is no answer."""

TRUTHS = {
    "是": True,
    "对": True,
    "需要": True,
    "有": True,
    "否": False,
    "不是": False,
    "不需要": False,
    "无": False,
}


def choose(values: list[Any], model: type[T], *, writes: bool) -> T:
    """The answer among the values found.

    For a call that only informs, the first value that fits; where something will be written from it, two
    different objects are a contradiction and neither is taken. Raises `Unreadable`.
    """
    candidates = [value for value in (_object(value, model) for value in values) if value is not None]
    if writes and len(candidates) > 1:
        raise Unreadable("ambiguous")
    for candidate in candidates:
        answer = _fit(candidate, model)
        if answer is not None:
            return answer
    raise Unreadable("mismatch")


def _object(value: Any, model: type[BaseModel]) -> dict[str, Any] | None:
    if isinstance(value, dict):
        return cast("dict[str, Any]", value)
    if isinstance(value, list) and len(model.model_fields) == 1:
        name = next(iter(model.model_fields))
        return {model.model_fields[name].alias or name: value}
    return None


def _fit(value: dict[str, Any], model: type[T]) -> T | None:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        if error.error_count() > MOST_MENDED:
            return None
        mended = deepcopy(value)
        touched = [_mend(mended, detail) for detail in error.errors(include_url=False, include_context=False)]
    if not all(touched):
        return None
    try:
        return model.model_validate(mended)
    except ValidationError:
        return None


def _mend(value: dict[str, Any], detail: ErrorDetails) -> bool:
    """Put right the form of one wrong part, in place; False where its content is at fault."""
    *path, last = detail["loc"] or ("",)
    at: Any = value
    for key in path:
        try:
            at = at[key]
        except (KeyError, IndexError, TypeError):
            return False
    try:
        wrong = at[last]
    except (KeyError, IndexError, TypeError):
        return False
    if wrong is None and isinstance(at, dict):
        del at[last]  # missing now: its default, or an error again
        return True
    if detail["type"] in ("bool_parsing", "bool_type") and isinstance(wrong, str):
        truth = TRUTHS.get(wrong.strip())
        if truth is not None:
            at[last] = truth
            return True
    return False
