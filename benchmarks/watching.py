"""Watching: what a thousand lines of a busy group cost while the secretary observes and nobody calls it.

In process: everything is real but the platform and the model, an endpoint on a socket that answers as an
honest model does that finds nothing to say. Time passes many times as fast. The lines are talk among members,
jokes, stories and, one in twenty, a plan that is likely enough to be asked about; they come in bursts with
pauses. Then somebody calls while talk is being looked at: how long that waits is held against a call alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final, cast
from zoneinfo import ZoneInfo

import yaml

from .instances.hurried import HurriedLoop, hurried_clock
from .instances.office import Platform, load_plugin
from .measurement import Measurement

LINES: Final = 1000
MEMBERS: Final = 9
SPEED: Final = 60.0
GOAL_CALLS, GOAL_TOKENS = 60, 60_000
CALL: Final = "你说羊驼算羊还是算骆驼"
LOOKED: Final = 6.0
"""Seconds the endpoint takes for a look at talk; anything else takes one."""
BESIDE: Final = 2.0
"""Seconds by which a call may be slower beside a look than alone."""
_ROOT: Final = Path(__file__).resolve().parent.parent
_TALK: Final = (
    *("among_members", "messy_short", "games_banter", "past", "feelings_wishes", "to_other_members"),
    *("plans_told", "told_with_times", "told_with_money"),
)
_ZONE: Final = ZoneInfo("Asia/Shanghai")
_BEGAN: Final = datetime(2026, 11, 18, 10, tzinfo=_ZONE).timestamp()
_QUIET: Final = {
    "should_reply": False,
    "is_questioned": False,
    "is_interesting": False,
    "reply_strategy": "",
    "topic": "",
    "reply_target": "",
    "plan": None,
}
_CHITCHAT: Final = {"agent_code": "chat", "intent": "chitchat", "slots": [], "priority": 4, "text": ""}
ANSWERS: Final[dict[str, Any]] = {
    "analyze_conversation": _QUIET,
    "parse_intents": {"frames": [_CHITCHAT], "intent_ops": [], "safety": "SAFE"},
    "check_safety": {"verdict": "SAFE", "category": "", "reply": ""},
    "check_intent": {"intent": "irrelevant"},
    "extract_info": {"candidates": []},
}


class Endpoint:
    """Answers as told and counts what it was asked."""

    def __init__(self, answers: Mapping[str, Any] = ANSWERS) -> None:
        self._answers = answers
        self._running = 0
        self.trips = 0
        """Calls that began while no other was under way."""
        self.begun: Counter[str] = Counter()
        self.calls: Counter[str] = Counter()
        self.tokens: Counter[str] = Counter()
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)

    def close(self) -> None:
        assert self._server is not None
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
                if head.startswith("get "):  # the list of models, asked for once at start
                    writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
                    continue
                headers = dict(line.split(": ", 1) for line in head.strip().split("\r\n")[1:])
                body = json.loads(await reader.readexactly(int(headers.get("content-length", "0"))))
                name = headers.get("x-mishu-call", "")
                self.begun[name] += 1
                self.trips += not self._running
                self._running += 1
                await asyncio.sleep(LOOKED if name == "analyze_conversation" else 1.0)
                self._running -= 1
                writer.write(self._answer(name, body))
                await writer.drain()
        writer.close()

    def _answer(self, name: str, body: dict[str, Any]) -> bytes:
        from nonebot_plugin_mishu.llm import estimate_tokens

        answer = self._answers.get(name)
        content = "在的。" if answer is None else json.dumps(answer, ensure_ascii=False)
        asked = "".join(str(one.get("content") or "") for one in body["messages"])
        asked += json.dumps(body.get("response_format") or body.get("tools") or "", ensure_ascii=False)
        read, wrote = estimate_tokens(asked), estimate_tokens(content)
        self.calls[name] += 1
        self.tokens[name] += read + wrote
        choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
        usage = {"prompt_tokens": read, "completion_tokens": wrote, "total_tokens": read + wrote}
        value = {"id": "b", "object": "chat.completion", "created": 0, "model": "m"}
        payload = json.dumps({**value, "choices": [choice], "usage": usage}, ensure_ascii=False).encode()
        lines = f"Content-Type: application/json\r\nContent-Length: {len(payload)}"
        return f"HTTP/1.1 200 OK\r\n{lines}\r\n\r\n".encode() + payload


class Group(Platform):
    """Notes when something is sent."""

    def __init__(self) -> None:
        from nonebot_plugin_mishu.frontdesk.duties import Duties

        self.duties = Duties()
        self.sent = 0
        self.changed = asyncio.Event()

    async def send(self, conversation: Any, speech: Any, bot_name: str) -> str:
        self.sent += 1
        self.changed.set()
        return f"sent-{self.sent}"

    def call(self, self_id: str, name: str) -> None:
        """Nobody is called anything."""


def script() -> list[tuple[float, str, str]]:
    """The lines: seconds since the one before, who, what."""
    chance = random.Random(20261118)
    talk = [
        line
        for name in _TALK
        for line in (_ROOT / "training" / "sentences" / "talk" / f"{name}.txt").read_text("utf-8").split("\n")
        if line.strip() and not line.startswith("#") and "秘书" not in line
    ]
    rows = [
        row
        for file in sorted((_ROOT / "tests" / "corpus" / "overheard").glob("*.yaml"))
        for row in cast("list[dict[str, Any]]", yaml.safe_load(file.read_text("utf-8")))
    ]
    plans = [row["say"] for row in rows if row["overheard"]]
    found: list[tuple[float, str, str]] = []
    while len(found) < LINES:
        speakers = chance.sample(range(MEMBERS), k=chance.randint(2, 5))
        for number in range(chance.randint(3, 14)):
            words = chance.choice(plans) if chance.random() < 0.05 else chance.choice(talk)
            pause = chance.uniform(10, 40) if number == 0 else chance.uniform(0.8, 5)
            found.append((pause, f"3000{chance.choice(speakers)}", words))
    return found[:LINES]


class Bot:
    """The running plugin, and members who speak to it."""

    def __init__(self, url: str) -> None:
        from nonebot_plugin_mishu.config import Config
        from nonebot_plugin_mishu.runtime import Runtime
        from nonebot_plugin_mishu.storage.records import Conversation

        self.group = Group()
        self.clock = hurried_clock(_ZONE, _BEGAN)
        self.conversation = Conversation(self.group.accounts()[0], "group", "20000")
        settings = {
            "llm": {"base_url": url, "api_key": "k", "model": "m"},
            "secretary": {"observing_timeout": 1e6, "dense_count": 10_000},
        }
        config = Config.model_validate(settings)
        self.runtime = Runtime(config, ["秘书"], cast("Any", self.group), self.clock)
        self._number = 0

    def say(self, who: str, words: str, *, called: bool = False) -> None:
        from nonebot_plugin_mishu.frontdesk import Interest
        from nonebot_plugin_mishu.frontdesk.incoming_message import IncomingMessage, Segment

        assert self.runtime.desk is not None
        self._number += 1
        parts = [*([Segment("at", self.conversation.self_id)] if called else []), Segment("text", words)]
        keys = {"text": "text", "at": "qq"}
        heard = IncomingMessage(
            conversation=self.conversation,
            message_id=f"m{self._number}",
            time=float(int(self.clock.wall())),
            receipt=self.clock.receipt(),
            user_id=who,
            name=f"成员{who[-1]}",
            role="member",
            segments=tuple(parts),
            raw_segments=tuple({"type": one.kind, "data": {keys[one.kind]: one.value}} for one in parts),
            heard_at=self.clock.monotonic(),
        )
        interest = self.runtime.desk.hear(heard)
        if interest is Interest.MATTERS or (interest and not self.runtime.desk.passes_over(heard)):
            self.runtime.desk.act(heard)

    async def called(self, words: str) -> float:
        """Call the bot; seconds until it answers."""
        return await self.answered(words, called=True)

    async def answered(self, words: str, *, called: bool) -> float:
        """Say something; seconds until the bot says something."""
        self.group.changed.clear()
        began = self.clock.monotonic()
        self.say("30001", words, called=called)
        async with asyncio.timeout(300):
            await self.group.changed.wait()
        return self.clock.monotonic() - began


@contextlib.asynccontextmanager
async def running(endpoint: Endpoint) -> AsyncIterator[Bot]:
    """A bot that was called once and observes; its client is imported."""
    from nonebot_plugin_mishu.storage import default_url

    await endpoint.open()
    with tempfile.TemporaryDirectory(prefix="mishu-bench-") as home:
        bot = Bot(endpoint.url)
        await bot.runtime.start(default_url(Path(home)))
        try:
            await bot.called(CALL)
            await asyncio.sleep(60)
            yield bot
        finally:
            await bot.runtime.stop()
            endpoint.close()


async def _watched() -> tuple[Endpoint, int]:
    """The endpoint after all lines, and how much was said unasked."""
    endpoint = Endpoint()
    async with running(endpoint) as bot:
        endpoint.calls.clear()
        endpoint.tokens.clear()
        before = bot.group.sent
        for pause, who, words in script():
            await asyncio.sleep(pause)
            bot.say(who, words)
        await asyncio.sleep(60)
        return endpoint, bot.group.sent - before


async def _called() -> tuple[float, float]:
    """The most seconds a call took by itself, and while talk was being looked at."""
    alone = beside = 0.0
    endpoint = Endpoint()
    async with running(endpoint) as bot:
        for _ in range(3):
            await asyncio.sleep(20)
            alone = max(alone, await bot.called(CALL))
        for who in ("30002", "30003", "30004"):
            await asyncio.sleep(20)
            looks = endpoint.begun["analyze_conversation"]
            bot.say(who, "昨天那家火锅真不错，下次还去")
            async with asyncio.timeout(60):
                while endpoint.begun["analyze_conversation"] == looks:  # noqa: ASYNC110
                    await asyncio.sleep(0.1)
            beside = max(beside, await bot.called(CALL))
    return alone, beside


def run() -> Iterator[Measurement]:
    """Calls and tokens of the thousand lines, by name in `against`; how long a call waits for a look."""
    load_plugin()
    with asyncio.Runner(loop_factory=lambda: HurriedLoop(SPEED)) as runner:
        watched, said = runner.run(_watched())
    with asyncio.Runner(loop_factory=lambda: HurriedLoop(5.0)) as runner:
        alone, beside = runner.run(_called())
    calls, tokens = sum(watched.calls.values()), sum(watched.tokens.values())
    by_name = ", ".join(f"{name} {count}" for name, count in watched.calls.most_common())
    yield Measurement(
        f"watching: calls for {LINES} lines",
        calls,
        "calls",
        against=f"{by_name}; said {said}",
        goal=f"at most {GOAL_CALLS}",
        met=calls <= GOAL_CALLS,
    )
    by_name = ", ".join(f"{name} {count}" for name, count in watched.tokens.most_common())
    yield Measurement(
        f"watching: tokens for {LINES} lines",
        tokens,
        "tokens",
        against=by_name,
        goal=f"at most {GOAL_TOKENS}",
        met=tokens <= GOAL_TOKENS,
    )
    yield Measurement(
        "watching: a summons beside a look",
        beside,
        "s",
        against=f"alone {alone:.2f}",
        ratio=beside / alone,
        goal=f"at most {BESIDE:g} s more",
        met=beside <= alone + BESIDE,
    )
