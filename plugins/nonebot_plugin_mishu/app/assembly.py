"""The core with its agents and its memory, put together: for the running plugin, and for replay."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from functools import partial

from ..agents import REGISTRY, Announcer, RegisteredAgents, Registry, TaskContext, Undo
from ..agents.announcements import AnnouncementAgent
from ..agents.api.quiet_times import QuietTimes
from ..agents.api.references import ListedReferences, spoken_things
from ..agents.api.undoing import Undoing
from ..agents.bookkeeping import bookkeeping_spec
from ..agents.bookkeeping.listed_records import ListedRecords
from ..agents.bookkeeping.saved_records import record_for_model
from ..agents.bookkeeping.shares.debts_for_model import list_debts
from ..agents.bookkeeping.shares.staying_out import bills_shared
from ..agents.chat import ChatAgent, Lookups
from ..agents.nudges import NudgeExecutor, NudgeNews, nudges_spec
from ..agents.polls import PollBoard, PollExecutor, PollNews, polls_spec
from ..agents.polls.executor import Members, nobody
from ..agents.record import RecordAgent, Withdrawn, fact_thing, not_withdrawn
from ..agents.schedule import BusyTimes, FreeTime, PlansOfDays, schedule_spec, schedule_thing
from ..agents.tasks import TasksOfDays, TaskTools, task_thing, tasks_spec
from ..agents.term import current_term, term_spec
from ..clock import Clock
from ..config import Config
from ..core import Core
from ..core.decision import read
from ..core.decision.model.offered import by_itself, why_not
from ..core.protocols import Agents, Allows, KnownThings, everything_on
from ..core.safety.gate import SELF, replies
from ..imports.bills.agent import BillAgent
from ..imports.bills.importing import BillImports
from ..imports.calendars.agent import CalendarSourcesAgent
from ..imports.calendars.busy_source import ImportedBusySource
from ..imports.calendars.day_list import ImportedOfDays, SeveralLists
from ..imports.calendars.fetching import Fetch
from ..imports.calendars.sources import CalendarSources
from ..imports.shelf import Shelf
from ..language.clause import LastDone, Situation
from ..llm import ModelClient
from ..memory import Recollection
from ..reminders import ReminderService
from ..reminders.agent import ReminderAnswers
from ..reminders.calendars.agenda import Agenda
from ..reminders.calendars.agent import CalendarAgent
from ..reminders.calendars.calendars import CalendarDesk, StandingOf, unknown
from ..reminders.calendars.entries import planned
from ..reminders.digest import CLOCK as DIGEST_AT
from ..reminders.digest import DailyDigest
from ..reminders.minutes import FEATURE as WEEKLY
from ..reminders.minutes import WeeklyMinutes
from ..reminders.recognition import Recognition
from ..report import Report
from ..storage import Conversation, Storage
from ..storage.reminders.records import DIGEST, NUDGE, POLL, ReminderRecord
from ..storage.transactions.queries import BookSpan
from .desk_announcer import VoiceOfDesk

MOST_KNOWN = 200
"""Tasks, and schedules, whose names are compared with what a member says."""
LAST_RECORDS = 10
"""Of the speaker's account that a model is shown with a line."""
FACT_TOLD = 600.0
"""Seconds in which a line may put right the fact that its speaker gave."""
ALL_ROUNDS = 1000
"""Rounds of M1 that chat may see: all of them, until the memory itself cuts them (MISHU__MEMORY__TOKENS)."""


@dataclass(frozen=True, slots=True)
class Services:
    """Services behind the front desk. `close` ends running work of the core and the memory."""

    core: Core
    reminders: ReminderService
    digest: DailyDigest
    calendars: CalendarDesk
    memory: Recollection
    agents: Agents
    tools: TaskTools
    record: RecordAgent
    minutes: WeeklyMinutes
    busy_times: BusyTimes
    """Sources of when members are busy; a module with entries of its own adds itself with `add`."""
    polls: PollExecutor
    nudges: NudgeExecutor
    quiet: QuietTimes
    sources: CalendarSources
    shelf: Shelf

    async def close(self) -> None:
        """Open questions stay open on disk."""
        await self.reminders.stop()
        await self.core.close()
        await self.memory.close()


def _unheard(sentence: str) -> None:
    """Nobody reads the log."""


def _unknown(conversation: Conversation, user_id: str) -> str | None:
    """Nobody's name is known."""
    return None


