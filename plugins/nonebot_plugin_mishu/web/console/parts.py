"""The smallest pieces of the pages. What members write goes in as text, never as HTML."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from inspect import isawaitable
from typing import Any

from nicegui import ui

Act = Callable[[], Any]


def box(classes: str = "", tag: str = "div") -> ui.element:
    """An element to put others into."""
    return ui.element(tag).classes(classes)


def text(content: str, classes: str = "", tag: str = "div") -> ui.element:
    """A piece of text."""
    with ui.element(tag).classes(classes) as element:
        ui.label(content)
    return element


def icon(name: str) -> ui.element:
    """A sign of the icon font, by its name in Material Icons (part of NiceGUI); silent to who hears."""
    element = box("mi-sign", "span")
    element.props["data-icon"] = name
    element.props["aria-hidden"] = "true"
    return element


def link(content: str, address: str, classes: str = "", *, title: str = "") -> ui.element:
    """A way to another page."""
    element = text(content, classes, "a")
    element.props["href"] = address
    if title:
        element.props["aria-label"] = title
    return element


def once(act: Act) -> Callable[..., Awaitable[None]]:
    """Do it for a press, and not again before it is done: a second tap is the first one's.

    It runs as the page's, not as a part's: what it opens stays when that part is drawn anew.
    """
    client = ui.context.client
    busy = False

    async def run(*_: object) -> None:
        nonlocal busy
        if busy:
            return
        busy = True
        try:
            with client:
                given = act()
                if isawaitable(given):
                    await given
        finally:
            busy = False

    return run


def button(
    content: str, act: Act, classes: str = "", *, mark: str = "", title: str = "", sign: str = ""
) -> ui.element:
    """A plain button; `mark` is its `data-mishu`, `sign` an icon before its words.

    Without words it is as wide as its sign, and `title` is what it is called.
    """
    element = ui.element("button").classes(f"mi-button {classes}").on("click", once(act))
    element.props["type"] = "button"
    if mark:
        element.props["data-mishu"] = mark
    if title:
        element.props["aria-label"] = title
        element.props["title"] = title
    with element:
        if sign:
            icon(sign)
        if content:
            ui.label(content)
    if sign and not content:
        element.classes("mi-square")
    return element


def empty(what: str, say: str = "") -> None:
    """There is nothing; what to say in the group so that there is."""
    with box("mi-empty"):
        text(what)
        if say:
            with box("mi-say"):
                text("在群里说", "mi-soft", "span")
                text(f"「{say}」", "mi-quote", "span")


def heading(content: str, classes: str = "") -> None:
    """The heading of a part of a page."""
    text(content, f"mi-heading {classes}", "h2")


def field(
    label: str, value: str = "", *, kind: str = "text", mark: str = "", hint: str = "", longest: int = 200
) -> ui.input:
    """A labelled input line."""
    props = f"outlined dense stack-label type={kind} maxlength={longest}"
    element = ui.input(label, value=value, placeholder=hint).props(props).classes("mi-field")
    if mark:
        element.props["data-mishu"] = mark
    return element


@contextmanager
def sheet(title: str, classes: str = "", *, shown: bool = True) -> Generator[ui.dialog]:
    """A dialog that is called `title`, which stands above what is put into it where it is `shown`."""
    with ui.dialog() as dialog, box(f"mi-dialog {classes}"):
        dialog.props["aria-label"] = title
        if shown:
            heading(title)
        yield dialog


async def answered(dialog: ui.dialog) -> Any:
    """Wait for what a dialog is answered with, once; None where it is closed, or its page left."""
    answer = await dialog
    _drop(dialog)
    return answer


def _drop(dialog: ui.dialog) -> None:
    if not dialog.is_deleted:  # with the page that was left while it was open
        dialog.delete()


async def sure(question: str, yes: str = "是的") -> bool:
    """Ask, and wait for the answer."""
    with sheet(question.partition("\n")[0], shown=False) as dialog:
        for line in question.splitlines():
            text(line)
        with box("mi-row mi-end"):
            button("先不", lambda: dialog.submit(False))
            button(yes, lambda: dialog.submit(True), "mi-primary", mark="yes")
    return bool(await answered(dialog))


async def form(title: str, draw: Callable[[], None], act: Callable[[], Awaitable[bool]]) -> bool:
    """A sheet with fields that `draw` puts there, kept by `act`; whether that was done. What is refused stays
    there as it was typed, to be mended."""
    with sheet(title) as dialog:
        draw()
        with box("mi-row mi-end"):
            button("取消", lambda: dialog.submit(False))
            button("保存", lambda: dialog.submit(True), "mi-primary", mark="yes")
    done = False
    while not done and await dialog:
        done = await act()
    _drop(dialog)
    return done


def tell(words: str, *, bad: bool = False) -> None:
    """A line that goes by itself: at the foot of the page, away from what is typed into."""
    ui.notify(words, type="negative" if bad else "positive", position="bottom", timeout=4000)
