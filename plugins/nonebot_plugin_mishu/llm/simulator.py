"""Model faults to switch on, so that holding can be watched: a slow model, a failing one, and a practice
model where none is configured.

Off unless somebody plays: the playground of the standalone bot switches it by a call in the process, for the
one simulated account it brings along. No configuration key and no route reaches it, and conversations of
other accounts never meet it. What is met leaves the endpoint's breaker and ladder alone; deadlines and
records (`ModelCall`, 0 tokens) are those of any call.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from itertools import cycle
from typing import Any, Literal, TypeAlias, cast

from ..patterns import Pattern
from ..storage.records import Conversation
from .deadline import Deadline
from .failures import OFFLINE, REFUSED, TIMED_OUT, UNREACHABLE, Failure
from .transport.completion import Completion

PracticeMode: TypeAlias = Literal["off", "normal", "slow", "failing"]
"""Treatment of calls of the practised account:

* `off`: nothing;
* `normal`: nothing where a model is configured, else the practice model answers at once;
* `slow`: it waits first, within its deadline, then as in `normal`;
* `failing`: it ends as `unreachable`.
"""

PRACTICE_MODEL = "练习模型"
"""Model name in the records of calls where no model is configured."""
SLOW = 8.0
"""Seconds a slow call waits unless told otherwise: analysis and reply outlast the first patience line."""

_SAID = Pattern(r"^\d+ \[(?!me )[^\]]*\] ")
"""The head of a member's line in an analysis."""
_ASKING = ("?", "？", "吗", "呢", "么")
_EXCITED = ("!", "！", "哈哈")
_REPLIES = ("（练习模型）好的，我听到了", "（练习模型）收到，我在听", "（练习模型）嗯，明白你的意思")


class ModelSimulator:
    """The switch, and what calls meet while it is on."""

    def __init__(self, *, configured: bool) -> None:
        """`configured`: whether there is a model, which then answers what passes."""
        self.configured = configured
        self.mode: PracticeMode = "off"
        self.seconds = SLOW
        self._account = ""
        self._replies = cycle(_REPLIES)

    def switch(self, mode: PracticeMode, *, account: str, seconds: float = SLOW) -> None:
        """Practise with the calls of `account`, from the next one on; a slow one waits `seconds`."""
        self.mode = mode
        self.seconds = seconds
        self._account = account

    @property
    def stands_in(self) -> bool:
        """True if the practice model replaces a model that is not configured."""
        return self.mode != "off" and not self.configured

    async def simulate(
        self,
        name: str,
        content: Callable[[], str],
        conversation: Conversation | None,
        deadline: Deadline,
        sleep: Callable[[float], Awaitable[None]],
    ) -> Completion | Failure | None:
        """The simulated answer or failure of a call; None where it goes on to the configured endpoint.

        `content` is its last user message. Raises nothing but cancellation.
        """
        concerned = conversation is not None and conversation.self_id == self._account
        mode = self.mode if concerned else "off"
        if mode == "slow":
            await sleep(min(self.seconds, deadline.remaining()))
            if deadline.expired:
                return TIMED_OUT
        elif mode == "failing":
            return UNREACHABLE
        if self.configured:
            return None
        return OFFLINE if mode == "off" else self._answer(name, content)

    def _answer(self, name: str, content: Callable[[], str]) -> Completion | Failure:
        """The practice model: it says that it listens. What needs understanding it leaves to the rules."""
        if name == "chat_reply":
            return _completion(next(self._replies))
        if name == "analyze_conversation":
            return _completion(json.dumps(_analysis(content()), ensure_ascii=False))
        return REFUSED


def _completion(text: str) -> Completion:
    return Completion(text, (), None, cut=False, prompt_tokens=0, completion_tokens=0)


def _analysis(content: str) -> dict[str, Any]:
    """A question counts as one to us, an exclamation as interesting; anything else needs no word."""
    data = cast("dict[str, Any]", json.loads(content))
    said = [line for line in str(data["lines"]).splitlines() if _SAID.match(line)]
    newest = _SAID.sub("", said[-1]).rstrip("~～。 ") if said else ""
    asked = data["trigger"] != "chat" or newest.endswith(_ASKING)
    excited = newest.endswith(_EXCITED)
    return {
        "should_reply": asked or excited,
        "is_questioned": asked,
        "is_interesting": excited,
        "reply_strategy": f"{PRACTICE_MODEL}：说一声听到了" if asked or excited else "",
    }
