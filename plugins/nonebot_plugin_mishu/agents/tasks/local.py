"""Handler without a model: slots to tool calls, questions, answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from ...language.clause import Mention
from ...language.match import AnswerMatch
from ...language.names.quantities import is_quantity, recounted
from ...language.names.referents import another_part
from ...storage.tasks.records import TaskRecord
from ..api.builtin_codes import ACTS
from ..api.dispatch import TaskDispatch, TaskResult
from ..api.questions import BEGINS, begins_of
from ..api.task_context import TaskContext
from . import asking_back, words
from .frames import PART, POINTED, UNSURE, Change, Creation, Draft, TaskReference, order_in, reply_in, told
from .model.calls import Result
from .notes import (
    asked_again,
    asking,
    change_from,
    change_json,
    corrected,
    days_in,
    days_kept,
    days_note,
    draft_notes,
    draft_of,
    ended,
    given,
    joined,
    names_somebody,
    result_of,
    rewished,
    tells_of_draft,
    theirs,
    told_by,
    wish_in,
)
from .planning import assignees
from .planning.consequences import without_weekdays
from .planning.matching import matching, of_one_owner, pointed, several
from .planning.policy import TaskQuestion, asked_kind, settle
from .planning.remarks import remarked, unheard
from .planning.several import MORE, at_portion
from .planning.task_time import TaskTime, Wish
from .tools import TaskTools, task_thing

_DOING: Final = {"change": "改", "delete": "删", "finish": "完成"}
"""By act: what the question about a task asks (要删哪个？)."""
_NOT_DONE: Final = {"make": "不记了", "change": "没改", "delete": "没删"}
"""By act: what is said of one that was called off."""
ONE_TIME: Final = frozenset({"end", "am_pm", "evening", "which_day"})
"""Kinds of questions that one time answers."""
_MOST_HUMMED: Final = 2
"""Most requests for an explicit yes after 嗯嗯"""


class LocalRules:
    """Task handling by rules alone. State over a restart is in the frame's notes."""

    def __init__(self, tools: TaskTools) -> None:
        self.tools = tools

    async def handle(self, dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        """Handle a new order, or the answer to an open question."""
        if context.open is not None and asked_kind(context.open.slots):
            return await self._answered(dispatch, context)
        return await self.begin(dispatch, context)

    async def begin(self, dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        """A new order."""
        order = order_in(context.frame)
        if context.intent == "query_tasks":
            return ended(dispatch, await self.tools.query_tasks(context, order.query, order.whose))
        if context.intent == "create_task":
            return await self._new(dispatch, context, order.creation)
        return await self._find(dispatch, context, order.reference, order.change)

    # Orders about existing tasks.

    async def _find(
        self, dispatch: TaskDispatch, context: TaskContext, meant: TaskReference, wanted: Change
    ) -> TaskResult:
        shown = await self.tools.listed(context)
        open_tasks = await self.tools.visible(context)
        referred = [task for task in open_tasks if str(task.id) in context.refs]
        doing = _doing(context.intent)
        if context.every is False and len(referred) > 1:
            return await self._choose(dispatch, context, referred, wanted, f"要{doing}哪几个？")
        if referred and (context.every or meant.positions) and len(referred) == len(context.refs):
            return await self._carry_out(dispatch, context, [task.id for task in referred], wanted)
        if meant.positions:
            ids = [_at(shown, one) for one in meant.positions]
            if shown and all(one is not None for one in ids):
                picked = [one for one in ids if one is not None]
                return await self._carry_out(dispatch, context, picked, wanted)
            there = all(_at([task.id for task in open_tasks], one) is not None for one in meant.positions)
            if there and context.intent == "delete_task":  # the question before the deletion names it
                picked = [_at([task.id for task in open_tasks], one) for one in meant.positions]
                return await self._carry_out(dispatch, context, [one for one in picked if one], wanted)
            lacks = "" if there else "没有这个编号，"
            return await self._choose(dispatch, context, open_tasks, wanted, f"{lacks}要{doing}哪个？")
        if meant.this or meant.empty:
            if len(referred) == 1:
                return await self._carry_out(dispatch, context, [referred[0].id], wanted)
            if len(shown) == 1:
                return await self._carry_out(dispatch, context, shown, wanted)
            if len(open_tasks) == 1 and not meant.this:
                return await self._carry_out(dispatch, context, [open_tasks[0].id], wanted)
            return await self._choose(dispatch, context, open_tasks, wanted, f"要{doing}哪个任务？")
        mine = [task for task in open_tasks if task.owner == context.actor.user_id]
        others = [task for task in open_tasks if task.owner != context.actor.user_id]
        mentioned = {one.user_id for one in context.clause.situation.mentions}
        pools = (others, mine) if mentioned else (mine, others)
        theirs, found = of_one_owner(others, meant)
        if theirs:
            if len(found) != 1:
                opening = f"没找到「{meant.words[:30]}」，要{doing}哪个？" if not found else None
                return await self._choose(dispatch, context, found or theirs, wanted, opening)
            return await self._carry_out(dispatch, context, [found[0].id], wanted)
        parts = several(pools[0], meant)
        if parts:
            return await self._each(dispatch, context, parts, wanted)
        found: list[TaskRecord] = matching(pools[0], meant) or matching(pools[1], meant)
        if meant.finished:
            found = await self.tools.finished(context)
        elif not found and context.intent == "delete_task":
            found = matching(await self.tools.finished(context), meant)
        found = referred if len(found) != 1 and referred else found
        many = meant.everything or (not meant.words and meant.days is not None)
        if len(found) == 1 or (found and many and context.intent != "update_task"):
            return await self._carry_out(dispatch, context, [task.id for task in found], wanted)
        if found:
            return await self._choose(dispatch, context, found, wanted, None)
        theirs = await self.tools.of_others(context, meant) if meant.words else []
        if theirs:
            whose = words.of_others(theirs, doing)
            return result_of(dispatch, "canceled", whose)
        missing = _not_found(meant.words, meant) if meant.words else "没找到这样的任务"
        return await self._choose(dispatch, context, mine, wanted, f"{missing}，要{doing}哪个？")

    async def _each(
        self,
        dispatch: TaskDispatch,
        context: TaskContext,
        parts: Sequence[tuple[str, Sequence[TaskRecord]]],
        wanted: Change,
    ) -> TaskResult:
        """Several tasks named together: all of them, or a question."""
        ids = list(dict.fromkeys(found[0].id for _, found in parts if len(found) == 1))
        unclear = next(((name, found) for name, found in parts if len(found) != 1), None)
        if unclear is None and len(ids) == len(parts):
            return await self._carry_out(dispatch, context, ids, wanted)
        nothing: Sequence[TaskRecord] = ()
        name, several_of = unclear or ("、".join(name for name, _ in parts), nothing)
        known = [task for _, found in parts for task in found]
        what = (
            f"有好几个「{name[:30]}」" if several_of else _not_found(name, order_in(context.frame).reference)
        )
        opening = f"{what}，还没动，要{_DOING[ACTS['tasks'][context.intent]]}哪几个？"
        return await self._choose(dispatch, context, list(dict.fromkeys(known)), wanted, opening)

    async def _choose(
        self,
        dispatch: TaskDispatch,
        context: TaskContext,
        tasks: Sequence[TaskRecord],
        wanted: Change,
        opening: str | None,
    ) -> TaskResult:
        if not tasks:
            reply = (opening or "").split("，要")[0]
            none = "你在这里没有没做完的任务。"
            return result_of(dispatch, "canceled", f"{reply}。{none}" if reply.startswith("没") else none)
        some = list(tasks)[: words.LONGEST_LIST]
        listed = words.numbered(some, context.now, context.actor.user_id)
        question = words.choose_question(some, context.now, context.actor.user_id, _doing(context.intent))
        if opening is not None:
            question = f"{opening}\n{listed}"
        await self.tools.shown(context, [task.id for task in some])
        notes: dict[str, Any] = {
            "_ids": [task.id for task in some],
            "_titles": [task.title for task in some],
            BEGINS: begins_of([task_thing(task, context.clause.situation.zone) for task in some]),
            "_change": change_json(wanted),
            "_intent": context.intent,
        }
        return asking(dispatch, TaskQuestion("choose", "taskId", question), notes)

    async def _carry_out(
        self,
        dispatch: TaskDispatch,
        context: TaskContext,
        ids: Sequence[int],
        wanted: Change,
        *,
        confirmed: bool = False,
        allowed: frozenset[str] = frozenset(),
    ) -> TaskResult:
        notes: dict[str, Any] = {
            "_ids": list(ids),
            "_titles": None,
            "_change": change_json(wanted),
            "_allowed": sorted(allowed),
            "_intent": context.intent,
        }
        tasks = [await self.tools.reachable(context, one) for one in ids]
        known = [one for one in tasks if not isinstance(one, Result)]
        if wanted.title and is_quantity(wanted.title) and len(known) == 1:
            wanted = replace(wanted, title=recounted(known[0].title, wanted.title) or None)
            notes["_change"] = change_json(wanted)  # 改成三支, of 买两支花
        never = () if context.open or context.needs_yes else order_in(context.frame).weekdays_off
        if never and context.intent == "delete_task" and len(known) == 1 and known[0].fields.recurrence:
            less = without_weekdays(known[0].fields, never, context.clause.situation.zone)
            if less is not None:  # 周末不用: it continues on the other days
                return ended(dispatch, await self.tools.update_task(context, ids[0], Change(wish=less)))
        if context.ask_back and context.open is None and len(known) == len(ids):
            zone = context.clause.situation.zone
            back = asking_back.about_kept(context.intent, known, wanted, context.now, zone)
            timed = asking_back.time_of(known, wanted, zone) if not wanted.empty else {}
            if back is not None:
                return asking(dispatch, back, {**notes, **timed})
        if context.intent == "complete_task":
            return ended(dispatch, await self.tools.complete_task(context, ids))
        if context.intent == "delete_task":
            days = days_kept(context.open) if context.open else order_in(context.frame).days_off
            repeating = [one.id for one in known if days and one.fields.recurrence is not None]
            if repeating:
                left = [one for one in ids if one not in repeating]
                ask = asking_back.about_days(known, days, context.now)
                if ask is not None and not confirmed and (left or context.ask_back):
                    return asking(dispatch, ask, {**notes, **days_note(days)})
                made = [await self.tools.delete_task(context, left, confirmed=True)] if left else []
                made.append(await self.tools.skip_days(context, repeating, days))
                return ended(dispatch, joined(made))
            result = await self.tools.delete_task(context, ids, confirmed=confirmed)
            notes["_titles"] = [one.title for one in known]
            return asking(dispatch, result.ask, notes) if result.ask else ended(dispatch, result)
        if len(ids) != 1:
            return await self._all_alike(dispatch, context, ids, wanted, notes)
        meant = order_in(context.frame).reference.words if context.open is None else ""
        part = another_part(meant, known[0].title) if known and wanted.title and meant else ""
        if part:
            question = f"「{known[0].title}」的{part}我没有单独记，没改。能改时间、优先级和名字，要改什么？"
            return asking(dispatch, TaskQuestion("what", "title", question), notes)
        if wanted.empty:
            if isinstance(tasks[0], Result):
                return ended(dispatch, tasks[0])
            question = f"「{tasks[0].title}」能改时间、优先级和名字，要改成什么？"
            return asking(dispatch, TaskQuestion("what", "dueDate", question), notes)
        series = asking_back.about_series(known, wanted, one_day=order_in(context.frame).one_day)
        if series is not None and context.open is None and "series" not in allowed:
            return asking(dispatch, series, notes)
        result = unheard(await self.tools.update_task(context, ids[0], wanted, allowed=allowed), context)
        if result.ask is None:
            return ended(dispatch, result)
        kept = asking_back.time_of(known, wanted, context.clause.situation.zone) or {
            "_time": wanted.wish.as_json()
        }
        return asking(dispatch, result.ask, {**notes, **kept})

    async def _all_alike(
        self,
        dispatch: TaskDispatch,
        context: TaskContext,
        ids: Sequence[int],
        wanted: Change,
        notes: Mapping[str, Any],
    ) -> TaskResult:
        """Same change of several tasks; names and notes are changed singly."""
        if wanted.title or wanted.description or wanted.handing or wanted.empty:
            return result_of(dispatch, "canceled", "名字、备注和交给谁一次改一个，分开说吧。")
        result = await self.tools.update_all(context, ids, wanted)
        if result.ask is None:
            return ended(dispatch, result)
        return asking(dispatch, result.ask, {**notes, "_time": wanted.wish.as_json()})

    # New tasks.

    async def _new(self, dispatch: TaskDispatch, context: TaskContext, order: Creation) -> TaskResult:
        """New task of the speaker or of an @-ed or named member; an unclear assignee is asked first."""
        if order.items and order.person is None:
            return ended(dispatch, await self.tools.create_all(context, order.items))
        notes, draft, person = {MORE: [dict(one) for one in order.more]}, order.draft, order.person
        if person is None:
            new = told_by(told(draft, dispatch.slots), context)
            return await self._create(dispatch, context, new, notes)
        me = Mention(context.actor.user_id, context.actor.name)
        if assignees.is_speaker(person, me):
            return await self._create(dispatch, context, draft, notes)
        if person.member is not None and (person.others or person.speaker_too):
            people = (*((me,) if person.speaker_too else ()), person.member, *person.others)
            return await self._for_each_of(dispatch, context, draft, people)
        if person.member is not None:
            return await self._create(dispatch, context, given(draft, person.member, me.name), notes)
        person = assignees.meant(person, context.clause.situation.members)
        ask = assignees.asked_whom(person)
        assert ask is not None
        title = assignees.own_title(person, draft.title)
        waiting = {**draft_notes(draft, frozenset()), **notes, **assignees.kept(person, title)}
        return asking(dispatch, ask, {**waiting, "_intent": "create_task"})

    async def _for_each_of(
        self, dispatch: TaskDispatch, context: TaskContext, draft: Draft, people: Sequence[Mention]
    ) -> TaskResult:
        """Same task for each of several members; if something must be asked, no more are made."""
        if context.ask_back or context.needs_yes:
            return result_of(dispatch, "canceled", assignees.SEVERAL_ASKED)
        made: list[Result] = []
        for serial, member in enumerate(people):
            mine = member.user_id == context.actor.user_id
            own = draft if mine else given(draft, member, context.actor.name)
            result = await self.tools.create_task(context, own, allowed=frozenset(), serial=serial)
            if result.ask is not None:
                await self.tools.as_one_order(context, made)
                said = (
                    assignees.SEVERAL_ASKED if not made else f"给{member.name}的没有记：{result.ask.question}"
                )
                return result_of(dispatch, "completed", "\n".join([*(one.said for one in made), said]))
            made.append(result)
        await self.tools.as_one_order(context, made)
        order = order_in(context.frame).creation if context.open is None else None
        return ended(dispatch, remarked(joined(made), order, context))

    async def _create(
        self, dispatch: TaskDispatch, context: TaskContext, draft: Draft, notes: Mapping[str, Any]
    ) -> TaskResult:
        order = order_in(context.frame).creation if context.open is None else None
        if order is not None and order.crowd and draft.assignee is None:
            return result_of(dispatch, "canceled", "一次只能交给一个人，分开说吧。")
        allowed = frozenset(cast("list[str]", notes.get("_allowed") or []))
        serial = int(notes.get("_made") or 0)
        if not draft.title and draft.wish.empty and not draft.wish.reminded:
            asked_for = {**draft_notes(draft, allowed), "_intent": "create_task"}
            return asking(dispatch, TaskQuestion("title", "title", words.NO_TITLE), asked_for)
        if order is not None and order.unwatched is not None and draft.title:
            whom = draft.assignee_name or "你"
            said = words.UNWATCHED[order.unwatched].format(whom=whom, title=draft.title)
            notes = {**draft_notes(draft, allowed), "_intent": "create_task"}
            return asking(dispatch, TaskQuestion("remind", "remindAt", said), notes)
        if context.ask_back and order is not None:
            zone = context.clause.situation.zone
            ask = asking_back.about_new(order, draft, context.now, zone, needs_yes=context.needs_yes)
            if ask is not None:
                kept = {**draft_notes(draft, allowed), MORE: notes.get(MORE)}
                return asking(dispatch, ask, {**kept, "_intent": "create_task"})
        more = cast("list[dict[str, Any]]", notes.get(MORE) or [])
        made: list[Result] = []
        for at, other in enumerate(({}, *more)):
            if other:
                draft = told_by(at_portion(draft, other, context.clause.situation.zone), context)
                allowed = frozenset[str]()
            result = await self.tools.create_task(context, draft, allowed=allowed, serial=serial + at)
            made.append(result)
            if result.ask is not None:
                await self.tools.as_one_order(context, made)
                ask = replace(result.ask, question=joined(made).said)
                kept = {**draft_notes(draft, allowed), MORE: more[at:], "_made": serial + at}
                return asking(dispatch, ask, {**kept, "_intent": "create_task"})
        await self.tools.as_one_order(context, made)
        return ended(dispatch, remarked(joined(made), order, context))

    # Answers.

    async def _answered(self, dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        assert context.open is not None
        frame = context.open
        notes: dict[str, Any] = {**dispatch.slots, **frame.slots}
        context.intent = str(notes.get("_intent") or context.intent)
        bound = reply_in(context.frame).bound or context.bound
        if bound is None:
            context.passed_on = True
            return TaskResult(dispatch.task_id, "awaiting_user", {}, tuple(frame.missing_slots))
        if bound.relation == "cancel":
            made = str(notes.get("title") or "") if context.intent == "create_task" else ""
            return result_of(dispatch, "canceled", _called_off(context.intent, made))
        if asked_kind(notes) == "free":
            return await self.begin(dispatch, context)
        if context.intent == "create_task":
            return await self._create_answered(dispatch, context, notes, bound)
        return await self._order_answered(dispatch, context, notes, bound)

    async def _create_answered(
        self, dispatch: TaskDispatch, context: TaskContext, notes: dict[str, Any], bound: AnswerMatch
    ) -> TaskResult:
        kind = asked_kind(notes)
        zone = context.clause.situation.zone
        draft = draft_of(notes, context)
        allowed = set(cast("list[str]", notes.get("_allowed") or []))
        if kind == "whom" and bound.relation == "deny":
            return result_of(dispatch, "canceled", _called_off(context.intent, draft.title))
        if kind == "whom" and not names_somebody(bound):
            return self._corrected(dispatch, context, notes, bound)
        if kind == "whom":
            draft = theirs(draft, notes, bound, context)
            return await self._create(dispatch, context, draft, notes)
        if bound.relation == "deny":
            if kind in ("conflict", "duplicate", "meant"):
                return result_of(dispatch, "canceled", f"好，不记「{draft.title}」了。")
            again = TaskQuestion("past", "dueDate", "那什么时候？")
            return asking(dispatch, again, draft_notes(draft, frozenset(allowed)))
        if bound.relation == "confirm":
            if kind in ("conflict", "duplicate"):
                allowed.add(kind)
            elif notes.get("_offer"):
                draft = replace(draft, wish=Wish.from_json(notes["_offer"], zone))
        else:
            new = corrected(draft, bound, context)
            if new.wish == draft.wish and not tells_of_draft(bound):
                return asked_again(dispatch, context, notes)  # the answer names no part of this task
            draft = new
            allowed.clear()
        if MORE in bound.slots:
            if kind in ONE_TIME:
                return asked_again(dispatch, context, notes, words.ONE_TIME)
            notes = {**notes, MORE: bound.slots[MORE]}
        return await self._create(dispatch, context, draft, {**notes, "_allowed": sorted(allowed)})

    def _corrected(
        self, dispatch: TaskDispatch, context: TaskContext, notes: dict[str, Any], bound: AnswerMatch
    ) -> TaskResult:
        """Draft with a correction; the question of the assignee stays open."""
        old = draft_of(notes, context)
        draft = corrected(old, bound, context)
        when = settle(draft.wish, context.now, context.clause.situation.zone)
        said = ""
        if draft.wish != old.wish and isinstance(when, TaskTime):
            said = words.NOW_AT.format(when=words.say_when(when, context.now.date()))
        kept = draft_notes(draft, frozenset(cast("list[str]", notes.get("_allowed") or [])))
        return asked_again(dispatch, context, {**notes, **kept}, said)

    async def _ask_to_delete(
        self, dispatch: TaskDispatch, context: TaskContext, ids: Sequence[int], notes: Mapping[str, Any]
    ) -> TaskResult:
        """Question before a deletion selected by part of a name."""
        found = [await self.tools.reachable(context, one) for one in ids]
        tasks = [one for one in found if not isinstance(one, Result)]
        question = words.delete_question(tasks, context.now, context.actor.user_id)
        ask = TaskQuestion("delete", "taskId", question)
        titles = [one.title for one in tasks]
        return asking(dispatch, ask, {**notes, "_ids": list(ids), "_titles": titles})

    async def _less(
        self,
        dispatch: TaskDispatch,
        context: TaskContext,
        ids: Sequence[int],
        wanted: Change,
        notes: Mapping[str, Any],
        bound: AnswerMatch,
    ) -> TaskResult:
        """Narrowed answer: some occurrences (就明天这一次) or another task (删后面那个). The new task is
        asked about, or a choice is asked."""
        found = [await self.tools.reachable(context, one) for one in ids]
        asked = [one for one in found if not isinstance(one, Result)]
        days = days_in(bound)
        repeating = [one.id for one in asked if one.fields.recurrence is not None]
        if days and repeating:
            return ended(dispatch, await self.tools.skip_days(context, repeating, days))
        names = {one.title for one in asked}
        open_tasks = await self.tools.visible(context)
        like = asked if len(asked) > 1 else [one for one in open_tasks if one.title in names]
        chosen = pointed(like, [one.id for one in asked], bound)
        denied = [one.id for one in asked] == [one.id for one in chosen]
        if len(chosen) == 1 and not denied:
            return await self._ask_to_delete(dispatch, context, [chosen[0].id], notes)
        others = [one for one in pointed(open_tasks, [], bound) if one not in asked] if days else []
        if len(others) == 1 and not chosen:  # 周三那个取消吧, of none that is asked about
            return await self._ask_to_delete(dispatch, context, [others[0].id], notes)
        like = others if others and not chosen else like
        if len(like) > 1:
            return await self._choose(dispatch, context, like, wanted, "好，先不删。要删哪个？")
        return result_of(dispatch, "canceled", words.KEPT_WHICH)

    async def _order_answered(
        self, dispatch: TaskDispatch, context: TaskContext, notes: dict[str, Any], bound: AnswerMatch
    ) -> TaskResult:
        kind = asked_kind(notes)
        zone = context.clause.situation.zone
        if MORE in bound.slots:
            return asked_again(dispatch, context, notes, words.ONE_TIME)
        ids = cast("list[int]", notes.get("_ids") or [])
        wanted = change_from(notes.get("_change") or {}, context)
        allowed = set(cast("list[str]", notes.get("_allowed") or []))
        if kind == "choose":
            if bound.relation == "deny":
                return result_of(dispatch, "canceled", _called_off(context.intent))
            numbers = cast("list[int]", bound.slots.get("_picked") or [])
            timed = rewished(wanted, bound, context)
            if not numbers and (bound.relation == "corrects" or timed != wanted):
                wanted = timed  # 改成九点, while the choice is open
                return asked_again(dispatch, context, {**notes, "_change": change_json(wanted)})
            if not numbers or any(one > len(ids) for one in numbers):
                ask = TaskQuestion("choose", "taskId", f"没有这个编号，说1到{len(ids)}里的一个吧。")
                return asking(dispatch, ask, notes)
            picked = [ids[one - 1] for one in numbers]
            if bound.slots.get(PART) and context.intent == "delete_task":
                return await self._ask_to_delete(dispatch, context, picked, notes)
            return await self._carry_out(dispatch, context, picked, wanted)
        if bound.slots.get(UNSURE):
            heard = int(notes.get("_hummed") or 0) + 1
            if heard > _MOST_HUMMED:
                return result_of(dispatch, "canceled", words.NO_ANSWER)
            return asking(
                dispatch, TaskQuestion("delete", "taskId", words.SAY_YES), {**notes, "_hummed": heard}
            )
        numbers = cast("list[int]", bound.slots.get("_picked") or [])
        if kind == "delete" and numbers:
            return await self._ask_to_delete(dispatch, context, [ids[one - 1] for one in numbers], notes)
        if kind == "delete" and POINTED in bound.slots:
            return await self._less(dispatch, context, ids, wanted, notes, bound)
        if kind == "delete":
            if bound.relation != "confirm":
                return result_of(dispatch, "canceled", "好，没删。")
            return await self._carry_out(dispatch, context, ids, wanted, confirmed=True)
        if bound.relation == "deny":
            if kind in ("conflict", "series", "meant"):
                return result_of(dispatch, "canceled", _called_off(context.intent))
            ask = TaskQuestion("past", "dueDate", "那改到什么时候？")
            return asking(dispatch, ask, notes)
        if bound.relation == "confirm":
            if kind in ("conflict", "series"):
                allowed.add(kind)
            elif notes.get("_offer"):
                wanted = replace(wanted, wish=Wish.from_json(notes["_offer"], zone), shift=None)
        elif kind == "what":
            wanted = order_in(context.frame).change
        else:
            current = Wish.from_json(notes.get("_time") or {}, zone)
            wish = wish_in(bound, current, context)
            if wish == current and bound.relation == "corrects" and "_time" not in bound.slots:
                return asked_again(dispatch, context, notes)
            wanted = replace(wanted, wish=wish, shift=None)
            allowed.clear()
        return await self._carry_out(dispatch, context, ids, wanted, allowed=frozenset(allowed))


def _not_found(name: str, meant: TaskReference) -> str:
    """Reply for a name not found; a fragment is not quoted as a name."""
    return f"没找到「{name[:30]}」" if meant.nameable else "没听懂说的是哪个"


def _at(shown: Sequence[int], position: int) -> int | None:
    index = len(shown) - 1 if position == -1 else position - 1
    return shown[index] if 0 <= index < len(shown) else None


def _doing(intent: str) -> str:
    return _DOING[ACTS["tasks"][intent]]


def _called_off(intent: str, title: str = "") -> str:
    named = f"「{title}」" if title else ""
    return f"好，{_NOT_DONE.get(ACTS['tasks'][intent], '不动它了')}{named}。"
