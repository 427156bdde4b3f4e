"""QQ's official bots: groups and friends by openids, passive answers first, buttons.

`reading`, `writing`, `reply_windows` and `refusals` are pure. Imported only where the adapter is registered.
"""

from ..platforms import PlatformNeeds, PlatformParts
from .events import QqEvents
from .rosters import QqRosters
from .speaking import QqPlatform

__all__ = ["QqPlatform", "qq_parts"]


def qq_parts(needs: PlatformNeeds) -> PlatformParts:
    """Everything of QQ's official bots."""
    platform = QqPlatform(needs.duties, needs.clock, needs.chance)
    return PlatformParts("QQ", platform, QqEvents(platform, needs.clock), QqRosters)
