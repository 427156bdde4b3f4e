"""Forms: what they accept, what their slots take, and what is wrong with one that cannot be read."""

from __future__ import annotations

import pytest
from nonebot_plugin_mishu.language import Form, FormError, Grammar, Thing, tokens
from nonebot_plugin_mishu.language.lexicon import build

SMALL = build(
    [
        ("remind", "reminds", "提醒 叫"),
        ("self", "me", "我"),
        ("courtesy", "please", "请 谢谢"),
        ("negation", "no", "不 别"),
        ("change", "changes", "改到 挪"),
        ("action", "does", "买 带"),
    ]
)
TIME = frozenset({"time"})


def grammar(*forms: str) -> Grammar:
    """A grammar of some forms, read by their numbers."""
    return Grammar(
        [Form(str(number), form) for number, form in enumerate(forms)],
        SMALL,
        things=[TIME],
        passes=["courtesy"],
        borders=["action"],
        hard_borders=["negation", "change", "time"],
    )


def fits(line: str, *forms: str, times: tuple[str, ...] = ()) -> list[tuple[str, dict[str, str]]]:
    """What fits a line, with the text of each slot."""
    things = [Thing(line.index(time), line.index(time) + len(time), TIME, time) for time in times]
    found = grammar(*forms).fits(line, tokens(line, SMALL, things))
    return [
        (fit.form.reads, {name: line[held[0].start : held[-1].end] for name, held in fit.slots.items()})
        for fit in found
    ]


def test_a_slot_keeps_what_it_took() -> None:
    found = fits("请明天提醒我带相机", "<when:time>* remind self <title:%+>", times=("明天",))
    assert found == [("0", {"when": "明天", "title": "带相机"})]


def test_a_form_fits_the_whole_line_or_not_at_all() -> None:
    assert fits("提醒我", "remind self") == [("0", {})]
    assert fits("他提醒我", "remind self") == []
    assert fits("提醒我吧", "remind self") == []


def test_no_slot_takes_what_changes_or_negates() -> None:
    assert fits("提醒我羽毛球挪", "remind self <title:%+>") == []
    assert fits("提醒我别买", "remind self <title:%+>") == []


def test_the_soft_border_holds_only_for_the_soft_slot() -> None:
    assert fits("提醒我买菜", "remind self <title:%+>") == [("0", {"title": "买菜"})]
    assert fits("提醒我买菜", "remind self <title:~+>") == []


def test_courtesy_is_passed_over_wherever_it_stands_and_negation_never() -> None:
    for line in ("请提醒我", "提醒谢谢我", "提醒我谢谢"):
        assert fits(line, "remind self") == [("0", {})]
    assert fits("别提醒我", "remind self") == []


def test_a_word_may_be_named_itself() -> None:
    assert fits("叫我", '"叫" self') == [("0", {})]
    assert fits("提醒我", '"叫" self') == []


def test_the_heavier_form_comes_first_then_the_earlier() -> None:
    forms = [Form("a", "remind self"), Form("b", "remind self", 2), Form("c", "remind self")]
    found = Grammar(forms, SMALL).fits("提醒我", tokens("提醒我", SMALL))
    assert [fit.form.reads for fit in found] == ["b", "a", "c"]


def test_a_blank_is_a_pause_only_where_one_is_needed() -> None:
    assert fits("提醒 我", "remind self") == [("0", {})]
    assert fits("提醒 我", "remind pause self") == [("0", {})]


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ("remind nobody", "nobody"),
        ("remind (self", "missing"),
        ("remind self)", r"'\)'"),
        ("* self", r"'\*'"),
        ("remind §", "§"),
    ],
)
def test_a_form_that_cannot_be_read_says_why(form: str, told: str) -> None:
    with pytest.raises(FormError, match=told):
        grammar(form)
