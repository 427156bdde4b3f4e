"""Lines about polls: orders, voices, lists; and that talk is none of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.core.situation import situation, whole
from nonebot_plugin_mishu.language.polls.lists import read_list
from nonebot_plugin_mishu.language.polls.naming import numbered
from nonebot_plugin_mishu.language.polls.orders import MOST_OPTIONS, PollDraft, PollOrder, read_order
from nonebot_plugin_mishu.language.polls.picked import (
    PickedWords,
    asked_of,
    change_of,
    draft_of,
    line_of,
    options_answered,
    poll_meant,
)
from nonebot_plugin_mishu.language.polls.poll import OpenPoll
from nonebot_plugin_mishu.language.polls.results import chosen, dated
from nonebot_plugin_mishu.language.polls.voices import FRESH, MOST_EACH, read_named, read_voice

ZONE = ZoneInfo("Asia/Shanghai")
AT = datetime(2026, 11, 18, 10, tzinfo=ZONE).timestamp()
WHERE = situation(AT, ZONE)
ROWS: dict[str, list[dict[str, Any]]] = yaml.safe_load(
    (Path(__file__).parent / "data" / "polls.yaml").read_text(encoding="utf-8")
)
POLLS = {
    "vote": OpenPoll(1, "vote", "周六还是周日", ("周六", "周日"), AT),
    "signup": OpenPoll(2, "signup", "周六羽毛球", (), AT),
    "count": OpenPoll(3, "count", "谁要订盒饭", (), AT),
}
CORPUS = Path(__file__).parents[1] / "corpus"


@pytest.mark.parametrize("row", ROWS["orders"], ids=lambda row: row["say"])
def test_orders(row: dict[str, Any]) -> None:
    found = read_order(whole(row["say"], WHERE), list(POLLS.values()))
    if row.get("none"):
        assert found is None
        return
    closes = row.get("closes")
    assert found is not None
    if "wrong" not in row:
        assert found.closes_at == (datetime.fromisoformat(closes).replace(tzinfo=ZONE) if closes else None)
        assert not found.why
    if "order" in row:
        assert isinstance(found, PollOrder)
        assert (found.kind, found.places) == (row["order"], row.get("limit"))
        assert found.options == tuple(row.get("options", ()))
        assert (found.question, found.unlimited) == (row.get("about", ""), row.get("unlimited", False))
        return
    assert isinstance(found, PollDraft)
    assert found.form == row["make"]
    if "wrong" in row:
        assert row["wrong"] in found.why
        return
    assert (found.question, found.options) == (row["question"], tuple(row.get("options", ())))
    assert (found.places, found.anonymous) == (row.get("limit"), row.get("anonymous", False))
    assert (found.several, found.call_ahead) == (row.get("several", False), row.get("ahead"))


@pytest.mark.parametrize("form", POLLS)
@pytest.mark.parametrize("row", ROWS["voices"], ids=lambda row: row["say"])
def test_voices(row: dict[str, Any], form: str) -> None:
    found = read_voice(whole(row["say"], WHERE).text, [POLLS[form]], AT)
    if form not in row:
        assert found is None
        return
    assert found is not None
    poll, voice = found
    assert poll.form == form
    assert voice.names == ((row["for"],) if "for" in row else ())
    if row[form] == "?":
        assert voice.relation == "unclear"
        assert voice.why
    elif row[form] == 0:
        assert voice.relation == "leave"
    else:
        assert voice.relation == "take"
        assert (voice.choice + 1 if voice.choice is not None else voice.amount) == row[form]


@pytest.mark.parametrize("row", ROWS["lists"], ids=lambda row: row["say"][:20])
def test_lists(row: dict[str, Any]) -> None:
    found = read_list(whole(row["say"], WHERE).text)
    if "names" not in row:
        assert found is None
        return
    assert found is not None
    assert (found.title, [each.name for each in found.entries]) == (row["title"], row["names"])
    assert [each.amount for each in found.entries] == row["amounts"]


SEVERAL = OpenPoll(6, "vote", "哪天有空", ("周五", "周六", "周日"), AT, several=True)


@pytest.mark.parametrize(
    ("say", "choices"),
    [
        ("1和3", (0, 2)),
        ("周五周六都行", (0, 1)),
        ("123", (0, 1, 2)),
        ("1 2", (0, 1)),
        ("2", (1,)),
        ("都可以", (0, 1, 2)),
        ("后两个都行", (1, 2)),
        ("前两个", (0, 1)),
        ("除了周五都可以", (1, 2)),
    ],
)
def test_of_a_vote_with_several_voices_all_that_are_named_count(say: str, choices: tuple[int, ...]) -> None:
    found = read_voice(say, [SEVERAL], AT)
    assert found is not None
    assert (found[1].relation, found[1].choices) == ("take", choices)


@pytest.mark.parametrize(
    ("say", "form", "amount"), [("再加一杯", "count", 1), ("我减一份", "count", -1), ("加一个", "signup", 1)]
)
def test_what_is_added_to_a_kept_number_is_told_apart(say: str, form: str, amount: int) -> None:
    found = read_voice(say, [POLLS[form]], AT)
    assert found is not None
    assert (found[1].more, found[1].amount) == (True, amount)


def test_not_going_takes_a_voice_of_a_vote_back_only_where_there_is_one() -> None:
    poll = POLLS["vote"]
    given = OpenPoll(poll.id, poll.form, poll.question, poll.options, AT, given=True)
    assert read_voice("我不去了", [poll], AT) is None
    assert read_voice("我不去了", [given], AT)[1].relation == "leave"  # type: ignore[index]


def strictly(poll: OpenPoll, **changed: Any) -> OpenPoll:
    return OpenPoll(poll.id, poll.form, poll.question, poll.options, changed.get("at", AT), strict=True)


@pytest.mark.parametrize(
    ("say", "fresh", "stale"),
    [
        ("2", True, False),
        ("周日", True, False),
        ("投2", True, True),
        ("换成周日", True, False),
        ("3", False, False),
    ],
)
def test_a_bare_voice_said_to_nobody_counts_while_the_poll_is_fresh(
    say: str, fresh: bool, stale: bool
) -> None:
    for at, counts in ((AT, fresh), (AT - FRESH - 1, stale)):
        assert (read_voice(say, [strictly(POLLS["vote"], at=at)], AT) is not None) == counts


def test_a_bare_word_beside_an_at_is_said_to_them_and_also_going_is_their_voice() -> None:
    assert read_voice("周日", [strictly(POLLS["vote"])], AT, mentioned=True) is None
    assert read_voice("也去", [strictly(POLLS["signup"])], AT, mentioned=True) is not None


def test_of_several_the_one_touched_last_has_it_and_a_clear_voice_goes_first() -> None:
    older = OpenPoll(4, "vote", "吃什么", ("火锅", "烤肉"), AT - 60)
    assert read_voice("2", [older, POLLS["vote"]], AT)[0].id == 1  # type: ignore[index]
    assert read_voice("火锅", [older, POLLS["vote"]], AT)[0].id == 4  # type: ignore[index]
    assert read_voice("+1", [POLLS["vote"], OpenPoll(5, "signup", "爬山", (), AT - 60)], AT)[0].id == 5  # type: ignore[index]


OPTION = st.text("周六日火锅烤肉西湖灵隐上下午晚甲乙丙丁", min_size=1, max_size=4)


@given(st.lists(OPTION, min_size=2, max_size=6, unique=True), st.data())
def test_every_option_is_answered_by_its_number_and_where_it_is_no_other_word_by_its_name(
    options: list[str], data: st.DataObject
) -> None:
    poll = OpenPoll(1, "vote", "选哪个", tuple(options), AT)
    at = data.draw(st.integers(0, len(options) - 1))
    for say in (str(at + 1), f"选{at + 1}", f"第{at + 1}个", options[at], f"投{options[at]}"):
        found = read_voice(say, [poll], AT)
        assert found is not None, say
        assert (found[1].relation, found[1].choice) == ("take", at), say


@given(st.text(max_size=60), st.sampled_from(sorted(POLLS)))
def test_whatever_is_said_a_voice_is_in_range(say: str, form: str) -> None:
    found = read_voice(say, [POLLS[form]], AT)
    if found is not None and found[1].relation == "take":
        choice, amount = found[1].choice, found[1].amount
        assert choice is None or 0 <= choice < 2
        assert 1 <= amount <= MOST_EACH


@given(st.lists(OPTION, min_size=2, max_size=MOST_OPTIONS, unique=True))
def test_a_numbered_vote_has_the_options_it_lists(options: list[str]) -> None:
    listed = " ".join(f"{at}.{each}" for at, each in enumerate(options, 1))
    found = read_order(whole(f"投票：选哪个 {listed}", WHERE))
    assert isinstance(found, PollDraft)
    assert found.options == tuple(options)


@pytest.mark.parametrize(
    ("question", "options", "won", "told"),
    [
        ("周六还是周日去爬山", ("周六", "周日"), "周六", "周六去爬山"),
        ("团建去哪", ("西湖", "灵隐"), "灵隐", "灵隐 团建去哪"),
        ("火锅、烤肉", ("火锅", "烤肉"), "烤肉", "烤肉"),
        ("下周六还是周日去爬山", ("下周六", "下周日"), "下周日", "下周日去爬山"),
    ],
)
def test_the_winner_stands_in_the_place_of_all(
    question: str, options: tuple[str, ...], won: str, told: str
) -> None:
    assert chosen(question, options, won) == told


def test_a_day_of_a_poll_is_the_one_that_was_meant_when_it_was_made() -> None:
    made, later = datetime(2026, 11, 20, 10, tzinfo=ZONE), datetime(2026, 11, 23, 10, tzinfo=ZONE)
    assert dated("下周日爬山", made, made, ZONE) == "下周日爬山"
    assert dated("下周日下午三点爬山", made, later, ZONE) == "11月29日 15:00爬山"


def lines_among_members() -> list[str]:
    """Talk and plans of the corpus, none of them about a poll."""
    found: list[str] = []
    for path in sorted(CORPUS.glob("*/*.yaml")):
        rows = yaml.safe_load(path.read_text(encoding="utf-8"))
        if path.stem != "polls":
            found += [str(row["say"]) for row in rows if "overheard" in row or row.get("do") == "talk"]
    return found


def test_talk_of_the_corpus_is_no_voice_no_list_and_makes_no_poll() -> None:
    polls = [strictly(each) for each in POLLS.values()]
    said = [say for say in lines_among_members() if not say.isdigit()]
    wrong = [say for say in said if read_voice(say, polls, AT) is not None]
    made = [say for say in said if read_order(whole(say, WHERE)) is not None]
    assert (wrong, made) == ([], [])


NAMED_FIRST = {
    "阿凯选周日": ("vote", "take"),
    "给队长也报上": ("signup", "take"),
    "替队长退了": ("signup", "leave"),
    "把老周去掉": ("signup", "leave"),
    "老周也去不了了 去掉他": ("signup", "leave"),
    "帮月月再加一杯": ("count", "take"),
}


@pytest.mark.parametrize("say", NAMED_FIRST)
def test_a_line_said_to_us_may_tell_of_a_member(say: str) -> None:
    form, relation = NAMED_FIRST[say]
    names = ("阿凯", "队长", "老周", "月月")
    found = read_voice(say, [POLLS[form]], AT, names=names)
    assert found is not None
    assert found[1].relation == relation
    assert found[1].names[0] in say


def test_talk_of_a_member_that_nobody_said_to_us_is_no_voice() -> None:
    strict = replace(POLLS["signup"], strict=True)
    assert read_voice("老周去不了了", [strict], AT, names=("老周",)) is None


def test_a_sign_up_knows_the_verb_of_its_question() -> None:
    poll = OpenPoll(7, "signup", "端午谁留校", (), AT)
    said = {"我留": "take", "留校+1": "take", "不留": "leave", "我不留校": "leave"}
    for say, relation in said.items():
        found = read_voice(say, [poll], AT)
        assert found is not None, say
        assert found[1].relation == relation, say


def test_a_weekday_of_a_result_lies_behind_the_end() -> None:
    made = datetime(2026, 11, 28, 14, 40, tzinfo=ZONE)
    ends = datetime(2026, 12, 3, 23, 59, tzinfo=ZONE)
    assert dated("周六剧本杀", made, made, ZONE, ends) == "12月5日剧本杀"
    assert dated("周六剧本杀", made, made, ZONE) == "周六剧本杀"


def in_it(poll: OpenPoll) -> OpenPoll:
    return replace(poll, given=True)


@pytest.mark.parametrize(
    ("say", "more", "amount"),
    [
        ("家属不来了", False, 1),
        ("家属不来", False, 1),
        ("我弟不来了", True, -1),
        ("我朋友不来了 就我一个", False, 1),
        ("就我", False, 1),
    ],
)
def test_whom_one_brought_comes_no_more_and_oneself_does(say: str, more: bool, amount: int) -> None:
    found = read_voice(say, [in_it(POLLS["signup"])], AT)
    assert found is not None
    assert (found[1].relation, found[1].more, found[1].amount) == ("take", more, amount)
    assert found[1].stays == more
    named = OpenPoll(7, "signup", "周日爬山,每人只能带一个家属", (), AT)
    assert read_named(whole("家属不来了", replace(WHERE, polls=(named,))), [named]) is None


def test_the_voice_of_another_and_a_place_given_away_name_them() -> None:
    like = read_voice("跟老猫一样", [POLLS["vote"]], AT, names=("老猫",))
    assert like is not None
    assert like[1].like == "老猫"
    assert read_voice("跟昨天一样", [POLLS["vote"]], AT, names=("老猫",)) is None
    gone = read_voice("我去不了了 让给大刘", [POLLS["signup"]], AT, names=("大刘",))
    assert gone is not None
    assert (gone[1].relation, gone[1].others) == ("leave", ("大刘",))


@pytest.mark.parametrize(
    ("say", "poll", "rest"),
    [("统计3结束", 3, "统计结束"), ("报名2关掉", 2, "报名关掉"), ("投票1选周六", 1, "投票选周六")],
)
def test_a_poll_is_named_by_the_number_on_its_card(say: str, poll: int, rest: str) -> None:
    found = numbered(whole(say, WHERE), list(POLLS.values()))
    assert found is not None
    assert (found.poll.id, found.rest.text) == (poll, rest)


@pytest.mark.parametrize("say", ["报名2个", "报名2", "统计9结束", "投票2选周六"])
def test_a_number_that_is_none_of_a_card_names_no_poll(say: str) -> None:
    assert numbered(whole(say, WHERE), list(POLLS.values())) is None


EAT = "爬完山吃啥，铜锅涮肉、烤鸭还是农家乐，大伙儿挑挑，明儿晚上十点前见分晓，别让人看见谁选的"


def test_a_draft_is_made_of_words_that_stand_in_the_line() -> None:
    line = line_of(EAT, WHERE)
    slots = {"kind": "投票", "question": "爬完山吃啥", "options": "铜锅涮肉、烤鸭、农家乐、火锅"}
    slots |= {"closes_at": "明儿晚上十点前", "anonymous": "别让人看见谁选的", "limit": "7个"}
    made = draft_of(PickedWords.of(slots, line), line)
    assert (made.form, made.question) == ("vote", "爬完山吃啥")
    assert made.options == ("铜锅涮肉", "烤鸭", "农家乐")
    assert made.closes_at == datetime(2026, 11, 19, 22, tzinfo=ZONE)
    assert (made.anonymous, made.places, made.why) == (True, None, "")
    invented = draft_of(PickedWords.of({"question": "去哪唱歌", "options": "麦霸、欢乐迪"}, line), line)
    assert (invented.question, invented.options) == ("", ())


@pytest.mark.parametrize(
    ("kind", "question", "form"),
    [
        ("报名", "5号哪几个有空去爬山", "signup"),
        ("", "谁去爬山", "signup"),
        ("统计", "奶茶要几杯", "count"),
        ("统计", "几个人吃饭", "signup"),
        ("投票", "周末哪半天凑得齐", "vote"),
    ],
)
def test_the_kind_of_a_draft_is_told_or_follows_from_its_question(
    kind: str, question: str, form: str
) -> None:
    line = line_of(f"你替我问问大伙{question}", WHERE)
    assert draft_of(PickedWords.of({"kind": kind, "question": question}, line), line).form == form


def test_a_change_is_made_of_words_that_stand_in_the_line() -> None:
    line = line_of("报名的标题太长，改成香山爬山，名额卡死7个哈", WHERE)
    order = change_of(PickedWords.of({"question": "香山爬山", "limit": "7个"}, line), line, POLLS["signup"])
    assert order is not None
    assert (order.question, order.places, order.poll) == ("香山爬山", 7, POLLS["signup"].id)
    assert change_of(PickedWords.of({"limit": "9个"}, line), line, POLLS["signup"]) is None


def test_the_poll_that_a_model_means_is_by_number_by_name_or_the_only_one_of_its_kind() -> None:
    polls = tuple(POLLS.values())
    assert poll_meant("3", "", line_of("名额卡死7个", WHERE), polls) == POLLS["count"]
    assert poll_meant("", "", line_of("羽毛球那个还差谁", WHERE), polls) == POLLS["signup"]
    assert poll_meant("", "", line_of("那个报名还差谁", WHERE), polls) == POLLS["signup"]
    assert poll_meant("", "", line_of("那个还差谁", WHERE), polls) is None


def test_what_a_line_asks_of_a_poll_is_read_from_its_end() -> None:
    assert asked_of(line_of("饭局那投票还有谁没投啊", WHERE), POLLS["vote"]).kind == "missing"
    assert asked_of(line_of("饭局那投票咋样了啊", WHERE), POLLS["vote"]).kind == "show"


def test_options_that_were_asked_for_are_a_list_and_no_sentence() -> None:
    assert options_answered(line_of("火锅、烤肉还是日料", WHERE)) == ("火锅", "烤肉", "日料")
    assert options_answered(line_of("明天下午三点开会讨论年会的事，记得都带上电脑和充电器", WHERE)) == ()
