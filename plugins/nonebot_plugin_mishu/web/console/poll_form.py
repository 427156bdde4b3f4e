"""Form of a new vote, sign-up or count."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from datetime import time as clock
from typing import Any, Final, cast
from uuid import uuid4
from zoneinfo import ZoneInfo

from nicegui import ui

from ...services import polls
from ...services.access.actor import Actor
from ...services.polls import NAMES
from ...services.refusals import Refused, invalid
from ...storage.polls.records import Form, PollFields
from ...storage.records import Conversation
from .elements.choices import select
from .elements.panel import Panel, perform_told
from .elements.parts import box, field, form, refuse
from .elements.person import ask_person
from .shell.visit import Visit

EVENING: Final = clock(22)
"""End of a day said without a clock, as in the group."""


async def create(visit: Visit, panel: Panel) -> None:
    """Ask for a new poll and make it."""
    if visit.me is None and not await ask_person(visit):
        return
    inputs: dict[str, Any] = {}

    def draw() -> None:
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

    origin = f"console:{uuid4().hex}"

    async def make() -> bool:
        try:
            fields = poll_fields({name: each.value for name, each in inputs.items()}, visit.office.zone)
        except Refused as why:
            refuse(why)
            return False

        async def add(actor: Actor, place: Conversation, _: bool) -> None:
            await polls.create_poll(visit.office, actor, place, fields, origin=origin, user_id=visit.me)

        return await perform_told(visit, add, "发起了", "，也在群里说了")

    if await form("发起投票、报名或统计", draw, make):
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
