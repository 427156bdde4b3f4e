"""`/秘书 闭嘴` and `说话`: silence by command."""

from __future__ import annotations

from ...clock import Clock
from ...config import Config
from ..lines.incoming_message import IncomingMessage
from ..rooms.room import Room
from ..silencing import Silencing, lasting
from .parsing import Command


class SilenceCommands:
    """Begins and ends silences by command."""

    def __init__(self, config: Config, clock: Clock, silencing: Silencing) -> None:
        self._config = config
        self._clock = clock
        self._silencing = silencing

    async def silence(self, room: Room, heard: IncomingMessage, command: Command) -> str:
        """Begin a silence, as long as said or configured."""
        seconds = self._config.frontdesk.silence_seconds if command.minutes is None else command.minutes * 60
        stored = await self._silencing.begin(room, seconds, by_command=True)
        until = self._clock.local(self._clock.wall() + seconds)
        kept = "" if stored else "（没能存下，重启就不算了）"
        return f"好，安静{lasting(seconds)}，到 {until:%m-%d %H:%M}{kept}。想让我早点开口，发「/秘书 说话」。"

    async def speak(self, room: Room, heard: IncomingMessage, command: Command) -> str:
        """End the silence."""
        silence = room.settings.silence
        if silence is None or silence.until <= self._clock.wall():
            return "我没在静音，有事直接说。"
        stored = await self._silencing.lift(room)
        return "好，我又能说话了。" if stored else "好，我先说话了；没能存下，重启后可能又会安静。"
