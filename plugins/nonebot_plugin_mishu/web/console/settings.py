"""设置: words, switches, persona, listening and the times of digests; who changed what, and when."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, Final

from nicegui import ui

from ...services import groups, settings
from ...services.access.actor import Actor
from ...storage.records import Conversation
from .access_tokens import make_token_panel
from .elements.panel import Draw, Panel, Shown, perform
from .elements.parts import box, button, heading, once, text
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
Save = Callable[[dict[str, Any]], Awaitable[bool]]
Part = Callable[[Visit, settings.SettingsView, Save], Shown]
_DAYS: Final = {
    code: f"周{name}"
    for code, name in zip(("MO", "TU", "WE", "TH", "FR", "SA", "SU"), "一二三四五六日", strict=True)
}


async def draw_settings_page(visit: Visit) -> None:
    """Draw the page 设置."""
    if visit.actor.is_owner and visit.place is not None:
        place = visit.place
        found = await try_read(lambda: groups.list_members(visit.office, place, limit=200, after=None))
        if not isinstance(found, Exception):
            with box("mi-card"):
                heading("主人替谁看、替谁记")
                as_whom(visit, {each.id: f"{each.name}（{each.id}）" for each in found.rows})
                text("任务、记忆和记账都是某个人的，选一个人再看、再记。", "mi-soft")
    if not visit.governs:
        text("只有群主和管理员能改，下面是现在的样子。", "mi-soft")
    panels: list[Panel] = []
    with box("mi-two"):
        for part in (_features, _all_words, _persona, _timing):
            panels.append(_show_part(visit, part))
    if not visit.actor.is_owner:
        panels.append(make_token_panel(visit))
    panels.append(Panel(visit, lambda a, p: _load_history(visit, p), ("settings",)))
    for each in panels:
        await each.show()
    await draw_imports(visit)


def _show_part(visit: Visit, part: Part) -> Panel:
    """One card, drawn anew when its content changes: half-typed values in others stay."""

    async def load(_: Actor, place: Conversation) -> Shown:
        kept = await settings.load_settings(visit.office, place)
        shown = part(visit, kept, save)

        def drawn() -> None:
            with box("mi-card"):
                shown.draw()

        return Shown(shown.shows, drawn)

    async def save(given: dict[str, Any]) -> bool:
        async def change_settings(actor: Actor, place: Conversation, _: bool) -> None:
            by = visit.me if actor.is_owner else None
            await settings.change_settings(visit.office, actor, place, given, user_id=by)

        done = await perform(visit, change_settings, "改好了")
        if not done:
            panel.redraw()
        await panel.show()
        return done

    panel = Panel(visit, load, ("settings",))
    return panel


def _features(visit: Visit, kept: settings.SettingsView, save: Save) -> Shown:
    def draw_features() -> None:
        heading("功能")
        with box("mi-switches"):
            for name, on in kept.features.items():
                switch = ui.switch(name, value=on).props(f'aria-label="{name}"')
                switch.on_value_change(
                    lambda event, name=name: once(lambda: save({"features": {name: event.value}}))()
                )
                switch.set_enabled(visit.governs)
        for name in kept.features:
            if name in EXPLAINED:
                text(EXPLAINED[name], "mi-soft")

    return Shown(dict(kept.features), draw_features)


def _all_words(visit: Visit, kept: settings.SettingsView, save: Save) -> Shown:
    def draw_words() -> None:
        heading("词")
        for name, label in WORDS.items():
            _draw_words(visit, name, label, list(getattr(kept, name)), save)

    return Shown({name: list(getattr(kept, name)) for name in WORDS}, draw_words)


def _persona(visit: Visit, kept: settings.SettingsView, save: Save) -> Shown:
    def draw_persona() -> None:
        heading("人设")
        persona = ui.textarea(value=kept.persona or "", placeholder="比如：说话俏皮一点，少用感叹号")
        persona.props("outlined autogrow maxlength=1000").classes("mi-field").props["aria-label"] = "人设"
        persona.set_enabled(visit.governs)
        if visit.governs:
            with box("mi-row mi-end"):
                button(
                    "保存人设",
                    lambda: save({"persona": str(persona.value or "").strip() or None}),
                    "mi-primary",
                )

    return Shown((kept.persona,), draw_persona)


def _timing(visit: Visit, kept: settings.SettingsView, save: Save) -> Shown:
    def draw_timing() -> None:
        heading("旁听和定时")
        _draw_times(visit, kept, save)

    shown = (kept.listen, kept.digest_time, kept.weekly_time, kept.quiet_hours)
    return Shown(shown, draw_timing)


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
            new = ui.input(placeholder="加一个").props("outlined dense maxlength=30").classes("mi-field")
            new.props["aria-label"] = f"加一个{label}"

            async def add() -> None:
                word = str(new.value or "").strip()
                if word:
                    await save({name: [*known, word]})

            new.on("keydown.enter", once(add))
            button("加", add, title=f"加{label}", sign="add")


def _draw_times(visit: Visit, kept: settings.SettingsView, save: Save) -> None:
    may = visit.governs
    listen = ui.select(
        LISTENS,
        value=kept.listen,
        label=NAMES["listen"],
        on_change=lambda event: once(lambda: save({"listen": event.value}))(),
    )
    listen.props("outlined dense behavior=menu").classes("mi-field").set_enabled(may)
    text(EXPLAINED["listen"], "mi-soft")
    daily = (
        ui.input(NAMES["digest_time"], value=kept.digest_time)
        .props("outlined dense type=time stack-label")
        .classes("mi-field")
    )
    daily.set_enabled(may)
    weekday, _, at = kept.weekly_time.partition(" ")
    with box("mi-row"):
        on = ui.select(_DAYS, value=weekday if weekday in _DAYS else "MO", label=NAMES["weekly_time"])
        on.props("outlined dense behavior=menu").classes("mi-field").set_enabled(may)
        weekly = ui.input("几点", value=at).props("outlined dense type=time stack-label").classes("mi-field")
        weekly.set_enabled(may)
    since, _, until = (kept.quiet_hours or "").partition("-")
    text(EXPLAINED["quiet_hours"], "mi-soft")
    with box("mi-row"):
        begins = ui.input(f"{NAMES['quiet_hours']}从", value=since)
        ends = ui.input("到", value=until)
        for each in (begins, ends):
            each.props("outlined dense type=time stack-label clearable").classes("mi-field").set_enabled(may)

    def times() -> dict[str, str | None]:
        quiet = f"{begins.value}-{ends.value}" if begins.value or ends.value else None
        weekly_time = f"{on.value} {weekly.value}"
        return {"digest_time": daily.value, "weekly_time": weekly_time, "quiet_hours": quiet}

    if may:
        with box("mi-row mi-end"):
            button("保存时间", lambda: save(times()), "mi-primary")


async def _load_history(visit: Visit, place: Conversation) -> Draw:
    found = await settings.list_changes(visit.office, place, 30)
    names = await visit.office.names_of(place, [each.user_id for each in found if each.user_id])

    def draw_history() -> None:
        if not found:
            return
        with box("mi-card"):
            heading("谁改了什么")
            with box("mi-list"):
                for each in found:
                    at = datetime.fromtimestamp(each.at, visit.office.zone)
                    what = each.name.removeprefix("features.")
                    with box("mi-item"), box("mi-what"):
                        text(f"{NAMES.get(what, what)}：{_format_value(what, each.value)}")
                        by = names.get(each.user_id, "主人")
                        text(f"{by} · {moment(at, visit.office.now().date())}", "mi-soft")

    return draw_history


def _format_value(name: str, value: str) -> str:
    """Wording of a setting's value: 周一 09:00 for MO 09:00."""
    if name == "listen":
        return LISTENS.get(value, value)
    code, _, at = value.partition(" ")
    if name == "weekly_time" and code in _DAYS:
        return f"{_DAYS[code]} {at}"
    return value or "恢复默认"
