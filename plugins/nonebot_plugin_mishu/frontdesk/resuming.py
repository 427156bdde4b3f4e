"""Unanswered lines of a former run: resumed once after a restart, and never a third time.

A line that has to be answered is on disk as such. When its account is connected again, one that was young
when this run began is answered, one after the other in each conversation. Before a line's work begins, the
try is counted on disk: a line that ended the process once may end it again, and again at every start. One
that was tried already gets an honest line instead, and the decision says why.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol
from weakref import WeakValueDictionary

from ..agents import Mention
from ..clock import Clock
from ..language.addressing.called_names import uncalled
from ..report import Report
from ..secretary import PresenceState, SendFailed, Speech, Trigger, TurnItem
from ..storage import Storage, StorageError
from ..storage.ledger.claims import UnsentReply
from ..storage.records import Conversation, DecisionRecord, LedgerMessage
from .lines.incoming_message import IncomingMessage, Segment
from .lines.reading import TriggerFinder
from .platform import Platform
from .reply_service import AGAIN, ReplyService
from .rooms.room import Room
from .rooms.rooms import Rooms
from .tasks import OwnedTasks
from .turns import Turns

RESUMED = 60.0
"""Seconds before the start of this run: what was said earlier is not answered any more. Counted from the
start, so that neither an account that is slow to connect nor a database slow to answer makes a line old.
Where the run before was heard of in these seconds, it still owed what it had not answered by then: a process
that is killed again and again makes no line old either."""
STILL_OWED = 180.0
"""Seconds before the start, where the run before was alive until then."""
AT_THE_LATEST = 600.0
"""Seconds after which nobody waits for an answer any more, however late the account came."""
MOST_TRIES = 1
"""Most resumptions of a line after a restart."""
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0
"""Seconds between two attempts to read what was left; they double."""
RESUMED_TIMEOUT = 20.0
"""Seconds in which a reply of a former run has to be sent."""
MOST_FAILURES = 3
"""Tries of a withheld reply that surely failed, after which it is given up."""
HEARD_APART = 10.0
"""Seconds between two attempts at withheld replies because somebody spoke in the group; platforms that take
no unasked message call `release_withheld` themselves."""
_MOST_SPOKEN = 5000
"""Conversations whose last occasion is remembered."""
GAVE_UP = "这句两次都被重启打断了，不敢说办成了，先看一眼，没有就再说一遍。"

DONE = "重启前就记下了，只是没来得及说"
DONE_IN_PART = "我中途重启了，这些记下了，没提到的再说一遍"


class StoredLines(Protocol):
    """Stored lines, as the front desk serves them (`FrontDesk`)."""

    async def serve_again(self, room: Room, message: LedgerMessage, *, told: bool) -> bool:
        """Serve a line of a former run that needs no turn; False where it needs one. `told`: its stored reply
        was sent a moment ago."""
        ...

    def is_in_hand(self, message: LedgerMessage) -> bool:
        """True for a line that a task of the front desk's serves now."""
        ...

    def is_past_silence(self, room: Room, message: LedgerMessage) -> bool:
        """True for a line that is answered in a silence too."""
        ...

    def resumes_in(self, conversation: Conversation) -> bool:
        """True where unfinished lines are taken up once the account is connected."""
        ...


