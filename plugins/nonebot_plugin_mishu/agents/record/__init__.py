"""The agent 群记录: what was said in the group, told and found again (docs/record.md)."""

from .agent import RecordAgent

__all__ = ["RecordAgent"]
