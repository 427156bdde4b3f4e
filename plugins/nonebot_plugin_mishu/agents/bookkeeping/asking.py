"""The two model calls of the books: `parse_transactions` and `correct_transaction` (contracts.md).

What members wrote is data in both. Answers are given on as they came; whoever applies them checks them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from ...language.entries.entry import Entry, entry_json
from ...llm import CallLog, Deadline, ModelClient
from ...prompts import prompt
from ...storage.records import Conversation


class ParsedItem(BaseModel):
    """One item of `parse_transactions`."""

    model_config = ConfigDict(strict=True)

    amount: float | str
    type: Literal["INCOME", "EXPENSE", "TRANSFER"]
    category: str
    description: str | None = None
    date: str | None = None


class Parsed(BaseModel):
    """The answer of `parse_transactions`."""

    items: list[ParsedItem]


class UpdatedFields(BaseModel):
    """What is to change; null where it stays."""

    model_config = ConfigDict(extra="allow", strict=True)

    amount: float | str | None = None
    type: str | None = None
    category: str | None = None
    description: str | None = None
    date: str | None = None


class ItemCorrection(BaseModel):
    """The changes of one item; index -1 is a new one."""

    model_config = ConfigDict(strict=True)

    index: int
    updatedFields: UpdatedFields


class Corrected(BaseModel):
    """The answer of `correct_transaction`. What is of another type is no answer: true is no amount.

    `added` are new items, `removed` the indices of those that are to go, beside any corrections.
    """

    model_config = ConfigDict(strict=True)

    corrections: list[ItemCorrection] = []
    added: list[UpdatedFields] = []
    removed: list[int] = []
    intent: str
    confidence: float | None = None


async def parse_transactions(
    model: ModelClient,
    text: str,
    today: str,
    categories: Sequence[str],
    *,
    deadline: Deadline,
    conversation: Conversation | None,
    log: CallLog | None,
) -> list[dict[str, Any]]:
    """The items of a sentence as a model reads them, unchecked. Raises `ModelError`."""
    data = {"text": text, "today": today, "categories": list(categories)}
    answer = await model.structured(
        "parse_transactions",
        data,
        Parsed,
        instructions=prompt("parse_transactions"),
        deadline=deadline,
        conversation=conversation,
        writes=True,
        log=log,
    )
    return [item.model_dump(exclude_none=True) for item in answer.items]


async def correct_transaction(
    model: ModelClient,
    batch: Sequence[Mapping[str, Any]],
    text: str,
    *,
    deadline: Deadline,
    conversation: Conversation | None,
    log: CallLog | None,
    today: str = "",
    categories: Sequence[str] = (),
    numbers: Sequence[int] = (),
) -> dict[str, Any]:
    """What a line means to the items shown, as a model sees it, unchecked. Raises `ModelError`.

    `numbers` are the items' numbers on the card, from 0, in the order of `batch`.
    """
    known = "，".join(f"第{number + 1}笔是 index {index}" for index, number in enumerate(numbers))
    facts = (f"今天是 {today}。" if today else "", f"{known}。" if known else "")
    answer = await model.structured(
        "correct_transaction",
        {"currentBatch": list(batch), "correctionText": text},
        Corrected,
        instructions=prompt("correct_transaction"),
        facts="".join(facts),
        beside={"categories": list(categories)} if categories else None,
        deadline=deadline,
        conversation=conversation,
        writes=True,
        log=log,
    )
    plain = answer.model_dump()
    for correction in plain["corrections"]:
        fields = correction["updatedFields"]
        correction["updatedFields"] = {name: value for name, value in fields.items() if value is not None}
    plain["added"] = [
        {name: value for name, value in fields.items() if value is not None} for fields in plain["added"]
    ]
    return plain


def shown_to_model(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """`currentBatch`: the pending items with an index of their own."""
    return [{"index": index, **entry_json(entry)} for index, entry in enumerate(entries)]
