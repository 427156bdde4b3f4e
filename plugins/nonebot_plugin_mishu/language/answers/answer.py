"""Reader of answers to any agent's open question (docs/language.md). Pure.

Consent is a line of nothing but consent: 好的 记吧, 嗯 改吧, 要得, 删了吧 after 要删除…吗. A name is no
consent, nor is a line with a mood of its own (删了没, 别删, 要是下雨就删): every character must belong to a
word of `answer.toml`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, lru_cache
from itertools import groupby, pairwise
from typing import Final, Literal

from ...patterns import Pattern
from ..recognise import item_numbers
from ..text.fold import normalise
from .answer_words import ACTS, ANSWER, VOCABULARY, Word

Act = Literal["make", "change", "delete", "finish", "settle", "approve", "do"]
"""Act in question."""
AnswerKind = Literal["yes", "no", "cancel", "leave", "pick", "name", "other"]

_OF_BOOKS: Final = "笔"
"""Measure word of records in the books."""
LONGEST: Final = 40
"""Most characters of an answer."""


@dataclass(frozen=True, slots=True)
class Question:
    """An open question, as needed to read an answer."""

    act: Act = "do"
    options: int = 0
    """Number of listed items."""
    names: tuple[str, ...] = ()
    """Names of the listed items, by number."""
    said: str = ""
    """Text of the order and the question: after 取消羽毛球, 取消 is a yes."""
    pays: bool = False
    """A yes pays or settles."""
    about: tuple[str, ...] = ()
    """Names of the single item in question: 买菜不要了 refuses it by name."""
    value: bool = False
    """Asks for a value: 不用 then means none."""

    behind_nod: bool = False
    """取消 in the question is a yes only after a nod (要得 取消嘛), else a cancellation."""

    @property
    def grave(self) -> bool:
        """True if a yes deletes, settles or pays: needs an explicit one."""
        return self.pays or self.act in ("delete", "settle")


@dataclass(frozen=True, slots=True)
class Answer:
    """Reading of a line as an answer. `values`: 0-based places of a pick or a name. `half`: a hum, where an
    explicit yes is needed. `exact`: a full name, or a number."""

    kind: AnswerKind
    values: tuple[int, ...] = ()
    half: bool = False
    exact: bool = True

    @property
    def refuses(self) -> bool:
        """True for a no, or a cancellation."""
        return self.kind in ("no", "cancel")


OTHER: Final = Answer("other")


class _Role(StrEnum):
    YES = "y"
    PLAIN = "p"
    """A yes, except to a grave question."""
    HUM = "h"
    VERB = "v"
    NOT = "n"
    KEEP = "k"
    OFF = "x"
    LEAVE = "l"
    DENY = "d"
    OBJECT = "o"
    ALL = "a"
    PRONOUN = "i"
    FILLER = "f"
    LAUGH = "u"
    PAUSE = "|"
    NUMBER = "#"
    NAME = "t"
    """Name of the item in question, or a part of it: no consent without a verb."""
    BAD = "!"


@dataclass(frozen=True, slots=True)
class _Token:
    role: _Role
    items: tuple[int, ...] = ()
    word: str = ""


_BY_CLASS: Final[Mapping[Word, _Role]] = {
    Word.CONFIRM: _Role.YES,
    Word.SAVE: _Role.VERB,
    Word.ASSENT: _Role.YES,
    Word.DROP: _Role.OFF,
    Word.REFUSE: _Role.OFF,
    Word.UNWANTED: _Role.NOT,
    Word.NO: _Role.NOT,
    Word.FORBID: _Role.NOT,
    Word.EXIT: _Role.OFF,
    Word.ALL: _Role.ALL,
    Word.REST: _Role.OBJECT,
    Word.THIS: _Role.OBJECT,
    Word.PRONOUN: _Role.PRONOUN,
    Word.FILLER: _Role.FILLER,
}
"""Role in an answer of the card table's word classes; other classes make a line no answer."""

