"""Service context built from the running plugin's parts; changes are published live."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final

from ..agents import Announcer
from ..agents.bookkeeping.books import Books
from ..agents.schedule.executor import ScheduleExecutor
from ..agents.schedule.model.calls import Calls
from ..clock import Clock
from ..config import Config
from ..events import BotEvent, EventBus, Kind
from ..frontdesk import FrontDesk
from ..frontdesk.duty.duties import Duties
from ..frontdesk.rooms.rosters import Rosters
from ..llm import ModelClient
from ..report import Report
from ..services.office import Office
from ..storage import Storage
from ..storage.engine.change_notice import Noted
from ..storage.groups.settings import SETTINGS
from ..storage.records import Conversation
from .assembly import Services

KINDS: Final[dict[str, Kind]] = {
    "mishu_schedule": "schedule",
    "mishu_task": "task",
    "mishu_transaction": "transaction",
    "mishu_budget": "transaction",
    "mishu_reminder": "reminder",
    "mishu_poll": "poll",
    SETTINGS: "settings",
}
"""Which event a change of a table is."""


def make_office(
    config: Config,
    clock: Clock,
    storage: Storage,
    model: ModelClient,
    services: Services,
    *,
    announcer: Announcer,
    accounts: Callable[[], Sequence[str]],
    desk: Callable[[], FrontDesk | None],
    rosters: Rosters,
    report: Report,
    withdrawn: Callable[[Conversation, Sequence[str]], None],
    superusers: Callable[[], Collection[str]],
    duties: Duties,
    command: str,
) -> Office:
    """The office over the running plugin's parts."""
    timeout = config.llm.decide_timeout
    return Office(
        config=config,
        clock=clock,
        storage=storage,
        schedule_executor=ScheduleExecutor(storage, Calls(model, timeout), config.schedule.remind_before),
        tools=services.tools,
        polls=services.polls,
        nudges=services.nudges,
        books=Books(storage, model, config.bookkeeping, config.zone, clock.wall, timeout),
        announcer=announcer,
        accounts=accounts,
        desk=desk,
        rosters=rosters,
        report=report,
        withdrawn=withdrawn,
        superusers=superusers,
        duties=duties,
        command=command,
        busy_sources=services.busy_times,
    )


def publish_changes(feed: EventBus, notes: Sequence[Noted]) -> None:
    """Publish what was changed: which row, how, and by whom; what it says is asked for by who may know.

    Also while nobody listens: who comes back after a broken connection is told what they missed."""
    for note in notes:
        kind = KINDS.get(note.table)
        if kind is not None:
            data = {"id": note.row_id, "action": note.action, "by": note.by or None}
            feed.publish(BotEvent(kind, note.conversation, data, note.table))
