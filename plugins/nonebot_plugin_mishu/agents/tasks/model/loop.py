"""Handler with a model: our own tool-call loop (seed 1, sections 2 and 3); code enforces every rule.

The model chooses tools; times come from the grammar's reading of the sentence, authority from the event, and
replies about writes from code.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from ....language.claims.no_reply import is_data, is_no_reply, spoken
from ....language.claims.reading import unmet
from ....language.clause import Clause
from ....llm import ChatMessage, ModelClient, ModelError, ToolCall
from ....patterns import Pattern
from ....storage import StorageError
from ....truth import LOOKED, kinds_of
from ...api.dispatch import TaskDispatch, TaskResult
from ...api.task_context import TaskContext
from ..frames import Change
from ..local import LocalRules
from ..notes import asking, change_json, draft_notes
from ..planning.policy import TaskQuestion, settle
from ..tools import TaskTools
from .arguments import (
    CallRefused,
    change_from_call,
    draft_from_call,
    draft_in,
    ids_from_call,
    query_from_call,
    whole,
)
from .calls import Result
from .schemas import TOOLS, conversation, shown

NAME: Final = "manage_tasks"
MOST_WRITES: Final = 10
LONGEST_WORDS: Final = 300
_READ: Final = 1500
"""Most characters read of a model's text"""
_WEIGHS: Final = Pattern(
    r"最[急重早晚]|哪[个件]|先[做办干]|优先|捋|排[个一序]|怎么安排|来得及|建议|轻重|总结|归纳|重点"
)
"""Advice or priority asked beyond a list: the model's text goes before the list if it adds no facts"""
_ASKS: Final = Pattern(r"[?？]\s*$|请问|请告诉|请说|请提供|几点|哪(?:个|一个|天)|吗[。.]?\s*$")
LEFT_UNMADE: Final = "（「{}」还没记，这件说好了再说一遍）"
_LONGEST_TITLE: Final = 30
NOT_DONE: Final = "刚才没办成，什么都没改，把事情和时间再说一次吧。"


@dataclass(slots=True)
class _ToolRun:
    """State of one run of the loop."""

    clause: Clause
    made: int = 0
    writes: int = 0
    known: set[int] = field(default_factory=set[int])
    done: list[Result] = field(default_factory=list[Result])
    listed: Result | None = None
    refused: Result | None = None
    ask: TaskQuestion | None = None
    trouble: str | None = None
    """Storage error of a later change"""
    notes: dict[str, Any] = field(default_factory=dict[str, Any])
    intent: str = ""
    left: list[str] = field(default_factory=list[str])
    """Titles of new tasks behind a question, which are not made"""

    def leave(self, call: ToolCall, *, again: bool) -> None:
        """Note a new task that is not made since an earlier one is asked about."""
        title = str(call.arguments.get("title") or "").strip()
        if call.name == "create_task" and title and not again:
            self.left.append(title[:_LONGEST_TITLE])


