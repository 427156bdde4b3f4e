"""Actions: what each costs before its reply, in calls, tokens and round trips, beside version 0.1's.

In process, over an endpoint on a socket that answers each call after a second as an honest model would. Calls
side by side are one round trip. What 0.1 took was counted when it was tried. A vendor's cache takes
what two calls of a kind begin with alike: it is measured over different lines in different groups.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Final

from .instances.hurried import IdleLoop
from .instances.office import load_plugin
from .measurement import Measurement
from .watching import ANSWERS, CALL, Endpoint, running


@dataclass(frozen=True)
class Action:
    """An action: its lines, those before it, and the time that 0.1 took."""

    name: str
    line: str
    before: str = ""
    answers: tuple[tuple[str, Any], ...] = ()
    called: bool = True
    most: int = 1
    """Round trips it may take."""
    then: str = "2 to 4 calls in a row"


def _frame(agent: str, intent: str, text: str, **slots: str) -> dict[str, Any]:
    given = [{"name": name, "value": value} for name, value in slots.items()]
    row = {"agent_code": agent, "intent": intent, "slots": given, "priority": 4, "text": text}
    return {"frames": [row], "intent_ops": [], "safety": "SAFE"}


_MOVED: Final = _frame("schedule", "edit", "羽毛球那茬嘎到八点", ref="1", new_time="八点")
_MUM: Final = _frame("tasks", "update_task", "整十点吧", ref="1", startTime="十点")
ACTIONS: Final = (
    Action("an order, sure", "提醒我明天早上8点吃药", most=0, then="1 to 4 calls, 3,000-8,000 tokens"),
    Action("a plan, sure", "添加日程：明天下午三点开会", most=0, then="1 to 4 calls"),
    Action("a question about plans, sure", "这周有什么日程", most=0, then="2 calls"),
    Action("money, sure", "午饭35，打车20", most=0, then="2 calls"),
    Action(
        "a change of a plan, not sure",
        "把羽毛球那茬嘎到八点",
        "添加日程：明天晚上七点羽毛球",
        (("parse_intents", _MOVED),),
    ),
    Action(
        "a change of a task, not sure",
        "我妈那个电话整十点吧 她要追剧",
        "提醒我今天晚上七点给妈打电话",
        (("parse_intents", _MUM),),
    ),
    Action("talk to us", CALL, then="2 calls, one after the other"),
    Action(
        "talk to us, of something else",
        "跟我说个冷笑话呗",
        then="2 calls, one after the other",
    ),
    Action("an overheard plan", "周五下班一起撸串 六点半楼下集合哈", called=False, then="1 call"),
)


async def _played(action: Action, prompts: defaultdict[str, list[str]]) -> tuple[int, int, int, str]:
    """Calls, tokens, round trips until the reply, and the names; first prompts go to `prompts`."""
    endpoint = Endpoint({**ANSWERS, **dict(action.answers)})
    async with running(endpoint) as bot:
        if action.before:
            await bot.called(action.before)
            await asyncio.sleep(10)
        endpoint.calls.clear()
        endpoint.tokens.clear()
        endpoint.prompts.clear()
        before = endpoint.trips
        await bot.answered(action.line, called=action.called)
        trips = endpoint.trips - before
        for name, sent in endpoint.prompts.items():
            prompts[name].append(sent[0])
        names = ", ".join(f"{name} {tokens}" for name, tokens in endpoint.tokens.items())
        return endpoint.calls.total(), endpoint.tokens.total(), trips, names


def run() -> Iterator[Measurement]:
    """Round trips of each action, its calls and tokens in `against`; then the shared prefixes."""
    load_plugin()
    prompts: defaultdict[str, list[str]] = defaultdict(list)
    for action in ACTIONS:
        with asyncio.Runner(loop_factory=IdleLoop) as runner:
            calls, tokens, trips, names = runner.run(_played(action, prompts))
        yield Measurement(
            f"{action.name}",
            trips,
            "round trips",
            against=f"{calls} calls, {tokens} tokens ({names or 'none'}); 0.1: {action.then}",
            goal=f"at most {action.most}",
            met=trips <= action.most,
        )
    yield from _shared_prefixes(prompts)


def _shared_prefixes(prompts: Mapping[str, list[str]]) -> Iterator[Measurement]:
    """Of each call made more than once, the beginning all have in common, against the longest prompt."""
    from nonebot_plugin_mishu.llm import estimate_tokens

    for name, sent in prompts.items():
        if len(sent) > 1:
            shared = estimate_tokens(_shared_beginning(sent))
            whole = max(map(estimate_tokens, sent))
            yield Measurement(
                f"{name}: shared prefix",
                shared,
                "tokens",
                against=f"of {whole}, {shared / whole:.0%}, {len(sent)} calls",
            )


def _shared_beginning(texts: list[str]) -> str:
    alike = takewhile(lambda column: len(set(column)) == 1, zip(*texts, strict=False))
    return "".join(column[0] for column in alike)
