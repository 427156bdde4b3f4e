"""The routes of the account books. Imports FastAPI, as `app` does.

`GET /api/groups/{id}/transactions` lists what was saved in a group; `POST /api/v1/llm/correct-transaction` is
seed 4's correction for programs that keep their drafts themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal, Protocol

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from ..storage.records import Conversation
from ..storage.transactions import TransactionRecord
from .handlers import ApiError

_PRINTABLE = r"^[^\x00-\x1f\x7f]*$"
GroupId = Annotated[
    str, Path(alias="id", min_length=1, max_length=64, pattern=_PRINTABLE, description="群号")
]
SelfId = Annotated[
    str | None,
    Query(max_length=64, pattern=_PRINTABLE, description="哪个机器人账号，默认最近连接的那个"),
]
MOST_ITEMS = 100
MOST_YUAN = 100_000_000
Day = date
LONGEST_LINE = 20_000


class BooksBackend(Protocol):
    """What the routes need of the running plugin."""

    def account_in(self, group_id: str) -> str | None:
        """The account meant where a request names none (`Backend.account_in`)."""
        ...

    async def transactions(
        self, conversation: Conversation, *, first: str | None, last: str | None
    ) -> Sequence[TransactionRecord]:
        """Everybody's records of a group by day, oldest first: `storage.transactions.listed` of a `Span` with
        `everything`. Days are `YYYY-MM-DD`, both included. May raise `BackendUnavailable`."""
        ...

    async def correct_transaction(self, batch: Sequence[Mapping[str, Any]], text: str) -> Mapping[str, Any]:
        """`agents.bookkeeping.correct_for_api`: ends within `CORRECTION_TIMEOUT` and raises nothing."""
        ...


class TransactionBody(BaseModel):
    """One saved transaction."""

    id: int
    type: Literal["INCOME", "EXPENSE", "TRANSFER"]
    amount: str = Field(description="元，两位小数的字符串")
    category: str
    description: str
    date: str = Field(description="YYYY-MM-DD")
    user: str


class BatchItem(BaseModel):
    """One pending item of the caller's batch."""

    model_config = ConfigDict(extra="ignore")

    index: int = Field(ge=0, le=10_000)
    amount: Decimal = Field(gt=0, le=MOST_YUAN, decimal_places=2)
    type: Literal["INCOME", "EXPENSE", "TRANSFER"]
    category: str = Field("", max_length=100)
    description: str = Field("", max_length=500)
    date: Day | None = None


class CorrectionRequest(BaseModel):
    """A line about a batch."""

    model_config = ConfigDict(extra="ignore")

    currentBatch: list[BatchItem] = Field(max_length=MOST_ITEMS)
    correctionText: str = Field(min_length=1, max_length=LONGEST_LINE)


class CorrectionItem(BaseModel):
    """What changes in one item; index -1 is a new one."""

    index: int
    updatedFields: dict[str, Any] = Field(
        description="只有要改的字段：amount、type、category、description、date"
    )


class CorrectionBody(BaseModel):
    """What the line means."""

    corrections: list[CorrectionItem]
    intent: Literal["correction", "append", "confirm", "cancel", "unclear"]
    confidence: float


def transaction_json(record: TransactionRecord) -> dict[str, Any]:
    """A transaction as the route gives it."""
    fields = record.fields
    return {
        "id": record.id,
        "type": fields.type,
        "amount": f"{fields.fen // 100}.{fields.fen % 100:02d}",
        "category": fields.category,
        "description": fields.description,
        "date": fields.day,
        "user": record.user_id,
    }


def _plain(item: BatchItem) -> dict[str, Any]:
    """An item as the books take it: the amount with two places, the day as text."""
    return {**item.model_dump(mode="json", exclude_none=True), "amount": f"{item.amount:.2f}"}


def routes(backend: BooksBackend) -> APIRouter:
    """The routes, to be included in the API."""
    router = APIRouter()

    @router.get(
        "/groups/{id}/transactions",
        summary="群里记下的账，按日期，旧的在前",
        response_model=list[TransactionBody],
    )
    async def transactions(
        group_id: GroupId,
        first: Annotated[date | None, Query(alias="from", description="YYYY-MM-DD，含这一天")] = None,
        last: Annotated[date | None, Query(alias="to", description="YYYY-MM-DD，含这一天")] = None,
        self_id: SelfId = None,
    ) -> list[dict[str, Any]]:
        if first is not None and last is not None and first > last:
            raise ApiError(422, "from：不能晚于 to")
        account = self_id or backend.account_in(group_id)
        if account is None:
            return []
        found = await backend.transactions(
            Conversation(account, "group", group_id),
            first=None if first is None else first.isoformat(),
            last=None if last is None else last.isoformat(),
        )
        return [transaction_json(record) for record in found]

    @router.post(
        "/v1/llm/correct-transaction",
        summary="一句话对待确认的账单意味着什么",
        response_model=CorrectionBody,
    )
    async def correct_transaction(request: CorrectionRequest) -> Mapping[str, Any]:
        if len({item.index for item in request.currentBatch}) < len(request.currentBatch):
            raise ApiError(422, "currentBatch：index 不能重复")
        batch = [_plain(item) for item in request.currentBatch]
        return await backend.correct_transaction(batch, request.correctionText)

    return router
