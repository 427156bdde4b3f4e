"""`POST /api/v1/llm/correct-transaction`: seed 4's correction, for programs that keep their own drafts.

Imports FastAPI, as `app` does.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from ..backend import Backend
from ..layers.handlers import ApiError

MOST_ITEMS = 100
MOST_YUAN = 100_000_000
Day = date
LONGEST_LINE = 20_000


class BatchItem(BaseModel):
    """One pending item of the caller's batch."""

    model_config = ConfigDict(extra="ignore")

    index: int = Field(ge=0, le=10_000)
    amount: Decimal = Field(gt=0, le=MOST_YUAN, decimal_places=2)
    type: Literal["INCOME", "EXPENSE", "TRANSFER"]
    category: str = Field("", max_length=100)
    description: str = Field("", max_length=500)
    date: Day | None = None
    payer: str | None = Field(None, max_length=40)
    sharers: list[Annotated[str, Field(max_length=40)]] | None = Field(None, max_length=100)


class CorrectionRequest(BaseModel):
    """A line about a batch."""

    model_config = ConfigDict(extra="ignore")

    currentBatch: list[BatchItem] = Field(max_length=MOST_ITEMS)
    correctionText: str = Field(min_length=1, max_length=LONGEST_LINE)


class CorrectionItem(BaseModel):
    """Changes of one item; index -1 is a new one."""

    index: int
    updatedFields: dict[str, Any] = Field(
        description="只有要改的字段：amount、type、category、description、date、payer、sharers"
    )


class CorrectionBody(BaseModel):
    """Meaning of the line."""

    corrections: list[CorrectionItem]
    intent: Literal["correction", "append", "confirm", "cancel", "unclear"]
    confidence: float


def routes(backend: Backend) -> APIRouter:
    router = APIRouter()

    @router.post(
        "/v1/llm/correct-transaction",
        summary="一句话对待确认的账单意味着什么",
        response_model=CorrectionBody,
    )
    async def correct_transaction(request: CorrectionRequest) -> Mapping[str, Any]:
        if len({item.index for item in request.currentBatch}) < len(request.currentBatch):
            raise ApiError(422, "currentBatch：index 不能重复", "currentBatch")
        batch = [
            {**item.model_dump(mode="json", exclude_none=True), "amount": f"{item.amount:.2f}"}
            for item in request.currentBatch
        ]
        return await backend.correct_transaction(batch, request.correctionText)

    return router
