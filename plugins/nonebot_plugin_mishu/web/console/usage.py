"""用量: calls of models in the group and their cost, by day and model; against the limits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Any, Final

from nicegui import ui

from ...services.access import owner_choices
from ...services.access.actor import Actor, Write
from ...services.refusals import invalid
from ...storage.records import Conversation
from ..backend import DayOfUsage
from .elements.panel import Panel, perform
from .elements.parts import box, button, card, empty, facts, field, form, heading, text
from .elements.wording import describe_call
from .ledger.charts import chart, over_axes
from .shell.visit import Visit

DAYS: Final = 30
_IN_WORDS: Final = ("day", "model", "call")
_NUMBERS: Final = {"type": "rightAligned"}
"""Columns of numbers stand one below the other."""


async def draw_usage_page(visit: Visit) -> None:
    await Panel(visit, _draw_usage).show()


async def _draw_usage(panel: Panel, actor: Actor, place: Conversation) -> None:
    visit = panel.visit
    now = visit.backend.now()
    rows = await visit.backend.usage(now - timedelta(days=DAYS), now, place)
    tokens: dict[str, int] = defaultdict(int)
    for row in rows:
        tokens[row.day] += row.used.prompt_tokens + row.used.completion_tokens
    total = sum(tokens.values())
    everywhere, limit = visit.office.config.limits()
    yuan = [row.yuan for row in rows if row.yuan is not None]

    async def edit_limits() -> None:
        if await _edit_limits(visit, everywhere, limit):
            await panel.show()

    with box("mi-card"):
        with box("mi-row mi-between"):
            heading("这个群最近三十天")
            if actor.is_owner:
                button("改上限", edit_limits)
        if not rows:
            empty("没有问过模型。没接模型时只用本地规则，不花钱。")
        facts(
            {
                "今天": f"{tokens[now.date().isoformat()]:,} token",
                "每群每天上限": f"{limit:,} token" if limit else "没有设",
                "所有群每天上限": f"{everywhere:,} token" if everywhere else "没有设",
                "三十天": f"{total:,} token，{sum(row.used.calls for row in rows):,} 次",
                "花了": f"{sum(yuan, Decimal(0)):.2f} 元" if yuan else "没填模型的价格，算不出来",
            }
        )
        if rows:
            chart(_make_chart(tokens, total), f"逐天用的 token，三十天一共 {total:,}")
    if rows:
        with card("逐天逐项"):
            ui.aggrid(_make_table(rows), auto_size_columns=False).classes("mi-table")


def _make_table(rows: Sequence[DayOfUsage]) -> dict[str, Any]:
    """Each day, model and call, the newest first; a press on a heading sorts."""
    columns = {
        "day": "日期", "model": "模型", "call": "做什么", "calls": "次数", "in": "进（token）",
        "cached": "其中缓存", "out": "出（token）", "yuan": "元",
    }  # fmt: skip
    wide = {"model": 170, "call": 140}
    return {
        "columnDefs": [
            {
                "field": field,
                "headerName": name,
                "width": wide.get(field, 118),
                **({} if field in _IN_WORDS else _NUMBERS),
            }
            for field, name in columns.items()
        ],
        "defaultColDef": {"sortable": True, "resizable": True},
        "rowData": [
            {
                "day": row.day,
                "model": row.used.model,
                "call": describe_call(row.used.call),
                "calls": row.used.calls,
                "in": row.used.prompt_tokens,
                "cached": row.used.cached_tokens,
                "out": row.used.completion_tokens,
                "yuan": None if row.yuan is None else f"{row.yuan:.4f}",
            }
            for row in reversed(rows)
        ],
    }


async def _edit_limits(visit: Visit, everywhere: int, limit: int) -> bool:
    """Form for the limits; returns True if they were set."""
    inputs: dict[str, ui.input] = {}

    def draw_fields() -> None:
        text("到了上限就只用本地规则，当天说一次。空着或 0 是不限。", "mi-soft")
        inputs["每群"] = field("每个群每天（token）", str(limit or ""), mark="group-limit", longest=13)
        inputs["所有群"] = field("所有群一共每天（token）", str(everywhere or ""), mark="limit", longest=13)

    async def set_limits(write: Write, place: Conversation) -> None:
        group, whole = (_parse_tokens(name, str(each.value or "")) for name, each in inputs.items())
        await owner_choices.set_limits(visit.office, write.actor, whole, group)

    return await form("用量上限", draw_fields, lambda: perform(visit, set_limits, "改好了"))


def _parse_tokens(name: str, said: str) -> int:
    plain = said.replace(",", "").replace("，", "").strip()
    if plain and not plain.isdecimal():
        raise invalid(name, "应是整数，比如 200000")
    return int(plain or 0)


def _make_chart(tokens: Mapping[str, int], total: int) -> dict[str, Any]:
    bars = {"type": "bar", "name": "token", "data": list(tokens.values())}
    across = {"type": "category", "data": [day[5:] for day in tokens]}
    return over_axes(across, {"type": "value", "splitNumber": 3}, [bars], total=f"三十天 {total:,} token")
