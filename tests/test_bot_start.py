"""Starting: what a wrong configuration or an unusable database looks like, alone and in another instance.

The bot runs as its owner runs it, as a process in a directory of its own. `e2e/test_e2e_start.py` looks at
the same from a group's side.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import sqlite3
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from default_run import first
from e2e.harness import BotProcess, OneBotClient
from e2e.harness.bot_process import ENDED
from nonebot_plugin_mishu.config.token_strength import ALLOWED
from websockets.exceptions import InvalidStatus

from bot.playground import ACCOUNT

ROOT = Path(__file__).resolve().parent.parent
KEY = "sk-start-0a1b2c3d4e5f"
WITHIN = 60

Start = Callable[..., BotProcess]


@dataclass(frozen=True)
class Ended:
    """How a bot ended by itself."""

    code: int
    out: str
    err: str


def home_with(home: Path, dotenv: str, encoding: str) -> None:
    """A bot's directory with a `.env`."""
    home.mkdir(parents=True, exist_ok=True)
    (home / ".env").write_text(dotenv, encoding)


async def run(home: Path, dotenv: str, *arguments: str, encoding: str = "utf-8", **environment: str) -> Ended:
    """Run `python -m bot` with this `.env` until it ends by itself."""
    home_with(home, dotenv, encoding)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", *arguments),
        cwd=home,
        env={
            "PATH": os.environ.get("PATH", ""),
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "plugins"))),
            **environment,
        },
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        out, err = await asyncio.wait_for(process.communicate(), WITHIN)
    except TimeoutError:
        process.kill()
        out, err = await process.communicate()
        raise AssertionError(f"it runs:\n{out.decode()}\n{err.decode()}") from None
    assert process.returncode is not None
    return Ended(process.returncode, out.decode(), err.decode())


@pytest_asyncio.fixture
async def start(tmp_path: Path) -> AsyncIterator[Start]:
    """Make bots: `start(module=…, SETTING=…)`; all are gone at the end."""
    made: list[BotProcess] = []

    def make(module: str = "bot", ready: str = "/api/health", **settings: object) -> BotProcess:
        made.append(BotProcess(tmp_path / f"bot{len(made)}", settings, module=module, ready=ready, cold=True))
        made[-1].home.mkdir()
        return made[-1]

    yield make
    for process in made:
        await process.close()


WRONG = {
    "MISHU__SECRETARY__COOLDOWN=soon": [
        '配置错误：MISHU__SECRETARY__COOLDOWN = "soon"，应为：0 到 2592000 的秒数'
    ],
    "MISHU__GROUPS__MODE=some\nMISHU__QQ__FOLD_LENGTH=0": [
        '配置错误：MISHU__GROUPS__MODE = "some"，应为：all、allow 或 deny',
        "配置错误：MISHU__QQ__FOLD_LENGTH = 0，应为：1 到 100000 的整数",
    ],
    "MISHU__SECRETARY__LOCK_TIMEOUT=69": [
        "配置错误：MISHU__SECRETARY__LOCK_TIMEOUT = 69，应不小于 LLM 的 TIMEOUT + DECIDE_TIMEOUT（70 秒）"
    ],
    f'MISHU__LLM__API_KEY=["{KEY}"]': ["配置错误：MISHU__LLM__API_KEY = （已隐去），应为：一个密钥"],
    'MISHU__BOT__PLUGINS=["no_such_plugin"]': [
        "MISHU__BOT__PLUGINS 里的插件 no_such_plugin 没有装上，见上面的日志"
    ],
    "PORT=abc": ['配置错误：PORT = "abc"，应为：1 到 65535 的整数'],
    "PORT=70000\nHOST=nowhere": [
        '配置错误：HOST = "nowhere"，应为：IP 地址，如 127.0.0.1',
        '配置错误：PORT = "70000"，应为：1 到 65535 的整数',
    ],
    "HOST=0.0.0.0\nMISHU__WEB__TOKEN=1\nONEBOT_ACCESS_TOKEN=123456": [
        f"配置错误：MISHU__WEB__TOKEN = （已隐去），应为：{ALLOWED}",
        f"配置错误：ONEBOT_ACCESS_TOKEN = （已隐去），应为：{ALLOWED}",
    ],
    "HOST=::\nONEBOT_ACCESS_TOKEN=mishu-token": [
        f"配置错误：ONEBOT_ACCESS_TOKEN = （已隐去），应为：{ALLOWED}"
    ],
    "NICKNAME=小秘": ['配置错误：NICKNAME = "小秘"，应为：名字的 JSON 列表，如 ["小秘"]'],
    "SUPERUSERS=[12345]": ['配置错误：SUPERUSERS = "[12345]"，应为：QQ 号的 JSON 列表，如 ["12345"]'],
    "LOG_LEVEL=LOUD": [
        '配置错误：LOG_LEVEL = "LOUD"，应为：TRACE、DEBUG、INFO、SUCCESS、WARNING、ERROR 或 CRITICAL'
    ],
    "DRIVER=~nothing": [
        '配置错误：DRIVER = "~nothing"，应为：NoneBot 的驱动器，如 ~fastapi'
        "（No module named 'nonebot.drivers.nothing'）"
    ],
}


