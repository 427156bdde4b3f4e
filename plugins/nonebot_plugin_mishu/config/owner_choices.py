"""Owner choices made on the pages, over the configuration: enabled groups, tokens a day.

Kept by `storage.groups.owner_choices`, read when the plugin starts. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

DAILY: Final = "daily_tokens"
GROUP_DAILY: Final = "group_daily_tokens"
_GROUP: Final = "group:"


class Chosen:
    """The choices in force. What was not chosen follows the configuration."""

    def __init__(self) -> None:
        self._by_name: dict[str, Any] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Chosen) and other._by_name == self._by_name

    __hash__ = None  # pyright: ignore[reportAssignmentType] - what changes is no key

    def take(self, kept: Mapping[str, Any]) -> None:
        """Let these hold, besides what was chosen before; None: as configured again."""
        self._by_name.update(kept)

    def group(self, group_id: str) -> bool | None:
        """Owner's on/off choice for a group; None if not chosen."""
        found = self._by_name.get(group_name(group_id))
        return found if isinstance(found, bool) else None

    def limit(self, name: str, configured: int) -> int:
        """A limit of tokens a day (`DAILY`, `GROUP_DAILY`), 0 for none."""
        found = self._by_name.get(name)
        return configured if found is None or isinstance(found, bool) else int(found)


def group_name(group_id: str) -> str:
    """Under which name the choice of a group is kept."""
    return f"{_GROUP}{group_id}"
