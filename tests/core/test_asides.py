"""A yes that deletes counts right behind its question only."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from nonebot_plugin_mishu.agents import AgentSpec, AnswerMatch
from nonebot_plugin_mishu.core.answers.asides import Asides
from nonebot_plugin_mishu.core.situation import situation
from test_alignment import spec, waiting

WHERE = situation(1_763_431_200.0, ZoneInfo("Asia/Shanghai"))
GRAVE = AnswerMatch("confirm", grave=True)


class Desks(dict[str, AgentSpec]):
    """Specs by code, as the core knows them."""


def desks(bound: AnswerMatch) -> Desks:
    return Desks(triage=spec(answers=lambda frame, clause: bound if clause.text == "确认" else None))


def test_a_yes_behind_something_else_does_not_count() -> None:
    asides, task = Asides(), waiting()
    assert not asides.comes_between(task, GRAVE)
    asides.note([task], desks(GRAVE), WHERE)  # type: ignore[arg-type]
    assert asides.comes_between(task, GRAVE)
    assert not asides.comes_between(task, AnswerMatch("deny"))
    asides.forget(task)
    assert not asides.comes_between(task, GRAVE)


def test_a_question_that_deletes_nothing_keeps_its_yes() -> None:
    asides, task = Asides(), waiting()
    asides.note([task], desks(AnswerMatch("confirm")), WHERE)  # type: ignore[arg-type]
    assert not asides.comes_between(task, GRAVE)


def test_a_nod_behind_talk_of_the_thing_itself_does_not_count() -> None:
    asides, task, yes = Asides(), waiting(), AnswerMatch("confirm")
    asides.note([task], desks(yes), WHERE, task.text)  # type: ignore[arg-type]
    assert asides.comes_between(task, yes, "对的")
    assert not asides.comes_between(task, yes, "确认")


def test_a_nod_behind_what_somebody_else_asked_does_not_count() -> None:
    asides, task, yes = Asides(), waiting(), AnswerMatch("corrects", consents=True)
    asides.asked_by_another([task], "地方还是奥体吗")
    assert asides.comes_between(task, yes, "嗯")
    assert not asides.comes_between(task, AnswerMatch("corrects"), "嗯")
    asides.forget(task)
    assert not asides.comes_between(task, yes, "嗯")
