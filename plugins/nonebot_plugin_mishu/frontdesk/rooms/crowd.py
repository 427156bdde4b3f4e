"""Echo and dense talk: what a group does together, found in the ledger (product section 1, triggers)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from ...language.addressing.echoes import can_echo
from ...storage.records import LedgerMessage


@dataclass(frozen=True, slots=True)
class CrowdRules:
    """Counts and windows (seconds), from the configuration."""

    echo_count: int = 3
    echo_window: float = 30
    dense_count: int = 30
    dense_people: int = 5
    dense_window: float = 600


def is_echo(
    message: LedgerMessage, newest_first: Iterable[LedgerMessage], bots: Collection[str], rules: CrowdRules
) -> bool:
    """True if with this message enough different people said the same text within the window."""
    if not _pure_text(message) or not can_echo(message.text):
        return False
    people = {message.user_id}
    for said in newest_first:
        if said.time < message.time - rules.echo_window:
            break
        if said.text != message.text or said.order > message.order or said.user_id in people:
            continue
        if not (said.is_bot or said.user_id in bots or said.recalled) and _pure_text(said):
            people.add(said.user_id)
            if len(people) >= rules.echo_count:
                return True
    return False


def is_dense(
    message: LedgerMessage, newest_first: Iterable[LedgerMessage], bots: Collection[str], rules: CrowdRules
) -> bool:
    """True if with this message enough messages of enough people lie within the window."""
    count = 0
    people: set[str] = set()
    for said in newest_first:
        if said.time < message.time - rules.dense_window:
            break
        if said.order > message.order or said.is_bot or said.user_id in bots or said.recalled:
            continue
        count += 1
        people.add(said.user_id)
        if count >= rules.dense_count and len(people) >= rules.dense_people:
            return True
    return False


def _pure_text(message: LedgerMessage) -> bool:
    return all(segment.get("type") == "text" for segment in message.parts)
