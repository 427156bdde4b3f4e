"""A batch as it is kept with its task (M3), and how it is taken up again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeVar, cast

from ...drafts import Batch, BatchPhase, Committed, ItemState, Mode, load
from ...drafts.batch import RunningWork
from ...language.cards.relation import relation_to_card
from ...language.clause import Clause
from ...language.match import AnswerMatch
from ...storage.records import Conversation, FrameRecord

T = TypeVar("T")

BATCH: Final = "_batch"
"""The slot that holds the batch."""
_LONGEST_NAME: Final = 30


def concerns(frame: FrameRecord, clause: Clause) -> AnswerMatch | None:
    """`AgentSpec.answers` of an agent with drafts: while one is open, each line of its owner is the batch's.

    What it is to the batch, the batch decides itself (layer 1), and passes on what is not its own.
    """
    if not frame.slots.get(BATCH):
        return None
    return relation_to_card(clause, _item_names(frame), _item_words(frame))


def _item_names(frame: FrameRecord) -> list[str]:
    """Names of the items."""
    values = (
        each.get("value") for each in cast("list[Mapping[str, Any]]", frame.slots[BATCH].get("items", ()))
    )
    said = [
        cast("Mapping[str, Any]", value).get("description") for value in values if isinstance(value, Mapping)
    ]
    return [each for each in said if isinstance(each, str) and 0 < len(each) <= _LONGEST_NAME]


def _item_words(frame: FrameRecord) -> set[str]:
    """The words of the items: what they are called, and their categories."""
    found: set[str] = set()
    for each in cast("list[Mapping[str, Any]]", frame.slots[BATCH].get("items", ())):
        value: object = each.get("value")
        if isinstance(value, Mapping):
            words = cast("Mapping[str, object]", value).values()
            found |= {word for word in words if isinstance(word, str) and 0 < len(word) <= _LONGEST_NAME}
    return found


def batch_of(slots: Mapping[str, Any], load_item: Callable[[Any], T]) -> Batch[T] | None:
    """The batch kept in a task's slots; None where there is none that can be read."""
    plain = slots.get(BATCH)
    if not isinstance(plain, Mapping):
        return None
    try:
        return load(cast("Mapping[str, Any]", plain), load_item)
    except (KeyError, TypeError, ValueError, ArithmeticError, AttributeError):
        return None


def name_of(conversation: Conversation) -> str:
    """A conversation as a batch names it."""
    return f"{conversation.self_id}:{conversation.kind}:{conversation.peer}"


def interrupted(batch: Batch[T], saved: Mapping[int, int]) -> tuple[Batch[T], Committed | None]:
    """The batch as a commit left it that nobody saw the end of, and that end; the batch as it is without one.

    Between a commit and the snapshot behind it a process can die: the snapshot then shows as pending what is
    on disk. What is on disk is saved, whatever the snapshot says.
    """
    pending = {item.number for item in batch.items if item.state is ItemState.PENDING}
    there = tuple(sorted(pending & saved.keys()))
    if not there:
        return batch, None
    ticket = max(batch.ticket, *(saved[number] for number in there))
    work = RunningWork(ticket, Mode.COMMIT, there)
    home = batch.home if batch.home is not BatchPhase.CLOSED else BatchPhase.CONFIRMING
    return replace(batch, phase=BatchPhase.COMMITTING, home=home, ticket=ticket, work=work), Committed(ticket)
