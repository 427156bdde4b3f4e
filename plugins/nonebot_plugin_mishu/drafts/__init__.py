"""Drafts: the one confirmation mechanism (product section 7), pure."""

from .grammar import Kind, Order
from .triage import Triage, triage

__all__ = ["Kind", "Order", "Triage", "triage"]
