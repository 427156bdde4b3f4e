"""The HTTP API (`contracts.md`): routes on the front desk, the secretary and the agents, and their guard.

Importing this room needs no web framework. `mounting` does: import it only where the driver's
application is a FastAPI one; it builds `app` at the first request. The same guard, `LocalOrToken`, stands
before the playground.
"""

from .backend import Backend, BackendUnavailable, DayOfUsage, Health, HttpAnswer, PresenceView
from .layers.guard import LocalOrToken
from .routes.measures import Measures
from .schemas import decision_json, presence_json

__all__ = [
    "Backend",
    "BackendUnavailable",
    "DayOfUsage",
    "Health",
    "HttpAnswer",
    "LocalOrToken",
    "Measures",
    "PresenceView",
    "decision_json",
    "presence_json",
]
