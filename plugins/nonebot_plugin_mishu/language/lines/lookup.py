"""A question about what was said (周六几点集合来着, 谁负责买水), and the lines of talk that answer it. Pure.

Nothing is made of lines: the answer is the line itself. A line answers where it says the words of the
question, or follows a question that does, and has what was asked for: a time, a place, a member, a value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final, Literal

from ...patterns import Pattern
from ..reading import words_of
from ..recognise.times import TimeExpression, names_day
from ..text.fold import normalise
from ..word_lists import words as listed
from . import telling
from .facts import KEPT_THINGS
from .line import RecordLine
from .marks import asks, assents, decided, settling, stated, times

Want = Literal["time", "place", "person", "value"]

_LONGEST: Final = 40
_WORDS: Final = 16
"""Characters of what a question is about."""
_WITHIN: Final = timedelta(minutes=10)
_BEHIND: Final = 6
"""Lines after a question searched for its answer."""
_ANSWERS: Final = 3
"""Lines of others that may be the answer."""
_SHORT: Final = 16
"""Characters of an answer that does not say what it is about (我来, 九点半吧)."""
FOUND: Final = 3
_ENOUGH: Final = 0.6
_CLOSE: Final = 0.3
_CLAUSES: Final = Pattern("[,，。]")
_OWN: Final = listed("looked_up.own")
_ORDERS: Final = listed("looked_up.orders")
_RECALLS: Final = Pattern(
    "来着|(?:之前|上次|刚才|刚刚|前面|昨天|群里|大家|他们)(?:都|是|有)?(?:说|定|讲|约)|说好的|定好的|定的|忘了|记得"
)
_FRONT: Final = Pattern(
    r"^(?:请问|问一?下|谁(?:知道|记得|晓得)|你?还?记得|你?(?:知道|晓得)|告诉我|麻烦|帮我?看看|帮我查一?下|查一?下|我忘了|忘了|对了|欸|诶"
    r"|那个|咱们?|我们|大家|群里|之前|上次|刚才|刚刚|前面|昨天|说好的|定好的|说的|定的|约的|到底|,| )+"
)
_BACK: Final = Pattern(r"(?:来着|呀|啊|呢|嘛|哦|哇|了|吗|的|我忘了|忘了|谁(?:知道|记得)|[?!。~,. ])+$")
_JOINED: Final = "(?:是|在|定|的|约|就|要|到|去|放|安排|由|归|让|找|叫|有|为)+"
_JOINS: Final = Pattern(rf"^{_JOINED}|{_JOINED}$")
_ASKED: Final[tuple[tuple[Want, Pattern], ...]] = (
    (
        "time",
        Pattern(
            "几点钟?半?|什么时候|啥时候|啥子时候|好久|哪一?天|周几|星期几|礼拜几|几号|什么时间|多久|何时"
        ),
    ),
    (
        "place",
        Pattern(
            "(?:在|去|到)?(?:哪里|哪儿|哪个(?:地方|店|馆子|会议室|门|教室|餐厅|群)|什么地方|啥地方|哪家(?:店|馆子)?)|(?:在|去|到)哪"
        ),
    ),
    (
        "value",
        Pattern(
            "多少(?:钱|块|号)?|(?:是|叫|用)(?:什么|啥子?|哪个)|(?:什么|啥子?|哪个|几个?)(?=来着)|几[位个台间]"
        ),
    ),
    ("person", Pattern("谁|哪位|哪个(?=负责|来|去|带|买|订|管)")),
)
_DUTY: Final = Pattern(
    "负责|[来去](?:买|带|订|拿|接|做|弄|写|开|收|管|送|主持|联系|安排)|买|带|订|预定|管|请客|主持|值班|垫|报名|组织|牵头|联系|通知|打印|收钱|开车"
    "|做|写|讲|画|剪|搬|扛|拍|值日|打扫"
)
"""Words of taking on a task."""
_OF_ALL: Final = Pattern(r"(?:谁|哪位|哪个)(?:(?:能|可以|要|想|愿意)?[来去]|\S{1,2}[了的过]\S)")
"""谁去拿快递 is a question to the readers, 谁写了红楼梦 one of knowledge."""
_NOT_OURS: Final = Pattern(
    "账|支出|收入|花了|花多少|花掉|欠|付[的了]|还[了我]钱|花费|开销|任务|日程|提醒|待办|你|天气|我(?:今|明|后|有|还|该|要)|现在|发明|世界|中国"
)
_VALUE: Final = Pattern(r"(?:是|为|叫|改成|换成|改为|[:=：])\s*\S|[0-9a-z]", re.IGNORECASE)
_PLACE: Final = Pattern(
    r"在(?!哪)\S|定[^了下好在哪什啥几的]\S|地[点址]|[0-9一二三四五六七八九十]+(?:楼|号|层|栋|室|路|街)|[店馆厅门口楼室场园站街路城院校坊居府宫山湖村]|\b[a-z]?[0-9]{3,4}\b|(?:吃|去)\S{2}",
    re.IGNORECASE,
)
_TAKES: Final = Pattern(
    r"我(?!们)(?:来|去|会|负责|带|买|订|定|管|请|垫|收|拿|接|开|做|弄|可以|有|包)"
    r"|^(?:@\S+\s*)?我[来吧!。~ ]*$|归我|包在我|交给|负责|@\S|由\S{1,8}[来去]?"
    r"|(?:^|[,。 ])\S{1,6}[来去](?:买|带|订|拿|接|做|弄|写|开|收|管)"
)
_PASSED: Final = frozenset(
    {
        *("filler", "ought", "modal", "self", "you", "particle", "done", "pause", "of", "degree"),
        *("again", "is", "who", "this", "may", "hui"),
    }
)
"""Word classes that are said otherwise by whoever said it (要停水 of 下礼拜停水, 他包了 of 我包了)."""
_VAGUE: Final = frozenset({"负责", "来", "去", "要", "定", "安排", "约", "说", "是", "有", "在"})


@dataclass(frozen=True, slots=True)
class TalkQuestion:
    """A question about the group's talk."""

    want: Want
    about: str
    """The words it is about."""
    recalls: bool
    """Asks about an earlier statement (…来着)."""
    clock: bool = False
    """Asks for a clock time, not a day."""
    price: bool = False
    """Asks for an amount, perhaps in the books."""
    day: TimeExpression | None = None
    """Day of the question."""


