"""Chat, keys and provider texts never reach the log: every line that formats an error is looked at, and every
kind of error that holds its input is raised with a mark in it."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import nonebot_plugin_mishu
import pytest
from core.core_support import Agent, Bench, Remembering
from nonebot import logger
from nonebot_plugin_mishu.agents.api.judgement import Judgement
from nonebot_plugin_mishu.agents.chat import ChatAgent
from nonebot_plugin_mishu.core.decision.model.reading import ParsedIntents
from nonebot_plugin_mishu.error_log import log_error
from nonebot_plugin_mishu.llm import ModelError
from nonebot_plugin_mishu.storage.engine.errors import translate
from sqlalchemy.exc import IntegrityError, OperationalError, StatementError
from stand_ins import FakeModel
from virtual_time import virtual

PLUGIN = Path(nonebot_plugin_mishu.__file__).parent
MARK = "小明的私房话MARK"
LOGS = {"log_error", "inform", "warn", "_warn", "report", "_report", "on_trouble", "_on_trouble"}
LEVELS = {"debug", "info", "success", "warning", "error", "critical", "exception", "log", "opt", "trace"}
SAYS_ITS_OWN = {"StorageError", "SendFailed"}
"""Errors whose text is a sentence of ours by construction."""
READ_AT_START = {"language/safety/loader.py"}
"""Tables of ours, whose faults are told to who edits them."""
REFUSALS = {"CallRefused", "CannotUndo", "CommitRefused", "Refused"}
"""The same, made to be said to the member whose work is refused."""


@cache
def plugin_sources() -> list[tuple[str, ast.Module]]:
    paths = sorted(PLUGIN.rglob("*.py"))
    return [(str(path.relative_to(PLUGIN)), ast.parse(path.read_text("utf-8"))) for path in paths]


def logs(call: ast.Call) -> bool:
    """A call that writes a line of the log."""
    match call.func:
        case ast.Name(id=name):
            return name in LOGS
        case ast.Attribute(value=ast.Name(id="logger" | "logging"), attr=name):
            return name in LEVELS
        case ast.Attribute(attr=name):
            return name in LOGS
    return False


def formatted(node: ast.AST) -> Iterator[str]:
    """Names whose text goes into a string below a node: `{name}`, `str(name)`, `repr(name)`."""
    for inner in ast.walk(node):
        match inner:
            case ast.FormattedValue(value=ast.Name(id=name)):
                yield name
            case ast.Call(func=ast.Name(id="str" | "repr" | "format"), args=[ast.Name(id=name), *_]):
                yield name


def caught(tree: ast.Module) -> Iterator[tuple[str, set[str], ast.ExceptHandler]]:
    """Errors that are caught under a name, with their types."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler) and node.name is not None and node.type is not None:
            types = {each.id for each in ast.walk(node.type) if isinstance(each, ast.Name)}
            yield node.name, types, node


def spoken_errors(name: str, tree: ast.Module) -> Iterator[str]:
    for bound, types, handler in caught(tree):
        for call in (each for each in ast.walk(handler) if isinstance(each, ast.Call) and logs(each)):
            if bound in set(formatted(call)) and not types <= SAYS_ITS_OWN:
                yield f"{name}:{call.lineno} puts an error of {sorted(types)} into the log"


def test_no_line_of_the_log_holds_the_text_of_a_foreign_error() -> None:
    found = [one for name, tree in plugin_sources() for one in spoken_errors(name, tree)]
    assert found == []


def test_no_traceback_is_written() -> None:
    found: list[str] = []
    for name, tree in plugin_sources():
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(id="logger"), attr="exception" | "opt")):
                    found.append(f"{name}:{node.lineno}")
                case ast.Attribute(value=ast.Name(id="traceback"), attr=attr) if attr != "extract_tb":
                    found.append(f"{name}:{node.lineno}")
                case ast.keyword(arg="exc_info" | "stack_info"):
                    found.append(f"{name}: {node.arg}")
                case ast.Call(func=ast.Name(id="print")):
                    found.append(f"{name}:{node.lineno} prints")
    assert found == []


@pytest.mark.parametrize("name", ["agents", "core", "llm", "frontdesk", "memory", "secretary", "record"])
def test_no_error_of_others_is_said_to_people(name: str) -> None:
    """`str(error)` in a sentence only of our own errors, whose text is a sentence."""
    found: list[str] = []
    for place, tree in plugin_sources():
        if not place.startswith(f"{name}/"):
            continue
        for bound, types, handler in caught(tree):
            if not types <= SAYS_ITS_OWN | REFUSALS and bound in {
                text for node in handler.body for text in formatted(node)
            }:
                found.append(f"{place}:{handler.lineno} {sorted(types)}")
    assert found == []


