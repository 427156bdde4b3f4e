"""统计: votes, sign-ups, counts of the group: made, answered, ended, deleted."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from datetime import date, datetime
from datetime import time as clock
from typing import Any, Final, cast
from zoneinfo import ZoneInfo

from nicegui import ui

from ...services import polls
from ...services.access.actor import Actor
from ...services.polls import NAMES, OpenOrClosed, PollShown, say_moment
from ...services.refusals import Refused, invalid
from ...storage.polls.records import Form, PollFields
from ...storage.records import Conversation
from .elements.panel import Panel, new_origin, perform
from .elements.parts import box, button, card, empty, field, form, refuse, select, text
from .elements.person import ask_person
from .elements.sentence import SentenceBox
from .shell.visit import Visit

MOST_CLOSED: Final = 20
"""Ended polls that are shown."""
LISTED: Final = 30
"""Names that are listed of an option."""
EVENING: Final = clock(22)
"""End of a day said without a clock, as in the group."""


async def draw_polls_page(visit: Visit) -> None:
    await SentenceBox(visit, "说一句：投个票 周六还是周日去爬山，周五截止").show()
    await Panel(visit, _draw_polls, ("poll",)).show()


async def _draw_polls(panel: Panel, actor: Actor, place: Conversation) -> None:
    visit = panel.visit
    found = (await polls.list_polls(visit.office, actor, place, visit.me)).rows
    now_open = [each for each in found if each.poll.open]
    over = [each for each in found if not each.poll.open][:MOST_CLOSED]
    create = "发起投票、报名或统计"
    with card("开着的", lambda: button("发起", lambda: _create_poll(panel), mark="add", title=create)):
        if not now_open:
            empty("没有开着的投票、报名或统计。", "秘书 投个票 周六还是周日去爬山")
        with box("mi-list"):
            for each in now_open:
                _draw_poll(panel, each)
    if over:
        with card("截止了的"), box("mi-list"):
            for each in over:
                _draw_poll(panel, each)


def _draw_poll(panel: Panel, shown: PollShown) -> None:
    visit, poll, fields = panel.visit, shown.poll, shown.poll.fields
    office, name = visit.office, fields.question[:20]

    def update(done: str, status: OpenOrClosed) -> Awaitable[bool]:
        return panel.perform(
            lambda write, place: polls.update_poll(office, write, place, poll.id, {"status": status}), done
        )

    def delete() -> Awaitable[bool]:
        return panel.perform(lambda write, place: polls.delete_poll(office, write, place, poll.id), "删掉了")

    with box("mi-item mi-stack mi-options"):
        with box("mi-what"):
            text(fields.question)
            text(_describe_poll(visit, shown), "mi-soft")
            for at, each in enumerate(fields.options):
                text(f"{at + 1}. {each}：{shown.counts[at]} 票{_names(shown, at)}")
            if fields.form != "vote":
                text(_people(shown))
        if poll.open and visit.me is not None:
            with box("mi-acts"):
                _draw_answers(panel, shown)
        if visit.me is not None and (visit.governs or visit.me == poll.maker):
            with box("mi-acts"):
                if poll.open:
                    button("截止", lambda: update("截止了", "closed"), title=f"截止：{name}")
                else:
                    button("重开", lambda: update("重开了", "open"), title=f"重开：{name}")
                button("删掉", delete, "mi-danger", title=f"删掉：{name}")


def _draw_answers(panel: Panel, shown: PollShown) -> None:
    office, poll, fields = panel.visit.office, shown.poll, shown.poll.fields
    title = fields.question[:20]
    own = shown.own_answer
    if own is not None and not own.taken:
        own = None

    def answer(**given: Any) -> Awaitable[bool]:
        return panel.perform(
            lambda write, place: polls.answer_poll(office, write, place, poll.id, **given), "记下了"
        )

    if fields.form == "vote":
        for at, each in enumerate(fields.options):
            name = f"已投：{each}" if own is not None and at in own.chosen else f"投：{each}"
            button(name, lambda at=at: answer(choice=at), title=f"投：{each}（{title}）")
        return
    if fields.form == "count":
        amount = ui.number(value=1 if own is None else own.amount, min=1, max=99, format="%d")
        amount.props("outlined dense").classes("mi-field").props["aria-label"] = f"几份：{title}"
        button("要这么多", lambda: answer(amount=int(amount.value or 1)), title=f"要这么多：{title}")
    elif own is None:
        button("报名", answer, title=f"报名：{title}")
    if own is not None:
        button("退出", lambda: answer(taken=False), title=f"退出：{title}")


def _describe_poll(visit: Visit, shown: PollShown) -> str:
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


async def _create_poll(panel: Panel) -> None:
    """Form of a new vote, sign-up or count."""
    visit, origin = panel.visit, new_origin()
    if visit.me is None and not await ask_person(visit):
        return
    inputs: dict[str, Any] = {}

    def draw_fields() -> None:
        kinds = {name: NAMES[name] for name in ("vote", "signup", "count")}
        inputs["kind"] = select(kinds, "vote", "哪种", "kind")
        inputs["question"] = field("问什么", mark="question", hint="周六还是周日去爬山", longest=120)
        options = field("选项，一行一个", kind="textarea", mark="options", hint="周六\n周日", longest=1000)
        options.bind_visibility_from(inputs["kind"], "value", value="vote")
        limit = field("限几个人（可不填）", kind="number", mark="limit")
        limit.bind_visibility_from(inputs["kind"], "value", value="signup")
        inputs.update(options=options, limit=limit)
        with box("mi-pair"):
            inputs["date"] = field("哪天截止（可不填）", kind="date", mark="date")
            inputs["time"] = field("几点截止（不填是 22:00）", kind="time", mark="time")
        inputs["anonymous"] = ui.checkbox("不记名")
        inputs["anonymous"].props["data-mishu"] = "anonymous"

    async def create() -> bool:
        try:
            fields = poll_fields({name: each.value for name, each in inputs.items()}, visit.office.zone)
        except Refused as why:
            refuse(why)
            return False
        return await perform(
            visit,
            lambda write, place: polls.create_poll(visit.office, write, place, fields),
            "发起了",
            "，也在群里说了",
            origin=origin,
        )

    if await form("发起投票、报名或统计", draw_fields, create):
        await panel.show()


def poll_fields(said: Mapping[str, Any], zone: ZoneInfo) -> PollFields:
    """Fields of a poll from those of the form. Pure. Raises `Refused` with the field."""
    words = {name: str(value or "").strip() for name, value in said.items()}
    kind = cast("Form", words["kind"])
    if not words["question"]:
        raise invalid("question", "不能缺少")
    places = None
    if kind == "signup" and words["limit"]:
        if not (words["limit"].isascii() and words["limit"].isdecimal()):
            raise invalid("limit", "应是整数")
        places = int(words["limit"])
    if words["time"] and not words["date"]:
        raise invalid("date", "填了几点截止，就要填哪天")
    closes_at = None
    if words["date"]:
        at = clock.fromisoformat(words["time"]) if words["time"] else EVENING
        closes_at = datetime.combine(date.fromisoformat(words["date"]), at, zone).timestamp()
    options = tuple(words["options"].splitlines()) if kind == "vote" else ()
    return PollFields(kind, words["question"], options, places, closes_at, bool(said["anonymous"]))
