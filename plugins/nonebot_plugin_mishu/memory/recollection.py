"""M1 and M2 as the core uses them (seed 2, section 6): rounds of conversation and summaries of tasks.

Keys are the conversation and the member: what was made in private shows in no group, and no member sees
another's. Models are helpers here: without one, or while one fails, history is cut and summaries are plain.
"""

from __future__ import annotations

import asyncio

from ..clock import Clock
from ..config import Config
from ..llm import CallLog, ChatMessage, Deadline, ModelClient, ModelError
from ..prompts.quoting import one_line, quoted
from ..report import Report
from ..storage import Storage, StorageError
from ..storage.records import Conversation, Digest, FrameRecord, Summary
from . import history, ranking, vectors
from .chores import Chores
from .task_lines import kept_line
from .terms import query, terms

_WEEKDAYS = "一二三四五六日"
_WAITING = "awaiting_user"

TURNS = 1000
"""Turns of a member that are looked at."""
CANDIDATES = 200
"""Summaries that full-text search hands to the ranking."""
VECTORS = 500
"""The newest summaries of a member that are compared by sense."""
ONE_SUMMARY = 400
"""Characters of a summary of M2."""
EMBED_WAIT = 2.0
"""Seconds a search waits for the vector of what was said; then it does without."""
ATONCE = 4
"""Summaries and vectors made at a time, in all conversations: replies go first."""
REST = 300.0
"""Seconds for which a member's older rounds are not summarised again after it failed."""
READ = 12_000
"""Tokens of turns that one call summarises."""

Member = tuple[Conversation, str]


