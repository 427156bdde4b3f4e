"""Access tokens that members make for their programs; sums as they were said in other currencies."""

from __future__ import annotations

import sqlalchemy as sa
from alembic.operations import Operations

revision = "0021"
down_revision = "0020"

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_WORDS = ("self_id", "kind", "peer", "user_id", "name", "role", "label", "digest")


def upgrade(op: Operations) -> None:
    """A table that is empty at first; what is in the books was said in yuan."""
    op.add_column("mishu_transaction", sa.Column("foreign_sum", sa.Text(), nullable=False, server_default=""))
    op.create_table(
        "mishu_member_token",
        sa.Column("id", _BIG, sa.Identity(), primary_key=True),
        *(sa.Column(each, sa.Text(), nullable=False) for each in _WORDS),
        *(sa.Column(each, sa.Float(53), nullable=False) for each in ("created_at", "checked_at")),
        sa.UniqueConstraint("digest", name="mishu_member_token_digest"),
        sqlite_autoincrement=True,
    )
    op.create_index("mishu_member_token_user", "mishu_member_token", ["peer", "user_id"])
