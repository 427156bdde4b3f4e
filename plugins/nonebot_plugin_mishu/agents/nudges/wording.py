"""What is said of nudges. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final

from ...language.entries.entry import yuan
from ...language.following.nudges import NudgeOrder
from ...storage.quiet.records import QuietHours
from ...storage.reminders.records import ReminderRecord
from ...storage.tasks.records import TaskRecord
from ..tasks.planning.task_time import say_day
from ..tasks.words import say_recurrence

WHOM: Final = "催谁？@ 一下TA，或者说TA的名字，一次催一位。"
NOT_FOUND: Final = "群里没找到叫「{name}」的，@ 一下TA再说。"
DONE_TOLD: Final = "好，知道了。"
STILL_WAITING: Final = "还有接着催你的，不要了就说「别催我了」。"
SEVERAL: Final = "一次催一位，说说先催谁：{names}。"
WHEN: Final = "没听懂什么时候催，没有动，把时间单独说清楚吧。"
NO_CLOCK: Final = "「{words}」是几点我不知道，还没催。连钟点再说一遍，比如「{example}」。"
BLIND: Final = (
    "谁没做完我看不到，没法只催没做完的，还没记。"
    "要提醒大家就说「{order}」；要接着催谁，说上名字，比如「催一下小雅交周报，催三次」。"
)
NOT_HERE: Final = "催人要在群里说，我在群里 @ TA。"
ONESELF: Final = "自己的事我可以提醒你，比如：每半小时提醒我交表直到我做完。"
THE_BOT: Final = "我不用催，有事直接说。"
ABOUT_WHAT: Final = "你和{name}之间没有记着没办完的事，催TA什么？比如：催{name}交方案。"
NOTHING_OWED: Final = "账上{name}没有欠你的钱，没催。要是漏记了，先把那笔记上再催。"
OWED_BACK: Final = "账上{name}没有欠你的钱，倒是你还该给{name}{sum}，没催。"
ENOUGH: Final = "今天已经替你催过{name} {most} 次了，明天再催吧。"
PAST: Final = "这个时间已经过了，换一个，或者直接说现在催。"
NONE_TO_STOP: Final = "现在没有替你接着催{name}的。"
STOPPED: Final = "好，不催{name}了。"
STOPPED_MINE: Final = "好，不催你了。"
NONE_OF_MINE: Final = "现在没有接着催你的。"
NONE_WAIT: Final = "现在没有等着催的。"
NONE_BEFORE: Final = "刚才没有替你催过谁，说说催谁、催什么，比如：催阿凯交方案。"
ONCE_A_DAY: Final = "（催人一天最多一次，按每天一次来）"


_AT_ONCE: Final = timedelta(minutes=1)


def about_tasks(asker: str, tasks: Sequence[TaskRecord], today: date) -> str:
    """陈默想问问：「交方案」怎么样了？（11月20日（周五）前）"""
    if len(tasks) == 1:
        [task] = tasks
        return f"{asker}想问问：「{task.title}」怎么样了？{_due(task, today)}"
    listed = "、".join(f"「{task.title}」" for task in tasks)
    return f"{asker}想问问：{listed}这几件怎么样了？"


def _due(task: TaskRecord, today: date) -> str:
    day = date.fromisoformat(task.fields.due_date) if task.fields.due_date else None
    return "" if day is None else f"（定的是{say_day(day, today)}）"


def about_words(asker: str, what: str) -> str:
    """陈默想问问：「交方案」怎么样了？方便的时候回一声。"""
    return f"{asker}想问问：「{what}」怎么样了？方便的时候回一声。"


def about_question(asker: str, question: str) -> str:
    """陈默想问问：合同寄了没？方便的时候回一声。"""
    return f"{asker}想问问：{question}？方便的时候回一声。"


def about_debt(asker: str, fen: int) -> str:
    """陈默想问问：一起花的账里还有 120 元没给TA，方便的时候转一下吧。 `fen` 0: not told how much."""
    if not fen:
        return f"{asker}想问问：钱的事方便的时候结一下吧。"
    owed = yuan(fen).removesuffix(".00")
    return f"{asker}想问问：一起花的账里还有 {owed} 元没给TA，方便的时候转一下吧。"


def is_about_debt(text: str, asker: str) -> bool:
    """True for a sentence of `about_debt`, whatever its sum."""
    return text == about_debt(asker, 0) or text.startswith(about_debt(asker, 1).partition(" ")[0])


def listed(rows: Sequence[tuple[str, ReminderRecord]], now: datetime) -> str:
    """Nudges that wait, with the names of who is nudged; without names they are the reader's own."""
    lines = [
        f"{f'{name}：' if name else ''}{row.text}（{_clock(at, now)}）"
        for name, row in rows[:_SHOWN]
        for at in (datetime.fromtimestamp(row.due_at, now.tzinfo),)
    ]
    more = f"\n等 {len(rows)} 件" if len(rows) > _SHOWN else ""
    head = "接下来替你催的：" if any(name for name, _ in rows) else "接下来要催你的："
    return "\n".join([head, *lines]) + more


_SHOWN: Final = 10


def promised(
    name: str, at: datetime, now: datetime, hours: QuietHours | None, rule: Mapping[str, Any] | None
) -> str:
    """What becomes of the order: now, at a time, after quiet hours, and again as said."""
    clock = _clock(at, now)
    if hours is not None:
        said = f"现在是安静时段（{hours.shown}），{clock} 再替你催{name}"
    elif at > now + _AT_ONCE:
        said = f"好，{clock} 替你催{name}"
    else:
        said = f"好，这就替你催{name}"
    if rule is None:
        return f"{said}。"
    every = say_recurrence({name: of for name, of in rule.items() if name != "count"})
    return f"{said}，之后{every}再催，办完了或你说「别催{name}了」就停，最多{rule['count']}次。"


def no_clock(said: NudgeOrder) -> str:
    """The refusal of a time of which nobody knows the clock, with the order as it can be said."""
    who = said.people[0].name if said.people else said.named
    every = "" if said.rhythm is None else "每天"
    return NO_CLOCK.format(words=said.no_clock, example=f"{every}18:00催{who}{said.title}")


def _clock(at: datetime, now: datetime) -> str:
    return f"{at:%H:%M}" if at.date() == now.date() else f"{say_day(at.date(), now.date())} {at:%H:%M}"
