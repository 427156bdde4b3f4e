"""The doors of the web pages: one-time codes, and the sessions they open."""

from __future__ import annotations

import sqlalchemy as sa
from alembic.operations import Operations

revision = "0011"
down_revision = "0010"

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_WHOSE = ("self_id", "kind", "peer", "user_id", "name", "role", "digest")


def upgrade(op: Operations) -> None:
    """Two tables that are empty at first."""
    for name, times in (
        ("web_code", ("expires_at",)),
        ("web_session", ("created_at", "expires_at", "checked_at")),
    ):
        op.create_table(
            f"mishu_{name}",
            sa.Column("id", _BIG, sa.Identity(), primary_key=True),
            *(sa.Column(each, sa.Text(), nullable=False) for each in _WHOSE),
            *(sa.Column(each, sa.Float(53), nullable=False) for each in times),
            sa.UniqueConstraint("digest", name=f"mishu_{name}_digest"),
            sqlite_autoincrement=True,
        )
        op.create_index(f"mishu_{name}_age", f"mishu_{name}", ["expires_at"])
    op.create_index("mishu_web_session_user", "mishu_web_session", ["self_id", "user_id"])
