"""Frames that were taken from a socket and wait to be handled: every conversation gets its turn.

A flood in some groups stands in line with itself. Frames of one conversation keep their order; of several
conversations that wait, each hands over one frame after the other, and one that had nothing waiting for a
whole round of the others goes before them. Answers of the platform to what the bot asked for go before all
events: somebody's reply waits for them.
"""

from __future__ import annotations

from collections import OrderedDict, deque

from .frames import Frame

FRAMES = 50_000
SIZE = 32 * 2**20
"""Characters. With so many frames or characters waiting, the rest waits in the socket: memory is bounded.
What is behind them there waits for all of them, the platform's answers to what we send included: a flood of
some thousand frames should fit."""


class Backlog:
    """Waiting frames; `take` gives the next, in the order described above."""

    def __init__(self) -> None:
        self._answers: deque[str | bytes] = deque()
        self._newcomers: OrderedDict[str, deque[str | bytes]] = OrderedDict()
        """Conversations that speak after a round of silence; each hands over one frame before the others."""
        self._events: OrderedDict[str, deque[str | bytes]] = OrderedDict()
        """Conversations in their turns. One stays until it is found empty when its turn comes: whoever says
        one thing at a time, and at once the next, is no newcomer each time."""
        self._frames = 0
        self._size = 0

    def __len__(self) -> int:
        return self._frames

    @property
    def full(self) -> bool:
        """True if no more should be taken in for now."""
        return self._frames >= FRAMES or self._size >= SIZE

    @property
    def answered(self) -> bool:
        """True if the next frame is an answer, which costs nobody's time."""
        return bool(self._answers)

    def put(self, frame: Frame) -> None:
        """Take a frame in, behind the others of its conversation."""
        self._frames += 1
        self._size += len(frame.content)
        if frame.place is None:
            self._answers.append(frame.content)
        else:
            line = self._events.get(frame.place)
            if line is None:
                line = self._newcomers.setdefault(frame.place, deque())
            line.append(frame.content)

    def take(self) -> str | bytes:
        """The next frame. Raises `IndexError` where none waits."""
        if not self._frames:
            raise IndexError("no frame waits")
        frame = self._answers.popleft() if self._answers else self._next_event()
        self._frames -= 1
        self._size -= len(frame)
        if not self._frames:
            self._events.clear()
        return frame

    def _next_event(self) -> str | bytes:
        while True:
            lines = self._newcomers or self._events
            place, waiting = lines.popitem(last=False)
            if waiting:
                self._events[place] = waiting  # behind everybody else, with nothing left as well
                return waiting.popleft()
