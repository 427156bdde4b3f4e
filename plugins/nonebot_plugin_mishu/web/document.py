"""Additions to the OpenAPI document: the header of writes, 404, descriptions of fields.

The document is a client's only source: what a route does stands in it, and every field and parameter says
what it is. Names mean the same everywhere, so `fields.toml` has the words of each once; what is said at the
field itself goes before.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final, cast

V1: Final = "/v1/"
WRITES: Final = frozenset({"post", "put", "patch", "delete"})
_KEY: Final = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "1–255 个可见的 ASCII 字符；一天内带同一个键再发同样的请求，只做一次，答同样的话",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255},
    "example": "7f3a-add-1",
}
_TAG: Final = {
    "name": "If-None-Match",
    "in": "header",
    "required": False,
    "description": "上次答复的 ETag；没有变就答 304，没有内容",
    "schema": {"type": "string"},
}
_WORDS: Final = {
    "404": "没有这个群、这个人或这一条",
    "409": "要先回答 error.question，带 confirm 再发一次；没有 question 的是现在做不了",
}
_ERROR: Final = {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}}}


@cache
def field_words() -> Mapping[str, str]:
    """Description of each field or parameter name, in Chinese."""
    text = files(__name__.rpartition(".")[0]).joinpath("fields.toml").read_text("utf-8")
    return cast("Mapping[str, str]", tomllib.loads(text)["fields"])


def complete(document: dict[str, Any]) -> dict[str, Any]:
    """The same document, completed in place."""
    for path, methods in cast("dict[str, dict[str, Any]]", document["paths"]).items():
        for method, operation in methods.items():
            _operation(path, method, operation)
    schemas = cast("dict[str, dict[str, Any]]", document["components"].get("schemas", {}))
    for schema in schemas.values():
        for shown in cast("list[dict[str, Any]]", schema.get("examples", [])):
            # The framework drops what is null; in an answer nothing is left out.
            for name in schema.get("required", ()):
                shown.setdefault(name, None)
        for name, each in cast("dict[str, dict[str, Any]]", schema.get("properties", {})).items():
            if "description" not in each and name in field_words():
                each["description"] = field_words()[name]
    return document


def _operation(path: str, method: str, operation: dict[str, Any]) -> None:
    responses = operation.setdefault("responses", {})
    parameters = operation.setdefault("parameters", [])
    if "{" in path:
        responses.setdefault("404", {"description": _WORDS["404"], "content": _ERROR})
    if method in WRITES:
        responses.setdefault("409", {"description": _WORDS["409"], "content": _ERROR})
        parameters.append(_KEY)
    elif path.startswith(V1) and "application/json" in responses.get("200", {}).get("content", {}):
        responses.setdefault("304", {"description": "和 If-None-Match 给出的一样，没有变"})
        parameters.append(_TAG)
    for each in parameters:
        if "description" not in each and each["name"] in field_words():
            each["description"] = field_words()[each["name"]]
