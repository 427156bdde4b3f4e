"""Unanswered lines of a former run: resumed once after a restart, and never a third time.

A line that has to be answered is on disk as such. When its account is connected again, one that was young
when this run began is answered, one after the other in each conversation. Before a line's work begins, the
try is counted on disk: a line that ended the process once may end it again, and again at every start. One
that was tried already gets an honest line instead, and the decision says why.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Any

from ..agents import Mention
from ..clock import Clock
from ..secretary import PresenceState, SendFailed, Speech, Trigger, TurnItem
from ..storage import Storage, StorageError
from ..storage.ledger.claims import UnsentReply
from ..storage.records import Conversation, DecisionRecord, LedgerMessage
from .lines.words import uncalled
from .reply_service import ReplyService
from .rooms.room import Room
from .rooms.rooms import Rooms
from .tasks import OwnedTasks

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
SAY_TIMEOUT = 20.0
GAVE_UP = "这句两次都被重启打断了，不敢说办成了，先看一眼，没有就再说一遍。"

AGAIN = "【补发】"
"""Before a reply of which nobody knows whether it was said."""
DONE = "重启前就记下了，只是没来得及说"
DONE_IN_PART = "我中途重启了，这些记下了，没提到的再说一遍"


class Resuming:
    """Reads what was left for each account, until it was read once, and sees to it."""

    def __init__(
        self,
        clock: Clock,
        storage: Storage,
        rooms: Rooms,
        counter: ReplyService,
        admit: Callable[[Room, TurnItem], Awaitable[None]],
        listens: Callable[[Conversation], bool],
        names: Callable[[Room], list[str]],
        answerable_again: Callable[[Conversation, str, float], None],
        in_hand: Callable[[LedgerMessage], bool],
        tasks: OwnedTasks,
        report: Callable[[str, BaseException], None],
    ) -> None:
        self._clock = clock
        self._storage = storage
        self._rooms = rooms
        self._counter = counter
        self._admit = admit
        self._listens = listens
        self._names = names
        self._answerable_again = answerable_again
        self._in_hand = in_hand
        self._taking_up: set[tuple[str, str]] = set()
        """Lines being taken up."""
        self._looking = asyncio.Lock()
        self._tasks = tasks
        self._report = report
        self._began = clock.wall()
        self._started = clock.receipt()
        self._accounts: set[str] = set()
        """Accounts whose lines are read, or being read."""

    async def account(self, self_id: str) -> None:
        """An account is connected: see to what was left for it, once. Where it cannot be read now, that is
        tried again in a task of the front desk's until it was read or the desk closes."""
        if self_id in self._accounts:
            return
        self._accounts.add(self_id)
        if not await self._load_unanswered(self_id):
            self._tasks.spawn(self._read_later(self_id), "mishu resume")

    def cut_off(
        self, places: Collection[Conversation], until: float | None = None, answered: Collection[str] = ()
    ) -> list[asyncio.Task[Any]]:
        """These groups are ours now: say what whoever had them was about to say there, in the tasks returned.
        `until`: when it ended (wall seconds), by default when this run began; `answered`: the lines that were
        answered for sure."""
        before = self._began if until is None else until
        begun = [
            self._tasks.spawn(self._say_cut_off(self_id, places, before, answered), "mishu resume")
            for self_id in {place.self_id for place in places}
        ]
        return [task for task in begun if task is not None]

    async def _say_cut_off(
        self, self_id: str, places: Collection[Conversation], before: float, answered: Collection[str]
    ) -> None:
        try:
            unsaid = await self._storage.claims.list_unsent(self_id, before - STILL_OWED, before)
        except StorageError as error:
            self._report("没说完的回复没有读出来", error)
            return
        for one in unsaid:
            if one.message.conversation in places and not set(one.answers) & set(answered):
                await self._say_again(one)

    async def look_again(self) -> None:
        """An outage of the database is over: what it stranded in this run is taken up too. That is every line
        open on disk that nobody here has in hand or has done with."""
        async with self._looking:
            for self_id in list(self._accounts):
                try:
                    left = await self._storage.ledger.pending(self_id, self._clock.wall() - AT_THE_LATEST)
                except StorageError as error:
                    self._report("数据库停过，其间没答的消息没有读出来", error)
                    return  # that was a failure: the next success comes here again
                done: dict[Conversation, list[str]] = {}
                places: dict[Conversation, list[LedgerMessage]] = {}
                for message in left:
                    place = message.conversation
                    if message.receipt < self._started or not self._listens(place) or self._is_taken(message):
                        continue
                    room = self._rooms.find(place)
                    known = room.ledger.get(message.message_id) if room is not None else None
                    over = known is not None and (known.processed or known.recalled)
                    (done if over else places).setdefault(place, [])
                    if over:
                        done[place].append(message.message_id)
                    else:
                        places[place].append(message)
                for place, ids in done.items():
                    await self._counter.processed(place, ids)
                for messages in places.values():
                    self._taking_up.update(_key(one) for one in messages)
                    self._tasks.spawn(self.take_up(messages), "mishu resume")

    def _is_taken(self, message: LedgerMessage) -> bool:
        return _key(message) in self._taking_up or self._in_hand(message)

    async def _read_later(self, self_id: str) -> None:
        pause = FIRST_PAUSE
        while True:
            await asyncio.sleep(pause)
            if await self._load_unanswered(self_id, again=True):
                return
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _load_unanswered(self, self_id: str, *, again: bool = False) -> bool:
        """Read what was left, and begin with it; False where the database does not answer."""
        latest = self._clock.wall() - AT_THE_LATEST
        since = max(self._began - RESUMED, latest)
        try:
            if await self._storage.ledger.heard_between(self_id, self._began - RESUMED, self._began):
                since = max(self._began - STILL_OWED, latest)
            left = await self._storage.ledger.pending(self_id, float("-inf"))
            unsaid = await self._storage.claims.list_unsent(self_id, since, self._began)
        except StorageError as error:
            if not again:
                self._report("上次没答完的消息没有读出来，过一会儿再试", error)
            return False
        left = [message for message in left if message.receipt < self._started]
        cut_off: dict[Conversation, list[UnsentReply]] = {}
        for one in unsaid:
            if self._listens(one.message.conversation):
                cut_off.setdefault(one.message.conversation, []).append(one)
        places: dict[Conversation, list[LedgerMessage]] = {place: [] for place in cut_off}
        for message in left:
            if message.time >= since and self._listens(message.conversation):
                places.setdefault(message.conversation, []).append(message)
        await self._expire(self_id, since, left)
        for place, messages in places.items():
            self._tasks.spawn(self._take_up_place(cut_off.get(place, []), messages), "mishu resume")
        return True

    async def _take_up_place(self, cut_off: Sequence[UnsentReply], messages: Sequence[LedgerMessage]) -> None:
        """Resume one conversation: replies that were ready first."""
        for one in cut_off:
            await self._say_again(one)
        await self.take_up(messages)

    async def _say_again(self, unsaid: UnsentReply) -> None:
        """Say once, and marked, what was claimed and perhaps not said. Taken from the disk before it is said:
        it is said twice at most, whatever happens to this process."""
        where, one = unsaid.message.conversation, unsaid.message.message_id
        room = await self._rooms.opened(where)
        self._answerable_again(where, one, unsaid.message.time)
        reason = "重启前拟好了回复，不知道发出去没有，补发一次"
        try:
            if not await self._storage.claims.take_unsent(unsaid):
                return
        except StorageError as error:
            self._report("没说完的回复没有取出来", error)
            return
        if room.silenced_until(self._clock.wall()) is None:
            try:
                speech = Speech(
                    AGAIN + unsaid.text, quote=one if where.is_group else None, answers=unsaid.answers
                )
                await self._counter.say(where, speech, SAY_TIMEOUT)
            except SendFailed as error:
                reason = f"{reason}；没有说出去：{error}"
        await self._counter.decided(self._decision(unsaid.message, reason), unsaid.answers)

    async def take_up(self, messages: Sequence[LedgerMessage]) -> None:
        """The lines of one conversation, one after the other: where one ends the process, those behind it
        have not been tried yet."""
        self._taking_up.update(_key(one) for one in messages)
        try:
            for message in messages:
                await self._take_up_one(message)
        finally:
            self._taking_up.difference_update(_key(one) for one in messages)

    async def _take_up_one(self, message: LedgerMessage) -> None:
        room = await self._rooms.opened(message.conversation)
        self._answerable_again(message.conversation, message.message_id, message.time)
        if room.silenced_until(self._clock.wall()) is not None:
            await self._counter.processed(message.conversation, [message.message_id])
        elif (done := await self._done(message)) is not None:
            await self._close(message, done, "重启以前已经办好，只是还没来得及说")
        elif message.tries >= MOST_TRIES:
            await self._close(message, GAVE_UP, "处理它的时候重启了，接着处理时又重启了，不再试")
        else:
            try:
                await self._storage.ledger.mark_tried(message)
            except StorageError as error:
                # Who called is not left alone for a full disk; such a disk ends no process.
                self._report("重新处理的次数没有存下", error)
            await self._admit(room, again(message, room, self._names(room), self._clock.monotonic()))

    async def _done(self, message: LedgerMessage) -> str | None:
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

    async def _close(self, message: LedgerMessage, text: str, reason: str) -> None:
        """Say one line about it. It is processed then, with the reason, whatever comes of that.

        In a group of several processes nothing is said of which the database cannot tell that nobody said it:
        the next to take the group over would say it again."""
        where, one = message.conversation, message.message_id
        if self._listens(where):
            claimed = await self._counter.claim(where, [one], text)
        elif (claimed := await self._counter.claim_on_disk(where, [one], text)) is None:
            return
        if claimed:
            try:
                quote = one if where.is_group else None
                await self._counter.say(where, Speech(text, quote=quote, answers=(one,)), SAY_TIMEOUT)
            except SendFailed as error:
                reason = f"{reason}；没有说出去：{error}"
        await self._counter.decided(self._decision(message, reason), [one])

    async def _expire(self, self_id: str, since: float, left: list[LedgerMessage]) -> None:
        """Mark lines that are too old as processed, with a decision that 为什么 can report."""
        for message in left:
            if message.time < since and self._listens(message.conversation):
                minutes = max(1, round((self._clock.wall() - message.time) / 60))
                reason = f"重启以后才看到，已经过了{minutes}分钟，没有补答"
                try:
                    await self._storage.decisions.add(self._decision(message, reason), [message.message_id])
                except StorageError as error:
                    self._report("过期的消息没有标上", error)
                    return
        try:
            await self._storage.ledger.expire_pending(self_id, since)
        except StorageError as error:
            self._report("过期的消息没有标上", error)

    def _decision(self, message: LedgerMessage, reason: str) -> DecisionRecord:
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


def above_button(pressed: LedgerMessage, message_id: str) -> LedgerMessage:
    """Our message above a pressed button, where memory has it no longer: the id tells which question that
    is."""
    us = pressed.conversation.self_id
    return LedgerMessage(pressed.conversation, message_id, 0.0, 0, us, "", "member", "", is_bot=True)


def again(message: LedgerMessage, room: Room, names: Sequence[str], now: float) -> TurnItem:
    """A stored summons as an item, as far as its record tells."""
    parts = [part for part in message.segments if isinstance(part.get("data"), dict)]
    words = "".join(str(part["data"].get("text", "")) for part in parts if part.get("type") == "text").strip()
    quoted = room.ledger.get(message.reply_to)
    if quoted is None and message.pressed and message.reply_to is not None:
        quoted = above_button(message, message.reply_to)
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
