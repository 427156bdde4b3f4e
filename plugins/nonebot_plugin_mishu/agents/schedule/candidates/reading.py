"""Candidates read by the schedule agent's own rules. Pure.

Their slots have seed 0's names: add has `new_time` and `new_description`, delete and query `old_time` and
`old_description`, edit all four; further `end`, `segment`, `recurrence`, `place`, `old_end`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import Final

from ....language import is_name
from ....language.changes.corrections import name_told
from ....language.changes.series_end import end_of_series
from ....language.clause import Clause, Situation
from ....language.clauses.own_days import each_on_its_day
from ....language.clauses.roster import days_of, turns_of
from ....language.names.naming import extract_title, lasting
from ....language.recognise.times import TimeExpression, names_day, parse
from ....language.schedule_phrases import (
    ALSO_PLACE,
    CHANGING,
    ELSEWHERE,
    EVENTS,
    EVERYBODY,
    HELD,
    PLACE_BEFORE,
    PLACE_IS,
    PUT_AT,
    REMINDING,
    RENAMING,
    is_venue,
    lead_minutes,
    leads_in,
    split_place,
    yes_to,
)
from ....language.text.fold import normalise
from ....language.timing.moved_end import end_moved
from ....language.timing.own_times import begins_alone, chosen, ending, ends_at, on_said_day, sensible
from ....language.timing.reminder_leads import SAID, ahead_in
from ....language.timing.series import first_day, stretches, takes_whole
from ....language.timing.shifts import shift_in
from ....language.timing.stored_length import KeptLength, end_asked, kept_length
from ....language.timing.unchanged_parts import without_kept
from ....patterns import Pattern
from ....storage.schedules.records import WALL
from ...routing import place_in
from ..search import apart
from .candidate import Candidate, CandidateTime, Intent, Problem, SearchSpan
from .moments import moved, one_day, readings_of, spans_of, when_of

LONGEST: Final = 200
"""Most characters of a description or place"""

_DELETING: Final = Pattern(
    "(?:从?(?:日程|行程)(?:里|中|表)+|办不成|开不成|去不成|搞不成|不[办去看搞聚约打吃爬玩]了?(?=$|[,，。\\s])|(?:又|被|都)?(?:鸽|黄|吹|泡汤)了?(?=$|[,，。\\s])|(?:取消|暂?停)一次|暂?停开|所有的?|全部的?|整个的?|全(?=删|取消|都|$)|(?:从此)?以后都?|删除掉?|删掉|删了|删|取消掉?|去掉|撤掉|移除|划掉|作废|不要了?|不开了?|不搞了?|不办了?|没了|不去了)"
)
_ASKING: Final = Pattern(
    "是不是|是什么时候|(?:定|改)(?:在|到)(?:了)?(?:几点|几号|哪一?天|周几|什么时候|啥时候)|哪些|报了(?:几|多少)个?人|(?:有|共|一共)?几个人(?:了|报名|参加|去|来)*|(?<=..)(?:的?(?:地点|地方|位置|集合点))(?=在|是|呢|[?？]|$)|发(?:一下)?$|(?:定|放|安排)?在哪(?:里|儿)?(?:开|办|集合|举行|见|打|聚|吃|搞)?|(?:定|改)(?:在|到)(?:几点|几号|哪天|周几|什么时候)|来着|(?:开始|结束|开|办)?了?没有?$|还(?:开|办|去|有)(?=吗|不)|还(?:打|跑|聚|踢|练|搞)(?=吗|不|么|$)|报名了?|发出来|都?排了?|[这那]?(?:一|两|几)[天日次个]|是几点|是哪天|参加|(?:都?有)?谁(?:要|会|想)?(?:去|来|报名)了?(?=$|[,，?呀啊呢])|查看|查询|查一下|查查|查|看看|看一下|看下|看(?!房|牙|病|电影|展|球|医生|海|书|戏|演|比赛|望|店)|列出来?|列一下|显示|告诉我|发一下|有什么|有哪些|有没有|有啥|有多少|是什么|都有谁|有谁|谁"
    "|什么时候|什么时间|啥时候|啥时|什么|啥|哪天|几点钟?|几号|周几|星期几|在哪里?|哪里|哪儿|多少|怎么安排|接下来|最近|所有的?|全部的?|未来|还有|还剩"
    "|列表|清单|[日周晨早简]报|来一?份|一份|日程表|日程|安排|活动|计划|行程|要做|事情|事儿?(?=$|[吗呢?])|我们|咱们|大家|本群|群里?|一下|[上下][一1]?次(?!课)|[的都要是有个吗呢么啊吧了哪?!。,，:]"
)
_POINTING: Final = Pattern(
    "^(?:请|帮我|麻烦|那就?|再|先|给我|你)+(?!个)|^(?:把|将)|(?:的)?(?:时间|日程|活动安排)$"
    "|(?:[那这]个|[那这]场|[那这]次)(?:活动|日程)?$"
    "|[ ,]*(?:帮我|帮忙|麻烦你?)$"
    "|[那这]天$|(?:开始|结束|集合|换个?(?:地方|时间)|挪一挪|以后|从)$"
    "|^(?:这个|那个|这|那)(?:场|个|次)?|^[场次顿](?=..)|^(?:日程|活动)(?=.)|[,，。!~的 ]+$|^的|^[,，:。 ]+"
    "|(?:要|得|就|都|给|吧|了|也)$"
)
_MODIFYING: Final = Pattern(
    "修改|更改|变更|调整|改动|改一?下|改时间|改期|改(?=$|[吧了])|推迟|延后|提前"
    "|(?:延期|取消|不[办去搞开聚约打吃]|黄)了?(?=$|[ ,，])|^取消"
)
_WHOLE_DAY: Final = Pattern("[ ,，]+(?:全天|一?整天)$|^(?:全天|一?整天)[ ,，]*")
_LABEL: Final = Pattern(
    "^(?:本|我们)?群?(?:日程|活动|安排|计划|行程)?(?:表)?(?:提醒)?[:：,，]+"
    "|^(?:加入?|记入?|添加)?(?:到)?群?日程(?:里|表)?[:,， ]*"
)
_MOVED_TO: Final = Pattern("(?:到|至|在)了?$")
"""换到201, 改在操场: without a time after it, a new place"""
_TO_WHAT: Final = Pattern("[成为叫]了?$")
"""改成: new description"""
_THIS_TIME: Final = Pattern("(?:这|本|(?<!下)下)一?次的?")
"""下次的例会: next occurrence"""
_ONE_TIME: Final = Pattern(f"{_THIS_TIME.pattern}|(?:取消|停)一次")
_HOW_MANY: Final = Pattern("^(?:那|这)?(?:俩|[两三四几]个)")
_EVERY_ONE: Final = Pattern(
    "(?:那|这)?(?:俩|[两三四几]个)(?=[^,。]{1,8}[都全])|(?:都|全都?|统统)(?=取消|删|不|去掉|撤)|全部|所有"
)
"""俩评审都取消: all matches"""
_NEEDLESS: Final = frozenset({"不用", "不要", "不必", "就不用", "都不用"})
_GENERIC: Final = frozenset(
    {
        *(
            "日程",
            "日历",
            "活动",
            "安排",
            "计划",
            "行程",
            "个",
            "它",
            "这个",
            "那个",
            "这",
            "那",
            "上面",
            "刚才",
        )
    }
)
_ANYTHING: Final = _GENERIC | {"空", "时间", "事", "事情", "固定", "定期"}
"""Words without a name in a question: 周六有空吗"""


def candidates(intent: Intent, clause: Clause) -> tuple[Candidate, ...]:
    """Candidates of a clause: one, or one for each of several times."""
    match intent:
        case "add":
            turns = days_of(clause) or turns_of(clause) or each_on_its_day(clause) or (clause,)
            return tuple(candidate for turn in turns for candidate in _adding(turn))
        case "edit":
            return (_editing(clause),)
        case _:
            return (_looking(intent, clause),)


def clause_of(text: str, situation: Situation) -> Clause:
    """Clause of any text, in this situation."""
    line = normalise(text)
    return Clause(line, situation, tuple(parse(line, situation.now, situation.zone)))


def _adding(clause: Clause) -> tuple[Candidate, ...]:
    clause = sensible(on_said_day(clause))
    leads = leads_in(clause.text, clause.times, new=True)
    text, length = SAID.sub("", REMINDING.sub("", clause.text)), lasting(clause.text)
    times, used = chosen(clause) if clause.times else ([], [])
    if length is not None and begins_alone(times, length[0]):
        text = text[: length[0]] if text == clause.text else text
        times = [ending(times[0], length[1])]
    titled = clause.words("title")
    description, place = (
        (titled, clause.words("place")) if titled else split_place(_quoted(_said(text, clause, used), clause))
    )
    spot = "" if place else place_in(clause)
    if spot and spot in description and description != spot:
        description, place = description.replace(spot, " ").strip(" ,，、在"), spot
    description = _WHOLE_DAY.sub("", HELD.sub("", description)) or description
    called = _calls_the_group(clause)
    base = Candidate(
        "add",
        new_description=short(_LABEL.sub("", description)),
        place=short(place),
        lead=next(iter(leads), 0 if called else None),
        further_leads=leads[1:],
        everybody=EVERYBODY.search(clause.text) is not None,
        called=called,
    )
    if len(times) == 1 and ends_at(clause, times[0]):
        return (timed(base, Problem("no_time")),)  # 周五喝酒到十二点: no start given
    if _repeats_within_a_day(clause.times):
        text = next(one.text for one in clause.times if one.recurrence is not None)
        return (timed(base, Problem("invalid", text, _ONLY_BY_DAY)),)
    found = [timed(base, when_of(each, clause.situation.now)) for each in times]
    return tuple(found) or (timed(base, Problem("no_time")),)


def _repeats_within_a_day(times: Sequence[TimeExpression]) -> bool:
    """True for every hour or so between two clocks (每小时提醒大家喝水，9点到18点): a schedule that repeats
    so would go on all night."""
    ticks = [one for one in times if one.recurrence is not None and one.recurrence.within_a_day]
    return bool(ticks) and any(one.end is not None for one in times)


_ONLY_BY_DAY: Final = "群里的日程还不能只在一天的几个钟点之间按小时重复，请说每天几点，比如每天10点"


def _calls_the_group(clause: Clause) -> bool:
    """True for a call of the group (提醒大家18点写日报), with at most a time before it."""
    found = EVERYBODY.search(clause.text)
    if found is None:
        return False
    before = clause.text[: found.start()]
    return not extract_title(before, [one for one in clause.times if one.span[1] <= found.start()]).strip(
        " ,，请再也就"
    )


def _said(text: str, clause: Clause, used: Sequence[TimeExpression]) -> str:
    """Description in a text without its times; they are parsed again if words were removed."""
    if not clause.text.startswith(text):
        situation = clause.situation
        again = Clause(text, situation, tuple(parse(text, situation.now, situation.zone)))
        used = chosen(again)[1] if again.times else []
    return EVERYBODY.sub("", extract_title(EVERYBODY.sub("", text) if not used else text, used)).strip(" ,，")


def _quoted(words: str, clause: Clause) -> str:
    """Quoted text as the description of 这个 or of no words."""
    quoted = clause.situation.quoted
    if quoted and words.strip("把将记加下到的成个 ,，") in {
        "",
        "这",
        "这条",
        "这件事",
        "这事",
        "日程",
        "这日程",
    }:
        inner = clause_of(quoted[:LONGEST], clause.situation)
        return extract_title(inner.text, inner.times)
    return words


def timed(candidate: Candidate, when: CandidateTime | Problem) -> Candidate:
    """New candidate with its time, or its problem."""
    if isinstance(when, Problem):
        return replace(candidate, problem=when)
    missing = None if candidate.new_description else Problem("no_description")
    return replace(candidate, when=when, new_time=when.start, problem=missing)


def settled(intent: Intent, clause: Clause) -> Intent:
    """Intent, with 提前半小时提醒大家 read as a lead, not a shift."""
    if intent != "edit" or lead_minutes(clause.text) is None:
        return intent
    rest = REMINDING.sub("", clause.text)
    moves = CHANGING.search(rest) or shift_in(rest) or _MODIFYING.search(rest)
    return "edit" if moves or not clause.times or not _adding(clause)[0].new_description else "add"


def _editing(clause: Clause) -> Candidate:
    told = kept_length(clause)
    if told is not None:
        return _lasting(told, clause)
    clause, closes = end_moved(without_kept(clause))
    found = _edited(clause)
    if found.new_description and not _renames(found, clause):
        found = replace(found, new_description="")
    if not closes:
        return found
    when, problem = found.when, found.problem
    if problem is not None and problem.doubt in ("am_pm", "which_day"):
        options = tuple(replace(each, closes=closes) for each in problem.options)
        problem = replace(problem, options=options)
    return replace(found, when=None if when is None else replace(when, closes=closes), problem=problem)


def _renames(found: Candidate, clause: Clause) -> bool:
    """True if the new name of an edit is one. Beside a new time it must be marked (改名叫) or a result
    (改成周六打篮球); 组会推迟到四点了 and 婚礼改成七点送 keep their names."""
    name, text = found.new_description, clause.text
    if not (found.when or found.shift or found.problem):
        return True
    if RENAMING.search(text) is not None or name_told(text) is not None or "叫" in text:
        return True
    return _INTO.search(text) is not None and EVENTS.search(name.lower()) is not None


_INTO: Final = Pattern("[改换变更调][成为]")


def _lasting(told: KeptLength, clause: Clause) -> Candidate:
    """New end or duration of an existing schedule: 羽毛球打到九点, 再加半小时, 两点到五点."""
    before = [
        each for each in clause.times if each is not told.clock and (told.day is None or each.start is None)
    ]
    base = _named("edit", told.head, clause, before[:1])
    if told.clock is None:
        return replace(base, lasts=told.lasts, longer=told.longer)
    one = told.clock if told.closes else sensible(replace(clause, times=(told.clock,))).times[0]
    today = clause.situation.now.date()
    if told.closes and one.ambiguous == "am_pm" and one.date == today:
        # 跑到七点四十 at ten, start at seven: the end's half of the day does not follow from now.
        one = replace(one, date=today + timedelta(days=1))
    when = when_of(one, clause.situation.now)
    closes = "surely" if told.closes else ""
    if not isinstance(when, Problem):
        when = replace(when, closes=closes)
        return replace(base, when=when, new_time=when.start)
    options = readings_of(one) if when.doubt in ("am_pm", "which_day", "past") else ()
    if not options:
        return replace(base, problem=when)
    # The half of the day is the one after the start; the day is the schedule's own.
    problem = replace(when, doubt="am_pm", options=tuple(replace(each, closes=closes) for each in options))
    return replace(base, problem=problem, new_time=options[0].start)


def _edited(clause: Clause) -> Candidate:
    since = first_day(clause.times)
    if since is not None and since.date is not None and len(clause.times) == 1:
        text = f"{clause.text[: since.span[0]]} {clause.text[since.span[1] :]}"
        return replace(_named("edit", text, clause, ()), begins=since.date.isoformat())
    until = end_of_series(clause)
    if until is not None:
        text = clause.text[: clause.times[0].span[0]]
        named = _named("edit", text[: verb.start()] if (verb := _verb(text)) else text, clause, ())
        return replace(named, ends=until.isoformat())
    called = _called_ahead(clause)
    if called is not None:
        return called
    if clause.act:
        return _edited_as_tagged(clause)
    text, times, now = clause.text, clause.times, clause.situation.now
    named = name_told(text)
    if named is not None:  # 改到3点半 名字改成周会
        other = _edited(clause_of(text[: named[0]], clause.situation))
        return replace(other, new_description=short(named[1]))
    rest = REMINDING.sub("", text)
    moved_place = ALSO_PLACE.search(text)
    if moved_place is not None and (times or shift_in(rest)) and moved_place.start() > 0:
        other = clause_of(text[: moved_place.start()] + text[moved_place.end() :], clause.situation)
        return replace(_edited(other), place=short(moved_place["place"]))
    elsewhere = ELSEWHERE.search(text) or PLACE_IS.fullmatch(text.strip())
    if elsewhere is not None and not times:
        return replace(_named("edit", text[: elsewhere.start()], clause, ()), place=short(elsewhere["place"]))
    moving = shift_in(text, times)
    shift = moving.minutes if moving is not None else 0
    verb = _verb(text)
    if verb is None and not shift and _ends_in_a_clock(clause):
        return _set_to(clause)
    if verb is None:
        head = text[: moving.span[0]] if moving is not None else text
        return replace(_named("edit", head, clause, times[:1] if times else ()), shift=shift)
    before = [each for each in times if each.span[0] < verb.start()]
    after = [each for each in times if each.span[0] >= verb.end() - 1 and each not in before]
    head, tail = text[: verb.start()], text[verb.end() :]
    first = _moved_first(text, before, after)
    if first is not None:  # 聚餐挪到周六去 时间改成八点: the day is part of the new time
        head, after, before = (
            text[: first[0]],
            [first[1], *after],
            [each for each in before if each != first[1]],
        )
    place_only = PLACE_BEFORE.search(head)
    base = _named("edit", PLACE_BEFORE.sub("", head), clause, before[:1])
    if place_only is not None and not after:
        return replace(base, place=short(tail.strip(" ,，。吧了")))
    if len(after) > 1 and after[0].start is None:
        fitted, told = chosen(replace(clause, times=tuple(after)))
        if fitted[0].start is not None:  # 挪到周日下午吧，时间三点
            after = [fitted[0], *(each for each in after if each not in told)]
    when = when_of(after[0], now) if after else None
    rest = extract_title(tail, parse(tail, now, clause.situation.zone)) if after else tail
    rest, place = split_place(REMINDING.sub("", rest))
    rest = _POINTING.sub("", rest.strip(" ,，。!吧了")) if not RENAMING.search(verb.group()) else rest
    if not after and not place and _MOVED_TO.search(verb.group()):
        rest, place = "", rest
    if place and not RENAMING.search(verb.group()) and _TO_WHAT.search(verb.group()) is None:
        rest = ""  # 换到三楼 二楼漏水: a reason
    if not place and not RENAMING.search(text) and is_venue(rest) and not is_venue(base.old_description):
        rest, place = "", rest  # 聚餐换成对面那家湘菜馆
    rest = rest.removeprefix("叫") if after else rest  # 改到一点到六点，叫爬香山
    changed = replace(
        base,
        new_description=short(rest.strip(" ,，。:「」《》\"'")),
        place=short(place),
        shift=0 if after else shift,
    )
    if when is None:
        return changed
    if isinstance(when, Problem):
        return replace(changed, problem=when)
    if after[0].ambiguous == "am_pm" and not when.dated:
        # On the schedule's own day the other reading may be ahead; `nearer` decides.
        options = readings_of(after[0])
        if base.old_time and before[0].start is not None:  # 从9点改到9点半
            when = min(options, key=lambda each: apart(each.start, base.old_time))
        problem = Problem("am_pm", after[0].text, options=options)
        return replace(changed, problem=problem, new_time=when.start)
    if when.weekday_only and len(base.spans) == 1:  # 下周三的会改成周四: of that week
        start = moved(datetime.strptime(base.old_time, WALL), when).strftime(WALL)
        fixed = when.end or (when.segment and when.clocked)
        start = start if when.clocked else f"{start[:10]}{when.start[10:]}"
        when = when if fixed else replace(when, start=start)
    return replace(changed, when=when, new_time=when.start)


def _moved_first(
    text: str, before: Sequence[TimeExpression], after: Sequence[TimeExpression]
) -> tuple[int, TimeExpression] | None:
    """Start of an earlier change verb with a day, and that day, if the last verb has only a clock."""
    if not before or not after or after[0].start is None or names_day(after[0].text):
        return None
    day = before[-1]
    if day.start is not None or day.recurrence is not None or not names_day(day.text):
        return None
    tied = [each for each in CHANGING.finditer(text) if 0 <= day.span[0] - each.end() <= 1 and each.start()]
    return (tied[-1].start(), day) if tied else None


def _called_ahead(clause: Clause) -> Candidate | None:
    """Edit of the reminders alone (聚餐提前一天和提前十分钟各提醒一次); None for any other."""
    text = clause.text
    rest = REMINDING.sub("", text)
    ahead = ahead_in(text, clause.times)
    if ahead is None or rest == text or CHANGING.search(rest) or shift_in(rest):
        return None
    base = _named("edit", rest, clause, clause.times[:1])
    lead, *further = ahead.leads
    return replace(base, lead=lead, further_leads=tuple(further), also_leads=ahead.beside)


def _edited_as_tagged(clause: Clause) -> Candidate:
    """Edit by the tagger's spans: 把[周五的羽毛球]挪到[八点] [南门球馆]."""
    times, now = clause.times, clause.situation.now
    pointing = [each for each in times if clause.within("ref", each)]
    becoming = [each for each in times if each not in pointing]
    moving = shift_in(clause.text, times)
    base = replace(
        _named("edit", clause.words("ref"), clause, pointing[:1]),
        new_description=short(clause.words("new_title")),
        place=short(clause.words("place")),
        shift=moving.minutes if moving is not None else 0,
    )
    if not becoming or base.shift:
        return base
    said = _last_said(clause, becoming)
    when = when_of(said, now)
    if not isinstance(when, Problem):
        return replace(base, when=when, new_time=when.start)
    if said.ambiguous != "am_pm":
        return replace(base, problem=when)
    options = readings_of(said)
    problem = Problem("am_pm", said.text, options=options)
    return replace(base, problem=problem, when=options[0], new_time=options[0].start)