def assemble(
    config: Config,
    clock: Clock,
    storage: Storage,
    model: ModelClient,
    names: Sequence[str],
    report: Report,
    allows: Allows = everything_on,
    announcer: Announcer | None = None,
    watched: Callable[[RegisteredAgents], Agents] | None = None,
    warn: Callable[[str], None] = _unheard,
    name_in: Callable[[Conversation, str], str | None] = _unknown,
    site: Callable[[], str | None] = lambda: None,
    withdrawn: Withdrawn = not_withdrawn,
    came: Callable[[Conversation, str], Awaitable[float | None]] | None = None,
    card: Callable[[Conversation, str], Awaitable[str | None]] | None = None,
    standing: StandingOf = unknown,
    others: Registry = REGISTRY,
    members: Members = nobody,
    fetch: Fetch | None = None,
) -> Services:
    """Build everything over an open storage. Nothing is started.

    `site` tells where the bot is reached over HTTP. `withdrawn` takes lines out of what is in memory.
    `came` tells since when somebody is in a group; without it, what was seen of it. `card` tells what members
    are called who have not spoken. `standing` tells
    what they are in it, `members` lists a group. `fetch` fetches subscribed calendars; without one they are
    fetched over the network.
    `watched` may put something between the core and its agents (replay notes who is called).
    """
    voice = announcer or VoiceOfDesk(lambda: None)
    memory = Recollection(config, clock, storage, model, report)
    agenda = Agenda(storage, config.schedule.remind_before)
    lately = ListedReferences(storage.spoken_of, report)
    listed = ListedRecords()

    async def spoke(where: Conversation, rows: list[ReminderRecord], now: float) -> None:
        for row in rows:
            code = "tasks" if row.agent_code == NUDGE else row.agent_code
            for user_id in row.user_ids if row.item_id or row.agent_code != NUDGE else ():
                await lately.note_items(where, user_id, code, [row.item_id], now)

    async def digest_at(conversation: Conversation) -> time:
        kept = (await storage.settings.load(conversation)).digest_time
        return DIGEST_AT if kept is None else time.fromisoformat(kept)

    async def minutes_at(conversation: Conversation) -> str | None:
        return (await storage.settings.load(conversation)).weekly_time

    record = RecordAgent(
        storage,
        model,
        config,
        clock.wall,
        voice.allows,
        clock.today_began,
        withdrawn,
        came,
        card=card,
        announcer=announcer,
    )
    sources, shelf = CalendarSources(storage, config.zone, clock.wall, fetch), Shelf()
    imported = ImportedOfDays(sources)
    digest = DailyDigest(
        storage.reminders,
        agenda,
        voice,
        config.zone,
        clock.wall,
        digest_at,
        record.decided,
        imported.of_today,
    )
    minutes = WeeklyMinutes(storage.reminders, record.minutes, voice, config.zone, clock.wall, minutes_at)

    board = PollBoard(storage, clock.wall)
    quiet = QuietTimes(storage, config.zone)
    polls = PollExecutor(storage, board, config.zone, clock.wall, members, quiet)
    nudges = NudgeExecutor(storage, quiet, config.zone, clock.wall)

    async def compose(row: ReminderRecord, now: float) -> str | None:
        return await (minutes if row.text == WEEKLY else digest).compose(row, now)

    reminders = ReminderService(
        storage.reminders,
        voice,
        clock.wall,
        warn,
        name_in=name_in,
        compose={
            DIGEST: compose,
            POLL: PollNews(storage, board).compose,
            NUDGE: NudgeNews(storage).compose,
        },
        spoke=spoke,
        waits=quiet.row_waits,
    )
    calendars = CalendarDesk(storage.calendars, agenda.calendar, clock.wall, site, standing)
    tools = TaskTools(storage, lately)

    async def complete(context: TaskContext, task_id: int) -> str | None:
        return (await tools.complete_task(context, [task_id])).said

    async def complete_nudged(context: TaskContext, task_id: int) -> str | None:
        await nudges.finish(context.conversation, context.actor.user_id, task_id)
        return await complete(context, task_id) if task_id else None

    def answered(context: TaskContext) -> None:
        reminders.told.answered(context.conversation, context.actor.user_id)

    async def coming(conversation: Conversation, user_id: str, now: datetime) -> list[str]:
        found = await agenda.coming(conversation, user_id, now.date())
        return [planned(day, entry) for day, entry in found]

    def unoffered(line: str, where: Situation) -> str | None:
        return why_not(read(line, by_itself(where), joined), joined)

    def orders(line: str, where: Situation) -> bool:
        return unoffered(line, where) is None

    def undo_of(code: str) -> Callable[[Undo], Awaitable[str | None]] | None:
        spec = joined.get(code)
        return None if spec is None else spec.undo

    busy_times = BusyTimes(storage)
    busy_times.add(ImportedBusySource(sources))
    free = FreeTime(storage, busy_times, allows)
    own = Registry(
        [
            schedule_spec(
                storage,
                model,
                config,
                lately,
                clock.wall,
                SeveralLists([TasksOfDays(storage), imported]),
                record.answer_from_talk,
                free,
            ),
            tasks_spec(storage, model, config.tasks, lately, SeveralLists([PlansOfDays(storage), imported])),
            bookkeeping_spec(
                storage,
                model,
                config.bookkeeping,
                zone=config.zone,
                wall=clock.wall,
                decide_timeout=config.llm.decide_timeout,
                announcer=announcer,
                undoing=Undoing(storage.changes, clock.wall, undo_of, report),
                listed=listed,
            ),
            ReminderAnswers(
                storage.reminders, config.zone, {"tasks": complete, NUDGE: complete_nudged}, answered
            ).spec(),
            CalendarSourcesAgent(sources, shelf).spec(),
            BillAgent(
                BillImports(storage, clock.wall), shelf, clock.wall, config.bookkeeping.session_timeout
            ).spec(),
            CalendarAgent(calendars, voice).spec(),
            AnnouncementAgent(voice, standing).spec(),
            record.spec(),
            polls_spec(polls),
            nudges_spec(nudges),
            term_spec(storage),
            ChatAgent(
                model,
                names[0],
                ALL_ROUNDS,
                coming=coming,
                crisis=lambda: replies().emergency[SELF],
                lookups=Lookups(storage, config.zone, came, partial(list_debts, storage)),
                reads=orders,
                why_not=unoffered,
            ).spec(),
        ]
    )

    async def knows(conversation: Conversation, user_id: str, now: float) -> KnownThings:
        here = conversation if conversation.is_group else None
        mine = await storage.tasks.of_member(
            user_id, conversation=here, status="pending", created=here is not None
        )
        coming = await storage.schedules.live(conversation) if here is not None else []
        tasks = (task_thing(each, config.zone) for each in mine[:MOST_KNOWN])
        plans = (schedule_thing(each, config.zone) for each in coming[-MOST_KNOWN:])
        things = (*tasks, *plans)
        spoken = await lately.last(conversation, user_id, now)
        shown = spoken_things(spoken, things)
        taught = await storage.transactions.words.load_words(conversation)
        kept_facts = await storage.facts.list_facts(conversation)
        facts = tuple(each.subject for each in kept_facts)
        fact_things = tuple(fact_thing(each) for each in kept_facts)
        booked = await storage.transactions.list_records(BookSpan(conversation, user_id), LAST_RECORDS)
        recorded = tuple(each.fields.description for each in booked)
        last = await storage.changes.last(conversation, user_id, now)
        done = None if last is None else LastDone(*last)
        taken_back = await storage.changes.last_undone(conversation, user_id, now)
        undone = None if taken_back is None else LastDone(*taken_back)
        shown_at = None if spoken is None else spoken.at
        lessons = tuple(taught.items())
        own_facts = [each for each in kept_facts if each.user_id == user_id]
        newest = max(own_facts, key=lambda each: each.at, default=None)
        since = max(shown_at or 0.0, done.at if done is not None else 0.0)
        told = newest is not None and since < newest.at and 0 <= now - newest.at <= FACT_TOLD
        fact = (newest.subject, newest.content) if newest is not None and told else None
        places = len(listed.of(conversation, user_id, now, shown_at))
        bills = await bills_shared(storage, conversation, user_id, clock.local(now))
        term = await current_term(storage, conversation, clock.local(now).date())
        return KnownThings(
            things=things,
            open_tasks=bool(mine),
            shown=shown,
            taught=lessons,
            facts=facts,
            recorded=recorded,
            listed=places,
            shown_at=shown_at,
            done=done,
            undone=undone,
            told=fact,
            bills=bills,
            kept_facts=fact_things,
            term=term,
        )

    async def records(conversation: Conversation, user_id: str) -> list[dict[str, str]]:
        kept = await storage.transactions.list_records(BookSpan(conversation, user_id), LAST_RECORDS)
        return [record_for_model(each) for each in reversed(kept)]

    joined = RegisteredAgents(own, others, report)
    agents = watched(joined) if watched is not None else joined
    core = Core(
        config,
        clock,
        agents,
        model,
        storage.frames,
        read=read,
        report=report,
        memory=memory,
        allows=allows,
        knows=knows,
        reminded=Recognition(reminders.told, storage.reminders, config.zone, clock.wall),
        records=records,
        journal=storage.changes.note_of_agent,
        polls=board,
        roster=members,
    )
    storage.members.on_forgotten(core.forget)
    return Services(
        core=core,
        reminders=reminders,
        digest=digest,
        calendars=calendars,
        memory=memory,
        agents=agents,
        tools=tools,
        record=record,
        minutes=minutes,
        busy_times=busy_times,
        polls=polls,
        nudges=nudges,
        quiet=quiet,
        sources=sources,
        shelf=shelf,
    )
