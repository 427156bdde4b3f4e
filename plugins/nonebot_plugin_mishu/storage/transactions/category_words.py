"""The words that members of a conversation taught for their categories (以后奶茶算饮品)."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.queries import Queries
from ..journal import queries as changes
from ..journal.queries import RowChange
from ..records import Conversation
from ..rows import conversation_values, within
from .tables import category_word


class CategoryWords(Queries):
    """The conversation's own words for categories."""

    async def load_words(self, conversation: Conversation) -> dict[str, str]:
        """The conversation's own words for categories."""
        wanted = select(category_word).where(within(category_word, conversation)).order_by(category_word.c.id)
        return {row.word: row.category for row in await self._database.fetch_rows(wanted)}

    @Queries.writing
    async def set_word(
        self,
        connection: AsyncConnection,
        conversation: Conversation,
        user_id: str,
        word: str,
        category: str,
        summary: str,
        at: float,
    ) -> None:
        """From now on a word stands for a category in this conversation; noted for 撤销."""
        key = within(category_word, conversation) & (category_word.c.word == word)
        row = (await connection.execute(select(category_word).where(key))).one_or_none()
        before = None if row is None else await changes.image(connection, category_word, row.id)
        values = {**conversation_values(conversation), "word": word, "category": category}
        adding = self._database.insert(category_word).values(**values)
        await connection.execute(
            adding.on_conflict_do_update(
                index_elements=["self_id", "kind", "peer", "word"], set_={"category": category}
            )
        )
        row = (await connection.execute(select(category_word).where(key))).one()
        after = await changes.image(connection, category_word, row.id)
        noted = [RowChange(category_word.name, row.id, before, after)]
        await changes.journal(connection, conversation, user_id, "bookkeeping", summary, noted, at)
