"""Triggers: a message and what is known, and why it reaches the secretary."""

from __future__ import annotations

from typing import Any

import pytest
from nonebot_plugin_mishu.frontdesk import IncomingMessage, Segment
from nonebot_plugin_mishu.frontdesk.lines.triggers import TriggerFacts, called, detect, is_bare
from nonebot_plugin_mishu.frontdesk.rooms.crowd import CrowdRules
from nonebot_plugin_mishu.secretary import PresenceState, Trigger
from nonebot_plugin_mishu.storage.records import LedgerMessage
from stand_ins import BOT, FRIEND, GROUP, line

AT = Segment("at", BOT)
SOMEBODY = Segment("at", "30002")
ALL = Segment("at_all", "all")
QUOTE = Segment("reply", "9")
PICTURE = Segment("image", "[图片]")
CARD = Segment("other", "[卡片]")
NAMES = ("小秘", "Mi")


def text(words: str) -> Segment:
    return Segment("text", words)


def heard(*segments: Segment, **changed: Any) -> IncomingMessage:
    values: dict[str, Any] = {
        "conversation": GROUP,
        "message_id": "1",
        "time": 100.0,
        "receipt": 1,
        "user_id": "30001",
        "name": "小明",
        "role": "member",
        "segments": segments,
        "raw_segments": (),
        "heard_at": 0.0,
    }
    return IncomingMessage(**{**values, **changed})


def found(
    said: IncomingMessage,
    state: PresenceState = PresenceState.ABSENT,
    before: list[LedgerMessage] | None = None,
    **facts: Any,
) -> Trigger | None:
    message = said.ledger_message(lambda _: None)
    known = TriggerFacts(state=state, names=NAMES, **facts)
    talk = [message, *reversed(before or [])]
    return detect(
        said,
        message,
        known,
        lambda: talk,
        (),
        CrowdRules(),
        lambda words: "不想活" in words,
        lambda words: "提醒" in words,
        lambda words: "开会" in words,
    )


@pytest.mark.parametrize(
    "segments",
    [
        (AT,),
        (AT, text("在吗")),
        (text("在吗"), AT),
        (text("请"), AT, text("看看")),
        (QUOTE, SOMEBODY, text("看"), AT),
        (QUOTE, AT, text("怎么看")),
        (PICTURE, AT),
        (text("小秘在吗"),),
        (text("问一下mi吧"),),
        (SOMEBODY, text("小秘")),
        (ALL, AT),
    ],
)
def test_pitfall_26_a_summons_wherever_it_stands(segments: tuple[Segment, ...]) -> None:
    assert found(heard(*segments)) is Trigger.SUMMON


@pytest.mark.parametrize(
    "segments",
    [
        (ALL,),
        (ALL, text("开会")),
        (SOMEBODY, text("在吗")),
        (QUOTE, text("不错")),
        (CARD,),
        (text("秘"),),
        (text("family"),),
    ],
)
def test_pitfall_26_no_summons(segments: tuple[Segment, ...]) -> None:
    assert found(heard(*segments)) is None


def test_pitfall_26_a_name_in_the_quoted_message_is_not_the_senders() -> None:
    from nonebot_plugin_mishu.frontdesk import QuotedMessage

    quoting = heard(QUOTE, text("对啊"), quote=QuotedMessage("9", "30002", "小红", "小秘在吗"))
    assert found(quoting) is None
    assert not called(quoting, NAMES, quotes_bot=False)


def test_other_ways_to_call() -> None:
    assert found(heard(QUOTE, text("不错")), quotes_bot=True) is Trigger.SUMMON
    assert found(heard(text("随便"), conversation=FRIEND)) is Trigger.SUMMON
    assert found(heard(text("随便")), expected=True) is Trigger.SUMMON


