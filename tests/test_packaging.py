"""The wheel: what it holds, and that it loads where it was unpacked, as the NoneBot store loads it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
import wheel
from default_run import first
from interpreters import interpreter_of
from nonebot.plugin import PluginMetadata

FAKE_DRIVER = '''
"""A driver as the store's test has one: it claims to serve, and nothing of it works."""
from nonebot import logger
from nonebot.drivers import ASGIMixin, Driver as Base, HTTPClientMixin, WebSocketClientMixin


class Driver(Base, ASGIMixin, HTTPClientMixin, WebSocketClientMixin):
    type = "fake"
    logger = logger
    server_app = None

    @property
    def asgi(self):
        raise NotImplementedError

    def run(self, *args, **kwargs):
        raise NotImplementedError

    def setup_http_server(self, setup):
        raise NotImplementedError

    def setup_websocket_server(self, setup):
        raise NotImplementedError

    async def request(self, setup):
        raise NotImplementedError

    async def stream_request(self, *args, **kwargs):
        raise NotImplementedError
        yield

    async def websocket(self, setup):
        raise NotImplementedError

    def get_session(self, *args, **kwargs):
        raise NotImplementedError
'''

LOAD = '''
"""Load the plugin with a driver, watched by an audit hook, and print what was seen as one line of JSON."""
import asyncio, json, sys, threading

EVENTS = ("socket.", "sqlite3.connect", "subprocess.Popen", "os.system", "ftplib.", "http.", "urllib.")
seen = []
sys.addaudithook(lambda event, args: seen.append(event) if event.startswith(EVENTS) else None)
tasks = []
for name in ("create_task", "ensure_future", "new_event_loop", "run"):
    def noted(*given, real=getattr(asyncio, name), name=name, **more):
        tasks.append(name)
        return real(*given, **more)
    setattr(asyncio, name, noted)

