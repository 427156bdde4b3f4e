"""Frame of every page: group, person, navigation, dark or light."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from nicegui import ui
from starlette.requests import Request

from ....services import groups
from ....services.access.actor import Actor
from ....services.access.sessions import Sessions
from ....services.office import Office
from ....services.refusals import Refused
from ...backend import Backend
from ...layers.gate import SESSION
from ...layers.guard import ACTOR
from ..elements.live import Live
from ..elements.parts import box, button, empty, icon, link, sheet, text
from .site import ENTRIES, ROOMS
from .visit import Visit, acting_as, try_read

STYLE: Final = (Path(__file__).parent / "look.css").read_text(encoding="utf-8")
PRESSED: Final = (Path(__file__).parent / "pressed.js").read_text(encoding="utf-8")
"""Lets a press that began before a part was drawn anew do what was pressed."""
FOCUSED: Final = (Path(__file__).parent / "focused.js").read_text(encoding="utf-8")
"""Gives the focus back where a dialog closed, and where a part was drawn anew."""
AT_HAND: Final = ("", "calendar", "tasks", "ledger")
"""On a phone these stand below, the others behind 更多."""
ROLES: Final = {"owner": "主人", "admin": "管理员", "member": "成员"}
_COOKIES: Final = {"group": "mishu_group", "as": "mishu_as", "dark": "mishu_dark"}
_KEEP: Final = "document.cookie='{name}={value};path=/;max-age=31536000;SameSite=Strict'"


async def visit_of(
    request: Request, office: Office, backend: Backend, sessions: Sessions, live: Live
) -> Visit:
    """The visit of a request. Raises `Refused` where the database does not answer."""
    actor: Actor = request.scope[ACTOR]
    found = await try_read(lambda: groups.list_groups(office, actor, limit=200, after=None))
    if isinstance(found, Refused):
        raise found
    listed = [each for each in found.rows if each.enabled or actor.is_owner]
    known = {each.id for each in listed}
    wanted = request.query_params.get("group") or request.cookies.get(_COOKIES["group"], "")
    chosen = actor.group_id or (wanted if wanted in known else next((each.id for each in listed), None))
    place = await office.find_group(chosen) if chosen is not None else None
    prefix = request.headers.get("x-forwarded-prefix", "")
    chosen_as = request.cookies.get(_COOKIES["as"])
    acts_for = await acting_as(office, place, chosen_as) if actor.is_owner else None
    return Visit(
        office,
        backend,
        sessions,
        live,
        f"{prefix}{request.scope.get('root_path', '')}",
        request.scope.get(SESSION),
        actor,
        listed,
        place,
        acts_for,
    )


@contextmanager
def framed(visit: Visit, name: str, request: Request) -> Generator[ui.element]:
    """The page's frame; what is put into it is the page."""
    ui.add_css(STYLE)
    ui.add_body_html(f"<script>{PRESSED}{FOCUSED}</script>")
    told = request.cookies.get(_COOKIES["dark"])
    dark = ui.dark_mode({"1": True, "0": False}.get(told or ""))
    with box("mi"):
        with box("mi-top", "header"):
            _draw_group_and_person(visit)
            box("mi-grow")
            button("", lambda: _turn_dark(dark), "mi-icon", title="深色或浅色", sign="contrast")
            if visit.token is not None:
                with ui.element("form").props(f'method=post action="{visit.root}/leave"'):
                    with ui.element("button").classes("mi-button mi-icon") as out:
                        icon("logout")
                        ui.label("退出")
                    out.props["type"] = "submit"
        with box("mi-side", "nav") as side:
            side.props["aria-label"] = "页面"
            for each in _list_visible_pages(visit):
                _draw_page_link(visit, each, name)
        with box("mi-main", "main") as main:
            text(ENTRIES[name][0], "mi-title", "h1")
            if visit.place is None:
                empty("还没有群。把机器人拉进群，在群里说句话，这里就有了。", "秘书 在吗")
            else:
                yield main
        _draw_phone_navigation(visit, name)
    if visit.place is None:
        with box("mi-hidden") as nowhere:
            yield nowhere


def _list_visible_pages(visit: Visit) -> list[str]:
    owners = {"bot", "playground"}
    missing = {"playground"} - set(ROOMS)
    return [each for each in ENTRIES if each not in missing and (each not in owners or visit.actor.is_owner)]


def _draw_page_link(visit: Visit, each: str, name: str) -> None:
    way = link("", f"{visit.root}{f'/{each}' if each else ''}", f"mi-way {'on' if each == name else ''}")
    way.clear()
    if each == name:
        way.props["aria-current"] = "page"
    with way:
        title, sign = ENTRIES[each]
        icon(sign)
        text(title, "", "span")


def _draw_phone_navigation(visit: Visit, name: str) -> None:
    with box("mi-below", "nav") as below:
        below.props["aria-label"] = "页面"
        for each in AT_HAND:
            _draw_page_link(visit, each, name)
        with sheet("更多页面", "mi-more", shown=False) as more:
            more.props("position=bottom")
            for each in _list_visible_pages(visit):
                if each not in AT_HAND:
                    _draw_page_link(visit, each, name)
        with ui.element("button").classes(f"mi-way {'' if name in AT_HAND else 'on'}") as element:
            icon("more_horiz")
            text("更多", "", "span")
        element.props["type"] = "button"
        element.on("click", more.open)


def _draw_group_and_person(visit: Visit) -> None:
    """The group, and as whom: what an owner may choose."""
    names = {each.id: f"{each.name}（{each.id}）" if each.name else f"群 {each.id}" for each in visit.groups}
    if visit.actor.is_owner and len(names) > 1:
        ui.select(names, value=visit.group_id, on_change=lambda event: _choose("group", event.value)).props(
            "dense borderless options-dense behavior=menu"
        ).classes("mi-choose").props["aria-label"] = "哪个群"
    else:
        text(names.get(visit.group_id, "Mishu 秘书"), "mi-where")
    role = ROLES[visit.actor.role]
    name = f"{visit.actor.name} · {role}" if visit.actor.name else role
    text(name, "mi-tag")


def as_whom(visit: Visit, members: dict[str, str]) -> None:
    """Choice of the person an owner acts for: every write is somebody's."""
    if visit.actor.is_owner:
        ui.select(
            members,
            value=visit.acts_for if visit.acts_for in members else None,
            label="选一位成员",
            with_input=True,
            on_change=lambda event: _choose("as", event.value or ""),
        ).props("outlined dense clearable behavior=menu").classes("mi-field mi-as")


def remember(what: str, value: str) -> None:
    """Store a choice of the pages in the browser (`group`, `as`, `dark`)."""
    ui.run_javascript(_KEEP.format(name=_COOKIES[what], value=quote(str(value), safe="")))


def _choose(what: str, value: str) -> None:
    remember(what, value)
    ui.run_javascript("location.href=location.pathname")


def _turn_dark(dark: Any) -> None:
    dark.value = dark.value is not True
    remember("dark", str(int(dark.value)))
