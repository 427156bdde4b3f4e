"""空闲: when the members are all free in the next days, who is busy when, and of whom nothing is known."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from itertools import groupby

from ....services.access.actor import Actor
from ....services.groups import find_all_members
from ....services.schedules.free_time import (
    BusyMember,
    FreeTimes,
    best_spans,
    describe_clock,
    find_free_times,
)
from ....storage.records import Conversation
from ..elements.panel import Draw, Panel
from ..elements.parts import box, empty, heading, text
from ..elements.wording import day
from ..shell.visit import Visit

_DAYS = timedelta(days=7)


async def draw_free_times(visit: Visit) -> None:
    """Draw the part 空闲 of the calendar."""

    async def load(actor: Actor, place: Conversation) -> Draw:
        found = await find_free_times(visit.office, actor, place, since=None, until=None)
        names = {each.id: each.name for each in await find_all_members(visit.office, place)}
        today = visit.office.now().date()
        return lambda: _draw(found, names, today)

    await Panel(visit, load, ("schedule", "task")).show()


def _draw(found: FreeTimes, names: Mapping[str, str], today: date) -> None:
    with box("mi-card") as card:
        card.props["data-mishu"] = "free"
        heading("七天内大家都有空")
        if not found.spans:
            empty("没有大家都有空的时间，或还没人记过安排。", "大家周五什么时候都有空")
        with box("mi-list"):
            for span in best_spans(found.spans):
                with box("mi-item mi-stack"):
                    text(day(span.begins.date(), today), "mi-when")
                    text(describe_clock(span.begins, span.ends), "mi-what")
            for user_id, mine in groupby(found.busy, key=lambda each: each.user_id):
                with box("mi-item mi-stack"):
                    text(names.get(user_id, user_id), "mi-when")
                    text(_describe_busy(list(mine), today), "mi-what mi-soft")
        if found.unknown:
            listed = "、".join(names.get(each, each) for each in found.unknown)
            text(f"没记过安排，不知道有没有空：{listed}", "mi-soft")


def _describe_busy(mine: list[BusyMember], today: date) -> str:
    days = groupby(mine, key=lambda each: each.begins.date())
    return "；".join(
        f"{day(on, today)} {'、'.join(describe_clock(each.begins, each.ends) for each in some)} 有事"
        for on, some in days
    )
