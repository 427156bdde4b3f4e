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
from nonebot_plugin_mishu.language.polls.orders import MOST_OPTIONS, PollDraft, PollOrder, read_order
from nonebot_plugin_mishu.language.polls.poll import OpenPoll
from nonebot_plugin_mishu.language.polls.results import chosen, dated
from nonebot_plugin_mishu.language.polls.voices import FRESH, MOST_EACH, read_voice

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
