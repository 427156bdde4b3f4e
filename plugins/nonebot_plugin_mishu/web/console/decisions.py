"""决定: reasons to speak or not, line by line; a line read again by today's rules; mistakes marked."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from nicegui import ui

from ...services import sentences
from ...services.access.actor import Actor
from ...services.office import NAMELESS
from ...storage.records import Conversation, DecisionRecord, LedgerMessage
from ..backend import PresenceView
from .elements.panel import Panel
from .elements.parts import await_answer, box, button, card, empty, facts, heading, sheet, tabs, text
from .elements.wording import PRESENCE, STEPS, STRATEGIES, TRIGGERS, describe_call, moment
from .ledger.charts import chart, over_axes
from .shell.visit import Visit

MOST: Final = 50
COMMAND: Final = "这是命令，不用想要不要说话，照办就是"
NOT_DECIDED: Final = "这句没有让我去想要不要说话：没有叫我，也不热闹；或者当时安静着、刚说过话、正忙着"


async def draw_decisions_page(visit: Visit) -> None:
    every = False  # every line, and not only those that were decided upon

    async def choose(chosen: bool) -> None:
        nonlocal every
        every = chosen
        await panel.show()

    panel = Panel(
        visit,
        lambda panel, actor, place: _draw_decisions(visit, actor, place, choose, every=every),
        ("decision", "presence"),
    )
    await panel.show()


async def _draw_decisions(
    visit: Visit,
    actor: Actor,
    place: Conversation,
    choose: Callable[[bool], Awaitable[None]],
    *,
    every: bool,
) -> None:
    records = await visit.backend.decisions(place, limit=MOST)
    lines = await visit.backend.messages(place, limit=1000, after=None)
    came = await visit.backend.came(place, actor.user_id) if not actor.is_owner else None
    said: Mapping[str, LedgerMessage] = {
        each.message_id: each for each in lines if came is None or each.time >= came
    }
    present = await visit.backend.presence(place)
    now = visit.office.now()
    decided = {each.message_id: each for each in records}
    nameless = {each.user_id for each in said.values() if each.name == NAMELESS}
    names = await visit.office.names_of(place, nameless) if nameless else {}
    said = {
        key: replace(each, name=names[each.user_id]) if each.name == NAMELESS else each
        for key, each in said.items()
    }
    heard = [each for each in said.values() if not (each.is_bot or each.recalled)][-MOST:][::-1]
    with card("现在"):
        text(_describe_presence(visit, present, now))
        if records:
            chart(_make_chart(visit, records), f"一天里的状态：现在{PRESENCE.get(present.state, '')}")
    with box("mi-card"):
        with box("mi-row mi-between"):
            heading("每一次为什么")
            with box("mi-row tight"):
                tabs({False: "想过的", True: "每一句"}, every, choose)
        if not (heard if every else records):
            empty("最近没人叫我，我也没开口。", "秘书 在吗")
        with box("mi-list"):
            if every:
                for line in heard:
                    _draw_decision(visit, decided.get(line.message_id), line, now)
            else:
                for each in records:
                    _draw_decision(visit, each, said.get(each.message_id), now)


def _describe_presence(visit: Visit, present: PresenceView, now: datetime) -> str:
    """留意着，正在想一句话；安静到 10:30."""
    words = PRESENCE.get(present.state, "")
    if present.busy:
        words += f"，正在想一句话，等着 {present.held} 句" if present.held else "，正在想一句话"
    until = present.silenced_until
    if until is not None and until > now.timestamp():
        words += f"；安静到 {moment(datetime.fromtimestamp(until, visit.office.zone), now.date())}"
    return words if present.unasked else f"{words}；主动消息：不允许"


def _draw_decision(
    visit: Visit, each: DecisionRecord | None, line: LedgerMessage | None, now: datetime
) -> None:
    seconds = each.at if each is not None else line.time if line is not None else 0.0
    replied = each is not None and each.should_reply
    with box("mi-item"):
        with box("mi-what"):
            with box("mi-row"):
                if each is not None:
                    text("回了" if replied else "没回", f"mi-tag {'good' if replied else ''}")
                    text(TRIGGERS.get(each.trigger, ""), "mi-tag")
                text(moment(datetime.fromtimestamp(seconds, visit.office.zone), now.date()), "mi-soft")
            if line is not None:
                text(f"{line.name}：{line.text[:200]}")
            if each is not None:
                text(each.reason, "mi-soft")
        button("为什么", lambda: _show_reason(visit, each, line), title="为什么这样")


async def _show_reason(visit: Visit, each: DecisionRecord | None, line: LedgerMessage | None) -> None:
    command = line is not None and line.text.strip().startswith(visit.office.command)
    told = {"理由": COMMAND if command else NOT_DECIDED} if each is None else _list_facts(each)
    if line is not None:
        heard = sentences.read_sentence(line.text, datetime.fromtimestamp(line.time, visit.office.zone))
        read = "；".join(f"{sentences.KINDS[item.kind]}：{item.shown}" for item in heard.items)
        told["现在的规则读成"] = read or heard.trouble
    with sheet("为什么") as dialog:
        if line is not None:
            text(f"{line.name}：{line.text[:300]}")
        facts(told)
        with box("mi-row mi-end"):
            if line is not None:
                button("标成错的", lambda: _export_mistake(each, line), title="下载一个样本文件")
            button("关上", lambda: dialog.submit(None), "mi-primary")
    await await_answer(dialog)


def _list_facts(each: DecisionRecord) -> dict[str, str]:
    before, after = (PRESENCE.get(state, "") for state in (each.state_before, each.state_after))
    return {
        "怎么触发": TRIGGERS.get(each.trigger, "别的"),
        "状态": after if before == after else f"{before} → {after}",
        "理由": each.reason,
        "怎么回": STRATEGIES.get(each.strategy, each.strategy) or "没说",
        "问模型": "、".join(dict.fromkeys(map(describe_call, each.calls))) or "没问",
        "token": f"{each.tokens:,}",
        "用时": "，".join(
            f"{STEPS.get(name, name)} {seconds:.2f} 秒"
            for name, seconds in each.timings.items()
            if seconds >= 0.005 or name == "total"
        )
        or "没记",
    }


def _export_mistake(each: DecisionRecord | None, line: LedgerMessage) -> None:
    """Download a file for rule authors: the line, without its author, and the decision."""
    replied = each is not None and each.should_reply
    sample: dict[str, Any] = {"text": line.text}
    if each is not None:
        decided = {"should_reply": replied, "strategy": each.strategy, "reason": each.reason}
        sample |= {"trigger": each.trigger, "state_before": each.state_before, "decided": decided}
    sample["wanted"] = {"should_reply": not replied}
    content = json.dumps(sample, ensure_ascii=False, indent=1)
    ui.download.content(
        content, f"mishu-sample-{line.message_id if each is None else each.id}.json", "application/json"
    )


def _make_chart(visit: Visit, records: Sequence[DecisionRecord]) -> dict[str, Any]:
    levels = list(PRESENCE)
    data = [
        [datetime.fromtimestamp(each.at, visit.office.zone).strftime("%F %T"), levels.index(each.state_after)]
        for each in reversed(records)
        if each.state_after in PRESENCE
    ]
    steps = {"type": "line", "step": "end", "data": data, "symbolSize": 6}
    up = {"type": "category", "data": list(PRESENCE.values())}
    return over_axes({"type": "time", "axisLabel": {"hideOverlap": True}}, up, [steps])
