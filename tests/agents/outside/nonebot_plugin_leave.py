"""请假: a member asks for leave, their head of department says 同意 or 驳回. Written from docs/agents.md."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from nonebot import get_plugin_config, require
from pydantic import BaseModel

require("nonebot_plugin_mishu")
require("nonebot_plugin_localstore")

from nonebot_plugin_localstore import get_plugin_data_file  # noqa: E402
from nonebot_plugin_mishu.agents import (
    AgentSpec,
    Ask,
    Clause,
    Intent,
    Match,
    Slot,
    TaskContext,
    TaskDispatch,
    TaskResult,
    Undo,
    day_in,
    register_agent,
)

DAY = 24 * 3600


class Config(BaseModel):
    """LEAVE_HEAD: the QQ number of who approves."""

    leave_head: int | str = ""  # NoneBot reads a number in .env as one


@dataclass
class Leave:
    origin: str
    group: str
    user_id: str
    name: str
    day: str


class Book:
    """Leaves that were granted, in a file."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.leaves = [Leave(**one) for one in json.loads(file.read_text("utf-8"))] if file.exists() else []

    def keep(self) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(json.dumps([asdict(one) for one in self.leaves]), "utf-8")

    def grant(self, leave: Leave) -> None:
        if all(one.origin != leave.origin for one in self.leaves):
            self.leaves.append(leave)
            self.keep()

    def revoke(self, origin: str) -> None:
        self.leaves = [one for one in self.leaves if one.origin != origin]
        self.keep()


def rules(clause: Clause) -> Match | None:
    if not any(word in clause.text for word in ("请假", "请个假", "休假")):
        return None
    return Match("list" if "谁" in clause.text else "ask", weight=3)


def read(intent: str, clause: Clause) -> dict[str, object]:
    day = day_in(clause)
    return {} if day is None else {"day": day}


def leave_spec(book: Book, head: str) -> AgentSpec:
    async def ask(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        task, bound, asked = dispatch.task_id, context.bound, context.open
        day = dispatch.slots.get("day")
        if day is None:
            return TaskResult(task, "awaiting_user", {}, ("day",), user_response="请哪天的假？")
        if asked is None or bound is None or bound.relation in ("fills", "corrects"):
            await context.notify(head, f"{context.actor.name} 想请 {day} 的假，同意还是驳回？")
            context.keep_until = context.now.timestamp() + DAY
            note = {"day": day, "_name": context.actor.name}
            said = f"{day} 的假，等主管回复。"
            return TaskResult(task, "awaiting_user", note, user_response=said, ask=Ask("approve", of=(head,)))
        if bound.relation != "confirm":
            await context.notify(asked.user_id, f"你 {day} 的假没批：{context.text}")
            return TaskResult(task, "canceled", user_response="好，转告了。")
        leave = Leave(context.origin, context.conversation.peer, asked.user_id, asked.slots["_name"], day)
        book.grant(leave)
        context.undoable(f"批了{leave.name} {day} 的假", {"origin": leave.origin})
        await context.notify(asked.user_id, f"你 {day} 的假批了。")
        return TaskResult(task, "completed", user_response="批了，转告了。")

    async def who(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        here = [one for one in book.leaves if one.group == context.conversation.peer]
        said = "，".join(f"{one.name} {one.day}" for one in here) or "没有人请假。"
        return TaskResult(dispatch.task_id, "completed", user_response=said)

    async def expire(frame: object) -> str | None:
        return "请假的事一天没有人回，先不等了。"

    async def undo(undo: Undo) -> str | None:
        book.revoke(undo.token["origin"])
        return None

    return AgentSpec(
        code="leave",
        name="请假",
        intents=(
            Intent(
                "ask", "请一天假", ("我明天想请假", "帮我请周五的假，家里有事请假"), act="make", handler=ask
            ),
            Intent("list", "问谁请假了", ("谁请假了",), reads_only=True, handler=who),
        ),
        boundary="只管请假和批假，不管排班。",
        rules=rules,
        read=read,
        slots=(Slot("day", "请哪天的假？", required=True, intents=("ask",), read=day_in),),
        feature="请假",
        expire=expire,
        undo=undo,
    )


register_agent(
    leave_spec(Book(get_plugin_data_file("leaves.json")), str(get_plugin_config(Config).leave_head))
)
