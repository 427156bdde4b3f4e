"""Rules of announcements: whole lines that are said to us. Pure."""

from __future__ import annotations

from ...language.announcements import forbids_announcement, read_announcement
from ...language.cards.grammar import Kind
from ...language.cards.triage import triage
from ...language.clause import Clause
from ...language.match import AnswerMatch, Match
from ...storage.records import FrameRecord

WEIGHT = 4


def claims(clause: Clause) -> Match | None:
    """Match of a whole line, before it is cut into pieces: its text may order anything."""
    if not clause.situation.addressed or read_announcement(clause.text) is None:
        return rules(clause)
    return Match("publish", WEIGHT, why="要发群公告")


def rules(clause: Clause) -> Match | None:
    """Match of a piece that orders to publish nothing: it takes no task away. An announcement itself is
    ordered by a whole line (`claims`)."""
    if not clause.situation.addressed or not forbids_announcement(clause.text):
        return None
    return Match("publish", WEIGHT, why="说了不发群公告")


def corrects(frame: FrameRecord, clause: Clause) -> AnswerMatch | None:
    """Match of a line that corrects the text asked about (不对 是4号馆): it is not published as it was.
    别发群公告 calls it off."""
    if forbids_announcement(clause.text):
        return AnswerMatch("deny")
    if read_announcement(clause.text) is not None or triage(clause.text, 1).kind is not Kind.CORRECTION:
        return None
    return AnswerMatch("corrects")