@first(3)
@pytest.mark.parametrize("dotenv", WRONG)
async def test_a_wrong_key_is_one_line_and_exit_2(tmp_path: Path, dotenv: str) -> None:
    ended = await run(tmp_path, dotenv)
    assert ended.err.splitlines() == WRONG[dotenv]
    assert ended.code == 2
    if "PLUGINS" not in dotenv:  # why a foreign plugin did not load is in the log, with its trace
        assert "Traceback" not in ended.out
    assert KEY not in ended.out + ended.err


async def test_the_environment_is_looked_at_too(tmp_path: Path) -> None:
    ended = await run(tmp_path, "", MISHU__QQ__SEND_GAP="never", PORT="8080")
    assert ended.err == '配置错误：MISHU__QQ__SEND_GAP = "never"，应为：0 到 3600 的秒数\n'
    assert ended.code == 2


async def test_a_file_that_is_not_utf_8_is_said(tmp_path: Path) -> None:
    """As an editor on a Chinese Windows may save it."""
    for arguments in ((), ("explain", "你好")):
        ended = await run(tmp_path, 'NICKNAME=["小秘"]', *arguments, encoding="gbk")
        assert ended == Ended(2, "", "配置错误：.env 不是 UTF-8 编码，请另存为 UTF-8\n")


async def test_an_unknown_command_is_refused(tmp_path: Path) -> None:
    ended = await run(tmp_path, "", "fly")
    assert ended.code == 2
    assert ended.err.startswith("没有「fly」这个命令。")
    assert (await run(tmp_path, "", "--help")).code == 0


async def test_a_taken_port_is_said_in_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ended = await run(tmp_path, f"PORT={port}")
    assert ended.code == 4
    assert len(ended.err.splitlines()) == 1
    assert f"监听不了 127.0.0.1 的 {port} 端口" in ended.err
    assert "Traceback" not in ended.out


@pytest.mark.exhaustive
async def test_pitfall_55_an_unusable_database_is_a_clear_sentence_and_exit_3(tmp_path: Path) -> None:
    """Damaged, not ours to write, nowhere: named, and left as it is."""
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(b"no database\n" * 1000)
    kept = tmp_path / "kept.db"
    with closing(sqlite3.connect(kept)) as connection:
        connection.execute("CREATE TABLE theirs (x)")
        connection.commit()
    before = kept.read_bytes()
    addresses = {
        f"sqlite+aiosqlite:///{damaged}": ("损坏", damaged),
        f"sqlite+aiosqlite:///file:{kept}?mode=ro&uri=true": ("只读", kept),
        "sqlite+aiosqlite:////proc/nothing/mishu.db": ("目录", "/proc/nothing/mishu.db"),
        "postgresql+asyncpg://mishu:hunter2@127.0.0.1:1/x": ("连不上", "127.0.0.1:1/x"),
    }
    for number, (address, (words, place)) in enumerate(addresses.items()):
        ended = await run(tmp_path / str(number), f"MISHU__DATABASE_URL={address}")
        assert ended.code == 3, ended
        (line,) = ended.err.splitlines()
        assert line.startswith("秘书没有启动：")
        assert words in line
        assert str(place) in line, "whoever shall look after it must learn where it is"
        assert "hunter2" not in ended.out + ended.err
        assert "Traceback" not in ended.out
    assert damaged.read_bytes() == b"no database\n" * 1000
    assert kept.read_bytes() == before


@pytest.mark.exhaustive
async def test_pitfall_55_a_newer_database_is_refused_and_exit_3(start: Start) -> None:
    bot = start()
    await bot.start()
    await bot.stop()
    with closing(sqlite3.connect(bot.database)) as connection:
        connection.execute("UPDATE mishu_version SET version_num = '9999'")
        connection.commit()
    await bot.launch()
    assert await bot.ended() == 3
    (line,) = [line for line in bot.errors.splitlines() if line]
    assert "更新版本" in line
    assert "Traceback" not in bot.log
    with closing(sqlite3.connect(bot.database)) as connection:
        assert connection.execute("SELECT version_num FROM mishu_version").fetchall() == [("9999",)]


