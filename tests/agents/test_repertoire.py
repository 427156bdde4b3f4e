"""The small talk that needs no model: which lines it is, and what is said at which hour."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import yaml
from nonebot_plugin_mishu.agents.chat import repertoire
from nonebot_plugin_mishu.agents.chat.offline import local
from nonebot_plugin_mishu.agents.chat.repertoire import NAMES, line, talk_of
from stand_ins import line as message

ZONE = ZoneInfo("Asia/Shanghai")
DATA = yaml.safe_load((Path(__file__).parent / "data" / "repertoire.yaml").read_text("utf-8"))
ROWS = [(str(said), None if talk == "none" else talk) for talk, lines in DATA.items() for said in lines]


def at(hour: int, minute: int = 0, day: int = 18) -> datetime:
    return datetime(2026, 11, day, hour, minute, tzinfo=ZONE)


@pytest.mark.parametrize(("said", "talk"), ROWS)
def test_which_talk_a_line_is(said: str, talk: str | None) -> None:
    assert talk_of(said, ("小秘",)) == talk


def test_every_talk_has_sentences() -> None:
    assert set(DATA) - {"none"} == set(repertoire._TALKS)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("hour", range(24))
def test_every_talk_has_an_answer_at_every_hour(name: str, hour: int) -> None:
    for seed in map(str, range(20)):
        said = line(name, seed, at(hour), "小秘")
        assert said
        assert "{" not in said
        assert len(said) <= 120


@pytest.mark.parametrize(
    ("said", "now", "fits"),
    [
        ("早上好", at(8), "早"),
        ("早上好", at(22), "晚上好"),
        ("早上好", at(15), "下午好"),
        ("早上好", at(12), "中午好"),
        ("早上好", at(3), "睡"),
        ("晚上好", at(10), "上午好"),
        ("晚上好", at(20), "晚上好"),
        ("晚安", at(23), "晚安"),
        ("晚安", at(1), "晚安"),
        ("晚安", at(13), "午安|歇会儿"),
        ("晚安", at(9), "休息"),
        ("现在几点", at(15, 5), "下午3点05分"),
        ("现在几点", at(0), "凌晨0点整"),
        ("现在几点", at(12, 30), "中午12点30分"),
        ("今天几号", at(9), "11月18日，周三"),
        ("今天星期几", at(9, day=22), "11月22日，周日"),
        ("明天几号", at(9), "明天11月19日，周四"),
        ("后天星期几", at(9), "后天11月20日，周五"),
        ("大后天是工作日吗", at(9), "大后天11月21日，周六，休息日"),
        ("昨天几号", at(9), "昨天11月17日"),
        ("今天农历多少", at(9), "十月初十"),
        ("今天是不是工作日", at(9), "工作日"),
        ("今天是不是工作日", at(9, day=21), "休息日"),
        ("你是谁", at(9), "小秘"),
    ],
)
def test_what_is_said(said: str, now: datetime, fits: str) -> None:
    for number in range(30):
        answer = local(message(number, said), said, now, ("小秘",))
        assert answer is not None
        assert any(word in answer for word in fits.split("|")), answer


def test_days_that_are_worked_or_not_by_the_calendar() -> None:
    def work(year: int, month: int, day: int) -> str:
        return line("workday", "1", datetime(year, month, day, 9, tzinfo=ZONE), "小秘")

    assert "放假" in work(2026, 10, 1)
    assert "调休" in work(2026, 10, 10)
    assert "还没有" in work(2040, 1, 2)


def test_the_same_message_gets_the_same_line_and_others_vary() -> None:
    said = {line("thanks", str(number), at(9), "小秘") for number in range(50)}
    assert len(said) > 2
    assert len({line("thanks", "7", at(9), "小秘") for _ in range(10)}) == 1


@pytest.mark.parametrize(
    ("segments", "words", "fits"),
    [
        ([{"type": "image", "data": {}}], "[图片]", "图"),
        ([{"type": "image", "data": {}}, {"type": "text", "data": {"text": "这是什么"}}], "这是什么", "图"),
        ([{"type": "record", "data": {}}], "[语音]", "语音"),
        ([{"type": "face", "data": {"id": "1"}}], "[表情]", ""),
        ([{"type": "text", "data": {"text": "😂👍"}}], "😂👍", ""),
        ([{"type": "text", "data": {"text": "？？？"}}], "？？？", ""),
    ],
)
def test_what_is_shown(segments: list[dict[str, object]], words: str, fits: str) -> None:
    answer = local(message(1, words, segments=segments), words, at(9), ("小秘",))
    assert answer
    assert fits in answer
