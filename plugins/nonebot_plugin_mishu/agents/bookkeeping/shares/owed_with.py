"""What a member owes and is owed here, as a model is told it."""

from __future__ import annotations

from ....language.entries.entry import yuan
from ....storage import Storage
from ....storage.records import Conversation
from ..books import debts_of
from .sharing import settle


async def owed_with(storage: Storage, conversation: Conversation, user_id: str) -> list[dict[str, str]]:
    """Who gives whom how much (yuan), so that the member is even with everybody. Raises `StorageError`."""
    debts = debts_of(await storage.transactions.split(conversation))
    return [
        {
            "from": debts.names.get(each.debtor, "某人"),
            "to": debts.names.get(each.creditor, "某人"),
            "amount": yuan(each.fen),
        }
        for each in settle(debts.owed)
        if user_id in (each.debtor, each.creditor)
    ]
