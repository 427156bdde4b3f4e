"""The one gateway to language models, over the `openai` package (contracts.md, Model calls; product 10, 11).

`ModelClient` asks; every failure is a `ModelError` of one kind; a `Deadline` bounds queueing and all
attempts together; a `CallLog` gathers what one piece of work asked. Importing this room imports no client
library: that happens on the first call, or in `ModelClient.warm`. `docs/models.md` has the tables.
"""

from .calls import CallLog
from .client import ModelClient
from .deadline import Deadline
from .errors import OWN, ErrorKind, ModelError
from .limits.prices import Cost, Price, cost, cost_of, used
from .limits.tokens import estimate_tokens
from .messages import ChatMessage, ModelRole, RejectedCall, Tool, ToolCall, ToolTurn
from .simulator import ModelSimulator, PracticeMode

__all__ = [
    "OWN",
    "CallLog",
    "ChatMessage",
    "Cost",
    "Deadline",
    "ErrorKind",
    "ModelClient",
    "ModelError",
    "ModelRole",
    "ModelSimulator",
    "PracticeMode",
    "Price",
    "RejectedCall",
    "Tool",
    "ToolCall",
    "ToolTurn",
    "cost",
    "cost_of",
    "estimate_tokens",
    "used",
]
