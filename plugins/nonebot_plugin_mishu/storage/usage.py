"""Model calls, for usage and budgets."""

from __future__ import annotations

from .records import Conversation, ModelCall, Usage


class UsageLog:
    """Every call of a model."""

    def record(self, call: ModelCall) -> None:
        """Queue a call, like `Ledger.append`; never blocks."""
        raise NotImplementedError

    async def today(self, since: float, conversation: Conversation | None = None) -> Usage:
        """Calls and tokens since `since` (seconds), of one conversation or of all."""
        raise NotImplementedError
