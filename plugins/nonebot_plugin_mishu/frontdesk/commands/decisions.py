"""`/秘书 为什么`: why lines were answered, or were not."""

from __future__ import annotations

from ...clock import Clock
from ...prompts.quoting import one_line
from ...secretary import PresenceState
from ...storage import Storage
from ...storage.records import DecisionRecord, LedgerMessage
from ..lines.foreign_lines import LOST
from ..lines.incoming_message import IncomingMessage
from ..rooms.room import Room
from .parsing import Command

NO_DECISION = "这句没让我去想要不要说话：没有叫我，也不热闹，或者是命令。"
_WHY = 3
"""Most decisions that are told."""
_QUOTED = 16
"""Characters of a line that 为什么 shows."""
_LABELS = {each.value: each.label for each in PresenceState}
_TRIGGERS = {
    "summon": "有人叫我",
    "answer": "有人回答我",
    "order": "有人吩咐我",
    "echo": "复读",
    "dense": "聊得热闹",
    "overheard": "旁听",
    "chat": "闲聊",
}


class DecisionCommands:
    """Tells of decisions. Raises `StorageError`."""

    def __init__(self, clock: Clock, storage: Storage) -> None:
        self._clock = clock
        self._storage = storage

    async def why(self, room: Room, heard: IncomingMessage, command: Command) -> str:
        """Why there was or was no answer: to the line that is quoted, or to the last ones."""
        if (quoted := heard.reply_to) is not None:
            found = await self._storage.decisions.of_message(room.conversation, quoted)
            lost = room.unhanded.get(quoted)
            if not found and lost is None:
                return NO_DECISION
            return self._format_lost(lost) if lost else self._format_decision(room, found[0])
        records = await self._storage.decisions.latest(room.conversation, _WHY)
        known = {record.message_id for record in records}
        lines = [(record.at, self._format_decision(room, record)) for record in records]
        lines += [
            (lost.time, self._format_lost(lost))
            for lost in room.unhanded.values()
            if lost.message_id not in known
        ]
        if not lines:
            return "最近没人叫我，我也没开口。"
        return "\n".join(line for _, line in sorted(lines, reverse=True)[:_WHY])

    def _format_lost(self, lost: LedgerMessage) -> str:
        """A line that another plugin kept from us, in a line."""
        return f"{self._clock.local(lost.time):%H:%M:%S} {_TRIGGERS['summon']}{_quote(lost)}，没回：{LOST}"

    def _format_decision(self, room: Room, record: DecisionRecord) -> str:
        """One decision in a line, with the words it was made upon where they are still at hand."""
        trigger = _TRIGGERS.get(record.trigger, record.trigger)
        said = (
            f"{self._clock.local(record.at):%H:%M:%S} {trigger}{_quote(room.ledger.get(record.message_id))}，"
            f"{'回了' if record.should_reply else '没回'}：{record.reason}"
        )
        if not record.timings:  # nothing was thought about
            return said
        return (
            f"{said}（{_LABELS.get(record.state_before)}→{_LABELS.get(record.state_after)}，"
            f"{record.timings.get('total', 0):.1f} 秒）"
        )


def _quote(line: LedgerMessage | None) -> str:
    """The beginning of a line, so that its decision is known from the others'; nothing of a recalled one."""
    if line is None or line.recalled:
        return ""
    words = " ".join(word for word in line.text.split() if not word.startswith("@"))
    return f"「{one_line(words, _QUOTED)}」" if words else ""
