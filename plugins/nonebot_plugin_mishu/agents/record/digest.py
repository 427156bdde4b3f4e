"""A model's sentences about a span, piece by piece, each checked against its lines and stored.

A piece goes from one line to another and is kept with how many lines that were. Where they are not as many
any more (a recall, a forgetting, pruning), what rested on them is dropped and asked for anew. So a second
request costs what was said since.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from pydantic import BaseModel, Field

from ...language.lines.check import KINDS, Sentence, check
from ...language.lines.line import RecordLine
from ...llm import CallLog, Deadline, ModelClient, ModelError
from ...llm.limits.tokens import estimate_tokens
from ...prompts import prompt
from ...prompts.quoting import clean_name, fitted
from ...record.selecting import pieces, telling
from ...storage.record.span_digests import KeptSentence, SpanDigest, SpanDigests
from ...storage.records import Conversation

CALL: Final = "digest"
PIECE: Final = 4_800
"""Estimated tokens of the lines in one call; the whole call stays below 6,000."""
PIECES: Final = 6
"""Most pieces of one request; of longer spans the newest."""
SHORT: Final = 20
"""Most lines of a span that is summarised by rules alone."""
_LINE: Final = 200
"""Characters of a line shown to a model."""
_SENTENCE: Final = 300
"""Characters checked of a model's sentence."""
PIECE_LINES: Final = 20
"""Most lines that support one sentence."""
_BEFORE: Final = 4
WANT: Final = "decision todo plan question talk"
SPENT: Final = "今天总结到上限了"


class _Told(BaseModel):
    text: str
    lines: list[int | str]
    kind: Literal["decision", "todo", "plan", "question", "talk"]


class RecordDigest(BaseModel):
    """Response schema of the call."""

    sentences: list[_Told] = Field(max_length=40)


@dataclass(slots=True)
class Summed:
    """Sentences of a span, and the reason if they do not cover it."""

    sentences: list[Sentence] = field(default_factory=list[Sentence])
    why: str = ""


class Digests:
    """Makes and stores the sentences of pieces."""

    def __init__(
        self,
        model: ModelClient,
        kept: SpanDigests,
        spent: Callable[[Conversation], Awaitable[int]],
        daily_tokens: int,
    ) -> None:
        """`spent` gives a group's digest tokens today; `daily_tokens` is the limit (0: none)."""
        self._model = model
        self._kept = kept
        self._spent = spent
        self._daily = daily_tokens

    async def over(self, conversation: Conversation, since: float, until: float) -> list[SpanDigest]:
        """Stored pieces of a span; the first may begin before it."""
        return await self._kept.over(conversation, since, until)

    async def told(
        self,
        conversation: Conversation,
        lines: Sequence[RecordLine],
        kept: Sequence[SpanDigest],
        deadline: Deadline,
        log: CallLog,
        most: int = PIECES,
        start: int = 0,
    ) -> Summed:
        """Valid sentences, in the order of their pieces; only pieces that are not stored cost a call.

        `kept` is what `over` gave, and `lines` begin where the first of it does; what is asked for begins at
        the place `start`. Where a call fails, what was
        there before it is told. Raises `StorageError`.
        """
        place = {line.id: number for number, line in enumerate(lines)}
        found: list[tuple[int, Sequence[Sentence]]] = []
        stale: list[str] = []
        reached = 0
        gaps: list[Sequence[RecordLine]] = []
        for each in kept:
            first, last = place.get(each.first_id), place.get(each.last_id)
            if first is None or last is None or last - first + 1 != each.lines:
                stale.append(each.first_id)
            elif first >= reached:
                gaps.append(lines[max(reached, start) : first])
                found.append((first, [_sentence(one) for one in each.sentences]))
                reached = last + 1
        gaps.append(lines[max(reached, start) :])
        await self._kept.delete_digests(conversation, stale)
        wanted = [
            piece
            for gap in gaps
            if sum(not line.bot for line in gap) > SHORT
            for piece in pieces(gap, cost, PIECE)
        ]
        summed = Summed()
        if wanted and self._model.online:
            await self._ask_all(conversation, wanted[-most:], place, found, summed, deadline, log)
        found.sort(key=lambda one: one[0])
        summed.sentences = _distinct([each for _, made in found for each in made])
        return summed

    async def _ask_all(
        self,
        conversation: Conversation,
        wanted: Sequence[Sequence[RecordLine]],
        place: dict[str, int],
        found: list[tuple[int, Sequence[Sentence]]],
        summed: Summed,
        deadline: Deadline,
        log: CallLog,
    ) -> None:
        for piece in wanted:
            if self._daily and await self._spent(conversation) + PIECE > self._daily:
                summed.why = SPENT
                return
            start = place[piece[0].id]
            earlier = [made for at, made in sorted(found, key=lambda one: one[0]) if at < start]
            before = [each.text for made in earlier[-1:] for each in made][-_BEFORE:]
            try:
                made = await self._ask(conversation, piece, before, deadline, log)
            except ModelError as error:
                summed.why = f"模型没有答复（{error.label}）"
                return
            found.append((start, made))
            await self._kept.store_digest(conversation, _digest(piece, made))

    async def _ask(
        self,
        conversation: Conversation,
        piece: Sequence[RecordLine],
        before: Sequence[str],
        deadline: Deadline,
        log: CallLog,
    ) -> tuple[Sentence, ...]:
        shown = telling(piece, cost, PIECE)
        users: dict[str, str] = {}
        one_day = piece[0].at.date() == piece[-1].at.date()
        data = [
            {
                "id": number,
                "user": users.setdefault(line.user_id, str(len(users) + 1)),
                "name": "秘书" if line.bot else clean_name(line.name),
                "time": f"{line.at:%H:%M}" if one_day else f"{line.at:%m-%d %H:%M}",
                "text": fitted(line.text, _LINE),
            }
            for number, line in enumerate(shown, start=1)
        ]
        answer = await self._model.structured(
            CALL,
            {"lines": data, "before": "\n".join(before), "want": WANT},
            RecordDigest,
            instructions=prompt(CALL),
            deadline=deadline,
            conversation=conversation,
            log=log,
        )
        held: list[Sentence] = []
        for each in answer.sentences:
            if len(each.text) > _SENTENCE:
                continue  # forty characters were asked for
            ids = tuple(_id(one, shown) for one in each.lines[:PIECE_LINES])
            told = check(Sentence(each.kind, each.text, ids), piece).sentence
            if told is not None:
                held.append(told)
        return tuple(_distinct(held))


def cost(line: RecordLine) -> int:
    """Estimated tokens of a line as shown to a model."""
    return estimate_tokens(line.text[:_LINE]) + estimate_tokens(line.name) + 22


def _id(said: int | str, shown: Sequence[RecordLine]) -> str:
    number = int(said) if str(said).isdecimal() else 0
    return shown[number - 1].id if 0 < number <= len(shown) else ""


def _distinct(sentences: Sequence[Sentence]) -> list[Sentence]:
    return list({each.text: each for each in sentences}.values())


def _digest(piece: Sequence[RecordLine], made: Sequence[Sentence]) -> SpanDigest:
    first, last = piece[0], piece[-1]
    return SpanDigest(
        first.id,
        last.id,
        first.at.timestamp(),
        last.at.timestamp(),
        len(piece),
        tuple(KeptSentence(each.kind, each.text, each.lines) for each in made),
    )


def _sentence(kept: KeptSentence) -> Sentence:
    kind = KINDS[0]
    for each in KINDS:
        kind = each if each == kept.kind else kind
    return Sentence(kind, kept.text, kept.lines)
