"""`chat_reply` asked with its tools: what was looked up and offered on the way to the words."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from ...language.clause import Situation
from ...llm import ChatMessage, ModelClient, ModelError, ToolCall
from ...storage import StorageError
from ..api.task_context import TaskContext
from .offering import Reads, WhyNot, acceptable
from .tools import OFFER, TOOLS, Lookups

NAME: Final = "chat_reply"
OWED: Final = ("forced", "core", "questioned")
"""Ways of answering in which the reply is somebody's: with tools, and with offers."""
ROUNDS: Final = 3
"""Calls for one reply at most; the last is asked for words alone."""
_REFUSED: Final = "这句我读不准，先不要提，请他自己说清楚做什么、什么时候"
_NOT_HERE: Final = "这一句不是单独答他一个人的，先不要提，只答他说的话"
_OFFERED: Final = "好，等他回答。请用一句话问他要不要这样办，不要说已经办了"


@dataclass(slots=True)
class ChatReply:
    """A reply and its sources."""

    text: str = ""
    looked: bool = False
    found: list[str] = field(default_factory=list[str])
    """Results of look-ups, as the model saw them."""
    order: str | None = None
    """Offered order, where the rules are sure of it."""
    messages: list[ChatMessage] = field(default_factory=list[ChatMessage])


class ChatAsker:
    """Asks for a reply, with tools where somebody is owed one."""

    def __init__(
        self, model: ModelClient, lookups: Lookups | None, reads: Reads | None, why_not: WhyNot | None = None
    ) -> None:
        self._model = model
        self._lookups = lookups
        self._reads = reads
        self._why_not = why_not
        self._without_tools = False
        """The endpoint refused them once."""

    async def ask_text(self, context: TaskContext, messages: Sequence[ChatMessage]) -> str:
        """Words alone. Raises `ModelError`."""
        return await self._model.text(
            NAME,
            messages,
            deadline=context.request.deadline,
            conversation=context.request.conversation,
            log=context.request.calls,
        )

    async def reply(self, context: TaskContext, messages: Sequence[ChatMessage]) -> ChatReply:
        """The words, after at most two rounds of tools. Raises `ModelError`."""
        asked = ChatReply(messages=list(messages))
        if context.request.reply_mode not in OWED or self._lookups is None:
            asked.text = await self.ask_text(context, asked.messages)
            return asked
        for _ in range(ROUNDS - 1):
            if self._without_tools:
                break
            try:
                turn = await self._model.tools(
                    NAME,
                    asked.messages,
                    TOOLS,
                    deadline=context.request.deadline,
                    conversation=context.request.conversation,
                    log=context.request.calls,
                )
            except ModelError as error:
                if error.kind != "refused" or len(asked.messages) > len(messages):
                    raise
                self._without_tools = True
                break
            if not (turn.calls or turn.rejected):
                asked.text = turn.text
                return asked
            asked.messages.append(turn.message)
            for call in turn.calls:
                told = await self._called(context, call, asked)
                asked.messages.append(ChatMessage("tool", told, call_id=call.id))
            for bad in turn.rejected:
                asked.messages.append(ChatMessage("tool", _json(error="没有这个工具"), call_id=bad.id))
            if turn.text and asked.order is not None and all(call.name == OFFER for call in turn.calls):
                asked.text = turn.text
                return asked
        asked.text = await self.ask_text(context, asked.messages)
        return asked

    async def _called(self, context: TaskContext, call: ToolCall, asked: ChatReply) -> str:
        if call.name == OFFER:
            order = str(call.arguments.get("order") or "")
            where = context.clause.situation
            may = may_offer(context) and self._reads is not None
            found = acceptable(order, where, self._reads) if may and self._reads is not None else None
            asked.order = asked.order or found
            return (
                _json(ok=_OFFERED) if found is not None else _json(error=self._refusal(order, where, may=may))
            )
        assert self._lookups is not None
        try:
            told = await self._lookups.run_lookup(call.name, call.arguments, context)
        except StorageError:
            return _json(error="现在查不了")
        asked.looked = True
        asked.found.append(told)
        return told

    def _refusal(self, order: str, where: Situation, *, may: bool) -> str:
        """Why an order is not offered."""
        if not may:
            return _NOT_HERE
        return (self._why_not(order, where) if self._why_not is not None else None) or _REFUSED


def may_offer(context: TaskContext) -> bool:
    """True if a reply may offer something: it is one member's alone, so that it is clear whose yes it waits
    for, asked of us or put to the room; not one that joins in, nor talk beside work."""
    request = context.request
    return request.reply_mode in OWED and len(request.utterances) == 1 and not context.partial


def _json(**told: str) -> str:
    return json.dumps(told, ensure_ascii=False)
