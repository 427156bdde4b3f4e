"""Results of the tools, as their clients see them: things of `/api/v1`, without what does not apply."""

from __future__ import annotations

from typing import Any, cast

from pydantic import BaseModel, Field

from ..v1.shapes import Line, Schedule, Task

_NAMES = Field(description="上面出现的号码各是谁")
_CURSOR = Field(description="下一页的 cursor；没有下一页是 null")


class WaitingQuestion(BaseModel):
    """A question that waits for the person."""

    question: str = Field(description="秘书问的")
    about: str = Field(description="为哪句话问的")


class TodayResult(BaseModel):
    """Result of `today`."""

    now: str = Field(description="现在，ISO 8601")
    weekday: str = Field(description="周几")
    group_id: str = Field(description="哪个群")
    schedules: list[Schedule] = Field(description="今天的群日程")
    user_id: str | None = Field(description="谁的任务和问题；没说是谁就没有")
    tasks: list[Task] | None = Field(description="今天以前到期、没做完的任务")
    questions: list[WaitingQuestion] | None = Field(description="等着回答的问题")
    names: dict[str, str] = _NAMES


class IntentRead(BaseModel):
    """One intent of a line."""

    agent: str = Field(description="哪一类事")
    intent: str = Field(description="要做什么")
    text: str = Field(description="哪几个字")
    sure: bool = Field(description="拿得准不准")


class WouldAdd(BaseModel):
    """A thing that a line would add."""

    kind: str = Field(description="日程、任务还是账")
    what: str = Field(description="会记成什么样")


class ReadLineResult(BaseModel):
    """Result of `read_line`."""

    text: str = Field(description="读的这句话")
    sure: bool = Field(description="整句拿得准不准")
    intents: list[IntentRead] = Field(description="读成哪几件事")
    would_add: list[WouldAdd] = Field(description="会记下什么")
    note: str | None = Field(description="哪里没读懂")


class SchedulesResult(BaseModel):
    """Result of `list_schedules`."""

    items: list[Schedule] = Field(description="日程的每一次")
    next_cursor: str | None = _CURSOR
    names: dict[str, str] = _NAMES


class TasksResult(BaseModel):
    """Result of `list_tasks`."""

    items: list[Task] = Field(description="任务")
    next_cursor: str | None = _CURSOR
    names: dict[str, str] = _NAMES


class CategoryTotal(BaseModel):
    """Sum of a category."""

    type: str = Field(description="EXPENSE 支出，INCOME 收入，TRANSFER 转账")
    category: str = Field(description="分类")
    amount: str = Field(description="多少元")
    count: int = Field(description="几笔")


class DebtTold(BaseModel):
    """Who owes whom."""

    from_user_id: str = Field(description="谁欠")
    to_user_id: str = Field(description="欠谁")
    amount: str = Field(description="多少元")


class LedgerResult(BaseModel):
    """Result of `ledger_summary`."""

    month: str = Field(description="哪个月")
    group: list[CategoryTotal] = Field(description="群账")
    debts: list[DebtTold] = Field(description="现在谁欠谁")
    user_id: str | None = Field(description="own 是谁的；没说是谁就没有")
    own: list[CategoryTotal] | None = Field(description="这个人自己的账")
    names: dict[str, str] = _NAMES


class SentenceTold(BaseModel):
    """A sentence of what was said."""

    text: str = Field(description="一句总结")
    lines: list[str] = Field(description="它根据的消息的编号")


class CatchUpResult(BaseModel):
    """Result of `catch_up`."""

    sentences: list[SentenceTold] = Field(description="一句一句的总结；没什么可说是空的")


class SearchResult(BaseModel):
    """Result of `search_record`."""

    items: list[Line] = Field(description="群里说过的话，新的在前")


class ActionDone(BaseModel):
    """An action that is on disk."""

    tool: str = Field(description="做了什么")
    arguments: Any = Field(description="用的值")
    result: Any = Field(description="结果")


class SayResult(BaseModel):
    """Result of `say`."""

    reply: str = Field(description="秘书的回答")
    status: str = Field(description="办得怎么样")
    needs_answer: bool = Field(description="reply 是一个问题，再用 say 回答它")
    done: list[ActionDone] = Field(description="已经存好的")


def output_schema(result: type[BaseModel]) -> dict[str, Any]:
    """JSON schema of a result; what may be null is left out where it does not apply, and is not required."""
    schema = result.model_json_schema(mode="serialization")
    for each in (schema, *schema.get("$defs", {}).values()):
        known = cast("dict[str, dict[str, Any]]", each.get("properties", {}))
        each["required"] = [name for name in each.get("required", ()) if not _may_be_null(known[name])]
        each.pop("examples", None)
    return schema


def _may_be_null(field: dict[str, Any]) -> bool:
    return "type" not in field and "$ref" not in field and {"type": "null"} in field.get("anyOf", ())
