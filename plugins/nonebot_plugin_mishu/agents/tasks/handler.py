"""The handler: rules where they are sure or nothing else is there, the model's loop where they are not."""

from __future__ import annotations

from ...config import Tasks as TasksConfig
from ...llm import ModelClient, ModelError
from ...storage import Storage
from ..dispatch import TaskDispatch, TaskResult
from ..errand import Errand
from ..lately import Lately
from .frames import reply_in
from .local import LocalRules
from .loop import ModelLoop
from .tools import TaskTools


class TasksAgent:
    """Does what a member wants of their tasks."""

    def __init__(self, storage: Storage, model: ModelClient, config: TasksConfig, lately: Lately) -> None:
        self.tools = TaskTools(storage, lately)
        self.rules = LocalRules(self.tools)
        self._model = model
        self._loop = ModelLoop(self.tools, model, config.max_rounds)

    async def handle(self, dispatch: TaskDispatch, errand: Errand) -> TaskResult:
        """The agent's handler. Raises `StorageError`: then nothing was done, and nothing is claimed."""
        if not self._asks_model(errand):
            return await self.rules.handle(dispatch, errand)
        try:
            return await self._loop.run(dispatch, errand)
        except ModelError:
            # Nothing was written: a loop that wrote answers for itself.
            return await self.rules.handle(dispatch, errand)

    def _asks_model(self, errand: Errand) -> bool:
        if not self._model.online:
            return False
        if errand.open is not None and errand.open.slots.get("_ask"):
            bound = reply_in(errand.frame).bound
            if errand.open.slots["_ask"] == "free":
                return bound is None or bound.relation != "cancel"
            return bound is None and errand.bound is None and not errand.sure
        # Where the one call that read the line was of no use, the rules ask back: no further call is made.
        return not (errand.sure or errand.ask_back or _several(errand))


def _several(errand: Errand) -> bool:
    """Whether a model named several tasks for a line that says one: the rules ask which."""
    return len(errand.refs) > 1 and errand.intent in ("update_task", "delete_task", "complete_task")
