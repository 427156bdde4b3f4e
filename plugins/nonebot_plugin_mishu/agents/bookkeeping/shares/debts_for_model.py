"""A member's debts and claims, as given to a model."""

from __future__ import annotations

from ....language.entries.entry import yuan
from ....storage import Storage
from ....storage.records import Conversation
from ..books import debts_of
from .sharing import settling_transfers


async def list_debts(storage: Storage, conversation: Conversation, user_id: str) -> list[dict[str, str]]:
    """Transfers (yuan) that settle the member's debts. Raises `StorageError`."""
    debts = debts_of(await storage.transactions.split(conversation))
    return [
        {
            "from": debts.names.get(each.debtor, "某人"),
            "to": debts.names.get(each.creditor, "某人"),
            "amount": yuan(each.fen),
        }
        for each in settling_transfers(debts.owed)
        if user_id in (each.debtor, each.creditor)
    ]