class Resuming:
    """Takes up the unanswered lines of each account once it is connected, and sends withheld replies: those
    that the platform did not take when they were made (QQ takes no unasked message, unless it is allowed),
    once each, marked 【补发】.

    Args:
        turns: gives a line its turn.
        reading: tells the names we are called by in a room.
        platform: is told of old lines that are answered now.
        lines: serves lines that need no turn.
    """

    def __init__(
        self,
        clock: Clock,
        storage: Storage,
        rooms: Rooms,
        replies: ReplyService,
        turns: Turns,
        reading: TriggerFinder,
        platform: Platform,
        lines: StoredLines,
        tasks: OwnedTasks,
        report: Report,
    ) -> None:
        self._clock = clock
        self._storage = storage
        self._rooms = rooms
        self._replies = replies
        self._turns = turns
        self._reading = reading
        self._platform = platform
        self._lines = lines
        self._taking_up: set[tuple[str, str]] = set()
        """Account and id of the lines being taken up."""
        self._stranded_lock = asyncio.Lock()
        self._tasks = tasks
        self._report = report
        self._began_at = clock.wall()
        self._first_receipt = clock.receipt()
        self._accounts: set[str] = set()
        """Accounts whose lines are read, or being read."""
        self._withheld: set[Conversation] = set()
        """Conversations with withheld replies."""
        self._spoken_at: dict[Conversation, float] = {}
        """Monotonic seconds of the last occasion to send withheld replies."""
        self._failures: Counter[tuple[str, str]] = Counter()
        self._withheld_locks: WeakValueDictionary[Conversation, asyncio.Lock] = WeakValueDictionary()
        replies.on_withheld = self._note_withheld

    async def resume_account(self, self_id: str) -> None:
        """Take up the unanswered lines of a connected account, once. While the database does not answer, a
        task of the front desk's tries again."""
        if self_id in self._accounts:
            return
        self._accounts.add(self_id)
        if not await self._load_unanswered(self_id):
            self._tasks.spawn(self._retry_loading(self_id), "mishu resume")

    def release_withheld(self, where: Conversation) -> None:
        """Send the replies withheld in a conversation: the platform takes one there now."""
        self._spoken_at.pop(where, None)
        self._spoken_at[where] = self._clock.monotonic()
        if len(self._spoken_at) > _MOST_SPOKEN:
            del self._spoken_at[next(iter(self._spoken_at))]
        if where in self._withheld:
            self._tasks.spawn(self._say_all_withheld(where), "mishu withheld")

    def note_line(self, where: Conversation) -> None:
        """Take a line of a conversation as an occasion for its withheld replies, once in `HEARD_APART`."""
        if where in self._withheld:
            last = self._spoken_at.get(where, float("-inf"))
            if self._clock.monotonic() - last >= HEARD_APART:
                self.release_withheld(where)

    def _note_withheld(self, where: Conversation, since: float) -> None:
        """Remember a conversation with a withheld reply; `since`: monotonic seconds of the attempt."""
        self._withheld.add(where)
        if self._spoken_at.get(where, float("-inf")) > since:  # somebody spoke while it was refused
            self._tasks.spawn(self._say_all_withheld(where), "mishu withheld")

    async def _say_all_withheld(self, where: Conversation) -> None:
        """Send the withheld replies of a conversation in order, up to the first that cannot be sent."""
        async with self._withheld_locks.setdefault(where, asyncio.Lock()):
            room = await self._rooms.opened(where)
            self._withheld.discard(where)  # before it is read: what comes meanwhile goes on waiting
            try:
                for one in await self._storage.claims.list_withheld(where.self_id, where):
                    if not await self._say_withheld(room, one):
                        self._withheld.add(where)
                        return
            except StorageError as error:
                self._withheld.add(where)
                self._report("等着补发的回复没有读出来", error)

    async def _say_withheld(self, room: Room, late: UnsentReply) -> bool:
        """Send one withheld reply; False where it stays withheld. Raises `StorageError`."""
        where, said, began = room.conversation, late.message, self._clock.monotonic()
        if room.silenced_until(self._clock.wall()) is not None:
            return False
        if not await self._storage.claims.begin_withheld(late):
            return True
        reason = "当时发不出去，等到能发了补发的"
        # It names no line: what can be answered now is left for those who ask now, but for a few.
        speech = Speech(AGAIN + late.text, mentions=(said.user_id,) if where.is_group else ())
        try:
            sent = await self._replies.say_despite_silence(room, speech, RESUMED_TIMEOUT)
        except SendFailed as error:
            self._failures[_key(said)] += not (error.not_now or error.perhaps)
            if not error.perhaps and self._failures[_key(said)] < MOST_FAILURES:
                await self._replies.withhold(where, late.answers, late.text, began)
                return False
            await self._storage.claims.take_unsent(late)
            reason = f"当时发不出去，补发{'不知道到了没有' if error.perhaps else '也没成'}：{error}"
        else:
            await self._replies.note_sent(where, late.answers, sent)
        self._failures.pop(_key(said), None)
        await self._replies.store_decision(self._make_decision(said, reason), late.answers)
        return True

    def say_cut_off(
        self, places: Collection[Conversation], until: float | None = None, answered: Collection[str] = ()
    ) -> list[asyncio.Task[Any]]:
        """Send the replies that a former owner of these groups had claimed and not sent.

        Args:
            places: groups that are ours now.
            until: wall seconds at which the former owner ended; by default the start of this run.
            answered: ids of lines that were surely answered.

        Returns the tasks that send.
        """
        before = self._began_at if until is None else until
        begun = [
            self._tasks.spawn(self._say_unsent(self_id, places, before, answered), "mishu resume")
            for self_id in {place.self_id for place in places}
        ]
        return [task for task in begun if task is not None]

    async def _say_unsent(
        self, self_id: str, places: Collection[Conversation], before: float, answered: Collection[str]
    ) -> None:
        try:
            unsaid = await self._storage.claims.list_unsent(self_id, before - STILL_OWED, before)
        except StorageError as error:
            self._report("没说完的回复没有读出来", error)
            return
        for one in unsaid:
            if one.message.conversation in places and not set(one.answers) & set(answered):
                await self._say_once_more(one)
        for where in places:
            if where.self_id == self_id:
                self._tasks.spawn(self._say_all_withheld(where), "mishu withheld")

    async def take_up_stranded(self) -> None:
        """Take up the lines that an outage of the database stranded in this run: those open on disk that no
        task here has in hand and memory does not know as processed."""
        async with self._stranded_lock:
            for self_id in list(self._accounts):
                try:
                    left = await self._storage.ledger.pending(self_id, self._clock.wall() - AT_THE_LATEST)
                except StorageError as error:
                    self._report("数据库停过，其间没答的消息没有读出来", error)
                    return  # that was a failure: the next success comes here again
                done: dict[Conversation, list[str]] = {}
                places: dict[Conversation, list[LedgerMessage]] = {}
                for message in filter(self._is_stranded, left):
                    if self._is_done_in_memory(message):
                        done.setdefault(message.conversation, []).append(message.message_id)
                    else:
                        places.setdefault(message.conversation, []).append(message)
                for place, ids in done.items():
                    await self._replies.mark_processed(place, ids)
                for messages in places.values():
                    self._taking_up.update(_key(one) for one in messages)
                    self._tasks.spawn(self.take_up(messages), "mishu resume")

    def _is_stranded(self, message: LedgerMessage) -> bool:
        """True for an open line of this run that no task has in hand."""
        if message.receipt < self._first_receipt or not self._lines.resumes_in(message.conversation):
            return False
        return _key(message) not in self._taking_up and not self._lines.is_in_hand(message)

    def _is_done_in_memory(self, message: LedgerMessage) -> bool:
        room = self._rooms.find(message.conversation)
        known = room.ledger.get(message.message_id) if room is not None else None
        return known is not None and (known.processed or known.recalled)

    async def _retry_loading(self, self_id: str) -> None:
        pause = FIRST_PAUSE
        while True:
            await asyncio.sleep(pause)
            if await self._load_unanswered(self_id, again=True):
                return
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _load_unanswered(self, self_id: str, *, again: bool = False) -> bool:
        """Read an account's unanswered lines, unsent and withheld replies, and spawn the tasks that take them
        up; False where the database does not answer."""
        latest = self._clock.wall() - AT_THE_LATEST
        since = max(self._began_at - RESUMED, latest)
        try:
            if await self._storage.ledger.heard_between(self_id, self._began_at - RESUMED, self._began_at):
                since = max(self._began_at - STILL_OWED, latest)
            left = await self._storage.ledger.pending(self_id, float("-inf"))
            unsaid = await self._storage.claims.list_unsent(self_id, since, self._began_at)
            waiting = await self._storage.claims.list_withheld(self_id)
        except StorageError as error:
            if not again:
                self._report("上次没答完的消息没有读出来，过一会儿再试", error)
            return False
        left = [message for message in left if message.receipt < self._first_receipt]
        cut_off: dict[Conversation, list[UnsentReply]] = {}
        for one in unsaid:
            if self._lines.resumes_in(one.message.conversation):
                cut_off.setdefault(one.message.conversation, []).append(one)
        places: dict[Conversation, list[LedgerMessage]] = {place: [] for place in cut_off}
        for message in left:
            if message.time >= since and self._lines.resumes_in(message.conversation):
                places.setdefault(message.conversation, []).append(message)
        await self._expire_lines(self_id, since, left)
        for place in dict.fromkeys(one.message.conversation for one in waiting):
            if self._lines.resumes_in(place):
                self._withheld.add(place)
                self._tasks.spawn(self._say_all_withheld(place), "mishu withheld")
        for place, messages in places.items():
            self._tasks.spawn(self._take_up_place(cut_off.get(place, []), messages), "mishu resume")
        return True

    async def _take_up_place(self, cut_off: Sequence[UnsentReply], messages: Sequence[LedgerMessage]) -> None:
        """Take up one conversation: replies that were ready first, then its lines."""
        said = [one.message for one in cut_off]
        with self._arriving([*said, *messages]) as arrive:
            for one in cut_off:
                await self._say_once_more(one)
                arrive(one.message)
            await self.take_up(messages)

    async def _say_once_more(self, unsaid: UnsentReply) -> None:
        """Send a claimed reply once more, marked 【补发】: nobody knows if it was sent. It leaves the disk
        before it is sent, so that it is sent twice at most, whatever happens to this process."""
        where, one = unsaid.message.conversation, unsaid.message.message_id
        room, began = await self._rooms.opened(where), self._clock.monotonic()
        self._platform.answerable_again(where, one, unsaid.message.time)
        reason = "重启前拟好了回复，不知道发出去没有，补发一次"
        try:
            if not await self._storage.claims.take_unsent(unsaid):
                return
        except StorageError as error:
            self._report("没说完的回复没有取出来", error)
            return
        past_silence = self._lines.is_past_silence(room, unsaid.message)
        if past_silence or room.silenced_until(self._clock.wall()) is None:
            speech = Speech(
                AGAIN + unsaid.text, quote=one if where.is_group else None, answers=unsaid.answers
            )
            try:
                if past_silence:
                    await self._replies.say_despite_silence(room, speech, RESUMED_TIMEOUT)
                else:
                    await self._replies.say(where, speech, RESUMED_TIMEOUT)
            except SendFailed as error:
                reason = f"{reason}；没有说出去：{error}"
                if error.not_now:
                    await self._replies.withhold(where, unsaid.answers, unsaid.text, began)
        await self._replies.store_decision(self._make_decision(unsaid.message, reason), unsaid.answers)
        await self._lines.serve_again(room, unsaid.message, told=True)

    async def take_up(self, messages: Sequence[LedgerMessage]) -> None:
        """Serve the lines of one conversation, one after the other: where one ends the process, those behind
        it have not been tried yet."""
        self._taking_up.update(_key(one) for one in messages)
        try:
            with self._arriving(messages) as arrive:
                for message in sorted(messages, key=lambda one: one.order):
                    await self._take_up_one(message)
                    arrive(message)
        finally:
            self._taking_up.difference_update(_key(one) for one in messages)

    @contextmanager
    def _arriving(self, messages: Sequence[LedgerMessage]) -> Generator[Callable[[LedgerMessage], None]]:
        """Let later lines of a conversation wait for these (`Arrivals`); gives what is called with each of
        them that needs no more waiting for."""

        def arrive(message: LedgerMessage) -> None:
            if (room := self._rooms.find(message.conversation)) is not None:
                room.arrivals.arrive(message.message_id)

        for one in messages:
            coming = self._rooms.enter(one.conversation).arrivals
            coming.expect(one.message_id, one.order, self._clock.monotonic())
        try:
            yield arrive
        finally:
            for one in messages:
                arrive(one)

    async def _take_up_one(self, message: LedgerMessage) -> None:
        room = await self._rooms.opened(message.conversation)
        self._platform.answerable_again(message.conversation, message.message_id, message.time)
        if await self._lines.serve_again(room, message, told=False):
            return
        if room.silenced_until(self._clock.wall()) is not None:
            await self._replies.mark_processed(message.conversation, [message.message_id])
        elif (done := await self._find_done(message)) is not None:
            await self._close_line(message, done, "重启以前已经办好，只是还没来得及说")
        elif message.tries >= MOST_TRIES:
            await self._close_line(message, GAVE_UP, "处理它的时候重启了，接着处理时又重启了，不再试")
        else:
            try:
                await self._storage.ledger.mark_tried(message)
            except StorageError as error:
                # Who called is not left alone for a full disk; such a disk ends no process.
                self._report("重新处理的次数没有存下", error)
            names, now = self._reading.names(room), self._clock.monotonic()
            await self._turns.admit(room, stored_item(message, room, names, now))

    async def _find_done(self, message: LedgerMessage) -> str | None:
        """Reply for a line whose work was done before a restart; None if it was not.

        Read once more it would be read in sight of its own rows: 要把「交报告」改到明天吗？
        """
        try:
            found = await self._storage.finished.find_results(message)
        except StorageError as error:
            self._report("上次办到哪里没有读出来", error)
            return None
        if not found.made:
            return None  # a question, talk, or a change: doing it once more changes nothing
        return f"{DONE if found.whole else DONE_IN_PART}：{'、'.join(dict.fromkeys(found.made))}"

    async def _close_line(self, message: LedgerMessage, text: str, reason: str) -> None:
        """Answer a line with a fixed text and store its decision, whatever comes of sending.

        In a group of several processes nothing is sent without a claim on disk: the next process to take the
        group over would send it again.
        """
        where, one = message.conversation, message.message_id
        if self._lines.resumes_in(where):
            claimed = await self._replies.claim(where, [one], text)
        elif (claimed := await self._replies.claim_on_disk(where, [one], text)) is None:
            return
        if claimed:
            try:
                quote = one if where.is_group else None
                await self._replies.say(where, Speech(text, quote=quote, answers=(one,)), RESUMED_TIMEOUT)
            except SendFailed as error:
                reason = f"{reason}；没有说出去：{error}"
        await self._replies.store_decision(self._make_decision(message, reason), [one])

    async def _expire_lines(self, self_id: str, since: float, left: list[LedgerMessage]) -> None:
        """Mark lines that are too old as processed, with a decision that 为什么 can report."""
        for message in left:
            if message.time < since and self._lines.resumes_in(message.conversation):
                minutes = max(1, round((self._clock.wall() - message.time) / 60))
                reason = f"重启以后才看到，已经过了{minutes}分钟，没有补答"
                try:
                    await self._storage.decisions.add(
                        self._make_decision(message, reason), [message.message_id]
                    )
                except StorageError as error:
                    self._report("过期的消息没有标上", error)
                    return
        try:
            await self._storage.ledger.expire_pending(self_id, since)
        except StorageError as error:
            self._report("过期的消息没有标上", error)

    def _make_decision(self, message: LedgerMessage, reason: str) -> DecisionRecord:
        return DecisionRecord(
            conversation=message.conversation,
            message_id=message.message_id,
            trigger=Trigger.SUMMON.value,
            state_before=PresenceState.ABSENT.value,
            state_after=PresenceState.ABSENT.value,
            should_reply=False,
            strategy="",
            reason=reason,
            timings={},
            calls=[],
            tokens=0,
            at=self._clock.wall(),
            user_id=message.user_id,
        )