@pytest.mark.parametrize("state", list(PresenceState))
def test_nobody_unknown_is_obeyed(state: PresenceState) -> None:
    stranger = heard(AT, text("小秘"), obeyed=False)
    assert found(stranger, state, awaited=True, expected=True, quotes_bot=True, may_join=True) is None
    assert found(heard(text("x"), conversation=FRIEND, obeyed=False)) is None


@pytest.mark.parametrize("state", list(PresenceState))
def test_answers(state: PresenceState) -> None:
    assert found(heard(text("好的")), state, awaited=True) is Trigger.ANSWER
    for other in (SOMEBODY, ALL, QUOTE):
        assert found(heard(other, text("好的")), state, awaited=True) is not Trigger.ANSWER
    assert found(heard(AT, text("好的")), state, awaited=True) is Trigger.SUMMON


@pytest.mark.parametrize(
    ("state", "replied", "segments", "expected"),
    [
        (PresenceState.OBSERVING, True, (text("提醒我"),), Trigger.ORDER),
        (PresenceState.OBSERVING, True, (text("谢谢"),), Trigger.CHAT),
        (PresenceState.OBSERVING, False, (text("提醒我"),), Trigger.CHAT),
        (PresenceState.OBSERVING, True, (SOMEBODY, text("提醒我")), Trigger.CHAT),
        (PresenceState.ABSENT, True, (text("提醒我"),), None),
        (PresenceState.SUMMONED, True, (text("提醒我"),), None),
    ],
)
def test_orders(
    state: PresenceState, replied: bool, segments: tuple[Segment, ...], expected: Trigger | None
) -> None:
    assert found(heard(*segments), state, replied_to=replied) is expected


def test_echo_and_dense_only_where_they_would_be_joined() -> None:
    echo = [line(number, "哈", time=99.0, user_id=str(number)) for number in range(2)]
    dense = [line(number, str(number), time=99.0, user_id=str(number % 6)) for number in range(30)]
    assert found(heard(text("哈")), before=echo, may_echo=True) is Trigger.ECHO
    assert found(heard(text("哈")), before=echo, may_echo=False) is None
    assert found(heard(text("哈")), before=dense, may_join=True) is Trigger.DENSE
    assert found(heard(text("哈")), before=dense, may_join=True, lively=False) is None
    assert found(heard(text("哈")), PresenceState.OBSERVING, before=echo) is Trigger.CHAT


@pytest.mark.parametrize("state", list(PresenceState))
def test_chat_is_heard_while_observing(state: PresenceState) -> None:
    assert found(heard(text("嗯")), state) is (Trigger.CHAT if state is PresenceState.OBSERVING else None)
    assert found(heard(text("嗯")), state, may_chat=False) is None


@pytest.mark.parametrize(
    ("segments", "bare"),
    [
        ((AT,), True),
        ((AT, text("  ")), True),
        ((AT, AT), True),
        ((AT, text("？！")), True),
        ((AT, text("\u200b")), True),
        ((AT, text("小秘")), True),
        ((text("小秘"),), True),
        ((text("小秘，小秘！"),), True),
        ((text("MI"),), True),
        ((AT, text("在吗")), False),
        ((AT, PICTURE), False),
        ((AT, Segment("voice", "[语音]")), False),
        ((AT, Segment("other", "[表情]")), False),
        ((QUOTE, AT), False),
        ((AT, SOMEBODY), False),
        ((AT, ALL), False),
        ((text("小秘在吗"),), False),
        ((text("。"),), False),
    ],
)
def test_pitfall_32_bare_calls(segments: tuple[Segment, ...], bare: bool) -> None:
    assert is_bare(heard(*segments), NAMES) is bare


def test_what_is_shown_tells_no_numbers() -> None:
    said = heard(QUOTE, AT, text("和"), SOMEBODY, Segment("at", "40004"), ALL, text("看"), PICTURE)
    shown = said.shown({BOT: "秘书", "30002": "小红"}.get)
    assert shown == "@秘书 和@小红 @群友 @全体成员 看[图片]"
    assert said.words == "和看"


