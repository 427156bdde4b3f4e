"""Report of an evaluation: a row for each dialogue and one for all, as a table or as JSON. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from nonebot_plugin_mishu.llm import Price, cost

from .play import Played

_WIDTHS = (44, 8, 6, 6, 6, 9, 9, 10, 7, 7)
_HEAD = ("样例", "结果", "假话", "拦下", "调用", "token", "缓存", "元", "p50", "p95")


def percentile(values: Sequence[float], share: float) -> float | None:
    """The smallest value that so many of them do not exceed; None of none."""
    ordered = sorted(values)
    place = max(0, -int(-share * len(ordered) // 1) - 1)
    return ordered[place] if ordered else None


def figures(played: Sequence[Played], prices: Mapping[str, Price]) -> dict[str, Any]:
    """Sums over some dialogues."""
    usage = [row for one in played for row in one.usage]
    seconds = [second for one in played for second in one.seconds]
    spent = cost(usage, prices)
    return {
        "right": sum(one.right for one in played),
        "of": len(played),
        "claims": sum(one.claims for one in played),
        "caught": sum(one.caught for one in played),
        "calls": sum(row.calls for row in usage),
        "failed_calls": sum(row.failures for row in usage),
        "tokens_in": sum(row.prompt_tokens for row in usage),
        "cached": sum(row.cached_tokens for row in usage),
        "tokens_out": sum(row.completion_tokens for row in usage),
        "yuan": float(spent.yuan) if usage and not spent.unpriced and prices else None,
        "p50": _rounded(percentile(seconds, 0.5)),
        "p95": _rounded(percentile(seconds, 0.95)),
    }


def as_json(played: Sequence[Played], prices: Mapping[str, Price]) -> dict[str, Any]:
    """Everything: `samples`, each with its name, its differences and what was said, and their `sum`."""
    samples = [
        {
            "name": one.name,
            **figures([one], prices),
            "right": one.right,
            "differences": one.differences,
            "talk": [{"who": who, "say": say, "replies": replies} for who, say, replies in one.talk],
        }
        for one in played
    ]
    for each in samples:
        del each["of"]
    return {"samples": samples, "sum": figures(played, prices)}


def table(played: Sequence[Played], prices: Mapping[str, Price]) -> str:
    """The table, with what differs under its row."""
    lines = [_row(_HEAD)]
    for one in played:
        lines.append(_row(_cells(one.name, "对" if one.right else "不对", figures([one], prices))))
        lines += [f"    {difference}" for difference in one.differences]
    whole = figures(played, prices)
    lines.append(_row(_cells("合计", f"{whole['right']}/{whole['of']}", whole)))
    if whole["failed_calls"]:
        lines.append(f"有 {whole['failed_calls']} 次模型调用没有成功")
    if whole["yuan"] is None:
        lines.append("没有写全价格（MISHU__LLM__PRICES），不算钱")
    return "\n".join(lines)


def _cells(name: str, result: str, of: Mapping[str, Any]) -> tuple[str, ...]:
    tokens = of["tokens_in"] + of["tokens_out"]
    numbers = (of["claims"], of["caught"], of["calls"], tokens, of["cached"])
    yuan = "-" if of["yuan"] is None else f"{of['yuan']:.4f}"
    waits = tuple("-" if of[name] is None else f"{of[name]:.2f}s" for name in ("p50", "p95"))
    return (name, result, *map(str, numbers), yuan, *waits)


def _row(cells: Sequence[str]) -> str:
    return " ".join(_wide(cell, width) for cell, width in zip(cells, _WIDTHS, strict=True)).rstrip()


def _wide(text: str, width: int) -> str:
    """Padded as a terminal shows it: Chinese characters are two columns wide."""
    columns = sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
    return text + " " * max(0, width - columns)


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 3)
