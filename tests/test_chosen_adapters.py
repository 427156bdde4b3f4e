"""The adapters of the standalone bot: the chosen ones, a missing one, and the driver they need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bot import chosen_adapters

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize(
    ("written", "names"),
    [
        (None, ("onebot_v11",)),
        ("", ("onebot_v11",)),
        ('["qq"]', ("qq",)),
        ('["onebot_v11", "qq", "milky", "qq"]', ("onebot_v11", "qq", "milky")),
        ('["telegram"]', ("onebot_v11",)),
        ("qq", ("onebot_v11",)),
        ("[1]", ("onebot_v11",)),
    ],
)
def test_which_are_chosen(written: str | None, names: tuple[str, ...]) -> None:
    given = {} if written is None else {chosen_adapters.KEY: written}
    assert chosen_adapters.chosen(given) == names


def test_a_missing_extra_is_one_line_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chosen_adapters, "find_spec", lambda name: None)
    assert chosen_adapters.missing(("onebot_v11", "qq")) == [
        'MISHU__BOT__ADAPTERS 里的 qq 没有装，请运行 pip install "nonebot-plugin-mishu[qq]"'
    ]


@pytest.mark.parametrize(
    ("driver", "names", "needed"),
    [
        (None, ("onebot_v11",), None),
        (None, ("onebot_v11", "qq"), "~fastapi+~httpx+~websockets"),
        ("~fastapi+~websockets", ("milky",), "~fastapi+~websockets+~httpx"),
        ("~fastapi+~aiohttp", ("qq",), None),
    ],
)
def test_the_driver_gets_the_clients_they_need(
    driver: str | None, names: tuple[str, ...], needed: str | None
) -> None:
    given = {} if driver is None else {"DRIVER": driver}
    assert chosen_adapters.driver(given, names) == needed


def test_loading_the_plugin_imports_no_adapter_that_is_not_registered() -> None:
    code = (
        "import sys, nonebot; nonebot.init(); nonebot.load_plugin('nonebot_plugin_mishu');"
        "print(sorted(name for name in sys.modules if name.startswith('nonebot.adapters.')"
        " and name.split('.')[2] in ('qq', 'milky')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        env={"PYTHONPATH": f"{ROOT}:{ROOT / 'plugins'}", "HOME": "/tmp"},
    )
    assert done.stdout.splitlines()[-1] == "[]"
