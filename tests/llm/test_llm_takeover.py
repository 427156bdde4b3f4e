"""A second endpoint takes over while the first is down, and hands back with the first good trial."""

from __future__ import annotations

import pytest
import pytest_asyncio
from helpers_llm import CHECK, GROUP, Bench, MakeBench, kind_of
from model_server import JSON_OBJECT_ONLY, ModelServer, failure, hang, serve, server_error
from nonebot_plugin_mishu.llm import CallLog, ChatMessage
from nonebot_plugin_mishu.llm.limits.breaker import BreakerRules
from nonebot_plugin_mishu.llm.limits.takeover import CAME_BACK, WENT_OVER
from pydantic import SecretStr

BACKUP_KEY = "sk-the-other-secret"
RULES = BreakerRules(failures=2, cool_down=30.0)
spare_server = pytest_asyncio.fixture(serve)


def with_backup(make_bench: MakeBench, spare: ModelServer, **options: object) -> Bench:
    given = {
        "backup_base_url": spare.url,
        "backup_api_key": SecretStr(BACKUP_KEY),
        "backup_model": "spare-model",
        "breaker": RULES,
    }
    return make_bench(**{**given, **options})


@pytest_asyncio.fixture
async def both(make_bench: MakeBench, spare_server: ModelServer) -> Bench:
    """A client with a backup whose first breaker opens at the second outage."""
    return with_backup(make_bench, spare_server)


async def break_first(bench: Bench, server: ModelServer) -> None:
    """The first endpoint goes down and its breaker opens."""
    server.always("check_safety", server_error())
    assert [await kind_of(bench.check(60)) for _ in range(2)] == ["ok", "ok"]


def ends(bench: Bench, last: int) -> list[tuple[str, str]]:
    return [(call.model, call.outcome) for call in bench.calls[-last:]]


async def test_one_outage_and_the_backup_sees_the_call_through(
    both: Bench, model_server: ModelServer, spare_server: ModelServer
) -> None:
    model_server.always("check_safety", server_error())
    assert (await both.check(60)).verdict == "SAFE"
    assert len(model_server.requests) == 1, "whoever called does not wait for the first to come back"
    assert [call.outcome for call in both.calls] == ["unreachable", "ok"]
    assert len(spare_server.requests) == 1


@pytest.mark.parametrize(
    ("status", "body"),
    [(401, "invalid api key"), (402, "no money"), (404, "model_not_found"), (429, "slow down"), (503, "")],
)
async def test_what_another_endpoint_may_answer_is_asked_there(
    both: Bench, model_server: ModelServer, spare_server: ModelServer, status: int, body: str
) -> None:
    model_server.always("check_safety", failure(status, body))
    assert (await both.check(60)).verdict == "SAFE"
    assert len(spare_server.requests) == 1


async def test_what_is_refused_for_what_was_asked_is_refused(
    both: Bench, model_server: ModelServer, spare_server: ModelServer
) -> None:
    model_server.always("check_safety", failure(400, "content_filter"))
    assert await kind_of(both.check(60)) == "refused"
    assert spare_server.requests == []


async def test_the_call_that_opens_the_breaker_is_seen_through_by_the_backup(
    both: Bench, model_server: ModelServer, spare_server: ModelServer
) -> None:
    model_server.always("check_safety", server_error())
    await kind_of(both.check(60))
    log = CallLog()
    assert (await both.check(60, log=log)).verdict == "SAFE"
    assert [(call.model, call.outcome) for call in log.calls] == [
        ("test-model", "unreachable"),
        ("spare-model", "ok"),
    ]
    asked = spare_server.last("check_safety")
    assert asked.body["model"] == "spare-model"
    assert asked.headers["authorization"] == f"Bearer {BACKUP_KEY}"


async def test_while_it_is_open_only_the_backup_is_asked(both: Bench, model_server: ModelServer) -> None:
    await break_first(both, model_server)
    before = len(model_server.requests)
    for _ in range(3):
        await both.check()
    assert len(model_server.requests) == before
    assert ends(both, 3) == [("spare-model", "ok")] * 3
    assert both.client.status() == "ok", "somebody answers"


async def test_the_first_good_trial_goes_back(both: Bench, model_server: ModelServer) -> None:
    await break_first(both, model_server)
    model_server.always("check_safety", CHECK)
    both.time.now += 31
    await both.check()
    await both.check()
    assert ends(both, 2) == [("test-model", "ok")] * 2
    told = [line for line in both.warnings if line in (WENT_OVER, CAME_BACK)]
    assert told == [WENT_OVER, CAME_BACK]