@dataclass(frozen=True, slots=True)
class AnsweringLine:
    """A line that answers; the question before it, where only that says what it is about; who assented."""

    line: RecordLine
    question: RecordLine | None = None
    assents: int = 0


def of_the_talk(text: str) -> bool:
    """True if a question may be about the talk: not about the asker's own items or the books, no rule
    (谁迟到谁请客), no order behind it (谁有空，帮我问问)."""
    parts = _CLAUSES.split(text)
    ordered = any(word in part for part in parts[1:] for word in _ORDERS)
    return not (ordered or any(word in text for word in _OWN) or any(part.count("谁") > 1 for part in parts))


def only_tells(part: str) -> bool:
    """True if a part beside a question is only its reason (我在门口呢, 哥们我没带钥匙)."""
    asks_too = _ASKS_TOO.search(normalise(part)) is not None
    return not (asks_too or any(word in part for word in (*_ORDERS, *_OWN)))


_ASKS_TOO: Final = Pattern("[?？吗]|什么|啥|多少|[谁哪几咋]|怎么|提醒|记[得住下一]|别忘|通知|取消|删|改")


def question_of(text: str, found: Sequence[TimeExpression] = ()) -> TalkQuestion | None:
    """Question of a whole line to the talk; None if none, or unanswerable."""
    plain = normalise(text).strip()
    if not plain or len(plain) > _LONGEST:
        return None
    if re.search("(?:说|讲|聊)了?(?:什么|啥)", plain) is not None:
        return None
    recalls = _RECALLS.search(plain) is not None
    for want, pattern in _ASKED:
        asked = pattern.search(plain)
        if asked is None or (want == "person" and not _taken_up(plain) and not recalls):
            continue
        if want == "value" and not recalls and re.search(KEPT_THINGS, plain) is None:
            continue
        rest = f"{plain[: asked.start()]} {plain[asked.end() :]}"
        for each in found:
            rest = rest.replace(each.text, " ")
        about = _about(rest)
        if not about or len(about) > _WORDS or _NOT_OURS.search(plain) or re.search("[,。;!]", about):
            return None
        day = next((each for each in found if each.date is not None and names_day(each.text)), None)
        words = asked.group()
        return TalkQuestion(
            want, about, recalls, words.startswith("几点"), "钱" in words or "块" in words, day
        )
    return None


def _taken_up(plain: str) -> bool:
    """谁负责买水, 水谁买; 谁去拿快递 asks whoever reads it."""
    return _DUTY.search(plain) is not None and _OF_ALL.search(plain) is None


def _about(rest: str) -> str:
    parts = [_JOINS.sub("", _FRONT.sub("", _BACK.sub("", part.strip()))) for part in rest.split()]
    return " ".join(part for part in parts if part)


def content_words(what: str) -> tuple[str, ...]:
    """The stretches of words of what is looked for that whoever said it will have said as well."""
    found: list[str] = []
    end = -1
    for token in words_of(what):
        word = what[token.start : token.end]
        if not token.classes.isdisjoint(_PASSED) and token.classes.isdisjoint({"occasion", "action"}):
            continue
        if token.start == end:
            found[-1] += word
        else:
            found.append(word)
        end = token.end
    return tuple(found)


