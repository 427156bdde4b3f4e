"""空闲: when the members are all free in the next days, who is busy when, and of whom nothing is known."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from itertools import groupby

from ....services.access.actor import Actor
from ....services.groups import find_all_members
from ....services.schedules.free_time import BusyMember, best_spans, describe_clock, find_free_times
from ....storage.records import Conversation
from ..elements.panel import Panel
from ..elements.parts import box, card, empty, text
from ..elements.wording import day


async def draw_free_times(panel: Panel, actor: Actor, place: Conversation) -> None:
    """Draw the part 空闲 of the calendar."""
    office = panel.visit.office
    found = await find_free_times(office, actor, place, since=None, until=None)
    names = {each.id: each.name for each in await find_all_members(office, place)}
    today = office.now().date()
    with card("七天内大家都有空") as element:
        element.props["data-mishu"] = "free"
        if not found.spans:
            empty("没有大家都有空的时间，或还没人记过安排。", "大家周五什么时候都有空")
        with box("mi-list"):
            for span in best_spans(found.spans):
                with box("mi-item mi-stack"):
                    text(day(span.begins.date(), today), "mi-when")
                    text(describe_clock(span.begins, span.ends), "mi-what")
            for user_id, busy in groupby(found.busy, key=lambda each: each.user_id):
                with box("mi-item mi-stack"):
                    text(names.get(user_id, user_id), "mi-when")
                    text(_describe_busy(busy, today), "mi-what mi-soft")
        if found.unknown:
            listed = "、".join(names.get(each, each) for each in found.unknown)
            text(f"没记过安排，不知道有没有空：{listed}", "mi-soft")


def _describe_busy(busy: Iterable[BusyMember], today: date) -> str:
    days = groupby(busy, key=lambda each: each.begins.date())
    return "；".join(
        f"{day(on, today)} {'、'.join(describe_clock(each.begins, each.ends) for each in some)} 有事"
        for on, some in days
    )
