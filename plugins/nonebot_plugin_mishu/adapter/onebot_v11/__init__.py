"""OneBot v11: reads its events into what the front desk understands, and speaks for it.

`reading` is pure; `speaking` calls the platform's API; `wiring` registers the one event preprocessor and
the one `on_message` with NoneBot.
"""

from .speaking import OneBotPlatform
from .wiring import Wiring, wire

__all__ = ["OneBotPlatform", "Wiring", "wire"]
