"""Other plugins' handling of an event: run, answered, or taken by one of them.

An event is another plugin's where one of its matchers

* stopped it (`block=True`): nobody behind it is asked, and we neither;
* answered: a call to the platform that is seen in the conversation, from a handler, from a task that a
  handler began, or from a rule (alconna answers a half-written command there);
* ran for its words: a command, a word it begins or ends with, a pattern, the next line of a dialogue. A
  command that was answered is that plugin's as a whole.

A matcher that runs for every line and says nothing, as those do that write down all talk, takes nothing. What
we heard and how it stands is one `Mark` in the event's state, which NoneBot hands on to every matcher.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from nonebot.adapters import Bot
from nonebot.exception import ActionFailed
from nonebot.matcher import Matcher, current_event, current_matcher
from nonebot.message import (
    _run_postprocessors as hooks,  # pyright: ignore[reportPrivateUsage] - to be taken off again
)
from nonebot.message import run_postprocessor
from nonebot.rule import (
    CommandRule,
    EndswithRule,
    FullmatchRule,
    KeywordsRule,
    RegexRule,
    ShellCommandRule,
    StartswithRule,
)

from ..frontdesk import IncomingMessage, Interest, TakenBy
from ..frontdesk.duty.standby_lines import KeptLine
from ..storage.records import Conversation
from .hooks import Look
from .own_calls import speaks
from .platforms import Platforms

T = TypeVar("T")

KEY: Final = "_mishu_mark"
"""State key of an event's mark."""
_COMMANDS: Final = (ShellCommandRule, StartswithRule, FullmatchRule)
_WORDS: Final = (EndswithRule, KeywordsRule)
_ALCONNA: Final = "nonebot_plugin_alconna"
_ANYTHING: Final = frozenset({"", ".", ".*", ".+", ".*?", ".+?", r"[\s\S]*", r"[\s\S]+", r"[\S\s]*", r"\S+"})
"""Patterns that fit every line."""
_LONGEST: Final = 300.0
"""Seconds a line may be under way: handlers may wait for an answer of somebody's for minutes."""


@dataclass(eq=False, slots=True)
class Mark:
    """State of an event: the preprocessor's reading, and other plugins' handling since."""

    event: object
    place: Conversation | None
    heard: IncomingMessage | KeptLine
    interest: Interest
    began: float = 0.0
    """Monotonic seconds."""
    poke: bool = False
    """The bot was poked; there is no message."""
    plugin: str | None = None
    """The plugin that ran for it, or answered it."""
    commands: bool = False
    """It is a command of another plugin's."""
    answered: bool = False
    """It was answered, as everybody can see."""
    over: bool = False
    """Our turn came, or will not come any more."""

    @property
    def taken_by(self) -> TakenBy | None:
        """Whose it is beside ours; None where nobody else wants it."""
        return None if self.plugin is None else TakenBy(self.plugin, self.commands and self.answered)


class Neighbours:
    """Watches the other plugins' matchers and calls. `stopped` is told of a mark that one of them stopped,
    and whether its matcher goes by no words, so that it may stop every line there is."""

    def __init__(self, stopped: Callable[[Mark, type[Matcher], bool], None], platforms: Platforms) -> None:
        self._platforms = platforms
        self.ours: type[Matcher] | None = None
        self._stopped = stopped
        self._marks: dict[Mark, None] = {}
        """Events under way, the oldest first."""
        self._newest: dict[Conversation, Mark] = {}
        watching: Any = Look(self._ran)

        async def ran(_ran: None = watching) -> None:
            """Done already: the parameter is what looks."""

        before = set(hooks)
        run_postprocessor(ran)
        # It costs every run of a matcher: it is on while a line that may matter is under way, and no longer.
        self._look = (hooks - before).pop()
        hooks.discard(self._look)
        Bot.on_called_api(self._called)

    def begin(self, mark: Mark) -> None:
        """A line that may matter is on its way through the matchers."""
        for lost in list(self._marks):
            if lost.began > mark.began - _LONGEST:
                break
            self.end(lost)  # a preprocessor ignored it: nobody tells us
        self._marks[mark] = None
        if mark.place is not None:
            self._newest[mark.place] = mark
        hooks.add(self._look)

    def end(self, mark: Mark) -> None:
        """Its way is over."""
        mark.over = True
        self._marks.pop(mark, None)
        if mark.place is not None and self._newest.get(mark.place) is mark:
            del self._newest[mark.place]
        if not self._marks:
            hooks.discard(self._look)

    def _ran(self, **known: Any) -> None:
        matcher: Matcher = known["matcher"]
        mark = _mark(matcher, known["event"])
        if mark is None or mark.over or type(matcher) is self.ours:
            return
        words = [_kind(checker.call) for checker in type(matcher).rule.checkers]
        wordy = matcher.temp or any(words)
        mark.commands = mark.commands or matcher.temp or "command" in words
        if matcher.block or wordy:
            mark.plugin = mark.plugin or _name(type(matcher))
        if matcher.block:
            self.end(mark)
            self._stopped(mark, type(matcher), not wordy)

    async def _called(
        self, bot: Bot, error: Exception | None, api: str, data: dict[str, Any], result: Any
    ) -> None:
        if isinstance(error, ActionFailed) or speaks() or not self._marks:
            return
        reader = self._platforms.of(bot.self_id).reader
        if not reader.seen(api):
            return
        matcher = current_matcher.get(None)
        if type(matcher) is self.ours:
            return
        mark = None if matcher is None else _mark(matcher, current_event.get(None))
        place = reader.place_of_call(bot.self_id, api, data)
        if matcher is None and place is not None:
            mark = self._newest.get(place)  # from a rule, where NoneBot does not tell whose it is
        if mark is None or mark.over or (place is not None and place != mark.place):
            return
        mark.answered = True
        mark.commands = mark.commands or matcher is None
        mark.plugin = mark.plugin or (_UNNAMED if matcher is None else _name(type(matcher)))


_UNNAMED: Final = "别的插件"


def _mark(matcher: Matcher, event: object) -> Mark | None:
    mark = matcher.state.get(KEY)
    # A dialogue goes on with the state of the line before.
    return mark if isinstance(mark, Mark) and mark.event is event else None


def _kind(rule: object) -> str:
    """Kind of a rule by words: `command`, or `words` for a line that holds certain words; empty for
    others."""
    if isinstance(rule, RegexRule):
        if rule.regex.strip("^$()") in _ANYTHING:
            return ""
        return "command" if rule.regex.startswith("^") else "words"
    if isinstance(rule, CommandRule):
        return "command" if any("".join(words) for words in rule.cmds) else ""
    if isinstance(rule, _COMMANDS) or type(rule).__module__.split(".")[0] == _ALCONNA:
        return "command"
    return "words" if isinstance(rule, _WORDS) else ""


def _name(matcher: type[Matcher]) -> str:
    """Display name of a plugin."""
    plugin = matcher.plugin
    if plugin is None:
        return matcher.module_name or _UNNAMED
    return plugin.metadata.name if plugin.metadata is not None else plugin.name
