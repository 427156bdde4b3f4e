"""Dependencies of operations: parts of the running plugin, a group's conversation, the speaker of a write."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from ..agents import (
    DEFAULT,
    Announcer,
    Clause,
    Judgement,
    NotAnnounced,
    Request,
    Situation,
    TaskContext,
    Utterance,
)
from ..agents import Asker as Speaker
from ..agents.bookkeeping.books import Books
from ..agents.nudges import NudgeExecutor
from ..agents.polls import PollExecutor
from ..agents.schedule import BusyTimes
from ..agents.schedule.executor import ScheduleExecutor
from ..agents.tasks import TaskTools
from ..clock import Clock
from ..config import Config
from ..frontdesk import FrontDesk
from ..frontdesk.duty.duties import Duties
from ..frontdesk.rooms.rosters import Rosters
from ..imports.calendars.fetching import Fetch
from ..llm import CallLog, Deadline
from ..report import Report
from ..storage import Storage, StorageError
from ..storage.records import Conversation, LedgerMessage
from ..storage.reminders.queries import put
from ..storage.reminders.records import NOTICE, WALL, NewReminder
from .access.actor import Actor, Write, governs, sees_group
from .refusals import forbidden, invalid, missing

LATELY = 10.0
"""Seconds for which the account of a group is cached."""
REMEMBERED = 1000
NAMELESS = "群友"
"""Placeholder name of events without one (a file put among the group's files): not shown."""
NO_ACCOUNT = "http"
"""The account of conversations in which no account of ours was ever seen."""


_COLLECTED: Final[ContextVar[list[str] | None]] = ContextVar("mishu_untold", default=None)
"""Reasons why a group was not told of changes, of the operation under way."""


@contextmanager
def collect_untold() -> Generator[list[str]]:
    """Reasons (Chinese, for display) why the group was not told of changes made in the block."""
    found: list[str] = []
    token = _COLLECTED.set(found)
    try:
        yield found
    finally:
        _COLLECTED.reset(token)


def note_untold(words: str) -> None:
    """Add the reason why the group was not told."""
    found = _COLLECTED.get()
    if found is not None and words not in found:
        found.append(words)


@dataclass
class Office:
    """The running plugin's parts that operations use."""

    config: Config
    clock: Clock
    storage: Storage
    schedule_executor: ScheduleExecutor
    tools: TaskTools
    polls: PollExecutor
    nudges: NudgeExecutor
    books: Books
    announcer: Announcer
    accounts: Callable[[], Sequence[str]]
    """Connected accounts, newest first."""
    desk: Callable[[], FrontDesk | None]
    rosters: Rosters
    report: Report
    withdrawn: Callable[[Conversation, Sequence[str]], None] = lambda place, message_ids: None
    """Takes messages out of what is in memory of a conversation, as if they had been recalled."""
    superusers: Callable[[], Collection[str]] = lambda: ()
    """SUPERUSERS as they stand: the people an owner of the bot may be."""
    duties: Duties = field(default_factory=Duties)
    """Under which account groups are kept, whichever of ours is asked for."""
    command: str = "/秘书"
    """Prefix of our commands in this instance."""
    fetch_calendar: Fetch | None = None
    """Fetches subscribed calendars; None: over the network."""
    group_names: dict[str, str] = field(default_factory=dict[str, str])
    """Names that the platform told of groups: no table keeps them, and an account may be away."""
    busy_sources: BusyTimes | None = None
    """Sources of when members are busy, as the running agents ask them; None: those of the storage."""
    _known: dict[str, tuple[float, tuple[str, ...], Conversation]] = field(
        default_factory=dict[str, tuple[float, tuple[str, ...], Conversation]]
    )
    """Groups as they were found a moment ago: until when (monotonic), and who was connected then."""

    @property
    def zone(self) -> ZoneInfo:
        """The zone in which days are counted."""
        return self.clock.zone

    @property
    def busy_times(self) -> BusyTimes:
        """Sources of when members are busy."""
        return self.busy_sources or BusyTimes(self.storage)

    def now(self) -> datetime:
        """Our clock, in our zone."""
        return self.clock.local(self.clock.wall())

    async def find_group(self, group_id: str, self_id: str | None = None) -> Conversation | None:
        """The conversation under which a group is stored, connected or not; None for an unknown group."""
        group = self.duties.find(group_id)
        if self_id is not None:
            place = self.resolve_place(Conversation(self_id, "group", group_id))
            if await self._knows_group(place):
                return place
            asked = group is not None and self_id in self.accounts()
            return (
                group.place
                if group is not None and asked and group_id in await self.rosters.groups(self_id)
                else None
            )
        if group is not None:
            return group.place
        connected = list(self.accounts())
        desk = self.desk()
        if desk is not None:
            for account in connected:
                place = Conversation(account, "group", group_id)
                if desk.rooms.find(place) is not None:
                    return place
        now, there = self.clock.monotonic(), tuple(connected)
        lately = self._known.get(group_id)
        if lately is not None and lately[0] > now and lately[1] == there:
            return lately[2]
        known = await self.storage.groups.find_accounts(group_id, connected)
        if known:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            self._known[group_id] = (now + LATELY, there, known[0])
            return known[0]
        for room in desk.rooms if desk is not None else ():
            if room.conversation.is_group and room.conversation.peer == group_id:
                return room.conversation
        for account in connected:
            if group_id in await self.rosters.groups(account):
                return Conversation(account, "group", group_id)
        return None

    def resolve_place(self, place: Conversation) -> Conversation:
        """The conversation under which a group is stored, for any of our accounts in it."""
        group = self.duties.find(place.peer) if place.is_group else None
        return group.place if group is not None and self.duties.is_inside(place.self_id, group) else place

    async def _knows_group(self, place: Conversation) -> bool:
        """True if a group is known through this very account."""
        desk = self.desk()
        if desk is not None and desk.rooms.find(place) is not None:
            return True
        if await self.storage.groups.known(place):
            return True
        return place.self_id in self.accounts() and place.peer in await self.rosters.groups(place.self_id)

    async def require_group(self, actor: Actor, group_id: str, self_id: str | None = None) -> Conversation:
        """The group's conversation, if the actor may see it. Raises `Refused`: 403, 404 for an unknown
        group."""
        if not sees_group(actor, group_id):
            raise forbidden("这不是你所在的群")
        found = await self.find_group(group_id, self_id or None)
        if found is None:
            raise missing("群")
        return found

    async def find_visible_group(
        self, actor: Actor, group_id: str, self_id: str | None = None
    ) -> Conversation | None:
        """As `require_group`; None for an unknown group."""
        if not sees_group(actor, group_id):
            raise forbidden("这不是你所在的群")
        return await self.find_group(group_id, self_id or None)

    async def private_place(self, user_id: str) -> Conversation:
        """The conversation under which a person's own items outside groups are stored."""
        accounts = list(self.accounts())
        return Conversation(accounts[0] if accounts else NO_ACCOUNT, "private", user_id)

    async def name_of(self, place: Conversation, user_id: str) -> str:
        """Display name of a member; their number if unknown."""
        return (await self.names_of(place, (user_id,)))[user_id]

    async def names_of(self, place: Conversation, user_ids: Iterable[str]) -> dict[str, str]:
        """Display names of members, by one look-up; the number of whoever is unknown."""
        desk = self.desk()
        room = desk.rooms.find(place) if desk is not None else None
        wanted = set(user_ids)
        here = {each: room.ledger.name_of(each) for each in wanted} if room is not None else {}
        named = {each: name for each, name in here.items() if name and name != NAMELESS}
        if place.is_group and wanted - named.keys():
            seen = {each.user_id: each.name for each in await self.storage.groups.members(place)}
            if any(seen.get(each, NAMELESS) == NAMELESS for each in wanted - named.keys()):
                seen |= {each.user_id: each.name for each in await self.rosters.members(place) if each.name}
            named |= {each: name for each, name in seen.items() if each not in named and name != NAMELESS}
        return {each: named.get(each) or each for each in wanted}

    def require_person(self, write: Write) -> str:
        """The person whose write it is. Raises `Refused` where an owner names nobody."""
        if write.person is None:
            raise invalid("user_id", "不能缺少，请写明是谁的")
        return write.person

    async def require_speaker(self, write: Write, place: Conversation) -> Speaker:
        """The speaker of a write, as agents know them. Raises `Refused` where an owner names nobody."""
        actor, user_id = write.actor, self.require_person(write)
        role = "admin" if place.is_group and governs(actor, place.peer) else "member"
        if actor.is_owner:
            await self.check_members(place, "user_id", [user_id])
        name = actor.name or await self.name_of(place, user_id)
        return Speaker(user_id, name, role, superuser=actor.is_owner)

    async def check_members(self, place: Conversation, field: str, user_ids: Iterable[str]) -> None:
        """Check that people are members of the group. Raises `Refused` with the `field`.

        Members are those of the platform's list; whoever is not on it is asked for once more, as they may
        have joined since. Without a list, whoever spoke there; in a group in which nobody did, anybody.
        SUPERUSERS pass everywhere."""
        wanted = set(user_ids) - set(self.superusers())
        if not place.is_group or not wanted:
            return
        listed = {each.user_id for each in await self.rosters.members(place)}
        unknown = wanted - listed
        if not unknown:
            return
        spoke = {each.user_id for each in await self.storage.groups.members(place)}
        if not listed and not spoke:
            return
        for each in sorted(unknown):
            standing = await self.rosters.standing(place, each)
            if standing == "gone" or (standing == "unknown" and each not in spoke):
                raise invalid(field, f"{each} 不是这个群的成员")

    def task_context(self, speaker: Speaker, place: Conversation, intent: str, origin: str) -> TaskContext:
        """Context of an agent's tools, as if the line had been sent in the conversation now."""
        now = self.clock.wall()
        message = LedgerMessage(
            place, origin, now, self.clock.receipt(), speaker.user_id, speaker.name, speaker.role, ""
        )
        judgement: asyncio.Future[Judgement] = asyncio.get_running_loop().create_future()
        judgement.set_result(DEFAULT)
        request = Request(
            conversation=place,
            utterances=(Utterance(message, ""),),
            context=(),
            reply_mode="forced",
            persona=None,
            bot_names=(),
            judgement=judgement,
            now=now,
            deadline=Deadline.after(self.config.llm.decide_timeout, self.clock.monotonic),
            calls=CallLog(owed=True, member=speaker.user_id),
            today=self.clock.today_began(),
        )
        clause = Clause("", Situation(self.clock.local(now), private=not place.is_group))
        return TaskContext(request, request.lead, speaker, intent, clause, origin)

    async def tell_group(
        self, place: Conversation, speaker: Speaker, text: str, mentions: Sequence[str] = ()
    ) -> None:
        """Announce a change to the group, mentioning whom it concerns. The change holds if that fails."""
        if not place.is_group:
            return
        others = [each for each in dict.fromkeys(mentions) if each and each != speaker.user_id]
        words = f"{speaker.name}在网页上：{text}"
        try:
            await self.announcer.announce(place, words, mentions=others, timeout=5.0)
        except NotAnnounced as why:
            later = not why.perhaps and self.config.group_enabled(place.peer)
            kept = later and await self._store_notice(place, words, others)
            note_untold(self._explain_untold(place, why, kept=kept))
            if not kept:
                self.report("网页上的改动没有告诉群里", why)

    async def _store_notice(self, place: Conversation, words: str, mentions: Sequence[str]) -> bool:
        """Store a notice to be sent later; True if it is on disk."""
        now = self.clock.wall()
        notice = NewReminder(
            place,
            NOTICE,
            0,
            mentions,
            words,
            due_at=now,
            wall=self.clock.local(now).strftime(WALL),
            zone=self.zone.key,
        )

        try:
            await self.storage.reminders.write(lambda connection: put(connection, notice))
        except StorageError as error:
            self.report("没能告诉群里的改动没有存下来", error)
            return False
        self.storage.reminders.changed()
        return True

    def _explain_untold(self, place: Conversation, why: NotAnnounced, *, kept: bool) -> str:
        """Hint for the page about a change the group has not been told of."""
        if why.perhaps:
            return "群里可能没收到"
        if not self.announcer.connected(place):
            return "账号不在线，群里还没说，连上就说" if kept else "账号不在线，群里还没说"
        if (until := self.announcer.silent_until(place)) is not None and until > self.clock.wall():
            return "现在安静着，群里还没说，能说话了就说"
        return "群里还没说，过一会儿再说" if kept else f"群里还没说：{why}"
