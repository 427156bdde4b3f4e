"""The agent `triage`: asks what hurts and for how long, then names a department and takes a number."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from nonebot_plugin_mishu.agents import (
    AgentSpec,
    AnswerMatch,
    Clause,
    FrameRecord,
    Intent,
    Match,
    Priority,
    Slot,
    TaskContext,
    TaskDispatch,
    TaskResult,
)

from .departments import (
    answered_duration,
    corrected_symptom,
    department,
    duration,
    only_symptom,
    symptom,
)
from .waiting import WaitingRoom

_REGISTERS = re.compile(r"挂(?:个|一个)?号|看(?:个)?(?:医生|病|门诊)|挂(?:什么|哪个|哪一个)科|就诊|导诊|分诊")
_ASKS_HOW = re.compile(r"(?:怎么|在哪|哪里|哪儿|多少钱).{0,3}挂号|挂号(?:怎么|在哪|费|多少|要多少|贵)")
_NO_MORE = re.compile(
    r"(?:不|别|先不|暂时不)(?:用|要|想|需要|打算)?(?:再|给我|帮我|去)?(?:挂(?:个|这个)?号?|看(?:医生|病|门诊|了)|就诊)了?|不挂了|"
    r"(?:取消|撤销|退掉?)(?:我的?|这个|刚才的)*挂?号|(?<!的)挂号(?:就|先|也|给我|帮我)*(?:取消|撤销|退|算)(?:掉|了)?"
)
_OTHERS = re.compile(r"的挂号.{0,4}(?:取消|撤|退)|(?:取消|撤销|退掉?).{1,6}的挂?号")
"""The registering of somebody else, which is nobody's business here."""
_QUESTIONS = {"symptom": "请问哪里不舒服？", "duration": "请问{symptom}持续多久了？"}

_BESIDE = re.compile(r"算了|那|就|还是|我|先|吧|了|谢谢|[,，。.!！~ ]")


def triage_spec(room: WaitingRoom) -> AgentSpec:
    """The agent `triage`: a member's one focus, class 2."""

    def rules(clause: Clause) -> Match | None:
        if any(pattern.search(clause.text) for pattern in (_ASKS_HOW, _NO_MORE, _OTHERS)):
            return None
        if _REGISTERS.search(clause.text):
            return Match("register", weight=3)
        return Match("register", weight=2) if symptom(clause.text) else None

    def read(intent: str, clause: Clause) -> Mapping[str, Any]:
        found = {"symptom": symptom(clause.text), "duration": duration(clause.text)}
        return {name: value for name, value in found.items() if value is not None}

    def answers(frame: FrameRecord, clause: Clause) -> AnswerMatch | None:
        """An answer says what was asked for, corrects it, or calls the visit off; a new visit is none."""
        if _NO_MORE.search(clause.text):
            plain = "挂" in clause.text and not _BESIDE.sub("", _NO_MORE.sub("", clause.text))
            return None if plain else AnswerMatch("cancel")  # the core hears a plain 不挂了 by itself
        if _REGISTERS.search(clause.text):
            return None
        instead, how_long = corrected_symptom(clause.text), duration(clause.text)
        if instead is not None:
            return AnswerMatch(
                "corrects", {"symptom": instead, **({"duration": how_long} if how_long else {})}
            )
        if "symptom" in frame.missing_slots:
            what = symptom(clause.text)
            found = {"symptom": what, **({"duration": how_long} if how_long else {})}
            return (
                AnswerMatch("fills", found, weak=not only_symptom(clause.text)) if what is not None else None
            )
        named, asked = symptom(clause.text), str(frame.slots.get("symptom", ""))
        if named is not None and department(named) != department(asked):
            return None  # 孩子咳嗽两天了, while a headache is asked about
        answered = answered_duration(clause.text)
        return AnswerMatch("fills", {"duration": answered}) if answered is not None else None

    async def handle(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        if context.bound is not None and context.bound.relation == "cancel":
            return TaskResult(dispatch.task_id, "canceled", user_response="好，先不挂号了。")
        filled = dict(dispatch.slots)
        if context.bound is not None:
            filled.update(context.bound.slots)
        missing = tuple(name for name in ("symptom", "duration") if not filled.get(name))
        if missing:
            question = _QUESTIONS[missing[0]].format(symptom=filled.get("symptom", ""))
            return TaskResult(
                dispatch.task_id,
                "awaiting_user",
                slots_update=filled,
                missing_slots=missing,
                user_response=question,
            )
        where = department(str(filled["symptom"]))
        ahead = room.take_number(dispatch.conversation_id, where, context.actor.user_id)
        return TaskResult(
            dispatch.task_id,
            "completed",
            slots_update={**filled, "department": where},
            user_response=f"{filled['symptom']}（{filled['duration']}），建议看{where}，已经取号，"
            f"前面还有 {ahead} 个人。如果突然加重，请马上去急诊。",
        )

    return AgentSpec(
        code="triage",
        name="导诊",
        intents=(
            Intent(
                "register",
                "身体不舒服，想挂号或问挂什么科",
                ("我头痛想挂号", "肚子疼挂什么科"),
                own_mood=True,
            ),
        ),
        boundary="只问症状和时间、推荐科室、取号；不诊断，不开药，不答收费和停车。",
        handler=handle,
        rules=rules,
        read=read,
        answers=answers,
        slots=(
            Slot("symptom", "请问哪里不舒服？", required=True),
            Slot("duration", "请问持续多久了？", required=True),
        ),
        priority=Priority.FOCUS,
        merges=True,
        focus=True,
    )