def answering(question: TalkQuestion, lines: Sequence[RecordLine]) -> list[AnsweringLine]:
    """The lines of talk (oldest first) that answer a question, the newest first; none where none does."""
    words = _words(question.about)
    if not words:
        return []
    talk = [line for line in lines if not (line.bot or line.to_us)]
    settled = settling(talk)
    made = decided(talk, settled)
    names = {line.name for line in talk}
    best: dict[str, tuple[float, AnsweringLine]] = {}

    def offer(score: float, line: RecordLine, before: RecordLine | None) -> None:
        if score < _ENOUGH or (line.id in best and best[line.id][0] >= score):
            return
        best[line.id] = (score, AnsweringLine(line, before, len(made.get(line.id, ()))))

    for place, line in enumerate(talk):
        held = _held(words, line.text)
        if asks(line) and line.id not in made:
            if held < _ENOUGH:
                continue
            said = replace(line, text=stated(line.text))
            offer(_score(question, said, _held(words, said.text), made, names), line, None)
            heard = 0
            for other in talk[place + 1 : place + 1 + _BEHIND]:
                heard += other.user_id != line.user_id
                if other.at - line.at > _WITHIN or heard > _ANSWERS:
                    break
                if asks(other) and other.id not in made:
                    break
                if other.user_id == line.user_id:
                    continue
                own = _held(words, other.text)
                if own < _ENOUGH and len(other.text) > _SHORT:
                    continue
                score = _score(question, other, max(held - 0.1, own), made, names)
                offer(score, other, None if own >= _ENOUGH else line)
            continue
        if assents(line) and line.id not in made:
            continue
        before = settled.about.get(line.id)
        if before is not None:
            offer(
                _score(question, line, _held(words, f"{before.text} {line.text}"), made, names), line, before
            )
        offer(_score(question, line, held, made, names), line, None)
    if not best:
        return []
    highest = max(score for score, _ in best.values())
    near = [found for score, found in best.values() if score >= highest - _CLOSE]
    return sorted(near, key=lambda each: each.line.at, reverse=True)[:FOUND]


def _words(about: str) -> tuple[str, ...]:
    words = content_words(about) or tuple(about.split())
    plain = [re.sub("^(?:负责|来|去)(?=.)", "", word) for word in words]
    return tuple(word for word in plain if word not in _VAGUE)


def _held(words: Sequence[str], text: str) -> float:
    """Number of words found in a line: whole, as a synonym, or with characters apart (水我来买)."""
    total = 0.0
    low = text.casefold()
    for word in words:
        one = word.casefold()
        if one in low:
            total += 1
        elif any(other in low for other in telling.SAME.get(one, ()) if len(other) > 1):
            total += 0.9
        elif len(one) > 1 and not one.isascii():
            characters = [each for each in one if not each.isspace()]
            share = sum(each in low for each in characters) / len(characters)
            total += 0.8 if share == 1 else 0.6 if share >= 0.6 and one[:2] in low else 0.0
    return total / len(words)


def _score(
    question: TalkQuestion, line: RecordLine, held: float, made: Mapping[str, Sequence[str]], names: set[str]
) -> float:
    """Score of a line as an answer; 0 without the kind of value asked for, or for another day."""
    if not held or not _has(question, line, line.id in made, names):
        return 0.0
    day = 0.0
    if question.day is not None:
        days = [each for each in times(line) if each.date is not None and names_day(each.text)]
        if days and not any(each.date == question.day.date for each in days):
            return 0.0
        day = 0.2 if days else 0.0
    return held + day + (0.3 if line.id in made else 0.0)


def _has(question: TalkQuestion, line: RecordLine, settled: bool, names: set[str]) -> bool:
    text = line.text
    match question.want:
        case "time":
            found = [each for each in times(line) if each.invalid is None]
            clocks = [each for each in found if each.start is not None]
            return bool(clocks or (settled and found)) if question.clock else bool(found)
        case "place":
            return _PLACE.search(text) is not None or settled
        case "person":
            return _TAKES.search(text) is not None or any(name in text for name in names if len(name) > 1)
        case "value":
            return _VALUE.search(text) is not None


def only_asks(words: str) -> bool:
    """True if words only ask when, where or who, without a name (几点在哪)."""
    return _ONLY_ASKS.fullmatch(words) is not None


def asks_when_or_where(line: str) -> bool:
    """几点在哪来着: a question after a time or a place, and nothing beside it."""
    bare = _NODDING.sub("", line)
    return _WHEN_OR_WHERE.search(bare) is not None and only_asks(bare)


_NODDING: Final = Pattern("(?:来着|呀|啊|呢|吗|哦|嘛|[?!。~, ])+$")
_WHEN: Final = "几点|几号|哪天|什么时候|啥时候|什么时间"
_WHERE: Final = "哪里|哪儿|什么地方|啥地方"
_WHEN_OR_WHERE: Final = Pattern(f"{_WHEN}|{_WHERE}|[在去到]哪")
_ONLY_ASKS: Final = Pattern(
    f"(?:是|在|去|到|都|有|那个|这个|刚才|的|{_WHEN}|{_WHERE}|哪|谁|多久|和|跟|还有| )*"
)