_GRAVE_ACTS: Final = frozenset({"delete", "settle"})
_PAUSES: Final = frozenset(" ,.;:!、。…·~\"'“”‘’「」『』()[]【】《》-—_^`")
_REFERENCE: Final = Pattern(item_numbers.PATTERN)
_NUMERIC: Final = frozenset("0123456789零一二三四五六七八九十百两第前头最末后倒首中")
_NODS: Final = frozenset({_Role.YES, _Role.PLAIN, _Role.HUM})
_CONSENTS: Final = _NODS | {_Role.VERB}
_BESIDE: Final = frozenset({_Role.OBJECT, _Role.ALL, _Role.PRONOUN, _Role.NAME})
_SECOND_PERSON: Final = frozenset("你您")
_OTHERS: Final = frozenset("其剩余别另")
"""其他的, 剩下的: undefined for a single item."""
_REFUSAL: Final = 2
"""Characters of a refusal that may open an order (不用 叫我了)."""
_PARTS: Final = Pattern("[ ,。;!~]+")
_LINKS: Final = frozenset("选就把将")
_SYMBOLS: Final = frozenset({"So", "Sk", "Mn", "Cf"})


@cache
def _roles(act: Act, calls_off: bool, value: bool, spared: frozenset[str]) -> Mapping[str, _Role]:
    """Known words with their role in an answer to a question about an act."""
    found = {word: _BY_CLASS.get(kind, _Role.BAD) for kind, words in VOCABULARY.items() for word in words}
    if act in _GRAVE_ACTS:
        found |= {word: _Role.BAD for word in VOCABULARY[Word.SAVE]}
    for word in VOCABULARY[Word.DONT]:
        found[word] = _Role.NOT if word[0] in "先暂" else _Role.BAD
    found |= dict.fromkeys(ANSWER["yes"], _Role.YES)
    found |= dict.fromkeys(ANSWER["hum"], _Role.HUM)
    found |= dict.fromkeys(ANSWER["never_grave"], _Role.PLAIN)
    found |= dict.fromkeys(ANSWER["laugh"], _Role.LAUGH)
    found |= dict.fromkeys(ANSWER["leave"], _Role.LEAVE)
    found |= dict.fromkeys(ANSWER["deny"], _Role.DENY)
    verbs = dict(ACTS)
    called_off = verbs.pop("call_off")
    mine = verbs.pop(act, ())
    for others in verbs.values():
        found.update({word: found.get(word, _Role.BAD) for word in others if word not in found})
    if act == "delete":
        found |= dict.fromkeys(ANSWER["keep"], _Role.KEEP)
        found |= dict.fromkeys(called_off, _Role.VERB if calls_off else _Role.OFF)
        found |= {word: _Role.OFF for word in VOCABULARY[Word.DROP] if word not in called_off}
        found |= dict.fromkeys(ANSWER["things"], _Role.OBJECT)
        found |= dict.fromkeys(ANSWER["gone"], _Role.FILLER)
    if act in ("change", "finish", "do", "make"):
        # 删了吧 behind 要改成…吗 is another order, behind 要记吗 a no.
        found |= dict.fromkeys(ACTS["delete"], _Role.OFF if act == "make" else _Role.BAD)
    found["还是"] = _Role.FILLER
    if act not in _GRAVE_ACTS:
        found |= dict.fromkeys(ACTS["go"], _Role.VERB)
    if act == "approve":
        found |= dict.fromkeys(ANSWER["rejects"], _Role.DENY)
    if act == "do":
        mine = (*ACTS["make"], *ACTS["change"], *ACTS["finish"])
    found |= dict.fromkeys(mine, _Role.VERB)
    if act == "delete":  # 明天不用叫我了: 不用了 repeats the order: neither a refusal nor a plain yes
        found |= {word: _Role.HUM for word in VOCABULARY[Word.REFUSE] if word[:_REFUSAL] in spared}
    if value:
        found |= dict.fromkeys(ANSWER["spare"], _Role.LEAVE)
    return found


@cache
def _lengths(act: Act, calls_off: bool, value: bool, spared: frozenset[str]) -> tuple[int, ...]:
    return tuple(sorted({len(word) for word in _roles(act, calls_off, value, spared)}, reverse=True))


