"""Task references (买菜, 第二个, 明天的那个) and changes of an order. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from ....language import is_name
from ....language.changes.corrections import name_told
from ....language.changes.series_end import end_of_series
from ....language.clause import Clause
from ....language.recognise.numerals import NUMERAL, parse_integer
from ....language.recognise.times import TimeExpression, names_day, parse
from ....language.schedule_phrases import is_venue
from ....language.timing.reminder_leads import ahead_in, calls_ahead, minutes_of
from ....language.timing.shifts import shift_in
from ....language.timing.unchanged_parts import without_kept
from ....patterns import Pattern
from ..frames import Change, TaskReference
from .new_task import REMINDING, best, expressed, priority_in
from .task_time import Wish

_PAUSE: Final = Pattern("[ ,，]+")
_NUMBER: Final = rf"(?:\d{{1,3}}|{NUMERAL})"
_POSITION: Final = Pattern(
    rf"第(?P<ordinal>{_NUMBER})(?:个|条|项|件|号)?|(?P<last>最后一?(?:个|条|项|件))"
    rf"|(?:任务|待办|编号|序号|[#＃])(?:编号|序号)?(?P<behind>\d{{1,3}})(?![\d点:月日号年个])"
    rf"|(?P<before>\d{{1,3}})号(?:任务|待办)|^(?P<alone>\d{{1,3}})$"
)
_SPEAKING: Final = (
    r"请|麻烦你?|拜托|帮我|帮忙|给我|替我|我要|我想|我把|把|将"
    r"|能不能|可不可以|可以|你|一下子?|吧|啊|呀|哦|呢|嘛|啦|谢谢"
)
_THINGS: Final = r"(?:任务列表|任务清单|待办列表|待办清单|任务|待办事项|待办|事项|提醒|闹钟|日程)"
_LEADING: Final = Pattern(
    rf"^(?:{_SPEAKING}|我|给|的|(?:不用|不要|不必|不需要|别)?再?(?:提醒|叫|喊|催)我?|不用|不必|不需要|用不着|甭|别|降低|提高|提升|调[高低]|先|下次|开始|起|晚点|稍后|那就|就|所以|反正|那么|那个|这个|那条|这条|叫做?|名为|关于"
    rf"|{_THINGS}[:：]?|[,，。 :：「『“\"'《]|已经?|都|也)++"
)
_TRAILING: Final = Pattern(
    rf"(?:{_SPEAKING}|(?:的|这个|那个|这条|那条|这件|那件)?{_THINGS}?(?:的(?:时间|日期|截止时间|期限|提醒时间|提醒|优先级别?|标题|名字|名称|内容))?"
    rf"|的(?:那个|那条|事情?|这个)?|[那这]件?事(?:情|儿)?|[,，。!！ 」』”\"'》]|了|已经?|都|先|去"
    r"|(?:不用|不必|不需要|用不着|不)(?:再)?(?:去|做|弄|办|要|用|了)?"
    r"|[哈哦哟噢]|我|[,， ]?(?:都|已经?)?(?:过|完)$|[,， ](?:可以)?(?:标记|划掉|勾掉|打[勾钩])(?:一下|掉|上)?"
    r"|[,， ](?:[这那](?:[条个项]|任务))?可以(?:完成|划掉|勾掉)?|往后|往前"
    r"|(?i:done|ok)"
    r"|(?<=..)(?:的?(?:截止)?时间|的?优先级|的?标题|的?名字))$"
)
_DELETE: Final = Pattern(
    r"(?:不需要|用不着)了?$|关掉|停掉|清空|删除掉?|删掉|删了|删(?=[^除掉了])|删$|取消掉?|去掉|移除|撤掉|划掉|清掉|清除|不要了?$|不用(?:做|弄|办)?了$|作废"
)
_COMPLETE: Final = Pattern(
    r"标记?(?:为|成)?(?:已)?(?:完成|做完)|标为(?:已)?(?:完成|做完)|设为(?:已)?完成|改(?:为|成)(?:已)?完成|(?:已经?)?(?:完成"
    r"|搞定|办妥|打个?[勾钩]|勾掉|划掉)(?:掉|了)?"
    r"|(?:已经?)?(?P<verb>[一-鿿])(?:完|好)(?:了|啦)(?P<object>.*)$|(?:已经?)?(?:做|弄|办|搞)完(?=.)"
)
_CHANGE: Final = Pattern(
    r"(?P<verb>往[后前](?:推迟|[推调拖挪延移赶改放])|延长|缩短|(?:改约|改订|改排|延|推|拖|放|缓|搁)(?=到|至)|降低|提高|提升|调高|调低|推迟|延后|延迟|延期|推后|顺延|提前|提早|改期|改名|重命名|更名|修改|更改|改|挪|调整?|换|移|设置?|更新|变更?|定|标)(?:一下)?(?P<to>到"
    r"|成|为|至|在|叫)?|加(?:个|上)?备注|备注(?:一下)?(?=改|[:：,，是为])"
)
_BECOMING: Final = Pattern(r"到|成|为|至")
_NOTE: Final = Pattern(r"备注(?:一下|改)?(?:成|为|是|[:：,， ])*(?P<note>.+)$")
_ALL: Final = Pattern(r"全部|所有|全都|都(?=删|完成|取消|做完|清|$| )")
_FINISHED: Final = Pattern(r"(?:已经?|都)?(?:完成|做完|办完)了?的(?:那些|所有)?(?:任务|待办|事)")
_FROM_THEN: Final = ("开始", "起", "以后", "之后")
_WAYS: Final = ("线上", "线下", "视频", "电话")
_NO_NAME: Final = {"时间", "日期", "截止时间", "期限", "提醒时间", "提醒", "优先级", "和", "我", "给"}
_THIS: Final = Pattern(r"(?:这|那|刚才|刚刚|上)(?:一?个|条|件)?(?:的)?(?:事|任务|待办)?|它|此事")


def target(intent: str, clause: Clause) -> TaskReference:
    """Reference of a delete, complete or update order."""
    if pointing := clause.words("ref"):
        return _reference(pointing, clause)
    if intent == "update_task":
        clause = without_kept(clause)
        head, tail = _halves(clause)
        behind = clause.text[tail : _becoming(clause, head, tail)]
        if calls_ahead(clause.text) and behind.startswith((",", "，")):
            behind = ""  # 提前三天也要提醒，我要买礼物: a reason
        return _reference(behind or clause.text[:head], clause)
    if intent == "delete_task" and _FINISHED.search(clause.text):
        return TaskReference(everything=True, finished=True)
    pattern = _DELETE if intent == "delete_task" else _COMPLETE
    found = pattern.search(clause.text)
    if found is None:
        return _reference(clause.text, clause)
    spoken = found.groupdict()
    if spoken.get("verb"):
        verb = spoken["verb"] if spoken["verb"] not in "做弄办搞" else ""
        rest = f"{clause.text[: found.start()]} {verb}{spoken['object']}"
    else:
        rest = _beside(clause, found.start(), found.end())
    return _reference(rest, clause)


def _beside(clause: Clause, start: int, end: int) -> str:
    """Words around a verb: its own piece if it has a name, with time pieces; others are reasons (外出取消
    客户放鸽子)."""
    text = clause.text
    left = max((found.end() for found in _PAUSE.finditer(text, 0, start)), default=0)
    right = next((found.start() for found in _PAUSE.finditer(text, end)), len(text))
    own = f"{text[left:start]} {text[end:right]}"
    if not _plain(own):
        return f"{text[:start]} {text[end:]}"
    timed = [time.text for time in clause.times if time.span[1] <= left or right <= time.span[0]]
    return " ".join([*timed, own])


def _reference(text: str, clause: Clause) -> TaskReference:
    days: tuple[date, date] | None = None
    for one in clause.times:
        piece = clause.text[one.span[0] : one.span[1]]
        begins = piece.endswith(_FROM_THEN) or clause.text[one.span[1] :].startswith(_FROM_THEN)
        if piece in text and one.date is not None and one.invalid is None and begins:
            text = text.replace(piece, " ", 1)  # 下周开始改到周四: a start, no reference
        elif piece in text and one.date is not None and one.invalid is None:
            last = one.end_date if one.end_date and one.kind == "date_range" else one.date
            first = clause.situation.now.date() if one.kind == "deadline" else one.date
            days = days or (min(first, one.date), last)
            text = text.replace(piece, " ", 1)
    positions = tuple(dict.fromkeys(_positions(text)))
    text = _POSITION.sub(" ", text)
    everything = _ALL.search(text) is not None or clause.text.startswith("清空")
    words = _plain(_ALL.sub(" ", text))
    words = "" if words in _NO_NAME else words
    this = bool(words) and _THIS.fullmatch(words) is not None
    if not words and not positions and _THIS.search(text):
        this = True
    nameable = not words or is_name(words, clause.text)
    return TaskReference("" if this else words, positions, days, everything, this, nameable)


def _positions(text: str) -> list[int]:
    found: list[int] = []
    for one in _POSITION.finditer(text):
        spoken = one["ordinal"] or one["behind"] or one["before"] or one["alone"]
        number = -1 if one["last"] else parse_integer(spoken or "")
        if number is not None and number != 0:
            found.append(number)
    return found


def _plain(text: str) -> str:
    """Task name, without words of the order."""
    before = None
    text = " ".join(text.split())
    while text != before:
        before = text
        text = _TRAILING.sub("", _LEADING.sub("", text)).strip()
    return text.replace(" ", "")


def one_day(clause: Clause) -> bool:
    """True if the reference has one day (周五的跑步) before the new value."""
    head, _ = _halves(clause)
    named = [one for one in clause.times if one.span[1] <= head]
    return any(one.recurrence is None and names_day(one.text) for one in named)


def names_one_day(clause: Clause) -> bool:
    """True if one day is named anywhere (明天打卡不用提醒)."""
    return any(one.recurrence is None and names_day(one.text) for one in clause.times)


def _halves(clause: Clause) -> tuple[int, int]:
    """End of the reference and start of the new value, on both sides of the verb."""
    every = [one for one in _CHANGE.finditer(clause.text) if not _in_leads(clause, one.start())]
    found = [one for one in every if one.start() > 0] or every
    moving = shift_in(clause.text, clause.times)
    if not found and moving is not None:
        return moving.span[0], moving.verb_end
    called = calls_ahead(clause.text)
    if called:
        return called[0]
    if not found:
        cut = min((one.span[0] for one in clause.times), default=len(clause.text))
        return cut, cut
    # 把提前准备的材料改到明天: the verb with 到 or 成 decides.
    chosen = next((one for one in found if one.groupdict().get("to")), found[0])
    return chosen.start(), chosen.end()


def _in_leads(clause: Clause, at: int) -> bool:
    return any(start <= at < end for start, end in calls_ahead(clause.text))


def _becoming(clause: Clause, head: int, tail: int) -> int:
    """Start of the new value if the reference is after the verb (推迟买菜到后天), else `tail`."""
    if _plain(clause.text[:head]) or tail == head:
        return tail
    ends = [one.span[0] for one in clause.times if one.span[0] >= tail]
    ends += [found.start() for found in (_BECOMING.search(clause.text, tail),) if found is not None]
    moving = shift_in(clause.text, clause.times)
    ends += [moving.length_at] if moving is not None and moving.length_at >= tail else []
    named = clause.text[tail : min(ends, default=len(clause.text))]
    return tail + len(named) if _plain(named) and _BECOMING.search(clause.text[head:tail]) is None else tail


def change(clause: Clause) -> Change:
    """Changes of an update order."""
    clause = without_kept(clause)
    until = end_of_series(clause)
    if until is not None:
        return Change(until=until)
    head, tail = _halves(clause)
    connected = _BECOMING.match(clause.text, _becoming(clause, head, tail))
    tail = connected.end() if connected is not None else _becoming(clause, head, tail)
    times = [one for one in clause.times if one.span[0] >= head]
    verb = clause.text[head:tail]
    rest = clause.text[tail:]
    note = _NOTE.search(clause.text[head:]) if "备注" in clause.text else None
    priority = priority_in(clause.text[head:]) or (
        priority_in(clause.text) if "优先级" in clause.text else None
    )
    if note is not None:
        return Change(description=note["note"].strip()[:500])
    wish = _undated(expressed(best(times), clause)) if times else Wish()
    if times and REMINDING.search(clause.text[tail:]) is not None:
        wish = replace(wish, reminded=True)  # 猫粮那个，今晚八点提醒我
    if priority is None and "优先级" in clause.text[:head]:
        priority = priority_in("优先级" + rest.strip())
    if priority is None and "优先级" in clause.text:
        raised = re.search("提[高升]|调高|升", verb)
        priority = "high" if raised else "low" if re.search("降|调低", verb) else None
    ahead = ahead_in(clause.text, clause.times)
    if ahead is not None and ahead.called and not times:
        return Change(leads=ahead.leads, beside=ahead.beside)
    if times or priority is not None:
        named = name_told(clause.text)
        return Change(
            title=named[1][:100] if named else None, wish=_moved_day(wish, times), priority=priority
        )
    moving = shift_in(clause.text, clause.times)
    if moving is not None:
        return Change(shift=moving.minutes)
    new = rest.strip(" ,，。!！吧「」『』“”\"'")
    if minutes_of(new) is not None:  # 改成一小时 of a reminder: an offset from now, never a title
        unnamed = not _plain(clause.text[:head])
        later = parse(f"{new}后", clause.situation.now, clause.situation.zone) if unnamed else []
        return Change(wish=replace(expressed(best(later), clause), reminded=True)) if later else Change()
    renamed = re.search(r"[改换]|名", verb) is not None and (
        "成" in verb or "为" in verb or "名" in verb + clause.text[:head] or "叫" in verb
    )
    if "叫" in verb and any(one.name and new.startswith(one.name) for one in clause.situation.people):
        return Change()  # 那个改叫阿凯做: somebody is to do it
    if (not renamed and new in _WAYS) or ("名" not in verb and is_venue(new)):
        return Change(description=f"地点：{new}")  # 面试改到线上
    return Change(title=new[:100] if renamed and new else None)


def _undated(wish: Wish) -> Wish:
    """Clock without a day: on the task's own day."""
    if wish.start is None and wish.segment is None:
        return wish
    if wish.recurrence is not None or names_day(wish.phrase):
        return wish
    return replace(wish, date=None, end_date=None, next_day=False)


def _moved_day(wish: Wish, times: Sequence[TimeExpression]) -> Wish:
    """Wish with a day separate from the clock."""
    if wish.date is not None or not times:
        return wish
    day = next((one.date for one in times if one.date is not None and names_day(one.text)), None)
    return replace(wish, date=day)
