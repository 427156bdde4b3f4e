"""Slips in a configuration that nobody refuses: what is said of them, and what is left alone."""

from __future__ import annotations

import pytest
from nonebot_plugin_mishu.config import Config, loading
from nonebot_plugin_mishu.config.warnings import exposed, misspelt, nobody

KNOWN = [entry[0] for entry in loading.keys()]  # noqa: SIM118 - a function of ours


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("MISHU_TIMEZONE", "MISHU__TIMEZONE"),
        ("mishu_timezone", "MISHU__TIMEZONE"),
        ("MISHU_LLM_API_KEY", "MISHU__LLM__API_KEY"),
        ("MISHU_LLM__MODEL", "MISHU__LLM__MODEL"),
        ("MISHU__LLM_MODEL", "MISHU__LLM__MODEL"),
        ("MISHU___LLM__MODEL", "MISHU__LLM__MODEL"),
        ("MISHU__LLM__APIKEY", "MISHU__LLM__API_KEY"),
        ("MISHU__LLM__BASEURL", "MISHU__LLM__BASE_URL"),
        ("MISHU__LLM__BASE_ULR", "MISHU__LLM__BASE_URL"),
        ("MISHU__API_KEY", "MISHU__LLM__API_KEY"),
        ("MISHU_TOKEN", "MISHU__WEB__TOKEN"),
        ("MISHU__DATABASE", None),
        ("MISHU__DATABASEURL", "MISHU__DATABASE_URL"),
        ("MISHU__TIME_ZONE", "MISHU__TIMEZONE"),
        ("MISHU__SECRETARY__COOLDOWM", "MISHU__SECRETARY__COOLDOWN"),
        ("MISHU__FRONTDESK__WAKE_WORD", "MISHU__FRONTDESK__WAKE_WORDS"),
        ("MISHU__FRONT_DESK__WAKE_WORDS", "MISHU__FRONTDESK__WAKE_WORDS"),
        ("MISHU__BOT__PLUGIN", "MISHU__BOT__PLUGINS"),
        ("MISHU__WEATHER__CITY", None),
        ("MISHU-TIMEZONE", "MISHU__TIMEZONE"),
        ("MISHU.LLM.MODEL", "MISHU__LLM__MODEL"),
    ],
)
@pytest.mark.parametrize("where", ["file", "environment"])
def test_a_slip_is_one_line_that_says_what_to_write(written: str, meant: str | None, where: str) -> None:
    if where == "environment":
        lines = misspelt({}, {written: "x"})
    else:
        lines = misspelt(as_nonebot_reads(written), {})
    [line] = lines
    assert line.split("，")[0].split()[-1].upper().rstrip("_") == written.upper()
    assert line.count("MISHU") == (1 if meant is None else 2)
    if meant is not None:
        assert f" {meant} " in line


def as_nonebot_reads(key: str) -> dict[str, object]:
    """`.env` as NoneBot hands it over: nested at two underscores, lower case."""
    name, *rest = key.lower().split("__")
    value: object = "x"
    for part in reversed(rest):
        value = {part: value}
    return {name: value}


@pytest.mark.parametrize(
    "key",
    [
        "MISHU_TEST_DATABASE_URL",
        "MISHU_TEST_NO_SKIPS",
        "MISHU_PORT",
        "MISHU_SERVICE_HOST",
        "MISHU_HOME",
        "MISHUX_TIMEZONE",
        "PATH",
        "TIMEZONE",
        "DATABASE_URL",
    ],
)
def test_what_is_not_ours_is_left_alone(key: str) -> None:
    assert misspelt({}, {key: "x"}) == []
    assert misspelt({key.lower(): "x"}, {}) == []


def test_right_keys_and_unset_ones_are_no_slips() -> None:
    assert misspelt({}, dict.fromkeys(KNOWN, "x")) == []
    assert misspelt({}, {"MISHU_TIMEZONE": ""}) == []


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.5", "::1", "localhost"])
def test_an_address_of_this_machine_needs_no_token(host: str) -> None:
    assert exposed(host, onebot=False, web=False) == []


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.4", "172.17.0.2", "nas"])
def test_an_address_for_others_needs_both_tokens(host: str) -> None:
    assert exposed(host, onebot=True, web=True) == []
    [onebot] = exposed(host, onebot=False, web=True)
    [web] = exposed(host, onebot=True, web=False)
    assert f"HOST = {host}" in onebot
    assert "请写 ONEBOT_ACCESS_TOKEN=" in onebot
    assert "请写 MISHU__WEB__TOKEN=" in web
    assert exposed(host, onebot=False, web=False) == [onebot, web]


def test_a_list_that_lets_nobody_in() -> None:
    [line] = nobody(Config.model_validate({"groups": {"mode": "allow"}}))
    assert "MISHU__GROUPS__IDS" in line
    assert nobody(Config.model_validate({"groups": {"mode": "allow", "ids": ["1"]}})) == []
    assert nobody(Config.model_validate({"groups": {"mode": "deny"}})) == []
    assert nobody(Config()) == []
