"""Lists of people that all of a line is, as an answer to who shares an expense. Pure.

    另外4人是大刘 教头 阿敏 老赵     four others
    桃子、老K、大圣和我              two and a half names known, the speaker among them
    KTV是四个人的 我桃子老K大圣      behind the name of what is shared

Names are parted by blanks, 、, commas, 和 and the like; names of members need nothing between them. What
nobody here is called stays a name, where the list leaves no doubt that it is one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ....patterns import Pattern
from ...clause import Mention
from ...recognise.members import matched, spoken_names
from ...recognise.numerals import parse_integer
from ...text.fold import normalise
from ..strangers import may_be_name, names_of_runs
from .people import Name

LONGEST: Final = 60
"""Characters of a line that may be a list."""
_FIRST: Final = 0xE000
"""The names that are known stand in a line as characters of the private use area."""
_KNOWN: Final = "[\ue000-\uf8ff]"
_DIGITS: Final = "[0-9]{1,2}|[一二两三四五六七八九十]{1,2}"
_COUNT: Final = f"(?:(?P<count>{_DIGITS})(?:个人|个|位|人|名)|(?P<pair>[俩仨])(?:个?人)?)"
_SPLIT: Final = "(?:一起|一块)?(?:[aA]{1,2}制?|平摊|均摊|平分|分摊|对半|分)"
_OTHERS: Final = "(?:另外|其[他余它]|剩下|余下|还有|别的)的?(?:那)?"
_LEAD: Final = Pattern(
    "(?:(?:那个|这个|那|这|嗯|哦|啊|对|就|都|是|有|我们|咱们|他们|分的人|一起的|一起分的|人|一共|总共"
    "|[ ,，:：])*+"
    f"(?:(?P<others>{_OTHERS}){_COUNT}?|{_COUNT.replace('count', 'count2').replace('pair', 'pair2')})"
    f"(?:人|朋友|同学|同事|室友)?(?:{_SPLIT})?(?:的|吃的|去的|玩的)?(?:是谁|有谁|都有谁)?)"
    "[ ,，:：。?]*+(?:分别|就|都)?(?:是|有|叫)?[ :：,，]*+"
)
_WHO: Final = Pattern(
    "(?:就是|那就|分别是|分的人|一起分的|一起的|我们|咱们|是谁|都有谁|[就都嗯哦对是有跟和与同]|[ :：,，])++"
    f"|(?:{_SPLIT})[ ,，:：]+"
)
_OF_IT: Final = Pattern("(?:那个|那笔|这笔|那顿|那次|钱|的钱|账)?(?:的是|就是|是|的|[ ,，:：])++")
_POINTS: Final = Pattern("^(?:那个|这个|那|这|刚才的?)+")
_SUBJECT: Final = Pattern("[^\\d\\s,，我]+")
_TAIL: Final = Pattern(
    f"(?:{_SPLIT}|(?:我们|咱们)?(?:{_DIGITS})(?:个人|个|位|人)|这{_DIGITS}个人?|都在群里|也在群里|在群里"
    "|都在|都有|都参加了|都参加|都去了|都去|都算上|都算|就这些|就这几个|就他们|没有了|没了|这几个人|这几个|一起"
    "|[ ,，。!~吧啊呀哦呢哈了的])*+$"
)
_WORDS: Final = Pattern(f"{_KNOWN}|[^\ue000-\uf8ff]+")
_PARTED: Final = Pattern("[ ,，、;；/+&|@。]+|还有|以及|加上|带上|算上|另外|和|跟|与|及")
_ME: Final = Pattern(f"我自己|本人|[我咱俺](?=$|[ ,，、;；/+&|和跟与及]|还有|{_KNOWN})")
_NICKNAME: Final = Pattern(
    "[小老阿大][^\\d\\s]{1,2}|[^\\d\\s]{1,2}[哥姐总叔姨]|[王李张刘陈杨赵黄周吴徐孙][^\\d\\s]{1,2}"
)
_PAIRS: Final = {"俩": 2, "仨": 3}


@dataclass(frozen=True, slots=True)
class NameList:
    """People named one beside the other."""

    names: tuple[Name, ...]
    """The others, in the order in which they are named."""
    me: bool = False
    """The speaker is named among them."""
    count: int | None = None
    """Number of sharers with the speaker, if given."""


def name_list(
    text: str, members: Sequence[Mention], mentions: Sequence[Mention] = (), *, about: str = ""
) -> NameList | None:
    """People of a line with nothing else; None for every other line. `about` are the expense's words, which
    may lead (KTV的是桃子老K). Never raises."""
    line = normalise(text).strip(" 。.!~?")
    if not line or len(line) > LONGEST:
        return None
    line, known = _marked(line, (*mentions, *members))
    line, sure = _without_subject(line, normalise(about)), False
    count: int | None = None
    lead = _LEAD.match(line)
    if lead is not None and lead.end():
        said = lead["count"] or lead["count2"] or ""
        pair = lead["pair"] or lead["pair2"] or ""
        count = _PAIRS.get(pair) or (parse_integer(said) if said else None)
        count = count + 1 if count is not None and lead["others"] else count
        line, sure = line[lead.end() :], True
    elif (who := _WHO.match(line)) is not None:
        line = line[who.end() :]
    rest = _TAIL.sub("", line)
    told = re.search(f"({_DIGITS})(?:个人|个|位|人)", line[len(rest) :])
    count = count or (parse_integer(told[1]) if told is not None else None)
    me = _ME.search(rest) is not None
    names: list[Name] = []
    strangers: list[str] = []
    words = [word for part in _PARTED.split(_ME.sub(" ", rest)) for word in _WORDS.findall(part)]
    for word in _taken_apart(words, known, None if count is None else count - 1):
        name = known.get(word) or Name(word)
        if not name.ids:
            if not may_be_name(word):
                return None
            strangers.append(word)
        if all(name.text != other.text for other in names):
            names.append(name)
    doubted = bool(strangers) and not (
        sure or me or len(strangers) < len(names) or all(_NICKNAME.fullmatch(each) for each in strangers)
    )
    return None if not names or doubted else NameList(tuple(names), me, count)


def _taken_apart(words: Sequence[str], known: Mapping[str, Name], others: int | None) -> Sequence[str]:
    """List words with joined names split, if they make up the number of `others` (四个人 我阿凯豆豆可乐)."""
    runs = [word for word in words if word not in known]
    if others is None or not runs or len(words) >= others:
        return words
    names = list(names_of_runs(runs, others - (len(words) - len(runs))))
    if not names:
        return words
    found: list[str] = []
    for word in words:
        size = 0
        while word not in known and names and size < len(word):
            size += len(names[0])
            found.append(names.pop(0))
        if word in known:
            found.append(word)
    return found


def _marked(line: str, people: Sequence[Mention]) -> tuple[str, dict[str, Name]]:
    """Line with one character for every member's name, and the members. An ambiguous name stays as
    written."""
    known: dict[str, Name] = {}
    for number, name in enumerate(spoken_names(people)):
        found = Pattern(rf"@?{re.escape(name)}", re.IGNORECASE)
        if found.search(line) is None:
            continue
        ids = tuple(one.user_id for one in matched(name, people))
        mark = chr(_FIRST + number)
        known[mark] = Name(name, ids) if len(ids) == 1 else Name(name)
        line = found.sub(mark, line)
    return line, known


def _without_subject(line: str, about: str) -> str:
    """The line without the name of what is shared at its beginning (KTV的是…, 唱歌那个 …)."""
    bare = _POINTS.sub("", line)
    for length in range(min(8, len(bare)), 1, -1):
        head = bare[:length]
        if head in about and _SUBJECT.fullmatch(head) is not None and _LEAD.match(head) is None:
            behind = _OF_IT.match(bare, length)
            return bare[behind.end() if behind is not None else length :]
    return line
