"""What happened, told without a model: everything that matters, by quotation, in few characters."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.language.lines.line import RecordLine
from nonebot_plugin_mishu.record import LONGEST, gather, plain_form
from nonebot_plugin_mishu.record.plain import NOTHING
from record_support import NAMES, START, TALK, ZONE, line, scripted

ME = "u-我"


def _filled(lines: list[RecordLine], size: int) -> list[RecordLine]:
    """The lines with talk of no weight before, and behind them, `size` in all."""
    room = size - len(lines)
    talk = [("小红", TALK[number % len(TALK)]) for number in range(room)]
    where = list(range(size // 2, size // 2 + len(lines)))
    made: list[RecordLine] = []
    for number in range(size):
        at = START + timedelta(minutes=number)
        if where and number >= where[0] and lines:
            where.pop(0)
            made.append(RecordLine(**{**_fields(lines.pop(0)), "at": at}))
        elif talk:
            made.append(line(10_000 + number, *talk.pop(), at=at))
    return made


def _fields(one: RecordLine) -> dict[str, object]:
    return {name: getattr(one, name) for name in RecordLine.__slots__}


def test_two_hundred_lines_in_five_hundred_characters() -> None:
    marked = [
        line(1, "李雷", "@我 周报写完了吗", mentions=(ME,)),
        line(2, "小红", "那就周五晚上七点聚餐吧"),
        line(3, "李雷", "好的"),
        line(4, "老周", "地点定在三号会议室"),
        line(5, "陈静", "后天上午10点开评审会"),
        line(6, "阿强", "记得把报销单交给财务"),
        line(7, "Tom", "设计稿 https://docs.example.com/d/17"),
        line(8, "晓东", "[文件]", files=("预算.xlsx",)),
    ]
    told = plain_form(gather(_filled(list(marked), 200), ME))
    assert len(told) <= LONGEST
    for words in (
        "找你的",
        "周报写完了吗",
        "周五晚上七点聚餐",
        "1 人附和",
        "三号会议室",
        "10点开评审会",
        "报销单交给财务",
        "https://docs.example.com/d/17",
        "预算.xlsx",
        "200 句",
        "聊到的",
    ):
        assert words in told, told


def test_marked_spans_are_told_whole() -> None:
    """What was decided and planned in the scripted spans stands in the plain form, whatever else was said."""
    for seed in range(60):
        script = scripted(seed)
        told = plain_form(gather(script.lines, ME))
        assert len(told) <= LONGEST
        for one in script.lines:
            if one.id in script.marked:
                assert f"{one.at:%H:%M} {one.name}「{one.text[:9]}" in told, told


def test_what_was_answered_is_not_asked_any_more() -> None:
    asked = line(1, "李雷", "@我 周报呢", mentions=(ME,))
    other = line(2, "小红", "@我 海报好了吗", mentions=(ME,))
    reply = RecordLine("m3", START + timedelta(hours=1), ME, "我", "好了", reply_to="m2")
    assert [each.id for each in gather([asked, other, reply], ME).asked] == ["m1"]
    assert gather([asked, other, reply], "u-小红").asked == ()
    soon = RecordLine("m4", START + timedelta(minutes=4), ME, "我", "马上")
    assert gather([asked, other, soon], ME).asked == ()


def test_a_quote_asks_only_whom_it_quotes() -> None:
    mine = RecordLine("m1", START, ME, "我", "海报做完了")
    quoting = line(2, "小红", "尺寸对吗?", reply_to="m1")
    thanks = line(3, "李雷", "好的", reply_to="m1")
    assert [each.id for each in gather([mine, quoting, thanks], ME).asked] == ["m2"]


def test_our_own_lines_are_context_only() -> None:
    ours = line(1, "秘书", "那就定在周五,见 https://bot.example.com", bot=True)
    assert plain_form(gather([ours], ME)) == NOTHING
    told = plain_form(gather([ours, line(2, "小红", "早")], ME))
    assert "bot.example.com" not in told
    assert "秘书" not in told


def test_days_are_told_where_there_are_several() -> None:
    old = line(1, "小红", "定在周六了", at=START - timedelta(days=1))
    assert "5/19 09:00 小红「定在周六了」" in plain_form(gather([old, line(2, "李雷", "早")]))


def test_a_stretch_is_told_by_words_that_are_new() -> None:
    talk = [
        line(1, "小红", "早上好呀大家"),
        line(2, "李雷", "服务器又宕机了"),
        line(3, "老周", "服务器在重启"),
    ]
    before = {"早上": 500, "上好": 500, "好呀": 500, "大家": 500}
    assert "服务器" in gather(talk, before=before).stretches[0].telling.text


TEXTS = st.one_of(
    st.text(max_size=60), st.sampled_from(["那就周五吧", "好的", "定在周六", "http://a.cn/x", *TALK])
)


@given(
    st.lists(st.tuples(st.sampled_from(NAMES), TEXTS, st.integers(0, 90_000)), max_size=60),
    st.integers(200, 900),
)
def test_never_too_long_and_nothing_but_quotation(talk: list[tuple[str, str, int]], longest: int) -> None:
    at = START.astimezone(ZONE)
    lines: list[RecordLine] = []
    for number, (name, text, later) in enumerate(talk):
        at += timedelta(seconds=later)
        lines.append(line(number, name, text, at=at, mentions=(ME,) if number % 7 == 0 else ()))
    told = plain_form(gather(lines, ME), longest=longest)
    assert 0 < len(told) <= longest
    assert plain_form(gather(lines, ME), longest=longest) == told
