"""Echo and dense talk, as tables and against a plain count."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nonebot_plugin_mishu.frontdesk.lines.ledger import LedgerWindow
from nonebot_plugin_mishu.frontdesk.rooms.crowd import CrowdRules, is_dense, is_echo
from nonebot_plugin_mishu.language.addressing.echoes import can_echo
from nonebot_plugin_mishu.storage.records import LedgerMessage
from stand_ins import BOT, line

RULES = CrowdRules()


def said(*talk: tuple[int, str, str], **changed: object) -> list[LedgerMessage]:
    return [
        line(f"m{number}", text, time=float(time), receipt=number, user_id=user, **changed)
        for number, (time, user, text) in enumerate(talk)
    ]


def echoes(talk: list[LedgerMessage], bots: Iterable[str] = ()) -> bool:
    return is_echo(talk[-1], reversed(talk), set(bots), RULES)


@pytest.mark.parametrize(
    ("talk", "expected"),
    [
        ([(0, "a", "哈"), (1, "b", "哈"), (2, "c", "哈")], True),
        ([(0, "a", "哈"), (1, "b", "哈"), (30, "c", "哈")], True),
        ([(0, "a", "哈"), (1, "b", "哈"), (31, "c", "哈")], False),
        ([(0, "a", "哈"), (1, "b", "哈")], False),
        ([(0, "a", "哈"), (1, "b", "嘿"), (2, "c", "哈")], False),
        ([(0, "a", "哈"), (1, "x", "别吵"), (1, "b", "哈"), (2, "c", "哈")], True),
        ([(0, "a", "哈"), (1, "b", "哈"), (2, "c", "哈哈")], False),
    ],
)
def test_echo(talk: list[tuple[int, str, str]], expected: bool) -> None:
    assert echoes(said(*talk)) is expected


def test_pitfall_22_one_spammer_is_no_echo() -> None:
    assert not echoes(said(*[(number, "a", "+1") for number in range(10)]))
    assert not echoes(said(*[(number, "ab"[number % 2], "+1") for number in range(10)]))


def test_pitfall_22_bots_and_what_was_recalled_do_not_count() -> None:
    talk = said((0, "a", "哈"), (1, "b", "哈"), (2, "c", "哈"))
    assert not echoes(talk, bots={"b"})
    assert not echoes([talk[0], *said((1, BOT, "哈"), is_bot=True), talk[2]])
    assert not echoes([talk[0], *said((1, "b", "哈"), recalled=True), talk[2]])


@pytest.mark.parametrize("kind", ["image", "face", "mface", "at", "reply"])
def test_pitfall_22_stickers_and_placeholders_are_no_echo(kind: str) -> None:
    talk = said(
        *[(number, "abc"[number], "[表情]") for number in range(3)], segments=[{"type": kind, "data": {}}]
    )
    assert not echoes(talk)


def test_pitfall_22_a_sticker_that_reads_like_an_echo_is_none() -> None:
    talk = said((0, "a", "哈"), (1, "b", "哈"), (2, "c", "哈"))
    assert not echoes([*talk[:2], *said((2, "c", "哈"), segments=[{"type": "mface", "data": {}}])])


def test_pitfall_9_the_same_text_within_a_moment_counts_by_people() -> None:
    talk = said(*[(0, user, "+1") for user in "abcde"])
    assert [echoes(talk[: number + 1]) for number in range(5)] == [False, False, True, True, True]


@pytest.mark.parametrize("text", ["+1", "哈哈哈", "6", "。。。", "？", "你好 世界", "x" * 30])
def test_can_echo(text: str) -> None:
    assert can_echo(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "x" * 31,
        "/秘书 状态",
        "／help",
        "!play",
        "#命令",
        "看 https://a.b",
        "www.x.com",
        "a.cn",
        "@小明 好",
        "[图片]",
        "[图片] [表情]",
    ],
)
def test_cannot_echo(text: str) -> None:
    assert not can_echo(text)


def test_dense() -> None:
    talk = said(*[(number * 20, "abcde"[number % 5], str(number)) for number in range(30)])
    assert is_dense(talk[-1], reversed(talk), set(), RULES)
    assert not is_dense(talk[-2], reversed(talk), set(), RULES)
    assert not is_dense(talk[-1], reversed(talk), {"e"}, RULES)


def test_pitfall_22_dense_talk_counts_people_not_bots() -> None:
    talk = said(*[(number, "abcde"[number % 5], str(number)) for number in range(30)])
    talk[3] = line("bot", time=3.0, receipt=3, user_id=BOT, is_bot=True)
    assert not is_dense(talk[-1], reversed(talk), set(), RULES)


@settings(max_examples=200)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 120), st.sampled_from("abcdefg"), st.sampled_from("哈嘿+"), st.integers(0, 9)
        ),
        min_size=1,
        max_size=60,
    ),
    st.integers(0, 59),
    st.sets(st.sampled_from("abc"), max_size=1),
)
def test_as_a_plain_count_in_any_order_of_arrival(
    talk: list[tuple[int, str, str, int]], which: int, bots: set[str]
) -> None:
    """Early exits and the quick look change no result."""
    rules = CrowdRules(echo_count=3, echo_window=20, dense_count=6, dense_people=3, dense_window=40)
    ledger = LedgerWindow(1000)
    for number, (time, user, text, mark) in enumerate(talk):
        ledger.append(
            line(
                number,
                text,
                time=float(time),
                receipt=number,
                user_id=user,
                is_bot=mark == 0,
                recalled=mark == 1,
            )
        )
    message = ledger.get(str(which % len(talk)))
    assert message is not None

    def counted(window: float) -> list[LedgerMessage]:
        return [
            one
            for one in ledger.context((1e9, 0))
            if one.order <= message.order and one.time >= message.time - window
            if not one.is_bot and one.user_id not in bots
        ]

    same = {one.user_id for one in counted(20) if one.text == message.text} | {message.user_id}
    assert is_echo(message, ledger.since(0), bots, rules) is (len(same) >= 3)
    near = counted(40)
    expected = len(near) >= 6 and len({one.user_id for one in near}) >= 3
    assert is_dense(message, ledger.since(0), bots, rules) is expected
    if expected:
        assert ledger.may_be_dense(message.time - 40, 6, 3, bots)
