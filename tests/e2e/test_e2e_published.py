"""In an instance with twenty published plugins: everybody answers what is theirs, with us and without us."""

from __future__ import annotations

import json
import os
import re
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from model_server import ModelServer

from .conftest import LOST, bot_settings
from .harness import Api, BotProcess, Chat, Member, OneBotClient, Said, Sent
from .harness.bot_process import ENDED
from .harness.room import WITHIN
from .harness.segments import at
from .neighbourly_lines import PUBLISHED, US, Line, lines

pytestmark = pytest.mark.exhaustive

GROUPS = {"群": 41_001, "静群": 41_002, "复读群": 41_003}
FIRST_ID = 900_001
SELF_ID = 10_093
DIGITS = re.compile(r"\d+(?:\.\d+)?")
CHATS = "nonebot_plugin_llmchat"
Answer = tuple[str, str]
"""Which plugin, and what: its words without the figures, and the kinds of its other segments."""


def neighbours_python() -> str:
    """The Python that has the plugins: `MISHU_TEST_NEIGHBOURS`, else our own. Skips without."""
    python = os.environ.get("MISHU_TEST_NEIGHBOURS")
    if not python and not all(map(find_spec, PUBLISHED)):
        pytest.skip(
            "not installed: set MISHU_TEST_NEIGHBOURS to a Python with all of tests/e2e/data/neighbours.txt"
        )
    return python or sys.executable


@dataclass
class Instance:
    """One instance with its account, and what was answered to which line."""

    bot: BotProcess
    client: OneBotClient
    places: dict[str, Chat]
    ming: Member
    boss: Member
    answers: list[list[Answer]] = field(default_factory=list)
    newest: dict[tuple[str, str], Sent] = field(default_factory=dict)
    """By place and plugin, what it said last."""
    events: int = 0

    async def hear(self, line: Line, api: Api | None, wanted: int) -> list[Answer]:
        """Say a line, wait until it is dealt with, and tell who answered what. `wanted`: how many answers
        come at least; one may come when the line is long handled."""
        place = self.places[line.place]
        before, self.events = len(self.client.sends), self.events + 1
        stamp = int(self.client.now())
        number = None if line.poke else FIRST_ID + self.events
        before_it = self._handled(number)
        who = self.boss if line.admin else self.ming
        if line.poke:
            await place.poke(who)
        else:
            await self._say(place, who, line, stamp)
        await self.client.until(lambda: self._handled(number) > before_it, 40, f"{line} is handled")
        with suppress(AssertionError):  # what is missing is told with everything else
            await self.client.until(lambda: len(place.sends_since(before)) >= wanted, WITHIN, "answers")
        said = place.sends_since(before)
        if api is not None:
            await settle(api, place)
            said = [sent for sent in place.sends_since(before) if not sent.taken]
        found = [(str(sent.action.params.get("by")).removeprefix("nonebot_plugin_"), sent) for sent in said]
        self.newest.update({(line.place, by): sent for by, sent in found})
        self.answers.append([(by, _shape(sent)) for by, sent in found])
        return self.answers[-1]

    def _handled(self, number: int | None) -> int:
        """How often a message, or a notice, was seen through by all plugins."""
        done = [action.params["what"] for action in self.client.actions if action.name == "handled"]
        return done.count(number)

    async def _say(self, place: Chat, who: Member, line: Line, stamp: int) -> Said:
        member = None if place.friend is not None else who
        words = [at(self.client.self_id), f" {line.words}"] if line.at or line.quote_at else [line.words]
        number = {"message_id": FIRST_ID + self.events, "time": stamp}
        if not line.quotes:
            return await place.say(member, *words, **number)
        return await place.quote(who, self.newest[line.place, line.quotes], *words, **number)


def _shape(sent: Sent) -> str:
    kinds = [part["type"] for part in sent.segments if part["type"] not in ("text", "reply")]
    return " ".join([DIGITS.sub("0", sent.text).strip(), *kinds])


async def settle(api: Api, place: Chat) -> None:
    """Wait until ours is done with everything said there, by its own word: what was handed to it before has
    begun when it answers. Asked in private by the superuser: no other plugin of the group hears it."""
    await Chat.private(place.client, 99_999).sentinel()
    if place.friend is None:
        await api.until_free(place)


