"""Drafting: runs the pure drafts machine (`drafts/`) for an agent, whose drafts wait for their owner's yes.

An agent makes one `DraftRunner` with what is its own (`DraftAdapter`): item model, words, a model function, a
commit, and what the disk says about a batch. Its handler calls `open` for new drafts and `hear` for every
further line of their owner, its spec's `expire` is the runner's. Whoever shows cards elsewhere registers
with `on_draft_batch_updated` (seed 4, 纠正应用与反馈; docs/drafts.md, Running a batch).
"""

from .adapter import CommitRefused, DraftAdapter, DraftWording
from .cards import CardListener, DraftCard, on_draft_batch_updated
from .runner import DraftRunner
from .snapshots import BATCH, batch_of, concerns

__all__ = [
    "BATCH",
    "CardListener",
    "CommitRefused",
    "DraftAdapter",
    "DraftCard",
    "DraftRunner",
    "DraftWording",
    "batch_of",
    "concerns",
    "on_draft_batch_updated",
]
