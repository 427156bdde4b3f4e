"""The standalone bot as a process: start, configuration, access (contracts; pitfalls 61, 64, 65)."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import httpx
import pytest

from .conftest import StartBot
from .harness import Api, BotProcess, OneBotClient, summon
from .harness.bot_process import API_KEY, ENDED, PLUGINS, ROOT


async def test_it_needs_no_key_and_no_configuration(tmp_path: Path):
    """Defaults all over: only the port is chosen, since the tests share the machine."""
    bot = BotProcess(tmp_path, cold=True)
    bot.settings = dict.fromkeys(
        ("MISHU__DATABASE_URL", "DRIVER", "HOST", "LOCALSTORE_DATA_DIR", "LOCALSTORE_CACHE_DIR")
    )
    await bot.start()
    try:
        health = await _get(bot, "/api/health")
        assert health.json()["status"] == "ok"
        assert health.json()["llm"] == "off"
        assert health.json()["database"] == "ok"
        assert health.json()["bots"] == []
        assert health.json()["version"]
        assert (await _get(bot, "/playground", follow_redirects=True)).status_code == 200
        assert (await _get(bot, "/api/openapi.json")).json()["paths"]
        async with OneBotClient(bot.onebot_url, 10_051) as account:
            room = account.room()
            said = await room.call(room.member("阿明"), "在吗")
            await room.expect(quoting=said)
    finally:
        code = await bot.stop()
        await bot.close()
    assert code in ENDED
    assert "Traceback" not in bot.log


async def _get(bot: BotProcess, path: str, **options: object) -> httpx.Response:
    async with httpx.AsyncClient(trust_env=False, timeout=20) as http:
        return await http.get(bot.url + path, **options)  # type: ignore[arg-type]


WRONG: dict[str, dict[str, object]] = {
    "MISHU__SECRETARY__COOLDOWN": {"MISHU__SECRETARY__COOLDOWN": "soon"},
    "MISHU__GROUPS__MODE": {"MISHU__GROUPS__MODE": "some"},
    "MISHU__TIMEZONE": {"MISHU__TIMEZONE": "Mars/Olympus"},
    "MISHU__DATABASE_URL": {"MISHU__DATABASE_URL": "mysql://localhost/x"},
    "MISHU__SECRETARY__PATIENCE": {"MISHU__SECRETARY__PATIENCE": '[[-1, "嗯"]]'},
    "MISHU__FRONTDESK__HOLD_TIMEOUT": {
        "MISHU__FRONTDESK__HOLD_TIMEOUT": 30,
        "MISHU__SECRETARY__LOCK_TIMEOUT": 40,
    },
    "MISHU__SECRETARY__LOCK_TIMEOUT": {"MISHU__SECRETARY__LOCK_TIMEOUT": 5},
    "MISHU__LLM__BASE_URL": {"MISHU__LLM__BASE_URL": "not an address"},
}


@pytest.mark.exhaustive
async def test_bad_configuration_is_one_clear_line_and_exit_2(start_bot: StartBot):
    """The line is on standard error and names the key, the value and what is allowed."""
    for chunk in (list(WRONG)[:3], list(WRONG)[3:5], list(WRONG)[5:]):
        bots = {key: start_bot(**WRONG[key]) for key in chunk}
        await asyncio.gather(*(bot.launch() for bot in bots.values()))
        codes = await asyncio.gather(*(bot.ended() for bot in bots.values()))
        for (key, bot), code in zip(bots.items(), codes, strict=True):
            assert code == 2, f"{key}: {code}\n{bot.tail()}"
            lines = [line for line in bot.errors.splitlines() if line.strip()]
            assert len(lines) == 1, bot.errors
            assert key in lines[0]
            assert str(WRONG[key][key]) in lines[0].replace('\\"', '"')
            assert "应" in lines[0]
            assert "Traceback" not in bot.log
            assert API_KEY not in bot.log


@pytest.mark.exhaustive
async def test_the_api_wants_its_token_and_an_empty_value_means_unset(start_bot: StartBot):
    empty = dict.fromkeys(("MISHU__SECRETARY__COOLDOWN", "MISHU__TIMEZONE", "MISHU__LLM__VISION_MODEL"), "")
    bot = start_bot(MISHU__WEB__TOKEN="a-token-of-our-own", **empty)
    await bot.start()
    api = Api(bot.url, "a-token-of-our-own")
    assert (await api.health())["status"] == "ok"
    bare = await _get(bot, "/api/health")
    assert bare.status_code == 401
    assert set(bare.json()["error"]) == {"code", "message"}
    for path in (
        "/api/groups/1/presence",
        "/api/groups/1/messages",
        "/api/groups/1/events",
        "/api/openapi.json",
    ):
        assert (await _get(bot, path)).status_code in (401, 403), path
    assert (await _get(bot, "/playground/")).status_code in (401, 403)
    async with OneBotClient(bot.onebot_url, 10_052) as account:
        room = account.room()
        await summon(room, room.member("阿明"), "在吗")
        await api.until_state(room, "observing")
    await api.close()
    assert await bot.stop() in ENDED
    assert "a-token-of-our-own" not in bot.log


async def test_without_a_token_only_this_machine_is_answered(bot: BotProcess):
    for headers in (
        {"Host": "evil.example"},
        {"Origin": "https://evil.example"},
        {"X-Forwarded-For": "203.0.113.9"},
    ):
        for path in ("/api/health", "/playground/"):
            answer = await _get(bot, path, headers=headers)
            assert answer.status_code == 403, (path, headers)
    assert (await _get(bot, "/api/nothing-here")).status_code == 404
    assert (await _get(bot, "/api/groups/1/messages?limit=abc")).status_code == 422


IN_AN_INSTANCE = """
import nonebot, pathlib, sys
nonebot.init(driver=sys.argv[1], _env_file=None)
plugin = nonebot.load_plugin("nonebot_plugin_mishu")
assert plugin is not None, "not loaded"
meta = plugin.metadata
assert meta and meta.type == "application" and meta.supported_adapters, meta
print("loaded", meta.name, len(list(pathlib.Path().rglob("*.db"))), "files")
"""


async def _python(code: str, *arguments: str, cwd: Path) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", code, *arguments),
        cwd=cwd,
        env={"PATH": os.environ.get("PATH", ""), "HOME": str(cwd), "LANG": "C.UTF-8"},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await asyncio.wait_for(process.communicate(), 60)
    return process.returncode or 0, output.decode()


@pytest.mark.exhaustive
async def test_pitfall_64_it_loads_without_server_adapter_or_configuration(tmp_path: Path):
    code, output = await _python(IN_AN_INSTANCE, "~none", cwd=tmp_path)
    assert code == 0, output
    assert "loaded" in output
    assert "0 files" in output, "importing opens no database"


@pytest.mark.exhaustive
async def test_pitfall_65_listed_as_module_it_loads_once(tmp_path: Path):
    """As `pyproject.toml` lists it, and beside a directory that holds it."""
    code = (
        "import nonebot, sys\n"
        "nonebot.init(driver='~none', _env_file=None)\n"
        f"nonebot.load_from_toml({str(ROOT / 'pyproject.toml')!r})\n"
        "found = [p.name for p in nonebot.get_loaded_plugins() if p.name == 'nonebot_plugin_mishu']\n"
        "assert found == ['nonebot_plugin_mishu'], found\n"
        "copies = [m for m in sys.modules if m.endswith('nonebot_plugin_mishu')]\n"
        "assert copies == ['nonebot_plugin_mishu'], copies\n"
    )
    result, output = await _python(code, cwd=tmp_path)
    assert result == 0, output
    assert "already exists" not in output


@pytest.mark.exhaustive
async def test_keys_are_in_no_log_at_any_level(start_bot: StartBot):
    """NoneBot prints the whole configuration at DEBUG; the model's key and the tokens are in it."""
    tokens = {"ONEBOT_ACCESS_TOKEN": "a-token-for-onebot", "MISHU__WEB__TOKEN": "a-web-token"}
    bot = start_bot(LOG_LEVEL="TRACE", **tokens)
    await bot.start()
    async with OneBotClient(bot.onebot_url, 10_053, token="a-token-for-onebot") as account:
        room = account.room()
        await summon(room, room.member("阿明"), "在吗")
    assert await bot.stop() in ENDED
    for secret in (API_KEY, *tokens.values()):
        assert secret not in bot.log, secret


@pytest.mark.exhaustive
async def test_bad_configuration_in_another_instance(tmp_path: Path):
    """The plugin logs the line and does not load; the instance goes on."""
    (tmp_path / ".env").write_text("MISHU__SECRETARY__COOLDOWN=soon\n", "utf-8")
    code = (
        "import nonebot\n"
        "nonebot.init(driver='~none')\n"
        "plugin = nonebot.load_plugin('nonebot_plugin_mishu')\n"
        "assert plugin is None, plugin\n"
        "print('the instance goes on')\n"
    )
    result, output = await _python(code, cwd=tmp_path)
    assert result == 0, output
    assert "the instance goes on" in output
    assert "MISHU__SECRETARY__COOLDOWN" in output
    assert "soon" in output


def test_the_neighbours_of_these_tests_are_no_part_of_the_product():
    assert (PLUGINS / "foreign_neighbour.py").exists()
    assert not (ROOT / "plugins" / "foreign_neighbour.py").exists()
