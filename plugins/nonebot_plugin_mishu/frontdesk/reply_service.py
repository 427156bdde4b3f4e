"""Replies: claimed on disk, sent through the outbox, stored with their decisions (`secretary.DeskPort`)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, TypeVar

from ..clock import Clock
from ..report import Report
from ..secretary import SendFailed, Speech
from ..storage import Storage, StorageError
from ..storage.engine.errors import DutyLost
from ..storage.records import Conversation, DecisionRecord, LedgerMessage
from .commands.parsing import SLASH, CommandStarts
from .platform import Platform
from .rooms.room import Room, remember
from .rooms.views import Audience
from .tasks import OwnedTasks

T = TypeVar("T")


AGAIN = "【补发】"
"""Before a reply of which nobody knows whether it was said, or that could not be said when it was made."""
SAY_TIMEOUT = 30.0
"""Seconds in which a reply that needs no turn has to be sent."""
CLAIMS = 10_000
"""Claims kept in memory while the database cannot keep them."""
PATIENCE = 1.0
"""Seconds a reply waits for the database; what it notes then goes on being written beside it."""
CLAIMING = 6.0
"""Seconds a reply waits for its claim: longer than the database's own deadline. A reply sent while its claim
is only on the way would be sent again by a process that comes after a kill."""


class ReplyService:
    """Implements `secretary.DeskPort` over rooms, storage and platform.

    A database in trouble does not make the secretary mute: what could not be written is reported, kept in
    memory where that is possible, and the answer still goes out.
    """

    def __init__(
        self,
        clock: Clock,
        storage: Storage,
        platform: Platform,
        audience: Audience,
        bot_name: str,
        enter: Callable[[Conversation], Room],
        tasks: OwnedTasks,
        report: Report,
        starts: CommandStarts = SLASH,
    ) -> None:
        self._starts = starts
        self._clock = clock
        self._storage = storage
        self._platform = platform
        self._audience = audience
        self.bot_name = bot_name
        self._enter = enter
        self._tasks = tasks
        self._report = report
        self.read_aloud: Callable[[Conversation, str], Coroutine[Any, Any, None]] | None = None
        """Sends a reply as a voice message; set by the desk."""
        self._claimed_in_memory: dict[tuple[str, str], None] = {}
        self.on_withheld: Callable[[Conversation, float], None] = lambda where, since: None
        """Called with a conversation in which a reply was withheld, and the monotonic seconds of the attempt;
        set by `Resuming`."""

    async def say(self, conversation: Conversation, speech: Speech, timeout: float) -> str:
        """Send a reply through the conversation's outbox; the platform's message id.

        Raises `SendFailed`: in a silence, after `timeout` seconds, or where the platform refuses.
        """
        room = self._enter(conversation)
        if room.silenced_until(self._clock.wall()) is not None:
            raise SendFailed("静音中")
        sent = await self.say_despite_silence(room, speech, timeout)
        self._note_replied(room, speech)
        return sent

    async def say_despite_silence(self, room: Room, speech: Speech, timeout: float) -> str:
        """As `say`, also in a silence: the answer to a command. Raises `SendFailed`; a reply that the
        platform takes later only (`not_now`) is withheld (`withhold`)."""
        began = self._clock.monotonic()
        try:
            sent = await room.outbox.say(speech, timeout)
        except SendFailed as error:
            if error.not_now and speech.answers:
                await self.withhold(room.conversation, speech.answers, None, began)
            raise
        if speech.answers:
            # Nobody waits for it: what is said is said, and the next in line need not stand behind a note.
            noting = self.note_sent(room.conversation, speech.answers, sent)
            if self._tasks.spawn(noting, "mishu sent") is None:
                await self.note_sent(room.conversation, speech.answers, sent)
        return sent

    async def answer(
        self, room: Room, message_id: str, text: str, timeout: float, *, quoting: bool = True
    ) -> None:
        """Answer a line without a turn, also in a silence. The claim is on disk before the reply is sent:
        after a kill the next process sends it. Raises `SendFailed`."""
        where = room.conversation
        if not await self.claim(where, [message_id], text):
            return
        quote = message_id if quoting and where.is_group else None
        try:
            await self.say_despite_silence(room, Speech(text, quote=quote, answers=(message_id,)), timeout)
        except SendFailed:
            await self.mark_processed(where, [message_id])
            raise
        await self.mark_processed(where, [message_id])

    async def withhold(
        self, conversation: Conversation, answers: Sequence[str], text: str | None, since: float
    ) -> None:
        """Store a reply for the next time that the platform takes one.

        Args:
            answers: ids of the lines it answers.
            text: the reply; None for the one claimed with these lines.
            since: monotonic seconds at which sending was tried.
        """
        kept = self._storage.claims.withhold(conversation.self_id, answers, text)
        if await self._await_write(kept, "没说出去的回复没有存下"):
            self.on_withheld(conversation, since)

    async def transmit(self, room: Room, speech: Speech) -> str:
        """Send through the platform and put our own line into the ledger. The outbox calls it."""
        if (text := self._starts.with_prefix(speech.text)) != speech.text:
            speech = replace(speech, text=text)
        sent = await self._platform.send(room.conversation, speech, self.bot_name)
        text = speech.text if speech.noted is None else speech.noted
        line = LedgerMessage(
            conversation=room.conversation,
            message_id=sent,
            time=float(int(self._clock.wall())),  # whole seconds, as the platform gives them
            receipt=self._clock.receipt(),
            user_id=room.conversation.self_id,
            name=self.bot_name,
            role="member",
            text=text + "[图片]" * len(speech.pictures),
            segments=[{"type": "text", "data": {"text": text}}],
            reply_to=speech.quote,
            is_bot=True,
            processed=True,
        )
        if room.ledger.append(line):
            self._storage.ledger.append(line)
        return sent

    async def claim(
        self, conversation: Conversation, message_ids: Sequence[str], reply: str | None = None
    ) -> bool:
        """Claim the first of the messages, and with it the turn. The claim and the `reply` are on disk before
        this returns True: after a kill the next process sends it.

        Where the database cannot say, the claim is kept in memory: answering matters more than remembering.
        """
        wanted = [(conversation.self_id, message_id) for message_id in message_ids]
        if any(one in self._claimed_in_memory for one in wanted):
            return False
        claimed = await self.claim_on_disk(conversation, message_ids, reply)
        if claimed is None:
            self._claimed_in_memory.update(dict.fromkeys(wanted))
            too_many = max(0, len(self._claimed_in_memory) - CLAIMS)
            for oldest in list(islice(self._claimed_in_memory, too_many)):
                del self._claimed_in_memory[oldest]
            return not self._tasks.closed  # at shutdown nobody would remember, and it would be answered twice
        return claimed

    async def claim_on_disk(
        self, conversation: Conversation, message_ids: Sequence[str], reply: str | None = None
    ) -> bool | None:
        """As `claim`; None where the database cannot say, which then may have it all the same."""
        claimed = await self._await_write(
            self._claim_rows(conversation, message_ids, reply), "回复没有登记上", CLAIMING
        )
        return None if claimed is None else message_ids[0] in claimed

    async def _claim_rows(
        self, conversation: Conversation, message_ids: Sequence[str], reply: str | None
    ) -> set[str]:
        """Ids of the claimed messages; none in a group whose duty is another process's by now, whatever our
        own clock says. Raises `StorageError`."""
        try:
            return await self._storage.claims.claim(conversation.self_id, message_ids, reply)
        except DutyLost:
            if conversation.is_group:
                return set()
            raise

    async def write_memory_claims(self) -> None:
        """After an outage of the database, write the claims that only memory holds: the next process does not
        answer these lines again."""
        for self_id, message_id in list(self._claimed_in_memory):
            try:
                await self._storage.claims.claim(self_id, [message_id])
            except StorageError as error:
                self._report("回复没有登记上", error)
                return
            self._claimed_in_memory.pop((self_id, message_id), None)

    async def mark_tried(self, message: LedgerMessage) -> None:
        """Count a try on disk before a line's work begins: a new process does not do it again."""
        await self._await_write(self._storage.ledger.mark_tried(message), "没有记下这句已经在办")

    async def mark_owed(self, message: LedgerMessage) -> None:
        """Mark a message on disk as owed an answer, for a process after a kill."""
        marked = self._storage.ledger.mark_addressed(message.conversation, [message.message_id])
        await self._await_write(marked, "待答标记没有存下")

    async def mark_processed(self, conversation: Conversation, message_ids: Sequence[str]) -> None:
        """Mark messages as processed in memory and on disk."""
        self._enter(conversation).ledger.update(message_ids, processed=True)
        await self._await_write(
            self._storage.ledger.mark_processed(conversation, message_ids), "处理标记没有存下"
        )

    async def set_sender(self, message: LedgerMessage) -> None:
        """Store name and role of a line's sender in memory and on disk."""
        self._enter(message.conversation).ledger.replace(message)
        await self._await_write(self._storage.ledger.set_sender(message), "发言人没有存下")

    async def set_captions(self, message: LedgerMessage, captions: Sequence[str]) -> None:
        """Store the captions of a message's pictures in memory and on disk."""
        self._enter(message.conversation).ledger.update([message.message_id], captions=list(captions))
        stored = self._storage.ledger.set_captions(message.conversation, message.message_id, captions)
        await self._await_write(stored, "图片说明没有存下")

    async def store_decision(
        self, record: DecisionRecord, ids: Sequence[str], looked_at: Sequence[str] = (), *, wait: bool = True
    ) -> None:
        """Store the decision, its messages marked as processed with it, and tell the audience.

        What was only looked at stays open where it has to be answered by now: somebody's turn will. Without
        `wait` it goes on beside the caller, unless the front desk closes.
        """
        ledger = self._enter(record.conversation).ledger
        considered = [one for one in looked_at if (said := ledger.get(one)) is None or not said.addressed]
        considered = list(dict.fromkeys([*considered, *ids]))
        ledger.update(considered, processed=True)
        beside = (
            None if wait else self._tasks.spawn(self._write_decision(record, considered), "mishu decided")
        )
        if beside is None:
            await self._await_write(self._write_decision(record, considered), "决策没有存下")

    async def _write_decision(self, record: DecisionRecord, considered: Sequence[str]) -> None:
        stored = await self._try_write(self._storage.decisions.add(record, considered), "决策没有存下")
        self._audience.decision_made(replace(record, id=stored or 0))

    async def _try_write(self, work: Coroutine[Any, Any, T], trouble: str) -> T | None:
        try:
            return await work
        except StorageError as error:
            self._report(trouble, error)
            return None

    async def _await_write(
        self, work: Coroutine[Any, Any, T], trouble: str, patience: float = PATIENCE
    ) -> T | None:
        """The result of a write, waited for `patience` seconds; it goes on beside us if it takes longer.

        While the front desk closes there is no beside: then it is given up at that time, whole or not at all.
        """
        if self._tasks.closed:
            try:
                async with asyncio.timeout(patience):
                    return await self._try_write(work, trouble)
            except TimeoutError as error:
                self._report(trouble, error)
                return None
        task = self._tasks.spawn(self._try_write(work, trouble), "mishu write")
        if task is None:
            work.close()
            return None
        done, _ = await asyncio.wait([task], timeout=patience)
        return task.result() if done and not task.cancelled() else None

    def speak(self, conversation: Conversation, text: str) -> None:
        """Say a reply aloud as well, in a task of the desk's, where that is wanted."""
        if self.read_aloud is not None:
            self._tasks.spawn(self.read_aloud(conversation, text), "mishu speak")

    def persona(self, conversation: Conversation) -> str | None:
        """Persona of the conversation, as its admins set it; None where they set none."""
        return self._enter(conversation).settings.persona

    def allows(self, conversation: Conversation, feature: str) -> bool:
        """True if a feature is on in the conversation."""
        return self._enter(conversation).allows(feature)

    async def note_sent(self, conversation: Conversation, answered: Sequence[str], sent: str) -> None:
        """Store the platform's message id of a reply with the lines it answers."""
        noted = self._storage.claims.mark_sent(conversation.self_id, answered, sent)
        await self._await_write(noted, "没有记下回复的消息号")

    def _note_replied(self, room: Room, speech: Speech) -> None:
        now = self._clock.monotonic()
        for message_id in speech.answers:
            said = room.ledger.get(message_id)
            if said is not None:
                remember(room.replied, said.user_id, now)
