"""Assignee of a new task: the named member, the question if none or several match. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from ....language import Question, answer
from ....language.clause import Clause, Mention
from ....language.match import AnswerMatch
from ....language.recognise.members import Person, matched, nearly
from ....language.recognise.numerals import parse_integer
from ....patterns import Pattern
from .policy import TaskQuestion

NOBODY: Final = "群里没找到叫「{name}」的，可以 @ 一下TA；要我到时候提醒你吗？"
NEARLY: Final = "群里没找到叫「{name}」的，是哪一位？都不是就 @ 一下TA。\n{listed}"
_NEAR: Final = 5
"""Most listed members with a similar name"""
SEVERAL: Final = "叫「{name}」的有{count}位，是哪一位？\n{listed}"
SEVERAL_ASKED: Final = (
    "没全听懂，什么都没记。给几个人的连时间一起说，比如“明天九点提醒小王和小李开会”，或者分开说。"
)
_MINE: Final = Pattern(
    "(?:就|还是|直接|嗯|对|好的?|行|可以|那|先|给|记|提醒|叫|到时候?|,| )*"
    "(?:我|我自己|我的|我名下|好的?|嗯+|行|可以|对|是的?|要|ok)"
    "(?:名下|自己|就行|就好|来转告|转告|来说|吧|啊|呀|哦|的|了|[,。!~ ])*"
)
_NUMBER: Final = Pattern(
    "(?:第|选)?([0-9]{1,2}|[一二两三四五六七八九十])(?:个|位|号)?(?:吧|的|那个|那位)?[。!~]*"
)
_TO_ME: Final = Pattern(
    "(?P<verb>发|交|寄|转|传|拿|还|带|送|递|打|借|留|看|回|汇报|反馈|同步)(?P<to>给)?我(?![们妈爸家])"
    "|(?P<with>[给跟和找问等陪叫接帮催喊])我(?![们妈爸家])"
)


def meant(person: Person, members: Sequence[Mention]) -> Person:
    """Person with similarly named members as candidates (小陈: 陈晨, 陈默), to be asked about."""
    near = () if person.among else nearly(person.named, members)[:_NEAR]
    return person if not near else replace(person, near=near)


def asked_whom(person: Person) -> TaskQuestion | None:
    """Question for the assignee; None if it is one member."""
    if person.member is not None:
        return None
    if person.near:
        listed = "\n".join(f"{number}. {one.name}" for number, one in enumerate(person.near, 1))
        return TaskQuestion("whom", "assignee", NEARLY.format(name=person.named[:20], listed=listed))
    if not person.among:
        return TaskQuestion("whom", "assignee", NOBODY.format(name=person.named[:20]))
    listed = "\n".join(f"{number}. {one.name}" for number, one in enumerate(person.among, 1))
    return TaskQuestion(
        "whom", "assignee", SEVERAL.format(name=person.named[:20], count=len(person.among), listed=listed)
    )


def is_speaker(person: Person, speaker: Mention) -> bool:
    """True if the named person is no member found, but the speaker."""
    return not person.among and bool(matched(person.named, (speaker,)))


def told_to(title: str, speaker: str) -> str:
    """Title for another member: 我 becomes the speaker's name."""

    def named(found: re.Match[str]) -> str:
        return f"{found['with'] or found['verb'] + (found['to'] or '给')}{speaker}"

    return _TO_ME.sub(named, title)[:100]


def kept(person: Person, said: str) -> dict[str, Any]:
    """Notes for the answer: candidates, and the title as a reminder for the speaker."""
    return {
        "_people": [[one.user_id, one.name] for one in person.among or person.near],
        "_named": person.named,
        "_own": said,
    }


def reads_whom(notes: Mapping[str, Any], clause: Clause) -> AnswerMatch | None:
    """Assignee by number, name or @; 我 and a yes, if nobody was found, are the speaker."""
    people = [Mention(*one) for one in cast("list[list[str]]", notes.get("_people") or [])]
    situation, line = clause.situation, clause.text.strip(" ,。!~@")
    if situation.mentions:
        return _is(situation.mentions[0])
    number = _NUMBER.fullmatch(line)
    if number is not None and people:
        place = parse_integer(number[1])
        return _is(people[place - 1]) if place is not None and 0 < place <= len(people) else None
    if "我" in line and _MINE.fullmatch(line.removeprefix("那就")):
        return AnswerMatch("fills", {"_mine": True})
    if len(people) == 1 and answer(line, Question("do")).kind == "yes":
        return _is(people[0])
    name = re.sub("^(?:是|就是|给|我说的是|那个|找)|(?:吧|啊|呀|哦|的|那个|那位)+$", "", line)
    found = matched(name, people or situation.members) if name else ()
    if len(found) == 1:
        return _is(found[0])
    return AnswerMatch("fills", {"_mine": True}) if _MINE.fullmatch(line) and not people else None


def _is(member: Mention) -> AnswerMatch:
    return AnswerMatch("fills", {"assignee": member.user_id, "_assigneeName": member.name})


def own_title(person: Person, title: str) -> str:
    """Title of a reminder for the speaker: 叫小雅带相机."""
    return f"叫{person.named}{title}"[:100]
