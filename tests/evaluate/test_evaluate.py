"""The command against a scripted endpoint: what is right, what it cost, and how it ends."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from model_server import ModelServer, Request, serve

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LONGEST = 60.0
LIE = "好嘞，已经帮你转告老王了。"
TRUE = "这个得你自己跟他说一声哦。"
QUIET = {"should_reply": False, "is_questioned": False, "is_interesting": False, "reply_strategy": ""}
SPEAK = {**QUIET, "should_reply": True, "reply_strategy": "应一声"}

model_server = pytest_asyncio.fixture(serve)


@dataclass(frozen=True)
class Ended:
    """How a run of the command ended."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> dict[str, Any]:
        return json.loads(self.out)


async def evaluate(*arguments: str | Path, home: Path, **keys: str) -> Ended:
    """`python -m bot evaluate` as a process with these keys and no others."""
    environment = {
        **{name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ},
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "plugins"))),
        **{f"MISHU__{name}": value for name, value in keys.items()},
    }
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "evaluate", *map(str, arguments)),
        cwd=home,
        env=environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(LONGEST):
        out, err = await process.communicate()
    assert process.returncode is not None
    return Ended(process.returncode, out.decode(), err.decode())


def keys_of(server: ModelServer) -> dict[str, str]:
    return {"LLM__BASE_URL": server.url, "LLM__API_KEY": "sk-test", "LLM__MODEL": "m"}


def answers(server: ModelServer) -> None:
    """A model that lies once, and keeps out of others' talk."""

    def judged(request: Request) -> Any:
        return SPEAK if request.data["trigger"] == "summon" else QUIET

    def said(request: Request) -> Any:
        if "老王" not in request.user_text:
            return TRUE if "系统提示" in request.user_text else "在呢，歇会儿吧"
        return LIE

    server.always("analyze_conversation", judged)
    server.always("chat_reply", said)


@pytest.mark.exhaustive
async def test_a_recorded_run(model_server: ModelServer, tmp_path: Path) -> None:
    answers(model_server)
    prices = '{"M": [10, 1, 20]}'
    ended = await evaluate(
        HERE / "data" / "recorded.yaml", "--json", home=tmp_path, LLM__PRICES=prices, **keys_of(model_server)
    )
    assert ended.code == 0, ended.out + ended.err
    by_rules, liar, talk = ended.data["samples"]
    assert [one["right"] for one in (by_rules, liar, talk)] == [True, True, True]
    assert (liar["claims"], liar["caught"]) == (0, 1), "the lie was heard, and not sent"
    assert talk["calls"] >= 2
    whole = ended.data["sum"]
    assert (whole["right"], whole["of"], whole["failed_calls"]) == (3, 3, 0)
    assert whole["calls"] >= len(model_server.requests) >= 4, "one may be canceled before it is sent"
    assert whole["yuan"] > 0
    assert whole["p95"] >= whole["p50"] > 0
    assert [name for _, _, files in os.walk(tmp_path) for name in files if "db" in name] == []


@pytest.mark.exhaustive
async def test_what_is_not_right_is_shown_and_ends_with_one(
    model_server: ModelServer, tmp_path: Path
) -> None:
    ended = await evaluate(HERE / "data" / "wrong.yaml", home=tmp_path, **keys_of(model_server))
    assert ended.code == 1, ended.out + ended.err
    assert "没有这笔" in ended.out
    assert "不对" in ended.out
    assert "最后的 transactions：应是 [{'amount': '15.00'}]，却是 []" in ended.out
    assert "0/1" in ended.out


@pytest.mark.exhaustive
async def test_without_a_model_there_is_nothing_to_evaluate(tmp_path: Path) -> None:
    ended = await evaluate(HERE / "data" / "wrong.yaml", home=tmp_path)
    assert (ended.code, ended.out) == (2, "")
    assert "MISHU__LLM__API_KEY" in ended.err


async def test_a_file_that_is_none_is_told(tmp_path: Path) -> None:
    ended = await evaluate(tmp_path / "none.yaml", home=tmp_path)
    assert (ended.code, ended.out) == (2, "")
    assert "没有这个文件" in ended.err
