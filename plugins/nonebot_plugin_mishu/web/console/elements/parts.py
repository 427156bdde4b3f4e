"""Basic elements of the pages. Members' text goes in as text, never as HTML."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from inspect import isawaitable
from typing import Any, Final, TypeVar, cast

from nicegui import ui

from ....services.refusals import Refused

Act = Callable[[], Any]
Key = TypeVar("Key")
NAMES: Final = {
    "amount": "金额", "category": "分类", "closes_at": "截止时间", "date": "哪天",
    "dueDate": "哪天", "description": "什么事",
    "end": "到几点", "endTime": "到几点", "ends_at": "到几点", "last": "到哪天",
    "budget-limit": "这个分类多少",
    "starts_at": "几点", "budget-name": "哪个分类", "startTime": "几点", "text": "内容",
    "limit": "名额", "options": "选项", "question": "问题", "time": "几点", "title": "什么事",
    "until": "重复到哪天", "日期": "日期", "金额": "金额",
}  # fmt: skip
"""Fields of requests and forms as the pages call them."""
_MARKS: Final = {
    "starts_at": "time", "startTime": "time", "ends_at": "end", "endTime": "end", "dueDate": "date",
    "日期": "date", "金额": "amount",
}  # fmt: skip
"""Fields of requests whose field in a form has another mark."""
_HALF: Final = (
    "[...document.querySelectorAll('.mi-dialog input')]"
    ".filter(e => e.validity.badInput).map(e => e.dataset.mishu || '')"
)
_HALF_WAIT: Final = 3.0
"""Seconds that a browser has to say which fields are typed half."""


@dataclass
class _Form:
    """An open form: its fields by mark, and the place of its warning."""

    fields: dict[str, Any] = dataclass_field(default_factory=dict[str, Any])
    trouble: ui.element | None = None

    def clear(self) -> None:
        """Remove the warning."""
        for each in self.fields.values():
            each.error = None
        if self.trouble is not None:
            self.trouble.clear()

    def complain(self, name: str, words: str) -> None:
        """Show a warning, and mark the field."""
        marked = self.fields.get(name) or self.fields.get(
            _MARKS.get(name, name.replace("categories.", "budget-"))
        )
        if marked is not None:
            marked.error = words
        if self.trouble is not None:
            with self.trouble:
                text(words, "mi-trouble").props["role"] = "alert"


_FORM: Final[ContextVar[_Form | None]] = ContextVar("mishu_form", default=None)
"""The form whose input is being kept."""


def plain(why: Refused) -> str:
    """A refusal's message without the field name (`wake_words：…`), or with the page's name for it."""
    field = why.field or ""
    words = why.message.removeprefix(f"{field}：")
    name = NAMES.get(field, "")
    return f"{name}{words}" if name and words.startswith("不") else words


def refuse(why: Refused) -> None:
    """Show why an action was refused: in its form, else in passing."""
    form = _FORM.get()
    if form is None:
        show_notice(plain(why), bad=True)
    else:
        form.complain(why.field or "", plain(why))


def box(classes: str = "", tag: str = "div") -> ui.element:
    """An element that holds others."""
    return ui.element(tag).classes(classes)


def text(content: str, classes: str = "", tag: str = "div") -> ui.element:
    """A piece of text."""
    with ui.element(tag).classes(classes) as element:
        ui.label(content)
    return element


def icon(name: str) -> ui.element:
    """An icon by its name in Material Icons (part of NiceGUI); hidden from screen readers."""
    element = box("mi-sign", "span")
    element.props["data-icon"] = name
    element.props["aria-hidden"] = "true"
    return element


def link(content: str, address: str, classes: str = "", *, title: str = "") -> ui.element:
    """A link to another page."""
    element = text(content, classes, "a")
    element.props["href"] = address
    if title:
        element.props["aria-label"] = title
    return element


def once(act: Act) -> Callable[..., Awaitable[None]]:
    """Run for a press, and not again before it ends: a second tap is ignored.

    It runs in the page's context: a dialog it opens stays when its part is drawn anew."""
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


def tabs(names: Mapping[Key, str], chosen: Key, choose: Callable[[Key], Any]) -> None:
    """Buttons of which one is pressed; `choose` gets the key of another."""
    for key, name in names.items():
        element = button(name, lambda key=key: choose(key), "mi-on" if key == chosen else "")
        element.props["aria-pressed"] = "true" if key == chosen else "false"


def switch(label: str, value: bool, turn: Callable[[bool], Any], *, title: str) -> ui.switch:
    """A switch; `turn` gets its new value, `title` is what it is called."""
    element = ui.switch(label, value=value).props(f'aria-label="{title}"')
    element.on_value_change(lambda event: once(lambda: turn(bool(event.value)))())
    return element


def empty(what: str, say: str = "") -> None:
    """An empty list, with a hint for the group."""
    with box("mi-empty"):
        text(what)
        if say:
            with box("mi-say"):
                text("在群里说", "mi-soft", "span")
                text(f"「{say}」", "mi-quote", "span")


