"""Reading of a new task from a clause: time, title, priority, note. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import time, timedelta
from itertools import pairwise
from typing import Any, Final

from ....language import words_of
from ....language.clause import Clause
from ....language.names.naming import extract_title, fronted, lasting, used_up
from ....language.recognise.members import for_whom
from ....language.recognise.times import SEGMENT_BOUNDS, TimeExpression, names_day
from ....language.timing.ending import FOR, daily_of, ending_of, last_day_said, said_again
from ....language.timing.eve import eve_of, is_eve
from ....language.timing.own_times import chosen, evening_until, on_said_day, sensible, tells_half
from ....language.timing.reminder_leads import SAID, ahead_in
from ....language.timing.series import times_listed
from ....language.word_lists import table
from ....patterns import Pattern
from .policy import MORNING, TaskQuestion, dated, moment, settle
from .policy import lasting as with_length
from .task_time import TaskTime, Wish, clock_text, pm, raw_slots

LONGEST_TITLE: Final = 100
REMINDING: Final = Pattern(
    r"提醒(?!事项)|提我|提个醒儿?|叫(?:一下|一声|下)?(?:醒|我)|喊(?:一下|一声|下)?我|催(?:一下|下)?我|通知(?:一下|下)?我|闹钟|倒计时|(?:定|计)时(?![间长候])|timer"
    rf"|{table('tasks.rouse_me')}"
)
_STRETCH: Final = Pattern(table("tasks.stretch"))
_ALL_DAY: Final = Pattern(r"全天|一?整天|全日")
_PRIORITY: Final = Pattern(
    r"[,，;； ]*(?:(?P<word>最高|很高|较高|高|中等?|普通|一般|最低|低|较低)的?优先级?(?:的|别)?"
    r"|(?:设为|标为)?优先级?别?(?:是|为"
    r"|设为|设成|改成|改为|:|：)?"
    r"(?P<after>最高|很高|较高|高|中等?|普通|一般|最低|低|较低)(?![兴考中铁温数度])|(?P<urgent>非常紧急|很紧急|紧急|加急|非常重要|很重要"
    r"|不着急|不急|(?:(?<=[,，;； ])|^)(?:(?:很|非常|特别|超级?|挺|比较|有点|十万火)急(?=[ ,，;；。!！]|$)"
    r"|重要(?=[,，;；。!！ ]|$))))[,，;； ]*"
)
_NOTE: Final = Pattern(r"[,，;； ]*(?:备注|描述|说明|详情)(?:一下)?(?:是|为|写)?[:： ]*(?P<note>.+)$")
_THIS: Final = Pattern(
    r"^(?:把|将)?(?:这个|这件事|这事|这条|这些|此事|上面(?:那个|这个|的)?|一下|这|它)?(?:事|消息|任务|待办)?$"
)
_EDGES: Final = Pattern(
    r"^(?:[,，。;；:： !！]|(?:过|等|再)?(?:一会儿?|待会儿?|会儿|晚点|稍后|回头|到时候?)"
    r"(?:提醒|叫|喊)(?:一下)?我?"
    r"|记一?下|帮我|帮忙"
    r"|(?>给(?:他|她|ta)?[ ,，]*(?:建|创建|加|安排|新建|添加|派|布置)(?:一?个)?(?:任务|待办)?[:：]?(?=.))"
    r"|把(?=[^把]*$)|加个|加一个|新建|创建|添加|一个|的(?=.)|任务[:：])+"
    r"|(?:[,，。;；:： !！?？]|(?:加|列|写|放|记)(?:到|进"
    r"|入)?(?:我的?|[他她]的?|ta的?)?(?:待办|任务)(?:列表|清单)?(?:里|中|上)?)+$"
)
_EVE_LEFT: Final = Pattern(r"[,，;； ]+[前头]一?天$")
"""交表，前一天: rest of a lead already removed from the title"""
_ORDER_BEHIND: Final = Pattern(
    r"[,，。;； ]+(?:请|麻烦)?你?"
    r"(?:(?:帮我|给我|替我|帮忙)(?:(?:记|建|加|创建|添加|新建|安排|列|设)(?:一?下来?|上|成|为)?)?"
    r"|(?:记|建|加|创建|添加|新建|安排|列|设)(?=一?[下个条]|任务|待办))"
    r"(?:一?[下个条])?(?:任务|待办)?(?:里|中|吧|哈|啊|谢谢|[。!！~])*$"
)
"""写报告，帮我记个任务: order after the title"""
_REMIND_INSIDE: Final = Pattern(r"(?<=[后前时候])[,，]?(?:记得)?(?:提醒|叫|喊)(?:一下)?我(?=.)")
"""下班后提醒我买菜: order between time and title"""
_NAMED: Final = Pattern(r"^(?:任务)?(?:标题|名称|名字)(?:是|为|叫|:|：)+")
_TIME_LABEL: Final = Pattern(r"[,，;； ]*(?:截止)?(?:时间|日期)(?:是|为|定在|在|:|：)*$")
AND: Final = Pattern(" *(?:和|跟|与|及|以及|还有|、) *")
_MARKS: Final = Pattern(r"^(?:「([^「」]+)」|『([^『』]+)』|“([^“”]+)”|\"([^\"]+)\")$")
_LEVELS: Final = {"高": "high", "中": "medium", "普": "medium", "一": "medium", "低": "low"}


def priority_in(text: str) -> str | None:
    """Priority in the text: low, medium or high."""
    found = _PRIORITY.search(text)
    if found is None:
        return None
    word = found["word"] or found["after"]
    if word is None:
        return "low" if found["urgent"].startswith("不") else "high"
    return next(level for sign, level in _LEVELS.items() if sign in word)


def wish_of(clause: Clause) -> Wish:
    """Time of the clause: 全天 only if written; a reminder's 三点 gets its usual half of the day."""
    clause = on_said_day(clause)
    as_meant = REMINDING.search(clause.text) is not None or tells_half(clause)
    clause = sensible(clause) if as_meant else clause
    last = last_day_said(clause)
    told = clause if last is None else replace(clause, times=clause.times[:-1])
    thing, reminder = two(told)
    if thing is None and last is not None:
        thing = replace(last, date=clause.situation.now.date(), end_date=None, kind="day")
    reminded = REMINDING.search(clause.text) is not None
    ahead = ahead_in(clause.text, clause.times)
    leads = ahead.leads if ahead is not None else ()
    eve = _lead_of_eve(thing, reminder, clause) if leads else 0
    if eve:  # 前一天晚上提醒一次，提前半小时再提醒一次
        leads, reminder = tuple(sorted({eve, *leads}, reverse=True)), None
    lead = next(iter(leads), None)
    reminded = reminded or lead is not None
    wish = with_end_of(clause, thing, expressed(thing, clause)) if thing is not None else Wish()
    if thing is not None and thing.date is not None and wish.recurrence is None:
        wish = replace(wish, recurrence=_said_apart(clause, thing))
    length = _length(clause)
    if length is not None:
        wish = with_length(wish, length[1])
    if thing is None and _ALL_DAY.search(clause.text):
        wish = Wish(segment="all_day", phrase="全天")
    spans = _STRETCH.search(clause.text.lower()) is not None
    changes: dict[str, Any] = {
        "reminded": reminded,
        "lead": lead,
        "further": leads[1:],
        "spans": spans and not reminded,
    }
    zone = clause.situation.zone
    if reminder is not None and reminder.date is not None and reminder.start is not None:
        changes["remind_at"] = moment(reminder.date, reminder.start, zone)
    elif not (reminded and thing is not None and is_offset(thing)):
        changes["remind_at"] = None
    return Wish(**{**{name: getattr(wish, name) for name in Wish.__slots__}, **changes})