@pytest.mark.exhaustive
async def test_a_second_bot_on_the_same_file_is_refused_and_a_killed_one_leaves_no_lock(start: Start) -> None:
    first, second = start(), start()
    second.settings["MISHU__DATABASE_URL"] = f"sqlite+aiosqlite:///{first.database}"
    await first.start()
    await second.launch()
    assert await second.ended() == 3
    (line,) = [line for line in second.errors.splitlines() if line]
    assert "已经有一个机器人在用这个数据库文件" in line
    assert str(first.database) in line
    assert "Traceback" not in second.log
    await first.kill()
    await second.start()


@pytest.mark.exhaustive
async def test_pitfall_67_tables_are_made_without_a_terminal_and_without_a_question(start: Start) -> None:
    bot = start()
    bot.settings["MISHU__DATABASE_URL"] = f"sqlite+aiosqlite:///{bot.home}/deep/below/mishu.db"
    await bot.start()
    assert await bot.stop() in ENDED
    with closing(sqlite3.connect(bot.home / "deep" / "below" / "mishu.db")) as connection:
        names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert {"mishu_version", "mishu_ledger", "mishu_claim"} <= names
    assert bot.errors == ""


async def test_an_unchanged_copy_of_the_example_starts(start: Start) -> None:
    bot = start()
    bot.settings = {}
    await bot.launch()
    await bot.kill()
    shutil.copy(ROOT / ".env.example", bot.home / ".env")
    environment = {**os.environ, "HOME": str(bot.home), "PORT": str(bot.port), "XDG_DATA_HOME": str(bot.home)}
    environment["PYTHONPATH"] = os.pathsep.join(map(str, (ROOT, ROOT / "plugins")))
    command = (sys.executable, "-m", "bot")
    with (bot.home / "log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *command, cwd=bot.home, env=environment, stdout=log, stderr=log
        )
        try:
            health = await _answer(f"{bot.url}/api/health", process)
            assert health.json()["status"] == "ok"
            assert health.json()["llm"] == "off"
        finally:
            process.send_signal(signal.SIGTERM)
            await asyncio.wait_for(process.wait(), WITHIN)
    said = (bot.home / "log").read_text("utf-8")
    assert "配置" not in said
    assert "WARNING" not in said


async def _answer(url: str, process: asyncio.subprocess.Process) -> httpx.Response:
    async with asyncio.timeout(WITHIN), httpx.AsyncClient(trust_env=False) as http:
        while True:
            assert process.returncode is None, "it ended"
            try:
                return await http.get(url)
            except httpx.TransportError:
                await asyncio.sleep(0.05)


PROBE = """
import nonebot
handlers = nonebot.logger._core.handlers.values()
print("levels", sorted(handler.levelno for handler in handlers), flush=True)
"""


@pytest.mark.exhaustive
async def test_pitfall_66_the_log_sink_has_the_real_level(start: Start) -> None:
    """NoneBot's own takes every record and filters later."""
    bot = start(LOG_LEVEL="WARNING", MISHU__BOT__PLUGINS=["probe"])
    (bot.home / "probe.py").write_text(PROBE, "utf-8")
    await bot.start()
    assert "levels [30]" in bot.log
    await bot.stop()


@pytest.mark.exhaustive
async def test_no_key_is_in_the_log_at_any_level(start: Start) -> None:
    secrets = {
        "MISHU__LLM__API_KEY": KEY,
        "MISHU__WEB__TOKEN": "web-hidden-1",
        "ONEBOT_ACCESS_TOKEN": "bot-hidden-2",
    }
    model = {"MISHU__LLM__BASE_URL": "http://127.0.0.1:1/v1", "MISHU__LLM__MODEL": "m"}
    bot = start(LOG_LEVEL="TRACE", **secrets, **model)
    await bot.start()
    async with OneBotClient(bot.onebot_url, 10_061, token="bot-hidden-2") as account:
        room = account.room()
        await room.say(room.member("阿明"), "小秘在吗")
        await room.expect()
    await bot.stop()
    for secret in secrets.values():
        assert secret not in bot.log


@pytest.mark.exhaustive
async def test_an_unknown_key_is_warned_of_and_goes_on(start: Start) -> None:
    bot = start(MISHU__SECRETARY__COOLDOWM=3)
    await bot.start()
    assert bot.log.count("不认识的配置项 MISHU__SECRETARY__COOLDOWM") == 1
    await bot.stop()