@lru_cache(maxsize=256)
def answer(text: str, question: Question) -> Answer:
    """Reading of a line as an answer to a question; `OTHER` if not one from end to end. Never raises."""
    line = normalise(text[: 4 * LONGEST]).lower().strip(" ,。!~")
    if not line or len(line) > LONGEST:
        return OTHER
    if _OF_BOOKS in line and question.act == "delete" and question.said and _OF_BOOKS not in question.said:
        return OTHER  # 最后一笔删除 is an order to the books, and no yes to 要删除「羽毛球」吗
    tokens = _cut(line, question)
    found = _answered(tokens, question) if tokens is not None else OTHER
    alone = question.act == "make" and question.options < 2 and not any(each.isdigit() for each in line)
    forbids = question.grave or alone  # 打羽毛球呀 别删; 不是花钱 是规矩 别记
    if found == OTHER and forbids and any(_refused(part, question) for part in _PARTS.split(line)):
        return Answer("no")
    if found == OTHER and question.value and _calls_off(line, replace(question, act="make", value=False)):
        return Answer("cancel")
    if found.kind != "other" or found.half or not question.options:
        return found
    named = _named(line, question) if question.names else OTHER
    return _all_but_kept(line, question) if named == OTHER else named


def _calls_off(line: str, question: Question) -> bool:
    """True if every piece of a line refuses what a value is asked for: 不用提醒我,算了. 不用 alone says that
    the value is left out."""
    parts = [each for each in _PARTS.split(line) if each]
    return all(not any(one.isdigit() for one in each) and answer(each, question).refuses for each in parts)


def _all_but_kept(line: str, question: Question) -> Answer:
    """腾讯会议那个留着: of two items the other one is chosen, after confirmation."""
    word = next((each for each in _KEPT if each in line), "")
    if question.act != "delete" or question.options != _PAIR or not word:
        return OTHER
    kept = answer(line.replace(word, " ", 1).strip(), question)
    if kept.kind not in ("pick", "name") or len(kept.values) != 1:
        return OTHER
    return Answer("name", (1 - kept.values[0],), exact=False)


def nods(text: str) -> bool:
    """True if a line is only a nod (对的, 嗯好): without 确认 or the verb of the question."""
    line = normalise(text[: 4 * LONGEST]).lower().strip(" ,。!~")
    tokens = _cut(line, Question()) if line else None
    if tokens is None or any(token.word in VOCABULARY[Word.CONFIRM] for token in tokens):
        return False
    roles = {token.role for token in tokens}
    return bool(roles & _NODS) and roles <= _NODS | {_Role.FILLER, _Role.PAUSE}


def confirms(text: str) -> bool:
    """True if a line is only an explicit consent (确认, 好 确认吧): more than a nod."""
    line = normalise(text[: 4 * LONGEST]).lower().strip(" ,。!~")
    tokens = _cut(line, Question()) if line else None
    if tokens is None or not any(token.word in _EXPLICIT for token in tokens):
        return False
    return {token.role for token in tokens} <= _NODS | {_Role.FILLER, _Role.PAUSE}


def decides(text: str) -> bool:
    """Approval or refusal of a request (同意, 不批, 驳回), or 确认: more than a nod or no among members."""
    line = normalise(text[: 4 * LONGEST]).lower().strip(" ,。!~")
    tokens = _cut(line, Question("approve")) if line else None
    if tokens is None or not any(token.word in _DECIDING for token in tokens):
        return False
    return answer(text, Question("approve")).kind != "other"


def confirms_all(text: str, count: int) -> bool:
    """Explicit consent to all of several questions (都确认, 全部确认, 两个都记下, 1确认 2确认)."""
    question = Question("do", count)
    line = normalise(text[: 4 * LONGEST]).lower().strip(" ,。!~")
    tokens = _cut(line, question) if line else None
    if tokens is None or not any(one.role is _Role.VERB or one.word in _EXPLICIT for one in tokens):
        return False
    said = answer(text, question)
    return said.kind == "pick" and len(said.values) == count


def agrees_to_all(text: str, count: int) -> bool:
    """Consent to all of several questions in any words (都对, 全对, 都没问题, 全部确认)."""
    if confirms_all(text, count):
        return True
    said = answer(text, Question("do", count))
    picks_all = said.kind == "pick" and len(said.values) == count
    return picks_all or (nods(text) and normalise(text[:LONGEST])[:1] in _ALL)


