"""Frames: what is skipped, what is cut, and that the lines behind them in the socket are handed over."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from test_bot_pace import EVENT, Socket, a, answer, ids, said, whispered

from bot.frames import DEEPEST, LONGEST, BrokenFrame, Skipped, examine
from bot.pace import paced


def depth(value: Any) -> int:
    levels, deepest = [(value, 1)], 0
    while levels:
        one, level = levels.pop()
        inner = list(one.values()) if isinstance(one, dict) else one if isinstance(one, list) else None
        if inner is not None:
            deepest = max(deepest, level)
            levels += [(each, level + 1) for each in inner]
    return deepest


def forwarded(times: int) -> str:
    """A message with a forward in a forward in a forward…"""
    node = '{"type":"node","data":{"user_id":"7","content":['
    forwards = node * times + '{"type":"text","data":{"text":"]}里"}}' + "]}}" * times
    whole = json.dumps({**EVENT, "group_id": 7, "user_id": 5, "message_id": times, "message": ["X"]})
    return whole.replace('"X"', f'{{"type":"text","data":{{"text":"小秘 在吗"}}}},{forwards}')


BROKEN: list[tuple[str | bytes, str]] = [
    ("not json", "不是 JSON"),
    ("", "不是 JSON"),
    (said(7, 1)[:-1], "不是 JSON"),
    (forwarded(400)[:-200], "不是 JSON"),
    (b"\xff\xfe\xfa", "不是 UTF-8"),
    (b"[" * 40 + b"\xff", "不是 UTF-8"),
    ("[1]", "不是 JSON 对象"),
    ("[" * 100_000, "不是 JSON"),
    ('{"a":' * 100_000, "不是 JSON"),
    ("[" * 100_000 + "]" * 100_000, "不是 JSON 对象"),
    ('{"post_type": "message", "time": ' + "9" * 6_000 + "}", "不是 JSON"),
    ('{"post_type": "message", "self_id": 1, "message": "秘密"}', "缺少"),
    ('{"post_type": 7, "self_id": 1, "time": 1}', "缺少"),
    (" " * (LONGEST + 1), "太长"),
]


@pytest.mark.parametrize(
    ("frame", "place"),
    [
        (said(7, 1), "group 7"),
        (whispered(7, 1), "user 7"),
        (
            json.dumps({**EVENT, "post_type": "notice", "notice_type": "group_recall", "group_id": 7}),
            "group 7",
        ),
        (json.dumps({**EVENT, "post_type": "meta_event"}), ""),
        (json.dumps({**EVENT, "group_id": {"odd": []}}), "group {'odd': []}"),
        (json.dumps({**EVENT, "time": "1800000000", "group_id": 7}), "group 7"),
        (answer(1), None),
        (answer(1).encode(), None),
    ],
)
def test_which_line_a_frame_stands_in(frame: str | bytes, place: str | None) -> None:
    assert examine(frame).place == place
    assert examine(frame).content == frame


@pytest.mark.parametrize(("frame", "why"), BROKEN, ids=range(len(BROKEN)))
def test_what_is_broken(frame: str | bytes, why: str) -> None:
    with pytest.raises(BrokenFrame, match=why):
        examine(frame)


@pytest.mark.parametrize("times", [1, 4, 5, 20, 100, 330, 1_000, 20_000])
@pytest.mark.parametrize("binary", [False, True])
def test_a_forward_is_cut_and_the_words_beside_it_are_kept(times: int, binary: bool) -> None:
    frame = forwarded(times)
    kept = json.loads(examine(frame.encode() if binary else frame).content)
    assert depth(kept) <= DEEPEST
    assert kept["message"][0]["data"]["text"] == "小秘 在吗"
    assert (kept["message_id"], kept["group_id"]) == (times, 7)
    if times < 5:
        assert kept == json.loads(frame)


def test_brackets_in_words_are_no_nesting() -> None:
    frame = json.dumps({**EVENT, "group_id": 7, "message": "[" * 500 + '\\"{' * 500, "echo": [[]] * 30})
    assert examine(frame).content == frame


@pytest.mark.parametrize(
    "frame",
    ["[" * 30 + '"' + '\\"' * 400_000, "[" * 30 + '"\\' * 400_000, "[]" * 400_000, '{"":[' * 300_000],
    ids=["quotes", "open quotes", "flat", "deep"],
)
def test_a_broken_frame_costs_time_by_its_length_only(frame: str) -> None:
    began = time.process_time()
    with pytest.raises(BrokenFrame):
        examine(frame)
    assert time.process_time() - began < 3


async def test_what_stands_behind_broken_frames_is_handed_over() -> None:
    frames: list[Any] = [said(1, 0)]
    for number, (broken, _) in enumerate(BROKEN, 1):
        frames += [broken, said(1, number)]
    async with paced(a(Socket(*frames)), set[int]()) as socket:
        taken = [await socket.receive() for _ in range(len(BROKEN) + 1)]
    assert ids(taken) == list(range(len(BROKEN) + 1))


def test_what_was_skipped_is_told_once_a_minute_without_a_word_of_it() -> None:
    told: list[str] = []
    now = [0.0]
    skipped = Skipped(told.append, lambda: now[0])
    for _ in range(100):
        skipped.note(BrokenFrame("不是 JSON"), 12)
    assert told == ["跳过了一个读不懂的 OneBot 消息帧（不是 JSON，长 12），连接不受影响"]
    now[0] = 61.0
    skipped.note(BrokenFrame("太长"), 13)
    assert len(told) == 2
    assert "一共 100 个" in told[1]
