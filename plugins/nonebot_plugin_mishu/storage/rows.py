"""Conversion between records and table rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from sqlalchemy import ColumnElement, Row, Table

from .records import Conversation, DecisionRecord, LedgerMessage, ModelCall

CHUNK = 500
"""Ids in one statement, rows in one transaction."""


def within(table: Table, conversation: Conversation) -> ColumnElement[bool]:
    """The condition that a row belongs to a conversation."""
    return (
        (table.c.self_id == conversation.self_id)
        & (table.c.kind == conversation.kind)
        & (table.c.peer == conversation.peer)
    )


def conversation_values(conversation: Conversation) -> dict[str, Any]:
    return {"self_id": conversation.self_id, "kind": conversation.kind, "peer": conversation.peer}


def conversation_of(row: Row[*tuple[Any, ...]]) -> Conversation:
    return Conversation(row.self_id, row.kind, row.peer)


def ledger_values(message: LedgerMessage) -> dict[str, Any]:
    return {
        **conversation_values(message.conversation),
        "message_id": message.message_id,
        "time": message.time,
        "receipt": message.receipt,
        "user_id": message.user_id,
        "name": message.name,
        "role": message.role,
        "text": message.text,
        "segments": message.segments,
        "captions": message.captions,
        "reply_to": message.reply_to,
        "is_bot": message.is_bot,
        "addressed": message.addressed,
        "processed": message.processed,
        "recalled": message.recalled,
        "tries": message.tries,
    }


def ledger_message(row: Row[Any]) -> LedgerMessage:
    return LedgerMessage(
        conversation=conversation_of(row),
        message_id=row.message_id,
        time=row.time,
        receipt=row.receipt,
        user_id=row.user_id,
        name=row.name,
        role=row.role,
        text=row.text,
        segments=row.segments,
        captions=row.captions,
        reply_to=row.reply_to,
        is_bot=row.is_bot,
        addressed=row.addressed,
        processed=row.processed,
        recalled=row.recalled,
        tries=row.tries,
    )


def call_values(call: ModelCall) -> dict[str, Any]:
    where = call.conversation
    return {
        "self_id": where.self_id if where else None,
        "kind": where.kind if where else None,
        "peer": where.peer if where else None,
        "name": call.name,
        "model": call.model,
        "prompt_tokens": call.prompt_tokens,
        "completion_tokens": call.completion_tokens,
        "cached_tokens": call.cached_tokens,
        "seconds": call.seconds,
        "outcome": call.outcome,
        "at": call.at,
        "member": call.member,
    }


def decision_values(record: DecisionRecord) -> dict[str, Any]:
    return {
        **conversation_values(record.conversation),
        "message_id": record.message_id,
        "user_id": record.user_id,
        "trigger": record.trigger,
        "state_before": record.state_before,
        "state_after": record.state_after,
        "should_reply": record.should_reply,
        "strategy": record.strategy,
        "reason": record.reason,
        "timings": record.timings,
        "calls": record.calls,
        "tokens": record.tokens,
        "at": record.at,
    }


def decision_record(row: Row[Any]) -> DecisionRecord:
    return DecisionRecord(
        conversation=conversation_of(row),
        message_id=row.message_id,
        trigger=row.trigger,
        state_before=row.state_before,
        state_after=row.state_after,
        should_reply=row.should_reply,
        strategy=row.strategy,
        reason=row.reason,
        timings=row.timings,
        calls=row.calls,
        tokens=row.tokens,
        at=row.at,
        id=row.id,
        user_id=row.user_id,
    )


def chunks(ids: Iterable[str]) -> Iterator[list[str]]:
    """Ids in sorted portions that one statement takes; sorted, so that processes lock rows in one order."""
    ordered = sorted(ids)
    return (ordered[start : start + CHUNK] for start in range(0, len(ordered), CHUNK))