_ALL: Final = frozenset("都全")


def opens_order(text: str) -> bool:
    """True for a piece that is only a save verb (记一下, 帮我记住): its object follows. 记吧 is an answer."""
    line = normalise(text[: 4 * LONGEST]).lower().strip(" ,。!~")
    tokens = _cut(line, Question("make")) if line else None
    if not tokens or tokens[-1].word in ANSWER["closing"]:
        return False
    spoken = [one for one in tokens if one.role not in (_Role.FILLER, _Role.PRONOUN, _Role.PAUSE)]
    return bool(spoken) and all(one.role is _Role.VERB and one.word[0] in _KEEPING for one in spoken)


_DECIDING: Final = frozenset(
    {
        *ACTS["approve"],
        *ANSWER["rejects"],
        *(word for word in VOCABULARY[Word.CONFIRM] if "要" not in word),
        *(word for word in VOCABULARY[Word.ASSENT] if set(word) & set("同批准") and word != "准确"),
        *(word for word in ANSWER["deny"] if "同意" in word),
    }
)
_KEEPING: Final = frozenset("记")
_EXPLICIT: Final = frozenset(word for word in VOCABULARY[Word.CONFIRM] if "要" not in word)


def agrees_to_delete(text: str) -> bool:
    """True for a nod and a delete verb, and nothing else (是 删)."""
    line = normalise(text[: 4 * LONGEST]).lower().strip(" ,。!~")
    tokens = _cut(line, _A_DELETION) if line else None
    spoken = [one for one in tokens or () if one.role not in (_Role.FILLER, _Role.PAUSE)]
    nods = bool(spoken) and spoken[0].role in _NODS
    return nods and any(one.role is _Role.VERB for one in spoken) and answer(text, _A_DELETION).kind == "yes"


_A_DELETION: Final = Question("delete", said="取消")


def behind_consent(text: str) -> str:
    """Line without a leading yes (嗯记吧 提前一周提醒大家); unchanged if none."""
    first, _, rest = text.strip().replace(",", " ").partition(" ")
    return rest.strip() if rest and answer(first, Question("make")).kind == "yes" else text


def laughs(text: str) -> bool:
    """True if a line has a word of laughter."""
    line = normalise(text[: 4 * LONGEST]).lower()
    return any(word in line for word in ANSWER["laugh"])


def _cut(line: str, question: Question) -> list[_Token] | None:
    """Words of a line; None if a character belongs to none."""
    spared = frozenset(stem for stem in _SPARES if stem in question.said)
    calls_off = "取消" in question.said and (not question.behind_nod or line.startswith(_NODDING))
    known = (question.act, calls_off, question.value, spared)
    roles, lengths = _roles(*known), _lengths(*known)
    tokens: list[_Token] = []
    at = 0
    while at < len(line):
        word = next((line[at : at + size] for size in lengths if line[at : at + size] in roles), None)
        number = _numbered(line, at, question.options) if question.options else None
        named = _name(line, at, question.about)
        if number is not None and (word is None or number[0] - at >= len(word)):
            tokens.append(_Token(_Role.NUMBER, number[1]))
            at = number[0]
        elif named > (len(word) if word is not None else 1):
            tokens.append(_Token(_Role.NAME))
            at += named
        elif word is not None:
            end = at + len(word)
            if f"{word[-1]}{line[end : end + 1]}".isascii() and line[end : end + 1].isalnum():
                return None  # ok in okra
            tokens.append(_Token(roles[word], word=word))
            at = end
        elif line[at] in _PAUSES:
            if line[at] != " " or not tokens or tokens[-1].role is not _Role.NOT:
                tokens.append(_Token(_Role.PAUSE))  # 唔 要: a blank sets no refusal apart
            at += 1
        elif line[at] in _LINKS or unicodedata.category(line[at]) in _SYMBOLS:
            at += 1
        else:
            return None
    return tokens


_NODDING: Final = (*VOCABULARY[Word.ASSENT], *ANSWER["yes"], *ANSWER["hum"])


def _name(line: str, at: int, names: Sequence[str]) -> int:
    """Length of the longest name prefix at a place."""
    longest = 0
    for name in names:
        while line[at : at + longest + 1] in name.lower() and at + longest < len(line):
            longest += 1
    return longest


