"""Handler of the schedule agent: a line goes through the machine, its calls and questions.

Stages of a waiting task: candidates for a yes (`confirming`), a missing or ambiguous value (`filling`), a
numbered list (`choosing`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from ...config import Config
from ...language.clause import KeptThing
from ...language.schedule_phrases import Attendance
from ...llm import ModelClient
from ...storage import Storage
from ...storage.records import FrameRecord
from ...storage.schedules.queries import Outdated
from ...storage.schedules.records import ScheduleRecord
from ..api.dispatch import TaskDispatch, TaskResult
from ..api.frame import GUESSED
from ..api.ports import DayList, TalkLookup
from ..api.questions import BEGINS, begins_of
from ..api.references import ListedReferences
from ..api.task_context import TaskContext
from ..drafting import BATCH, DraftRunner
from . import asking_back, words
from .attending import attend, attend_once, meant, occasion_of
from .candidates import explicit, single
from .candidates.candidate import Candidate, Problem, loaded, usable
from .candidates.confirming import Confirming, plain
from .candidates.machine import Extracted, TalkState, step
from .candidates.operations import AskedBack
from .executor import ExecutedOperation, ScheduleExecutor, may_change
from .frames import (
    CHOOSING,
    CONFIRMING,
    FILLING,
    OFFERING,
    STAGE,
    ReplyFrame,
    ScheduleFrame,
    order_in,
    reply_in,
)
from .free import wording
from .free.answering import CLOSED, INVITES, FreeTime, picked_candidate
from .free.sources import BusyTimes
from .model.calls import Calls
from .model.extracting import extracted, read_whole, with_place, words_of
from .search import find, nearer, referred, schedule_thing
from .slot_times import placed, retimed
from .watching import Watching

ASK_AGAIN: Final = 600.0
"""Seconds between two questions to a speaker about overheard lines"""
_REMEMBERED: Final = 5000


class ScheduleAgent:
    """Handler and expiry of the schedule agent."""

    def __init__(
        self,
        storage: Storage,
        model: ModelClient,
        config: Config,
        wall: Callable[[], float],
        lately: ListedReferences,
        own_tasks: DayList | None = None,
        talk: TalkLookup | None = None,
        free: FreeTime | None = None,
    ) -> None:
        self._free = free or FreeTime(storage, BusyTimes(storage))
        self._lately = lately
        self._own_tasks = own_tasks
        self._talk = talk
        self._storage = storage
        self._timeout = config.llm.decide_timeout
        self._calls = Calls(model, self._timeout)
        self._deeds = ScheduleExecutor(storage, self._calls, config.schedule.remind_before)
        self._watching = Watching()
        self._confirming = Confirming(
            storage,
            self._calls,
            self._deeds,
            self._watching,
            lately,
            timeout=config.schedule.confirm_timeout,
            call_timeout=self._timeout,
            wall=wall,
        )
        self._runner: DraftRunner[Candidate] = DraftRunner(self._confirming.trade)
        self._asked: OrderedDict[tuple[str, str, str], float] = OrderedDict()

    async def handle(self, dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        """Handle one line. Raises `StorageError`: then nothing was done."""
        self._confirming.card_for(context)
        try:
            return await self._handle(dispatch, context)
        except Outdated:
            return TaskResult(dispatch.task_id, "canceled", _CLOSED, user_response=words.OUTDATED)

    async def expire(self, frame: FrameRecord) -> str | None:
        """Drop an expired question, without a reply."""
        if frame.slots.get(STAGE) == CONFIRMING:
            await self._runner.expire(frame)
        return None

    async def _handle(self, dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        frame = context.open
        stage = frame.slots.get(STAGE) if frame is not None else None
        if frame is not None and stage in (CONFIRMING, FILLING, CHOOSING, OFFERING):
            if context.bound is not None and context.bound.relation == "cancel":
                kept = frame.slots.get("_action") == "delete"
                said = words.KEPT if kept else "好，不弄了"
                return TaskResult(dispatch.task_id, "canceled", _CLOSED, user_response=said)
            if reply_in(context.frame).limits:
                return await self._limited(dispatch, context, frame)
            answers = {CONFIRMING: self._confirm, FILLING: self._fill, CHOOSING: self._choose}
            answer = {**answers, OFFERING: self._take_offer}[str(stage)]
            return await answer(dispatch, context, frame)
        if context.request.reply_mode == "overheard":
            return await self._overheard(dispatch, context)
        read = order_in(context.frame)
        if read.free is not None:
            return await self._free.answer(dispatch, context, read.free)
        if read.attendance is not None:
            return await self._attend(dispatch, context, read, read.attendance)
        if read.card:
            kept = _unsure(read.candidates)
            context.reason = "贴的一段话，先列出来问"
            if kept:
                return await self._runner.open(dispatch, context, kept, words_of(context))
            return TaskResult(dispatch.task_id, "canceled", user_response=words.NOTHING_IN_IT)
        intent, local = read.intent, read.candidates
        heard = context.sure or read_whole(local, context)
        found = list(local) if heard else await extracted(self._calls, context, local)
        found = with_place(found, dispatch.slots.get("place"))
        if intent == "query":  # a query changes nothing, whatever a model reads
            found = [each for each in found if each.intent == "query"] or list(local)
        asked = await self._asked_back(context, found) if intent != "query" else None
        refused = await self._refused(asked or (), context)
        if refused is not None:
            context.reason = "不是提出的人，也不管这个群"
            return TaskResult(dispatch.task_id, "canceled", user_response=refused)
        if asked is not None:
            context.reason = "没有全听懂，先问一句"
            return await self._runner.open(dispatch, context, asked, words_of(context))
        # Edits and deletions without a question: not found, or to be listed.
        ordered = [replace(each, need_confirm=context.needs_yes and each.intent == "add") for each in found]
        result = await self._proceed(dispatch, context, ordered)
        return await self._with_tasks(result, context, read)

    async def _with_tasks(self, result: TaskResult, context: TaskContext, read: ScheduleFrame) -> TaskResult:
        """Group plans with the speaker's tasks of the days (明天有哪些事)."""
        if self._own_tasks is None or not read.all_of or result.status != "completed":
            return result
        own = await self._own_tasks.of_days(context, *read.all_of)
        return replace(result, user_response=f"{result.user_response}\n{own}") if own else result

    # -- orders --------------------------------------------------------------------------------------------

    async def _proceed(
        self, dispatch: TaskDispatch, context: TaskContext, found: Sequence[Candidate]
    ) -> TaskResult:
        """n2 of seed 0: add locally, or EDIT; problems are asked about first."""
        if not found:
            context.reason = "没有听出日程"
            return TaskResult(dispatch.task_id, "canceled", user_response=words.NOTHING_TO_NOTE)
        live = await self._storage.schedules.live(context.conversation)
        found = [await self._meant(each, context, live) for each in found]
        for place, each in enumerate(found):
            if each.problem is not None:
                return self._ask(dispatch, context, found, place, each.problem)
        state, effects = step(TalkState(), Extracted(tuple(found), context.text))
        names = {id(each): f"{context.origin}#{place}" for place, each in enumerate(found)}
        done = await self._deeds.carry_out(
            state, effects, context, lambda each: names[id(each)], context.deadline
        )
        return await self._told(dispatch, context, done)

    async def _asked_back(self, context: TaskContext, found: Sequence[Candidate]) -> list[Candidate] | None:
        live = await self._storage.schedules.live(context.conversation)
        known = [await self._meant(each, context, live) for each in found]
        another_day = any(
            new.need_confirm and not old.need_confirm and new.intent == "delete"
            for new, old in zip(known, found, strict=True)
        )
        doubted = context.ask_back or another_day
        return asking_back.asked(known, live, context.now) if doubted else None

    async def _refused(self, asked: Sequence[Candidate], context: TaskContext) -> str | None:
        """Refusal if the speaker may not change the asked schedules; None if allowed."""
        ids = {one: each.intent for each in asked if each.intent in ("edit", "delete") for one in each.ids}
        live = await self._storage.schedules.live(context.conversation) if ids else ()
        return next(
            (
                words.not_allowed(each, ids[each.id])
                for each in live
                if each.id in ids and not may_change(each, context.actor)
            ),
            None,
        )

    async def _meant(
        self, candidate: Candidate, context: TaskContext, live: Sequence[ScheduleRecord]
    ) -> Candidate:
        """Candidate with the ids of its referent; of two clock readings the one nearer to the current time
        (把三点的会改到四点)."""
        where = context.clause.situation
        unnamed = candidate.intent == "delete" and not (candidate.old_description or candidate.ids)
        if unnamed and candidate.spans and where.last is not None and where.just_shown():
            candidate = await self._that_day(candidate, context, where.last)
        candidate = (
            candidate
            if candidate.ids
            else referred(candidate, context.refs, live, context.now, every=context.every)
        )
        candidate = await self._pointed(candidate, context)
        if candidate.intent != "edit" or candidate.problem is None or candidate.problem.doubt != "am_pm":
            return candidate
        return nearer(candidate, find(live, candidate, context.now))

    async def _pointed(self, candidate: Candidate, context: TaskContext) -> Candidate:
        """Last mentioned schedule as the referent of a nameless order (改到三点半吧, 那个取消)."""
        last = context.clause.situation.last
        named = candidate.spans or candidate.old_description or candidate.ids
        if candidate.intent not in ("edit", "delete") or named or last is None or last.agent != "schedule":
            return candidate
        spoken = await self._lately.list_mentioned(context.conversation, "schedule", context.request.now)
        return replace(candidate, ids=tuple(spoken))

    async def _that_day(self, candidate: Candidate, context: TaskContext, last: KeptThing) -> Candidate:
        """周五不用 after a series: that day of it, nothing else on the day."""
        live = await self._storage.schedules.live(context.conversation)
        series = [each for each in live if str(each.id) == last.id and each.plan.recurrence is not None]
        if last.agent != "schedule" or not series or not single.meant(candidate, series[0], context.now):
            return candidate
        return replace(candidate, ids=(series[0].id,), once=True)

    def _ask(
        self,
        dispatch: TaskDispatch,
        context: TaskContext,
        found: Sequence[Candidate],
        place: int,
        problem: Problem,
        target: int | None = None,
        text: str | None = None,
    ) -> TaskResult:
        context.reason = f"日程还要问：{problem.doubt}"
        missing = {"no_description": "new_description"}.get(problem.doubt, "new_time")
        slots = {
            **found[place].slots(),
            STAGE: FILLING,
            "_doubt": problem.doubt,
            "_options": [each.start for each in problem.options],
            "_candidates": plain(found),
            "_place": place,
            "_target": target,
        }
        said = text or words.doubt(problem, context.now)
        return TaskResult(dispatch.task_id, "awaiting_user", slots, (missing,), user_response=said)

    async def _told(
        self, dispatch: TaskDispatch, context: TaskContext, done: ExecutedOperation, action: str = ""
    ) -> TaskResult:
        """Reply with the results and the next question, if any."""
        if done.touched:
            touched = list(dict.fromkeys(done.touched))
            member, now = context.actor.user_id, context.request.now
            deed = context.intent != "query" or bool(context.actions)
            await self._lately.note_items(context.conversation, member, "schedule", touched, now, beside=deed)
        asked = done.asked
        if asked is None:
            if context.intent == "query" and not done.touched and self._talk is not None:
                said = await self._talk(context)  # 聚餐在哪, if no such plan is stored
                done.lines += [said] if said else []
            if context.intent == "query" and order_in(context.frame).asks_place and done.touched:
                live = await self._storage.schedules.live(context.conversation)
                told = [each for each in live if each.id in done.touched]
                done.lines += [] if any(each.plan.place for each in told) else [words.NO_PLACE]
            if context.open is None and order_in(context.frame).guessed:
                done.lines.append(GUESSED)
            context.reason = context.reason or "日程已处理"
            return TaskResult(dispatch.task_id, "completed", _CLOSED, user_response="\n".join(done.lines))
        text = "\n".join([*done.lines, asked.text])
        about = done.about
        if about is not None and about.intent == "edit" and len(asked.choices) == 1:
            problem = Problem("no_time")
            missing = replace(about, problem=problem)
            return self._ask(dispatch, context, [missing], 0, problem, asked.choices[0], text)
        if asked.choices:
            slots = {
                STAGE: CHOOSING,
                "_choices": list(asked.choices),
                "_together": asked.together,
                **await self._listed(context, asked.choices),
                "_action": action or (about.intent if about is not None else "query"),
                "_candidates": plain([about]) if about is not None else [],
            }
            context.reason = "同名的日程有几个，问是哪个"
            return TaskResult(dispatch.task_id, "awaiting_user", slots, ("which",), user_response=text)
        context.reason = "日程没有改动"
        status = "completed" if done.lines else "canceled"
        return TaskResult(dispatch.task_id, status, _CLOSED, user_response=text)

    async def _listed(self, context: TaskContext, ids: Sequence[int]) -> dict[str, Any]:
        """Names and start times of the choices."""
        live = {each.id: each for each in await self._storage.schedules.live(context.conversation)}
        found = [live.get(each) for each in ids]
        things = [
            KeptThing("schedule") if each is None else schedule_thing(each, context.clause.situation.zone)
            for each in found
        ]
        return {"_names": [each.name for each in things], BEGINS: begins_of(things)}

    # -- taking part ---------------------------------------------------------------------------------------

    async def _attend(
        self, dispatch: TaskDispatch, context: TaskContext, read: ScheduleFrame, wish: Attendance
    ) -> TaskResult:
        schedules = await self._storage.schedules.live(context.conversation)
        spoken = await self._lately.list_mentioned(context.conversation, "schedule", context.request.now)
        found = meant(read, schedules, context, spoken)
        verb = "join" if wish.joins else "leave"
        if context.needs_yes and wish.joins and len(found) == 1:  # 我可能去剧本杀
            done = ExecutedOperation(
                asked=AskedBack(words.whether(found[0], verb, context.now), (found[0].id,))
            )
        elif len(found) == 1 and (once := occasion_of(read, found[0], context.now)) is not None:
            done = await attend_once(wish, once, context, self._deeds, f"{context.origin}#a")
        else:
            done = await attend(wish, found, context, self._deeds, f"{context.origin}#a")
        return await self._told(dispatch, context, done, verb)

    # -- answers -------------------------------------------------------------------------------------------

    async def _fill(self, dispatch: TaskDispatch, context: TaskContext, frame: FrameRecord) -> TaskResult:
        found = loaded(frame.slots.get("_candidates"))
        place, target = frame.slots.get("_place"), frame.slots.get("_target")
        filled = reply_in(context.frame).filled
        if filled is None or not isinstance(place, int) or not 0 <= place < len(found):
            return TaskResult(dispatch.task_id, "canceled", _CLOSED, user_response=words.OUTDATED)
        corrected = retimed(found[place], context.bound, context.clause.situation)
        found[place] = placed(corrected or filled, context.bound)
        if corrected is not None and corrected.problem is not None:
            return self._ask(dispatch, context, found, place, corrected.problem)
        problem = found[place].problem
        if problem is not None and reply_in(context.frame).several:
            text = f"{words.ONE_TIME}{words.doubt(problem, context.now)}"
            return self._ask(
                dispatch, context, found, place, problem, target if isinstance(target, int) else None, text
            )
        if isinstance(target, int):
            if problem is not None:
                return self._ask(dispatch, context, found, place, problem, target)
            done = await self._deeds.choose(found[place], [target], context, f"{context.origin}#0")
            return await self._told(dispatch, context, done)
        result = await self._proceed(dispatch, context, found)
        result = await self._with_more(result, context, reply_in(context.frame))
        return _inviting(result, found[place]) if frame.slots.get(INVITES) else result

    async def _take_offer(
        self, dispatch: TaskDispatch, context: TaskContext, frame: FrameRecord
    ) -> TaskResult:
        """An offered time that is picked becomes a schedule; without a name it is asked for."""
        picked = reply_in(context.frame).offer
        if picked is None:
            context.passed_on = True
            return TaskResult(dispatch.task_id, "awaiting_user", missing_slots=("which",))
        if picked.more:
            return self._free.more(dispatch, context, frame)
        found = picked_candidate(frame, picked, context.now)
        if found is None:
            return TaskResult(dispatch.task_id, "canceled", _CLOSED, user_response=wording.OUTDATED)
        result = await self._proceed(dispatch, context, [found])
        if result.status == "awaiting_user":
            return replace(result, slots_update={**CLOSED, **result.slots_update, INVITES: True})
        return _inviting(result, found)

    async def _with_more(self, result: TaskResult, context: TaskContext, reply: ReplyFrame) -> TaskResult:
        """Result with participants, and a note of words without a field."""
        if result.status != "completed" or not (reply.comes or reply.unkept):
            return result
        said = [result.user_response or ""]
        made = await self._lately.list_mentioned(context.conversation, "schedule", context.request.now)
        live = {each.id: each for each in await self._storage.schedules.live(context.conversation)}
        if reply.comes is not None and len(made) == 1 and made[0] in live:
            done = await attend(reply.comes, [live[made[0]]], context, self._deeds, f"{context.origin}#a")
            said += done.lines
        if reply.unkept:
            said.append(words.NOT_KEPT.format("」「".join(reply.unkept)))
        return replace(result, user_response="\n".join(said))

    async def _limited(self, dispatch: TaskDispatch, context: TaskContext, frame: FrameRecord) -> TaskResult:
        """就明天这一次 after 要全部删除吗: the question ends, only that occurrence goes."""
        left = reply_in(context.frame).left
        if frame.slots.get(BATCH):
            await self._runner.drop(frame)
        live = await self._storage.schedules.live(context.conversation)
        if left is not None and left.spans and not find(live, left, context.now):
            other = replace(left, old_description="")  # 周六那个取消吧, of none that is asked about
            asked = asking_back.asked([other], live, context.now)
            if asked is not None and await self._refused(asked, context) is None:
                result = await self._runner.open(dispatch, context, asked, words_of(context))
                return replace(result, slots_update={**_CLOSED, **result.slots_update})
            left = None  # 是周六的, schedule on Wednesday
        if left is None:
            context.reason = "说的不是全部，没听出是哪一次"
            said = words.KEPT_WHICH
            return TaskResult(dispatch.task_id, "canceled", _CLOSED, user_response=said)
        kept: object = frame.slots.get("_choices")
        ids = [each for each in cast("list[object]", kept) if isinstance(each, int)] if kept else []
        if len(ids) != 1:
            return await self._proceed(dispatch, context, [left])
        done = await self._deeds.choose(left, ids, context, f"{context.origin}#0")
        return await self._told(dispatch, context, done)

    async def _choose(self, dispatch: TaskDispatch, context: TaskContext, frame: FrameRecord) -> TaskResult:
        kept: object = frame.slots.get("_choices")
        choices = [each for each in cast("list[object]", kept) if isinstance(each, int)] if kept else []
        reply = reply_in(context.frame)
        ids = [choices[place] for place in reply.picked if place < len(choices)]
        action = frame.slots.get("_action")
        if reply.unsure or (reply.part and action == "delete" and ids):
            live = await self._storage.schedules.live(context.conversation)
            return explicit.asked(dispatch.task_id, live, ids, context.now)
        if not ids:
            context.passed_on = True
            return TaskResult(dispatch.task_id, "awaiting_user", missing_slots=("which",))
        if action in ("join", "leave"):
            schedules = await self._storage.schedules.live(context.conversation)
            chosen = [each for each in schedules if each.id in ids]
            done = ExecutedOperation()
            for each in chosen:
                wish = Attendance(action == "join")
                one = await attend(wish, [each], context, self._deeds, f"{context.origin}#{each.id}")
                done.lines += one.lines
                done.touched += one.touched
            return await self._told(dispatch, context, done)
        found = loaded(frame.slots.get("_candidates"))
        if not found:
            return TaskResult(dispatch.task_id, "canceled", _CLOSED, user_response=words.OUTDATED)
        done = await self._deeds.choose(found[0], ids, context, f"{context.origin}#0")
        return await self._told(dispatch, context, done)

    # -- candidates that wait for a yes --------------------------------------------------------------------

    async def _overheard(self, dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        """Overheard line: at most one question per speaker in ten minutes."""
        quiet = TaskResult(dispatch.task_id, "canceled")
        context.reason = "旁听到的话不像日程"
        read = order_in(context.frame)
        together = context.request.planned  # worded by the analysis: no further model call
        if not (together or read.planned):
            return quiet
        who = (context.conversation.self_id, context.conversation.peer, context.actor.user_id)
        now = context.request.now
        if now - self._asked.get(who, -ASK_AGAIN) < ASK_AGAIN:
            context.reason = "十分钟内已经问过这位成员"
            return quiet
        planned = list(read.planned or read.candidates)
        alone = together or not self._watching.plan(context)
        found = _unsure(planned if alone else await extracted(self._calls, context, read.planned))
        live = await self._storage.schedules.live(context.conversation) if found else ()
        kept = [(each.plan.start, f"{each.description}{each.plan.place or ''}") for each in live]
        found = [
            each
            for each in found
            if each.intent != "add" or self._watching.is_new(context.conversation, each, kept, now)
        ]
        if not found:
            return quiet
        self._watching.asked_of(context.conversation, found, now)
        self._asked.pop(who, None)
        self._asked[who] = now
        while len(self._asked) > _REMEMBERED:
            self._asked.popitem(last=False)
        context.reason = "旁听到像日程的话，问一句"
        self._watching.asked(dispatch.task_id)
        return await self._runner.open(dispatch, context, found, words_of(context))

    async def drop(self, frame: FrameRecord) -> None:
        """End a draft without a reply, after a silence, recall or emergency."""
        if frame.slots.get(BATCH):
            await self._runner.drop(frame)

    async def _confirm(self, dispatch: TaskDispatch, context: TaskContext, frame: FrameRecord) -> TaskResult:
        """NEED_CONFIRM: triage, else `check_intent`; s4 for a line about something else."""
        read, heard = reply_in(context.frame), context
        if read.leaves:
            heard = replace(context, clause=replace(context.clause, text="取消"))  # exit is deny
        result = await self._runner.hear(dispatch, heard)
        context.passed_on, context.keep_until = heard.passed_on, heard.keep_until
        if not context.passed_on:
            return result
        if context.request.reply_mode == "forced" or not read.planned:
            return result  # an addressed line is an order, read anew
        heard_by_model = self._watching.plan(context)
        planned = await extracted(self._calls, context, read.planned) if heard_by_model else read.planned
        newer = _unsure(planned)
        if not newer:
            return result
        context.passed_on = False
        await self._runner.drop(frame)
        return await self._runner.open(dispatch, context, newer, words_of(context))


def _inviting(result: TaskResult, made: Candidate) -> TaskResult:
    """Result of a schedule just made that asks who comes."""
    if result.status != "completed":
        return result
    return replace(
        result, user_response=f"{result.user_response}\n{wording.WHO_COMES.format(what=made.new_description)}"
    )


_CLOSED: Final[Mapping[str, Any]] = {
    **CLOSED,
    INVITES: None,
    STAGE: None,
    BATCH: None,
    "_candidates": None,
    "_choices": None,
    "_names": None,
    BEGINS: None,
}
"""Notes cleared at the end of a task"""


def _unsure(found: Sequence[Candidate]) -> list[Candidate]:
    """Overheard candidates, always for a yes, whatever a model says; only complete ones."""
    return [
        replace(each, need_confirm=True)
        for each in found
        if (each.intent == "add" and usable(each)) or (each.intent == "edit" and each.when is not None)
    ]