def _lead_of_eve(thing: TimeExpression | None, eve: TimeExpression | None, clause: Clause) -> int:
    """Minutes from a reminder on the day before to the start of its thing; 0 where either is not clear."""
    if thing is None or eve is None or not is_eve(eve) or thing.recurrence is not None or thing.ambiguous:
        return 0
    if thing.date is None or thing.start is None or eve.date is None or eve.start is None:
        return 0
    zone = clause.situation.zone
    apart = moment(thing.date, thing.start, zone) - moment(eve.date, eve.start, zone)
    return max(int(apart.total_seconds()) // 60, 0)


def _said_apart(clause: Clause, thing: TimeExpression) -> dict[str, Any] | None:
    """Frequency of a dated task, if separate (明天下午三点交周报，每周)."""
    apart = (one.recurrence for one in clause.times if one is not thing and one.start is None)
    return next((dict(found.as_kept()) for found in apart if found is not None and not found.byday), None)


def with_end_of(clause: Clause, found: TimeExpression, wish: Wish) -> Wish:
    """Wish with recurrence and its last day, if given."""
    rule = wish.recurrence
    daily = daily_of(clause) if rule is None and found.date is not None else None
    if daily is not None:
        unclear = None if wish.ambiguous == "which_day" else wish.ambiguous
        wish = replace(wish, recurrence=dict(daily.as_json()), next_day=False, ambiguous=unclear)
    if wish.recurrence is None:
        return wish
    situation = clause.situation
    settled = settle(replace(wish, reminded=True), situation.now, situation.zone)
    first = (wish.date or situation.now.date()) if isinstance(settled, TaskQuestion) else settled.day
    last = ending_of(clause, found, first)
    if last is None:
        return wish
    return replace(wish, recurrence={**wish.recurrence, "until": last.isoformat()})


def _length(clause: Clause) -> tuple[int, int] | None:
    """Span and minutes of a duration after a start clock."""
    begins = any(one.start is not None and one.end is None and one.kind == "point" for one in clause.times)
    if not begins or REMINDING.search(clause.text) is not None:
        return None
    length = lasting(clause.text)
    behind = length is not None and all(one.span[1] <= length[0] for one in clause.times)
    return length if behind and not any(one.end is not None for one in clause.times) else None


def expressed(found: TimeExpression, clause: Clause) -> Wish:
    """Time expression as a wish."""
    situation = clause.situation
    whole = _ALL_DAY.search(clause.text) is not None
    segment = found.segment if found.segment != "all_day" or whole else None
    day = found.date
    bare = not names_day(found.text)
    # 12点 at nine in the evening is the coming midnight, not another day.
    midnight = bare and found.start == time(0, 0) and day == situation.now.date() + timedelta(days=1)
    other = day is not None and day != situation.now.date()
    if is_offset(found) and found.moment is not None:
        # 一分钟后 is not rounded: the clock is the minute, `remind_at` the exact moment.
        at = found.moment
        return Wish(date=at.date(), start=at.time().replace(second=0), phrase=found.text, remind_at=at)
    return Wish(
        date=day,
        start=found.start,
        end=found.end,
        end_date=found.end_date if found.recurrence is None or found.each_lasts else None,
        segment=segment if found.start is None else None,
        phrase=found.text,
        ambiguous=None if midnight and found.ambiguous == "which_day" else found.ambiguous,
        invalid=found.invalid or _ticks_beside(found, clause),
        next_day=bare and other and found.ambiguous == "which_day" and not midnight,
        deadline=found.kind == "deadline",
        recurrence=found.recurrence.as_kept() if found.recurrence is not None else None,
    )


def _ticks_beside(found: TimeExpression, clause: Clause) -> str | None:
    """Reason against every hour or so on some days only (工作日10点到18点每两个小时); None for any other
    time."""
    others = (one.recurrence for one in clause.times if one is not found and one.recurrence is not None)
    ticks = found.recurrence is not None and any(each.within_a_day for each in others)
    return _ONLY_SOME_DAYS if ticks else None


_ONLY_SOME_DAYS: Final = "按小时的提醒还不能只在其中几天，请说每天几点到几点每几个小时"


def is_offset(found: TimeExpression) -> bool:
    """True if the time is an offset from now in minutes or hours (10分钟后)."""
    return found.kind == "point" and found.moment is not None


def two(clause: Clause) -> tuple[TimeExpression | None, TimeExpression | None]:
    """Time of the task, and time of its reminder if separate."""
    times = clause.times
    if not times:
        return None, None
    said = REMINDING.search(clause.text)
    eves = [one for one in times if is_eve(one)]
    things = [one for one in times if one not in eves and one.spans[-1][1] <= eves[0].span[0]] if eves else []
    if things and said is not None and eves[0].invalid is None:
        return best(things), _clocked(eves[0])
    if len(times) > 1 and said is not None:
        near = [one for one in times if 0 <= said.start() - one.span[1] <= 3]
        rest = [one for one in times if one not in near and one.span != near[0].span] if near else []
        between = [clause.text[one.span[1] : near[0].span[0]] for one in rest] if near else []
        # 早八点晚八点提醒我吃药: no word says which of two is the reminder's
        listed = len(times_listed(clause)) > 2 or any(not each or AND.fullmatch(each) for each in between)
        if near and rest and near[0].start is not None and not (listed or near[0].recurrence):
            return best(rest), _before(near[0], best(rest))
    evening = evening_until(clause)
    if evening is not None:
        return evening, None
    own, _ = chosen(clause)
    return (own[0] if own[0].start is not None else best(times)), None


def _clocked(eve: TimeExpression) -> TimeExpression:
    """Reminder on the day before, at the start of the named segment."""
    if eve.start is not None:
        return eve
    begins = SEGMENT_BOUNDS[eve.segment][0] if eve.segment not in (None, "all_day") else MORNING
    return replace(eve, start=begins)


def _before(reminder: TimeExpression, thing: TimeExpression) -> TimeExpression:
    """Reminder on the task's day if no day is named; an am/pm clock is the last one before the task."""
    if thing.date is not None and not names_day(reminder.text) and reminder.recurrence is None:
        reminder = replace(reminder, date=thing.date)
    if reminder.ambiguous != "am_pm" or reminder.start is None or thing.start is None:
        return reminder
    late = pm(reminder.start)
    return replace(reminder, start=late if late < thing.start else reminder.start, ambiguous=None)


def best(times: Sequence[TimeExpression]) -> TimeExpression:
    """Most specific expression: the first with a clock, else the first."""
    clocked = [one for one in times if one.start is not None or one.invalid is not None]
    if clocked:
        return clocked[0]
    if times[0].text in _VAGUE and times[0].recurrence is None:  # 年底体检也别忘了，12月中旬
        return next((one for one in times[1:] if one.text not in _VAGUE and one.recurrence is None), times[0])
    return times[0]


_VAGUE: Final = frozenset({"年底", "年末", "月底", "月末", "下个月", "下月", "明年", "下周", "这周", "本周"})


def _without_call(words: str) -> str:
    """Title words without a reminder verb inside: 祭灶提醒我买糖瓜."""
    tokens = words_of(words)
    for at, token in enumerate(tokens[:-1]):
        if at and "remind" in token.classes:
            return f"{words[: token.start].strip()} {words[token.end :].strip()}".strip()
    return words


def title_of(clause: Clause) -> str:
    """Title of the task; empty if none."""
    if titled := clause.words("title"):
        return titled[:LONGEST_TITLE]
    text = clause.text
    clause = on_said_day(clause)
    bought = used_up(text)
    if bought is not None:
        return bought[:LONGEST_TITLE]
    front = fronted(text, clause.times)
    if front is not None:
        return front[:LONGEST_TITLE]
    note = _NOTE.search(text)
    kept = text[: note.start()] if note is not None else text
    length = _length(clause)
    kept = kept if length is None else kept[: length[0]]
    found = extract_title(
        kept, _unlinked(kept, [one for one in clause.times if one.span[1] <= len(kept)], said_again(clause))
    )
    for pattern in (SAID, _PRIORITY, _ALL_DAY, _REMIND_INSIDE):
        found = pattern.sub("", found)
    found = _without_call(found)
    found = _EVE_LEFT.sub("", found) if ahead_in(text, clause.times) is not None else found
    for pattern in (_ORDER_BEHIND, _EDGES, _NAMED, _TIME_LABEL):
        found = pattern.sub("", found).strip()
    marked = _MARKS.match(found)
    if marked is not None:
        found = next(part for part in marked.groups() if part).strip()
    quoted = (clause.situation.quoted or "").strip()
    if _THIS.match(found):
        if quoted:
            found = " ".join(quoted.split())
        elif found:
            found = ""
    if not found and REMINDING.search(text) and not quoted:
        found = eve_of(clause.times) or _unnamed(clause)
    return found[:LONGEST_TITLE].strip()


def _unlinked(
    text: str, times: Sequence[TimeExpression], again: tuple[int, int] | None
) -> list[TimeExpression]:
    """Times extended by parts that are no title words: 和 between two times, durations, leads
    (早一刻钟喊我)."""
    found = list(times)
    for at, (one, following) in enumerate(pairwise(times)):
        end, begin = one.span[1], following.span[0]
        if end < begin and AND.fullmatch(text[end:begin]):
            found[at] = replace(one, spans=(*one.spans, (end, begin)))
    lasts = FOR.search(text)
    if lasts is not None and (any(one.recurrence is not None for one in times) or lasts["an"]):
        found += [replace(one, spans=(lasts.span(),)) for one in times[:1]]
    if again is not None and times:
        found.append(replace(times[-1], spans=(again,)))
    ahead = SAID.search(text)
    if ahead is not None and ahead["bare"]:
        found += [replace(one, spans=(ahead.span(),)) for one in times[:1]]
    return found


def _unnamed(clause: Clause) -> str:
    """Default title of a reminder without a title."""
    text = clause.text
    if re.search("倒计时|[定计]时", text):
        return "倒计时"
    if "闹钟" in text:
        return "闹钟"
    if "提醒" not in text and "通知" not in text:
        return "叫我"
    return "提醒" if any(one.start is not None for one in clause.times) else ""


def description_of(clause: Clause) -> str | None:
    """Note (备注：…), or the full text of a quoted message longer than a title."""
    found = _NOTE.search(clause.text)
    if found is not None:
        return found["note"].strip()[:500]
    quoted = (clause.situation.quoted or "").strip()
    if len(quoted) > LONGEST_TITLE and title_of(clause) == " ".join(quoted.split())[:LONGEST_TITLE].strip():
        return quoted[:2000]
    return None


def assignee_of(clause: Clause) -> str | None:
    """Id of the one @-ed or named member, if not the speaker."""
    person = for_whom(clause)
    return person.member.user_id if person is not None and person.member is not None else None


def slots_of(when: TaskTime) -> dict[str, Any]:
    """Time of a task, by the tools' names; without empty values."""
    found: dict[str, Any] = {"dueDate": when.day.isoformat()}
    if when.start is not None and when.end is not None:
        found |= {"startTime": clock_text(when.start), "endTime": clock_text(when.end)}
    else:
        found["timeSegment"] = when.segment
    if when.remind_at is not None:
        found["remindAt"] = when.remind_at.isoformat(timespec="seconds")
    if when.recurrence is not None:
        found["recurrence"] = when.recurrence
    return found


def time_slots(wish: Wish, clause: Clause) -> dict[str, Any]:
    """Time slots of a new task: the result, or the raw reading if a question is open."""
    situation = clause.situation
    settled = settle(wish, situation.now, situation.zone)
    return raw_slots(dated(wish, situation.now)) if isinstance(settled, TaskQuestion) else slots_of(settled)