_PAIR: Final = 2
_KEPT: Final = tuple(sorted((word for word in ANSWER["keep"] if "留" in word), key=len, reverse=True))
_TAKES_AWAY: Final = frozenset("删取撤")
_LEAVING: Final = frozenset("留动碰")
"""Characters of words that keep an item in any case."""
_SPARES: Final = ("不用", "不要", "不必", "不需")


def _refused(part: str, question: Question) -> bool:
    """True for a part that is a prohibition, or ends with one about its name (妈的生日唔好删)."""
    for at in range(len(part) if question.options < 2 else 1):
        if _forbids(part[at:], question):
            return not at or "去" not in part[at:]  # 可能不去了 is why it goes
        if part[at : at + 1] in _TAKES_AWAY:
            return False  # 站会删了 别的别动 orders
    return False


def _forbids(part: str, question: Question) -> bool:
    """Prohibition in a longer line (别删, 任务留着, 打羽毛球呀 别删): nothing is deleted."""
    tokens = _cut(part, question) if part else None
    if tokens is None:
        return False
    roles = {token.role for token in tokens}
    forbids = _Role.NOT in roles and not roles.isdisjoint({_Role.VERB, _Role.OFF})
    if not forbids and not any(
        token.role is _Role.KEEP and not _LEAVING.isdisjoint(token.word) for token in tokens
    ):
        return False
    return _answered(tokens, question).kind == "no"


def _numbered(line: str, at: int, count: int) -> tuple[int, tuple[int, ...]] | None:
    """End of the reference to numbered items at this place, and the items."""
    if line[at] not in _NUMERIC:
        return None
    found = _REFERENCE.match(line, at)
    read = item_numbers.read(found[0], count) if found is not None else None
    if found is None or read is None:
        return None
    if read.count is not None and read.count != count:
        return None
    items = tuple(range(count)) if read.count is not None else read.items
    return (found.end(), items) if items and max(items) < count else None


def _answered(tokens: Sequence[_Token], question: Question) -> Answer:
    laughs = any(token.role is _Role.LAUGH for token in tokens)
    spoken = [token for token in tokens if token.role not in (_Role.FILLER, _Role.LAUGH)]
    if spoken and spoken[-1].word == "嘛" and spoken[0].role in _NODS | {_Role.NOT, _Role.KEEP}:
        spoken.pop()  # 要得 删了嘛, 莫取消嘛
    roles = [token.role for token in spoken]
    if question.options < 2 and any(
        token.word[:1] in _OTHERS and token.role is _Role.OBJECT for token in spoken if token.word
    ):
        return OTHER  # 把站会取消 其他留着: beside an order, of what it leaves
    if _Role.BAD in roles or not any(role is not _Role.PAUSE for role in roles):
        return OTHER
    for one, next_one in zip(roles, [*roles[1:], _Role.PAUSE], strict=True):
        if one is _Role.PRONOUN and next_one not in (_Role.VERB, _Role.NOT, _Role.OFF, _Role.YES):
            return OTHER  # 是我
    for one, next_one in pairwise(spoken):
        if one.role is _Role.PRONOUN and next_one.role is _Role.YES and next_one.word != "要":
            return OTHER  # 你好
        if one.role is _Role.PRONOUN and next_one.word in ACTS["go"] and one.word not in _SECOND_PERSON:
            return OTHER  # 我现在就发 tells what the speaker does
    if _Role.NUMBER in roles:
        return _picked(spoken, question)
    if _names_a_list(spoken, tokens):
        return OTHER  # 考试安排, to a question about 考试周
    roles = _name_joined(roles)
    pieces = groupby(roles, lambda role: role is _Role.PAUSE)
    parts = [list(part) for pause, part in pieces if not pause]
    kinds = [_part(part) for part in parts]
    if "other" in kinds:
        return OTHER
    telling = [kind for kind in kinds if kind != "nod"] or ["yes"]
    if len(set(telling)) > 1:
        return Answer("no") if set(telling) <= {"no", "cancel"} else OTHER
    kind = telling[0]
    if kind == "all":
        return Answer("pick", tuple(range(question.options))) if question.options > 1 else OTHER
    if kind == "yes":
        return _consent(roles, question, laughs)
    return Answer("leave" if kind == "leave" else "cancel" if kind == "cancel" else "no")


