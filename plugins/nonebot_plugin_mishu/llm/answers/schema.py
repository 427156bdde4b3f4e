"""JSON schemas of answers, in the subset that structured outputs take everywhere.

References are written out, limits are dropped (pydantic checks them on the answer), objects are closed and
list all their properties as required, as strict mode wants. A docstring is for who reads the code: a model is
told what `Field(description=…)` says, in Chinese.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from pydantic import BaseModel

_KEPT = ("type", "enum", "description")


@dataclass(frozen=True, slots=True)
class AnswerSchema:
    """A schema to send, and whether it may be sent as strict."""

    schema: dict[str, Any]
    strict: bool


class _FreeForm(Exception):
    """The model has a part that strict schemas cannot express."""


def schema_of(model: type[BaseModel]) -> AnswerSchema:
    """The schema of an answer. Models that are recursive or have free-form parts are sent as they are."""
    whole = model.model_json_schema()
    try:
        closed = _closed(whole, whole.get("$defs", {}), ())
        closed.pop("description", None)
        return AnswerSchema(closed, strict=True)
    except _FreeForm:
        return AnswerSchema(whole, strict=False)


def _closed(node: dict[str, Any], definitions: dict[str, Any], seen: tuple[str, ...]) -> dict[str, Any]:
    if "$ref" in node:
        name = cast("str", node["$ref"]).rsplit("/", 1)[-1]
        if name in seen:
            raise _FreeForm
        inner = _closed(definitions[name], definitions, (*seen, name))
        inner.pop("description", None)
        return {**inner, **{key: node[key] for key in ("description",) if key in node}}
    closed = {key: node[key] for key in _KEPT if key in node}
    if "const" in node:
        closed["enum"] = [node["const"]]
    for union in ("anyOf", "oneOf"):
        if union in node:
            closed["anyOf"] = [_closed(option, definitions, seen) for option in node[union]]
    if node.get("type") == "array":
        if not isinstance(node.get("items"), dict):
            raise _FreeForm
        closed["items"] = _closed(cast("dict[str, Any]", node["items"]), definitions, seen)
    if node.get("type") == "object":
        if "properties" not in node:
            raise _FreeForm
        properties = cast("dict[str, dict[str, Any]]", node["properties"])
        closed["properties"] = {key: _closed(value, definitions, seen) for key, value in properties.items()}
        closed["required"] = list(properties)
        closed["additionalProperties"] = False
    if not closed.keys() & {"type", "enum", "anyOf"}:
        raise _FreeForm
    return closed
