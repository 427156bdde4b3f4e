"""用量: what models were asked in the group, and what it cost, by day and model; against the limits."""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta
from decimal import Decimal
from typing import Any, Final

from nicegui import ui

from ...operations.actor import Actor
from ...storage.records import Conversation
from .panel import Draw, Panel
from .parts import box, empty, heading, text
from .visit import Visit

DAYS: Final = 30


async def page(visit: Visit) -> None:
    """Draw it."""
    await Panel(visit, lambda a, p: _load(visit, a, p)).show()


async def _load(visit: Visit, actor: Actor, place: Conversation) -> Draw:
    now = visit.backend.now()
    rows = await visit.backend.usage(now - timedelta(days=DAYS), now, place)
    tokens: dict[str, int] = defaultdict(int)
    today = now.date().isoformat()
    for row in rows:
        tokens[row.day] += row.used.prompt_tokens + row.used.completion_tokens
    limit = visit.office.config.llm.group_daily_tokens
    yuan = [row.yuan for row in rows if row.yuan is not None]

    def draw() -> None:
        with box("mi-card"):
            heading("这个群最近三十天")
            if not rows:
                empty("没有问过模型。没接模型时只用本地规则，不花钱。")
                return
            with box("mi-facts"):
                facts = {
                    "今天": f"{tokens[today]:,} token",
                    "每天上限": f"{limit:,} token" if limit else "没有设",
                    "三十天": f"{sum(tokens.values()):,} token，{sum(row.used.calls for row in rows):,} 次",
                    "花了": f"{sum(yuan, Decimal(0)):.2f} 元" if yuan else "没写价格（MISHU__LLM__PRICES）",
                }
                for name, value in facts.items():
                    text(name)
                    text(value)
            ui.echart(_chart(tokens)).classes("mi-chart")
        if rows:
            with box("mi-card"):
                heading("逐天逐项")
                with box("mi-list"):
                    for row in reversed(rows[-200:]):
                        with box("mi-item"):
                            text(row.day[5:], "mi-when")
                            with box("mi-what"):
                                text(row.used.model)
                                text(f"{row.used.call} · {row.used.calls} 次", "mi-soft")
                            total = row.used.prompt_tokens + row.used.completion_tokens
                            text(f"{total:,}", "mi-sum")

    return draw


def _chart(tokens: dict[str, int]) -> dict[str, Any]:
    return {
        "grid": {"left": 8, "right": 8, "top": 16, "bottom": 8, "containLabel": True},
        "tooltip": {"trigger": "axis"},
        "xAxis": {"type": "category", "data": [day[5:] for day in tokens]},
        "yAxis": {"type": "value", "splitNumber": 3},
        "series": [
            {"type": "bar", "name": "token", "data": list(tokens.values()), "itemStyle": {"color": "#4f7fdc"}}
        ],
    }
