"""Prompt of the chat agent: rules and persona, the frozen talk with speakers kept apart, then facts as
quotations and the lines to be answered. What never changes (`prompts/chat_reply.md`) stands first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from ...language.clause import KeptThing
from ...llm import ChatMessage
from ...memory import Transcript, TranscriptLine, clean_name, one_line, quoted
from ...prompts import parts as documents
from ...prompts.quoting import LINE, QUOTE
from ..api.judgement import Judgement
from ..api.request import Request
from ..api.task_context import TaskContext

NAME: Final = "chat_reply"
DATA: Final = documents(NAME)["data"]
"""Head of what stands behind the talk; no line of a member's begins like it."""
_PERSONA: Final = 1000
"""Characters of a persona: as many as the command takes."""
_MOST: Final = 24
"""Plans, earlier lines and results of other parts that are shown."""
_WEEKDAYS: Final = "一二三四五六日"


@dataclass(frozen=True, slots=True)
class ChatFacts:
    """Facts for chat besides the talk."""

    now: datetime
    coming: tuple[str, ...] | None
    """Plans here, a line each; None where they could not be read."""
    sees: bool
    """Pictures are described."""
    crisis: str = ""
    """Words of help in despair."""


def messages(
    context: TaskContext,
    transcript: Transcript,
    judgement: Judgement | None,
    default_name: str,
    facts: ChatFacts,
) -> list[ChatMessage]:
    """The conversation for `chat_reply`: our words in one system message, then the talk as alternating turns,
    and at its end facts and the lines to be answered.

    Nothing that a person wrote stands in the system message but the persona, which the group's admins set to
    be followed, and that as a quotation.
    """
    turns = _turns(transcript.lines)
    at_hand = _write_task(context, transcript, judgement, facts)
    if turns and turns[-1].role == "user":
        at_hand = f"{turns.pop().text}\n\n{at_hand}"
    return [
        ChatMessage("system", _system(context.request, default_name, facts)),
        *turns,
        ChatMessage("user", at_hand),
    ]


def _system(request: Request, default_name: str, facts: ChatFacts) -> str:
    told = documents(NAME)
    parts = [told["rules"], told["abilities"], told["sees" if facts.sees else "blind"]]
    if facts.crisis:
        parts.append(told["crisis"].format(words=facts.crisis))
    if request.persona:
        parts.append(told["set_persona"].format(persona=one_line(request.persona, _PERSONA)))
    else:
        parts.append(told["persona"].format(name=clean_name(default_name)))
    return "\n\n".join([*parts, told[request.reply_mode]])


def _write_task(
    context: TaskContext, transcript: Transcript, judgement: Judgement | None, facts: ChatFacts
) -> str:
    """Text behind the talk: facts as quotations, and the lines to be answered."""
    request = context.request
    lines = [DATA, *_list_facts(facts), *_list_earlier_talk(context.history, transcript)]
    if context.told:
        said = "".join(quoted(each, QUOTE) for each in context.told[:_MOST])
        lines.append(f"同一条回复里已经写好了别的事的结果，不用再提：{said}")
    if judgement is not None:
        strategy = judgement.reply_strategy if judgement.should_reply else ""
        advice = {"策略": strategy, "话题": judgement.topic, "对象": judgement.reply_target}
        given = "；".join(f"{name}{quoted(value)}" for name, value in advice.items() if value)
        if given:
            lines.append(f"对这段对话的判断（供参考）：{given}")
    wanted = _targets(request, transcript)
    if context.partial:
        wanted.append(f"那条消息里别的事有人在办，你只回应这一部分：{quoted(context.text, LINE)}")
    wanted.extend(_since(request, transcript))
    return "\n".join([*lines, *([documents(NAME)["wanted"], *wanted] if wanted else [])])


def kept_lines(coming: Sequence[str], things: Sequence[KeptThing]) -> tuple[str, ...]:
    """Stored items of the speaker: the plans to come, and with the last of them their other items
    (记着呢，周五换驾照). As many lines as plans are shown, since a reply may count them."""
    own = [_line_of(each) for each in things if each.name]
    if not own:
        return tuple(coming)
    return (*coming[:-1], "\n".join((*coming[-1:], *own)))


def _line_of(thing: KeptThing) -> str:
    """A kept thing as a line: its name and when it is."""
    if thing.at is None:
        return thing.name
    day = f"{thing.at.month}月{thing.at.day}日 周{_WEEKDAYS[thing.at.weekday()]}"
    return (
        f"{day} {thing.at:%H:%M} {thing.name}"
        if (thing.at.hour or thing.at.minute)
        else f"{day} {thing.name}"
    )


def _list_facts(facts: ChatFacts) -> list[str]:
    now = facts.now
    today = f"现在是{now.year}年{now.month}月{now.day}日，星期{_WEEKDAYS[now.weekday()]}，{now:%H:%M}。"
    if facts.coming is None:
        return [today]
    if not facts.coming:
        return [today, "往后两周这里没有记着的安排。"]
    return [today, "这里记着的安排（往后两周）：", *(quoted(each) for each in facts.coming[:_MOST])]


def _list_earlier_talk(history: Sequence[ChatMessage], transcript: Transcript) -> list[str]:
    """Earlier talk with this member (M1), without lines that the current talk shows."""
    shown = [line.text for line in transcript.lines]
    who = {"user": "对方", "assistant": "你", "system": "此前摘要"}
    lines = [
        f"{who[said.role]}{quoted(said.text)}"
        for said in history[-_MOST:]
        if said.role in who and not any(said.text.strip() in line for line in shown)
    ]
    return ["你和对方早先说过（不是现在的要求）：", *lines] if lines else []


def _since(request: Request, transcript: Transcript) -> list[str]:
    """That we spoke after the message to be answered: it waited, and perhaps it is answered already."""
    numbers = [transcript.number(said.message.message_id) for said in request.utterances]
    newest = max((number for number in numbers if number is not None), default=None)
    if newest is None or not any(line.is_bot and line.id > newest for line in transcript.lines):
        return []
    return ["标出的消息之后你已经说过话：说过的不要再说一遍，只补上还没有答到的；都答过了就只应一声。"]


def _targets(request: Request, transcript: Transcript) -> list[str]:
    if request.reply_mode == "fishing":
        return []
    lines: list[str] = []
    for said in request.utterances:
        alias = transcript.alias(said.user_id) or "有人"
        number = transcript.number(said.message.message_id)
        line = f"要回答的消息：第 {number} 条，{alias} 说的。"
        if number is None:  # a poke is no line of the talk
            line = f"{alias} 戳了戳你，也要应一声。"
        if said.quoted is not None:
            line += f"它引用了这条消息：{quoted(said.quoted.text)}"
        lines.append(line)
    if len(lines) > 1:
        lines.append(
            "上面几条要在同一条回复里都答到，每一条都用名字说清是答谁的；几个人问同一件事，只答一次。"
        )
    return lines


def _turns(lines: tuple[TranscriptLine, ...]) -> list[ChatMessage]:
    turns: list[ChatMessage] = []
    for line in lines:
        role = "assistant" if line.is_bot else "user"
        text = line.text if line.is_bot else f"{line.id}. [{line.user} {line.name}] {line.text}"
        if turns and turns[-1].role == role:
            turns[-1] = ChatMessage(role, f"{turns[-1].text}\n{text}")
        else:
            turns.append(ChatMessage(role, text))
    return turns
