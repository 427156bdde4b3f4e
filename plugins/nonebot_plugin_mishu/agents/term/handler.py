"""Handler of terms. What is said to be kept is on disk."""

from __future__ import annotations

from datetime import date
from typing import Final

from ...language.term.lines import term_line
from ...language.term.term import Term
from ...language.term.weeks import dated_line, weeks_in
from ...storage import Storage
from ...storage.records import Conversation
from ..api.dispatch import TaskDispatch, TaskResult
from ..api.spec import Undo
from ..api.task_context import TaskContext
from . import wording
from .answering import FIRST, WHY, told_in
from .telling import told_term

CODE: Final = "term"
SUMMARY: Final = "定学期第一周"


async def current_term(storage: Storage, place: Conversation, today: date) -> Term | None:
    """Term of a conversation, unless it is over. Raises `StorageError`."""
    kept = await storage.settings.term(place)
    term = None if kept is None else Term.kept(kept)
    return None if term is None or term.is_over(today) else term


class TermAgent:
    """Keeps the term of a group, or of a member in private, and says which week it is."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def handle(self, dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        """One task. Raises `StorageError`."""
        today = context.now.date()
        known = await current_term(self._storage, context.conversation, today)
        if context.intent == "first_week":
            return await self._first_week(dispatch, context, today)
        if context.intent == "no_week":
            other = any(each.other for each in weeks_in(context.text))
            said = wording.OTHER_TERM if known is None or other else wording.no_week(known, today)
            return TaskResult(dispatch.task_id, "canceled", user_response=said)
        line = term_line(context.text, context.now)
        if line is None:
            return TaskResult(dispatch.task_id, "canceled", user_response=wording.UNKNOWN)
        if not line.sets:
            if known is None:
                return TaskResult(dispatch.task_id, "completed", user_response=wording.UNKNOWN)
            if line.kind == "ask_dates" and line.week is not None:
                said = wording.dates_told(known, line.week, today)
            elif line.kind == "ask_left":
                said = wording.left_told(known, today)
            elif line.kind == "ask_term":
                said = wording.whole_term(known, today)
            else:
                said = wording.week_told(known, line.day or today, today)
            return TaskResult(dispatch.task_id, "completed", user_response=said)
        told = told_term(line, today, known)
        if told.term is None:
            said = wording.not_told(told.why, told.day, today)
            return TaskResult(dispatch.task_id, "canceled", user_response=said)
        said = await self._keep(context, told.term, known, today)
        return TaskResult(dispatch.task_id, "completed", user_response=said)

    async def undo(self, undo: Undo) -> str | None:
        """The term as it was before."""
        before = undo.token.get("before")
        await self._storage.settings.set_term(undo.conversation, None if before is None else str(before))
        return None

    async def _keep(self, context: TaskContext, term: Term, known: Term | None, today: date) -> str:
        before = await self._storage.settings.term(context.conversation)
        await self._storage.settings.set_term(context.conversation, term.as_kept())
        context.acted("set_term", {"first": term.first.isoformat(), "weeks": term.weeks}, None)
        context.undoable(SUMMARY, {"before": before})
        return wording.term_told(term, known, today)

    async def _first_week(self, dispatch: TaskDispatch, context: TaskContext, today: date) -> TaskResult:
        """Ask for the first week; with the answer the order that waited goes on."""
        if context.open is None or context.bound is None:
            return TaskResult(
                dispatch.task_id, "awaiting_user", {}, ("first",), user_response=wording.QUESTION
            )
        if context.bound.relation != "fills":
            return TaskResult(dispatch.task_id, "canceled", user_response=wording.DROPPED)
        kept = str(context.bound.slots.get(FIRST) or "")
        if not kept:
            line = told_in(context.clause)
            day = None if line is None else told_term(line, today, None).day
            said = wording.not_told(str(context.bound.slots.get(WHY)), day, today)
            return TaskResult(dispatch.task_id, "awaiting_user", {}, ("first",), user_response=said)
        term = Term.kept(kept)
        said = await self._keep(context, term, None, today)
        order = dated_line(context.open.text, term, today)
        if weeks_in(order):
            said = f"{said}\n{wording.no_week(term, today)}"
        else:
            context.anew = order
        return TaskResult(dispatch.task_id, "completed", user_response=said)
