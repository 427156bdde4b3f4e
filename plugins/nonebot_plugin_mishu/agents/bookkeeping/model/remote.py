"""`POST /api/v1/llm/correct-transaction`: seed 4's correction for programs with their own drafts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from ....config import Bookkeeping
from ....drafts import LineIntent, read_answer
from ....language.cards.grammar import Kind
from ....language.cards.triage import triage
from ....language.clause import Mention
from ....language.entries.categories import Categories
from ....language.entries.entry import Entry
from ....llm import Deadline, ModelClient, ModelError
from ..cards.correcting import correct_locally
from ..cards.payers import Around
from .asking import correct_transaction
from .item import change

_ALL = frozenset({Kind.CONFIRM, Kind.CANCEL})
"""Unambiguous orders for the whole batch that are intents of the answer"""
_INTENTS = frozenset({LineIntent.CORRECTION, LineIntent.APPEND, LineIntent.CONFIRM, LineIntent.CANCEL})


async def correct_for_api(
    model: ModelClient,
    config: Bookkeeping,
    batch: Sequence[Mapping[str, Any]],
    text: str,
    now: datetime,
) -> dict[str, Any]:
    """`{corrections, intent, confidence}` for `currentBatch` and `correctionText`; indices are the batch's.

    Asks a model for at most `CORRECTION_TIMEOUT` seconds; without a usable answer local rules correct.
    `added` and `removed` (indices) are further keys if a line adds or removes. A confidence below
    `CONFIDENCE` is `unclear` and changes nothing.
    """
    indices = [int(item["index"]) for item in batch]
    shown = [{**item, "index": place} for place, item in enumerate(batch)]
    try:
        raw = await correct_transaction(
            model,
            shown,
            text,
            deadline=Deadline.after(config.correction_timeout),
            conversation=None,
            log=None,
        )
    except ModelError:
        return _locally(batch, text, now)
    answer = read_answer(raw, indices, config.confidence)
    entries = {index: _entry(item) for index, item in zip(indices, batch, strict=True)}
    around = _named([*batch, *answer.changes.values()])
    fine = all(change(entries[index], fields, around) is not None for index, fields in answer.changes.items())
    fine = fine and all(change(Entry(0), fields) is not None for fields in answer.added)
    if not fine or answer.intent not in _INTENTS:
        return _answer("unclear", [], raw.get("confidence") or 0.0)
    changes = [{"index": index, "updatedFields": dict(fields)} for index, fields in answer.changes.items()]
    added = [dict(fields) for fields in answer.added]
    if answer.intent is LineIntent.APPEND:  # the form of seed 4
        changes += [{"index": -1, "updatedFields": fields} for fields in added]
        added = []
    confidence = raw.get("confidence")
    said = _answer(answer.intent.value, changes, 1.0 if confidence is None else confidence)
    if added:
        said["added"] = added
    if answer.removed:
        said["removed"] = list(answer.removed)
    return said


def _named(items: Sequence[Mapping[str, Any]]) -> Around:
    """Payers and sharers named by the program or the model; the program resolves the names."""
    said = [item.get("payer") for item in items]
    for item in items:
        sharers = item.get("sharers")
        said += sharers if isinstance(sharers, list) else []
    names = dict.fromkeys(each.strip() for each in said if isinstance(each, str) and each.strip())
    return Around(("me", "me"), tuple(Mention(name, name) for name in names))


def _locally(batch: Sequence[Mapping[str, Any]], text: str, now: datetime) -> dict[str, Any]:
    zone = now.tzinfo
    assert zone is not None
    pending = [(place, _entry(item)) for place, item in enumerate(batch)]
    found = correct_locally(text, pending, Categories(), now, zone)  # type: ignore[arg-type]
    changes = [
        {"index": int(batch[place]["index"]), "updatedFields": _numbers(fields)}
        for place, fields in found.changes.items()
    ]
    changes += [{"index": -1, "updatedFields": _numbers(fields)} for fields in found.added]
    if not changes:
        order = triage(text, len(batch)).kind
        return _answer(order.value, [], 1.0) if order in _ALL else _answer("unclear", [], 0.0)
    return _answer("append" if found.added else "correction", changes, 1.0)


def _answer(intent: str, corrections: list[dict[str, Any]], confidence: float) -> dict[str, Any]:
    return {"corrections": corrections, "intent": intent, "confidence": confidence}


def _numbers(fields: Mapping[str, object]) -> dict[str, object]:
    """Amounts as JSON numbers (seed 4)."""
    return {name: float(str(value)) if name == "amount" else value for name, value in fields.items()}


def _entry(item: Mapping[str, Any]) -> Entry:
    """The program's item; unreadable fields keep their default."""
    entry = Entry(1, day=date(2000, 1, 1))
    for name in ("amount", "type", "category", "description", "date"):
        value = item.get(name)
        if value is not None:
            entry = change(entry, {name: value}) or entry
    return replace(entry)