class Recollection:
    """Remembers. `close` ends what is under way. Everything else may raise `StorageError`."""

    def __init__(
        self,
        config: Config,
        clock: Clock,
        storage: Storage,
        model: ModelClient,
        report: Report,
    ) -> None:
        self._config = config
        self._clock = clock
        self._storage = storage
        self._model = model
        self._report = report
        self._chores = Chores(ATONCE, 2 * config.llm.timeout, self._report_failure)
        self._rests: dict[Member, float] = {}
        self._told_embedding = False
        storage.members.on_forgotten(self._forget_member)

    async def remembered(
        self, conversation: Conversation, user_id: str, limit: int
    ) -> tuple[ChatMessage, ...]:
        """M1: the last `limit` rounds with this member, oldest first, with a summary before them.

        Above MISHU__MEMORY__TOKENS the summary and the last MISHU__MEMORY__ROUNDS rounds.
        """
        if limit <= 0:
            return ()
        digest, turns = await self._storage.turns.recent(conversation, user_id, TURNS)
        memory = self._config.memory
        shown = history.view(digest, turns, memory.tokens, memory.rounds, limit)
        if shown.long:
            self._summarise_later(conversation, user_id)
        return shown.messages

    async def said(self, conversation: Conversation, user_id: str, user_text: str, reply: str) -> None:
        """M1: one round, what the member said and what we answered; on disk when this returns."""
        await self._storage.turns.add(conversation, user_id, user_text, reply, self._clock.wall())
        self._summarise_later(conversation, user_id)

    async def summarised(self, frame: FrameRecord, reply: str) -> None:
        """M2: a task was finished, or waits for its user. On disk when this returns; found at once."""
        content = _summary_content(frame, reply)
        made = Summary(
            conversation=frame.conversation,
            user_id=frame.user_id,
            task_id=frame.task_id,
            agent_code=frame.agent_code,
            content=content,
            terms=tuple(terms(content)),
            at=self._clock.wall(),
        )
        await self._storage.summaries.store_summary(made)
        if self._model.embedding_model is not None:
            self._chores.start(("vector", made.task_id), lambda: self._embed_summary(made))

    async def alike(self, conversation: Conversation, user_id: str, text: str, limit: int) -> tuple[str, ...]:
        """M2: the summaries of this member's earlier tasks that resemble the text most, the oldest first.

        Each is one line: when, and what became of it as a quotation. They are data, never instructions.
        """
        asked = query(text)
        if limit <= 0 or not asked:
            return ()
        summaries = self._storage.summaries
        found = {
            summary.id: summary
            for summary in await summaries.search(conversation, user_id, asked, CANDIDATES)
        }
        order = ranking.by_words(asked, {number: one.terms for number, one in found.items()})
        near = await self._find_similar(conversation, user_id, text, limit)
        found.update({summary.id: summary for summary in near})
        best = ranking.merged(order, [summary.id for summary in near]) if near else order
        chosen = sorted((found[number] for number in best[:limit]), key=lambda one: (one.at, one.id))
        return tuple(self._summary_line(one) for one in chosen)

    async def wait_idle(self) -> None:
        """Return once nothing is being summarised."""
        await self._chores.wait_idle()

    async def close(self) -> None:
        """End what is under way; before model and storage are closed."""
        await self._chores.close()

    async def _find_similar(
        self, conversation: Conversation, user_id: str, text: str, limit: int
    ) -> list[Summary]:
        """Summaries alike by sense; none without an embedding model, or where it does not answer in time."""
        model = self._model.embedding_model
        if model is None:
            return []
        stored = await self._storage.summaries.vectors(conversation, user_id, model, VECTORS)
        if not stored:
            return []
        deadline = Deadline.after(EMBED_WAIT, self._clock.monotonic)
        try:
            (asked,) = await self._model.embed(
                [text[: history.TURN]],
                deadline=deadline,
                conversation=conversation,
                log=CallLog(member=user_id),
            )
        except ModelError as error:
            self._report_embedding(error)
            return []
        self._told_embedding = False
        # Some ten milliseconds of arithmetic: not in the loop's time.
        return await asyncio.to_thread(vectors.nearest, asked, stored, 4 * limit)

    async def _embed_summary(self, made: Summary) -> None:
        model = self._model.embedding_model
        if model is None:
            return
        deadline = Deadline.after(self._config.llm.timeout, self._clock.monotonic)
        try:
            (vector,) = await self._model.embed(
                [made.content],
                deadline=deadline,
                conversation=made.conversation,
                log=CallLog(member=made.user_id),
            )
        except ModelError as error:
            self._report_embedding(error)
            return
        self._told_embedding = False
        await self._storage.summaries.set_vector(made.task_id, made.content, model, vectors.packed(vector))

    def _summarise_later(self, conversation: Conversation, user_id: str) -> None:
        member = (conversation, user_id)
        if not self._model.online or self._rests.get(member, 0.0) > self._clock.monotonic():
            return
        self._chores.start(member, lambda: self._summarise(conversation, user_id))

    async def _summarise(self, conversation: Conversation, user_id: str) -> None:
        """Put older rounds into the digest, if there is too much of them. A failure leaves all as it was."""
        digest, turns = await self._storage.turns.recent(conversation, user_id, TURNS)
        memory = self._config.memory
        if not history.is_long(digest, turns, memory.tokens):
            return
        asked = history.to_summarise(digest, turns, memory.rounds, READ)
        if asked is None:
            return
        messages, through = asked
        deadline = Deadline.after(self._config.llm.timeout, self._clock.monotonic)
        try:
            text = await self._model.text(
                "summarize",
                messages,
                deadline=deadline,
                conversation=conversation,
                log=CallLog(member=user_id),
            )
        except ModelError:  # told by the model client
            self._pause_member((conversation, user_id))
            return
        content = one_line(text, history.DIGEST)
        if not content:
            self._pause_member((conversation, user_id))
            return
        await self._storage.turns.digested(
            conversation, user_id, Digest(content, through, self._clock.wall())
        )

    def _pause_member(self, member: Member) -> None:
        now = self._clock.monotonic()
        self._rests = {known: until for known, until in self._rests.items() if until > now}
        self._rests[member] = now + REST

    def _forget_member(self, conversation: Conversation, user_id: str) -> None:
        self._rests.pop((conversation, user_id), None)
        self._chores.drop((conversation, user_id))

    def _report_failure(self, error: BaseException) -> None:
        what = "摘要没能存下" if isinstance(error, StorageError) else "摘要没有做成"
        self._report(what, error)

    def _report_embedding(self, error: ModelError) -> None:
        if not self._told_embedding:
            self._told_embedding = True
            self._report("向量模型没有答复，改用全文检索", error)

    def _summary_line(self, summary: Summary) -> str:
        when = self._clock.local(summary.at)
        day = f"{when:%Y-%m-%d}（周{_WEEKDAYS[when.weekday()]}）"
        return f"{day}{quoted(summary.content, ONE_SUMMARY)}"


def _summary_content(frame: FrameRecord, reply: str) -> str:
    """Stored line of a task: request and outcome."""
    asked = one_line(frame.text, 150)
    if frame.status == _WAITING:
        return kept_line(asked, waiting=one_line(frame.question or reply, 150))
    return kept_line(asked, result=one_line(reply, 200), canceled=frame.status == "canceled")