def _last_said(clause: Clause, times: Sequence[TimeExpression]) -> TimeExpression:
    """New time: the last expression, with a clock merged into its day or segment
    (挪到周日下午吧，时间三点)."""
    last = times[-1]
    if last.start is None or times[0].start is not None:
        return last
    fitted, _ = chosen(replace(clause, times=tuple(times)))
    return fitted[0] if fitted[0].start is not None else last


def _ends_in_a_clock(clause: Clause) -> bool:
    """True for a new time without a change verb, at the end or before a reason: 羽毛球 场地没了 八点吧;
    周六那顿饭 七点开始吧 太赶了."""
    last = clause.times[-1] if clause.times else None
    if last is None or last.spans[-1][0] == 0:
        return False
    if last.start is None and PUT_AT.search(clause.text[: last.spans[-1][0]]) is None:
        return False
    return _BEGINS.match(clause.text, last.spans[-1][1]) is not None


_BEGINS: Final = Pattern("(?:开始|开场|开打|开吃)?[吧了哈啊呗。! ]*(?:$|(?<= )|[,，])")


def _set_to(clause: Clause) -> Candidate:
    last = clause.times[-1]
    head = PUT_AT.sub("", clause.text[: last.spans[-1][0]])
    base = _named("edit", head, clause, clause.times[:-1][:1])
    when = when_of(last, clause.situation.now)
    if isinstance(when, Problem):
        return replace(base, problem=when)
    return replace(base, when=when, new_time=when.start)


