"""Service context built from the running plugin's parts; changes are published live."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final

from ..agents import Announcer
from ..agents.bookkeeping.books import Books
from ..agents.nudges import NudgeExecutor
from ..agents.polls import PollExecutor
from ..agents.schedule import BusyTimes
from ..agents.schedule.executor import ScheduleExecutor
from ..agents.schedule.model.calls import Calls
from ..agents.tasks import TaskTools
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


def furnish(
    config: Config,
    clock: Clock,
    storage: Storage,
    model: ModelClient,
    tools: TaskTools,
    polls: PollExecutor,
    nudges: NudgeExecutor,
    announcer: Announcer,
    accounts: Callable[[], Sequence[str]],
    desk: Callable[[], FrontDesk | None],
    report: Report,
    rosters: Rosters,
    withdrawn: Callable[[Conversation, Sequence[str]], None],
    duties: Duties,
    superusers: Callable[[], Collection[str]] = lambda: (),
    command: str = "/秘书",
    busy_times: BusyTimes | None = None,
) -> Office:
    """The office over the running plugin's parts."""
    timeout = config.llm.decide_timeout
    return Office(
        config,
        clock,
        storage,
        ScheduleExecutor(storage, Calls(model, timeout), config.schedule.remind_before),
        tools,
        polls,
        nudges,
        Books(storage, model, config.bookkeeping, config.zone, clock.wall, timeout),
        announcer,
        accounts,
        desk,
        rosters,
        report,
        withdrawn,
        superusers,
        duties,
        command,
        busy_sources=busy_times,
    )


def tell(feed: EventBus, notes: Sequence[Noted]) -> None:
    """Publish what was changed: which row, how, and by whom; what it says is asked for by who may know.

    Also while nobody listens: who comes back after a broken connection is told what they missed."""
    for note in notes:
        kind = KINDS.get(note.table)
        if kind is not None:
            data = {"id": note.row_id, "action": note.action, "by": note.by or None}
            feed.publish(BotEvent(kind, note.conversation, data, note.table))