async def test_a_failed_trial_costs_no_answer(both: Bench, model_server: ModelServer) -> None:
    await break_first(both, model_server)
    both.time.now += 31
    assert (await both.check(60)).verdict == "SAFE"
    assert ends(both, 2) == [("test-model", "unreachable"), ("spare-model", "ok")]


async def test_a_trial_that_hangs_leaves_time_for_the_backup(
    make_bench: MakeBench, model_server: ModelServer, spare_server: ModelServer
) -> None:
    rules = BreakerRules(failures=1, cool_down=0.01, fair_wait=0.05)
    bench = with_backup(make_bench, spare_server, real_time=True, breaker=rules)
    model_server.always("check_safety", hang())
    assert await kind_of(bench.check(0.3)) == "timeout", "nothing was left of this call"
    assert (await bench.check(4)).verdict == "SAFE"
    assert ends(bench, 2) == [("test-model", "timeout"), ("spare-model", "ok")]


async def test_an_account_without_money_goes_over_at_once(both: Bench, model_server: ModelServer) -> None:
    model_server.always("check_safety", failure(402, "Insufficient Balance"))
    assert (await both.check()).verdict == "SAFE"
    assert ends(both, 2) == [("test-model", "refused"), ("spare-model", "ok")]


@pytest.mark.parametrize("told", ["maximum context length is 65536 tokens", "content_filter"])
async def test_a_refusal_for_the_callers_own_sake_stays_one(
    told: str, both: Bench, model_server: ModelServer, spare_server: ModelServer
) -> None:
    model_server.always("check_safety", failure(400, told))
    assert [await kind_of(both.check()) for _ in range(3)] == ["refused"] * 3
    assert spare_server.requests == []


async def test_the_backup_has_a_ladder_of_its_own(
    both: Bench, model_server: ModelServer, spare_server: ModelServer
) -> None:
    spare_server.refuses = JSON_OBJECT_ONLY
    await break_first(both, model_server)
    assert spare_server.last("check_safety").rung == "json_object"
    model_server.always("check_safety", CHECK)
    both.time.now += 31
    await both.check()
    assert model_server.last("check_safety").rung == "json_schema"


async def test_both_down_is_an_error_like_any_other(
    both: Bench, model_server: ModelServer, spare_server: ModelServer
) -> None:
    await break_first(both, model_server)
    spare_server.always("check_safety", server_error())
    kinds = [await kind_of(both.check(60)) for _ in range(3)]
    assert kinds == ["unreachable", "unreachable", "breaker_open"]
    assert both.client.status() == "failing"


async def test_budgets_hold_for_both_together(
    make_bench: MakeBench, model_server: ModelServer, spare_server: ModelServer
) -> None:
    bench = with_backup(make_bench, spare_server, daily_tokens=1000, group_daily_tokens=500)
    await break_first(bench, model_server)
    bench.spent = {None: 900, GROUP: 500}
    assert await kind_of(bench.check(conversation=GROUP)) == "budget"
    assert await kind_of(bench.check()) == "ok"
    bench.spent = {None: 1000}
    assert await kind_of(bench.check()) == "budget"


async def test_words_go_over_and_pictures_do_not(
    make_bench: MakeBench, model_server: ModelServer, spare_server: ModelServer
) -> None:
    bench = with_backup(make_bench, spare_server, vision_model="test-model")
    await break_first(bench, model_server)
    spare_server.always("chat_reply", "在呢")
    said = [ChatMessage("user", "在吗")]
    assert await bench.client.text("chat_reply", said, deadline=bench.deadline()) == "在呢"
    assert await kind_of(bench.client.caption(b"\x89PNG", deadline=bench.deadline())) == "breaker_open"
    assert "caption_image" not in spare_server.names


async def test_no_key_and_no_word_of_either_endpoint_is_told(
    both: Bench, model_server: ModelServer, spare_server: ModelServer
) -> None:
    await break_first(both, model_server)
    spare_server.always("check_safety", failure(500, f"boom {BACKUP_KEY}"))
    assert await kind_of(both.check(60)) == "unreachable"
    assert all(BACKUP_KEY not in line and "boom" not in line for line in both.warnings)
