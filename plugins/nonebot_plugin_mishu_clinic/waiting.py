"""The waiting room, and the agent that says how many are ahead."""

from __future__ import annotations

import re

from nonebot_plugin_mishu.agents import (
    AgentSpec,
    Clause,
    Intent,
    Match,
    Priority,
    TaskContext,
    TaskDispatch,
    TaskResult,
)

WALK_INS = 3
"""Patients waiting in every department who did not ask the bot."""
_AHEAD = re.compile(
    r"前面(?:现在|大概)?(?:还|总共|一共)?(?:有|剩|排着?|排了|等着?|要等)?(?:多少|几)(?:个|位)?(?:人|号|位)?|前面(?:的)?人多[吗不]|"
    r"排(?:队)?(?:到|在)?(?:第)?(?:几|多少|哪)(?!.{0,4}日程)|(?:还要|还得|要|得)(?:再)?(?:排|等)(?:队)?(?:多久|多长时间|几个人|多少人)|"
    r"(?:排|等)多(?:久|长时间)|轮到我|(?:什么时候|啥时候|几时|快)到我|到我了[吗没]|叫到(?:几|多少)号|现在(?:是)?(?:几|多少)号|"
    r"排队(?:情况|人数|进度)|(?:队伍?|队)(?:长|多长|长不长)|(?:多少|几)(?:个|位)?人(?:在)?(?:排队|等)"
)


class WaitingRoom:
    """Waiting members by conversation and department, in the order of arrival. In memory."""

    def __init__(self) -> None:
        self._lines: dict[tuple[str, str], list[str]] = {}

    def take_number(self, conversation_id: str, department: str, user_id: str) -> int:
        """Join a line, or stay at one's place in it; how many are ahead."""
        line = self._lines.setdefault((conversation_id, department), [])
        if user_id not in line:
            line.append(user_id)
        return WALK_INS + line.index(user_id)

    def places(self, conversation_id: str, user_id: str) -> dict[str, int]:
        """Departments where a member waits, and the number of patients ahead."""
        return {
            department: WALK_INS + line.index(user_id)
            for (where, department), line in self._lines.items()
            if where == conversation_id and user_id in line
        }


def queue_spec(room: WaitingRoom) -> AgentSpec:
    """The agent `queue`: class 3, so that it may run while a triage waits for its patient."""

    def rules(clause: Clause) -> Match | None:
        return Match("query", weight=3) if _AHEAD.search(clause.text) else None

    async def handle(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        places = room.places(dispatch.conversation_id, context.actor.user_id)
        if places:
            said = "；".join(f"{department}前面还有 {ahead} 个人" for department, ahead in places.items())
        else:
            said = f"您还没有取号，现在各科前面大约有 {WALK_INS} 个人在等"
        return TaskResult(dispatch.task_id, "completed", user_response=f"{said}。")

    return AgentSpec(
        code="queue",
        name="排队",
        intents=(
            Intent(
                "query", "问前面还有几个人、轮到几号", ("前面还有几个人？", "排到几号了"), reads_only=True
            ),
        ),
        boundary="只说门诊排队的人数和进度，不改变任何人的位置。",
        handler=handle,
        rules=rules,
        priority=Priority.ADMIN,
        insertable=True,
    )