import nonebot
nonebot.init(driver=sys.argv[1])
app = getattr(nonebot.get_driver(), "server_app", None)
routes = len(app.routes) if app is not None else 0
plugin = nonebot.load_plugin("nonebot_plugin_mishu")
assert plugin is not None, "not loaded"
meta = plugin.metadata
print(json.dumps({
    "python": f"{sys.version_info.major}.{sys.version_info.minor}",
    "file": plugin.module.__file__,
    "events": [event for event in seen if event != "socket.gethostname"],
    "tasks": tasks,
    "threads": threading.active_count(),
    "routes": (len(app.routes) if app is not None else 0) - routes,
    "modules": sorted({name.split(".")[0] for name in sys.modules}),
    "meta": [meta.name, meta.description, meta.usage, meta.type, meta.homepage],
    "adapters": sorted(meta.supported_adapters),
    "matchers": len(plugin.matcher),
}))
'''


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built without a network from a copy of the sources."""
    return wheel.build(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def site(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel unpacked, as an installer does it."""
    target = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(built) as archive:
        archive.extractall(target)
    return target


def load(site: Path, home: Path, driver: str, python: str | Path = sys.executable) -> dict[str, Any]:
    """Load the unpacked plugin in a process of its own with nothing configured."""
    (home / "fake.py").write_text(FAKE_DRIVER, "utf-8")
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": str(site), "LANG": "C.UTF-8"}
    done = subprocess.run(
        [str(python), "-c", LOAD, driver],
        cwd=home,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_the_wheel_holds_the_plugin_and_nothing_else(built: Path) -> None:
    assert wheel.problems(built) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda names: names | {"bot/__init__.py"}, "bot stands beside"),
        (lambda names: names | {"tests/test_x.py"}, "tests stands beside"),
        (lambda names: {name for name in names if "migrations" not in name}, "no migrations"),
        (lambda names: names - {f"{wheel.PACKAGE}/py.typed"}, "py.typed is missing"),
        (lambda names: {name for name in names if not name.endswith(".toml")}, ".toml is missing"),
        (lambda names: names | {f"{wheel.PACKAGE}/.env"}, ".env is too much"),
        (lambda names: {name for name in names if "LICENSE" not in name}, "no LICENSE"),
    ],
)
def test_a_wheel_that_is_wrong_is_found(built: Path, tmp_path: Path, change: Any, words: str) -> None:
    with zipfile.ZipFile(built) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    wrong = tmp_path / "wrong.whl"
    with zipfile.ZipFile(wrong, "w") as archive:
        for name in change(set(content)):
            archive.writestr(name, content.get(name, b""))
    assert any(words in problem for problem in wheel.problems(wrong)), wheel.problems(wrong)


@first(1)
@pytest.mark.parametrize("driver", ["fake", "~none", "~fastapi"])
def test_pitfall_64_it_loads_as_the_store_loads_it(site: Path, tmp_path: Path, driver: str) -> None:
    """No adapter, no configuration, a driver that can do nothing; and importing does nothing."""
    seen = load(site, tmp_path, driver)
    assert Path(seen["file"]).is_relative_to(site)
    assert seen["events"] == []
    assert seen["tasks"] == []
    assert seen["threads"] == 1
    assert seen["routes"] == 0
    assert seen["matchers"] == 1
    heavy = {"openai", "alembic", "nicegui", "asyncpg", "borax", "chinese_calendar", "selenium", "bot"}
    assert heavy & set(seen["modules"]) == set()
    if driver != "~fastapi":
        assert {"fastapi", "starlette", "uvicorn"} & set(seen["modules"]) == set()
    left = {path.suffix for path in tmp_path.rglob("*") if path.is_file()}
    assert left <= {".py", ".pyc"}, "no file is written"


@pytest.mark.exhaustive
def test_the_store_finds_the_metadata_it_asks_for(site: Path, tmp_path: Path) -> None:
    seen = load(site, tmp_path, "fake")
    name, description, usage, kind, homepage = seen["meta"]
    assert name == "Mishu 秘书"
    assert description
    assert usage
    assert kind == "application"
    assert homepage.startswith("https://")
    assert seen["adapters"] == ["~milky", "~onebot.v11", "~qq"]


def test_the_metadata_is_whole() -> None:
    import nonebot_plugin_mishu
    from nonebot_plugin_mishu.config import Config

    meta = nonebot_plugin_mishu.__plugin_meta__
    assert isinstance(meta, PluginMetadata)
    assert meta.config is Config
    assert meta.get_supported_adapters()


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_pitfall_64_it_loads_on_every_python_it_is_for(version: str, built: Path, tmp_path: Path) -> None:
    """Installed with its requirements into an environment of its own, and loaded as the store loads it.

    Nothing is downloaded: a Python that is not on the machine, or whose packages uv does not have at hand,
    is skipped. `uv pip install` of the wheel for that Python, once, with a network, brings them.
    """
    home = tmp_path / "home"
    home.mkdir()
    python = _environment(version, built, tmp_path / "environment")
    site = Path(
        subprocess.run(
            [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
    )
    seen = load(site, home, "fake", python)
    assert seen["python"] == version
    assert Path(seen["file"]).is_relative_to(site)
    assert seen["events"] == []
    assert seen["tasks"] == []
    assert seen["threads"] == 1
    assert seen["matchers"] == 1
    assert seen["meta"][0] == "Mishu 秘书"


def _environment(version: str, built: Path, place: Path) -> Path:
    """A fresh environment of that Python with the wheel and all it requires; skips where that cannot be."""
    quiet = ("--offline", "--no-config")

    def uv(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [wheel.uv(), *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)

    interpreter = interpreter_of(version)
    if interpreter is None:
        pytest.skip(f"no Python {version} on this machine")
    made = uv("venv", "--no-python-downloads", "--python", str(interpreter), *quiet, str(place))
    assert made.returncode == 0, made.stderr
    python = place / "bin" / "python"
    installed = uv("pip", "install", *quiet, "--python", str(python), str(built))
    if installed.returncode != 0:
        pytest.skip(f"packages for Python {version} are not at hand: {installed.stderr.splitlines()[-1]}")
    return python
