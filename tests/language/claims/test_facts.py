"""A claim is true of the thing it names, by what was done, shown or said."""

from __future__ import annotations

import pytest
from nonebot_plugin_mishu.language.claims.facts import TurnAction, TurnFacts
from nonebot_plugin_mishu.truth import LOOKED, kinds_of, named_in

PEOPLE = frozenset({"麦子", "小鹿", "石头", "老白"})
EDITED = TurnAction(kinds_of(["edit"]), "羽毛球 2026-11-21 15:00")
LOOK = TurnAction(kinds_of([LOOKED]))


@pytest.mark.parametrize(
    ("said", "true"),
    [
        ("羽毛球改到周六了", True),
        ("改好了，周六下午三点", True),
        ("评审改到周六了", False),
        ("「评审」改到周六了", False),
        ("羽毛球删掉了", False),
    ],
)
def test_a_deed_is_true_of_its_thing(said: str, true: bool) -> None:
    assert (TurnFacts(deeds=(EDITED,), people=PEOPLE).false_in(said) == ()) is true


def test_a_deed_that_names_nothing_is_of_anything() -> None:
    assert TurnFacts(deeds=(TurnAction(kinds_of(["edit"])),)).false_in("评审改到周六了") == ()


@pytest.mark.parametrize(
    ("said", "true"),
    [
        ("周五晚上八点，剧本杀", True),
        ("小鹿报名了剧本杀", True),
        ("周五七点剧本杀算你一个", False),
        ("麦子已报名", False),
        ("周五晚上有聚餐", False),
    ],
)
def test_what_stands_in_the_prompt_is_true(said: str, true: bool) -> None:
    shown = TurnFacts(kept=("11月20日（周五）20:00 剧本杀（小鹿）",), shown=True, people=PEOPLE)
    assert (shown.false_in(said) == ()) is true


@pytest.mark.parametrize(
    ("facts", "true"),
    [
        (TurnFacts(), False),
        (TurnFacts(kept=(), shown=True), False),
        (TurnFacts(deeds=(LOOK,), looked=True), True),
    ],
)
def test_that_a_member_has_nothing_to_do_needs_a_look(facts: TurnFacts, true: bool) -> None:
    assert (facts.false_in("你明天上午没有安排") == ()) is true


def test_what_a_member_told_is_true_and_what_they_asked_is_not() -> None:
    said = "石头已经还了老白95"
    assert TurnFacts(talk=("石头：那95我还了老白了",), people=PEOPLE).false_in(said) == ()
    assert TurnFacts(talk=("麦子：石头还老白那95了吗",), people=PEOPLE).false_in(said)


def test_no_look_of_ours_tells_the_weather() -> None:
    looked = TurnFacts(deeds=(LOOK,), kept=("周报",), looked=True)
    assert looked.false_in("我查了一下，明天多云")
    assert looked.false_in("明天有雨，12度左右")
    assert TurnFacts(talk=("麦子：明天有雨",)).false_in("明天有雨") == ()
    assert TurnFacts(deeds=(TurnAction(kinds_of(["weather"])),)).false_in("明天有雨") == ()


@pytest.mark.parametrize(
    ("said", "true"),
    [
        ("改好了，也跟客户那边对过了", False),
        ("改好了，钱也给你退回去了", False),
        ("羽毛球改到周六三点了", True),
        ("羽毛球改到周六五点了", False),
        ("打球那天改好了", True),
        ("把石头也加进去了", False),
        ("奶茶那笔也改了", False),
        ("改好了，周报也打印出来了", False),
    ],
)
def test_each_part_of_a_sentence_is_held_against_the_deed(said: str, true: bool) -> None:
    assert (TurnFacts(deeds=(EDITED,), people=PEOPLE).false_in(said) == ()) is true


def test_who_joined_is_signed_up_and_has_bought_nothing() -> None:
    joined = TurnFacts(deeds=(TurnAction(kinds_of(["join"]), "剧本杀"),), people=PEOPLE)
    assert joined.false_in("剧本杀报名成功") == ()
    assert joined.false_in("剧本杀的票买好了")


