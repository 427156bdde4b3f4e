"""The front desk's panel on the right: presence, who waits, what is in force, the last decisions and why."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from nicegui import ui
from nonebot_plugin_mishu.web.console.elements.wording import (
    PRESENCE,
    STEPS,
    STRATEGIES,
    TRIGGERS,
    describe_call,
)

from .desk import DeskView, Json
from .parts import box, text

DECISIONS_SHOWN = 15

_COLOURS = {"familiar": "warn", "summoned": "info", "observing": "good"}
"""Of the states of presence."""
BRIEF = 0.05
"""Seconds below which a step is not worth a word."""


def seconds_of(value: Any) -> float | None:
    """An ISO time of the API as seconds since the epoch."""
    try:
        return datetime.fromisoformat(str(value)).timestamp() if value else None
    except ValueError:
        return None


def clock_of(value: Any) -> str:
    """The clock of an ISO time, as the API's zone shows it."""
    try:
        return datetime.fromisoformat(str(value)).strftime("%H:%M:%S") if value else "—"
    except ValueError:
        return "—"


def remaining(value: Any, now: float) -> str | None:
    """How long a time is away, in words; none if it has passed or is none."""
    at = seconds_of(value)
    if at is None or at <= now:
        return None
    left = at - now
    return f"还有 {left / 60:.0f} 分钟" if left >= 120 else f"还有 {left:.0f} 秒"


def state_name(state: Any) -> str:
    """A presence state in Chinese."""
    return PRESENCE.get(str(state), "—")


def numbers(decision: Json) -> str:
    """Timings, calls and tokens of a decision in one line."""
    parts: list[str] = []
    timings: Json = decision.get("timings") or {}
    spent = [(STEPS.get(name, name), float(value)) for name, value in timings.items()]
    worth = ((name, seconds) for name, seconds in spent if seconds >= BRIEF or name == STEPS["total"])
    parts += [f"{name}\u00a0{seconds:.2f}\u00a0秒" for name, seconds in worth]
    calls: list[Any] = decision.get("calls") or []
    if calls:
        parts.append("问模型\u00a0" + "、".join(dict.fromkeys(describe_call(str(call)) for call in calls)))
    if decision.get("tokens"):
        parts.append(f"{decision['tokens']}\u00a0token")
    return "\u2003 ".join(parts)


class DeskPanel:
    """Draws a `DeskView`; `tick` keeps what runs down running."""

    def __init__(self, said: Callable[[str], str], wall: Callable[[], float]) -> None:
        """`said` tells what a message was, by its id, in one line; empty where nobody knows any more."""
        self._said = said
        self._wall = wall
        self._view = DeskView()
        self._drawn: list[Json] | None = None
        with box("pg-state"):
            self._dot = box("pg-dot")
            self._state = text("—")
            self._state.props["data-mark"] = "state"
        self._trouble = text("", "pg-trouble")
        with box("pg-facts"):
            self._since = self._fact("开始于")
            self._busy = self._fact("正在处理")
            self._held = self._fact("等候中")
            self._silence = self._fact("静音")
            self._cooldown = self._fact("冷却")
        self._busy.props["data-mark"] = "busy"
        self._held.props["data-mark"] = "held"
        with box("pg-heading").style("padding: 8px 0 6px"):
            text("最近的决定")
        self._decisions = box("pg-decisions")

    @staticmethod
    def _fact(name: str) -> ui.label:
        text(name, "k")
        return text("—", "v")

    def show(self, view: DeskView) -> None:
        """Draw what is known now."""
        self._view = view
        presence = view.presence or {}
        state = str(presence.get("state"))
        self._state.set_text(state_name(state))
        self._dot.classes(replace=f"pg-dot {_COLOURS.get(state, '')}")
        self._trouble.set_text(view.trouble)
        self._trouble.set_visibility(bool(view.trouble))
        self._since.set_text(clock_of(presence.get("since")))
        busy = bool(presence.get("busy"))
        self._busy.set_text("是" if busy else "否")
        self._busy.classes(replace="v strong" if busy else "v")
        held = int(presence.get("held") or 0)
        self._held.set_text(f"{held} 条" if held else "没有")
        self._held.classes(replace="v strong" if held else "v")
        self.tick()
        shown = view.decisions[:DECISIONS_SHOWN]
        if shown != self._drawn:
            self._drawn = list(shown)
            self._decisions.clear()
            with self._decisions:
                for decision in shown:
                    self._decision(decision)
                if not shown:
                    text("还没有。普通闲聊在不在场时不会触发任何决定。", "pg-empty")

    def tick(self) -> None:
        """A second passed."""
        presence = self._view.presence or {}
        now = self._wall()
        for label, key in ((self._silence, "silenced_until"), (self._cooldown, "cooldown_until")):
            left = remaining(presence.get(key), now)
            label.set_text(left or "无")
            label.classes(replace="v strong" if left else "v")

    @property
    def busy(self) -> bool:
        """True if the Secretary is at work in the group shown."""
        return bool((self._view.presence or {}).get("busy"))

    def _decision(self, decision: Json) -> None:
        replies = bool(decision.get("should_reply"))
        with box("pg-decision"):
            with box("first"):
                trigger = str(decision.get("trigger"))
                text(TRIGGERS.get(trigger, "别的"), "pg-tag bot")
                text("回复" if replies else "不回复", f"pg-verdict {'yes' if replies else 'no'}")
                text(clock_of(decision.get("at")), "when")
            if said := self._said(str(decision.get("message_id") or "")):
                text(said, "about")
            before, after = state_name(decision.get("state_before")), state_name(decision.get("state_after"))
            strategy = str(decision.get("strategy") or "")
            strategy = STRATEGIES.get(strategy, strategy)
            states = after if before == after else f"{before} → {after}"
            text(states + (f" · {strategy}" if strategy else ""), "what")
            if reason := str(decision.get("reason") or ""):
                text(reason, "why")
            if line := numbers(decision):
                text(line, "numbers")
