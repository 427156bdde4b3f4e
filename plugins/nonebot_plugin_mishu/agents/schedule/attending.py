"""Joining (参加, +1) and leaving: schedule by our quoted line, by name, or by recent mention."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from ...language.schedule_phrases import Attendance
from ...storage.schedules.queries import Attend
from ...storage.schedules.records import Participant, ScheduleRecord
from ..api.task_context import TaskContext
from . import words
from .candidates.operations import AskedBack
from .candidates.single import meant as times_of
from .executor import ExecutedOperation, ScheduleExecutor
from .frames import ScheduleFrame
from .search import ALIKE, alike, find, quoted
from .timetable import Occasion, upcoming

REMEMBERED: Final = 1000
"""Number of conversations with remembered schedules"""


def meant(
    said_so: ScheduleFrame,
    schedules: Sequence[ScheduleRecord],
    context: TaskContext,
    mentioned: Sequence[int],
) -> list[ScheduleRecord]:
    """Schedules a member may mean; several need a choice. Pure."""
    ahead = [each for each in schedules if upcoming(each.plan, context.now) is not None]
    said = context.utterance.quoted
    if said_so.attended is not None:
        return find(ahead, said_so.attended, context.now)
    wish = said_so.attendance or Attendance(True)
    named = [each for each in ahead if str(each.id) in {str(ref) for ref in context.refs}]
    if len(named) == 1 and not context.sure:
        return named  # id from a model, if no name matches
    if wish.what:
        return [each for each in ahead if alike(wish.what, each) >= ALIKE]
    if said is not None and said.is_bot and (found := quoted(ahead, said.text)):
        return found
    if not wish.joins:
        ours = [each for each in ahead if any(one.user_id == context.actor.user_id for one in each.joined)]
        ahead = ours or ahead
    known = {each.id: each for each in ahead}
    last = [known[each] for each in mentioned if each in known]
    return last or ahead


def occasion_of(said_so: ScheduleFrame, schedule: ScheduleRecord, now: datetime) -> Occasion | None:
    """Occurrence of a recurring schedule named by its day (读书会下周三我来); None for all (每周三我都来,
    周三的读书会), or several. Pure."""
    named, time = said_so.attended, said_so.time
    if schedule.plan.recurrence is None or named is None or not named.spans or time is None:
        return None
    if time.recurring or time.weekday:
        return None
    times = times_of(replace(named, once=True), schedule, now)
    return times[0] if len(times) == 1 else None


async def attend_once(
    wish: Attendance, once: Occasion, context: TaskContext, deeds: ScheduleExecutor, origin: str
) -> ExecutedOperation:
    """Let the speaker and named members join or leave one occurrence. Raises as `carry_out`."""
    series, me = once.schedule, Participant(context.actor.user_id, context.actor.name)
    named = [Participant(one.user_id, one.name) for one in wish.others]
    everybody = [*([me] if wish.speaker or not named else []), *named]
    there = {each.user_id for each in series.joined}
    ids = {each.user_id for each in everybody}
    new = [each for each in everybody if (each.user_id in there) != wish.joins]
    done = ExecutedOperation(touched=[series.id])
    if not new:
        done.lines.append(_as_before(series, me, wish.joins, context))
        return done
    others = tuple(each for each in series.joined if each.user_id not in ids)
    joined = (*others, *everybody) if wish.joins else others
    verb = "join" if wish.joins else "leave"
    own = await deeds.attended_once(once, joined, context, origin, joins=wish.joins)
    context.acted(verb, {"id": series.id}, {"id": own.id, "joined": len(own.joined)})
    done.touched = [own.id]
    done.lines.append(words.attends(own, "、".join(each.name for each in new), wish.joins, context.now))
    return done


async def attend(
    wish: Attendance,
    found: Sequence[ScheduleRecord],
    context: TaskContext,
    deeds: ScheduleExecutor,
    origin: str,
) -> ExecutedOperation:
    """Let the speaker join or leave the one schedule found, or ask which. Raises as `carry_out`."""
    done = ExecutedOperation()
    verb = "join" if wish.joins else "leave"
    if not found:
        named = f"「{wish.what}」" if wish.what and wish.nameable else ""
        nor = f"，现在也没有{wish.what}的报名" if _no_signup(wish, context) else ""
        done.lines.append(f"没找到能{words.VERBS[verb]}的日程{named}{nor}")
        return done
    if len(found) > 1:
        shown = found[: words.LONGEST_LIST]
        done.asked = AskedBack(words.which(shown, verb, context.now), tuple(each.id for each in shown))
        return done
    schedule, me = found[0], Participant(context.actor.user_id, context.actor.name)
    if wish.others or wish.unknown:
        return await _together(wish, schedule, context, deeds, origin)
    there = any(each.user_id == me.user_id for each in schedule.joined)
    done.touched = [schedule.id]
    if there == wish.joins:
        done.lines.append(_as_before(schedule, me, there, context))
        return done
    changed = await deeds.attended(Attend(schedule.id, me, wish.joins, origin), schedule, context)
    context.acted(verb, {"id": schedule.id}, {"id": schedule.id, "joined": len(changed.joined)})
    said = words.attends(changed, me.name, wish.joins, context.now)
    if not wish.joins and schedule.created_by == me.user_id:
        said += f"\n{words.call_off(schedule)}"
    done.lines.append(said)
    return done


def _no_signup(wish: Attendance, context: TaskContext) -> bool:
    """True if no sign-up is going on that the speaker may want to join."""
    going = (each for each in context.clause.situation.polls if each.form == "signup" and not each.closed)
    return wish.joins and bool(wish.what and wish.nameable) and not any(going)


async def _together(
    wish: Attendance, schedule: ScheduleRecord, context: TaskContext, deeds: ScheduleExecutor, origin: str
) -> ExecutedOperation:
    """Let the named members join, and the speaker if included. Raises as `carry_out`."""
    done = ExecutedOperation(touched=[schedule.id])
    own = [Participant(context.actor.user_id, context.actor.name)] if wish.speaker else []
    everybody = [*own, *(Participant(one.user_id, one.name) for one in wish.others)]
    there = {each.user_id for each in schedule.joined}
    new = [each for each in everybody if each.user_id not in there]
    for each in new:
        schedule = await deeds.attended(
            Attend(schedule.id, each, True, f"{origin}{each.user_id}"), schedule, context
        )
    if new:
        context.acted("join", {"id": schedule.id}, {"id": schedule.id, "joined": len(schedule.joined)})
        names = "、".join(each.name for each in new)
        done.lines.append(words.attends(schedule, names, True, context.now))
    old = [each.name for each in everybody if each not in new]
    if old:
        done.lines.append(f"{'、'.join(old)}已经参加了：{words.line(schedule, context.now)}")
    if wish.unknown:
        done.lines.append(f"不认识「{'、'.join(wish.unknown)}」，没算进去，@ 一下就行。")
    return done


def _as_before(schedule: ScheduleRecord, me: Participant, there: bool, context: TaskContext) -> str:
    """Reply for no change; its creator also gets the words for calling it off."""
    line = words.line(schedule, context.now)
    if there:
        return f"{me.name}已经参加了：{line}"
    if schedule.created_by == me.user_id:
        return f"好，不算你，日程还在：{line}\n{words.call_off(schedule)}"
    return f"{me.name}本来就没参加：{line}"