_ONLY_NAMES: Final = Pattern(
    "^(?:请|帮我|给我|麻烦你?|我?(?:要|想))*(?:修改|更改|变更|调整|改动|改一?下|改)[^,。到成为]+"
    "的(?:日程|行程|活动|安排)[吧了啊,。! ]*$"
)
"""修改明天下午三点开会的日程: no new value yet"""


def _verb(text: str) -> re.Match[str] | None:
    """Last change verb with words after it."""
    if _ONLY_NAMES.match(text) is not None:
        return None
    found = [each for each in CHANGING.finditer(text) if text[each.end() :].strip(" ,，。!吧了")]
    return found[-1] if found else None


def _looking(intent: Intent, clause: Clause) -> Candidate:
    head = end_asked(clause) if intent == "query" else None
    if head is not None:
        last = clause.situation.last
        said = head or (last.name if last is not None else "")
        return replace(_named(intent, said, clause, clause.times[:1]), end_asked=True)
    said = clause.words("ref") or clause.text
    found = _named(intent, said, clause, clause.times[:1])
    if intent == "delete":
        return _of_days(found, clause)
    if intent == "query" and found.old_description:
        found = replace(found, yes=yes_to(clause.text))
    if len(clause.times) > 1 and stretches(clause.times):  # 周六周日都有啥
        spans = tuple(span for each in clause.times for span in spans_of(each, clause.situation.now))
        return replace(found, spans=spans)
    return found


