"""OneBot v11: reads its events into what the front desk understands, and speaks for it.

`reading` is pure; `speaking` calls the platform's API; `events` is what the wiring is told of an event.
"""

from ..platforms import PlatformNeeds, PlatformParts
from .events import OneBotEvents
from .rosters import OneBotRosters
from .speaking import OneBotPlatform

__all__ = ["OneBotPlatform", "onebot_parts"]


def onebot_parts(needs: PlatformNeeds) -> PlatformParts:
    """Everything of OneBot v11."""
    platform = OneBotPlatform(needs.fold_length, duties=needs.duties)
    return PlatformParts("OneBot V11", platform, OneBotEvents(), OneBotRosters)
