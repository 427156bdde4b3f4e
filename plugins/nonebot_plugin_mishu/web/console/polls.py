"""统计: votes, sign-ups, counts of the group: made, answered, ended, deleted."""

from __future__ import annotations

from collections.abc import Awaitable
from uuid import uuid4

from nicegui import ui

from ...services import polls
from ...services.access.actor import Actor
from ...services.polls import NAMES, PollShown, say_moment
from ...storage.records import Conversation
from .elements.panel import Draw, Panel, perform_told
from .elements.parts import box, button, empty, heading, text
from .elements.sentence import SentenceBox
from .poll_form import create
from .shell.visit import Visit

MOST_CLOSED = 20
"""Ended polls that are shown."""
LISTED = 30


async def draw_polls_page(visit: Visit) -> None:
    """Draw the page 统计."""
    await SentenceBox(visit, "说一句：投个票 周六还是周日去爬山，周五截止").show()

    def load(actor: Actor, place: Conversation) -> Awaitable[Draw]:
        return _load(visit, actor, place, panel)

    panel = Panel(visit, load, ("poll",))
    await panel.show()


async def _load(visit: Visit, actor: Actor, place: Conversation, panel: Panel) -> Draw:
    found = (await polls.list_polls(visit.office, actor, place, visit.me)).rows
    now_open = [each for each in found if each.poll.open]
    over = [each for each in found if not each.poll.open][:MOST_CLOSED]

    def draw() -> None:
        with box("mi-card"):
            with box("mi-row mi-between"):
                heading("开着的")
                button("发起", lambda: create(visit, panel), mark="add", title="发起投票、报名或统计")
            if not now_open:
                empty("没有开着的投票、报名或统计。", "秘书 投个票 周六还是周日去爬山")
            with box("mi-list"):
                for each in now_open:
                    _draw_poll(visit, each, panel)
        if over:
            with box("mi-card"):
                heading("截止了的")
                with box("mi-list"):
                    for each in over:
                        _draw_poll(visit, each, panel)

    return draw


def _draw_poll(visit: Visit, shown: PollShown, panel: Panel) -> None:
    poll, fields = shown.poll, shown.poll.fields
    with box("mi-item mi-stack mi-options"):
        with box("mi-what"):
            text(fields.question)
            text(_facts(visit, shown), "mi-soft")
            for at, each in enumerate(fields.options):
                text(f"{at + 1}. {each}：{shown.counts[at]} 票{_names(shown, at)}")
            if fields.form != "vote":
                text(_people(shown))
        if poll.open and visit.me is not None:
            with box("mi-acts"):
                _draw_answers(visit, shown, panel)
        if visit.me is not None and (visit.governs or visit.me == poll.maker):
            named = fields.question[:20]
            with box("mi-acts"):
                if poll.open:
                    button("截止", lambda: _close(visit, shown, panel), title=f"截止：{named}")
                else:
                    button("重开", lambda: _reopen(visit, shown, panel), title=f"重开：{named}")
                button(
                    "删掉",
                    lambda: _delete(visit, shown, panel),
                    "mi-danger",
                    title=f"删掉：{named}",
                )


def _draw_answers(visit: Visit, shown: PollShown, panel: Panel) -> None:
    poll, fields, mine = shown.poll, shown.poll.fields, shown.mine
    title = fields.question[:20]
    if fields.form == "vote":
        for at, each in enumerate(fields.options):
            chosen = mine is not None and mine.taken and at in mine.chosen
            button(
                f"已投：{each}" if chosen else f"投：{each}",
                lambda at=at: _answer(visit, poll.id, panel, choice=at),
                title=f"投：{each}（{title}）",
            )
        return
    inside = mine is not None and mine.taken
    if fields.form == "signup":
        if not inside:
            button("报名", lambda: _answer(visit, poll.id, panel), title=f"报名：{title}")
    else:
        amount = ui.number(
            value=mine.amount if mine is not None and mine.taken else 1, min=1, max=99, format="%d"
        )
        amount.props("outlined dense").classes("mi-field").props["aria-label"] = f"几份：{title}"
        button(
            "要这么多",
            lambda: _answer(visit, poll.id, panel, amount=int(amount.value or 1)),
            title=f"要这么多：{title}",
        )
    if inside:
        button("退出", lambda: _answer(visit, poll.id, panel, taken=False), title=f"退出：{title}")


def _facts(visit: Visit, shown: PollShown) -> str:
    poll, fields = shown.poll, shown.poll.fields
    parts = [NAMES[fields.form]]
    if poll.maker_name:
        parts.append(f"{poll.maker_name}发起")
    if fields.anonymous:
        parts.append("不记名")
    if fields.places is not None:
        parts.append(f"限 {fields.places} 人")
    if not poll.open and poll.closed_at is not None:
        parts.append(f"{say_moment(poll.closed_at, visit.office.zone)} 截止的")
    elif fields.closes_at is not None:
        parts.append(f"{say_moment(fields.closes_at, visit.office.zone)} 截止")
    return "，".join(parts)


def _names(shown: PollShown, choice: int) -> str:
    names = [each.name for each in shown.answers if choice in each.choices][:LISTED]
    return f"（{'、'.join(names)}）" if names else ""


def _people(shown: PollShown) -> str:
    unit = "人" if shown.poll.fields.form == "signup" else "份"
    limit = f"/{shown.poll.fields.places}" if shown.poll.fields.places is not None else ""
    named = [
        f"{each.name}{f' {each.amount} {unit}' if each.amount > 1 else ''}"
        f"{'（候补）' if each.waiting else ''}"
        for each in shown.answers[:LISTED]
    ]
    listed = f"：{'、'.join(named)}" if named else ""
    return f"共 {shown.total}{limit} {unit}{listed}"


async def _answer(
    visit: Visit,
    poll_id: int,
    panel: Panel,
    *,
    taken: bool = True,
    choice: int | None = None,
    amount: int = 1,
) -> None:
    async def answer(actor: Actor, place: Conversation, _: bool) -> None:
        await polls.answer_poll(
            visit.office,
            actor,
            place,
            poll_id,
            taken=taken,
            choice=choice,
            amount=amount,
            origin=f"console:{uuid4().hex}",
            user_id=visit.me,
        )

    if await perform_told(visit, answer, "记下了"):
        await panel.show()


async def _close(visit: Visit, shown: PollShown, panel: Panel) -> None:
    async def close(actor: Actor, place: Conversation, _: bool) -> None:
        await polls.update_poll(
            visit.office, actor, place, shown.poll.id, {"status": "closed"}, user_id=visit.me
        )

    if await perform_told(visit, close, "截止了"):
        await panel.show()


async def _reopen(visit: Visit, shown: PollShown, panel: Panel) -> None:
    async def reopen(actor: Actor, place: Conversation, _: bool) -> None:
        await polls.update_poll(
            visit.office, actor, place, shown.poll.id, {"status": "open"}, user_id=visit.me
        )

    if await perform_told(visit, reopen, "重开了"):
        await panel.show()


async def _delete(visit: Visit, shown: PollShown, panel: Panel) -> None:
    async def delete(actor: Actor, place: Conversation, yes: bool) -> None:
        await polls.delete_poll(visit.office, actor, place, shown.poll.id, user_id=visit.me, confirm=yes)

    if await perform_told(visit, delete, "删掉了"):
        await panel.show()
