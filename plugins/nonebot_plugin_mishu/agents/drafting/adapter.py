"""Draft adapter: an agent's own parts of the draft mechanism."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from ...drafts import AskModel, Batch, Commit, ItemModel, Limits, Say, speak
from ...llm import Deadline
from ..api.task_context import TaskContext

T = TypeVar("T")


class CommitRefused(Exception):
    """A commit was refused, and nothing of it is on disk. The text is Chinese and may be shown."""


def _plain(say: Say, batch: Batch[Any]) -> str | None:
    return speak(say.line, say.numbers, say.count)


def _no_card(batch: Batch[Any]) -> str | None:
    return None


@dataclass(frozen=True)
class DraftWording(Generic[T]):
    """Wording of a batch in the chat.

    `line` has the words for a `Say` (None: leave it out). `card` is the text shown when the batch opens.
    `changed` is what follows the lines of a turn that changed an open batch (None: nothing).
    """

    card: Callable[[Batch[T]], str]
    line: Callable[[Say, Batch[T]], str | None] = _plain
    changed: Callable[[Batch[T]], str | None] = _no_card
    gone: str = "那张单子过期了，再说一遍吧。"
    """The snapshot of the batch cannot be read."""
    told_by_card: bool = False
    """What is said of a batch that was saved stood on its card: a sign can say it as well."""
    unreachable: str = "我这会儿存不了东西，什么都没改，过会儿再说一次。"
    unknown: str = "还不知道存上没有，过会儿再说一次，我会先核对，不会重复记。"


@dataclass(frozen=True)
class DraftAdapter(Generic[T]):
    """An agent's own functions for its drafts.

    `ask` asks a model and answers in the shape of `correct_transaction`; it raises `ModelError` where there
    is no answer, and must be over by the deadline it is given. `commit` saves all items or none in one
    transaction, unique by batch id, ticket and item number; it raises `CommitRefused`, or `StorageError`.
    `saved` reads which items of a batch are on disk: number on the card to the ticket of their commit.
    `item_json` is an item in the card that other programs see.
    """

    agent_code: str
    model: ItemModel[T]
    limits: Limits
    dump_item: Callable[[T], Any]
    load_item: Callable[[Any], T]
    item_json: Callable[[T], dict[str, Any]]
    wording: DraftWording[T]
    ask: Callable[[AskModel[T], TaskContext, Deadline], Awaitable[Mapping[str, object]]]
    commit: Callable[[Batch[T], Commit[T], TaskContext], Awaitable[None]]
    saved: Callable[[str], Awaitable[Mapping[int, int]]]
    online: Callable[[], bool]
    """True if there is a model to ask."""
    wall: Callable[[], float]
    """Wall seconds: batches outlive the process."""
    notes: Callable[[Batch[T]], Mapping[str, Any]] = field(default=lambda _: {})
    """Further slots to keep with the task."""
