"""Configuration fields with their allowed ranges."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, JsonValue
from pydantic.networks import IPvAnyNetwork

DAY = 86400.0
ROUNDING = 1e-6
"""Seconds: 0.2 + 0.1 is not below 0.3."""


def field(default: Any, allowed: str, description: str, **limits: Any) -> Any:
    extra: dict[str, JsonValue] = {"allowed": allowed}
    if isinstance(default, list | dict):
        value = cast("list[Any] | dict[str, Any]", default)
        return Field(default_factory=value.copy, description=description, json_schema_extra=extra, **limits)
    return Field(default=default, description=description, json_schema_extra=extra, **limits)


def seconds(default: float, description: str, *, zero: bool = False, top: float = 30 * DAY) -> Any:
    if zero:
        return field(default, f"0 到 {top:.0f} 的秒数", description, ge=0, le=top)
    return field(default, f"大于 0、不超过 {top:.0f} 的秒数", description, gt=0, le=top)


def count(default: int, description: str, low: int, top: int) -> Any:
    return field(default, f"{low} 到 {top} 的整数", description, ge=low, le=top)


WORDS = '非空词语的 JSON 列表，如 ["闭嘴"]'
PRICES = (
    "JSON，模型名对三个数：每百万 token 的输入、命中缓存的输入、输出各多少元，"
    '如 {"deepseek-v4-flash": [1, 0.02, 2]}'
)
RATES = 'JSON，货币代码对一个单位合多少元，如 {"USD": 7.12, "JPY": 0.0478}'
Currency = Annotated[str, Field(pattern=r"^[A-Za-z]{3}$")]
Rate = Annotated[Decimal, Field(gt=0, le=1_000_000, max_digits=16)]
NETWORKS = 'IP 地址或网段的 JSON 列表，如 ["loopback", "10.0.0.0/8"]，loopback 是本机'
ORIGINS = '网站地址的 JSON 列表，如 ["https://app.example.com"]，不带路径和末尾的斜杠'
ModelName = Annotated[str, Field(min_length=1, max_length=200)]
Yuan = Annotated[Decimal, Field(ge=0, le=100_000)]
Word = Annotated[str, Field(min_length=1, max_length=30)]
Origin = Annotated[str, Field(pattern=r"^https?://[^/?#\s*]+$", max_length=300)]
Network = Literal["loopback"] | IPvAnyNetwork


class Section(BaseModel):
    """Base of all sections: values are fixed once read."""

    model_config = ConfigDict(
        frozen=True, extra="ignore", str_strip_whitespace=True, hide_input_in_errors=True
    )
