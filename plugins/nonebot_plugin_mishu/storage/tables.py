"""The tables as this version of the code uses them. How they came to be is `migrations/`.

Every name starts with `mishu_`, so that they live beside other programs' tables in one PostgreSQL
database. Ids only grow and are never used again (AUTOINCREMENT, identity). Uniqueness is the database's,
so several processes may share it.
"""

from __future__ import annotations

import json
import re
from typing import Any, cast

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Identity,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    false,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator, TypeEngine

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def storable(text: str) -> str:
    """The text as both databases can keep it: NUL and lone surrogates become U+FFFD.

    PostgreSQL keeps no NUL and no driver encodes a lone surrogate; a pair of surrogates is the character
    it stands for.
    """
    if not _UNSTORABLE.search(text):
        return text
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return whole.replace("\x00", "\ufffd")


class CleanText(TypeDecorator[str]):
    """Text, made storable wherever it is bound: in rows and in comparisons alike."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else storable(value)


class JsonText(TypeDecorator[Any]):
    """A JSON value as text. Unlike CleanText it loses nothing: JSON escapes what cannot be stored."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
        return json.dumps(value, default=str) if _UNSTORABLE.search(text) else text

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        return None if value is None else json.loads(value)


big = BigInteger().with_variant(Integer(), "sqlite")
"""64 bits; SQLite's row id must be declared INTEGER."""

metadata = MetaData()


def _table(name: str, *parts: Any) -> Table:
    key: Column[int] = Column("id", big, Identity(), primary_key=True)
    return Table(f"mishu_{name}", metadata, key, *parts, sqlite_autoincrement=True)


def _text(name: str, *, nullable: bool = False) -> Column[str]:
    return Column(name, CleanText, nullable=nullable)


def _json(name: str) -> Column[Any]:
    return Column(name, JsonText, nullable=False)


def _number(name: str, *, nullable: bool = False) -> Column[float]:
    return Column(name, Float(53), nullable=nullable)


def _count(name: str) -> Column[int]:
    return Column(name, cast("TypeEngine[int]", big), nullable=False)


def _flag(name: str) -> Column[bool]:
    return Column(name, Boolean, nullable=False)


def _conversation(*, nullable: bool = False) -> list[Column[str]]:
    return [_text(name, nullable=nullable) for name in ("self_id", "kind", "peer")]


ledger = _table(
    "ledger",
    *_conversation(),
    _text("message_id"),
    _number("time"),
    _count("receipt"),
    _text("user_id"),
    _text("name"),
    _text("role"),
    _text("text"),
    _json("segments"),
    _json("captions"),
    _text("reply_to", nullable=True),
    _flag("is_bot"),
    _flag("addressed"),
    _flag("processed"),
    _flag("recalled"),
    UniqueConstraint("self_id", "message_id", name="mishu_ledger_message"),
)
Index("mishu_ledger_order", *(ledger.c[name] for name in ("self_id", "kind", "peer", "time", "receipt")))
Index("mishu_ledger_age", ledger.c.time)
_open = ledger.c.addressed & ~ledger.c.processed
Index("mishu_ledger_open", ledger.c.self_id, ledger.c.time, sqlite_where=_open, postgresql_where=_open)

claim = _table(
    "claim",
    _text("self_id"),
    _text("message_id"),
    _text("token"),
    _number("claimed_at"),
    _text("sent_message_id", nullable=True),
    UniqueConstraint("self_id", "message_id", name="mishu_claim_message"),
)
Index("mishu_claim_age", claim.c.claimed_at)

conversation = _table(
    "conversation",
    *_conversation(),
    _text("persona", nullable=True),
    _number("silent_until", nullable=True),
    Column("silent_by_command", Boolean, nullable=False, server_default=false()),
    UniqueConstraint("self_id", "kind", "peer", name="mishu_conversation_peer"),
)

feature = _table(
    "feature",
    *_conversation(),
    _text("name"),
    _flag("enabled"),
    UniqueConstraint("self_id", "kind", "peer", "name", name="mishu_feature_name"),
)

word = _table(
    "word",
    *_conversation(),
    _text("word_kind"),
    _text("word"),
    _flag("removed"),
    UniqueConstraint("self_id", "kind", "peer", "word_kind", "word", name="mishu_word_word"),
)

decision = _table(
    "decision",
    *_conversation(),
    _text("message_id"),
    _text("user_id"),
    _text("trigger"),
    _text("state_before"),
    _text("state_after"),
    _flag("should_reply"),
    _text("strategy"),
    _text("reason"),
    _json("timings"),
    _json("calls"),
    _count("tokens"),
    _number("at"),
)
Index("mishu_decision_order", *(decision.c[name] for name in ("self_id", "kind", "peer", "id")))
Index("mishu_decision_age", decision.c.at)

model_call = _table(
    "model_call",
    *_conversation(nullable=True),
    _text("name"),
    _text("model"),
    _count("prompt_tokens"),
    _count("completion_tokens"),
    _number("seconds"),
    _text("outcome"),
    _number("at"),
)
Index("mishu_model_call_age", model_call.c.at)
