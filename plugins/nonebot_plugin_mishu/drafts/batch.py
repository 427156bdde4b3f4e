"""Batch of drafts: items, phase, running work and waiting lines. Values only."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, TypeVar

from ..language import Question
from ..language.cards.grammar import Order
from ..language.cards.pointed import Pointed

T = TypeVar("T")


class ItemState(StrEnum):
    """A draft is pending until it is saved or cancelled, and neither ever changes again."""

    PENDING = "pending"
    SAVED = "saved"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class Item(Generic[T]):
    """One draft. `number` is its 0-based place on the card and never shifts."""

    number: int
    value: T
    state: ItemState = ItemState.PENDING


class BatchPhase(StrEnum):
    """Phase of a batch."""

    CONFIRMING = "confirming"
    """The card is shown; its owner's lines are read."""
    RECORDING = "recording"
    """As confirming, and new things are taken without being addressed (continueRecording)."""
    ASKING = "asking"
    """The owner wanted to leave and was asked 「这N笔要保存吗？」."""
    CORRECTING = "correcting"
    """One correction runs; what arrives waits."""
    COMMITTING = "committing"
    """A commit was asked for; what arrives waits."""
    CLOSED = "closed"
    """Nothing is pending any more."""


class Mode(StrEnum):
    """Mode of the running work."""

    CORRECT = "correct"
    """A correction, which may turn out to be anything (`correct_transaction`, `check_intent`)."""
    RECORD = "record"
    """New items are read from a line (`parse_transactions`)."""
    COMMIT = "commit"


@dataclass(frozen=True)
class RunningWork:
    """Running work of a batch. A result with another ticket is late and is not applied.

    `numbers` are the items it is about, in the order in which a model saw them. `deadline` is in seconds on
    the caller's clock; a commit has none here, since only its result can tell whether it happened.
    """

    ticket: int
    mode: Mode
    numbers: tuple[int, ...]
    text: str = ""
    deadline: float | None = None


@dataclass(frozen=True)
class Waiting:
    """A line that arrived while some work ran, or an order left of one."""

    text: str
    online: bool = True
    order: Order | None = None
    follows: bool = False
    """The rest of a line whose first part is done."""


@dataclass(frozen=True)
class Limits:
    """The numbers of the configuration (`MISHU__BOOKKEEPING__*`, `MISHU__SCHEDULE__CONFIRM_TIMEOUT`).

    `timeout` is the life of the draft after its owner's last word on it, `correction_timeout` the whole
    time of one correction, `record_timeout` that of reading new items, all in seconds.
    """

    max_items: int = 10
    timeout: float = 300.0
    correction_timeout: float = 3.0
    record_timeout: float = 10.0
    confidence: float = 0.7
    max_waiting: int = 20


@dataclass(frozen=True)
class Local:
    """Result of a correction by an agent's own rules.

    `changes` are fields by the item's number on the card, `added` the fields of new items. `which` asks for
    the item: the change is clear, whom it concerns is not. `elsewhere`: the line is of something that the
    card does not have, and is read anew. All empty: not understood.
    """

    changes: Mapping[int, Mapping[str, object]] = field(default_factory=dict[int, Mapping[str, object]])
    added: Sequence[Mapping[str, object]] = ()
    which: bool = False
    elsewhere: bool = False


def _no_terms(values: Sequence[T]) -> Collection[str]:
    return ()


def _as_said(text: str, pending: Sequence[tuple[int, T]]) -> str:
    return text


def _whether_to_keep(values: Sequence[T]) -> Question:
    return Question("make")


def _of_nothing(text: str, pending: Sequence[tuple[int, T]]) -> bool:
    return False


def _at_nothing(words: str, pending: Sequence[tuple[int, T]]) -> Pointed:
    return Pointed()


@dataclass(frozen=True)
class ItemModel(Generic[T]):
    """An agent's item model: its correction and naming functions, all pure.

    `change` and `create` answer `None` for fields they do not accept; then the whole correction is refused.
    `correct_locally` sees the line and the pending items by number. `terms` are words that concern the
    items. `waiting_line` sends 「好的，正在修改...」 before a model is asked; `ask_about_talk` asks a model
    about lines that do not mention the items as well (schedules' `check_intent`). `naming` puts 第N笔 in
    place of words that name one pending item without a doubt (打车那笔不要了): an order then is layer 1's,
    and a line that mentions nothing else (是晚饭) a correction. `pointing` says which items words stand for
    that are nothing but a name of them (转我妈那个, 20的, 午饭和打车). `asked` says what a card of such items
    asks: 删了吧 is a yes where it asks whether to delete, and only an explicit one counts there. `about` says
    whether a line is about the items that mentions none of them (大刘 教头, who share one).
    """

    change: Callable[[T, Mapping[str, object]], T | None]
    create: Callable[[Mapping[str, object]], T | None]
    correct_locally: Callable[[str, Sequence[tuple[int, T]]], Local]
    terms: Callable[[Sequence[T]], Collection[str]] = _no_terms
    waiting_line: bool = True
    ask_about_talk: bool = False
    naming: Callable[[str, Sequence[tuple[int, T]]], str] = _as_said
    pointing: Callable[[str, Sequence[tuple[int, T]]], Pointed] = _at_nothing
    asked: Callable[[Sequence[T]], Question] = _whether_to_keep
    about: Callable[[str, Sequence[tuple[int, T]]], bool] = _of_nothing


@dataclass(frozen=True)
class Batch(Generic[T]):
    """A batch of drafts of one owner in one conversation. `machine.step` makes the next one.

    `home` is the phase to return to when what runs has ended. `expires_at` is in seconds on the caller's
    clock. `said` is what the owner said about it so far (seed 0's edit joins it with the new line).
    """

    id: str
    owner: str
    conversation: str
    items: tuple[Item[T], ...]
    limits: Limits
    expires_at: float
    phase: BatchPhase = BatchPhase.CONFIRMING
    home: BatchPhase = BatchPhase.CONFIRMING
    said: str = ""
    ticket: int = 0
    work: RunningWork | None = None
    waiting: tuple[Waiting, ...] = ()
    unplaced: str = ""
    """Words of a correction or refusal, kept while the owner is asked which item (哪一笔)."""
    touched: tuple[int, ...] = ()
    """The items that were changed or added last: 刚才那笔, 那个."""
    unheard: bool = False
    """The last correction was not understood: a mere nod behind it confirms nothing."""
    unclear_said: bool = False
    offline_said: bool = False
    exit_asked: bool = False
    dropping: bool = False
    """The batch ends with the running commit."""

    @property
    def pending(self) -> tuple[Item[T], ...]:
        """The items still to be decided, by number."""
        return tuple(item for item in self.items if item.state is ItemState.PENDING)

    @property
    def wake_at(self) -> float | None:
        """When the next `Ticked` is due, in seconds on the caller's clock; `None`: never."""
        if self.phase is BatchPhase.CLOSED:
            return None
        if self.work is not None:
            return self.work.deadline
        return self.expires_at