def _key(message: LedgerMessage) -> tuple[str, str]:
    return message.conversation.self_id, message.message_id


def button_message(pressed: LedgerMessage, message_id: str) -> LedgerMessage:
    """Stand-in for our message above a pressed button that memory has no longer: its id names the
    question."""
    us = pressed.conversation.self_id
    return LedgerMessage(pressed.conversation, message_id, 0.0, 0, us, "", "member", "", is_bot=True)


def stored_item(message: LedgerMessage, room: Room, names: Sequence[str], now: float) -> TurnItem:
    """Turn item of a stored summons, as far as its record tells."""
    parts = [part for part in message.parts if isinstance(part.get("data"), dict)]
    words = "".join(str(part["data"].get("text", "")) for part in parts if part.get("type") == "text").strip()
    quoted = room.ledger.get(message.reply_to)
    if quoted is None and message.pressed and message.reply_to is not None:
        quoted = button_message(message, message.reply_to)
    only_a_call = not words and quoted is None and all(part.get("type") in ("at", "text") for part in parts)
    bare = only_a_call and message.conversation.is_group
    ats = [str(part["data"].get("qq", "")) for part in parts if part.get("type") == "at"]
    others = [member for member in dict.fromkeys(ats) if member not in ("all", message.conversation.self_id)]
    mentions = tuple(Mention(member, room.ledger.name_of(member) or "群友") for member in others)
    return TurnItem(
        Trigger.SUMMON,
        message,
        uncalled(words, names),
        quoted,
        bare=bare,
        heard_at=now,
        mentions=mentions,
        members=room.members(),
    )


def stored_line(message: LedgerMessage, now: float, *, superuser: bool) -> IncomingMessage:
    """Incoming message of a stored line, as far as its record tells. A line that is owed an answer counts as
    @-ed, whichever account of ours it called."""
    us, where = message.conversation.self_id, message.conversation
    parts = [Segment("at", us)] if message.addressed and where.is_group else []
    parts += [Segment("reply", message.reply_to)] if message.reply_to is not None else []
    for part in message.parts:
        kind = part.get("type")
        if not isinstance(part.get("data"), dict) or kind == "reply":
            continue
        if kind == "text":
            parts.append(Segment("text", str(part["data"].get("text", ""))))
        elif kind == "at":
            member = str(part["data"].get("qq", ""))
            parts.append(Segment("at_all", "") if member == "all" else Segment("at", member))
        else:
            parts.append(Segment("other", ""))
    return IncomingMessage(
        conversation=where,
        message_id=message.message_id,
        time=message.time,
        receipt=message.receipt,
        user_id=message.user_id,
        name=message.name,
        role=message.role,
        segments=tuple(parts),
        raw_segments=tuple(message.parts),
        heard_at=now,
        superuser=superuser,
    )
