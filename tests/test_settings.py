"""The configuration: every key with its default, how values are read, and what is said of wrong ones.

The table repeats the contract on purpose: a default changes in two places or not at all.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as settings_of_examples
from hypothesis import strategies as st
from nonebot_plugin_mishu.config import Config, loading
from nonebot_plugin_mishu.config.loading import ConfigurationError
from pydantic import BaseModel, SecretStr

PLUGIN = Path(__file__).resolve().parent.parent / "plugins" / "nonebot_plugin_mishu"

DEFAULTS: dict[str, Any] = {
    "TIMEZONE": "Asia/Shanghai",
    "DATABASE_URL": None,
    "GROUPS__MODE": "all",
    "GROUPS__IDS": [],
    "FRONTDESK__LEDGER_SIZE": 1000,
    "FRONTDESK__WAKE_WORDS": [],
    "FRONTDESK__SILENCE_WORDS": ["闭嘴"],
    "FRONTDESK__SPEAK_WORDS": ["张嘴"],
    "FRONTDESK__SILENCE_SECONDS": 600,
    "FRONTDESK__SILENCE_BY": "everyone",
    "FRONTDESK__HOLD_TIMEOUT": 300,
    "FRONTDESK__LEDGER_DAYS": 30,
    "FRONTDESK__PRIORITY": 1_000_000,
    "SECRETARY__CHAT": True,
    "SECRETARY__COOLDOWN": 7,
    "SECRETARY__OBSERVING_TIMEOUT": 600,
    "SECRETARY__FAMILIAR_TIMEOUT": 600,
    "SECRETARY__FAMILIAR_COOLDOWN": 1800,
    "SECRETARY__UNASKED_GAP": 600,
    "SECRETARY__ECHO_COUNT": 3,
    "SECRETARY__ECHO_WINDOW": 30,
    "SECRETARY__DENSE_COUNT": 30,
    "SECRETARY__DENSE_PEOPLE": 5,
    "SECRETARY__DENSE_WINDOW": 600,
    "SECRETARY__PATIENCE": [(15, "让我想想…")],
    "SECRETARY__LOCK_TIMEOUT": 240,
    "LLM__BASE_URL": None,
    "LLM__API_KEY": None,
    "LLM__MODEL": None,
    "LLM__SECRETARY_MODEL": None,
    "LLM__VISION_MODEL": None,
    "LLM__EMBEDDING_MODEL": None,
    "LLM__TRANSCRIBE_MODEL": None,
    "LLM__SPEECH_MODEL": None,
    "LLM__TIMEOUT": 60,
    "LLM__DECIDE_TIMEOUT": 10,
    "LLM__CONCURRENCY": 8,
    "LLM__DAILY_TOKENS": 0,
    "LLM__GROUP_DAILY_TOKENS": 1_000_000,
    "LLM__MEMBER_DAILY_TOKENS": 100_000,
    "LLM__BACKUP_BASE_URL": None,
    "LLM__BACKUP_API_KEY": None,
    "LLM__BACKUP_MODEL": None,
    "LLM__PRICES": {},
    "QQ__SEND_GAP": 1,
    "QQ__FOLD_LENGTH": 500,
    "SCHEDULE__LISTEN": "present",
    "SCHEDULE__CONFIRM_TIMEOUT": 300,
    "SCHEDULE__REMIND_BEFORE": 10,
    "TASKS__MAX_ROUNDS": 10,
    "MEMORY__TOKENS": 6000,
    "MEMORY__ROUNDS": 10,
    "BOOKKEEPING__CORRECTION_TIMEOUT": 3,
    "BOOKKEEPING__CONFIDENCE": 0.7,
    "BOOKKEEPING__MAX_ITEMS": 10,
    "BOOKKEEPING__SESSION_TIMEOUT": 300,
    "BOOKKEEPING__RATES": {},
    "RECORD__DAILY_TOKENS": 0,
    "CORE__AWAIT_TIMEOUT": 600,
    "BOT__ADAPTERS": ["onebot_v11"],
    "BOT__PLUGINS": [],
    "BACKUP__DAILY": None,
    "BACKUP__KEEP": 7,
    "BACKUP__DIR": None,
    "WEB__PUBLIC_URL": None,
    "WEB__TRUSTED_PROXIES": [],
    "WEB__TOKEN": None,
    "WEB__ORIGINS": [],
    "SCALE__LEASE": 15,
    "SCALE__POOL": 5,
}

SECONDS = [
    *(f"FRONTDESK__{name}" for name in ("SILENCE_SECONDS", "HOLD_TIMEOUT")),
    *(f"SECRETARY__{name}" for name in ("COOLDOWN", "OBSERVING_TIMEOUT", "FAMILIAR_TIMEOUT")),
    *(f"SECRETARY__{name}" for name in ("FAMILIAR_COOLDOWN", "ECHO_WINDOW", "DENSE_WINDOW", "LOCK_TIMEOUT")),
    *("LLM__TIMEOUT", "LLM__DECIDE_TIMEOUT", "QQ__SEND_GAP", "SCHEDULE__CONFIRM_TIMEOUT"),
    *("BOOKKEEPING__CORRECTION_TIMEOUT", "BOOKKEEPING__SESSION_TIMEOUT", "CORE__AWAIT_TIMEOUT"),
]

WRONG: list[tuple[str, str, str]] = [
    ("TIMEZONE", "Mars/Olympus", "IANA"),
    ("TIMEZONE", "../../etc/passwd", "IANA"),
    ("DATABASE_URL", "mysql://h/d", "postgresql+asyncpg://"),
    ("DATABASE_URL", "sqlite:///x.db", "sqlite+aiosqlite:///"),
    ("GROUPS__MODE", "some", "allow"),
    ("GROUPS__IDS", "12345", "JSON"),
    ("GROUPS__IDS", "[1,", "JSON"),
    ("FRONTDESK__LEDGER_SIZE", "0", "10 到"),
    ("FRONTDESK__LEDGER_SIZE", "12.5", "整数"),
    ("FRONTDESK__WAKE_WORDS", '["秘书", ""]', "非空"),
    ("FRONTDESK__SILENCE_WORDS", "闭嘴", "JSON"),
    ("FRONTDESK__SPEAK_WORDS", '{"a": 1}', "JSON"),
    ("FRONTDESK__SILENCE_SECONDS", "0", "大于 0"),
    ("FRONTDESK__SILENCE_BY", "nobody", "admins"),
    ("FRONTDESK__LEDGER_DAYS", "-1", "1 到"),
    ("FRONTDESK__PRIORITY", "low", "整数"),
    ("SECRETARY__COOLDOWN", "-0.1", "0 到"),
    ("SECRETARY__COOLDOWN", "soon", "秒"),
    ("SECRETARY__COOLDOWN", "nan", "秒"),
    ("SECRETARY__COOLDOWN", "inf", "秒"),
    ("SECRETARY__ECHO_COUNT", "1", "2 到"),
    ("SECRETARY__PATIENCE", '[[0, "嗯"]]', "大于 0"),
    ("SECRETARY__PATIENCE", "[[15]]", "秒"),
    ("SECRETARY__PATIENCE", "15", "秒"),
    ("LLM__BASE_URL", "ftp://x", "http"),
    ("LLM__CONCURRENCY", "0", "1 到"),
    ("LLM__DAILY_TOKENS", "-5", "0 到"),
    ("QQ__FOLD_LENGTH", "0", "1 到"),
    ("SCHEDULE__LISTEN", "maybe", "always"),
    ("BOOKKEEPING__CONFIDENCE", "1.1", "0 到 1"),
    ("BOT__PLUGINS", "clinic", "JSON"),
    ("BACKUP__DAILY", "24:00", "HH:MM"),
    ("BACKUP__DAILY", "4:30", "HH:MM"),
    ("BACKUP__KEEP", "0", "1 到"),
]


def read(**values: Any) -> Config:
    """Read `MISHU__…` from the environment alone."""
    return loading.read({}, {f"MISHU__{key}": value for key, value in values.items()})


def from_file(**values: Any) -> Config:
    """Read keys as NoneBot hands on its `.env`: nested, small letters, JSON decoded."""
    return loading.read({"mishu": nested(values)}, {})


def nested(values: dict[str, Any]) -> dict[str, Any]:
    """`A__B` as `{"a": {"b": …}}`."""
    found: dict[str, Any] = {}
    for key, value in values.items():
        *parents, last = key.lower().split("__")
        place = found
        for name in parents:
            place = place.setdefault(name, {})
        place[last] = value
    return found


def value_of(config: Config, key: str) -> Any:
    """The value a key configures."""
    value: Any = config
    for name in key.lower().split("__"):
        value = getattr(value, name)
    return value


def test_every_key_has_the_default_of_the_contract() -> None:
    config = loading.read({}, {})
    assert {key: value_of(config, key) for key in DEFAULTS} == DEFAULTS


def test_there_are_no_other_keys() -> None:
    names = [name for name, _ in loading.keys()]  # noqa: SIM118 - a function
    assert names == [f"MISHU__{key}" for key in DEFAULTS]


def test_every_key_says_what_it_is_and_what_it_allows() -> None:
    for name, field in loading.keys():  # noqa: SIM118 - a function
        extra = field.json_schema_extra
        assert field.description, name
        assert isinstance(extra, dict), name
        assert extra["allowed"], name


@pytest.mark.parametrize("key", DEFAULTS)
def test_an_empty_value_means_unset(key: str) -> None:
    for empty in ("", "   "):
        assert value_of(read(**{key: empty}), key) == DEFAULTS[key]
        assert value_of(from_file(**{key: empty}), key) == DEFAULTS[key]


@pytest.mark.parametrize("key", SECONDS)
def test_seconds_take_fractions(key: str) -> None:
    short = {
        "LLM__TIMEOUT": "0.2",
        "LLM__DECIDE_TIMEOUT": "0.1",
        "SECRETARY__LOCK_TIMEOUT": "0.4",
        "FRONTDESK__HOLD_TIMEOUT": "0.5",
    }
    assert value_of(read(**{**short, key: short.get(key, "0.25")}), key) == float(short.get(key, "0.25"))


@pytest.mark.parametrize(("key", "value", "words"), WRONG)
def test_a_wrong_value_is_one_line_with_key_value_and_what_is_allowed(
    key: str, value: str, words: str
) -> None:
    try:
        decoded = json.loads(value)
    except ValueError:
        decoded = value
    for reading in (lambda: read(**{key: value}), lambda: from_file(**{key: decoded})):
        with pytest.raises(ConfigurationError) as caught:
            reading()
        assert len(caught.value.lines) == 1, caught.value.lines
        line = caught.value.lines[0]
        assert line.startswith(f"配置错误：MISHU__{key} = ")
        assert "\n" not in line
        _, _, rest = line.partition(" = ")
        shown, _, allowed = rest.partition("，应为：")
        assert words in allowed
        plain = shown.replace('\\"', '"').strip('"').replace(" ", "")
        assert plain == value.replace(" ", "")


def test_every_wrong_key_gets_its_own_line() -> None:
    with pytest.raises(ConfigurationError) as caught:
        read(TIMEZONE="x", QQ__SEND_GAP="x", SECRETARY__PATIENCE='[[-1, ""], [-2, ""]]')
    found = {line.split(" = ")[0].removeprefix("配置错误：MISHU__") for line in caught.value.lines}
    assert found == {"TIMEZONE", "QQ__SEND_GAP", "SECRETARY__PATIENCE"}
    assert len(caught.value.lines) == 3


@pytest.mark.parametrize("key", ["LLM__API_KEY", "WEB__TOKEN"])
@pytest.mark.parametrize("value", ["[1, 2]", '{"a": "sk-secret-1"}'])
def test_a_secret_is_not_shown(key: str, value: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        from_file(**{key: json.loads(value)})
    assert str(caught.value).startswith(f"配置错误：MISHU__{key} = （已隐去）")
    assert "sk-secret" not in str(caught.value)


def test_a_password_in_an_address_is_not_shown() -> None:
    with pytest.raises(ConfigurationError) as caught:
        read(DATABASE_URL="mysql://root:hunter2@db.example/x")
    assert "hunter2" not in str(caught.value)
    assert "db.example/x" in str(caught.value)
    assert "hunter2" not in repr(read(DATABASE_URL="postgresql+asyncpg://u:hunter2@h/d").llm)


def test_secrets_do_not_show_in_the_configuration() -> None:
    config = read(LLM__API_KEY="sk-hidden-1", WEB__TOKEN="token-hidden-2")
    assert "hidden" not in repr(config)
    assert "hidden" not in str(config.model_dump())


def test_a_very_long_value_is_cut() -> None:
    with pytest.raises(ConfigurationError) as caught:
        read(TIMEZONE="x" * 10_000)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("values", "named", "words"),
    [
        (
            {"FRONTDESK__HOLD_TIMEOUT": "69.9", "SECRETARY__LOCK_TIMEOUT": "75"},
            "FRONTDESK__HOLD_TIMEOUT",
            "70",
        ),
        ({"SECRETARY__LOCK_TIMEOUT": "69"}, "SECRETARY__LOCK_TIMEOUT", "70"),
        ({"LLM__TIMEOUT": "300"}, "FRONTDESK__HOLD_TIMEOUT", "310"),
        ({"LLM__TIMEOUT": "235"}, "SECRETARY__LOCK_TIMEOUT", "245"),
        ({"FRONTDESK__HOLD_TIMEOUT": "240"}, "FRONTDESK__HOLD_TIMEOUT", "LOCK_TIMEOUT"),
    ],
)
def test_pitfall_3_limits_that_do_not_nest_are_refused(
    values: dict[str, str], named: str, words: str
) -> None:
    """A hold shorter than a model call would drop who waits."""
    with pytest.raises(ConfigurationError) as caught:
        read(**values)
    (line,) = caught.value.lines
    assert line.startswith(f"配置错误：MISHU__{named} = ")
    assert words in line


def test_limits_that_just_nest_are_taken() -> None:
    limits = {"LLM__TIMEOUT": "60", "LLM__DECIDE_TIMEOUT": "10", "SECRETARY__LOCK_TIMEOUT": "70"}
    assert read(**limits, FRONTDESK__HOLD_TIMEOUT="70.1").frontdesk.hold_timeout == 70.1


def test_lists_are_json() -> None:
    config = read(GROUPS__IDS='["1", 23]', SECRETARY__PATIENCE='[[0.5, "嗯"], [9, "还在想"]]')
    assert config.groups.ids == ["1", "23"]
    assert config.secretary.patience == [(0.5, "嗯"), (9, "还在想")]
    assert from_file(GROUPS__IDS=[1, "23"]).groups.ids == ["1", "23"]
    assert read(SECRETARY__PATIENCE="[]").secretary.patience == []


def test_the_environment_wins_over_the_file() -> None:
    given = {"mishu": nested({"QQ__SEND_GAP": 2, "QQ__FOLD_LENGTH": 9})}
    config = loading.read(given, {"MISHU__QQ__SEND_GAP": "3"})
    assert (config.qq.send_gap, config.qq.fold_length) == (3, 9)


def test_names_of_keys_are_read_in_any_case() -> None:
    assert loading.read({}, {"mishu__qq__send_gap": "3"}).qq.send_gap == 3


@pytest.mark.parametrize(
    "given", [12345, 0, 1.5, True, "00012345", "true"], ids=lambda given: json.dumps(given)
)
def test_digits_are_text_where_text_is_meant(given: Any) -> None:
    """NoneBot decodes what stands in `.env` as JSON: a password of digits must stay one."""
    text = given if isinstance(given, str) else json.dumps(given)
    config = from_file(LLM__API_KEY=given, LLM__MODEL=given, WEB__TOKEN=given)
    assert config.llm.api_key == SecretStr(text)
    assert config.llm.model == text
    assert config.web.token == SecretStr(text)


def test_openai_keys_stand_in_for_ours() -> None:
    shared = {"OPENAI_BASE_URL": "http://shared/v1", "OPENAI_API_KEY": "sk-shared"}
    config = loading.read({}, shared)
    assert config.llm.base_url == "http://shared/v1"
    assert config.llm.api_key == SecretStr("sk-shared")
    own = loading.read(
        {}, {**shared, "MISHU__LLM__BASE_URL": "http://own/v1", "MISHU__LLM__API_KEY": "sk-own"}
    )
    assert own.llm.base_url == "http://own/v1"
    assert own.llm.api_key == SecretStr("sk-own")
    empty = loading.read({}, {**shared, "MISHU__LLM__API_KEY": ""})
    assert empty.llm.api_key == SecretStr("sk-shared")
    in_file = loading.read({"openai_base_url": "http://file/v1", "openai_api_key": "sk-file"}, {})
    assert in_file.llm.base_url == "http://file/v1"
    assert in_file.llm.api_key == SecretStr("sk-file")


def test_a_key_alone_is_not_enough_to_ask_a_model() -> None:
    assert not read(LLM__API_KEY="sk").llm.online
    assert not read(LLM__MODEL="m").llm.online
    assert read(LLM__API_KEY="sk", LLM__MODEL="m").llm.online


@pytest.mark.parametrize(
    ("given", "lacking"),
    [
        ({"MISHU__LLM__API_KEY": "sk-1"}, ["MISHU__LLM__MODEL"]),
        ({"OPENAI_API_KEY": "sk-1"}, ["MISHU__LLM__MODEL"]),
        ({"MISHU__LLM__MODEL": "m"}, ["MISHU__LLM__API_KEY"]),
        ({"MISHU__LLM__BASE_URL": "http://x/v1"}, ["MISHU__LLM__API_KEY", "MISHU__LLM__MODEL"]),
        ({"OPENAI_BASE_URL": "http://x/v1", "MISHU__LLM__MODEL": "m"}, ["MISHU__LLM__API_KEY"]),
        ({"MISHU__LLM__BASE_URL": "http://x/v1", "MISHU__LLM__API_KEY": "sk-1"}, ["MISHU__LLM__MODEL"]),
        ({"MISHU__LLM__VISION_MODEL": "v"}, ["MISHU__LLM__API_KEY", "MISHU__LLM__MODEL"]),
    ],
)
def test_half_a_model_is_told_with_what_is_missing(given: dict[str, str], lacking: list[str]) -> None:
    told = loading.read({}, given).llm.incomplete
    assert told is not None
    missing = told.split("缺 ")[1].split("。")[0].split("（")[0]
    assert missing.split("、") == lacking
    assert "sk-1" not in told


@pytest.mark.parametrize("given", [{}, {"MISHU__LLM__API_KEY": "sk-1", "MISHU__LLM__MODEL": "m"}])
def test_a_whole_model_and_none_are_nothing_to_tell(given: dict[str, str]) -> None:
    assert loading.read({}, given).llm.incomplete is None


BACKUP = {
    "MISHU__LLM__BACKUP_BASE_URL": "http://y/v1",
    "MISHU__LLM__BACKUP_API_KEY": "sk-2",
    "MISHU__LLM__BACKUP_MODEL": "b",
}
FIRST = {"MISHU__LLM__API_KEY": "sk-1", "MISHU__LLM__MODEL": "m"}


@pytest.mark.parametrize("missing", [{name} for name in BACKUP] + [{*BACKUP} - {name} for name in BACKUP])
def test_half_a_backup_is_told_and_not_used(missing: set[str]) -> None:
    given = {**FIRST, **{name: value for name, value in BACKUP.items() if name not in missing}}
    llm = loading.read({}, given).llm
    assert not llm.has_backup
    assert llm.backup_incomplete is not None
    assert {name for name in BACKUP if name in llm.backup_incomplete} == missing
    assert "sk-" not in llm.backup_incomplete


def test_a_backup_needs_a_first() -> None:
    llm = loading.read({}, BACKUP).llm
    assert not llm.has_backup
    assert llm.backup_incomplete is not None
    assert "主模型" in llm.backup_incomplete


@pytest.mark.parametrize("given", [{}, FIRST, {**FIRST, **BACKUP}])
def test_a_whole_backup_and_none_are_nothing_to_tell(given: dict[str, str]) -> None:
    llm = loading.read({}, given).llm
    assert llm.backup_incomplete is None
    assert llm.has_backup == (len(given) == 5)


def test_prices_are_exact_and_known_by_lower_case_names() -> None:
    written = '{"GLM-4.7": [4, 0.8, 16], "deepseek-v4-flash": [1, 0.02, 2]}'
    prices = read(LLM__PRICES=written).llm.prices
    assert prices["glm-4.7"] == (Decimal(4), Decimal("0.8"), Decimal(16))
    assert prices["deepseek-v4-flash"][1] == Decimal("0.02")
    decoded = {"mishu": {"llm": {"prices": {"GLM-4.7": [4, 0.8, 16]}}}}
    assert loading.read(decoded, {}).llm.prices == {"glm-4.7": prices["glm-4.7"]}
    assert read(LLM__PRICES="").llm.prices == {}


@pytest.mark.parametrize(
    "written",
    [
        "{",
        "[1, 2, 3]",
        "5",
        '{"m": 1}',
        '{"m": [1, 2]}',
        '{"m": [1, 2, -3]}',
        '{"m": [1, 2, "x"]}',
        '{"": []}',
    ],
)
def test_wrong_prices_are_refused_with_the_key_and_an_example(written: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        read(LLM__PRICES=written)
    [line] = error.value.lines
    assert line.startswith("配置错误：MISHU__LLM__PRICES = ")
    assert '{"deepseek-v4-flash": [1, 0.02, 2]}' in line


def test_unknown_keys_are_named() -> None:
    given = {"mishu": {"qq": {"send_gapp": 1, "send_gap": 1}, "webb": {"token": "x"}}}
    environ = {"MISHU__QQ__FOLD": "1", "MISHU": "5", "MISHUX__A": "1", "PATH": "/"}
    assert loading.unknown_keys(given, environ) == [
        "MISHU",
        "MISHU__QQ__FOLD",
        "MISHU__QQ__SEND_GAPP",
        "MISHU__WEBB__TOKEN",
    ]
    assert loading.unknown_keys({"mishu": 5}, {}) == ["MISHU"]
    assert loading.unknown_keys({}, {f"MISHU__{key}": "" for key in DEFAULTS}) == []
    assert loading.read(given, environ).qq.fold_length == 500


def test_a_section_given_as_a_value_is_a_wrong_key() -> None:
    with pytest.raises(ConfigurationError) as caught:
        read(LLM="5")
    assert caught.value.lines == ['配置错误：MISHU__LLM = "5"，应为：MISHU__节__键 的形式']


def test_a_configuration_does_not_change() -> None:
    config = read()
    with pytest.raises(ValueError, match="frozen"):
        config.qq.send_gap = 3  # type: ignore[misc]
    config.frontdesk.silence_words.append("x")
    assert read().frontdesk.silence_words == ["闭嘴"], "defaults are nobody's list"


def test_groups() -> None:
    assert read().group_enabled("1")
    allow = read(GROUPS__MODE="allow", GROUPS__IDS="[1]")
    assert (allow.group_enabled("1"), allow.group_enabled("2")) == (True, False)
    deny = read(GROUPS__MODE="deny", GROUPS__IDS="[1]")
    assert (deny.group_enabled("1"), deny.group_enabled("2")) == (False, True)


def test_the_zone() -> None:
    assert read(TIMEZONE="America/St_Johns").zone.key == "America/St_Johns"


def test_pitfall_30_every_key_does_something() -> None:
    """A key that is declared, read and then asked by nobody is a switch that is not enforced."""
    elsewhere = [path for path in PLUGIN.rglob("*.py") if path.name not in ("config.py", "settings.py")]
    elsewhere.append(PLUGIN.parent.parent / "bot" / "start.py")
    code = "\n".join(path.read_text("utf-8") for path in elsewhere)
    idle = [
        key
        for key in DEFAULTS
        # Asked through the configuration's methods, or before there is one (`bot/chosen_adapters.py`).
        if key not in ("TIMEZONE", "GROUPS__MODE", "GROUPS__IDS", "BOT__ADAPTERS")
        and re.search(rf"\b(?:{_holders(key)})\.{key.lower().split('__')[-1]}\b", code) is None
    ]
    assert idle == []
    assert "config.zone" in code
    assert "config.group_enabled" in code
    chosen = (PLUGIN.parent.parent / "bot" / "chosen_adapters.py").read_text("utf-8")
    assert "ADAPTERS" in chosen


def _holders(key: str) -> str:
    """Names under which code holds the section of a key."""
    return f"{key.lower().split('__')[0]}|_?config" if "__" in key else "_?config"


@settings_of_examples(suppress_health_check=[HealthCheck.too_slow])
@given(
    st.dictionaries(
        st.sampled_from(sorted(DEFAULTS)), st.text(max_size=30) | st.integers() | st.floats(), max_size=5
    )
)
def test_whatever_is_written_it_is_read_or_refused_in_lines(values: dict[str, Any]) -> None:
    for reading in (
        lambda: from_file(**values),
        lambda: read(**{key: str(value) for key, value in values.items()}),
    ):
        try:
            lines = [] if isinstance(reading(), BaseModel) else ["not a configuration"]
        except ConfigurationError as error:
            lines = error.lines or ["refused without a word"]
        assert all(line.startswith("配置错误：MISHU__") and "\n" not in line for line in lines)


def test_limits_that_are_exactly_the_sum_are_taken() -> None:
    environ = {
        "MISHU__LLM__TIMEOUT": "0.2",
        "MISHU__LLM__DECIDE_TIMEOUT": "0.1",
        "MISHU__SECRETARY__LOCK_TIMEOUT": "0.3",
        "MISHU__FRONTDESK__HOLD_TIMEOUT": "0.4",
    }
    assert loading.read({}, environ).secretary.lock_timeout == 0.3


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({}, ()),
        ({"KEEP": "", "DIR": ""}, ()),
        ({"DAILY": "04:30", "DIR": "/backups"}, ()),
        ({"DIR": "/backups"}, ("MISHU__BACKUP__DIR", "MISHU__BACKUP__DAILY")),
        ({"KEEP": "7"}, ("MISHU__BACKUP__KEEP", "MISHU__BACKUP__DAILY")),
    ],
)
def test_half_a_configuration_of_backups_is_said(given: dict[str, str], named: tuple[str, ...]) -> None:
    told = read(**{f"BACKUP__{name}": value for name, value in given.items()}).backup.incomplete
    assert (told is not None) is bool(named)
    assert all(name in (told or "") for name in named)
