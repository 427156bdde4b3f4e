"""A small account book as an item model, for the tests of the machine."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from nonebot_plugin_mishu.drafts import (
    Batch,
    Commit,
    Committed,
    Effect,
    Event,
    ItemModel,
    Limits,
    LineReceived,
    Local,
    OwnerNotice,
    Say,
    open_batch,
    step,
)

OWNER = "10001"
OTHER = "10002"


@dataclass(frozen=True)
class Entry:
    """One transaction; amounts in fen."""

    what: str
    fen: int
    type: str = "EXPENSE"


def change(entry: Entry, fields: Mapping[str, object]) -> Entry | None:
    if not fields.keys() <= {"amount", "type", "description"}:
        return None
    kind, amount = fields.get("type", entry.type), fields.get("amount", entry.fen / 100)
    if kind not in ("INCOME", "EXPENSE") or not isinstance(amount, int | float) or amount < 0:
        return None
    return replace(
        entry, type=str(kind), fen=round(amount * 100), what=str(fields.get("description", entry.what))
    )


def create(fields: Mapping[str, object]) -> Entry | None:
    return change(Entry("?", 0), fields) if "amount" in fields else None


def correct_locally(text: str, pending: Sequence[tuple[int, Entry]]) -> Local:
    fields: dict[str, object] = {}
    if "收入" in text:
        fields["type"] = "INCOME"
    elif "支出" in text:
        fields["type"] = "EXPENSE"
    amount = re.search(r"(?:改成|改为|成)(\d+)", text)
    if amount:
        fields["amount"] = int(amount[1])
    if not fields:
        return Local()
    named = re.search(r"第([一二三四五])笔", text)
    numbers = [number for number, _ in pending]
    if named:
        number = "一二三四五".index(named[1])
        return Local({number: fields}) if number in numbers else Local()
    return Local({numbers[0]: fields}) if len(numbers) == 1 else Local(which=True)


MODEL = ItemModel(change, create, correct_locally)
LIMITS = Limits()


class Desk:
    """A batch, a clock, and what the batch wanted done, for tests that read like a dialogue."""

    def __init__(self, *entries: Entry, limits: Limits = LIMITS, model: ItemModel[Entry] = MODEL) -> None:
        self.now = 1_000.0
        self.model = model
        self.effects: list[Effect[Entry]] = []
        values = entries or (Entry("午饭", 3500), Entry("打车", 2000), Entry("奶茶", 1500))
        self.batch: Batch[Entry]
        self.batch, _ = open_batch("b1", OWNER, "g1", values, self.now, limits, said="记账")

    def on(self, event: Event) -> list[Effect[Entry]]:
        """What the batch wants after `event`."""
        self.batch, effects = step(self.batch, event, self.now, self.model)
        self.effects.extend(effects)
        return list(effects)

    @property
    def states(self) -> str:
        """The items' states by their first letters, in the order of the card: p, s, c."""
        return "".join(item.state.value[0] for item in self.batch.items)


def said(effects: list[Effect[Any]]) -> list[OwnerNotice]:
    return [effect.line for effect in effects if isinstance(effect, Say)]


def one(effects: list[Effect[Any]], kind: type[Any]) -> Any:
    found = [effect for effect in effects if isinstance(effect, kind)]
    assert len(found) == 1, effects
    return found[0]


def hear(desk: Desk, text: str, online: bool = True) -> list[Effect[Any]]:
    return desk.on(LineReceived(OWNER, text, online))


def save(desk: Desk, effects: list[Effect[Any]]) -> list[Effect[Any]]:
    return desk.on(Committed(one(effects, Commit).ticket))


def new(**fields: object) -> dict[str, object]:
    return {"index": -1, "updatedFields": fields}


def at(index: int, **fields: object) -> dict[str, object]:
    return {"index": index, "updatedFields": fields}
