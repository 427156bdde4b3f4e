"""A batch as it is kept with its task (M3), and how it is taken up again."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeVar, cast

from ...drafts import Batch, BatchPhase, Committed, ItemState, Kind, Mode, load, triage
from ...drafts.batch import RunningWork
from ...storage.records import Conversation, FrameRecord
from ..clause import AnswerMatch, Clause

T = TypeVar("T")

BATCH: Final = "_batch"
"""The slot that holds the batch."""
_MOST_ITEMS: Final = 10
_CORRECTS: Final = re.compile(
    r"改|换成|换为|应该|应当|不是|不对|错|弄反|记成|算作|去掉|删|少了|多了|漏|收入|支出"
    r"|(?:[那这]一?[个笔条]|它)(?:我|也|就|先|都|可|又|还是|给)*[不别莫勿唔嫑覅弗甭毋咪删去取撤划]"
    r"|[要记存消撤掉](?:了|给我)?(?:[那这]一?[个笔条]|它)(?:[吧了啊呀哈]|$)"
)
"""Words by which a line may be about what is on the card, though it names no item and no money."""


def concerns(frame: FrameRecord, clause: Clause) -> AnswerMatch | None:
    """`AgentSpec.answers` of an agent with drafts: while one is open, each line of its owner is the batch's.

    What it is to the batch, the batch decides itself (layer 1), and passes on what is not its own. Its claim
    is weak to what is no order of layer 1 and mentions neither an item nor money nor a correction.
    """
    if not frame.slots.get(BATCH):
        return None
    read = triage(clause.text, _MOST_ITEMS)
    vague = read.kind in (Kind.CORRECTION, Kind.NEW_INPUT) and not read.items
    weak = vague and not clause.amounts and not _CORRECTS.search(clause.text)
    return AnswerMatch("corrects", weak=weak)


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
