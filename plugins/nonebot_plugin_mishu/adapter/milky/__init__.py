"""Milky: reads its events into what the front desk understands, and speaks for it.

`reading` is pure; `speaking` calls the platform's API; `events` is what the wiring is told of an event. The
same platform as OneBot v11, with the same numbers: an event becomes fields as OneBot's has them, and what
they mean is read in one place.
"""

from ..platforms import PlatformNeeds, PlatformParts
from .events import MilkyEvents
from .rosters import MilkyRosters
from .speaking import MilkyPlatform

__all__ = ["MilkyPlatform", "milky_parts"]


def milky_parts(needs: PlatformNeeds) -> PlatformParts:
    """Everything of Milky."""
    platform = MilkyPlatform(needs.fold_length, duties=needs.duties)
    return PlatformParts("Milky", platform, MilkyEvents(), MilkyRosters)
