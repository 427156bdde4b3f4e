"""What holds of the decision beside the tables: times carried, who is sure, agents it has never heard of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nonebot_plugin_mishu.agents import Intent
from nonebot_plugin_mishu.core.decision import clauses, read
from nonebot_plugin_mishu.language.clause import Clause, Situation
from nonebot_plugin_mishu.language.match import Match
from nonebot_plugin_mishu.language.recognise.list_marks import parted
from nonebot_plugin_mishu.language.repairs.canonical import canonical
from nonebot_plugin_mishu.language.repairs.self_corrections import repaired
from nonebot_plugin_mishu.language.repairs.shared_nouns import spread
from nonebot_plugin_mishu.language.text.fold import fold
from nonebot_plugin_mishu.language.text.repeats import unrepeated

from .support import AGENTS, DATA, NOW, cases, named, reading

_SAID = [case.said for path in sorted(DATA.glob("*.yaml")) for case in cases(path.name)]
_WORDS = st.sampled_from(
    [*_SAID, "，", "。", "然后", "顺便", " ", "“", "”", "(", "明天", "三点", "35", "的会", "\n"]
)
_TEXTS = st.one_of(st.text(max_size=80), st.lists(_WORDS, max_size=6).map("".join))


@dataclass(frozen=True)
class Desk:
    """An agent that knows one word."""

    code: str
    word: str
    weight: int = 2
    sure: bool = True
    merges: bool = False
    acts: Mapping[str, str] = field(default_factory=dict[str, str])

    def rules(self, clause: Clause) -> Match | None:
        return Match("ask", self.weight, self.sure) if self.word in clause.text else None

    def read(self, intent: str, clause: Clause) -> Mapping[str, Any]:
        return {"intent": intent, "said": clause.text}


CLINIC = (Desk("triage", "挂号"), Desk("smartCS", "停车"), Desk("queue", "几个人"))


def test_a_message_with_three_intents_for_agents_of_another_plugin() -> None:
    """Seed 2, section 8: frames in spoken order, each with its own words."""
    said = "我头痛想挂号，顺便问停车怎么收费，前面还有几个人？"
    found = read(said, Situation(NOW), (*AGENTS, *CLINIC))
    assert named(found) == ["triage/ask", "smartCS/ask", "queue/ask"]
    assert [frame.text for frame in found.frames] == ["我头痛想挂号", "顺便问停车怎么收费", "前面还有几个人?"]
    assert found.frames[0].slots == {"intent": "ask", "said": "我头痛想挂号"}
    assert found.sure


def test_a_blank_beside_latin_words_parts_nothing() -> None:
    """订 A3 会议室 is written so: the order and its thing are one piece, also behind another one."""
    desks = (*AGENTS, Desk("triage", "挂号"), Desk("rooms", "会议室"))
    found = read("我要挂号，顺便订 A3 会议室", Situation(NOW), desks)
    assert [frame.text for frame in found.frames] == ["我要挂号", "顺便订 A3 会议室"]
    assert found.sure


def test_two_agents_that_claim_the_same_clause() -> None:
    one, other = Desk("one", "水"), Desk("other", "水")
    found = read("喝水", Situation(NOW), (one, other))
    assert (named(found), found.sure) == (["one/ask"], False)
    heavier = read("喝水", Situation(NOW), (one, Desk("other", "水", weight=3)))
    assert (named(heavier), heavier.sure) == (["other/ask"], True)
    surer = read("喝水", Situation(NOW), (Desk("one", "水", sure=False), other))
    assert (named(surer), surer.sure) == (["other/ask"], True)


def test_an_unsure_match_is_an_unsure_reading() -> None:
    assert not read("喝水", Situation(NOW), [Desk("one", "水", sure=False)]).sure


@pytest.mark.parametrize(
    ("said", "sure"),
    [
        ("你好", True),
        ("讲个笑话", True),
        ("帮我写首诗", True),
        ("今天好累", False),
        ("明天下午", False),
        ("任务很重啊", False),
        ("这个手机5000太贵了", False),
        ("明天下午三点开会", True),
        ("提醒我明天下午三点开会", True),
        ("午饭35，打车20", True),
        ("这个月花了多少", True),
    ],
)
def test_who_is_sure(said: str, sure: bool) -> None:
    """Talk without a sign of work needs no model, and neither does what the rules vouch for."""
    assert reading(said).sure is sure


def test_a_clause_without_a_date_has_the_one_said_before() -> None:
    first, second = reading("明天三点开会，五点去接孩子").frames
    assert [found.date for found in first.clause.times] == [date(2026, 11, 19)]
    assert [found.date for found in second.clause.times] == [date(2026, 11, 19)]
    (one,) = second.clause.times
    assert second.text[one.span[0] : one.span[1]] == "五点"


def test_amounts_are_those_of_the_clause() -> None:
    first, second = reading("房租1,299，提醒我明天还小王200").frames
    assert [(found.fen, first.text[found.start : found.end]) for found in first.clause.amounts] == [
        (129900, "1,299")
    ]
    assert [found.fen for found in second.clause.amounts] == [20000]


@pytest.mark.parametrize(
    ("said", "pieces"),
    [
        ("午饭35，打车20", ["午饭35", "打车20"]),
        ("1,299的鞋", ["1,299的鞋"]),
        ("12:30吃饭", ["12:30吃饭"]),
        ("提醒我“买菜，做饭”", ["提醒我“买菜,做饭”"]),
        ("早8点的会，明天", ["早8点的会,明天"]),
        ("买菜然后做饭", ["买菜", "然后做饭"]),
        ("买牛奶、鸡蛋和面包", ["买牛奶、鸡蛋和面包"]),
        ("一行\n两行", ["一行", "两行"]),
        ("走吗？走", ["走吗?", "走"]),
        ("", [""]),
    ],
)
def test_where_clauses_begin(said: str, pieces: list[str]) -> None:
    assert [clause.text for clause in clauses(said, Situation(NOW))] == pieces


def test_change_orders_without_a_noun_look_in_open_tasks_first() -> None:
    assert named(reading("改到后天", open_tasks=True)) == ["tasks/update_task"]
    assert named(reading("改到后天")) == ["schedule/edit"]
    assert named(reading("改到后天", private=True)) == ["tasks/update_task"]


def test_a_quoted_message_is_what_is_meant() -> None:
    assert named(reading("记一下", quoted="午饭35")) == ["bookkeeping/record"]
    assert named(reading("提醒我这个", quoted="明天三点交报告")) == ["tasks/create_task"]


@given(_TEXTS)
@settings(max_examples=300)
def test_any_text_gives_frames_that_are_pieces_of_it(text: str) -> None:
    found = reading(text)
    line = canonical(repaired(unrepeated(fold(parted(text)))))  # the marks of a list part what stands in it
    whole = spread(line, Situation(NOW)).text
    assert found.frames
    at = 0
    for frame in found.frames:
        at = whole.index(frame.text, at)  # in spoken order, none twice
        at += len(frame.text)
        for time_said in frame.clause.times:
            assert all(0 <= start <= end <= len(frame.text) for start, end in time_said.spans)
        for amount in frame.clause.amounts:
            assert frame.text[amount.start : amount.end] == amount.text.replace("，", ",")


_WIDE = {ord(" "): "　"} | {code: code + 0xFEE0 for code in range(0x21, 0x7F)}


@given(st.sampled_from([said for said in _SAID if "\n" not in said and "," not in said]))
@settings(max_examples=200)
def test_width_and_invisible_characters_change_nothing(said: str) -> None:
    plain = reading(said)
    wide = reading("​".join(said).translate({code: wide for code, wide in _WIDE.items() if code != 0x2C}))
    assert [(frame.agent_code, frame.intent, frame.text) for frame in wide.frames] == [
        (frame.agent_code, frame.intent, frame.text) for frame in plain.frames
    ]


@pytest.mark.parametrize(
    "piece", ["提醒我明天买菜，", "午饭35，", "(", "“", "明天", "好，", "1", "然后", "改到", "a "]
)
def test_work_is_bounded_however_long_the_text(piece: str) -> None:
    """Rules see each piece once and what was joined once more, as long as it is short."""
    seen: list[int] = []

    class Counting(Desk):
        def rules(self, clause: Clause) -> Match | None:
            seen.append(len(clause.text))
            return None

    read((piece * 10_000)[:10_000], Situation(NOW), [Counting("one", "水")])
    assert len(seen) <= 100
    assert sum(seen) <= 30_000


DOUBTFUL = ("帮我处理一下", "那个弄一下", "把它改了", "麻烦你办一下", "帮我订个外卖", "明天那个", "帮我搞定")
PLAIN_TALK = ("你好", "给我讲个笑话", "帮我写首诗", "你是谁", "为什么天是蓝的", "哈哈", "推荐几本书看看")


@pytest.mark.parametrize("said", DOUBTFUL)
def test_an_order_that_no_rules_place_is_worth_asking_a_model(said: str) -> None:
    assert not reading(said).sure


@pytest.mark.parametrize("said", PLAIN_TALK)
def test_plain_talk_asks_no_model(said: str) -> None:
    assert reading(said).sure


@dataclass(frozen=True)
class Told(Desk):
    """A desk that also says what it is for."""

    intents: tuple[Intent, ...] = (Intent("register", "身体不舒服，想挂号", ("我头痛想挂号",)),)


def test_what_an_agent_says_of_itself_is_worth_asking_a_model() -> None:
    agents = (*AGENTS, Told("triage", "挂号"))
    assert reading("我不舒服").sure
    assert not read("我不舒服", Situation(NOW), agents).sure
    assert read("这歌真好听", Situation(NOW), agents).sure
