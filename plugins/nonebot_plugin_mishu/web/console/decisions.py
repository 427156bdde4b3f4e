"""决定: why it spoke or did not, line by line; a line read again by today's rules; one marked as wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from nicegui import ui

from ...operations import sentences
from ...operations.actor import Actor
from ...storage.records import Conversation, DecisionRecord, LedgerMessage
from .charts import over_axes
from .panel import Draw, Panel
from .parts import box, button, empty, heading, text
from .visit import Visit
from .wording import moment

MOST: Final = 50
LABELS: Final = {"absent": "不在场", "familiar": "混脸熟", "summoned": "被呼唤", "observing": "观测中"}
LEVELS: Final = ("absent", "familiar", "observing", "summoned")
TRIGGERS: Final = {
    "summon": "有人叫我",
    "answer": "有人回答我",
    "order": "有人吩咐我",
    "echo": "复读",
    "dense": "聊得热闹",
    "overheard": "旁听",
    "chat": "闲聊",
}


async def page(visit: Visit) -> None:
    """Draw it."""
    await Panel(visit, lambda a, p: _load(visit, a, p), ("decision", "presence")).show()


async def _load(visit: Visit, actor: Actor, place: Conversation) -> Draw:
    records = await visit.backend.decisions(place, limit=MOST)
    lines = await visit.backend.messages(place, limit=1000, after=None)
    came = await visit.backend.came(place, actor.user_id) if not actor.is_owner else None
    said: Mapping[str, LedgerMessage] = {
        each.message_id: each for each in lines if came is None or each.time >= came
    }
    now = visit.office.now()

    def draw() -> None:
        if not records:
            with box("mi-card"):
                empty("最近没人叫我，我也没开口。", "秘书 在吗")
            return
        with box("mi-card"):
            heading("在场情况")
            ui.echart(_chart(visit, records)).classes("mi-chart")
        with box("mi-card"):
            heading("每一次为什么")
            with box("mi-list"):
                for each in records:
                    _decision(visit, each, said.get(each.message_id), now)

    return draw


def _decision(visit: Visit, each: DecisionRecord, line: LedgerMessage | None, now: datetime) -> None:
    at = datetime.fromtimestamp(each.at, visit.office.zone)
    with box("mi-item"):
        with box("mi-what"):
            with box("mi-row"):
                text("回了" if each.should_reply else "没回", f"mi-tag {'good' if each.should_reply else ''}")
                text(TRIGGERS.get(each.trigger, each.trigger), "mi-tag")
                text(moment(at, now.date()), "mi-soft")
            if line is not None:
                text(f"{line.name}：{line.text[:200]}")
            text(each.reason, "mi-soft")
        button("为什么", lambda: _why(visit, each, line), title="为什么这样")


async def _why(visit: Visit, each: DecisionRecord, line: LedgerMessage | None) -> None:
    heard = None
    if line is not None:
        heard = sentences.read(line.text, datetime.fromtimestamp(line.time, visit.office.zone))
    facts = {
        "怎么触发": TRIGGERS.get(each.trigger, each.trigger),
        "状态": f"{LABELS.get(each.state_before)} → {LABELS.get(each.state_after)}",
        "理由": each.reason,
        "怎么回": each.strategy or "没说",
        "模型调用": "、".join(each.calls) or "没有",
        "token": f"{each.tokens:,}",
        "用时": "，".join(f"{name} {seconds:.2f} 秒" for name, seconds in each.timings.items()) or "没记",
    }
    if heard is not None:
        read = "；".join(f"{sentences.KINDS[item.kind]}：{item.shown}" for item in heard.items)
        facts["现在的规则读成"] = read or heard.trouble
    with ui.dialog() as dialog, box("mi-dialog"):
        text("为什么", "mi-heading", "h2")
        if line is not None:
            text(f"{line.name}：{line.text[:300]}")
        with box("mi-facts"):
            for name, value in facts.items():
                text(name)
                text(value)
        with box("mi-row mi-end"):
            if line is not None:
                button("标成错的", lambda: _mark(each, line), title="下载一个样本文件")
            button("关上", lambda: dialog.submit(None), "mi-primary")
    await dialog
    dialog.delete()


def _mark(each: DecisionRecord, line: LedgerMessage) -> None:
    """A file for whoever mends the rules: what was said, without who said it, and what was decided."""
    sample: dict[str, Any] = {
        "text": line.text,
        "trigger": each.trigger,
        "state_before": each.state_before,
        "decided": {"should_reply": each.should_reply, "strategy": each.strategy, "reason": each.reason},
        "wanted": {"should_reply": not each.should_reply},
    }
    content = json.dumps(sample, ensure_ascii=False, indent=1)
    ui.download.content(content, f"mishu-sample-{each.id}.json", "application/json")


def _chart(visit: Visit, records: Sequence[DecisionRecord]) -> dict[str, Any]:
    data = [
        [datetime.fromtimestamp(each.at, visit.office.zone).strftime("%F %T"), LEVELS.index(each.state_after)]
        for each in reversed(records)
        if each.state_after in LEVELS
    ]
    steps = {"type": "line", "step": "end", "data": data, "symbolSize": 6}
    up = {"type": "category", "data": [LABELS[each] for each in LEVELS]}
    return over_axes({"type": "time", "axisLabel": {"hideOverlap": True}}, up, [steps])
