"""Watching: what a thousand lines of a busy group cost while the secretary observes.

In process: everything is real but the platform and the model, an endpoint on a socket that answers as an
honest model does that finds little to say. Time stands while anything works (`IdleLoop`). The lines are
scenes of natural talk (`instances/talk.txt`): plans made by several members, questions to the room, some
lines said to the secretary; between them talk, jokes, stories and, one in fifty, a plan of one line that is
likely enough to be asked about. They come in bursts with pauses. Calls for a line that was said to us are no
watching and stand apart. Then somebody calls while talk is being looked at: how long that waits is held
against a call alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import tempfile
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final, cast
from zoneinfo import ZoneInfo

import yaml

from .instances.hurried import HurriedLoop, IdleLoop, hurried_clock
from .instances.office import Platform, load_plugin
from .measurement import Measurement

LINES: Final = 1000
MEMBERS: Final = 9
GOAL_CALLS, GOAL_TOKENS = 40, 40_000
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


@dataclass
class Scene:
    """Members talking about one thing. `plan`: what they settle, in the words a model would answer."""

    lines: list[tuple[str, str, bool]] = field(default_factory=list["tuple[str, str, bool]"])
    """Speaker, words, and True if the line calls the secretary."""
    plan: str = ""
    asks: bool = False
    """Somebody asks the room what the secretary could answer."""

    def settled_in(self, shown: str) -> bool:
        """True if its shown lines hold every letter of the plan."""
        said = "".join(words for _, words, _ in self.lines if words in shown)
        return bool(self.plan) and all(letter in said for letter in self.plan.replace(" ", ""))


def scenes() -> list[Scene]:
    """The scenes of `talk.txt`, in order."""
    found: list[Scene] = []
    for part in (Path(__file__).parent / "instances" / "talk.txt").read_text("utf-8").split("\n\n"):
        scene = Scene()
        for line in part.strip().split("\n"):
            first, _, rest = line.partition(" ")
            if first == "plan":
                scene.plan = rest
            elif first == "ask":
                scene.asks = True
            elif first != "#":
                scene.lines.append((first, rest.removeprefix("@ "), rest.startswith("@ ")))
        if scene.lines:
            found.append(scene)
    return found


class Endpoint:
    """Answers as told and counts what it was asked. Of a look at a scene it says what the scene settles, or
    that its question is worth an answer, once for each."""

    def __init__(self, answers: Mapping[str, Any] = ANSWERS, play: list[Scene] | None = None) -> None:
        self._answers = answers
        self._play = list(play or ())
        self._running = 0
        self.trips = 0
        """Calls that began while no other was under way."""
        self.begun: Counter[str] = Counter()
        self.calls: Counter[str] = Counter()
        self.tokens: Counter[str] = Counter()
        self.prompts: defaultdict[str, list[str]] = defaultdict(list)
        """Prompt texts by the name of the call."""
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
        if name == "analyze_conversation" and self._play:
            answer = self._judge_talk(str(body["messages"][-1]["content"]), answer)
        content = "在的。" if answer is None else json.dumps(answer, ensure_ascii=False)
        asked = "".join(str(one.get("content") or "") for one in body["messages"])
        asked += json.dumps(body.get("response_format") or body.get("tools") or "", ensure_ascii=False)
        self.prompts[name].append(asked)
        read, wrote = estimate_tokens(asked), estimate_tokens(content)
        self.calls[name] += 1
        self.tokens[name] += read + wrote
        choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
        usage = {"prompt_tokens": read, "completion_tokens": wrote, "total_tokens": read + wrote}
        value = {"id": "b", "object": "chat.completion", "created": 0, "model": "m"}
        payload = json.dumps({**value, "choices": [choice], "usage": usage}, ensure_ascii=False).encode()
        lines = f"Content-Type: application/json\r\nContent-Length: {len(payload)}"
        return f"HTTP/1.1 200 OK\r\n{lines}\r\n\r\n".encode() + payload

    def _judge_talk(self, shown: str, quiet: Any) -> Any:
        for scene in self._play:
            asking = scene.asks and scene.lines[0][1] in shown
            if asking or scene.settled_in(shown):
                self._play.remove(scene)
                told = {"should_reply": True, "is_interesting": True, "topic": scene.lines[0][1]}
                return {**quiet, **(told if asking else {"plan": scene.plan})}
        return quiet


class Group(Platform):
    """Notes when something is sent."""

    def __init__(self) -> None:
        from nonebot_plugin_mishu.frontdesk.duty.duties import Duties

        self.duties = Duties()
        self.sent = 0
        self.answered: set[str] = set()
        """The messages that something sent is an answer to."""
        self.changed = asyncio.Event()

    async def send(self, conversation: Any, speech: Any, bot_name: str) -> str:
        self.sent += 1
        self.answered.update(speech.answers)
        self.changed.set()
        return f"sent-{self.sent}"

    def call(self, self_id: str, name: str) -> None:
        """Nobody is called anything."""


@dataclass(frozen=True)
class Line:
    """A line of the script; `scene` None where it is by itself."""

    pause: float
    """Seconds since the one before."""
    who: str
    words: str
    called: bool = False
    scene: Scene | None = None


def script() -> list[Line]:
    """A thousand lines: the scenes in order, other talk before, between and behind them."""
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
    play = scenes()
    other = LINES - sum(len(scene.lines) for scene in play)
    found: list[Line] = []
    for number, scene in enumerate([*play, Scene()], start=1):
        until = other * number // (len(play) + 1)
        while sum(line.scene is None for line in found) < until:
            speakers = chance.sample(range(MEMBERS), k=chance.randint(2, 5))
            for place in range(chance.randint(3, 14)):
                words = chance.choice(plans) if chance.random() < 0.02 else chance.choice(talk)
                pause = chance.uniform(10, 40) if place == 0 else chance.uniform(0.8, 5)
                found.append(Line(pause, f"3000{chance.choice(speakers)}", words))
        for place, (who, words, called) in enumerate(scene.lines):
            pause = chance.uniform(10, 60) if place == 0 else chance.uniform(1.5, 12)
            found.append(Line(pause, f"3000{'abcdefghi'.index(who)}", words, called, scene))
    return found[:LINES]


class Bot:
    """The running plugin, and members who speak to it."""

    def __init__(self, url: str) -> None:
        from nonebot_plugin_mishu.app.runtime import Runtime
        from nonebot_plugin_mishu.config import Config
        from nonebot_plugin_mishu.storage.records import Conversation

        self.group = Group()
        self.clock = hurried_clock(_ZONE, _BEGAN)
        self.conversation = Conversation(self.group.accounts()[0], "group", "20000")
        settings = {
            "llm": {"base_url": url, "api_key": "k", "model": "m"},
            "secretary": {"observing_timeout": 1e6},  # it observes all the time; dense talk is joined
        }
        config = Config.model_validate(settings)
        self.runtime = Runtime(config, ["秘书"], cast("Any", self.group), self.clock)
        self._number = 0

    def say(self, who: str, words: str, *, called: bool = False) -> str:
        """A member says something; the id of the message."""
        from nonebot_plugin_mishu.frontdesk import Interest
        from nonebot_plugin_mishu.frontdesk.lines.incoming_message import IncomingMessage, Segment

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
        return heard.message_id

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


@dataclass(frozen=True)
class Watched:
    """Results of the script."""

    calls: Counter[str]
    tokens: Counter[str]
    said: int
    """Lines of ours that nobody had called for."""
    summonses: tuple[int, int]
    """Answered, of how many."""
    plans: tuple[int, int]
    """Made by several and asked about, of how many."""
    answering: tuple[int, int]
    """Calls and tokens for what was said to us."""


async def _watched() -> Watched:
    play = scenes()
    endpoint = Endpoint(play=play)
    lines = script()
    ids: list[str] = []
    to_us: Counter[str] = Counter()
    to_us_tokens = 0
    async with running(endpoint) as bot:
        endpoint.calls.clear()
        endpoint.tokens.clear()
        before = bot.group.sent
        for line in lines:
            await asyncio.sleep(line.pause)
            if line.called:
                await asyncio.sleep(20)  # nothing else is under way: what is asked now is for this line
                calls, tokens = endpoint.calls.copy(), endpoint.tokens.total()
                ids.append(bot.say(line.who, line.words, called=True))
                await asyncio.sleep(20)
                to_us += endpoint.calls - calls
                to_us_tokens += endpoint.tokens.total() - tokens
            else:
                ids.append(bot.say(line.who, line.words))
        await asyncio.sleep(60)
        answered = bot.group.answered
        of_scene = {
            scene.plan: any(
                each.scene is not None and each.scene.plan == scene.plan and one in answered
                for each, one in zip(lines, ids, strict=True)
            )
            for scene in play
            if scene.plan
        }
        called = [one in answered for line, one in zip(lines, ids, strict=True) if line.called]
        return Watched(
            endpoint.calls - to_us,
            endpoint.tokens,
            bot.group.sent - before - len(called),
            (sum(called), len(called)),
            (sum(of_scene.values()), len(of_scene)),
            (to_us.total(), to_us_tokens),
        )


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
    with asyncio.Runner(loop_factory=IdleLoop) as runner:
        watched = runner.run(_watched())
    with asyncio.Runner(loop_factory=lambda: HurriedLoop(2.0)) as runner:
        alone, beside = runner.run(_called())
    calls, tokens = watched.calls.total(), watched.tokens.total() - watched.answering[1]
    by_name = ", ".join(f"{name} {count}" for name, count in watched.calls.most_common())
    yield Measurement(
        f"watching: calls for {LINES} lines",
        calls,
        "calls",
        against=f"{by_name}; said {watched.said}; said to us: {watched.answering[0]} more",
        goal=f"at most {GOAL_CALLS}",
        met=0 < calls <= GOAL_CALLS,
    )
    by_name = ", ".join(f"{name} {count}" for name, count in watched.tokens.most_common())
    yield Measurement(
        f"watching: tokens for {LINES} lines",
        tokens,
        "tokens",
        against=f"{by_name}; of these said to us: {watched.answering[1]}",
        goal=f"at most {GOAL_TOKENS}",
        met=0 < tokens <= GOAL_TOKENS,
    )
    for name, (done, of) in (
        ("plans of several members asked about", watched.plans),
        ("summonses answered", watched.summonses),
    ):
        yield Measurement(f"watching: {name}", done, "", against=f"of {of}", goal="all", met=done == of)
    yield Measurement(
        "watching: a summons beside a look",
        beside,
        "s",
        against=f"alone {alone:.2f}",
        ratio=beside / alone,
        goal=f"at most {BESIDE:g} s more",
        met=beside <= alone + BESIDE,
    )
