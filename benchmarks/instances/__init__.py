"""Base of benchmarks of whole processes: instances to start, QQ to play, a model to script.

`process` starts an instance and reads the operating system's accounting of it; `account` is the OneBot v11
side of a WebSocket; `chatter` makes the messages; `model` is an OpenAI-compatible endpoint that answers
after a fixed time. `bare` and `shared` are programs: NoneBot with one silent matcher, and an instance with
many foreign matchers. Nothing here is a benchmark itself.
"""

from .account import Account
from .chatter import BUSY, QUIET, Chatter, Pace
from .model import ScriptedModel
from .process import Instance, machine

__all__ = ["BUSY", "QUIET", "Account", "Chatter", "Instance", "Pace", "ScriptedModel", "machine"]