def test_what_a_member_said_is_told_in_other_words_but_not_the_other_way_round() -> None:
    heard = TurnFacts(talk=("石头：我周六有课", "小鹿：我不去了"), people=PEOPLE)
    assert heard.false_in("石头周六有课，所以来不了") == ()
    assert heard.false_in("石头说他周六请客")


def test_a_clock_time_that_is_not_the_one_kept_is_false() -> None:
    shown = TurnFacts(kept=("11月20日（周五）20:00 剧本杀（小鹿）",), shown=True, people=PEOPLE)
    assert shown.false_in("周五的剧本杀是晚上七点")
    assert shown.false_in("周五的剧本杀是晚上八点") == ()


def test_a_promise_for_a_time_of_day_is_no_word_of_earlier() -> None:
    """上午 and 早上 are times to come as well: 早上9点提醒你 is not told of an earlier deed."""
    earlier = TurnFacts(told=("好，明天08:00提醒你吃药",))
    assert earlier.false_in("好的，早上9点提醒你。")
    assert earlier.false_in("上午十点我叫你")


def test_the_words_of_an_action_name_its_thing() -> None:
    assert (
        named_in({"title": "交报告", "id": 3}, {"days": ["2026-11-20"], "note": None}) == "交报告 2026-11-20"
    )


KEPT = (
    "12月5日（周六）19:00 聚餐，海底捞（麦子、小鹿）",
    "12月2日（周三）10:00 例会\n11月30日 周一 08:00 吃药\n交方案",
)
OURS = (
    "好，11月30日（周一） 08:00提醒你吃药",
    "日程改好了：12月2日 周三 10:00 例会",
    "记好了：打车 20元（交通）",
)
TALK = ("石头：我周五请假", "小鹿：我带我表弟去")
AT_HAND = TurnFacts(kept=KEPT, shown=True, told=OURS, talk=TALK, people=PEOPLE)


@pytest.mark.parametrize(
    "said",
    [
        "例会已经改到周三十点了",
        "打车那20记过啦",
        "放心，都记着呢",
        "放心，吃药的提醒设好了，周一早上八点",
        "到周一早上八点我会叫你吃药的",
        "接下来有两件事：周三例会，周六聚餐",
        "聚餐有两个人了：麦子、小鹿",
        "石头周五请假了",
        "日程上是周六晚上七点",
    ],
)
def test_what_is_kept_or_was_told_is_true_without_a_deed_of_this_turn(said: str) -> None:
    assert AT_HAND.false_in(said) == ()


@pytest.mark.parametrize(
    "said",
    [
        "聚餐取消了",
        "交方案已经完成了",
        "例会改到周四了",
        "周五晚上聚餐",
        "聚餐是周六晚上八点",
        "聚餐有三个人了",
        "周二会提醒你吃药",
        "吃药提醒已经取消了",
        "打车25元记上了",
        "例会在三楼会议室",
        "石头周六请假了",
        "小鹿不来了",
        "海底捞订好了",
        "好，早上八点叫你起床",
        "收到，记下了",
    ],
)
def test_a_day_a_clock_a_sum_or_a_deed_that_is_not_so_is_false(said: str) -> None:
    assert AT_HAND.false_in(said)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("小鹿：秘书 帮我把周五的评审会取消了", "好的，周五的评审会已经取消了。"),
        ("小鹿：秘书 提醒我明天八点吃药", "好的，明天八点提醒你吃药。"),
        ("小鹿：午饭35", "记好了，午饭35元。"),
        ("小鹿：会议改到周五三点", "会议已经改到周五三点了。"),
        ("小鹿：秘书 帮我跟石头说明天开会", "已经通知石头明天开会了。"),
        ("小鹿：把买菜那条删了", "买菜那条删了。"),
    ],
)
def test_what_a_line_asks_for_is_not_done_by_being_asked(asked: str, said: str) -> None:
    facts = TurnFacts(talk=(asked,), shown=True, people=PEOPLE)
    assert facts.false_in(said)