@pytest.mark.parametrize(
    ("segments", "anything"),
    [
        ((), False),
        ((text(" \n"),), False),
        ((text("。"),), True),
        ((PICTURE,), True),
        ((AT,), True),
        ((QUOTE,), True),
    ],
)
def test_what_is_empty(segments: tuple[Segment, ...], anything: bool) -> None:
    assert heard(*segments).has_content is anything


OVERHEARD = "明天下午三点开会"


def test_what_members_say_to_each_other_is_overheard_where_it_is_listened_to() -> None:
    assert found(heard(text(OVERHEARD)), overhears=True) is Trigger.OVERHEARD
    assert found(heard(text(OVERHEARD)), overhears=False) is None
    assert found(heard(text("明天下雨")), overhears=True) is None


def test_a_quote_is_not_overheard_and_neither_is_what_is_said_to_us() -> None:
    assert found(heard(QUOTE, text(OVERHEARD)), overhears=True) is None
    assert found(heard(AT, text(OVERHEARD)), overhears=True) is Trigger.SUMMON
    assert found(heard(text(OVERHEARD)), overhears=True, awaited=True) is Trigger.ANSWER
    assert found(heard(text(OVERHEARD)), PresenceState.OBSERVING, overhears=True) is Trigger.OVERHEARD


def test_who_is_not_obeyed_is_not_overheard() -> None:
    assert found(heard(text(OVERHEARD), obeyed=False), overhears=True) is None


DENSE = [line(number, f"话{number}", time=100.0, receipt=0, user_id=f"u{number % 6}") for number in range(40)]


@pytest.mark.parametrize(
    ("facts", "trigger"),
    [
        ({}, Trigger.DENSE),
        ({"asked": True}, None),
        ({"is_talk": lambda words: False}, None),
        ({"awaited": True}, Trigger.ANSWER),
    ],
)
def test_nobody_joins_in_where_something_is_to_be_done(
    facts: dict[str, Any], trigger: Trigger | None
) -> None:
    assert found(heard(text("推迟1分钟")), before=DENSE, may_join=True, **facts) is trigger


def test_an_echo_of_an_order_is_not_joined() -> None:
    before = [line(number, "提醒我", time=100.0, receipt=0, user_id=f"u{number}") for number in range(40)]
    assert found(heard(text("提醒我")), before=before, may_echo=True) is None
    before = [line(number, "+1", time=100.0, receipt=0, user_id=f"u{number}") for number in range(40)]
    assert found(heard(text("+1")), before=before, may_echo=True, is_talk=lambda words: False) is (
        Trigger.ECHO
    )


@pytest.mark.parametrize("state", PresenceState)
def test_an_emergency_among_members_is_for_us_whatever_our_presence(state: PresenceState) -> None:
    assert found(heard(text("我不想活了")), state) is Trigger.ORDER
    assert found(heard(SOMEBODY, text("我不想活了")), state) is Trigger.ORDER
    assert found(heard(text("我不想活了")), state, may_chat=False) is Trigger.ORDER


def test_an_emergency_among_members_is_not_for_us_where_the_feature_is_off() -> None:
    assert found(heard(SOMEBODY, text("我不想活了")), PresenceState.ABSENT, watches=False) is None


def test_an_emergency_of_an_anonymous_sender_is_not_obeyed() -> None:
    assert found(heard(text("我不想活了"), obeyed=False), PresenceState.OBSERVING) is None


def test_whom_the_words_tie_in_is_named_in_them():
    names = {"20001": "老猫"}
    said = (AT, text(" 我和 "), Segment("at", "20001"), text(" 明天去看电影"))
    assert heard(*said).words_among(names.get) == "我和老猫明天去看电影"
    put_to = (Segment("at", "20001"), text(" 明天去看电影"))
    assert heard(*put_to).words_among(names.get) == "明天去看电影"
