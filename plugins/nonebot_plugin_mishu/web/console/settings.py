"""设置: words, switches, persona, listening and the times of digests; who changed what, and when."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, Final

from nicegui import ui

from ...services import groups, settings
from ...services.access.actor import Actor
from ...services.settings import SettingsView
from ...storage.records import Conversation
from .access_tokens import draw_tokens
from .elements.panel import Panel, perform
from .elements.parts import answer_line, box, button, card, heading, once, switch, text
from .elements.wording import moment
from .imports import draw_imports
from .shell.frame import as_whom
from .shell.visit import Visit, try_read

WORDS: Final = {
    "wake_words": "叫我的名字（唤醒词）",
    "silence_words": "让我安静的词",
    "speak_words": "让我开口的词",
}
LISTENS: Final = {"off": "不听", "present": "在场时", "always": "一直听"}
NAMES: Final = {
    **WORDS,
    "persona": "人设",
    "表情": "表情：单子照原样确认了，我在那句话上点个 ✅，不再说一遍（平台能点才行，不能就照样说）。",
    "listen": "旁听日程",
    "digest_time": "日报时间",
    "weekly_time": "周报时间",
    "quiet_hours": "安静时段",
}
EXPLAINED: Final = {
    "插话": "插话：没人叫我，聊得热闹时我也接一句。",
    "复读": "复读：几个人说同一句话，我跟一句。",
    "listen": "旁听日程：听到大家说好的安排，问一句要不要记下。",
    "quiet_hours": "安静时段：我不主动说话，日报和催人等到结束；定了钟点的提醒照发。",
}
"""Settings whose names do not explain themselves."""
_DAYS: Final = {
    code: f"周{name}"
    for code, name in zip(("MO", "TU", "WE", "TH", "FR", "SA", "SU"), "一二三四五六日", strict=True)
}
Save = Callable[[dict[str, Any]], Awaitable[bool]]
Part = Callable[[Visit, SettingsView, Save], object]
"""Draws a card of settings, and returns the settings it shows."""


async def draw_settings_page(visit: Visit) -> None:
    if visit.actor.is_owner and visit.place is not None:
        place = visit.place
        found = await try_read(lambda: groups.list_members(visit.office, place, limit=200, after=None))
        if not isinstance(found, Exception):
            with card("主人替谁看、替谁记"):
                as_whom(visit, {each.id: f"{each.name}（{each.id}）" for each in found.rows})
                text("任务、记忆和记账都是某个人的，选一个人再看、再记。", "mi-soft")
    if not visit.governs:
        text("只有群主和管理员能改，下面是现在的样子。", "mi-soft")
    with box("mi-two"):
        parts = (_draw_features, _draw_all_words, _draw_persona, _draw_times)
        panels = [_make_panel(visit, part) for part in parts]
    if not visit.actor.is_owner:
        panels.append(Panel(visit, draw_tokens))
    panels.append(Panel(visit, _draw_history, ("settings",)))
    panels.append(Panel(visit, draw_imports))
    for each in panels:
        await each.show()


def _make_panel(visit: Visit, part: Part) -> Panel:
    """One card, shown anew when its settings change: half-typed values in others stay."""

    async def draw(panel: Panel, _: Actor, place: Conversation) -> object:
        kept = await settings.load_settings(visit.office, place)
        with box("mi-card"):
            return part(visit, kept, save)

    async def save(given: dict[str, Any]) -> bool:
        done = await perform(
            visit, lambda write, place: settings.change_settings(visit.office, write, place, given), "改好了"
        )
        await (panel.show() if done else panel.redraw())
        return done

    panel = Panel(visit, draw, ("settings",))
    return panel


def _draw_features(visit: Visit, kept: SettingsView, save: Save) -> object:
    heading("功能")
    with box("mi-switches"):
        for name, on in kept.features.items():
            element = switch(name, on, lambda on, name=name: save({"features": {name: on}}), title=name)
            element.set_enabled(visit.governs)
    for name in kept.features:
        if name in EXPLAINED:
            text(EXPLAINED[name], "mi-soft")
    return dict(kept.features)


def _draw_all_words(visit: Visit, kept: SettingsView, save: Save) -> object:
    heading("词")
    words = {name: list(getattr(kept, name)) for name in WORDS}
    for name, label in WORDS.items():
        _draw_words(visit, name, label, words[name], save)
    return words


def _draw_persona(visit: Visit, kept: SettingsView, save: Save) -> object:
    heading("人设")
    persona = ui.textarea(value=kept.persona or "", placeholder="比如：说话俏皮一点，少用感叹号")
    persona.props("outlined autogrow maxlength=1000").classes("mi-field").props["aria-label"] = "人设"
    persona.set_enabled(visit.governs)
    if visit.governs:
        with box("mi-row mi-end"):
            button(
                "保存人设", lambda: save({"persona": str(persona.value or "").strip() or None}), "mi-primary"
            )
    return (kept.persona,)


def _draw_words(visit: Visit, name: str, label: str, known: list[str], save: Save) -> None:
    text(label, "mi-soft")
    with box("mi-row"):
        for word in known:
            if visit.governs:
                button(
                    word,
                    lambda word=word: save({name: [each for each in known if each != word]}),
                    title=f"去掉 {word}",
                    sign="close",
                )
            else:
                text(word, "mi-tag")
        if not known and not visit.governs:
            text("没有", "mi-soft")
        if visit.governs:

            async def add(word: str) -> None:
                if word:
                    await save({name: [*known, word]})

            new = answer_line("加一个", f"加一个{label}", add, 30)
            button("加", lambda: add(str(new.value or "").strip()), title=f"加{label}", sign="add")


def _draw_times(visit: Visit, kept: SettingsView, save: Save) -> object:
    heading("旁听和定时")
    may = visit.governs
    listen = ui.select(
        LISTENS,
        value=kept.listen,
        label=NAMES["listen"],
        on_change=lambda event: once(lambda: save({"listen": event.value}))(),
    )
    listen.props("outlined dense behavior=menu").classes("mi-field").set_enabled(may)
    text(EXPLAINED["listen"], "mi-soft")
    daily = _time_input(NAMES["digest_time"], kept.digest_time, may)
    weekday, _, at = kept.weekly_time.partition(" ")
    with box("mi-row"):
        on = ui.select(_DAYS, value=weekday if weekday in _DAYS else "MO", label=NAMES["weekly_time"])
        on.props("outlined dense behavior=menu").classes("mi-field").set_enabled(may)
        weekly = _time_input("几点", at, may)
    since, _, until = (kept.quiet_hours or "").partition("-")
    text(EXPLAINED["quiet_hours"], "mi-soft")
    with box("mi-row"):
        begins = _time_input(f"{NAMES['quiet_hours']}从", since, may).props("clearable")
        ends = _time_input("到", until, may).props("clearable")

    def times() -> dict[str, str | None]:
        quiet = f"{begins.value}-{ends.value}" if begins.value or ends.value else None
        weekly_time = f"{on.value} {weekly.value}"
        return {"digest_time": daily.value, "weekly_time": weekly_time, "quiet_hours": quiet}

    if may:
        with box("mi-row mi-end"):
            button("保存时间", lambda: save(times()), "mi-primary")
    return (kept.listen, kept.digest_time, kept.weekly_time, kept.quiet_hours)


def _time_input(label: str, value: str, may: bool) -> ui.input:
    element = ui.input(label, value=value).props("outlined dense type=time stack-label").classes("mi-field")
    element.set_enabled(may)
    return element


async def _draw_history(panel: Panel, actor: Actor, place: Conversation) -> None:
    office = panel.visit.office
    found = await settings.list_changes(office, place, 30)
    names = await office.names_of(place, [each.user_id for each in found if each.user_id])
    if not found:
        return
    with card("谁改了什么"), box("mi-list"):
        for each in found:
            at = moment(datetime.fromtimestamp(each.at, office.zone), office.now().date())
            name = each.name.removeprefix("features.")
            with box("mi-item"), box("mi-what"):
                text(f"{NAMES.get(name, name)}：{_format_value(name, each.value)}")
                text(f"{names.get(each.user_id, '主人')} · {at}", "mi-soft")


def _format_value(name: str, value: str) -> str:
    """Wording of a setting's value: 周一 09:00 for MO 09:00."""
    if name == "listen":
        return LISTENS.get(value, value)
    code, _, at = value.partition(" ")
    if name == "weekly_time" and code in _DAYS:
        return f"{_DAYS[code]} {at}"
    return value or "恢复默认"
