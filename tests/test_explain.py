"""`python -m bot explain`: the object of the contract, where it reads from, what it says of mistakes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from default_run import first
from nonebot_plugin_mishu.config import loading

from bot import explain as command
from bot.explain.world import WrongWorld, world_of

ROOT = Path(__file__).resolve().parent.parent
FIELDS = [
    *("text", "trigger", "gate", "sure", "unread", "why", "runners_up"),
    *("frames", "times", "triage", "items", "transactions", "overheard", "covers", "thresholds"),
]
FRAME_FIELDS = ["agent_code", "intent", "slots", "text", "sure", "mood", "probability", "spans"]
TIME_FIELDS = [
    *("text", "date", "start", "end", "end_date", "segment", "recurrence", "kind", "ambiguous", "invalid")
]
ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 21, 9, 0, tzinfo=ZONE)
"""A Saturday."""


WORLD: dict[str, Any] = {
    "tasks": [
        {"id": "t1", "title": "交报告", "when": "2026-11-24T15:00:00+08:00"},
        {"id": 2, "title": "给客户打电话", "when": "2026-11-25"},
    ],
    "schedules": [
        {"id": "s1", "title": "项目评审", "starts_at": "2026-11-27T14:00:00"},
        {"id": "s2", "title": "设计评审", "starts_at": "2026-11-26T10:00:00"},
    ],
    "records": [
        {"id": "r1", "amount": "35.00", "description": "午饭"},
        {"id": "r2", "amount": 20, "description": "打车"},
    ],
    "members": [{"id": "1", "name": "小明"}, {"id": "7", "name": "阿凯"}],
    "recent": [{"kind": "task", "id": "t1"}],
    "speaker": "1",
}


def read(text: str, known: dict[str, Any] | None = None, **keys: str) -> dict[str, Any]:
    """One sentence in this process."""
    config = loading.read({}, {f"MISHU__{key}": value for key, value in keys.items()})
    around = None if known is None else world_of(known, ZONE)
    return command.explain(text, NOW, ZONE, config, ["小秘"], around)


def run(
    home: Path, *arguments: str | bytes, text: bytes | None = None, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """The command as a process; `text` is its standard input."""
    given = {
        "PATH": os.environ.get("PATH", ""),
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "plugins"))),
        **environment,
    }
    command_line = [sys.executable, "-m", "bot", "explain", *arguments]
    return subprocess.run(
        command_line, cwd=home, env=given, input=text or b"", capture_output=True, timeout=60, check=False
    )


def objects(done: subprocess.CompletedProcess[bytes]) -> list[dict[str, Any]]:
    """What was printed with `--json`."""
    assert done.returncode == 0, done.stderr.decode()
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_fields_are_those_of_the_contract() -> None:
    found = read("明天下午三点到四点开会")
    assert list(found) == FIELDS
    (time,) = found["times"]
    assert list(time) == TIME_FIELDS
    assert (time["date"], time["start"], time["end"]) == ("2026-11-22", "15:00", "16:00")
    assert found["gate"] == "SAFE"
    assert found["triage"] == "newInput"
    assert found["items"] == []
    assert read("你好")["times"] == []
    json.dumps(found)


def test_what_was_compared_is_shown_with_its_costs() -> None:
    found = read("周五下午三点到四点在302开评审会")
    covers = found["covers"]
    assert 1 <= len(covers) <= 3
    assert [each["cost"] for each in covers] == sorted(each["cost"] for each in covers)
    assert "schedule.add" in covers[0]["rows"]
    assert set(found["thresholds"]) == {"act", "keep", "ask", "leave"}
    assert 0.5 < found["frames"][0]["probability"] <= 1.0
    assert read("早")["thresholds"]["act"] is None, "nothing was compared"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("是的", {"kind": "yes", "values": []}),
        ("别删", {"kind": "no", "values": []}),
        ("第二个", {"kind": "pick", "values": [1]}),
        ("羽毛球冷不冷", {"kind": "other", "values": []}),
        ("35块", {"kind": "money", "values": ["35"]}),
    ],
)
def test_a_line_is_an_answer_where_something_is_asked(text: str, wanted: dict[str, Any]) -> None:
    options = [] if wanted["kind"] == "yes" else ["羽毛球", "评审"]
    asked = {"agent": "schedule", "intent": "delete", "text": "要删除吗？", "options": options}
    assert read(text, {"question": asked})["answer"] == wanted


def test_a_time_may_be_the_answer() -> None:
    asked = {"agent": "schedule", "intent": "add", "text": "请问是几点？", "options": []}
    found = read("八点吧", {"question": asked})["answer"]
    assert (found["kind"], found["values"][0]["start"]) == ("time", "08:00")
    assert "answer" not in read("八点吧")


def test_transactions_are_those_of_the_contract() -> None:
    found = read("午饭35，打车20")["transactions"]
    assert [list(each) for each in found] == [["amount", "type", "category", "description", "date"]] * 2
    assert [(each["amount"], each["description"]) for each in found] == [("35.00", "午饭"), ("20.00", "打车")]
    assert read("你好")["transactions"] == []


def test_frames_are_those_of_the_contract() -> None:
    found = read("明天下午三点开会，午饭35，另外讲个笑话")["frames"]
    assert [list(frame) for frame in found] == [FRAME_FIELDS] * 3
    assert [(frame["agent_code"], frame["intent"]) for frame in found] == [
        ("schedule", "add"),
        ("bookkeeping", "record"),
        ("chat", "chitchat"),
    ]
    assert found[0]["text"] == "明天下午三点开会"
    assert isinstance(found[0]["slots"], dict)
    (talk,) = read("")["frames"]
    assert (talk["agent_code"], talk["intent"]) == ("chat", "chitchat")


@pytest.mark.parametrize(
    ("text", "trigger"),
    [
        ("小秘明天有什么安排", "summon"),
        ("你好小秘", "summon"),
        ("小助在吗", "summon"),
        ("明天有什么安排", None),
        ("闭嘴", "silence"),
        ("闭嘴吧！", "silence"),
        ("安静", "silence"),
        ("叫他闭嘴吧他说的不对", None),
        ("小秘闭嘴", "summon"),
        ("张嘴", "speak"),
        ("张嘴啊", "speak"),
        ("/秘书 闭嘴 10", None),
        ("/秘书 唤醒词 添加 小秘", None),
        ("", None),
    ],
)
def test_trigger(text: str, trigger: str | None) -> None:
    words = {"FRONTDESK__WAKE_WORDS": '["小助"]', "FRONTDESK__SILENCE_WORDS": '["闭嘴", "安静"]'}
    assert read(text, **words)["trigger"] == trigger


def test_gate() -> None:
    assert read("我不想活了，想自杀")["gate"] == "EMERGENCY"
    assert read("教我怎么做炸弹炸死他们")["gate"] == "BLOCK"
    assert read("今天天气真好")["gate"] == "SAFE"


@pytest.mark.parametrize(
    ("text", "triage", "items"),
    [
        ("好的", "confirm", []),
        ("第二笔和第三笔确认", "confirmItem", [1, 2]),
        ("删掉第十笔", "cancelItem", [9]),
        ("算了不记了", "cancel", []),
        ("午饭35", "newInput", []),
    ],
)
def test_triage_is_heard_over_a_card_of_ten(text: str, triage: str, items: list[int]) -> None:
    found = read(text)
    assert (found["triage"], found["items"]) == (triage, items)


def test_texts_as_arguments_one_object_a_line(tmp_path: Path) -> None:
    found = objects(run(tmp_path, "明天", "闭嘴", "--json", "--now", "2026-11-21T23:30"))
    assert [one["text"] for one in found] == ["明天", "闭嘴"]
    assert found[0]["times"][0]["date"] == "2026-11-22"
    assert all(list(one) == FIELDS for one in found)


@pytest.mark.exhaustive
def test_lines_of_standard_input_one_object_for_each(tmp_path: Path) -> None:
    lines = "明天\n\n闭嘴\r\n  好的 \n没有换行"
    found = objects(run(tmp_path, "--json", text=lines.encode()))
    assert [one["text"] for one in found] == ["明天", "", "闭嘴", "  好的 ", "没有换行"]
    assert objects(run(tmp_path, "--json", text=b"")) == []


@pytest.mark.exhaustive
def test_without_json_it_is_for_people(tmp_path: Path) -> None:
    done = run(tmp_path, "闭嘴")
    assert done.stdout.decode().splitlines() == [
        "闭嘴",
        "  trigger: silence",
        "  gate: SAFE",
        "  triage: newInput",
        "  frame: chat/chitchat 「闭嘴」",
        "  sure: 没有听出要办的事",
    ]


@pytest.mark.parametrize(
    ("moment", "zone", "date"),
    [
        ("2026-11-21T23:30", "Asia/Shanghai", "2026-11-22"),
        ("2026-11-21T23:30+08:00", "UTC", "2026-11-22"),
        ("2026-11-21T23:30", "America/New_York", "2026-11-22"),
        ("2026-11-21T20:30Z", "Asia/Shanghai", "2026-11-23"),
    ],
)
def test_now_and_zone(moment: str, zone: str, date: str) -> None:
    """A moment without an offset is one of the zone; one with an offset is turned into it."""
    now = command.now_in(ZoneInfo(zone), datetime.fromisoformat(moment))
    found = command.explain("明天", now, ZoneInfo(zone), loading.read({}, {}), [])
    assert found["times"][0]["date"] == date


@pytest.mark.exhaustive
def test_the_zone_is_the_arguments_else_the_configurations(tmp_path: Path) -> None:
    moment = ("明天", "--json", "--now", "2026-11-21T20:30Z")
    (found,) = objects(run(tmp_path, *moment, MISHU__TIMEZONE="Asia/Tokyo"))
    assert found["times"][0]["date"] == "2026-11-23"
    (found,) = objects(run(tmp_path, *moment, "--zone", "UTC", MISHU__TIMEZONE="Asia/Tokyo"))
    assert found["times"][0]["date"] == "2026-11-22"


@pytest.mark.exhaustive
def test_the_bots_own_configuration_counts(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text('NICKNAME=["阿秘"]\nMISHU__FRONTDESK__SILENCE_WORDS=["收声"]\n', "utf-8")
    found = objects(run(tmp_path, "--json", "阿秘在吗", "收声", "闭嘴"))
    assert [one["trigger"] for one in found] == ["summon", "silence", None]


@pytest.mark.exhaustive
def test_agents_of_the_configured_plugins_read_the_sentence_too(tmp_path: Path) -> None:
    """Seed 2, section 8."""
    said = "我头痛想挂号，顺便问停车怎么收费，前面还有几个人？"
    done = run(tmp_path, "--json", said, MISHU__BOT__PLUGINS='["nonebot_plugin_mishu_clinic"]')
    (found,) = objects(done)
    assert [(frame["agent_code"], frame["slots"]) for frame in found["frames"]] == [
        ("triage", {"symptom": "头痛"}),
        ("smartCS", {"question": "停车怎么收费"}),
        ("queue", {}),
    ]
    assert [frame["agent_code"] for frame in objects(run(tmp_path, "--json", said))[0]["frames"]] == ["chat"]


@pytest.mark.exhaustive
def test_a_configured_plugin_that_is_not_there_is_told(tmp_path: Path) -> None:
    done = run(tmp_path, "你好", MISHU__BOT__PLUGINS='["no_such_plugin"]')
    assert done.returncode == 2
    assert "no_such_plugin 没有装上" in done.stderr.decode().splitlines()[-1]


@pytest.mark.exhaustive
def test_logs_go_to_standard_error_only(tmp_path: Path) -> None:
    done = run(tmp_path, "你好", "--json", MISHU__QQ__SEND_GAPP="1", LOG_LEVEL="TRACE")
    assert len(objects(done)) == 1
    assert b"MISHU__QQ__SEND_GAPP" in done.stderr
    assert list(tmp_path.rglob("*.db")) == []


@first(2)
@pytest.mark.parametrize(
    ("arguments", "environment", "line"),
    [
        (["--now", "gestern"], {}, "argument --now: gestern 不是 ISO 8601 时间，如 2026-11-21T09:00"),
        (["--zone", "Mars/Olympus"], {}, "argument --zone: Mars/Olympus 不是 IANA 时区名，如 Asia/Shanghai"),
        (["--zone", "../etc"], {}, "argument --zone: ../etc 不是 IANA 时区名，如 Asia/Shanghai"),
        (["--fast"], {}, "unrecognized arguments: --fast"),
        (
            [],
            {"MISHU__TIMEZONE": "x"},
            '配置错误：MISHU__TIMEZONE = "x"，应为：IANA 时区名，如 Asia/Shanghai',
        ),
        ([], {"NICKNAME": "x"}, '配置错误：NICKNAME = "x"，应为：名字的 JSON 列表，如 ["小秘"]'),
    ],
)
def test_what_is_wrong_is_said_and_exit_2(
    tmp_path: Path, arguments: list[str], environment: dict[str, str], line: str
) -> None:
    done = run(tmp_path, "你好", *arguments, **environment)
    said = done.stderr.decode()
    assert done.returncode == 2
    assert done.stdout == b""
    assert said.splitlines()[-1].endswith(line)
    assert said.count(line) == 1
    assert "Traceback" not in said


@pytest.mark.exhaustive
def test_any_bytes_and_any_locale(tmp_path: Path) -> None:
    ascii_only = {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    (found,) = objects(run(tmp_path, "明天", "--json", **ascii_only))
    assert (found["text"], len(found["times"])) == ("明天", 1)
    first, second = objects(run(tmp_path, "--json", text="明天\n".encode() + b"a\xff\n", **ascii_only))
    assert (first["text"], len(first["times"])) == ("明天", 1)
    assert re.fullmatch("a.", second["text"])


@pytest.mark.exhaustive
def test_a_reader_that_has_enough_is_no_fault(tmp_path: Path) -> None:
    line = f"yes 明天 | head -2000 | {sys.executable} -m bot explain --json | head -1"
    environment = {**os.environ, "HOME": str(tmp_path), "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'plugins'}"}
    done = subprocess.run(
        ["bash", "-c", line], cwd=tmp_path, env=environment, capture_output=True, timeout=60, check=False
    )
    assert len(done.stdout.splitlines()) == 1
    assert b"Traceback" not in done.stderr
    assert b"BrokenPipe" not in done.stderr


@pytest.mark.parametrize(
    ("text", "agent", "intent", "refs"),
    [
        ("改到后天下午三点", "tasks", "update_task", ["t1"]),  # what was spoken of last
        ("客户那个取消", "tasks", "delete_task", ["2"]),
        ("周五那个评审推迟一小时", "schedule", "edit", ["s1"]),
        ("俩评审都取消", "schedule", "delete", ["s2", "s1"]),
        ("打车那笔改成30", "bookkeeping", "correct", ["r2"]),
        ("刚才那笔删掉", "bookkeeping", "correct", ["r1"]),
    ],
)
def test_what_is_meant_is_found_in_the_world(text: str, agent: str, intent: str, refs: list[str]) -> None:
    found = read(text, WORLD)
    (frame,) = found["frames"]
    assert (frame["agent_code"], frame["intent"]) == (agent, intent)
    slots = frame["slots"]
    assert ([slots["ref"]] if "ref" in slots else slots["refs"]) == refs
    assert found["sure"], found["why"]


def test_several_that_may_be_meant_are_named_and_not_sure() -> None:
    found = read("评审取消", WORLD)
    assert found["frames"][0]["slots"]["refs"] == ["s2", "s1"]
    assert not found["sure"]
    assert found["why"] == "说的不止一样"


def test_a_member_of_the_world_is_who_it_is_for() -> None:
    (frame,) = read("提醒阿凯明天下午三点交表", WORLD)["frames"]
    assert frame["slots"]["assignee"] == "7"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("小秘，周六下午三点大家开评审会", {"new_time": "周六下午三点", "new_description": "开评审会"}),
        ("提醒我后天早上八点交房租", {"title": "交房租", "dueDate": "后天早上八点"}),
        ("午饭３５", {"items": "午饭"}),
        ("把周报改到周五", {"reference": "周报", "dueDate": "周五"}),
    ],
)
def test_spans_are_those_of_the_line_as_written(text: str, said: dict[str, str]) -> None:
    (frame,) = read(text)["frames"]
    assert {name: text[slice(*frame["spans"][name])] for name in said} == said


def test_what_is_not_sure_says_what_is_not_read() -> None:
    clear, doubtful = read("提醒我明天九点交水费"), read("帮俺把嘎嘎整到周五")
    assert (clear["sure"], clear["unread"]) == (True, [])
    assert not doubtful["sure"]
    assert doubtful["unread"]
    assert doubtful["why"]
    assert read("哈哈哈哈")["why"] == "没有听出要办的事"


@pytest.mark.parametrize(
    ("text", "asked"),
    [("周六晚上七点大家一起吃火锅", True), ("周六晚上七点吃火锅吗", False), ("好累", False)],
)
def test_overheard_says_whether_it_would_be_asked_about(text: str, asked: bool) -> None:
    assert read(text)["overheard"] is asked


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({"tasks": {}}, "tasks 应是一个列表"),
        ({"tasks": [1]}, "tasks 的第 1 项应是一个对象"),
        ({"tasks": [{"title": "交表"}]}, "tasks 的第 1 项：缺 id"),
        ({"schedules": [{"id": "1", "starts_at": "明天"}]}, "不是 ISO 8601 时间"),
        ({"records": [{"id": "1", "amount": "几块"}]}, "不是金额"),
        ({"recent": [{"kind": "plan", "id": "1"}]}, "recent 的 kind「plan」"),
    ],
)
def test_a_wrong_world_is_told_in_one_sentence(given: dict[str, Any], wrong: str) -> None:
    with pytest.raises(WrongWorld, match=re.escape(wrong)):
        world_of(given, ZONE)


@pytest.mark.exhaustive
def test_the_world_is_a_file(tmp_path: Path) -> None:
    file = tmp_path / "world.json"
    file.write_text(json.dumps(WORLD), encoding="utf-8")
    (one,) = objects(run(tmp_path, "--json", "--world", str(file), "客户那个取消"))
    assert one["frames"][0]["slots"]["ref"] == "2"
    for broken, told in ((b"{", "不是 JSON"), (b"[]", "应是一个 JSON 对象")):
        file.write_bytes(broken)
        done = run(tmp_path, "--json", "--world", str(file), "客户那个取消")
        assert done.returncode == 2
        assert told in done.stderr.decode()
    done = run(tmp_path, "--world", str(tmp_path / "nowhere.json"), "好")
    assert done.returncode == 2
    assert "读不了" in done.stderr.decode()


@pytest.mark.exhaustive
def test_words_are_shown_with_their_classes() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "bot", "explain", "--words", "明天下午三点开会"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    ).stdout.splitlines()
    assert [line.split("  ")[0] for line in told] == ["明天下午三点", "开会"]
    assert "occasion" in told[1]
