"""The running plugin: builds every part once, starts them in order and stops them in the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from ..adapter.platforms import PlatformRosters, Platforms
from ..agents import Mention
from ..agents.drafting import on_draft_batch_updated
from ..clock import Clock
from ..config import Config
from ..error_log import inform, log_error, warn
from ..events import BotEvent, EventBus
from ..frontdesk import DeskOptions, FrontDesk
from ..frontdesk.commands.parsing import CommandStarts
from ..frontdesk.rooms.membership import Membership
from ..imports.calendars.refreshing import Refreshing
from ..llm import ModelClient, ModelSimulator
from ..reminders import Alarm
from ..reminders.calendars.calendars import CalendarDesk
from ..reminders.digest import FEATURE as DIGEST_FEATURE
from ..reminders.minutes import FEATURE as MINUTES_FEATURE
from ..secretary import Analyst, DeskPort, Secretary
from ..services.access.page_access import PageAccess
from ..services.access.sessions import Sessions
from ..services.access.tokens import MemberTokens
from ..services.office import NO_ACCOUNT
from ..storage import Storage, StorageError
from ..storage.copies import Backup, DailyBackup, DailyPlan
from ..storage.records import Conversation, ModelCall
from ..voice import SpeechSynthesizer, Transcriber
from .api_backend import ApiBackend
from .assembly import Services, assemble
from .desk_announcer import VoiceOfDesk
from .duty import Watchkeeping, joined
from .http_conversation import HttpConversation
from .metrics import Measuring, Tally
from .rehearsal import compile_rest, rehearse
from .services import make_office, publish_changes

REHEARSED_AFTER = 0.1
"""Seconds after the start in which the server opens its port, before the first lines are read beside it."""
INDEXED_AT_ONCE = 200
"""Rows of the ledger that one step of the background indexing takes; between two there is `INDEX_PAUSE` s."""
INDEX_PAUSE = 0.2
INDEX_AGAIN = 30.0
"""Seconds after a step that failed."""
TIDY_EVERY = 600.0
"""Seconds between two clean-ups, counted by the clock that nobody sets."""


class Runtime:
    """Owns everything that has to be opened and closed."""

    def __init__(
        self,
        config: Config,
        nicknames: Sequence[str],
        platforms: Platforms,
        clock: Clock,
        command_starts: Collection[str] = ("/",),
        loaded: Callable[[], None] = lambda: None,
    ) -> None:
        """`loaded` is called once all that stays until the end is in memory."""
        self.config = config
        self._nicknames = tuple(nicknames)
        self._starts = CommandStarts(frozenset(command_starts))
        self._loaded = loaded
        self._platforms = platforms
        self.clock = clock
        self.practice = ModelSimulator(configured=config.llm.online)
        self._simulated: set[str] = set()
        self._storage: Storage | None = None
        self._model: ModelClient | None = None
        self._warming: asyncio.Task[None] | None = None
        self._services: Services | None = None
        self._feed = EventBus(clock.wall)
        self.voice = VoiceOfDesk(lambda: self.desk.announcer if self.desk is not None else None)
        self._indexing: asyncio.Task[None] | None = None
        self._tidying: asyncio.Task[None] | None = None
        self._rehearsing: asyncio.Task[None] | None = None
        self._prepared = asyncio.Event()
        """The rehearsal is over."""
        self._ending = False
        self._cards: Callable[[], None] | None = None
        self._backups: DailyBackup | None = None
        self._refreshing: Refreshing | None = None
        self.site: str | None = None
        """Base URL of the bot (`http://host:port`); None if it serves nothing."""
        self.pages: str | None = None
        """URL of the console; None if there is none."""
        self.superusers: Collection[str] = ()
        self.sessions: Sessions | None = None
        """Console sessions, while it runs."""
        self.tokens: MemberTokens | None = None
        """Members' access tokens, while it runs."""
        self.tally = Tally()
        self.measuring: Measuring | None = None
        """Metrics for `/metrics`, while it runs."""
        self.desk: FrontDesk | None = None
        self.duty: Watchkeeping | None = None
        """Account on duty by group, while it runs."""
        self.console: ApiBackend | None = None

    async def start(
        self,
        database_url: str,
        alarm: Callable[[Callable[[], None]], Alarm] | None = None,
        daily: DailyPlan | None = None,
        folder: Path | None = None,
    ) -> None:
        """Open the database, build the rest, start hearing. Raises `StorageError`.

        `alarm` makes something that calls at a time; without one, reminders are looked for every minute.
        `daily`: when and where the database is backed up, if at all. By `folder` this installation is known
        again after a restart, where it shares a database with others.
        """
        pool = self.config.scale.pool
        storage = await Storage.open(database_url, on_trouble=warn, now=self.clock.wall, pool=pool)
        self._storage = storage
        for one in await storage.merge_accounts():
            inform(joined(one))

        async def spent(conversation: Conversation | None) -> int:
            try:
                return (await storage.usage.today(self.clock.today_began(), conversation)).tokens
            except StorageError as error:
                log_error("今天的用量读不出来，不作限制", error)
                return 0

        async def spent_by(conversation: Conversation, member: str) -> int:
            try:
                return await storage.usage.spent_by(self.clock.today_began(), conversation, member)
            except StorageError as error:
                log_error("今天一位成员的用量读不出来，不作限制", error)
                return 0

        def record(call: ModelCall) -> None:
            self.tally.called(call)
            storage.usage.record(call)

        config = self.config
        config.chosen.take(await storage.choices.all())
        model = ModelClient(
            config.llm,
            record=record,
            spent=spent,
            warn=warn,
            clock=self.clock.monotonic,
            wall=self.clock.wall,
            practice=self.practice,
            limits=config.limits,
            spent_by=spent_by,
        )
        self._model = model
        for half in (config.llm.incomplete, config.llm.backup_incomplete):
            if half is not None:
                warn(half)
        names = self._nicknames or ("秘书",)
        rosters = PlatformRosters(self._platforms, self.clock.monotonic, lambda: self.superusers)
        membership = Membership(storage.joins, rosters)

        async def members_in(conversation: Conversation) -> list[Mention]:
            return [Mention(each.user_id, each.name) for each in await rosters.members(conversation)]

        services = assemble(
            config,
            self.clock,
            storage,
            model,
            names,
            log_error,
            self.voice.allows,
            self.voice,
            warn=warn,
            name_in=self._name_in,
            site=lambda: self.site,
            withdrawn=self._withdrawn,
            came=membership.since,
            card=rosters.card,
            standing=rosters.standing,
            members=members_in,
        )
        self._services = services
        core = services.core
        console = ApiBackend(
            config,
            self.clock,
            storage,
            self._feed,
            model,
            self._platforms,
            plugin_version(),
            self.tally.decided,
            membership.since,
        )

        def secretary(desk: DeskPort) -> Secretary:
            analyst = Analyst(model, self.clock.zone, names)
            return Secretary(config, self.clock, desk, core, model, analyst, names, log_error)

        self.sessions = Sessions(storage.sessions, self.clock, rosters, self._token)
        self.tokens = MemberTokens(storage.tokens, self.clock, rosters)
        console.office = make_office(
            config,
            self.clock,
            storage,
            model,
            services,
            announcer=self.voice,
            accounts=lambda: list(self._platforms.accounts()),
            desk=lambda: self.desk,
            rosters=rosters,
            report=log_error,
            withdrawn=self._withdrawn,
            superusers=lambda: self.superusers,
            duties=self._platforms.duties,
            command=self._starts.with_prefix("/秘书"),
        )
        storage.on_noted(lambda notes: publish_changes(self._feed, notes))
        self.desk = FrontDesk(
            config,
            self.clock,
            storage,
            core,
            self._platforms,
            console,
            nicknames=self._nicknames,
            make_secretary=secretary,
            model=model,
            report=log_error,
            options=DeskOptions(
                transcriber=Transcriber(model, self.clock, self._platforms.recording, log_error),
                synthesizer=SpeechSynthesizer(model, self.clock, log_error),
                switched=self._switched,
                speaking_again=self.look_for_reminders,
                web_sessions=PageAccess(
                    self.sessions, lambda: self.pages, services.calendars.end_here, self.tokens
                ),
                duties=self._platforms.duties,
                prepared=self._prepared,
                card=rosters.card,
                starts=self._starts,
                shelf=services.shelf,
                superusers=lambda: self.superusers,
            ),
        )
        console.desk = self.desk
        console.caller = HttpConversation(config, self.clock, core, names, self._persona)
        console.record = services.record
        self.console = console
        self._indexing = asyncio.create_task(self._index_older(storage), name="mishu index")
        self._tidying = asyncio.create_task(_tidy(self.desk), name="mishu tidy")
        self._refreshing = Refreshing(
            storage,
            services.sources,
            self.voice,
            self.clock.wall,
            self._platforms.accounts,
            log_error,
            (NO_ACCOUNT,),
        )
        self._refreshing.start()
        await core.start(self.voice)
        self.duty = Watchkeeping(
            self._platforms.duties,
            storage,
            self.clock,
            config.scale.lease,
            rosters,
            self.desk,
            core,
            log_error,
        )
        self.duty.taken = self.look_for_reminders
        await self.duty.start(folder)
        self._cards = on_draft_batch_updated(
            lambda where, card: self._feed.publish(BotEvent("draft", where, card))
        )
        reminders = services.reminders
        self.measuring = Measuring(
            self.tally, self.clock, storage, self._platforms, reminders, lambda: self.desk, self._simulated
        )
        await reminders.start(alarm(reminders.wake) if alarm is not None else None)
        if config.llm.online:
            # The client library takes a second or two to import; nobody should wait for it.
            self._warming = asyncio.create_task(_warm(model), name="mishu warm")
        self._rehearsing = asyncio.create_task(self._rehearse(), name="mishu rehearsal")
        if daily is not None:
            self._backups = DailyBackup(
                database_url, daily, lambda: self.clock.local(self.clock.wall()), _backed_up, warn
            )
            self._backups.start()

    def _token(self) -> str | None:
        token = self.config.web.token
        return token.get_secret_value() if token is not None else None

    @property
    def storage(self) -> Storage | None:
        """The database, once it is open."""
        return self._storage

    def simulate_account(self, self_id: str, name: str) -> None:
        """One account is a simulated platform's: it listens to a name, and no metric counts it."""
        self._simulated.add(self_id)
        self._platforms.call(self_id, name)

    async def _switched(self, conversation: Conversation, feature: str, on: bool) -> None:
        """A feature was switched: the digest has rows of its own, and reminders may have waited for it."""
        if self._services is None:
            return
        if feature == DIGEST_FEATURE:
            await self._services.digest.switch(conversation, on)
        elif feature == MINUTES_FEATURE:
            await self._services.minutes.switch(conversation, on)
        self._services.reminders.wake()

    @property
    def calendars(self) -> CalendarDesk | None:
        """The calendars that can be subscribed to, while the plugin runs."""
        return self._services.calendars if self._services is not None else None

    async def _index_older(self, storage: Storage) -> None:
        """Index what was stored before there was an index, a little at a time, the newest first."""
        while True:
            try:
                if not await storage.ledger.index_older(INDEXED_AT_ONCE):
                    return
            except StorageError as error:
                log_error("旧消息的搜索索引这次没有建成", error)
                await asyncio.sleep(INDEX_AGAIN)
            await asyncio.sleep(INDEX_PAUSE)

    async def _rehearse(self) -> None:
        """Read some lines, then compile what they did not need, each in a thread."""
        try:
            await asyncio.sleep(REHEARSED_AFTER)
            await asyncio.to_thread(rehearse, self.clock.wall(), self.clock.zone)
            self._prepared.set()
            await asyncio.to_thread(compile_rest, lambda: self._ending)
            self._loaded()
        except Exception as error:  # noqa: BLE001 - reported; the first reader meets it again
            log_error("读几句话热身没有做完", error)
        finally:
            self._prepared.set()

    def look_for_reminders(self) -> None:
        """Something may have been in the way of reminders that is not any more."""
        if self._services is not None:
            self._services.reminders.wake()

    def chance(self, where: Conversation) -> None:
        """Something may be said in a conversation in which nothing may be said unasked."""
        if self._services is not None:
            self._services.reminders.chance(where)
        if self.desk is not None:
            self.desk.release_withheld(where)

    def _name_in(self, conversation: Conversation, user_id: str) -> str | None:
        room = self.desk.rooms.find(conversation) if self.desk is not None else None
        return room.ledger.name_of(user_id) if room is not None else None

    def _withdrawn(self, conversation: Conversation, message_ids: Sequence[str]) -> None:
        room = self.desk.rooms.find(conversation) if self.desk is not None else None
        if room is not None:
            room.ledger.update(message_ids, recalled=True)

    def _persona(self, conversation: Conversation) -> str | None:
        room = self.desk.rooms.find(conversation) if self.desk is not None else None
        return room.settings.persona if room is not None else None

    async def stop(self) -> None:
        """Stop hearing, end all work, write what is queued, close."""
        self._ending = True
        if self._backups is not None:
            await self._backups.stop()
        if self._refreshing is not None:
            await self._refreshing.stop()
        if self._services is not None:
            await self._services.reminders.stop()
        for task in (self._indexing, self._tidying):
            if task is not None:
                task.cancel()
                await asyncio.wait([task])
        if self._rehearsing is not None:
            await asyncio.wait([self._rehearsing])  # a thread: it ends by itself, in a moment
        if self._cards is not None:
            self._cards()
        desk, self.desk = self.desk, None
        if desk is not None:
            await desk.close()
        if self._services is not None:
            await self._services.close()
        self._feed.close()
        if self._warming is not None:
            self._warming.cancel()
            await asyncio.wait([self._warming])
        if self._model is not None:
            await self._model.aclose()
        if self.duty is not None:
            await self.duty.stop()
        if self._storage is not None:
            await self._storage.close()


def _backed_up(made: Backup) -> None:
    inform(f"每日备份好了：{made.file}，共 {sum(made.counts.values())} 行，已打开核对")


def plugin_version() -> str:
    """The installed version."""
    try:
        return version("nonebot-plugin-mishu")
    except PackageNotFoundError:
        return "0"


async def _tidy(desk: FrontDesk) -> None:
    while True:
        await asyncio.sleep(TIDY_EVERY)
        await desk.prune()


async def _warm(model: ModelClient) -> None:
    """Make the client ready and ask its endpoint once: what is wrong is said now, not at the first call."""
    await model.warm()
    if await model.try_endpoint() is not None:
        warn(f"模型{model.trouble()}，先按本地规则办；改了配置要重启")
