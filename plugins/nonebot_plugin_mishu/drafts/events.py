"""Events of a batch and the effects it asks for, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeAlias, TypeVar

from .batch import Mode
from .lines import OwnerNotice

T = TypeVar("T")


@dataclass(frozen=True)
class LineReceived:
    """Line of a member in the conversation. `online`: a model can be asked."""

    sender: str
    text: str
    online: bool = True


@dataclass(frozen=True)
class ModelAnswered:
    """The answer to `AskModel`: the object in the shape of `correct_transaction`, unchecked."""

    ticket: int
    answer: Mapping[str, object] | object


@dataclass(frozen=True)
class ModelFailed:
    """`AskModel` failed; `offline` where no model could be reached at all."""

    ticket: int
    offline: bool = False


@dataclass(frozen=True)
class Committed:
    """Every item of that `Commit` is on disk."""

    ticket: int


@dataclass(frozen=True)
class CommitFailed:
    """No item of that `Commit` is on disk."""

    ticket: int


@dataclass(frozen=True)
class Ticked:
    """Time has passed (`Batch.wake_at`)."""


@dataclass(frozen=True)
class Dropped:
    """The batch is to end without a word: recall, silence, a newer candidate, an emergency."""


Event: TypeAlias = LineReceived | ModelAnswered | ModelFailed | Committed | CommitFailed | Ticked | Dropped


@dataclass(frozen=True)
class Say:
    """A line to the owner. `numbers` are the items it is about, `count` a number it mentions."""

    line: OwnerNotice
    numbers: tuple[int, ...] = ()
    count: int = 0


@dataclass(frozen=True)
class AskModel(Generic[T]):
    """Ask a model about `text`; `ModelAnswered` or `ModelFailed` with its ticket by `deadline` answer it.

    `pending` is what the model is to see, by number on the card; its own index of an item is the place in
    this tuple. `said` is what the owner said before.
    """

    ticket: int
    mode: Mode
    text: str
    pending: tuple[tuple[int, T], ...]
    deadline: float
    said: str = ""


@dataclass(frozen=True)
class CancelModelCall:
    """The answer to this `AskModel` will not be applied any more."""

    ticket: int


@dataclass(frozen=True)
class Commit(Generic[T]):
    """Save these items, all or none, and answer `Committed` or `CommitFailed` with this ticket.

    Batch id and ticket together name the commit once and for ever.
    """

    ticket: int
    items: tuple[tuple[int, T], ...]


@dataclass(frozen=True)
class Updated:
    """The card changed (`on_draft_batch_updated`)."""


@dataclass(frozen=True)
class PassOn:
    """The line is not about the batch and is to be read as any other."""

    text: str


class End(StrEnum):
    """Why a batch ended."""

    SAVED = "saved"
    CANCELLED = "cancelled"
    LEFT = "left"
    EXPIRED = "expired"
    DROPPED = "dropped"


@dataclass(frozen=True)
class Closed:
    """The batch has ended; nothing of it is pending."""

    end: End


Effect: TypeAlias = Say | AskModel[T] | CancelModelCall | Commit[T] | Updated | PassOn | Closed
