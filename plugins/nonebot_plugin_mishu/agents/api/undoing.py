"""撤销: the member's last change, ours or one of another plugin's agent, is taken back; 恢复 behind it makes
it again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from ...report import Report
from ...storage.journal.queries import AgentChange, CannotUndo, Changes
from .spec import Undo
from .task_context import TaskContext

UndoOf = Callable[[str], Callable[[Undo], Awaitable[str | None]] | None]
"""The hook of the agent with a code; None where it has none, or is not there."""
NO_AGENT: Final = "「{summary}」撤销不了：办它的插件现在不在。"
FAILED: Final = "「{summary}」没撤销成，办它的那边出了点问题，过会儿再说一次。"


@dataclass(frozen=True, slots=True)
class RevertedChange:
    """A change that was undone, by the number of its note."""

    change_id: int
    summary: str


def no_agent(code: str) -> None:
    """There are no agents of other plugins."""
    return


@dataclass(frozen=True, slots=True)
class Undoing:
    """Takes back what was done last. `report` tells the log of an error in an agent's hook."""

    changes: Changes
    wall: Callable[[], float]
    undo_of: UndoOf = no_agent
    report: Report = lambda what, error: None

    async def undo(self, context: TaskContext) -> RevertedChange | None:
        """Undo the speaker's last change; None where there is none.

        Raises:
            CannotUndo: it cannot be undone; the text is a Chinese sentence that says why.
            StorageError: it did not happen.
        """
        where, user_id, now = context.conversation, context.actor.user_id, self.wall()
        again = await self.changes.undone_by(where, user_id, context.origin)
        if again is not None:
            return RevertedChange(again.change_id, again.summary)
        theirs = await self.changes.last_of_agent(where, user_id, now)
        if theirs is None:
            own = await self.changes.undo(where, user_id, now, origin=context.origin)
            return None if own is None else RevertedChange(own.change_id, own.summary)
        refused = await self._by_agent(theirs, context)
        if refused is not None:
            raise CannotUndo(refused)
        await self.changes.close_of_agent(theirs.change_id, now, context.origin)
        return RevertedChange(theirs.change_id, theirs.summary)

    async def redo(self, context: TaskContext) -> RevertedChange | None:
        """Make the speaker's last change again that was undone; None where there is none, or something was
        done since.

        Raises:
            CannotUndo: it cannot be made again; the text is a Chinese sentence that says why.
            StorageError: it did not happen.
        """
        where, user_id = context.conversation, context.actor.user_id
        made = await self.changes.redo(where, user_id, self.wall(), origin=context.origin)
        return None if made is None else RevertedChange(made.change_id, made.summary)

    async def _by_agent(self, change: AgentChange, context: TaskContext) -> str | None:
        hook = self.undo_of(change.agent_code)
        if hook is None:
            return NO_AGENT.format(summary=change.summary)
        try:
            return await hook(Undo(context.conversation, context.actor.user_id, change.summary, change.token))
        except Exception as error:  # noqa: BLE001 - an agent of anybody's; its change stands as it was
            self.report(f"智能体 {change.agent_code} 的 undo 出错", error)
            return FAILED.format(summary=change.summary)
