"""Abilities that each vendor's endpoint lacks, as data. Unknown endpoints start with everything and learn.

An entry only spares the first refusals: what is not listed here is found out by `ladder.Ladder`. What an
endpoint takes is told by host, not by model, because resellers serve the same models with other abilities;
whether a model thinks, and how it is told not to, by its name first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias
from urllib.parse import urlsplit

RungName: TypeAlias = Literal["json_schema", "tool", "json_object", "text"]

DEFAULT_URL = "https://api.openai.com/v1"


@dataclass(frozen=True, slots=True)
class Vendor:
    """Traits of one vendor's chat endpoint."""

    name: str
    hosts: tuple[str, ...]
    """Host names, or suffixes of them that begin with a dot."""
    lacks: frozenset[RungName] = frozenset()
    """Rungs its endpoint is known to refuse."""
    forces_tools: bool = True
    """True if `tool_choice` may name a tool; else only `auto`."""


VENDORS = (
    Vendor("OpenAI", ("api.openai.com",)),
    Vendor("DeepSeek", ("api.deepseek.com",), lacks=frozenset({"json_schema", "tool"})),
    Vendor(
        "GLM",
        ("open.bigmodel.cn", "api.z.ai"),
        lacks=frozenset({"json_schema", "tool"}),
        forces_tools=False,
    ),
    Vendor(
        "Qwen",
        ("dashscope.aliyuncs.com", "dashscope-intl.aliyuncs.com", "dashscope-us.aliyuncs.com"),
        lacks=frozenset({"json_schema", "tool"}),
    ),
)

UNKNOWN = Vendor("unknown", ())


@dataclass(frozen=True, slots=True)
class Thinker:
    """A family of models that think before they answer, and what switches that off for one request."""

    name: str
    models: str = ""
    """A pattern that a model's name, in lower case and without its owner (`owner/name`), begins with."""
    hosts: tuple[str, ...] = ()
    """Hosts all whose models are told so, whatever they are called."""
    off: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Fields of the request; empty where it cannot be switched off."""
    forces_tools: bool = True
    """True if `tool_choice` may name a tool while it thinks."""


_DISABLED = {"thinking": {"type": "disabled"}}
_NOT_ENABLED = {"enable_thinking": False}

THINKERS = (
    Thinker(
        "always", "deepseek-(?:r1|reasoner)|kimi-k2-thinking|qwq|minimax-m2|.*-thinking", forces_tools=False
    ),
    Thinker("SiliconFlow", hosts=("api.siliconflow.cn", "api.siliconflow.com"), off=_NOT_ENABLED),
    Thinker(
        "DeepSeek", r"deepseek-(?:v[4-9]|v3\.[1-9]|flash|pro|chat)", ("api.deepseek.com",), _DISABLED, False
    ),
    Thinker("GLM", r"glm-(?:4\.[5-9]|[5-9])|glm-z", ("open.bigmodel.cn", "api.z.ai"), _DISABLED),
    Thinker("Kimi", r"kimi-k2\.[5-9]|kimi-latest", off=_DISABLED, forces_tools=False),
    Thinker("Kimi K3", "kimi-k[3-9]", off={"reasoning_effort": "low"}, forces_tools=False),
    Thinker("Qwen", "qwen-?(?:3|plus|turbo|flash|max)", VENDORS[3].hosts, _NOT_ENABLED, False),
    Thinker("MiniMax", "minimax-m[3-9]", off=_DISABLED),
    Thinker("Doubao", "doubao-seed", off=_DISABLED),
)
"""In this order: the first whose host or model fits."""


def thinker_of(base_url: str, model: str) -> Thinker | None:
    """The family of a model that thinks; None where nothing is known, and nothing is sent."""
    host, name = host_of(base_url), model.lower().rsplit("/", 1)[-1]
    for thinker in THINKERS:
        if thinker.models and re.match(thinker.models, name):
            return thinker
        if not thinker.models and host in thinker.hosts:
            return thinker
    return next((thinker for thinker in THINKERS if host in thinker.hosts), None)


def host_of(base_url: str) -> str:
    """The host of an address in lower case, empty where there is none."""
    try:
        return (urlsplit(base_url).hostname or "").lower()
    except ValueError:
        return ""


def vendor_of(base_url: str) -> Vendor:
    """The vendor behind an address."""
    host = host_of(base_url)
    for vendor in VENDORS:
        if any(host == name or (name.startswith(".") and host.endswith(name)) for name in vendor.hosts):
            return vendor
    return UNKNOWN
