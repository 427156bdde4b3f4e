"""Clauses routed to this agent by the language room (agents/routing)."""

from __future__ import annotations

from ..routing import TASKS, rules_of

rules = rules_of(TASKS)
