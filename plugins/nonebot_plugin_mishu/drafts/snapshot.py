"""A batch as JSON and back, so that an open one survives a restart. The agent says how an item is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, TypeVar

from ..language.cards.grammar import Kind, Order
from .batch import Batch, BatchPhase, Item, ItemState, Limits, Mode, RunningWork, Waiting

T = TypeVar("T")


def dump(batch: Batch[T], dump_item: Callable[[T], Any]) -> dict[str, Any]:
    """`batch` in values that JSON knows; `dump_item` does the same for one item."""
    plain = asdict(batch)
    plain["items"] = [
        {"number": item.number, "value": dump_item(item.value), "state": item.state.value}
        for item in batch.items
    ]
    return plain


def load(plain: Mapping[str, Any], load_item: Callable[[Any], T]) -> Batch[T]:
    """The batch that `dump` wrote. Raises `KeyError`, `TypeError` or `ValueError` where it is another thing.

    What ran when it was written is still running by its ticket: whoever loads it reports `ModelFailed` for a
    correction, and `Committed` or `CommitFailed` for a commit, whichever the disk says.
    """
    fields: dict[str, Any] = dict(plain)
    fields["items"] = tuple(
        Item(item["number"], load_item(item["value"]), ItemState(item["state"])) for item in plain["items"]
    )
    fields["limits"] = Limits(**plain["limits"])
    fields["phase"], fields["home"] = BatchPhase(plain["phase"]), BatchPhase(plain["home"])
    fields["work"] = _load_work(plain["work"])
    fields["waiting"] = tuple(
        Waiting(line["text"], line["online"], _load_order(line["order"]), bool(line.get("follows")))
        for line in plain["waiting"]
    )
    fields["touched"] = tuple(plain.get("touched", ()))
    return Batch(**fields)


def _load_work(plain: dict[str, Any] | None) -> RunningWork | None:
    if plain is None:
        return None
    fields: dict[str, Any] = {**plain, "mode": Mode(plain["mode"]), "numbers": tuple(plain["numbers"])}
    return RunningWork(**fields)


def _load_order(plain: dict[str, Any] | None) -> Order | None:
    if plain is None:
        return None
    fields: dict[str, Any] = {**plain, "kind": Kind(plain["kind"]), "items": tuple(plain["items"])}
    return Order(**fields)
