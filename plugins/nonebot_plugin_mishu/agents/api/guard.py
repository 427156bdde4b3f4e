"""A guard around one agent's callbacks: time is measured, and what hangs is broken off where it can be.

Everything runs on one event loop, so a callback that does not come back holds up everybody. Where it runs in
the main thread of a system with interval timers, a signal (SIGALRM) breaks it off after its time: an endless
loop, a sleep, a pattern that goes on for ever. The signal is ours only while a callback runs; where somebody
else uses it, in another thread, and on Windows nothing can be broken off. There a thread tells the log which
agent hangs, as soon as it can; code that holds the interpreter's lock keeps it from that as well.
"""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any, ClassVar, Final, TypeVar

T = TypeVar("T")

LONGEST: Final = 1.0
"""Seconds after which a pure callback is broken off."""
LONGEST_STEP: Final = 10.0
"""Seconds after which a step of an async callback is: what it does between two awaits."""
SLOW: Final = 0.1
"""Seconds of processor time from which on a pure callback is too slow: 1000 times what rules may take."""
HANGS: Final = 2
"""Callbacks that were broken off, after which an agent is set aside."""
SLOW_ONES: Final = 5
"""Callbacks that were too slow, after which an agent is set aside."""
_AGAIN: Final = 0.5
"""Seconds after which a callback that swallows the signal gets it again."""
_LOOKS: Final = 0.5
"""Seconds between two looks of the watching thread."""


class Left(Exception):
    """A callback tried to end the process, or raised a cancellation that nobody had asked for."""


class TookTooLong(Exception):
    """A callback was broken off at its time limit; the text names it and the seconds."""


class _BrokenOff(BaseException):
    """Raised by the signal inside the callback. No `Exception`: what catches those does not catch it."""


@dataclass(slots=True)
class CallPace:
    """Counts of one agent's callbacks that were broken off, or were too slow."""

    hangs: int = 0
    slow: int = 0

    @property
    def set_aside(self) -> bool:
        """True if the agent's pure callbacks are called no more, until the next start."""
        return self.hangs >= HANGS or self.slow >= SLOW_ONES


class Guard:
    """Runs callbacks of one agent. `tell` takes a sentence for the log, from any thread."""

    def __init__(self, agent: str, tell: Callable[[str], None]) -> None:
        self._agent = agent
        self._tell = tell
        self.pace = CallPace()

    def run(self, callback: str, call: Callable[[], T], *, step: bool = False) -> T:
        """Call it within its time; `step`: it is a step of an async one. Raises `TookTooLong`, and whatever
        the callback raises."""
        longest = LONGEST_STEP if step else LONGEST
        began, spent = time.monotonic(), time.thread_time()
        broken = False
        try:
            with _within(self._agent, callback, longest, self._tell):
                return call()
        except _BrokenOff:
            broken = True
            raise TookTooLong(f"{callback}: {longest:g}s") from None
        except SystemExit as error:
            raise Left(f"{callback}: {type(error).__name__}") from None
        finally:
            if broken or time.monotonic() - began >= longest:
                self.pace.hangs += 1
            elif not step and time.thread_time() - spent >= SLOW:
                self.pace.slow += 1

    def stepwise(
        self, callback: str, function: Callable[..., Awaitable[T]]
    ) -> Callable[..., Coroutine[Any, Any, T]]:
        """An async callback of which every step is run within its time."""

        @wraps(function)
        async def guarded(*given: Any) -> T:
            made = self.run(callback, lambda: function(*given), step=True)
            try:
                return await _Steps(self, callback, made)
            except asyncio.CancelledError as error:
                task = asyncio.current_task()
                if task is not None and task.cancelling():
                    raise
                raise Left(f"{callback}: {type(error).__name__}") from None

        return guarded


class _Steps(Awaitable[T]):
    """An awaitable whose every step runs in a guard."""

    def __init__(self, guard: Guard, callback: str, inner: Awaitable[T]) -> None:
        self._guard = guard
        self._callback = callback
        self._inner = inner

    def __await__(self) -> Generator[Any, Any, T]:
        steps: Any = self._inner.__await__()
        sent: Any = None
        thrown: BaseException | None = None
        while True:
            step = partial(_run_step, steps, sent, thrown)
            ended, value = self._guard.run(self._callback, step, step=True)
            if ended:
                return value
            sent = thrown = None
            try:
                sent = yield value
            except GeneratorExit:
                steps.close()
                raise
            except BaseException as error:  # noqa: BLE001 - a cancellation and the like, handed on as it came
                thrown = error


def _run_step(steps: Any, sent: Any, thrown: BaseException | None) -> tuple[bool, Any]:
    """One step of a coroutine: whether it was the last, and its value."""
    try:
        if thrown is not None:
            return False, steps.throw(thrown)
        return False, next(steps) if sent is None else steps.send(sent)
    except StopIteration as end:
        return True, end.value


@contextmanager
def _within(agent: str, callback: str, longest: float, tell: Callable[[str], None]) -> Generator[None]:
    if _Timer.taken or not _can_interrupt():
        with _Watch.over(agent, callback, longest, tell):
            yield
        return
    _Timer.taken = True
    before = signal.signal(signal.SIGALRM, _break_off)
    signal.setitimer(signal.ITIMER_REAL, longest, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        _Timer.taken = False


class _Timer:
    """The process's interval timer, while it is ours."""

    taken = False


def _break_off(number: int, frame: object) -> None:
    raise _BrokenOff


def _can_interrupt() -> bool:
    """True if the signal is unused and reaches the running code."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        return False
    return signal.getsignal(signal.SIGALRM) is signal.SIG_DFL and signal.getitimer(signal.ITIMER_REAL)[0] == 0


class _Watch:
    """The thread that names what hangs where it cannot be broken off. It runs from the first such callback
    on, as long as the process; it holds nothing that has to be closed."""

    _lock = threading.Lock()
    _running: ClassVar[dict[int, tuple[float, str, str, Callable[[str], None]]]] = {}
    _thread: threading.Thread | None = None

    @classmethod
    @contextmanager
    def over(cls, agent: str, callback: str, longest: float, tell: Callable[[str], None]) -> Generator[None]:
        """Watch a callback of this thread."""
        key = threading.get_ident()
        known = cls._running.get(key)
        cls._running[key] = (time.monotonic() + longest, agent, callback, tell)
        if cls._thread is None:
            with cls._lock:
                if cls._thread is None:
                    cls._thread = threading.Thread(
                        target=cls._report_hanging, name="mishu agents", daemon=True
                    )
                    cls._thread.start()
        try:
            yield
        finally:
            if known is None:
                cls._running.pop(key, None)
            else:
                cls._running[key] = known

    @classmethod
    def _report_hanging(cls) -> None:
        told: set[float] = set()
        while True:
            time.sleep(_LOOKS)
            now = time.monotonic()
            late = [one for one in list(cls._running.values()) if one[0] <= now and one[0] not in told]
            for until, agent, callback, tell in late:
                told.add(until)
                tell(f"智能体 {agent} 的 {callback} 卡住了，别的事都在等它；这里打断不了它")