@asynccontextmanager
async def instance(
    home: Path, model: ModelServer, *, with_us: bool, llm: bool
) -> AsyncIterator[tuple[Instance, Api | None]]:
    """An instance that runs, its account connected."""
    replies = home / "data" / "autoreply"
    replies.mkdir(parents=True)
    entry = {"matches": [{"type": "full", "match": "芝麻开门"}], "replies": ["门开了"]}
    (replies / "replies.json").write_text(json.dumps([entry], ensure_ascii=False), "utf-8")
    (home / "data" / "blocker").mkdir()
    (home / "data" / "blocker" / "blocklist.json").write_text(f'{{"{SELF_ID}": []}}', "utf-8")
    preset = {"name": "本地", "api_base": model.url, "api_key": "sk-none", "model_name": "test-model"}
    theirs: dict[str, object | None] = {
        "PUBLISHED": list(PUBLISHED),
        "BESIDE": with_us,
        "SQLALCHEMY_DATABASE_URL": f"sqlite+aiosqlite:///{home / 'theirs.db'}",
        "ALEMBIC_STARTUP_CHECK": False,  # it would ask on the terminal before it makes its tables
        "AUTOREPLY_BLOCK": True,
        "AUTOREPLY_PRIORITY": 114_515,
        "POKE_BLOCK": False,
        "REPEATER_GROUP": [str(GROUPS["复读群"])],
        "MEMES_CHECK_RESOURCES_ON_STARTUP": False,
        "LLMCHAT": {
            "api_presets": [preset],
            "default_preset": "本地" if llm else "off",
            "random_trigger_prob": 0,
        },
        "MISHU__SECRETARY__CHAT": not llm,
    }
    bot = BotProcess(
        home,
        {**bot_settings(object(), model), **theirs},
        module="foreign_neighbours",
        ready="/",
        python=neighbours_python(),
        cold=True,
    )
    client = OneBotClient(bot.onebot_url, SELF_ID)
    places = {name: Chat.group(client, number) for name, number in GROUPS.items()}
    places["私聊"] = Chat.private(client, 1_900_003)
    ming = Chat.member("小明", user_id=1_900_001)
    boss = Chat.member("群主", role="owner", user_id=99_999)
    await bot.start(within=150)
    api = Api(bot.url) if with_us else None
    try:
        await client.connect()
        if api is not None:
            await api.poll(api.health, lambda seen: client.self_id in map(str, seen["bots"]), "connected")
        yield Instance(bot, client, places, ming, boss), api
    finally:
        await client.disconnect()
        if api is not None:
            await api.close()
        assert await bot.stop(within=30) in ENDED
        await bot.close()
    for words in LOST:
        assert words not in bot.log, bot.tail()


@pytest.mark.parametrize("llm", [False, True], ids=["talking", "beside a plugin that chats"])
async def test_every_plugin_answers_what_is_its_own(tmp_path: Path, model: ModelServer, llm: bool) -> None:
    model.always("", "模型说的笑话")
    wrong: list[str] = []
    before: list[list[Answer]] = []
    said = lines(llm)
    async with instance(tmp_path / "without", model, with_us=False, llm=llm) as (alone, _):
        for line in said:
            theirs = [by for by in line.by if by != US]
            # Where it is us who are quoted nobody is there: then it is said without.
            found = await alone.hear(replace(line, quotes=line.quotes.replace(US, "")), None, len(theirs))
            before.append(found)
            if Counter(by for by, _ in found) != Counter(theirs):
                wrong.append(f"without us {line}: {found}")
    async with instance(tmp_path / "with", model, with_us=True, llm=llm) as (beside, api):
        for line, alike in zip(said, before, strict=True):
            found = await beside.hear(line, api, len(line.by))
            if Counter(by for by, _ in found) != Counter(line.by):
                wrong.append(f"with us {line}: {found}")
            if sorted(one for one in found if one[0] != US) != sorted(alike):
                wrong.append(f"otherwise than without us {line}: {alike}, {found}")
    assert not wrong, "\n".join(wrong)
