"""What a killed bot left on disk, looked at in a copy: looking must not repair anything."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Remains:
    """The database of a dead bot."""

    sound: bool
    claimed: dict[str, str | None]
    """Message ids that are claimed, with the id of the reply where it is known to be sent."""
    owed: set[str]
    """Message ids that have to be answered and are neither claimed nor processed."""
    known: set[str]
    marked: set[str]
    """Message ids that are known as a summons."""
    words: dict[str, set[str]]
    personas: dict[str, str | None]
    echo: dict[str, str]
    silent: set[str]


def look(database: Path) -> Remains:
    """Read everything a test asks for."""
    with _copied(database) as copy, closing(sqlite3.connect(copy)) as connection:

        def rows(query: str) -> list[tuple[Any, ...]]:
            return connection.execute(query).fetchall()

        words: dict[str, set[str]] = {}
        for peer, word in rows(
            "SELECT peer, word FROM mishu_word WHERE word_kind = 'silence' AND NOT removed"
        ):
            words.setdefault(peer, set()).add(word)
        claimed = {one[0]: one[1] for one in rows("SELECT message_id, sent_message_id FROM mishu_claim")}
        owed = rows("SELECT message_id FROM mishu_ledger WHERE addressed AND NOT processed AND NOT recalled")
        return Remains(
            sound=rows("PRAGMA integrity_check") == [("ok",)],
            claimed=claimed,
            owed={one[0] for one in owed} - set(claimed),
            known={one[0] for one in rows("SELECT message_id FROM mishu_ledger")},
            marked={one[0] for one in rows("SELECT message_id FROM mishu_ledger WHERE addressed")},
            words=words,
            personas={
                peer: persona for peer, persona in rows("SELECT peer, persona FROM mishu_conversation")
            },
            echo={
                peer: str(int(enabled))
                for peer, enabled in rows("SELECT peer, enabled FROM mishu_feature WHERE name = '复读'")
            },
            silent={
                one[0] for one in rows("SELECT peer FROM mishu_conversation WHERE silent_until IS NOT NULL")
            },
        )


def story(database: Path, messages: Iterable[str]) -> list[str]:
    """What is known of messages: their marks, their age at each decision about them, and its reason."""
    with _copied(database) as copy, closing(sqlite3.connect(copy)) as connection:
        found: list[str] = []
        for message in sorted(messages):
            marks = connection.execute(
                "SELECT peer, time, addressed, processed, recalled, text FROM mishu_ledger"
                " WHERE message_id = ?",
                (message,),
            ).fetchone()
            decided = connection.execute(
                "SELECT at, trigger, reason FROM mishu_decision WHERE message_id = ?", (message,)
            ).fetchall()
            found.append(f"{message}: {marks}, decided {decided}")
        return found


@contextmanager
def _copied(database: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="mishu-remains-") as folder:
        for file in database.parent.glob(f"{database.name}*"):
            shutil.copy(file, folder)
        yield Path(folder) / database.name
