"""Which clauses are this agent's: what the language room routes to it (agents/routing)."""

from __future__ import annotations

from ..routing import SCHEDULE, rules_of

rules = rules_of(SCHEDULE)
