"""Ladder of ways to ask for structured answers: four rungs from strict to plain, one for each endpoint.

The rungs are data: a name, what goes into the request, whether the schema must stand in the prompt. An
endpoint's `Ladder` remembers for the life of the process where to start.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..vendors import RungName, Vendor
from .schema import AnswerSchema

Parameters = Callable[[str, AnswerSchema, Vendor], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Rung:
    """One way to ask for structured data."""

    name: RungName
    parameters: Parameters
    """Call name, schema and vendor to the request's parameters."""
    schema_in_prompt: bool
    """True if the system message must hold the schema and the word JSON."""

    def instructions(self, instructions: str, schema: AnswerSchema) -> str:
        """The system message on this rung."""
        if not self.schema_in_prompt:
            return instructions
        written = json.dumps(schema.schema, ensure_ascii=False)
        return f"{instructions}\n\n只输出一个 JSON 对象，不要别的文字，格式符合这个 JSON Schema：\n{written}"


def _json_schema(name: str, schema: AnswerSchema, _vendor: Vendor) -> dict[str, Any]:
    asked = {"name": name, "schema": schema.schema, "strict": schema.strict}
    return {"response_format": {"type": "json_schema", "json_schema": asked}}


def _tool(name: str, schema: AnswerSchema, vendor: Vendor) -> dict[str, Any]:
    function = {"name": name, "description": "用这个函数给出答案", "parameters": schema.schema}
    choice = {"type": "function", "function": {"name": name}} if vendor.forces_tools else "auto"
    return {"tools": [{"type": "function", "function": function}], "tool_choice": choice}


def _json_object(_name: str, _schema: AnswerSchema, _vendor: Vendor) -> dict[str, Any]:
    return {"response_format": {"type": "json_object"}}


def _text(_name: str, _schema: AnswerSchema, _vendor: Vendor) -> dict[str, Any]:
    return {}


RUNGS = (
    Rung("json_schema", _json_schema, schema_in_prompt=False),
    Rung("tool", _tool, schema_in_prompt=False),
    Rung("json_object", _json_object, schema_in_prompt=True),
    Rung("text", _text, schema_in_prompt=True),
)

DOUBTS = 2
"""Calls in a row whose answer ignored the rung before it is given up for good."""


@dataclass(slots=True)
class Ladder:
    """The rung that one endpoint has reached.

    A refused parameter is remembered as soon as a lower rung worked; an answer that ignored the schema
    may be an accident and is remembered the second time in a row.
    """

    rungs: tuple[Rung, ...]
    start: int = 0
    _doubts: int = field(default=0, init=False)

    @classmethod
    def for_vendor(cls, vendor: Vendor) -> Ladder:
        """The ladder of a vendor, without the rungs it is known to lack."""
        return cls(tuple(rung for rung in RUNGS if rung.name not in vendor.lacks))

    def note_reached(self, reached: int, *, ignored: bool) -> None:
        """A call that began at `start` got its answer on rung `reached`; `ignored`: not refusals alone."""
        if reached <= self.start:
            self._doubts = 0
            return
        if ignored:
            self._doubts += 1
            if self._doubts < DOUBTS:
                return
        self.start = reached
        self._doubts = 0
