"""`/metrics`: what it tells, in which names, and to whom; and the Grafana page that shows it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from fastapi import FastAPI
from nonebot_plugin_mishu.app.metrics import Tally
from nonebot_plugin_mishu.storage.records import ModelCall
from nonebot_plugin_mishu.web import Measures
from nonebot_plugin_mishu.web.routes.measures import BOUNDS
from nonebot_plugin_mishu.web.routes.metrics import mount
from nonebot_plugin_mishu.web.routes.metrics_page import render_metrics
from prometheus_client.parser import text_string_to_metric_families
from pydantic import SecretStr

from .conftest import HERE, a_decision

DASHBOARD = Path(__file__).resolve().parents[2] / "deploy" / "grafana.json"

SEEN = Measures(
    messages={"member": 12, "bot": 3},
    decisions={("summon", True): 2, ("chat", False): 5},
    replies=(1, 0, 0, 1, *(0,) * (len(BOUNDS) - 4), 1),
    reply_seconds=101.5,
    calls={("chat_reply", "m", "ok"): 4, ("chat_reply", "m", "timeout"): 1},
    call_seconds={("chat_reply", "m"): 7.5},
    tokens={("chat_reply", "m", "prompt"): 900, ("chat_reply", "m", "completion"): 40},
    reminders_sent={True: 1, False: 6},
    overdue=(2, 33.0),
    queues={"held": 1, "outbox": 0, "database_rows": 7, "database_jobs": 2},
    database_errors={"DatabaseLocked": 3},
    database_up=False,
    accounts=2,
    conversations=9,
)


def read(text: bytes) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text.decode())
        for sample in family.samples
    }


def test_every_number_is_told():
    told = read(render_metrics(SEEN, "1.2.3"))

    def value(name: str, **labels: str) -> float:
        return told[f"mishu_{name}", tuple(sorted(labels.items()))]

    assert value("info", version="1.2.3") == 1
    assert value("messages_total", sender="member") == 12
    assert value("decisions_total", trigger="summon", replied="yes") == 2
    assert value("decisions_total", trigger="chat", replied="no") == 5
    assert value("reply_seconds_bucket", le="0.25") == 1
    assert value("reply_seconds_bucket", le="2.0") == 2
    assert value("reply_seconds_bucket", le="80.0") == 2
    assert value("reply_seconds_bucket", le="+Inf") == value("reply_seconds_count") == 3
    assert value("reply_seconds_sum") == 101.5
    assert value("model_calls_total", call="chat_reply", model="m", outcome="timeout") == 1
    assert value("model_call_seconds_total", call="chat_reply", model="m") == 7.5
    assert value("model_tokens_total", call="chat_reply", model="m", kind="prompt") == 900
    assert value("reminders_sent_total", late="yes") == 1
    assert value("reminders_overdue") == 2
    assert value("reminders_overdue_seconds") == 33
    assert value("queue_length", queue="database_rows") == 7
    assert value("database_errors_total", kind="DatabaseLocked") == 3
    assert value("database_up") == 0
    assert value("accounts_connected") == 2
    assert value("conversations") == 9
    assert value("process_resident_memory_bytes") > 1e6
    assert all(name.startswith("mishu_") for name, _ in told)


def test_what_is_not_known_is_left_out():
    assert b"overdue" not in render_metrics(Measures(), "1")


def test_the_tally_counts_decisions_replies_and_calls():
    tally = Tally()
    silent = a_decision(1)
    tally.decided(silent)
    tally.decided(replace(silent, timings={"held": 0.5, "send": 0.1, "total": 0.5}))
    tally.decided(replace(silent, timings={"send": 1.0, "total": 1000.0}))
    assert tally.decisions == {("summon", False): 1, ("summon", True): 2}
    assert [number for number, count in enumerate(tally.replies) if count] == [BOUNDS.index(1.0), len(BOUNDS)]
    assert tally.reply_seconds == 1001.0
    for outcome in ("ok", "ok", "timeout"):
        tally.called(ModelCall("chat_reply", "m", HERE, 10, 2, 0.5, outcome, 1.0))
    assert tally.calls == {("chat_reply", "m", "ok"): 2, ("chat_reply", "m", "timeout"): 1}
    assert tally.call_seconds == {("chat_reply", "m"): 1.5}
    assert tally.tokens == {("chat_reply", "m", "prompt"): 30, ("chat_reply", "m", "completion"): 6}


class Source:
    """Knows the numbers above."""

    async def measures(self) -> Measures:
        return SEEN


async def ask(
    token: str | None = None, address: str = "127.0.0.1", method: str = "GET", **headers: str
) -> httpx.Response:
    app = FastAPI(openapi_url=None)
    assert mount(app, Source(), "1", token=SecretStr(token) if token else None)
    transport = httpx.ASGITransport(app, client=cast("Any", (address, 50_000)))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8080") as client:
        return await client.request(method, "/metrics", headers=headers)


async def test_this_machine_may_read_it_and_nobody_else_without_a_token():
    answer = await ask()
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=")
    assert b"mishu_messages_total" in answer.content
    assert (await ask(address="192.168.1.9")).status_code == 403
    assert (await ask(**{"X-Forwarded-For": "127.0.0.1"})).status_code == 403


@pytest.mark.parametrize(
    ("headers", "status"),
    [({}, 401), ({"Authorization": "Bearer no"}, 403), ({"Authorization": "Bearer s3cret"}, 200)],
)
async def test_with_a_token_whoever_has_it(headers: dict[str, str], status: int):
    for address in ("127.0.0.1", "192.168.1.9"):
        answer = await ask("s3cret", address, **headers)
        assert answer.status_code == status
        assert (b"mishu_" in answer.content) is (status == 200)


async def test_it_is_only_read():
    assert (await ask(method="POST")).status_code == 405
    assert (await ask(method="HEAD")).status_code == 200


def test_another_server_is_left_alone():
    assert not mount(object(), Source(), "1", token=None)


def test_the_grafana_page_asks_for_nothing_that_is_not_told():
    """And shows everything that is."""
    told = {name for name, _ in read(render_metrics(SEEN, "1"))}
    dashboard = json.loads(DASHBOARD.read_text("utf-8"))
    asked = set[str]()
    for panel in dashboard["panels"]:
        assert panel["title"]
        for target in panel.get("targets", []):
            asked |= set(re.findall(r"mishu_\w+", target["expr"]))
    assert asked <= told, asked - told
    own = {name for name in told if not name.startswith("mishu_process_")}
    assert own - asked <= {"mishu_reply_seconds_sum", "mishu_reply_seconds_count"}, own - asked
    numbers = [panel["id"] for panel in dashboard["panels"]]
    assert len(numbers) == len(set(numbers))
