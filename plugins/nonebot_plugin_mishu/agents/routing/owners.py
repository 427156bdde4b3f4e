"""Owner of an order: the group's schedules, or the member's own tasks. Pure.

It follows from the words: 日程 and 大家, a meeting, a meal, an activity as the thing planned are the
group's; 任务 and 提醒我, what one person does, are theirs; in a private conversation everything is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from ...language import Fit, Token
from ...language.clause import Clause
from ...language.recognise.times.lessons import any_lessons
from ...language.timing.own_times import lasts_days
from .classes import classes

SCHEDULE: Final = "schedule"
TASKS: Final = "tasks"


def whose(act: str, fit: Fit, clause: Clause) -> tuple[str, int]:
    """Agent, and weight of the words for it."""
    slots, situation = fit.slots, clause.situation
    nouns = classes(slots.get("noun", ()))
    said = classes((*slots.get("title", ()), *slots.get("name", ())))
    group = "whose" in slots
    if act == "join" or "schedule_noun" in nouns:
        return SCHEDULE, 2 if act == "join" else 3
    if "remind" in nouns and not group:
        return TASKS, 3
    if "task_noun" in nouns or "reminder_noun" in nouns:
        return (SCHEDULE, 2) if group and "remind" in nouns else (TASKS, 3)
    if "remind" in slots:
        return (SCHEDULE if group else TASKS), 2
    if "rouse" in slots and group and not situation.private:
        return SCHEDULE, 2  # 十分钟后喊大家下楼
    if act == "make" and "rouse" not in slots and not situation.private and any_lessons(clause.times):
        return SCHEDULE, 2  # 周三三四节高数: a class has it together
    if "level" in slots or "rouse" in slots or situation.private or act == "finish":
        return TASKS, 2
    if act == "query" and {"mine", "todo"} <= slots.keys() and not nouns and not said:
        return TASKS, 3  # 我有啥要干的
    if act == "query":
        return _asked_of(slots.keys(), nouns, said, group=group), 2
    if "ref" in slots and act in ("change", "delete"):
        return TASKS, 2
    if act == "make" and set(slots) == {"when"} and "offset" in classes(slots["when"]):
        return TASKS, 2  # 倒计时十分钟
    if act == "make" and not said and not nouns and "title" not in slots:
        return SCHEDULE, 1  # 再新建一个后天上午的
    if "money_noun" in said:
        return SCHEDULE, 0
    if act == "make" and "team" in said:
        return SCHEDULE, 1  # 版本上线 26号晚上十点 全员盯着
    if act == "make" and lasts_days(clause):
        return SCHEDULE, 2  # 12月1号到5号出差: the others see it, and no task lasts for days
    if not group and "personal" in said and not _is_occasion(slots):
        return TASKS, 2
    if group or "occasion" in said or "room" in said:
        return SCHEDULE, 2
    if act == "make" and "hui" in said:
        return SCHEDULE, 1
    if act not in ("change", "delete"):
        return TASKS, 1
    if act == "change" and "field" in slots and not said:
        return SCHEDULE, 2
    if "hui" in said:
        return SCHEDULE, 2
    mine = situation.open_tasks or ("action" in said if said else "shift" in slots)
    return (TASKS, 2) if mine else (SCHEDULE, 1)


def _is_occasion(slots: Mapping[str, tuple[Token, ...]]) -> bool:
    """True if the head noun is a thing of the group's: 面试会议, not 会议资料."""
    named = (*slots.get("title", ()), *slots.get("name", ()))
    return bool(named) and "occasion" in named[-1].classes


def _asked_of(slots: Iterable[str], nouns: frozenset[str], said: frozenset[str], *, group: bool) -> str:
    if not {"meets", "free"}.isdisjoint(slots):
        return SCHEDULE
    if not {"todo", "done"}.isdisjoint(slots):
        return TASKS
    if "phase" in nouns:
        return SCHEDULE
    if "plan_noun" in nouns:
        return TASKS if "mine" in slots and "occasion" not in nouns else SCHEDULE
    return SCHEDULE if group or "occasion" in said else TASKS
