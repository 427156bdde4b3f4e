"""Reply texts of the schedule agent: dates with weekday, ranges with end. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from itertools import groupby

from ...language.recognise.times import WEEKDAYS as CODES
from ...language.recognise.times import Recurrence
from ...storage.schedules.records import WALL, SchedulePlan, ScheduleRecord
from .candidates.candidate import Candidate, CandidateTime, Problem
from .timetable import Occasion, by_day, length, recurrence_of, upcoming

WEEKDAYS = ("周一", "周二", "周三", "周四", "周五", "周六", "周日")
SEGMENTS = {
    "early_morning": "凌晨",
    "morning": "早上",
    "forenoon": "上午",
    "noon": "中午",
    "afternoon": "下午",
    "evening": "晚上",
    "all_day": "全天",
}
_DAYS_NAMED = 7
LONGEST_LIST = 30
"""Most lines of a list; the rest is counted"""

WHICH_TIME = "什么时候？"
WHAT = "要记什么事？"
NOTHING_FOUND = "没找到要{verb}的日程{what}，说清是哪天的什么事就行"
UNCLEAR_WHICH = "没听懂要{verb}哪个日程，说清是哪天的什么事就行"
UNCLEAR_ASKED = "没听懂问的是哪个日程，说它叫什么、哪天的就行"
NOT_ALLOWED = "「{what}」是{creator}建的，只有TA和管理员能{verb}"
NO_PLACE = "在哪没有记过，说「地点在…」我就记上。"
NO_PART = "「{what}」的{part}我没有单独记，没改。能改时间、地点和名字，要改什么？"
AS_IT_IS = "「{what}」本来就是{when}，没有动。"
NO_CHANGE = "「{what}」要改成什么？"
REFUSED = "没弄清要{verb}哪个日程，什么都没动，说清是哪天的什么事就行"
ONE_TIME = "说了好几个时间，一次记一个，"
OUTDATED = "这个日程刚刚变过，我什么都没动，再说一次吧"
NOTHING_TO_NOTE = "没听懂要记什么，带上时间和事情再说一次，比如「明天下午三点开会」"
NOT_KEPT = "（「{}」日程里没处写，没记进去）"
SAY_YES = "要删就回「确认」，不删就回「留着」"
KEPT = "好，没删，日程还在"
KEPT_WHICH = "好，没删，日程还在。要删哪个、哪次，说日期和名字，比如「取消明天的例会」"
NOTHING_IN_IT = "里面没有以后的安排，什么都没记"
NOT_UNDERSTOOD = "没听懂。回「确认」就记成日程，「不用」就算了"
SERIES = "「{what}」是重复的（{when}），要整个改就说新的规律，比如「改到每周四下午三点」"
NO_BEGINNING = "「{what}」没记几点开始，没改。几点到几点？比如「{what}两点到四点」"
NO_END = "「{what}」没记几点结束，没改。几点结束，或者一共多久？比如「{what}五点结束」"
TOO_SHORT = "「{what}」一共才{lasts}，没改。几点结束？"
ENDS_TOO_LATE = "「{what}」{end}结束，和开始的时间对不上，没改。几点到几点？"
DELETES_SERIES = (
    "「{what}」是重复的（{when}）。只停一次就说日期，比如「取消明天的{what}」；"
    "要全部删掉、以后都不再有吗？回「确认」才删"
)
WHICH_OF_SERIES = "「{what}」是重复的（{when}），一次一天，要{verb}几月几号的？"
VERBS = {"add": "记下", "edit": "改", "delete": "删", "query": "查", "join": "参加", "leave": "退出"}


def day(moment: datetime, now: datetime) -> str:
    """Date with weekday; with the year if not this year."""
    year = f"{moment.year}年" if moment.year != now.year else ""
    return f"{year}{moment.month}月{moment.day}日 {WEEKDAYS[moment.weekday()]}"


def moment(start: datetime, lasts: timedelta | None, segment: str, now: datetime) -> str:
    """Time in words: 11月19日 周四 15:00–17:00, 11月21日 周六下午."""
    end = start + lasts if lasts is not None else None
    if segment == "all_day":
        if end is not None and end.date() != start.date():
            return f"{day(start, now)}至{day(end, now)}"
        return f"{day(start, now)}全天"
    if segment:
        return f"{day(start, now)}{SEGMENTS.get(segment, '')}"
    text = f"{day(start, now)} {start:%H:%M}"
    if end is None:
        return text
    return f"{text}–{end:%H:%M}" if end.date() == start.date() else f"{text}–{day(end, now)} {end:%H:%M}"


def when_text(when: CandidateTime, now: datetime) -> str:
    """Time of a candidate."""
    plan = SchedulePlan(
        when.start,
        str(now.tzinfo),
        "",
        when.end or None,
        when.segment or None,
        None,
        when.recurrence,
        when.until,
    )
    return plan_time(plan, now)


def plan_time(plan: SchedulePlan, now: datetime) -> str:
    """Time of a plan; of a series its rule and next occurrence."""
    start = upcoming(plan, now) or plan.begins
    next_time = moment(start, length(plan), plan.segment or "", now)
    recurrence = recurrence_of(plan.recurrence)
    if recurrence is None:
        return next_time
    until = f"，到{day(datetime.fromisoformat(plan.until), now)}为止" if plan.until else ""
    off = "、".join(f"{each.month}月{each.day}日" for each in recurrence.without if each >= now.date())
    without = f"（{off}除外）" if off else ""
    return f"{rule(recurrence, plan)}{without}，下次 {next_time}{until}"


def rule(recurrence: Recurrence, plan: SchedulePlan) -> str:
    """Recurrence in words: 每周三 15:00, 每两周周五."""
    clock = (
        "" if plan.segment == "all_day" else SEGMENTS.get(plan.segment or "", "") or f" {plan.begins:%H:%M}"
    )
    count = "两" if recurrence.interval == 2 else str(recurrence.interval)
    every = "每" if recurrence.interval == 1 else f"每{count}"
    days = "、".join(_weekday(code) for code in recurrence.byday)
    match recurrence.freq:
        case "weekly":
            unit = "周" if recurrence.interval > 1 else ""
            words = f"{every}{unit}{days or WEEKDAYS[plan.begins.weekday()]}"
        case "monthly":
            unit = "每月" if recurrence.interval == 1 else f"{every}个月"
            words = f"{unit}{days or _day_of_month(recurrence, plan)}"
        case "yearly":
            month = recurrence.bymonth or plan.begins.month
            unit = "每年" if recurrence.interval == 1 else f"{every}年"
            words = f"{unit}{month}月{days or _day_of_month(recurrence, plan)}"
        case "lunar_yearly":
            words = f"每年农历{recurrence.bymonth}月{recurrence.bymonthday}日"
        case "workday":
            words = "每个工作日"
        case _:
            units = {"daily": "天", "hourly": "小时", "minutely": "分钟"}
            words = f"{every}{units[recurrence.freq]}"
    lasts = length(plan)
    if lasts is not None and lasts >= timedelta(days=1):
        return f"{words}{clock}起{lasts.days + 1}天"
    return f"{words}{clock}"


def _weekday(code: str) -> str:
    names: dict[str, str] = dict(zip(CODES, WEEKDAYS, strict=True))
    place = code[:-2]
    if not place:
        return names[code]
    day = names[code[-2:]]
    if place == "-1":
        return f"最后一个{day}"
    return f"倒数第{place[1:]}个{day}" if place.startswith("-") else f"第{place}个{day}"


def _day_of_month(recurrence: Recurrence, plan: SchedulePlan) -> str:
    number = recurrence.bymonthday if recurrence.bymonthday is not None else plan.begins.day
    return "最后一天" if number == -1 else f"{number}日" if number > 0 else f"倒数第{-number}天"


def line(schedule: ScheduleRecord, now: datetime) -> str:
    """A schedule in one line."""
    return _line(plan_time(schedule.plan, now), schedule)


def _line(time: str, schedule: ScheduleRecord) -> str:
    place = f"，{schedule.plan.place}" if schedule.plan.place else ""
    return f"{time} {schedule.description}{place}"


def candidate_line(candidate: Candidate, now: datetime) -> str:
    """Candidate in one line, for a question."""
    place = f"，{candidate.place}" if candidate.place else ""
    time = when_text(candidate.when, now) if candidate.when is not None else ""
    if not time and candidate.problem is not None:
        time = candidate.problem.said
    new = " ".join(part for part in (time, candidate.new_description) if part) + place
    if candidate.intent == "add":
        return f"{new}{_leads(candidate.lead, candidate.further_leads)}" if candidate.further_leads else new
    old = f"「{candidate.old_description}」" if candidate.old_description else "日程"
    if candidate.old_time:
        old = f"{day(datetime.strptime(candidate.old_time, WALL), now)}的{old}"
    if candidate.intent == "delete":
        return f"取消{old}"
    if candidate.lasts:
        return f"把{old}改成一共{lasting(candidate.lasts)}"
    if candidate.longer:
        return f"把{old}{'延长' if candidate.longer > 0 else '缩短'}{lasting(abs(candidate.longer))}"
    if candidate.when is not None and candidate.when.closes == "surely":
        return f"把{old}的结束时间改到{candidate.when.start[11:16]}"
    if candidate.shift:
        new = f"{'推迟' if candidate.shift > 0 else '提前'}{lasting(abs(candidate.shift))}"
        return f"把{old}{new}"
    if candidate.place and not time and not candidate.new_description:
        return f"把{old}的地点改成{candidate.place}"
    return f"把{old}{'改到' if candidate.when is not None else '改成'}{new}"


def lasting(minutes: int) -> str:
    """Duration: 半小时, 90分钟, 2小时, 1天."""
    for unit, size in (("天", 1440), ("小时", 60)):
        if minutes % size == 0:
            return f"{minutes // size}{unit}"
    return "半小时" if minutes == 30 else f"{minutes}分钟"


def question(candidates: Sequence[Candidate], now: datetime) -> str:
    """Question before candidates are stored (NEED_CONFIRM)."""
    lines = [candidate_line(each, now) for each in candidates]
    if len(lines) == 1:
        if candidates[0].intent == "add":
            return f"要把这个记成群日程吗？\n{lines[0]}"
        return f"要{lines[0]}吗？"
    listed = "\n".join(f"{number}. {each}" for number, each in enumerate(lines, 1))
    if all(each.intent == "delete" for each in candidates):
        return f"这{len(lines)}个都要取消吗？\n{listed}"
    if all(each.intent == "edit" for each in candidates):
        return f"要这样改吗？\n{listed}"
    return f"要把这{len(lines)}个记成群日程吗？\n{listed}"


def doubt(problem: Problem, now: datetime) -> str:
    """Question about an unusable time or description."""
    options = [when_text(each, now) for each in problem.options]
    match problem.doubt:
        case "no_time":
            return WHICH_TIME
        case "no_description":
            return WHAT
        case "invalid" if "请说" in problem.reason:
            return problem.reason
        case "invalid":
            return f"「{problem.said}」不对：{problem.reason}。{WHICH_TIME}"
        case "past":
            return f"「{problem.said}」已经过了。{WHICH_TIME}"
        case "several":
            return f"要记的是哪个时间？\n{numbered(options)}"
        case _:
            if len(options) == 1:
                return f"「{problem.said}」是指{options[0]}吗？"
            return f"「{problem.said}」是指哪个？\n{numbered(options)}"


def numbered(lines: Sequence[str]) -> str:
    """A numbered list."""
    return "\n".join(f"{number}. {each}" for number, each in enumerate(lines, 1))


def _reminds(schedule: ScheduleRecord) -> str:
    """Lead of the reminder, if chosen."""
    lead = schedule.plan.lead_minutes
    if lead == 0 and schedule.plan.to_group:
        return "（到点提醒大家）"
    return _leads(lead, schedule.plan.further_leads)


def _leads(lead: int | None, further: Sequence[int]) -> str:
    """（提前1天、提前2小时和提前10分钟各提醒一次）. Without a lead of its own it has the usual one beside."""
    leads = [each for each in (lead, *further) if each is not None]
    said = [f"提前{lasting(each)}" if each else "到点" for each in leads]
    listed = "和".join(part for part in ("、".join(said[:-1]), *said[-1:]) if part)
    if lead is None:
        return f"（另外{listed}提醒）" if said else ""
    return f"（{listed}提醒）" if len(said) == 1 else f"（{listed}各提醒一次）"


def added(schedules: Sequence[ScheduleRecord], now: datetime) -> str:
    """Reply for added schedules."""
    if len(schedules) == 1:
        return f"日程记下了：{line(schedules[0], now)}{_reminds(schedules[0])}"
    return f"记下了{len(schedules)}个日程：\n" + numbered([line(each, now) for each in schedules])


def changed(schedules: Sequence[ScheduleRecord], now: datetime) -> str:
    """Reply for changed schedules."""
    if len(schedules) == 1:
        return f"日程改好了：{line(schedules[0], now)}{_reminds(schedules[0])}"
    return f"改好了{len(schedules)}个日程：\n" + numbered([line(each, now) for each in schedules])


def deleted(schedules: Sequence[ScheduleRecord], now: datetime) -> str:
    """Reply for deleted schedules."""
    if len(schedules) == 1:
        return f"日程删掉了：{line(schedules[0], now)}"
    return f"删掉了{len(schedules)}个日程：\n" + numbered([line(each, now) for each in schedules])


def left_out(
    schedule: ScheduleRecord, days: Sequence[date], moved_to: ScheduleRecord | None, now: datetime
) -> str:
    """Reply for occurrences left out, or one moved."""
    if moved_to is not None:
        return f"{_days(days, now)}的「{schedule.description}」这次改到：{line(moved_to, now)}。其余照常"
    following = upcoming(schedule.plan, now)
    stays = "其余照常" + (f"，下次是{day(following, now)}" if following is not None else "")
    return f"取消了{_days(days, now)}的「{schedule.description}」，{stays}"


def leaves_out(schedule: ScheduleRecord, days: Sequence[date], now: datetime) -> str:
    """Series and the days to leave out."""
    return f"{_days(days, now)}的「{schedule.description}」"


def deletes_together(schedules: Sequence[ScheduleRecord], now: datetime) -> str:
    """Question before the deletion of several, series included."""
    listed = numbered([line(each, now) for each in schedules])
    return f"这{len(schedules)}个都要删掉吗？重复的以后也没有了，回「确认」才删\n{listed}"


def _days(days: Sequence[date], now: datetime) -> str:
    if len(days) > _DAYS_NAMED:
        first, last = (day(datetime.combine(each, time()), now) for each in (days[0], days[-1]))
        return f"{first}到{last}共{len(days)}次"
    return "、".join(day(datetime.combine(each, time()), now) for each in days)


def not_allowed(schedule: ScheduleRecord, intent: str) -> str:
    """Refusal, with the members who may change it."""
    creator = schedule.creator or "别人"
    return NOT_ALLOWED.format(what=schedule.description, creator=creator, verb=VERBS[intent])


def attends(schedule: ScheduleRecord, name: str, joins: bool, now: datetime) -> str:
    """Reply for a member joining or leaving."""
    with_them = f"（共{len(schedule.joined)}人）" if schedule.joined else ""
    return f"{name}{'参加' if joins else '不参加了'}：{line(schedule, now)}{with_them}"


def call_off(schedule: ScheduleRecord) -> str:
    """Words for cancelling the schedule, for its creator who only leaves."""
    return f"要整个取消就说「取消{schedule.description}」"


def coinciding(others: Sequence[ScheduleRecord], now: datetime) -> str:
    """Schedules at the same time."""
    return "同一时间还有：" + "；".join(line(each, now) for each in others[:3])


def which(schedules: Sequence[ScheduleRecord], intent: str, now: datetime) -> str:
    """Question for one of several."""
    return f"要{VERBS[intent]}哪个？\n" + numbered([line(each, now) for each in schedules])


def whether(schedule: ScheduleRecord, intent: str, now: datetime) -> str:
    """Question before joining or leaving, if the member is unsure."""
    return f"要{VERBS[intent]}吗？\n{line(schedule, now)}"


def listing(
    found: Sequence[Occasion], title: str, now: datetime, days: tuple[date, date] | None = None
) -> str:
    """List of occurrences by day; with `days` (first and last), one of several days is on each."""
    lines = [title]
    standing = [(each.begins.date(), each) for each in found] if days is None else by_day(found, *days)
    for on, group in groupby(standing[:LONGEST_LIST], key=lambda each: each[0]):
        head = day(datetime.combine(on, time(), now.tzinfo), now)
        if not title.startswith(f"{head}的"):
            lines.append(head)
        lines += [
            f"  {_line(_clock(each, on, now), each.schedule)}{_who(each.schedule)}" for _, each in group
        ]
    if len(standing) > LONGEST_LIST:
        lines.append(f"还有{len(standing) - LONGEST_LIST}个没有列出")
    return "\n".join(lines)


def _clock(occasion: Occasion, on: date, now: datetime) -> str:
    """Time on one of its days: 18:00–11月21日 周六 12:00, then 全天（到…）, and 到12:00 on the last."""
    plan = occasion.schedule.plan
    lasts = length(plan)
    if plan.segment != "all_day" and lasts is not None and on > occasion.begins.date():
        ends = occasion.begins + lasts
        return f"到{ends:%H:%M}" if ends.date() == on else f"全天（到{day(ends, now)} {ends:%H:%M}）"
    if plan.segment == "all_day" and lasts is not None and lasts >= timedelta(days=1):
        return f"全天（到{day(occasion.begins + lasts, now)}）"
    text = moment(occasion.begins, lasts, plan.segment or "", now)
    return text.removeprefix(day(occasion.begins, now)).strip()


def _who(schedule: ScheduleRecord) -> str:
    names = "、".join(each.name for each in schedule.joined[:10])
    return f"（参加：{names}{'等' if len(schedule.joined) > 10 else ''}）" if names else ""


def details(schedules: Sequence[ScheduleRecord], now: datetime) -> str:
    """Schedules in detail, each with date and weekday."""
    lines = [line(each, now) + _who(each) for each in schedules[:LONGEST_LIST]]
    if len(schedules) > LONGEST_LIST:
        lines.append(f"还有{len(schedules) - LONGEST_LIST}个没有列出")
    return "\n".join(lines)


def without_end(schedules: Sequence[ScheduleRecord]) -> str:
    """Note on schedules without an end, after a query for it."""
    unknown = [f"「{each.description}」" for each in schedules[:3] if not each.plan.end]
    return f"{'、'.join(unknown)}没记几点结束，可以说“打到几点”或者“一共多久”" if unknown else ""


def stretch(first: str, last: str, now: datetime) -> str:
    """Range of days, for the head of a list."""
    begins, ends = datetime.strptime(first, WALL), datetime.strptime(last, WALL)
    if begins.date() == ends.date():
        return day(begins, now)
    return f"{day(begins, now)}至{day(ends, now)}"


def reminder(plan: SchedulePlan) -> str:
    """Text of a reminder, made with the schedule and sent when due."""
    start = plan.begins
    recurrence = recurrence_of(plan.recurrence)
    if recurrence is not None:
        time = rule(recurrence, plan)
    else:
        time = moment(start, length(plan), plan.segment or "", start)
    place = f"，{plan.place}" if plan.place else ""
    return f"{time} {plan.description}{place}"