def heading(content: str, classes: str = "") -> None:
    """Heading of a part of a page."""
    text(content, f"mi-heading {classes}", "h2")


@contextmanager
def card(title: str, *beside: Callable[[], object], classes: str = "") -> Generator[ui.element]:
    """A part of a page under its heading, with what `beside` draws on the heading's right."""
    with box("mi-card") as element:
        if beside:
            with box("mi-row mi-between"):
                heading(title, classes)
                for draw in beside:
                    draw()
        else:
            heading(title, classes)
        yield element


def facts(values: Mapping[str, str], classes: str = "") -> None:
    """Names and their values, side by side."""
    with box(f"mi-facts {classes}"):
        for name, value in values.items():
            text(name)
            text(value)


def answer_line(
    hint: str, title: str, act: Callable[[str], Any], longest: int, classes: str = ""
) -> ui.input:
    """An input line without a label, called `title`; Enter gives its words to `act`."""
    element = ui.input(placeholder=hint).props(f"outlined dense maxlength={longest}")
    element.classes(f"mi-field {classes}").props["aria-label"] = title
    element.on("keydown.enter", once(lambda: act(str(element.value or "").strip())))
    return element


def select(names: Mapping[str, str], value: str, label: str, mark: str) -> ui.select:
    """A labelled choice by key; `mark` is its `data-mishu`."""
    known = value if value in names else None
    one = ui.select(dict(names), value=known, label=label).props("outlined dense stack-label")
    one.classes("mi-field").props["data-mishu"] = mark
    return one


def field(
    label: str,
    value: str = "",
    *,
    kind: str = "text",
    mark: str = "",
    hint: str = "",
    longest: int = 200,
    offers: Iterable[str] = (),
) -> ui.input:
    """A labelled input line; `offers` are words to choose from, others may be typed."""
    props = f"outlined dense stack-label type={kind} maxlength={longest}"
    element = ui.input(label, value=value, placeholder=hint).props(props).classes("mi-field")
    if offers:
        element.props["list"] = f"mi-offers-{element.id}"
        known = box(tag="datalist")
        known.props["id"] = f"mi-offers-{element.id}"
        with known:
            for each in offers:
                box(tag="option").props["value"] = each
    if mark:
        element.props["data-mishu"] = mark
        if (form := _FORM.get()) is not None:
            form.fields[mark] = element
    return element


@contextmanager
def sheet(title: str, classes: str = "", *, shown: bool = True) -> Generator[ui.dialog]:
    """A dialog that is called `title`, which stands above what is put into it where it is `shown`."""
    with ui.dialog() as dialog, box(f"mi-dialog {classes}"):
        dialog.props["aria-label"] = title
        if shown:
            heading(title)
        yield dialog


async def await_answer(dialog: ui.dialog) -> Any:
    """Wait for the answer of a dialog; None where it is closed, or its page left."""
    answer = await dialog
    _delete_dialog(dialog)
    return answer


def _delete_dialog(dialog: ui.dialog) -> None:
    if not dialog.is_deleted:  # with the page that was left while it was open
        dialog.delete()


async def ask_confirmation(question: str, yes: str = "是的") -> bool:
    """Ask for a confirmation."""
    with sheet(question.partition("\n")[0], shown=False) as dialog:
        for line in question.splitlines():
            text(line)
        with box("mi-row mi-end"):
            button("先不", lambda: dialog.submit(False))
            button(yes, lambda: dialog.submit(True), "mi-primary", mark="yes")
    return bool(await await_answer(dialog))


async def form(title: str, draw: Callable[[], None], act: Callable[[], Awaitable[bool]]) -> bool:
    """A dialog with the fields of `draw`, saved by `act`; returns True if saved. Refused values stay as
    typed."""
    kept = _Form()
    before = _FORM.set(kept)
    try:
        with sheet(title) as dialog:
            dialog.props("no-backdrop-dismiss")  # a tap beside it loses nothing that was typed
            draw()
            kept.trouble = box()
            with box("mi-row mi-end"):
                button("取消", lambda: dialog.submit(False))
                button("保存", lambda: dialog.submit(True), "mi-primary", mark="yes")
        done = False
        while not done and await dialog:
            kept.clear()
            half = await _list_half_typed()
            for name in half:
                kept.complain(name, f"{NAMES.get(name, '')}只填了一半")
            done = not half and await act()
        _delete_dialog(dialog)
        return done
    finally:
        _FORM.reset(before)


async def _list_half_typed() -> list[str]:
    """Marks of incomplete fields (a date without a day), of which a browser sends nothing."""
    try:
        found = cast("list[str]", await ui.run_javascript(_HALF, timeout=_HALF_WAIT))
        return [str(each) for each in found]
    except TimeoutError:
        return []


def show_notice(words: str, *, bad: bool = False) -> None:
    """A passing notice at the foot of the page."""
    ui.notify(words, type="negative" if bad else "positive", position="bottom", timeout=4000)