def _name_joined(roles: Sequence[_Role]) -> list[_Role]:
    """查寝 记一下吧: a leading name joined to its verb."""
    rest = list(roles)
    if rest[:1] == [_Role.NAME]:
        while rest[1:2] == [_Role.PAUSE]:
            del rest[1]
    return rest


def _names_a_list(spoken: Sequence[_Token], tokens: Sequence[_Token]) -> bool:
    """True for a name with a final verb that is also a noun: a query of the name's items."""
    last, before = (spoken[-1], spoken[-2]) if len(spoken) >= _PAIR else (None, None)
    if last is None or before is None or last is not tokens[-1]:
        return False
    return before.role is _Role.NAME and last.word in ANSWER["noun"]


def _consent(roles: Sequence[_Role], question: Question, laughs: bool) -> Answer:
    if _Role.NAME in roles and _Role.VERB not in roles:
        return OTHER  # 羽毛球好呀
    if question.options > 1 and _Role.ALL not in roles:
        return OTHER  # 好 to 要哪一个
    if question.options > 1:
        return Answer("pick", tuple(range(question.options)))
    if not question.grave:
        return Answer("yes")
    if laughs or _Role.PLAIN in roles:
        return OTHER
    return Answer("yes") if {_Role.YES, _Role.VERB} & set(roles) else Answer("other", half=True)


def _part(roles: Sequence[_Role]) -> str:
    """Kind of a part between pauses; a nod may stand beside any other."""
    rest = list(roles)
    said = set(rest)
    if said <= _NODS | _BESIDE and said & _NODS:
        return "nod" if not said & _BESIDE else "yes"
    if said <= _CONSENTS | _BESIDE and said & _CONSENTS:
        return "yes"
    while rest and rest[0] in _NODS | {_Role.DENY, _Role.PRONOUN}:
        if rest[0] is _Role.DENY and len(rest) == 1:
            return "no"
        rest.pop(0)
    said = set(rest)
    if not rest:
        return "no"
    if said <= {_Role.DENY} | _BESIDE and _Role.DENY in said:
        return "no"
    if rest[0] is _Role.NOT:
        behind = {role for role in rest if role is not _Role.NOT}
        return "no" if behind <= _BESIDE | {_Role.VERB, _Role.YES, _Role.OFF, _Role.KEEP} else "other"
    if said <= {_Role.KEEP} | _BESIDE:
        return "all" if said <= {_Role.ALL} else "no" if _Role.KEEP in said else "other"
    if said <= {_Role.OFF, _Role.NOT} | _BESIDE:
        return "cancel"
    if said <= {_Role.LEAVE} | _BESIDE:
        return "leave"
    return "other"


def _picked(tokens: Sequence[_Token], question: Question) -> Answer:
    """Pick by number, with only a nod and the verb beside it."""
    beside = {token.role for token in tokens if token.role not in (_Role.NUMBER, _Role.PAUSE)}
    if beside & {_Role.NOT, _Role.KEEP, _Role.OFF, _Role.LEAVE, _Role.DENY}:
        return OTHER
    return Answer("pick", tuple(sorted({item for token in tokens for item in token.items})))


_AROUND_NAME: Final = Pattern(
    "^(?:是|就|要|选|那就|那|删除?|取消|把|改|完成|[ ,。])++"
    "|(?:[那这]一?[个场条笔次顿件项回节]|的|吧|啊|呀|哦|[ ,。!~])++$"
)


def _named(line: str, question: Question) -> Answer:
    """The listed item that a line names, and nothing else; `OTHER` for none or several."""
    name = _AROUND_NAME.sub("", line)
    names = [each.lower() for each in question.names]
    exact = [place for place, each in enumerate(names) if each and each in (name, line)]
    if len(exact) == 1:
        return Answer("name", tuple(exact))
    if len(name) < 2:
        return OTHER
    part = [place for place, each in enumerate(names) if name in each]
    return Answer("name", tuple(part), exact=False) if len(part) == 1 else OTHER
