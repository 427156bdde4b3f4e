"""Task agent: things one person must do (seed 1; product section 5).

Pure: `frames` and `planning.task_time` (values), `reader` over `planning` (orders, references, seed 1's time
rules), `answering` (answers), `words` (reply texts). With effects: `tools` (the five tools over storage),
`local` (the handler by rules), `model.loop` (the handler with a model). docs/tasks.md.
"""

from __future__ import annotations

from ...config import TasksConfig as TasksConfig
from ...llm import ModelClient
from ...storage import Storage
from ..api.builtin_codes import ACTS
from ..api.ports import DayList
from ..api.references import ListedReferences
from ..api.spec import AgentSpec, Intent, MemoryPolicy, Slot
from .day_list import TasksOfDays
from .handler import TasksAgent
from .model.calls import task_json
from .planning.open_end import answers
from .planning.policy import END_QUESTION
from .reader import read, replies
from .rules import claims, rules
from .tools import TaskTools, task_thing
from .words import NO_TITLE

__all__ = ["TaskTools", "TasksAgent", "TasksOfDays", "read", "task_json", "task_thing", "tasks_spec"]

INTENTS = (
    Intent(
        "create_task",
        "创建任务、待办或提醒",
        ("提醒我明天下午三点交报告", "明天下午4点到5点去买东西", "加个任务：写周报，优先级高"),
    ),
    Intent(
        "query_tasks",
        "查看自己的任务",
        ("我今天有什么任务", "这周还有哪些没做完", "高优先级的任务"),
        reads_only=True,
    ),
    Intent("update_task", "修改任务的时间、优先级或内容", ("把买菜改到明天上午", "写周报推迟一小时")),
    Intent("delete_task", "删除任务", ("删掉买菜", "取消明天的任务")),
    Intent("complete_task", "完成任务", ("买菜做完了", "完成第二个")),
)
_WRITING = ("create_task", "update_task")


def tasks_spec(
    storage: Storage,
    model: ModelClient,
    config: TasksConfig,
    lately: ListedReferences,
    group_plans: DayList | None = None,
) -> AgentSpec:
    """Specification of the task agent. `group_plans`: list of group plans appended to the tasks of a day."""
    reads = frozenset(intent.name for intent in INTENTS if intent.reads_only)
    agent = TasksAgent(storage, model, config, lately, group_plans, reads=reads)
    return AgentSpec(
        code="tasks",
        own_words=True,
        name="任务",
        intents=INTENTS,
        boundary="一个人自己要做的事：待办、任务、提醒我、叫我。大家一起的日程、聚会、会议不归它，钱和记账不归它。",
        handler=agent.handle,
        rules=rules,
        claims=claims,
        acts=ACTS["tasks"],
        read=read,
        answers=answers,
        replies=replies,
        expire=agent.expire,
        slots=(
            Slot("title", NO_TITLE, intents=_WRITING),
            Slot("dueDate", "在哪一天？", intents=(*_WRITING, "query_tasks")),
            Slot("startTime", "几点开始？", intents=_WRITING),
            Slot("endTime", END_QUESTION, intents=_WRITING),
            Slot("timeSegment", "在什么时段？", intents=_WRITING),
            Slot("remindAt", "什么时候提醒你？", intents=_WRITING),
            Slot("recurrence", intents=_WRITING),
            Slot("priority", intents=(*_WRITING, "query_tasks")),
            Slot("description", intents=_WRITING),
            Slot("assignee", intents=_WRITING),
            Slot("taskId", "是哪个任务？", intents=("update_task", "delete_task", "complete_task")),
            Slot("status", intents=("query_tasks",)),
            Slot("dueDateFrom", intents=("query_tasks",)),
            Slot("dueDateTo", intents=("query_tasks",)),
        ),
        memory=MemoryPolicy(turns=5),
        feature="任务",
    )
