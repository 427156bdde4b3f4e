"""The database: the one layer that speaks SQL (product sections 1, 2 and 11).

`Storage.open` migrates and connects, over SQLite (aiosqlite) or PostgreSQL (asyncpg), and holds the
ledger, claims, settings, decisions and usage as attributes. Values come in and go out as the records of
`records.py`; SQLAlchemy stays inside. Every failure is a `StorageError` whose text is a Chinese sentence.

Sync calls (`ledger.append`, `usage.record`) queue and are on disk half a second later at the latest.
Awaited writes are on disk when they return. A caller that is cancelled leaves its write to finish or to
be undone as a whole.
"""

from .engine.address import default_url, parse_address
from .engine.database import occupy
from .engine.errors import (
    DatabaseCorrupt,
    DatabaseFull,
    DatabaseGone,
    DatabaseInUse,
    DatabaseLocked,
    DatabaseReadOnly,
    DatabaseTimeout,
    DatabaseUnreachable,
    DataRefused,
    DriverMissing,
    SchemaNewer,
    StorageClosed,
    StorageError,
)
from .groups.settings import SettingsStore
from .ledger.claims import Claims
from .ledger.decisions import Decisions
from .ledger.queries import Ledger
from .records import (
    Conversation,
    ConversationKind,
    ConversationSettings,
    DecisionRecord,
    LedgerMessage,
    ModelCall,
    ModelUsage,
    Role,
    Silence,
    UsageRecord,
    WordKind,
)
from .store import Health, Storage
from .usage import UsageLog

__all__ = [
    "Claims",
    "Conversation",
    "ConversationKind",
    "ConversationSettings",
    "DataRefused",
    "DatabaseCorrupt",
    "DatabaseFull",
    "DatabaseGone",
    "DatabaseInUse",
    "DatabaseLocked",
    "DatabaseReadOnly",
    "DatabaseTimeout",
    "DatabaseUnreachable",
    "DecisionRecord",
    "Decisions",
    "DriverMissing",
    "Health",
    "Ledger",
    "LedgerMessage",
    "ModelCall",
    "ModelUsage",
    "Role",
    "SchemaNewer",
    "SettingsStore",
    "Silence",
    "Storage",
    "StorageClosed",
    "StorageError",
    "UsageLog",
    "UsageRecord",
    "WordKind",
    "default_url",
    "occupy",
    "parse_address",
]