@pytest.mark.exhaustive
async def test_slips_are_one_warning_each(start: Start) -> None:
    """Each names the key, what is wrong and what to write; the bot goes on."""
    bot = start(
        MISHU_TIMEZONE="Asia/Tokyo",
        MISHU__LLM_MODEL="m",
        MISHU__GROUPS__MODE="allow",
        SUPERUSER=["1"],
        ACCESS_TOKEN="x",
        HOST="0.0.0.0",
    )
    bot.environment["MISHU_WEB_TOKEN"] = "hidden"
    bot.environment["MISHU_PORT"] = "tcp://10.0.0.1:80"
    await bot.start()
    await bot.stop()
    told = [line.split(" | ", 1)[1] for line in bot.log.splitlines() if "[WARNING]" in line]
    for words in (
        "MISHU_TIMEZONE，没有作用；应该是 MISHU__TIMEZONE 吧（节与键之间是两个下划线）",
        "MISHU_WEB_TOKEN，没有作用；应该是 MISHU__WEB__TOKEN 吧",
        "MISHU__LLM_MODEL，没有作用；应该是 MISHU__LLM__MODEL 吧",
        "SUPERUSER，没有作用；应该是 SUPERUSERS 吧",
        "ACCESS_TOKEN，没有作用；应该是 ONEBOT_ACCESS_TOKEN 吧",
        '请写 MISHU__GROUPS__IDS=["群号"]',
        "请写 ONEBOT_ACCESS_TOKEN=",
        "请写 MISHU__WEB__TOKEN=",
    ):
        assert sum(words in line for line in told) == 1, (words, told)
    assert len(told) == 8, told
    assert "hidden" not in bot.log


@pytest.mark.exhaustive
async def test_it_says_where_everything_is(start: Start) -> None:
    bot = start(
        MISHU__LLM__API_KEY=KEY, MISHU__LLM__MODEL="m", MISHU__LLM__BASE_URL="http://a:b@127.0.0.1:1/v1"
    )
    bot.settings["NICKNAME"] = bot.settings["MISHU__FRONTDESK__WAKE_WORDS"] = None
    await bot.start()
    await bot.stop()
    for words in (
        f"网页：http://127.0.0.1:{bot.port}/console （只有本机打得开）",
        f"试用台：http://127.0.0.1:{bot.port}/playground （不用 QQ 就能试，只有本机打得开）",
        f"连接 QQ：让 OneBot 实现用反向 WebSocket 连 {bot.onebot_url} （不用令牌）",
        f"数据库：{bot.database}",
        "模型：m（127.0.0.1）",
        "没有开：叫名字（没有写 NICKNAME",
        "看图（没有写 MISHU__LLM__VISION_MODEL）",
        "每日备份（没有写 MISHU__BACKUP__DAILY）",
    ):
        assert bot.log.count(words) == 1, (words, bot.log)
    unreachable = [line for line in bot.log.splitlines() if "模型连不上" in line]
    assert bot.log.count("WARNING") == len(unreachable) <= 1


@pytest.mark.exhaustive
async def test_the_bare_address_leads_to_the_page(start: Start) -> None:
    bot = start()
    await bot.start()
    async with httpx.AsyncClient(trust_env=False, follow_redirects=True) as http:
        page = await http.get(f"{bot.url}/", headers={"Accept": "text/html"})
    assert page.status_code == 200
    assert page.url.path == "/console/playground"
    assert "Mishu 试用台" in page.text
    await bot.stop()


@pytest.mark.exhaustive
@pytest.mark.parametrize("where", ["file", "environment"])
async def test_pitfall_78_the_onebot_token_has_one_source(start: Start, where: str) -> None:
    """The adapter enforces it, the page knows it, and so does what looks at an open address."""
    bot = start(
        HOST="0.0.0.0",
        MISHU__WEB__TOKEN="web-7f3a9c1b",
        **({"ONEBOT_ACCESS_TOKEN": "qq-7f3a9c1b"} if where == "file" else {}),
    )
    if where == "environment":
        bot.environment["ONEBOT_ACCESS_TOKEN"] = "qq-7f3a9c1b"
    await bot.start()
    with pytest.raises(InvalidStatus):
        await OneBotClient(bot.onebot_url, 10_064).connect()
    async with OneBotClient(bot.onebot_url, 10_064, token="qq-7f3a9c1b") as account:
        room = account.room()
        await room.say(room.member("阿明"), "小秘在吗")
        await room.expect()
    bearer = {"Authorization": "Bearer web-7f3a9c1b", "Accept": "text/html"}
    async with httpx.AsyncClient(trust_env=False, headers=bearer) as http, asyncio.timeout(WITHIN):
        assert (await http.get(f"{bot.url}/playground/")).status_code == 200
        while True:
            connected = (await http.get(f"{bot.url}/api/health")).json()["bots"]
            if ACCOUNT in map(str, connected):
                break
            await asyncio.sleep(0.05)
    await bot.stop()
    assert "却没有设" not in bot.log
    assert "令牌是 ONEBOT_ACCESS_TOKEN" in bot.log


