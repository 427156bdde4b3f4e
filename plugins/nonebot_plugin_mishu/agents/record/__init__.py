"""Agent 群记录: summaries of the group's talk, and search in it (docs/record.md)."""

from .agent import RecordAgent
from .facts import Withdrawn, fact_thing, not_withdrawn

__all__ = ["RecordAgent", "Withdrawn", "fact_thing", "not_withdrawn"]