def test_a_fault_put_back_is_found() -> None:
    source = "try:\n    work()\nexcept ValueError as error:\n    warn(f'failed: {error}')\n"
    assert list(spoken_errors("x.py", ast.parse(source)))
    fine = "try:\n    work()\nexcept StorageError as error:\n    warn(f'failed: {error}')\n"
    assert not list(spoken_errors("x.py", ast.parse(fine)))


@contextlib.contextmanager
def log_lines() -> Iterator[list[str]]:
    """Everything that the log takes from INFO on, with tracebacks as they would be written."""
    lines: list[str] = []
    sink = logger.add(lambda line: lines.append(str(line)), level="INFO", backtrace=True, diagnose=True)
    try:
        yield lines
    finally:
        logger.remove(sink)


def _parse() -> None:
    json.loads(f'{{"{MARK}": ')


def _chained() -> None:
    try:
        _parse()
    except ValueError as error:
        raise RuntimeError(MARK) from error


def _raise(error: BaseException) -> Callable[[], Any]:
    def work() -> None:
        raise error

    return work


RAISES: dict[str, Callable[[], Any]] = {
    "a validation of an answer": lambda: ParsedIntents.model_validate({"frames": MARK}),
    "a validation of a judgement": lambda: Judgement.model_validate({"should_reply": MARK, "topic": [MARK]}),
    "a document of JSON": _parse,
    "a chain": _chained,
    "a key": lambda: {}[MARK],
    "an attribute": lambda: getattr(object(), MARK),
    "a number": lambda: int(MARK),
    "bytes": lambda: MARK.encode()[1:].decode(),
    "a file": lambda: open(f"/nowhere/{MARK}"),  # noqa: SIM115
    "a group": _raise(ExceptionGroup(MARK, [ValueError(MARK)])),
    "a note": _raise(ValueError(MARK)),
    "time": _raise(TimeoutError(MARK)),
    "a model": _raise(ModelError("invalid", "chat_reply")),
    "a statement": _raise(translate(StatementError(MARK, "INSERT", {"text": MARK}, ValueError(MARK)))),
    "a row": _raise(translate(IntegrityError("INSERT", {"text": MARK}, sqlite3.IntegrityError(MARK)))),
    "a database": _raise(translate(OperationalError("SELECT", {"t": MARK}, sqlite3.OperationalError(MARK)))),
}


def error_of(name: str) -> BaseException:
    try:
        RAISES[name]()
    except BaseException as error:  # noqa: BLE001 - all kinds are wanted
        return error
    raise AssertionError(name)


@pytest.mark.parametrize("name", RAISES)
def test_trouble_is_told_without_its_words(name: str) -> None:
    with log_lines() as lines:
        log_error("处理消息时出错", error_of(name))
    [line] = lines
    assert "处理消息时出错" in line
    assert MARK not in line
    assert "MARK" not in line
    assert "Traceback" not in line


@pytest.mark.parametrize("name", RAISES)
@virtual
async def test_an_agent_that_fails_over_what_was_said(name: str) -> None:
    """The member's line is in the error; the group hears a sentence of ours, the log a kind and a place."""
    failing = Agent("notes", "便签", lambda dispatch, context: RAISES[name]())
    with log_lines() as lines:
        bench = Bench(failing, report=log_error)
        outcome = await bench.say("1", f"便签 {MARK[:3]}")
    assert MARK not in "".join(lines)
    assert MARK not in str(outcome.text)
    assert "Error" not in str(outcome.text)


class _Forgetful(Remembering):
    """A memory whose every question fails with what was asked in the error."""

    async def remembered(self, *_: Any) -> Any:
        raise translate(StatementError(MARK, "SELECT", {"text": MARK}, ValueError(MARK)))

    async def said(self, *_: Any) -> None:
        raise translate(StatementError(MARK, "SELECT", {"text": MARK}, ValueError(MARK)))


@virtual
async def test_a_memory_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.core_support.Remembering", _Forgetful)
    with log_lines() as lines:
        bench = Bench(Agent("notes", "便签"), report=log_error)
        outcome = await bench.say("1", f"便签 {MARK}")
        await asyncio.sleep(1)
    assert outcome.text
    assert MARK not in "".join(lines)


@pytest.mark.parametrize(
    "reply", [f'{{"reply": 1, "topic": "{MARK}"}}', f'{{"reply": "{MARK}', f"<html>{MARK}"]
)
@virtual
async def test_a_reply_of_a_model_that_cannot_be_read(reply: str) -> None:
    model = FakeModel()
    model.reply = reply
    with log_lines() as lines:
        chat = Agent("chat", "$^")
        chat.spec = ChatAgent(model, "小秘").spec()  # type: ignore[arg-type]
        bench = Bench(chat, model=model, report=log_error)
        outcome = await bench.say("1", "讲讲相对论")
    assert MARK not in "".join(lines)
    assert MARK not in str(outcome.text)
