"""The model at the top of the page: whether one answers, and the faults one can give it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from .desk import Json
from .parts import box, icon, text
from .session import Session

if TYPE_CHECKING:
    from nonebot_plugin_mishu.llm import PracticeMode

SLOW_SECONDS = (3, 8, 20)
"""Waits on offer: held messages can be watched; the patience line too; the analysis misses its deadline."""

Choice = tuple["PracticeMode", float]

_STATES = {"off": ("没有模型，只用本地规则", ""), "ok": ("模型可用", "good"), "down": ("模型不通", "bad")}
_NO_DATABASE = ("数据库不通", "bad")


def choices(*, configured: bool) -> list[tuple[Choice, str, str]]:
    """Choices: value, name and effect."""
    answers = "再问模型" if configured else "再由练习模型回答"
    offered: list[tuple[Choice, str, str]] = []
    offered.append((("off", 0), "正常" if configured else "不用练习模型", "照配置的来"))
    if not configured:
        offered.append((("normal", 0), "练习模型", "马上回答固定的话；问句算追问，感叹句算有趣"))
    for seconds in SLOW_SECONDS:
        then = f"每次调用先等 {seconds} 秒，{answers}"
        offered.append((("slow", seconds), f"慢 {seconds} 秒", then))
    offered.append((("failing", 0), "出错", "每次调用都连不上"))
    return offered


def summary(choice: Choice, *, configured: bool) -> tuple[str, str] | None:
    """Name of the fault practised and its colour; none where nothing is."""
    mode, seconds = choice
    name = "模型" if configured else "练习模型"
    if mode == "slow":
        return f"{name}：慢 {seconds:g} 秒", "warn"
    if mode == "failing":
        return f"{name}：出错", "bad"
    return None if mode == "off" or configured else (f"{name}：正常", "good")


class ModelPill:
    """Shows the model's state; a click offers the faults, where the bot lets itself be disturbed."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._ticks: dict[Choice, ui.element] = {}
        practice = session.practice
        with box(
            "pg-pill" if practice is None else "pg-pill act", "div" if practice is None else "button"
        ) as pill:
            pill.props["data-mark"] = "model"
            self._dot = box("pg-dot")
            self._name = text("…")
            if practice is None:
                return
            pill.props["title"] = "让模型变慢或出错，看看秘书怎么应付；只影响这里的群"
            icon("expand_more")
            with ui.menu().props(
                "anchor='bottom right' self='top right' :offset='[0, 8]' transition-duration=0"
            ):
                for choice, name, then in choices(configured=practice.configured):
                    self._item(choice, name, then)

    def _item(self, choice: Choice, name: str, then: str) -> None:
        with ui.menu_item(on_click=lambda: self._session.practise(*choice)) as item:
            item.props["data-model"] = f"{choice[0]}{choice[1] or ''}"
            self._ticks[choice] = icon("check", "pg-tick")
            with box("pg-choice"):
                text(name)
                text(then, "pg-hint")

    def show(self, health: Json) -> None:
        """Draw what is known now."""
        shown = _STATES.get(str(health.get("llm")), ("…", ""))
        practice = self._session.practice
        if practice is not None:
            now = (practice.mode, practice.seconds if practice.mode == "slow" else 0)
            shown = summary(now, configured=practice.configured) or shown
            for choice, tick in self._ticks.items():
                tick.style(f"visibility: {'visible' if choice == now else 'hidden'}")
        if health.get("database") == "down":
            shown = _NO_DATABASE
        self._name.set_text(shown[0])
        self._dot.classes(replace=f"pg-dot {shown[1]}")
