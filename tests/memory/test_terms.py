"""Search terms: few, and never syntax; found again by SQLite's own full-text search."""

from __future__ import annotations

import sqlite3

from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.memory import query, terms
from nonebot_plugin_mishu.memory.terms import MOST
from nonebot_plugin_mishu.storage import Conversation
from nonebot_plugin_mishu.storage.engine import fulltext

HERE = Conversation("1", "group", "2")
OWNER = fulltext.owner(HERE, "3")


def index(*texts: str) -> sqlite3.Connection:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE said USING fts5(words)")
    rows = [(fulltext.indexed(HERE, "3", terms(text)),) for text in texts]
    database.executemany("INSERT INTO said VALUES (?)", rows)
    return database


def hits(database: sqlite3.Connection, text: str) -> list[int]:
    asked = fulltext.fts5(OWNER, query(text))
    assert asked is not None
    found = database.execute("SELECT rowid FROM said WHERE said MATCH ? ORDER BY rank", (asked,))
    return [row[0] for row in found]


def test_bigrams_come_before_single_characters_and_words_stay_whole() -> None:
    assert terms("开会 Room3") == ["开会", "room3", "开", "会"]


def test_the_text_most_alike_is_found_first() -> None:
    database = index("明天下午三点在会议室开会", "周末去爬山", "会计今天请假")
    assert hits(database, "几点开会来着")[0] == 1
    assert hits(database, "爬山")[0] == 2


def test_pitfall_56_a_query_of_fifty_thousand_terms_is_a_short_one() -> None:
    everything = "".join(chr(0x4E00 + number % 20_000) for number in range(50_000))
    assert len(query(everything)) == MOST == fulltext.MOST
    asked = fulltext.fts5(OWNER, terms(everything))
    assert asked is not None
    assert asked.count(" OR ") + 1 == MOST
    asked = fulltext.tsquery(OWNER, terms(everything))
    assert asked is not None
    assert asked.count(" | ") + 1 == MOST


@given(st.text())
def test_pitfall_56_raw_words_never_break_the_query(text: str) -> None:
    asked = fulltext.fts5(OWNER, query(text))
    if asked is not None:
        index("开会").execute("SELECT 1 FROM said WHERE said MATCH ?", (asked,)).fetchall()


@given(st.lists(st.text()))
def test_pitfall_56_terms_that_are_no_terms_never_break_the_query(words: list[str]) -> None:
    asked = fulltext.fts5(OWNER, words)
    if asked is not None:
        index("开会").execute("SELECT 1 FROM said WHERE said MATCH ?", (asked,)).fetchall()


def test_pitfall_56_operators_are_words() -> None:
    database = index("near and not or 开会")
    for text in ('" OR 1', "开会 AND NOT *", "NEAR(开 会, 2)", "words:开会", "^开会 -会", "(((", '""'):
        asked = fulltext.fts5(OWNER, query(text))
        if asked is not None:
            database.execute("SELECT 1 FROM said WHERE said MATCH ?", (asked,)).fetchall()
