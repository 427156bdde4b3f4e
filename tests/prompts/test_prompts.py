"""Prompts as documents: read as they stand, and the same at the beginning of every call of a name."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path
from typing import Any, cast

import nonebot_plugin_mishu
import pytest
import pytest_asyncio
from model_server import JSON_OBJECT_ONLY, ModelServer, serve
from nonebot_plugin_mishu.config import Config, Llm
from nonebot_plugin_mishu.core.decision.model.reading import HEAD as DECISION
from nonebot_plugin_mishu.llm.answers.schema import schema_of
from nonebot_plugin_mishu.llm.limits.tokens import estimate_tokens
from nonebot_plugin_mishu.prompts import FOLDER, names, parts, prompt
from pydantic import SecretStr

from bot.evaluate import Dialogue
from bot.evaluate.play import evaluate
from bot.prompt_page import calls

PLUGIN = Path(nonebot_plugin_mishu.__file__).parent
model_server = pytest_asyncio.fixture(serve)


@pytest.mark.parametrize("name", names())
def test_a_document_is_plain_text(name: str) -> None:
    written = (FOLDER / f"{name}.md").read_text("utf-8")
    assert written.endswith("\n")
    assert "\r" not in written
    assert "\t" not in written
    assert all(text and text == text.strip("\n") for text in parts(name).values())


def test_a_document_of_parts_has_them_by_their_headings() -> None:
    chat = parts("chat_reply")
    assert list(chat)[:2] == ["rules", "abilities"], "what never changes stands first"
    assert {"forced", "core", "questioned", "interesting", "fishing", "overheard"} <= set(chat)
    with pytest.raises(ValueError, match="too many"):
        prompt("chat_reply")


def test_a_call_without_a_document_is_told() -> None:
    with pytest.raises(FileNotFoundError):
        prompt("no_such_call")


def test_every_document_is_sent_by_somebody() -> None:
    told = {node.value for node in _strings() if node.value in names()}
    assert told == set(names())


def _strings() -> list[ast.Constant]:
    sources = [path for path in PLUGIN.rglob("*.py") if path.parent != FOLDER]
    texts = [path.read_text("utf-8") for path in sources]
    trees = [ast.parse(text) for text in texts if any(name in text for name in names())]
    return [
        node
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]


def test_no_call_is_told_more_than_it_needs() -> None:
    """A bound that a longer prompt has to argue with: the fixed part of all calls together."""
    tokens = {one.name: estimate_tokens(one.fixed) for one in calls()}
    assert max(tokens.values()) <= 740
    assert sum(tokens.values()) <= 3900


def _descriptions(node: Any) -> list[str]:
    if isinstance(node, list):
        return [found for each in cast("list[Any]", node) for found in _descriptions(each)]
    if not isinstance(node, dict):
        return []
    fields = cast("dict[str, Any]", node)
    own = [fields["description"]] if isinstance(fields.get("description"), str) else []
    return [*own, *(found for each in fields.values() for found in _descriptions(each))]


def test_what_a_schema_tells_a_model_is_chinese() -> None:
    """Docstrings are for who reads the code."""
    told = [each for one in calls() if one.answer for each in _descriptions(schema_of(one.answer).schema)]
    assert told
    assert [each for each in told if not any("\u4e00" <= letter <= "\u9fff" for letter in each)] == []


TALK: list[dict[str, Any]] = [
    {"who": "小周", "say": "@秘书 在吗 今天好累"},
    {"who": "阿琳", "say": "@秘书 你觉得周六去看电影好还是在家躺着好", "after": 20},
    {"who": "小周", "say": "@秘书 跟大家告别一下 下学期换学校", "after": 20},
    {"who": "阿琳", "say": "@秘书 再见啦 下学期我也走了", "after": 20},
    {"who": "小周", "say": "@秘书 最近真的好绝望啊 你说呢", "after": 20},
    {"who": "大熊", "say": "@秘书 你帮我跟老王说一声 我今天晚点到", "after": 20},
    {"who": "大熊", "say": "@秘书 记账 咖啡15 地铁4 外卖32", "after": 20},
    {"who": "大熊", "say": "地铁应该是挺贵的那种，改成七块的那个", "after": 5},
    {"who": "大熊", "say": "还有咖啡也不是这个数，多了一块", "after": 5},
]
FIXED = {
    "check_safety": prompt("check_safety"),
    "analyze_conversation": prompt("analyze_conversation"),
    "parse_intents": DECISION,
    "chat_reply": "\n\n".join(parts("chat_reply")[part] for part in ("rules", "abilities")),
    "correct_transaction": prompt("correct_transaction"),
}


def _shared(texts: list[str]) -> str:
    """How far they are the same from the beginning."""
    first, last = min(texts), max(texts)
    return first[: next((at for at, sign in enumerate(first) if last[at : at + 1] != sign), len(first))]


@pytest.mark.parametrize("refuses", [frozenset[str](), JSON_OBJECT_ONLY], ids=["schema", "json_object"])
async def test_two_calls_of_a_name_begin_alike(refuses: frozenset[str], model_server: ModelServer) -> None:
    """Said by different people at different times: the fixed text, and the schema where it stands in the
    message, come before everything that differs."""
    model_server.refuses = refuses
    config = Config(llm=Llm(base_url=model_server.url, api_key=SecretStr("k"), model="m"))
    dialogue = Dialogue.model_validate({"name": "x", "now": "2026-03-12T20:00:00", "talk": TALK})
    played = await evaluate(dialogue, config)
    assert played.differences == []
    told: dict[str, list[str]] = defaultdict(list)
    for request in model_server.requests:
        if request.rung not in refuses:
            told[request.name].append(request.body["messages"][0]["content"])
    twice = {name for name, systems in told.items() if len(systems) >= 2}
    assert {"check_safety", "chat_reply", "correct_transaction"} <= twice
    for name in twice & FIXED.keys():
        fixed = FIXED[name]
        alike = _shared(told[name])
        assert alike.startswith(fixed), name
        if refuses and name != "chat_reply":
            assert '"properties"' in alike, f"{name}: the schema stands behind what changes"
