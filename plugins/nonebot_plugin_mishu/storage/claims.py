"""Claims: a reply is claimed in the database before it is sent (product section 2, Once)."""

from __future__ import annotations

from collections.abc import Iterable


class Claims:
    """Who answers which message. One claim per `(self_id, message_id)` over all processes, for good."""

    async def claim(self, self_id: str, message_ids: Iterable[str]) -> set[str]:
        """Claim messages; those that are newly ours. The others were claimed before, by anybody."""
        raise NotImplementedError

    async def sent(self, self_id: str, message_ids: Iterable[str], sent_message_id: str) -> None:
        """Note which message of ours answered the claimed ones."""
        raise NotImplementedError

    async def is_claimed(self, self_id: str, message_id: str) -> bool:
        """Whether anybody claimed this message."""
        raise NotImplementedError
