"""Taking part (参加, +1) and no longer: by our line that is quoted, by name, by what was last spoken of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...storage.schedule_records import Member, Schedule
from ...storage.schedules import Attend
from ..errand import Errand
from . import words
from .deeds import Deeds, Done
from .frames import Attendance, ScheduleFrame
from .operations import Asked
from .search import ALIKE, alike, find, quoted
from .timetable import upcoming

REMEMBERED: Final = 1000
"""Conversations whose last mentioned schedules are remembered."""


def meant(
    said_so: ScheduleFrame, schedules: Sequence[Schedule], errand: Errand, mentioned: Sequence[int]
) -> list[Schedule]:
    """The schedules a member may mean: one is it, several are to be picked from. Pure."""
    ahead = [each for each in schedules if upcoming(each.plan, errand.now) is not None]
    said = errand.utterance.quoted
    if said_so.attended is not None:
        return find(ahead, said_so.attended, errand.now)
    wish = said_so.attendance or Attendance(True)
    if wish.what:
        return [each for each in ahead if alike(wish.what, each) >= ALIKE]
    if said is not None and said.is_bot and (found := quoted(ahead, said.text)):
        return found
    if not wish.joins:
        ours = [each for each in ahead if any(one.user_id == errand.actor.user_id for one in each.joined)]
        ahead = ours or ahead
    known = {each.id: each for each in ahead}
    last = [known[each] for each in mentioned if each in known]
    return last or ahead


async def attend(
    wish: Attendance, found: Sequence[Schedule], errand: Errand, deeds: Deeds, origin: str
) -> Done:
    """Let the speaker take part in the one schedule found, or ask which. Raises as `Deeds.carry_out`."""
    done = Done()
    verb = "join" if wish.joins else "leave"
    if not found:
        named = f"「{wish.what}」" if wish.what else ""
        done.lines.append(f"没有找到可以{words.VERBS[verb]}的日程{named}")
        return done
    if len(found) > 1:
        shown = found[: words.LONGEST_LIST]
        done.asked = Asked(words.which(shown, verb, errand.now), tuple(each.id for each in shown))
        return done
    schedule, me = found[0], Member(errand.actor.user_id, errand.actor.name)
    there = any(each.user_id == me.user_id for each in schedule.joined)
    done.touched = [schedule.id]
    if there == wish.joins:
        done.lines.append(_as_before(schedule, me, there, errand))
        return done
    changed = await deeds.attended(Attend(schedule.id, me, wish.joins, origin), schedule, errand)
    errand.acted(verb, {"id": schedule.id}, {"id": schedule.id, "joined": len(changed.joined)})
    said = words.attends(changed, me.name, wish.joins, errand.now)
    if not wish.joins and schedule.created_by == me.user_id:
        said += f"\n{words.call_off(schedule)}"
    done.lines.append(said)
    return done


def _as_before(schedule: Schedule, me: Member, there: bool, errand: Errand) -> str:
    """Nothing changes for them; who made it is told that it stays, and how to call it off."""
    line = words.line(schedule, errand.now)
    if there:
        return f"{me.name}已经参加了：{line}"
    if schedule.created_by == me.user_id:
        return f"好，不算你，日程还留着：{line}\n{words.call_off(schedule)}"
    return f"{me.name}本来就没有参加：{line}"
