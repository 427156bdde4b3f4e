"""日历来源 and 导入账单: what a person brings in from other programs. A section of the page 设置.

Files go from the browser to the HTTP API, with the page's own session: that is where their size is bounded.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Any, Final, cast

from nicegui import ui
from nicegui.events import GenericEventArguments

from ...services.access.actor import Actor
from ...services.imports import bills, calendars
from ...storage.calendars.queries import CalendarSource
from ...storage.records import Conversation
from .elements.panel import Panel, perform
from .elements.parts import ask_confirmation, box, button, card, empty, field, show_notice, switch, text
from .elements.wording import moment
from .shell.visit import Visit

_LARGEST: Final = 5 * 2**20
_SEND: Final = """async (event) => {
    const file = event.target.files[0];
    event.target.value = '';
    if (!file) return;
    if (file.size > LARGEST) { emit({status: 413}); return; }
    const address = ADDRESS + encodeURIComponent(file.name);
    const sent = await fetch(address, {method: 'POST', body: file,
        headers: {'Content-Type': 'application/octet-stream'}}).catch(() => null);
    const told = sent === null ? {} : await sent.json().catch(() => ({}));
    emit({status: sent === null ? 0 : sent.status, told: told});
}"""

Sent = Callable[[Mapping[str, Any]], Awaitable[None]]
"""Handler of the API's answer to an uploaded file."""


async def draw_imports(panel: Panel, actor: Actor, place: Conversation) -> None:
    """Draw the section; only its heading where nobody is chosen whose it would be."""
    visit, office = panel.visit, panel.visit.office
    me = visit.me
    found = [] if me is None else await calendars.list_sources(office, actor, me)

    async def share(source: CalendarSource, shown: bool) -> None:
        rest = [group for group in source.shared if group != place.peer]
        fields = {"shared_with": [*rest, place.peer] if shown else rest}
        await perform(
            visit,
            lambda write, _: calendars.update_source(office, write, source.id, fields),
            "群里看得到了" if shown else "不公开了",
        )
        await panel.show()

    async def calendar_sent(answer: Mapping[str, Any]) -> None:
        calendar = cast("Mapping[str, Any]", answer.get("calendar") or {})
        show_notice(f"「{calendar.get('name', '日历')}」导入好了，一共 {calendar.get('entries', 0)} 个日程")
        await panel.show()

    async def bill_sent(answer: Mapping[str, Any]) -> None:
        words, number = str(answer.get("words") or ""), str(answer.get("id") or "")
        if not number.isdecimal():
            show_notice(f"{words}没有要记的。")
            return
        if await ask_confirmation(f"{words}\n记到账本吗？", "记下"):
            await perform(visit, lambda write, _: bills.confirm_bill(office, write, int(number)), "记好了")
        else:
            await perform(visit, lambda write, _: bills.drop_bill(office, write, int(number)), "没记")

    def draw_source(source: CalendarSource) -> None:
        name = source.name[:20]
        with box("mi-item mi-stack"):
            with box("mi-what"):
                text(source.name)
                kind = "文件" if source.address is None else "订阅"
                at = datetime.fromtimestamp(source.checked_at, office.zone)
                text(f"{kind}，{source.entries} 个日程，{moment(at, office.now().date())}更新", "mi-soft")
                if source.trouble:
                    text(f"更新不了：{source.trouble}", "mi-trouble")
            with box("mi-acts"):
                switch(
                    "给这个群看",
                    place.peer in source.shared,
                    lambda shown: share(source, shown),
                    title=f"给这个群看：{name}",
                )
                button(
                    "删掉",
                    lambda: panel.perform(
                        lambda write, _: calendars.remove_source(office, write, source.id), "删掉了"
                    ),
                    "mi-danger",
                    title=f"删掉：{name}",
                )

    with card("日历来源"):
        if me is None:
            text("先选好是谁的。", "mi-soft")
            return
        text("别处的日历，只有自己看得到，别人只知道忙不忙；打开「给这个群看」才公开。", "mi-soft")
        if not found:
            empty("还没有导入日历。选一个 .ics 文件，或者填一个订阅地址。")
        with box("mi-list"):
            for each in found:
                draw_source(each)
        address = field("订阅地址", hint="https://…", longest=2000, mark="address")
        with box("mi-row"):
            button(
                "订阅",
                lambda: panel.perform(
                    lambda write, _: calendars.subscribe(office, write, address.value or ""), "订阅好了"
                ),
                mark="subscribe",
            )
            _file(visit, "选 .ics 文件", "calendars/file", ".ics,text/calendar", calendar_sent)
    with card("导入账单"):
        text("微信或支付宝导出的账单文件，先看要记哪些，点了「记下」才记到自己的账本。", "mi-soft")
        with box("mi-row"):
            _file(visit, "选账单文件", "bills/file", ".csv,.xlsx,.zip", bill_sent)


def _file(visit: Visit, label: str, route: str, accepts: str, sent: Sent) -> None:
    """A control that sends a file to the API and hands on what that answers."""

    async def answered(event: GenericEventArguments) -> None:
        given: object = event.args
        args: Mapping[str, Any] = cast("Mapping[str, Any]", given) if isinstance(given, dict) else {}
        told = cast("Mapping[str, Any]", args.get("told") or {})
        if args.get("status") == 201:
            await sent(told)
            return
        error = cast("Mapping[str, Any]", told.get("error") or {})
        large = "这个文件超过 5 MB，太大了。" if args.get("status") == 413 else "没发出去，再试一次。"
        show_notice(str(error.get("message") or large).removeprefix("file："), bad=True)

    as_user = f"as_user={visit.me}&" if visit.actor.is_owner else ""
    address = f"{visit.root.removesuffix('/console')}/api/v1/{route}?{as_user}name="
    script = _SEND.replace("LARGEST", str(_LARGEST)).replace("ADDRESS", json.dumps(address))
    with box("mi-button mi-file", "label"):
        ui.label(label)
        element = ui.element("input")
        element.props["type"] = "file"
        element.props["accept"] = accepts
        element.props["aria-label"] = label
        element.props["data-mishu"] = route.replace("/", "-")
        element.on("change", answered, js_handler=script)