def _of_days(found: Candidate, clause: Clause) -> Candidate:
    """Deletion on the named days, or of the whole series."""
    times, now = clause.times, clause.situation.now
    if takes_whole(clause.text, times):
        return replace(found, once=False)
    days = stretches(times)
    if not days:
        return found
    spans = [span for one in times for span in spans_of(one, now)]
    spans = (
        [
            replace(span, last=min(span.last, datetime.combine(last, time(23, 59)).strftime(WALL)))
            for span, (_, last) in zip(spans, days, strict=True)
        ]
        if len(spans) == len(days)
        else spans
    )
    return replace(found, spans=tuple(spans), once=True, listed=len(days) > 1)


def _named(intent: Intent, text: str, clause: Clause, times: Sequence[TimeExpression]) -> Candidate:
    """Candidate for an existing schedule, by words and time."""
    spans: tuple[SearchSpan, ...] = ()
    if times:
        spans = spans_of(times[0], clause.situation.now)
    invalid = times[0].invalid if times else None
    words = extract_title(text, parse(text, clause.situation.now, clause.situation.zone))
    dropped = {"query": _ASKING, "edit": _MODIFYING, "delete": _DELETING}
    words = dropped[intent].sub("", words)
    if intent == "query" and (title := extract_title(words, ())) and words.startswith(title):
        words = title  # 团本到底几点
    every = intent == "delete" and _EVERY_ONE.search(text) is not None
    words = _EVERY_ONE.sub("", words) if every else _HOW_MANY.sub("", words, 1)
    this_time = _ONE_TIME.search(text) is not None
    words = _THIS_TIME.sub("", words, 1)
    for _ in range(6):
        words = _POINTING.sub("", words.strip())
    words = _event_among(words)
    description = "" if words in (_ANYTHING if intent == "query" else _GENERIC) else short(words)
    if intent == "delete" and spans and words in _NEEDLESS:
        description = ""  # 周五不用: of the last mentioned schedule
    if intent == "query" and spans and not is_name(description, text):
        description = ""  # 12月8号啥安排
    problem = Problem("invalid", times[0].text, invalid) if invalid else None
    return Candidate(
        intent,
        old_time=spans[0].first if spans else "",
        old_description=description,
        spans=spans,
        every=every,
        nameable=not description or is_name(description, text),
        once=this_time or (bool(times) and one_day(times[0])),
        problem=problem,
    )


def _event_among(words: str) -> str:
    """The one part with an event; other parts are reasons (篮球赛取消，场地没订到)."""
    pieces = [piece for piece in re.split("[,， ]+", words) if piece]
    events = [piece for piece in pieces if EVENTS.search(piece.lower())]
    return events[0] if len(pieces) > 1 and len(events) == 1 else words


def short(text: str) -> str:
    """Text in one line, cut to `LONGEST`."""
    return " ".join(text.split())[:LONGEST]
