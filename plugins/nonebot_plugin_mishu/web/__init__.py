"""The HTTP API (`contracts.md`): read-only routes on the front desk and the Secretary, and their guard.

Importing this room needs no web framework. `app` does: import `web.app` only where the driver's
application is a FastAPI one, and mount it with `web.app.mount`. The same guard, `LocalOrToken`, stands
before the playground.
"""

from .backend import Backend, BackendUnavailable, Health, PresenceView
from .guard import LocalOrToken
from .schemas import decision_json, presence_json

__all__ = [
    "Backend",
    "BackendUnavailable",
    "Health",
    "LocalOrToken",
    "PresenceView",
    "decision_json",
    "presence_json",
]
