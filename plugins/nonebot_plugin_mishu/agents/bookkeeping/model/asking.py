"""Model calls of the books: `parse_transactions` and `correct_transaction` (contracts.md).

Members' text is data in both. Answers are returned unchecked; the caller checks them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from ....language.entries.entry import Entry, entry_json
from ....language.text.fold import normalise
from ....llm import CallLog, Deadline, ModelClient
from ....prompts import prompt
from ....storage.records import Conversation
from ..cards.payers import payer_of, sharers_of

Intent = Literal["correction", "append", "confirm", "cancel", "unclear"]


def _known(said: object) -> object:
    return said if said in get_args(Intent) else "unclear"


class ParsedItem(BaseModel):
    """One item of `parse_transactions`."""

    model_config = ConfigDict(strict=True)

    amount: float | str
    type: Literal["INCOME", "EXPENSE", "TRANSFER"]
    category: str
    description: str | None = None
    date: str | None = None
    payer: str | None = None
    sharers: list[str] | None = None


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
    payer: str | None = None
    sharers: list[str] | None = None


class ItemCorrection(BaseModel):
    """The changes of one item. A new one (index -1, from a model that mixes the two up) is taken, too."""

    model_config = ConfigDict(strict=True)

    index: int = Field(description="currentBatch 里那一笔的 index")
    updatedFields: UpdatedFields = Field(description="只写要改的，其余为 null")


class Corrected(BaseModel):
    """The answer of `correct_transaction`. What is of another type is no answer: true is no amount.

    `added` are new items, `removed` the indices of those that are to go, beside any corrections.
    """

    model_config = ConfigDict(strict=True)

    corrections: list[ItemCorrection] = Field(default=[], description="要改的几笔，新的不写在这里")
    added: list[UpdatedFields] = Field(default=[], description="新增的几笔")
    removed: list[int] = Field(default=[], description="不要了的几笔的 index")
    intent: Annotated[Intent, BeforeValidator(_known)]
    confidence: float | None = None


def in_own_words(text: str, said: str, quoted: str | None) -> str:
    """Order in the member's own words, with the quote."""
    said = said.strip()
    own = text.removesuffix(f"，{quoted}") if quoted else text
    if not said or normalise(own) in normalise(said):
        return text
    return said if own == text else f"{said}，{quoted}"


@dataclass(frozen=True, slots=True)
class People:
    """The speaker and the group's members, by name, as a model is told them; nobody in private."""

    speaker: str = ""
    members: tuple[str, ...] = ()

    @property
    def told(self) -> dict[str, Any]:
        """Fields of a request."""
        return {"speaker": self.speaker, "members": list(self.members)} if self.members else {}


NOBODY_TOLD: Final = People()


async def parse_transactions(
    model: ModelClient,
    text: str,
    today: str,
    categories: Sequence[str],
    *,
    people: People = NOBODY_TOLD,
    deadline: Deadline,
    conversation: Conversation | None,
    log: CallLog | None,
) -> list[dict[str, Any]]:
    """Items of a sentence by a model, unchecked. Raises `ModelError`."""
    data = {"text": text, "today": today, "categories": list(categories), **people.told}
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
    people: People = NOBODY_TOLD,
) -> dict[str, Any]:
    """Changes of the shown items by a model, unchecked. Raises `ModelError`.

    `numbers`: the items' numbers on the card, from 0, in the order of `batch`.
    """
    known = "，".join(f"第{number + 1}笔是 index {index}" for index, number in enumerate(numbers))
    facts = (f"今天是 {today}。" if today else "", f"{known}。" if known else "")
    answer = await model.structured(
        "correct_transaction",
        {"currentBatch": list(batch), "correctionText": text},
        Corrected,
        instructions=prompt("correct_transaction"),
        facts="".join(facts),
        beside={"categories": list(categories), **people.told} if categories else None,
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
    """`currentBatch`: pending items with their index; shared ones also with payer and sharers, by name."""
    return [{"index": index, **entry_json(entry), **_borne(entry)} for index, entry in enumerate(entries)]


def _borne(entry: Entry) -> dict[str, Any]:
    payer = payer_of(entry)
    return {"payer": payer, "sharers": sharers_of(entry)} if payer else {}