@pytest.mark.exhaustive
async def test_the_name_of_the_page_is_heard_there_and_nowhere_else(start: Start) -> None:
    bot = start()
    bot.settings["NICKNAME"] = bot.settings["MISHU__FRONTDESK__WAKE_WORDS"] = None
    await bot.start()
    async with (
        OneBotClient(bot.onebot_url, int(ACCOUNT)) as page,
        OneBotClient(bot.onebot_url, 10_065) as other,
    ):
        elsewhere, room = other.room(), page.room()
        for words in ("秘书，提醒我明天8点吃药", "秘书 我今天有什么任务", "明天有什么安排，秘书"):
            await elsewhere.say(elsewhere.member("阿明"), words)
            said = await room.say(room.member("阿明"), words)
            await room.expect(quoting=said)
        await elsewhere.call(elsewhere.member("阿明"), "在吗")
        await elsewhere.expect()
        assert len(elsewhere.sends) == 1
    await bot.stop()


@pytest.mark.exhaustive
async def test_digits_may_be_a_token(start: Start) -> None:
    """NoneBot decodes what stands in `.env`; a token of digits is one all the same."""
    bot = start(MISHU__WEB__TOKEN="0123", ONEBOT_ACCESS_TOKEN="123456")
    await bot.start()
    async with httpx.AsyncClient(trust_env=False) as http:
        assert (await http.get(f"{bot.url}/api/health")).status_code == 401
        right = await http.get(f"{bot.url}/api/health", headers={"Authorization": "Bearer 0123"})
        assert right.status_code == 200
    async with OneBotClient(bot.onebot_url, 10_062, token="123456") as account:
        room = account.room()
        await room.say(room.member("阿明"), "小秘在吗")
        await room.expect()
    await bot.stop()
    assert bot.log.count("太好猜") == 2, "on this machine alone it is no more than a warning"


INSTANCE = """
import nonebot
from nonebot.adapters.onebot.v11 import Adapter

nonebot.init()
nonebot.get_driver().register_adapter(Adapter)
nonebot.load_plugin("nonebot_plugin_mishu")
nonebot.load_plugin("other")


@nonebot.get_app().get("/ready")
async def ready() -> dict[str, bool]:
    return {"ok": True}


nonebot.run()
"""
OTHER = """
from nonebot import on_message

matcher = on_message(priority=1, block=False)


@matcher.handle()
async def _(event) -> None:
    if event.get_plaintext() == "ping":
        await matcher.send("pong")
"""


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (
            {"MISHU__SECRETARY__COOLDOWN": "soon"},
            '配置错误：MISHU__SECRETARY__COOLDOWN = "soon"，应为：0 到 2592000 的秒数',
        ),
        (
            {"HOST": "0.0.0.0", "MISHU__WEB__TOKEN": "password"},
            f"配置错误：MISHU__WEB__TOKEN = （已隐去），应为：{ALLOWED}",
        ),
        ({"MISHU__DATABASE_URL": "sqlite+aiosqlite:////proc/nothing/mishu.db"}, "秘书没有启动："),
    ],
    ids=["wrong key", "weak token", "no database"],
)
async def test_another_instance_goes_on_without_us(
    start: Start, settings: dict[str, object], words: str
) -> None:
    """A line in the log, no secretary, and the other plugin answers as ever."""
    bot = start(module="instance", ready="/ready", **settings)
    (bot.home / "instance.py").write_text(INSTANCE, "utf-8")
    (bot.home / "other.py").write_text(OTHER, "utf-8")
    await bot.start()
    assert bot.log.count(f"[ERROR] nonebot_plugin_mishu | {words}") == 1, bot.tail()
    async with OneBotClient(bot.onebot_url, 10_063) as account:
        room = account.room()
        await room.say(room.member("阿明"), "小秘在吗")
        await room.say(room.member("阿明"), "ping")
        await room.expect("pong")
        assert [sent.text for sent in account.sends] == ["pong"]
    async with httpx.AsyncClient(trust_env=False) as http:
        assert (await http.get(f"{bot.url}/api/health")).status_code == 404
    assert await bot.stop() in ENDED
    assert "Task exception was never retrieved" not in bot.log
