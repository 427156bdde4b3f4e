"""The handler of nudges: frames in, words out."""

from __future__ import annotations

from datetime import datetime

from ...language.clause import Mention
from ...language.following.nudges import EVERYBODY, NudgeOrder, order_of
from ...language.recognise.times import SEGMENT_BOUNDS, TimeExpression
from ..api.dispatch import TaskDispatch, TaskResult
from ..api.task_context import TaskContext
from . import wording
from .executor import NudgeExecutor, NudgeRefused, first_time
from .reader import NudgeFrame


class NudgeAgent:
    """Does what lines say of nudges."""

    def __init__(self, executor: NudgeExecutor) -> None:
        self._nudges = executor

    async def handle(self, dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        """One task. Raises `StorageError`."""
        frame = context.frame if isinstance(context.frame, NudgeFrame) else NudgeFrame()
        try:
            said = frame.nudge or _from_model(dispatch, context)
            if said.blind:
                raise NudgeRefused(wording.BLIND.format(order=said.blind))
            if said.no_clock and not said.stops:
                raise NudgeRefused(wording.no_clock(said))
            if said.shows:
                shown = await (self._show_mine if said.mine else self._show)(context)
                return TaskResult(dispatch.task_id, "completed", user_response=shown)
            if said.done:
                left = await self._nudges.waiting_for(context.conversation, context.actor)
                text = wording.DONE_TOLD + (wording.STILL_WAITING if left else "")
                return TaskResult(dispatch.task_id, "completed", user_response=text)
            if said.stops and (said.mine or not (said.people or said.named)):
                text = await self._stop_of(context, said)
                return TaskResult(dispatch.task_id, "completed", user_response=text)
            member = await self._last(context) if said.again else await self._whom(said, context)
            text = await (self._stop if said.stops else self._nudge)(context, said, member)
        except NudgeRefused as why:
            return TaskResult(dispatch.task_id, "canceled", user_response=why.text)
        return TaskResult(dispatch.task_id, "completed", user_response=text)

    async def _stop(self, context: TaskContext, said: NudgeOrder, member: Mention) -> str:
        stopped = await self._nudges.stop(context.conversation, context.actor, member)
        if stopped:
            context.acted("stop_nudges", {"member": member.name}, {})
        return (wording.STOPPED if stopped else wording.NONE_TO_STOP).format(name=member.name)

    async def _stop_of(self, context: TaskContext, said: NudgeOrder) -> str:
        """别催我了 stops what waits for the speaker; 别催了 also what they ordered themselves."""
        me = context.actor.user_id
        stopped = await self._nudges.stop_of(context.conversation, context.actor, ordered=not said.mine)
        if not stopped:
            return wording.NONE_OF_MINE if said.mine else wording.NONE_WAIT
        context.acted("stop_nudges", {"member": [_name_of(each, context) for each in stopped]}, {})
        others = [_name_of(each, context) for each in stopped if each != me]
        return wording.STOPPED.format(name="、".join(others)) if others else wording.STOPPED_MINE

    async def _show(self, context: TaskContext) -> str:
        rows = await self._nudges.waiting(context.conversation, context.actor)
        if not rows:
            return wording.NONE_WAIT
        named = [("、".join(_name_of(each, context) for each in row.user_ids), row) for row in rows]
        return wording.listed(named, context.now)

    async def _show_mine(self, context: TaskContext) -> str:
        """Who has the speaker nudged, and about what."""
        rows = await self._nudges.waiting_for(context.conversation, context.actor)
        if not rows:
            return wording.NONE_OF_MINE
        return wording.listed([("", row) for row in rows], context.now)

    async def _whom(self, said: NudgeOrder, context: TaskContext) -> Mention:
        """The one member who is meant; of everybody those are named whom the speaker has nudged already.
        Raises `NudgeRefused`."""
        if said.named == EVERYBODY and not said.title and context.conversation.is_group:
            rows = await self._nudges.waiting(context.conversation, context.actor)
            names = dict.fromkeys(_name_of(each, context) for row in rows for each in row.user_ids)
            if names:
                raise NudgeRefused(wording.SEVERAL.format(names="、".join(list(names)[:5])))
        return _whom(said, context)

    async def _last(self, context: TaskContext) -> Mention:
        """Whom the speaker nudged last. Raises `NudgeRefused` for nobody."""
        user_id = await self._nudges.last(context.conversation, context.actor)
        if user_id is None:
            raise NudgeRefused(wording.NONE_BEFORE)
        return Mention(user_id, _name_of(user_id, context))

    async def _nudge(self, context: TaskContext, said: NudgeOrder, member: Mention) -> str:
        at = None if said.when is None else _moment(said.when, context.now)
        if at is not None and said.rhythm is not None:
            at = first_time(said.rhythm, at, context.now)
        done = await self._nudges.nudge(
            context.conversation,
            context.actor,
            member,
            said.title,
            origin=context.origin,
            money=said.money,
            asks=said.asks,
            at=None if at is None else at.timestamp(),
            rule=said.rhythm,
        )
        context.acted("nudge", {"member": member.name, "what": said.title}, {"text": done.text})
        due = datetime.fromtimestamp(done.at, context.now.tzinfo)
        text = wording.promised(member.name, due, context.now, done.hours, done.rule)
        return f"{text}\n{wording.ONCE_A_DAY}" if done.slower else text


def _name_of(user_id: str, context: TaskContext) -> str:
    where = context.clause.situation
    if user_id == context.actor.user_id:
        return context.actor.name
    return next((one.name for one in (*where.mentions, *where.members) if one.user_id == user_id), "TA")


def _whom(said: NudgeOrder, context: TaskContext) -> Mention:
    if not context.conversation.is_group:
        raise NudgeRefused(wording.NOT_HERE)
    if len(said.people) == 1:
        return said.people[0]
    if said.people:
        raise NudgeRefused(wording.SEVERAL.format(names="、".join(each.name for each in said.people[:5])))
    if said.named == context.actor.name:
        return Mention(context.actor.user_id, context.actor.name)  # refused, in its words
    if said.named and said.named != EVERYBODY:
        if said.named in context.request.bot_names:
            raise NudgeRefused(wording.THE_BOT)
        raise NudgeRefused(wording.NOT_FOUND.format(name=said.named))
    raise NudgeRefused(wording.WHOM)


def _moment(found: TimeExpression, now: datetime) -> datetime | None:
    """Moment of a time; a day or a part of it begins at nine, or with the part."""
    if found.moment is not None:
        return found.moment
    begins = found.start
    if begins is None and found.segment not in (None, "all_day"):
        begins = SEGMENT_BOUNDS[found.segment][0]
    if begins is None and (found.date is None or found.date == now.date()):
        return None
    begins = begins or _MORNING
    return datetime.combine(found.date or now.date(), begins, now.tzinfo)


_MORNING = datetime(2000, 1, 1, 9).time()


def _from_model(dispatch: TaskDispatch, context: TaskContext) -> NudgeOrder:
    """What a model read. Raises `NudgeRefused` for a time that says no single moment."""
    if context.intent == "show":
        return NudgeOrder(shows=True)
    who, what, first, again = (
        str(dispatch.slots.get(name) or "") for name in ("member", "what", "time", "recurrence")
    )
    when = "" if first in again else first
    order = order_of(who, what, f"{again}{when}", context.clause.situation, stops=context.intent == "stop")
    if order is None:
        raise NudgeRefused(wording.WHEN)
    return order
