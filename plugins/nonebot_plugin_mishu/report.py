"""The error log, as whoever meets an error sees it. Any module may import this one."""

from __future__ import annotations

from typing import Protocol


class Report(Protocol):
    """Tells the owner of an error that was survived (`error_log.log_error`)."""

    def __call__(self, what: str, error: BaseException, /) -> None:
        """`what`: a short Chinese sentence of what failed (决策没有存下)."""
        ...
