"""The smallest pieces of the page. Text always goes in as text, never as HTML: members write it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui

from .group import ROLE_NAMES, SELF_ID, Role
from .look import AVATARS, BOT_AVATAR

Act = Callable[[], Any]


def box(classes: str = "", tag: str = "div") -> ui.element:
    """An element to put others into."""
    return ui.element(tag).classes(classes)


def text(content: str, classes: str = "") -> ui.label:
    """A piece of text."""
    return ui.label(content).classes(classes)


def icon(name: str, classes: str = "") -> ui.element:
    """A sign of the icon font, by its name in Material Icons (part of NiceGUI); silent to who hears."""
    element = box(f"pg-sign {classes}", "span")
    element.props["data-icon"] = name
    element.props["aria-hidden"] = "true"
    return element


def button(
    content: str, classes: str, act: Act, *, title: str = "", mark: str = "", sign: str = ""
) -> ui.element:
    """A plain button; `mark` names it for tests, `sign` is an icon before its words or in their place."""
    element = ui.element("button").classes(classes).on("click", lambda _: act())
    element.props["type"] = "button"
    if title:
        element.props["title"] = title
        element.props["aria-label"] = title
    if mark:
        element.props["data-mark"] = mark
    with element:
        if sign:
            icon(sign)
        if content:
            ui.label(content)
    return element


def picture(source: str) -> ui.element:
    """A picture from a `data:` address."""
    element = ui.element("img")
    element.props["src"] = source
    element.props["alt"] = "图片"
    return element


def avatar(user_id: int, name: str, classes: str = "") -> ui.element:
    """A coloured disc with the name's last character, as short Chinese names are told apart by it."""
    colour = BOT_AVATAR if user_id == SELF_ID else AVATARS[user_id % len(AVATARS)]
    with box(f"pg-avatar {classes}").style(f"background:{colour}") as element:
        ui.label(name[-1:] or "?")
    return element


def role_tag(role: Role) -> None:
    """Owner and admin are marked; ordinary members are not."""
    if role != "member":
        text(ROLE_NAMES[role], f"pg-tag {role}")
