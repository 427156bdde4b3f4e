"""Drafts: the one confirmation mechanism (product section 7; seed 4, seed 0's NEED_CONFIRM). Pure.

`triage` reads what a line is to an open batch. `open_batch` and `step` are the machine: a batch and an event
give the next batch and effects; whoever runs it says lines, asks models, commits, and reports back.
`read_answer` checks what a model said. An agent gives an `ItemModel`. `docs/drafts.md` tells the rest.
"""

from .answers import CheckedAnswer, LineIntent, read_answer
from .batch import Batch, BatchPhase, Item, ItemModel, ItemState, Limits, Local, Mode
from .events import (
    AskModel,
    CancelModelCall,
    Closed,
    Commit,
    CommitFailed,
    Committed,
    Dropped,
    Effect,
    End,
    Event,
    LineReceived,
    ModelAnswered,
    ModelFailed,
    PassOn,
    Say,
    Ticked,
    Updated,
)
from .lines import LINES, OwnerNotice, speak
from .machine import open_batch, step
from .snapshot import dump, load

__all__ = [
    "LINES",
    "AskModel",
    "Batch",
    "BatchPhase",
    "CancelModelCall",
    "CheckedAnswer",
    "Closed",
    "Commit",
    "CommitFailed",
    "Committed",
    "Dropped",
    "Effect",
    "End",
    "Event",
    "Item",
    "ItemModel",
    "ItemState",
    "Limits",
    "LineIntent",
    "LineReceived",
    "Local",
    "Mode",
    "ModelAnswered",
    "ModelFailed",
    "OwnerNotice",
    "PassOn",
    "Say",
    "Ticked",
    "Updated",
    "dump",
    "load",
    "open_batch",
    "read_answer",
    "speak",
    "step",
]
