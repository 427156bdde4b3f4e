"""The agent that takes in a bill which was sent: a card with its numbers, and the records on a yes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from ...agents import AgentSpec, AnswerMatch, Clause, Intent, Match, TaskContext, TaskDispatch, TaskResult
from ...agents.drafting import BATCH, CommitRefused, DraftAdapter, DraftRunner, DraftWording, concerns
from ...drafts import AskModel, Batch, Commit, ItemModel, Limits, Local, OwnerNotice, Say, speak
from ...language.bringing.reading import bill_answer, read_bringing
from ...llm import Deadline
from ...storage.records import FrameRecord
from ..calendars.agent import FILE_GONE
from ..shelf import Shelf
from .importing import GONE, BillImports, told
from .sheets import UnreadableBill

CODE: Final = "bills"
PRIVATELY: Final = "账单是你自己的，私聊发给我就行。"
NOTHING_NEW: Final = "没有要记的。"
UNCLEAR: Final = "账单整份记：回「确认」就记，「不用」就算了，不要的那笔记完再删。"
_PLAINLY: Final = {"yes": "确认", "no": "取消"}

Item = dict[str, Any]
"""A bill on the card: its preview's id, its words, how many records it is."""


def rules(clause: Clause) -> Match | None:
    """A bill that was sent."""
    read = read_bringing(clause.text)
    return Match("import", weight=6) if read is not None and read.kind == "bill_file" else None


def answers(frame: FrameRecord, clause: Clause) -> AnswerMatch | None:
    """Match of a line with a bill's card: also 导入吧 and 不导了."""
    said = bill_answer(clause.text) if frame.slots.get(BATCH) else None
    return concerns(frame, clause) if said is None else AnswerMatch("corrects", consents=said == "yes")


class BillAgent:
    """Takes in bills, in private only."""

    def __init__(
        self,
        bills: BillImports,
        shelf: Shelf,
        wall: Callable[[], float],
        timeout: float,
    ) -> None:
        """`timeout`: seconds for which a card waits."""
        self._bills = bills
        self._shelf = shelf
        self._wrote: dict[str, int] = {}
        """Records written by a batch, until that is said."""
        self._runner: DraftRunner[Item] = DraftRunner(
            DraftAdapter(
                agent_code=CODE,
                model=_MODEL,
                limits=Limits(timeout=timeout, max_items=1),
                dump_item=dict,
                load_item=dict,
                item_json=dict,
                wording=DraftWording(_card, self._line, _card),
                ask=_ask,
                commit=self._commit,
                saved=self._saved,
                online=lambda: False,
                wall=wall,
            )
        )

    def spec(self) -> AgentSpec:
        """The agent, for the registry."""
        return AgentSpec(
            code=CODE,
            name="导入账单",
            own_words=True,
            intents=(Intent("import", "发来了一份微信或支付宝账单文件", (), own_mood=True),),
            boundary="只管导入发来的账单文件。说一句记一笔的不归它。",
            handler=self.handle,
            rules=rules,
            answers=answers,
            feature="记账",
            expire=self.expire,
            drop=self.drop,
        )

    async def handle(self, dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        """Preview a bill, or hear the answer to its card. Raises `StorageError`: then nothing was written."""
        if context.open is not None:
            said = bill_answer(context.text)
            if said is not None:
                context.clause = replace(context.clause, text=_PLAINLY[said])
            return await self._runner.hear(dispatch, context)
        place, user_id = context.conversation, context.actor.user_id
        if place.is_group:
            return TaskResult(dispatch.task_id, "canceled", user_response=PRIVATELY)
        file = self._shelf.take(place.self_id, context.utterance.message.message_id)
        if file is None or file.data is None:
            return TaskResult(dispatch.task_id, "canceled", user_response=FILE_GONE)
        try:
            preview = await self._bills.preview(place, user_id, file.data, context.origin)
        except UnreadableBill as why:
            return TaskResult(dispatch.task_id, "canceled", user_response=str(why))
        words = told(preview, context.now.date())
        if not preview.records:
            return TaskResult(dispatch.task_id, "completed", user_response=f"{words}{NOTHING_NEW}")
        item = {"preview": preview.id, "description": words, "count": preview.new}
        return await self._runner.open(dispatch, context, [item])

    async def expire(self, frame: FrameRecord) -> str | None:
        """`AgentSpec.expire`: an unanswered card ends silently."""
        await self._runner.expire(frame)
        return None

    async def drop(self, frame: FrameRecord) -> None:
        """`AgentSpec.drop`."""
        await self._runner.drop(frame)

    async def _commit(self, batch: Batch[Item], commit: Commit[Item], context: TaskContext) -> None:
        ((_, item),) = commit.items
        preview = await self._bills.find(int(item["preview"]))
        if preview is None or preview.user_id != batch.owner:
            raise CommitRefused(GONE)
        name = f"bill:{batch.id}"
        count = await self._bills.commit(preview, context.actor.name, name, commit.ticket)
        self._wrote[batch.id] = count
        context.acted("import_bill", {"source": preview.source}, {"records": count})

    async def _saved(self, batch_id: str) -> Mapping[int, int]:
        """The one item, where its records are on disk."""
        return {0: 1} if await self._bills.written(f"bill:{batch_id}") else {}

    def _line(self, say: Say, batch: Batch[Item]) -> str | None:
        match say.line:
            case OwnerNotice.SAVED:
                count = self._wrote.pop(batch.id, None)
                count = int(batch.items[0].value["count"]) if count is None else count
                return f"记好了，{count} 笔都在你的账本里，记错了就说「撤销」。"
            case OwnerNotice.CANCELLED | OwnerNotice.LEFT:
                return "好，没记。"
            case OwnerNotice.EXPIRED | OwnerNotice.OFFLINE:
                return None
            case OwnerNotice.UNCLEAR:
                return UNCLEAR
            case _:
                return speak(say.line, say.numbers, say.count, "份")


def _card(batch: Batch[Item]) -> str:
    return f"{batch.items[0].value['description']}\n（回「确认」记到你的账本，「不用」就算了）"


async def _ask(ask: AskModel[Item], context: TaskContext, deadline: Deadline) -> Mapping[str, object]:
    """A line that is no yes and no no is not the card's."""
    return {"intent": "irrelevant"}


_MODEL: Final[ItemModel[Item]] = ItemModel(
    change=lambda value, fields: None,
    create=lambda fields: None,
    correct_locally=lambda text, pending: Local(),
    waiting_line=False,
)
