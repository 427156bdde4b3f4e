"""What each vendor's endpoint cannot do, as data. Unknown endpoints start with everything and learn.

An entry only spares the first refusals: what is not listed here is found out by `ladder.Ladder`. Vendors
are told by host, not by model, because resellers serve the same models with other abilities.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias
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
    """Whether `tool_choice` may name a tool; else only `auto`."""


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
