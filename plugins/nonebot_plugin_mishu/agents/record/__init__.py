"""The agent 群记录: what was said in the group, told and found again (docs/record.md)."""

from .agent import RecordAgent
from .facts import Withdrawn, fact_thing, not_withdrawn

__all__ = ["RecordAgent", "Withdrawn", "fact_thing", "not_withdrawn"]
