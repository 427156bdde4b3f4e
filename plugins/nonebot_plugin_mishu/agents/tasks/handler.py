"""Task handler: by rules if they are sure or no model is online, else by the model's loop."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ...config import TasksConfig as TasksConfig
from ...llm import ModelClient, ModelError
from ...storage import Storage
from ...storage.records import FrameRecord
from ..api.builtin_codes import intents_that
from ..api.dispatch import TaskDispatch, TaskResult
from ..api.ports import DayList
from ..api.references import ListedReferences
from ..api.task_context import TaskContext
from .frames import reply_in
from .local import LocalRules
from .model.loop import ModelLoop
from .planning.policy import asked_kind
from .planning.unended import WAITS, ZONE, OpenEnds
from .tools import TaskTools


class TasksAgent:
    """Task agent's handler."""

    def __init__(
        self,
        storage: Storage,
        model: ModelClient,
        config: TasksConfig,
        lately: ListedReferences,
        group_plans: DayList | None = None,
        *,
        reads: Collection[str],
    ) -> None:
        """`reads`: the intents that only read."""
        self.tools = TaskTools(storage, lately, group_plans)
        self.rules = LocalRules(self.tools)
        self.ends = OpenEnds(storage)
        self._model = model
        self._loop = ModelLoop(self.tools, model, config.max_rounds, reads)

    async def handle(self, dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        """Handle one dispatch. Raises `StorageError`: then nothing was written, and nothing is claimed."""
        result = await self._handle(dispatch, context)
        if result.status != "awaiting_user" or asked_kind(result.slots_update) != "end":
            return result
        context.keep_until = context.request.now + WAITS
        situation, actor = context.clause.situation, context.actor
        notes = {ZONE: situation.zone.key, "_asker": actor.name, "_reminders": context.reminders}
        return replace(result, slots_update={**result.slots_update, **notes})

    async def expire(self, frame: FrameRecord) -> str | None:
        """Expiry of a question: a task that lacks only its end is saved without one."""
        return await self.ends.expire(frame)

    async def _handle(self, dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        if not self._asks_model(context):
            return await self.rules.handle(dispatch, context)
        try:
            return await self._loop.run(dispatch, context)
        except ModelError:
            # Nothing was written: the loop itself answers once it has written.
            return await self.rules.handle(dispatch, context)

    def _asks_model(self, context: TaskContext) -> bool:
        if not self._model.online:
            return False
        if context.open is not None and asked_kind(context.open.slots):
            bound = reply_in(context.frame).bound
            if asked_kind(context.open.slots) == "free":
                return bound is None or bound.relation != "cancel"
            return bound is None and context.bound is None and not context.sure
        # If the model call that read the line gave nothing, the rules ask back: no further call.
        return not (context.sure or context.ask_back or _several(context))


def _several(context: TaskContext) -> bool:
    """True if a model named several tasks for a line about one: the rules ask which."""
    return len(context.refs) > 1 and context.intent in intents_that("change", "delete", "finish")