class ModelLoop:
    """Tool-call rounds, at most `max_rounds`, within the task's deadline."""

    def __init__(self, tools: TaskTools, model: ModelClient, max_rounds: int, reads: Collection[str]) -> None:
        """`reads`: the intents that only read; a model changes nothing for them."""
        self._tools = tools
        self._model = model
        self._rules = LocalRules(tools)
        self._max_rounds = max_rounds
        self._reads = frozenset(reads)

    async def run(self, dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        """Run the task to its result. Raises `ModelError` only if nothing was done yet."""
        run = _ToolRun(whole(context.open, context.clause))
        question = context.open.question if context.open is not None else None
        messages = conversation(context, question)
        said = ""
        seen: set[str] = set()
        for _ in range(self._max_rounds):
            try:
                turn = await self._model.tools(
                    NAME,
                    messages,
                    TOOLS,
                    deadline=context.deadline,
                    conversation=context.conversation,
                    log=context.calls,
                )
            except ModelError:
                if not (run.done or run.ask or run.listed):
                    raise
                break
            messages.append(turn.message)
            said = turn.text[:_READ]
            if not (turn.calls or turn.rejected):
                break
            repeated = False
            for call in turn.calls:
                print_of_call = json.dumps([call.name, call.arguments], sort_keys=True, default=str)
                repeated = repeated or print_of_call in seen
                if print_of_call in seen or run.ask is not None or run.trouble is not None:
                    run.leave(call, again=print_of_call in seen)
                    answer: Mapping[str, Any] = {"ok": False, "error": "没有执行"}
                else:
                    answer = await self._called(context, call, run)
                seen.add(print_of_call)
                messages.append(ChatMessage("tool", _json(answer), call_id=call.id))
            for bad in turn.rejected:
                why = "没有这个工具" if bad.problem == "unknown_tool" else "参数不是合法的 JSON 对象"
                messages.append(ChatMessage("tool", _json({"ok": False, "error": why}), call_id=bad.id))
            said = ""
            if run.ask is not None or run.trouble is not None or repeated:
                break
        return await self._ending(dispatch, context, run, said)

    async def _called(self, context: TaskContext, call: ToolCall, run: _ToolRun) -> Mapping[str, Any]:
        """Run one call; returns the result for the model."""
        try:
            result = await self._carry_out(context, call, run)
        except CallRefused as refusal:
            return {"ok": False, "error": str(refusal)}
        except StorageError as error:
            if not run.done:
                raise
            run.trouble = error.told  # a sentence for members; earlier results stay in the reply
            return {"ok": False, "error": run.trouble}
        if result.ask is not None:
            run.ask, run.intent = result.ask, call.name
            return {"ok": False, "ask": result.said}
        if result.kind == "refused":
            run.refused = result
            return {"ok": False, "error": result.said}
        if result.kind == "listed":
            run.listed = result
        else:
            run.done.append(result)
        run.known.update(task.id for task in result.tasks)
        return {"ok": True, "tasks": shown(result.tasks)}

    async def _carry_out(self, context: TaskContext, call: ToolCall, run: _ToolRun) -> Result:
        arguments = call.arguments
        if call.name == "query_tasks":
            query = query_from_call(arguments, run.clause, changes=context.intent not in self._reads)
            return await self._tools.query_tasks(context, query)
        if context.intent in self._reads:
            raise CallRefused("这条消息只是查看任务，没有要求改动")
        if run.writes >= MOST_WRITES:
            raise CallRefused("一条消息里的改动太多了")
        run.writes += 1
        if call.name == "create_task":
            draft = draft_from_call(arguments, run.clause)
            run.notes = {**draft_notes(draft, frozenset()), "_made": run.made}
            result = await self._tools.create_task(context, draft, serial=run.made)
            run.made += result.kind == "done"
            return result
        ids = ids_from_call(arguments, run.known)
        wanted = change_from_call(arguments, run.clause) if call.name == "update_task" else Change()
        run.notes = {"_ids": ids, "_change": change_json(wanted), "_time": wanted.wish.as_json()}
        if call.name == "update_task":
            return await self._tools.update_task(context, ids[0], wanted)
        if call.name == "complete_task":
            return await self._tools.complete_task(context, ids)
        return await self._tools.delete_task(context, ids, confirmed=False)

    async def _ending(
        self, dispatch: TaskDispatch, context: TaskContext, run: _ToolRun, said: str
    ) -> TaskResult:
        """Reply of the run: writes and lists in code's own words."""
        done = [result.said for result in run.done]
        if run.ask is not None:
            left = [LEFT_UNMADE.format("」「".join(run.left))] if run.left else []
            question = replace(run.ask, question="\n".join([*done, *left, run.ask.question]))
            # The tool's intent may differ from the frame's: the answer uses the tool's.
            return asking(dispatch, question, {**run.notes, "_intent": run.intent})
        if run.trouble is not None:
            done.append(f"别的没办成：{run.trouble}")
        if done:
            return TaskResult(dispatch.task_id, "completed", _closed(), (), None, "\n".join(done))
        if run.refused is not None:
            return TaskResult(dispatch.task_id, "canceled", _closed(), (), None, run.refused.said)
        if run.listed is not None and context.intent in self._reads:
            told = _weighed(context.text, said, run.listed.said)
            return TaskResult(dispatch.task_id, "completed", _closed(), (), None, told)
        if context.intent in self._reads and not _is_talk(said):
            return await self._rules.begin(dispatch, context)
        return self._only_said(dispatch, context, run, said.strip())

    def _only_said(
        self, dispatch: TaskDispatch, context: TaskContext, run: _ToolRun, said: str
    ) -> TaskResult:
        """Text without a write: a question is asked, a claim is dropped, else the failure is reported."""
        claims = bool(unmet(said, kinds_of([LOOKED] if run.listed is not None else [])))
        if context.intent == "create_task" and (claims or _ASKS.search(said)):
            heard = draft_in(run.clause)
            missing = settle(heard.wish, context.now, context.clause.situation.zone)
            if isinstance(missing, TaskQuestion):
                kept = replace(heard, priority=None, description=None, assignee=None)
                return asking(dispatch, missing, draft_notes(kept, frozenset()))
        if _ASKS.search(said) and not claims:
            return asking(dispatch, TaskQuestion("free", "title", said[:300]), {"_said": run.clause.text})
        if said and not claims and _is_talk(said):
            return TaskResult(dispatch.task_id, "completed", _closed(), (), "chat", said[:300])
        return TaskResult(dispatch.task_id, "canceled", _closed(), (), None, NOT_DONE)


def _is_talk(said: str) -> bool:
    """True if the model's text refuses the task or calls it no task."""
    return bool(
        re.search(r"只管任务|任务助手|与任务无关|不是任务|无法|不能|抱歉|不好意思|帮不了|没办法", said)
    )


def _weighed(asked: str, said: str, listed: str) -> str:
    """List, preceded by the model's advice if asked for and true: no number or quoted title that is not in
    the list or the line, no claimed action."""
    words = spoken(said)
    if not _WEIGHS.search(asked) or len(words) > LONGEST_WORDS or is_data(words) or is_no_reply(words):
        return listed
    known = f"{listed}\n{asked}"
    named = [*re.findall(r"\d+", words), *re.findall(r"[「“《]([^」”》]+)[」”》]", words)]
    if unmet(words, kinds_of([LOOKED])) or any(each not in known for each in named):
        return listed
    return f"{words}\n{listed}"


def _closed() -> dict[str, Any]:
    return {"_ask": None, "_offer": None}


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)
