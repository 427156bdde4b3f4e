"""Sharers of an expense: members by name or @, people only counted, unknown names. Pure.

我和小雅、阿凯AA; AA 五个人; 小雅阿凯和我三个人平摊; 四个人，回头他们转我. Names are compared with the cards
and nicknames of the members. Who is not known by then is asked for once; what the answer leaves open stays
open: they are counted, with their name where one was said, and owe nobody by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Final

from ....patterns import Pattern
from ...answers.answer import Question, answer
from ...clause import Mention
from ...entries.entry import Person, yuan
from ...recognise.identifiers import mask_identifiers
from ...recognise.members import matched, names_in, spoken_names, sums_beside
from ...recognise.money import Amount, find_amounts
from ...text.fold import normalise
from ...word_lists import words as words_named
from .. import Amendment, Anew, Division, amendment, anew, divided, left_out, named_with_sum
from ..pieces import SPEAKER, words_in
from ..repayments.bills import BillTreated, RestWaived, bill_treated, others_evened, rest_waived
from ..repayments.repaying import givings_in
from .name_lists import name_list
from .people import Name, with_names

MOST_KEPT: Final = 60
"""Most members' names stored with a question."""
_LONGEST_ANSWER: Final = 60
_HALVES: Final = Pattern("一人一半|对半|五五")
_COUNTED: Final = Pattern(
    "(?:我们?|咱们?|俺们|他们|就|一共|总共|共|连我|另外|其他|其余"
    "|还有)*(?:[0-9一二两三四五六七八九十]{1,3}(?:个人|个|位|人|口)|[俩仨])(?:人|同事|朋友|同学|室友|哥们)?"
)
_NAME: Final = Pattern("[一-鿿a-zA-Z][一-鿿a-zA-Z0-9_]{0,7}")
_UNNAMED: Final = Pattern(
    "(?:(?:其他|其余|别的|剩下|另外)的?(?:人|几个|几位)?(?:就|都|我|先)*)?"
    "(?:不(?:用|必|需要|要)?(?:记|写|填|说|管)(?:名字?|人名|姓名|谁|了)?|匿名|无名|算了|随便"
    "|不知道(?:名字)?|不认识|都?(?:不|没)在(?:这个?)?(?:群里?)?|没有|别管了?|不记得了?|忘了"
    "|就这样|这样就行|直接记|先记|记吧|确认|好的?|可以|ok|没关系|无所谓|不重要|外面的人|群外的?|路人"
    "|外人)(?:名|吧|了|啊|呀|先?记|就行|就好|好了|的|朋友|人|[,，。!~ ])*",
    re.IGNORECASE,
)
_BEGINS_ANEW: Final = Pattern(
    "^(?:不是的?|不对|错了|错咯|说错了|搞错了|记错了|应该|其实|改成|改为|那就|是|系|对了?"
    "|哦|噢|啊|哎|诶|嗯|[ ,，])+"
)
_DROPS: Final = frozenset(
    {"不用记", "不记", "别记", "不用", "不记了", "和我没关系", "和我们没关系", "没关系的", "跟我没关系"}
)
_CALLS: Final = frozenset(words_named("talk.vocative"))
"""Names of the secretary, who shares nothing (@小秘 @阿凯)."""
_ONE: Final = "\x00"
"""Stands for a member's name."""
_NICKNAME: Final = Pattern(
    "[小老阿大][^\\d\\s]{1,2}|[^\\d\\s]{1,2}[哥姐总叔姨]|[王李张刘陈杨赵黄周吴徐孙][^\\d\\s]{1,2}"
)
_FILLED: Final = Pattern("^(?:就|都|我|是|有)+|(?:吧|啊|呀|了|呢|哈|我|都是?|就行|就好)+$")
_SURELY: Final = Pattern(
    "(?:还|不然还|除了[他她]还)(?:能|会)?(?:有|是)谁(?:了|啊|呀|嘛|呢|呗|哦)*|不然呢|废话|(?:那)?还用(?:问|说)(?:吗|嘛|啊)*"
    "|(?<=[一-鿿a-z])(?:呗|嘛)(?=[ ,，]|$)|(?:肯定|当然)(?=是)"
)
"""Words that only say how plain an answer is (月月啊 还能有谁)."""
_NAMES_TOO: Final = Pattern("还有|另外|以及|@|[,，、 。!~]+|(?:和|跟|与)(?=.)")


@dataclass(frozen=True, slots=True)
class Participants:
    """Sharers besides the payer. `unknown` are names of no member, or of several; `people` is the total
    number, if given."""

    named: tuple[Person, ...] = ()
    unknown: tuple[str, ...] = ()
    people: int | None = None

    @property
    def count(self) -> int:
        """Number of sharers in all, with the payer."""
        return max(self.people or 0, len(self.named) + len(self.unknown) + 1)

    @property
    def others(self) -> tuple[Person, ...]:
        """Everybody who has at least a name."""
        return (*self.named, *(("", name) for name in self.unknown))

    @property
    def strangers(self) -> int:
        """Number of sharers without a name."""
        return self.count - 1 - len(self.others)

    @property
    def question(self) -> str | None:
        """Question for unknown sharers; None if all are known."""
        if self.unknown:
            who = "、".join(f"「{name}」" for name in self.unknown)
            more = f"，另外{self.strangers}人又是谁" if self.strangers else ""
            return f"不在群里就说「不记名」，在就 @ 一下或报群名片：{who}是群里的哪位{more}？"
        if self.strangers:
            return f"报名字或 @ 一下，不想记就说「不记名」：另外{self.strangers}人是谁？"
        return None

    def without(self, user_id: str) -> Participants:
        """Without whoever paid."""
        return replace(self, named=tuple(one for one in self.named if one[0] != user_id))

    def completed(self, answer: Participants) -> Participants:
        """Sharers with an answer merged: its names replace the unknown ones first."""
        told = tuple(one for one in answer.named if one not in self.named)
        left = self.unknown[len(told) :] if len(told) < len(self.unknown) else ()
        more = tuple(name for name in answer.unknown if name not in left)
        count = max(self.count, answer.people or 0)
        open_ = self.people is None and answer.people is None and not self.others
        room = len(more) if open_ else max(0, count - 1 - len(self.named) - len(told) - len(left))
        named = (*self.named, *told)
        unknown = (*left, *more[:room])
        return replace(
            self,
            named=named,
            unknown=unknown,
            people=max(count, len(named) + len(unknown) + 1 if open_ else 1),
        )


@lru_cache(maxsize=256)
def division_of(text: str, mentions: tuple[Mention, ...] = (), members: tuple[Mention, ...] = ()) -> Division:
    """Payer and sharers of a line, among these members. Never raises."""
    line = mask_identifiers(normalise(text))
    names = names_in(line, (*mentions, *members))
    return divided(line, sums_beside(names, line), names)


@lru_cache(maxsize=256)
def bystanders_of(
    text: str, mentions: tuple[Mention, ...] = (), members: tuple[Mention, ...] = ()
) -> tuple[str, ...]:
    """Members whom a line of an expense names without a part that was read (停车费20 老周顺路捎的): they may
    share it. None for whom it was done or with whom (给小雅买蛋糕, 和小雅吃饭, 小雅生日). Never raises."""
    line = mask_identifiers(normalise(text)).lower()
    said = division_of(text, mentions, members)
    found: list[str] = []
    for name, ids in names_in(line, (*mentions, *members)).items():
        at = line.find(name)
        spans = any(start <= at and at + len(name) <= end for start, end in said.spans)
        if ids == (SPEAKER,) or at < 0 or spans:
            continue
        if _BESIDE_DEED.search(line[:at]) is None and _OCCASION.match(line[at + len(name) :]) is None:
            found.append(name)
    return tuple(found)


_BESIDE_DEED: Final = Pattern("(?:[给帮替为送请陪带和跟与同找约见接看向到在叫让去]|包括)(?:了|过)?@? *$")
_OCCASION: Final = Pattern(
    "的?(?:生日|结婚|婚|满月|百日|升学|毕业|搬家|乔迁|住院|出院"
    "|[^,，。 ]{0,2}[礼店家妈爸娃]|孩子|份子|红包|公司|学校)"
)


def differences_alone(line: str, amounts: Sequence[Amount]) -> str:
    """Words of what some bear more or less, where a line has no other sum and names nobody who does (各多出
    5块); else empty. Never raises."""
    read = words_in(line.lower(), amounts, {})
    sums = [at for at, each in enumerate(read) if "amount" in each.classes]
    if not sums or not all(at and not read[at - 1].classes.isdisjoint({"more", "less"}) for at in sums):
        return ""
    return line.strip(" ,，。.!~")


@lru_cache(maxsize=256)
def is_of_some(text: str, fen: int, members: tuple[Mention, ...] = ()) -> bool:
    """True if a line about a bill of this sum names a sum that only some share, and not surely of it
    (酒86只算我和老周). Never raises."""
    line = f"{yuan(fen)}元 {normalise(text)}"
    names = names_in(line, members)
    return bool(divided(line, sums_beside(names, line), names, shared=True).of_some)


@lru_cache(maxsize=256)
def terms_of(text: str, fen: int, members: tuple[Mention, ...] = ()) -> Division | None:
    """How an earlier bill of this sum is divided, in a line that says nothing else (不对 是月月六成我四成;
    我出一半 剩下他俩平分); None for every other line. Never raises."""
    line = _BEGINS_ANEW.sub("", normalise(text))
    head = f"{yuan(fen)}元 "
    names = names_in(line, members)
    said = divided(head + line, sums_beside(names, head + line), names, shared=True, headed=len(head))
    told = said.parts or said.unclear or said.alone or said.sole is not None
    return said if said.whole and told else None


def thing_told(text: str, members: Sequence[Mention] = ()) -> str:
    """Thing named before the first sum of a line (蛋糕 of 蛋糕168 我出一半); empty for none. Never raises."""
    line = normalise(text)
    names = names_in(line, members)
    return named_with_sum(line, sums_beside(names, line), names)


@lru_cache(maxsize=256)
def weights_of(text: str, members: tuple[Mention, ...] = ()) -> Division | None:
    """Parts per person of an earlier bill, in a line without an amount (我出两份; 我媳妇那份算我的); None for
    every other line. Never raises."""
    line = _BEGINS_ANEW.sub("", normalise(text))
    if any(each.fen for each in find_amounts(line)):
        return None
    said = divided(line, (), names_in(line, members), shared=True)
    weighs = bool(said.parts) and all(part.kind == "weight" for part in said.parts)
    return said if weighs and said.whole else None


@lru_cache(maxsize=256)
def amendment_of(
    text: str, mentions: tuple[Mention, ...] = (), members: tuple[Mention, ...] = ()
) -> Amendment | None:
    """Correction of an earlier record; None if none. Never raises."""
    line = mask_identifiers(normalise(text))
    names = names_in(line, (*mentions, *members))
    return amendment(line, sums_beside(names, line), names)


@lru_cache(maxsize=256)
def anew_of(text: str, mentions: tuple[Mention, ...] = (), members: tuple[Mention, ...] = ()) -> Anew | None:
    """Correction of payer or sharers in a line without an amount; None if none. Never raises."""
    line = normalise(text)
    if any(each.fen for each in find_amounts(line)):
        return None
    return anew(line, names_in(line, (*mentions, *members)))


@lru_cache(maxsize=256)
def treated_in(
    text: str, mentions: tuple[Mention, ...] = (), members: tuple[Mention, ...] = ()
) -> BillTreated | None:
    """Recorded bill of which a line without an amount says that the speaker treats. Never raises."""
    line = normalise(text).strip(" 。.!~")
    return None if find_amounts(line) else bill_treated(line, names_in(line, (*mentions, *members)))


@lru_cache(maxsize=256)
def rest_in(
    text: str, mentions: tuple[Mention, ...] = (), members: tuple[Mention, ...] = ()
) -> RestWaived | None:
    """Rest of a debt that a whole line says is not wanted. Never raises."""
    line = normalise(text).strip(" 。.!~")
    names = names_in(line, (*mentions, *members))
    return rest_waived(line, names, sums_beside(names, line))


@lru_cache(maxsize=256)
def quits_in(
    text: str, mentions: tuple[Mention, ...] = (), members: tuple[Mention, ...] = ()
) -> tuple[Name, Name] | None:
    """The two other members whom a whole line calls quits. Never raises."""
    line = normalise(text).strip(" 。.!~")
    found = others_evened(line, names_in(line, (*mentions, *members)))
    return found if found is not None and all(len(who.ids) == 1 for who in found) else None


@lru_cache(maxsize=256)
def unreceived_of(
    text: str, mentions: tuple[Mention, ...] = (), members: tuple[Mention, ...] = ()
) -> Mention | None:
    """The member whose money a line says the speaker did not get (没收到阿凯的; 阿凯没转我 记错了); None for
    every other line, and for questions. Never raises."""
    line = normalise(text).strip(" 。.!~").lower()
    known = {one.user_id: one for one in (*members, *mentions)}
    for name, ids in names_in(line, (*mentions, *members)).items():
        said = re.escape(name)
        found = re.fullmatch(f"{_LEAD}(?:{_NOT_GOT}{said}{_MONEY}|{said}{_NOT_SENT}{_MONEY}){_TAIL}", line)
        if found is not None and len(ids) == 1 and ids[0] in known:
            return known[ids[0]]
    return None


@lru_cache(maxsize=256)
def got_instead_of(
    text: str, mentions: tuple[Mention, ...] = (), members: tuple[Mention, ...] = ()
) -> tuple[Mention, int] | None:
    """The member and the fen that the speaker says to have got of them instead of what was told (阿凯给我的是
    120); None for every other line. Never raises."""
    line = normalise(text).strip(" 。.!~").lower()
    names = names_in(line, (*mentions, *members))
    sums = [each for each in sums_beside(names, line) if each.fen and each.fen > 0]
    known = {one.user_id: one for one in (*members, *mentions)}
    if len(sums) != 1 or _WAS_GIVEN.search(line[: sums[0].start]) is None:
        return None
    if line[sums[0].end :].strip(" 块元钱啊哦"):
        return None
    found = [ids for name, ids in names.items() if line.startswith(name)]
    meant = known.get(found[0][0]) if len(found) == 1 and len(found[0]) == 1 else None
    return None if meant is None else (meant, sums[0].fen or 0)


_WAS_GIVEN: Final = Pattern("(?:给|转|还|发|打|转给|还给)(?:了)?我的(?:其实|实际上?|应该|只)?(?:是|有) *$")
_LEAD: Final = "(?:我|这边|可是|但是?|不对|错了|啊|哎|诶|,| )*"
_NOT_GOT: Final = "(?:还|都|根本|压根|也)*(?:没有?|未)收到@?"
_NOT_SENT: Final = "(?:还|都|根本|压根|也|其实|明明)*(?:没有?|未)(?:给|转|还|转给|还给|打给|发给)我"
_MONEY: Final = "(?:转|给|还|发)?(?:我)?的?(?:钱|转账|账|款|那笔)?(?:啊|呀|呢|哦|了)?"
_TAIL: Final = "(?:,| |那笔|是|他|她|你|系统|你们|肯定|应该)*(?:[记弄搞写]错了?|不对|别记)?(?:吧|啊|呀|了)*"


@lru_cache(maxsize=256)
def left_out_of(
    text: str, mentions: tuple[Mention, ...] = (), members: tuple[Mention, ...] = ()
) -> tuple[str, ...]:
    """Members that a line excludes from a record. Never raises."""
    line = normalise(text)
    return left_out(line, names_in(line, (*mentions, *members)))


def named_plainly(words: str, text: str, mentions: tuple[Mention, ...], members: tuple[Mention, ...]) -> str:
    """Words of a line that say who shares something, with the names for 她 and 他们俩 where the line has them
    (我跟她还有阿凯 of 小雅付的 我跟她还有阿凯分 is 我跟小雅还有阿凯). Never raises."""
    line, said = normalise(text), normalise(words)
    at = line.find(said)
    before = line[:at] if at >= 0 else line
    names = names_in(line, (*mentions, *members))
    read = words_in(said, find_amounts(said), names)
    return with_names(read, said, words_in(before, find_amounts(before), names), before)


def is_shared(text: str) -> bool:
    """True for a group expense: AA, 平摊, 三个人的, 群账."""
    return division_of(text).ours


def people_in(text: str) -> int | None:
    """Number of sharers in a line, with the payer; None if not given."""
    found = division_of(text)
    return found.count + found.more if found.count is not None else None


def participants(text: str, me: str, mentions: Sequence[Mention], members: Sequence[Mention]) -> Participants:
    """Sharers of a divided expense; `me` is the speaker's id. Never raises."""
    others = tuple(one for one in members if one.user_id != me)
    called = {one.user_id: one.name for one in (*others, *mentions)}
    said = division_of(text, tuple(mentions), others)
    found: dict[str, str] = {}
    unknown: list[str] = []
    for name in (*said.people, *(part.who for part in said.parts)):
        if len(name.ids) == 1:
            found[name.ids[0]] = called[name.ids[0]]
        elif not name.me and (said_so := _as_said(name.text, text)) not in unknown:
            unknown.append(said_so)
    found.update({one.user_id: one.name for one in mentions if one.user_id != me})
    count = said.count if said.divides or said.count is None else None
    if count is not None and len(found) + len(unknown) + 1 + len(said.guests) <= count:
        count -= len(said.guests)
    if count is None and said.split and _HALVES.search(normalise(text)) is not None:
        count = 2
    return Participants(tuple(found.items()), tuple(unknown), count + said.more if count else None)


def _as_said(name: str, text: str) -> str:
    """A name in its original case."""
    line = normalise(text)
    at = line.lower().find(name)
    return line[at : at + len(name)] if at >= 0 else name


def answered(
    text: str, me: str, mentions: Sequence[Mention], members: Sequence[Mention]
) -> Participants | None:
    """Answer to the question for sharers; None if the line is none. Pure."""
    line = normalise(text).strip(" 。.!~")
    if not (line or mentions) or len(line) > _LONGEST_ANSWER:
        return None
    listed = listed_people(text, me, mentions, members)
    if listed is not None:
        return listed
    others = [one for one in members if one.user_id != me]
    found = {one.user_id: one.name for one in mentions if one.user_id != me}
    rest = line
    for one in mentions:
        rest = rest.replace(f"@{normalise(one.name)}", " ").replace(normalise(one.name), " ")
    for name, several in _spoken(rest, others):
        found.update({one.user_id: one.name for one in several if one.user_id != SPEAKER})
        rest = re.sub(re.escape(name), _ONE, rest, flags=re.IGNORECASE)
    people = people_in(line)
    if _UNNAMED.fullmatch(rest.strip()) and not found:
        return Participants()
    if people is not None and not found and _COUNTED.fullmatch(rest.strip(" 的")) is not None:
        return Participants((), (), people)
    if any(amount.fen for amount in find_amounts(line)):
        return None
    left: list[str] = []
    for part in _NAMES_TOO.sub(" ", rest).split():
        name = _FILLED.sub("", part)
        if name in _CALLS:
            continue
        if name.strip(_ONE) and _UNNAMED.fullmatch(name) is None and _COUNTED.fullmatch(name) is None:
            left.append(name)
    if any(_NAME.fullmatch(name) is None or len(name) > 4 for name in left):
        return None  # 小雅真好看 is no name
    if not found and not (left and all(_NICKNAME.fullmatch(name) for name in left)):
        return None
    return Participants(tuple(found.items()), tuple(left), people)


def listed_people(
    text: str, me: str, mentions: Sequence[Mention], members: Sequence[Mention], about: str = ""
) -> Participants | None:
    """Sharers in a line that is a list of people (另外4人是大刘 教头 阿敏 老赵); None for every other line.
    `about` are the expense's words. Pure."""
    others = [one for one in members if one.user_id != me]
    called = {one.user_id: one.name for one in (*others, *mentions)}
    said = name_list(text, others, mentions, about=about)
    if said is None:
        return None
    found = {
        name.ids[0]: called[name.ids[0]]
        for name in said.names
        if name.ids and name.ids[0] not in (me, SPEAKER)
    }
    found.update({one.user_id: one.name for one in mentions if one.user_id != me})
    unknown = tuple(name.text for name in said.names if not name.ids and name.text not in _CALLS)
    return Participants(tuple(found.items()), unknown, said.count) if found or unknown else None


@dataclass(frozen=True, slots=True)
class SharerAnswer:
    """Answer to our question for payer or sharers."""

    among: Participants = field(default_factory=Participants)
    alone: bool = False
    """Borne by the payer alone."""
    dropped: bool = False
    """Not to be recorded."""
    vague: str | None = None
    """Word for everybody, without names (全宿舍); empty for plain agreement (确认)."""
    again: str = ""
    """Line of the question, with the unclear part replaced."""


def answer_of(
    text: str, kind: str, said: str, me: str, mentions: tuple[Mention, ...], members: tuple[Mention, ...]
) -> SharerAnswer | None:
    """Answer to a question of this `kind` (`sharers.SharerQuestion`) about the line `said`; None if it is
    none."""
    text = _SURELY.sub(" ", normalise(text)).strip(" ,") or text
    line = normalise(text).strip(" 。.!~吧啊呀了哦呢")
    if line in _DROPS:
        return SharerAnswer(dropped=True)
    others = tuple(one for one in members if one.user_id != me)
    told = division_of(text, mentions, others)
    if told.alone:
        return SharerAnswer(alone=True)
    asked = division_of(said, mentions, others)
    if kind == "parts" and (part := _the_part(line, said, asked)) is not None:
        return SharerAnswer(again=part)
    if kind == "who" and told.people and told.divides and _tells_it_again(text, said, members):
        return SharerAnswer(again=text)
    corrected = _other_sum(text, said, mentions, members) or _other_count(text, said)
    if corrected is not None:
        return SharerAnswer(again=corrected)
    if _TAKES_OUT.search(text) is not None and _says_only(_TAKES_OUT, text, said):
        return SharerAnswer(dropped=True)
    if kind == "who" and asked.count is None and not asked.people and not mentions:
        if told.everybody:
            return SharerAnswer(vague=told.everybody)
        if answer(line, Question("make")).kind == "yes":
            return SharerAnswer(vague="")
        if told.count is not None and told.whole and not told.people:
            return SharerAnswer(again=f"{said} {text}")  # how many, and not yet who
    bare = text
    for name in participants(said, me, mentions, members).unknown:
        bare = bare.replace(name, "")
    if bare != text and _UNNAMED.fullmatch(normalise(bare).strip(" 。.!~是")) is not None:
        return SharerAnswer()  # 小七不在群里
    listed = listed_people(text, me, mentions, members, said) if kind == "who" else None
    if listed is not None:
        return SharerAnswer(listed)
    if kind == "who" and told.whole and told.people and not told.parts:
        return SharerAnswer(participants(text, me, mentions, members))
    if kind == "parts":
        return SharerAnswer(again=f"{_less(said, asked.unclear)} {text}") if told.parts else None
    found = answered(text, me, mentions, members)
    if kind not in ("payer", "creditor") or found is None:
        return None if found is None else SharerAnswer(found)
    called = asked.creditor if kind == "creditor" else asked.payer.text if asked.payer is not None else ""
    if kind == "creditor" and not called:
        called = next((each.who.text for each in givings_in(said, (), members)), "")
    if len(found.named) != 1 or not called:
        return SharerAnswer(dropped=kind == "payer") if not found.others else None
    return SharerAnswer(again=said.replace(called, found.named[0][1], 1))


def _tells_it_again(text: str, said: str, members: Sequence[Mention]) -> bool:
    """True if an answer tells the whole bill anew, with its name and its sum (火锅320 我付的 我和小王AA)."""
    thing, sums = thing_told(text, members), [each for each in find_amounts(normalise(text)) if each.fen]
    return len(sums) == 1 and bool(thing) and thing in normalise(said)


def _the_part(line: str, said: str, asked: Division) -> str | None:
    """The line that was asked about with the sum that an answer gives for the part in it (大头 is 400); None
    where it gives none, or puts the whole right (不对 是700)."""
    sums = [amount.text for amount in find_amounts(line)]
    if not asked.unclear or len(sums) != 1 or len(line) > len(sums[0]) + _BESIDE_A_PART:
        return None
    if _OF_THE_WHOLE.search(line) is not None:
        return None
    for stretch, who in asked.also_unclear:
        said = said.replace(stretch, f"和{who}" if who else " ")
    again = said.replace(asked.unclear, sums[0])
    return again if asked.people or asked.count or asked.split else f"{again} AA"  # else 我出400 is one's own


_BESIDE_A_PART: Final = 4
"""Characters beside a sum that is a part's."""
_OF_THE_WHOLE: Final = Pattern("[不改换错总共]|金额|一起|应该是")


def _other_sum(
    text: str, said: str, mentions: tuple[Mention, ...], members: tuple[Mention, ...]
) -> str | None:
    """The line that was asked about with the sum that an answer puts right (不对 是421)."""
    anew = amendment_of(text, mentions, members)
    line = normalise(said)
    sums = [each for each in find_amounts(line) if each.fen]
    if anew is None or anew.new is None or (anew.name and anew.name not in said):
        told = [each for each in find_amounts(normalise(text)) if each.fen]
        if len(told) != 1 or len(sums) != 1:
            return None
        rest = f"{normalise(text)[: told[0].start]} {normalise(text)[told[0].end :]}"
        if not _says_only(_PUTS_RIGHT, rest, said):
            return None
        return f"{line[: sums[0].start]}{told[0].text}{line[sums[0].end :]}"  # 改成380
    old = [each for each in sums if anew.old is None or each.fen == anew.old.fen]
    if len(old) != 1:
        return None
    return f"{line[: old[0].start]}{anew.new.text}{line[old[0].end :]}"


def _other_count(text: str, said: str) -> str | None:
    """The line that was asked about with how many an answer says they are instead (不对 是五个人)."""
    line, before = normalise(text), normalise(said)
    told, asked = list(_HOW_MANY.finditer(line)), list(_HOW_MANY.finditer(before))
    if not told or len(asked) != 1:
        return None
    rest = _HOW_MANY.sub(" ", line)
    if not _says_only(_PUTS_RIGHT, rest, said) or any(each.fen for each in find_amounts(rest)):
        return None
    if people_in(asked[0][0]) == people_in(said_so := _in_full(told[-1][0])):
        return None
    return f"{before[: asked[0].start()]}{said_so}{before[asked[0].end() :]}"


def _in_full(count: str) -> str:
    """A count with its measure word: 五个人 for 五个, 三个人 for 仨."""
    return {"俩": "两个人", "仨": "三个人"}.get(count[0], f"{count[:-1]}个人" if count[-1] == "个" else count)


def _says_only(words: Pattern, text: str, said: str) -> bool:
    """True if a line has only these words, and no new name."""
    line = words.sub(" ", normalise(text))
    named = [
        line[at : at + length] for length in range(len(line), 0, -1) for at in range(len(line) - length + 1)
    ]
    subject = next((each for each in named if each.strip() == each and each in said and each.strip()), "")
    left = line.replace(subject, " ", 1) if len(subject) > 1 else line
    return _POINTING.sub("", left).strip() == ""


_HOW_MANY: Final = Pattern(
    "(?:[0-9]{1,2}|[一二两三四五六七八九十]{1,2})(?:个人|位|人(?![民均次]))"
    "|(?:[0-9]{1,2}|[一二两三四五六七八九十]{1,2})个(?=$|[ ,，。吧了啊])"
    "|(?<=[们我咱])(?:[两二三四五六七八九十]个|[俩仨])"
)
_PUTS_RIGHT: Final = Pattern(
    "不对|不是|[打写记说弄搞算看]?(?:错|反)了?|手滑了?|改成|改为|改到|改|换成|应该|其实|实际|就是|是|才|就|只|一共|总共|金额"
)
_TAKES_OUT: Final = Pattern(
    "删(?:掉|了|除)?|撤(?:掉|了|销|回)?|取消(?:掉|了)?|不要了?|不记了?|别记了?|莫记了?|作废|算了|不用记了?"
)
_POINTING: Final = Pattern(
    "[我咱]们?|那|这|刚才|刚刚|一?[笔条个]|的|了|吧|啊|呀|哦|嗯|把|将|给|块|元|钱|[ ,，。!~]"
)


def _less(said: str, words: str) -> str:
    return said.replace(words, " ") if words else said


def without_people(words: str, named: Sequence[str]) -> str:
    """An item's words without who shares it (烧烤阿凯 小雅, 打车跟小雅); all of them where none are left."""
    left = words
    for name in sorted(named, key=len, reverse=True):
        left = re.sub(rf"@?{re.escape(name)}(?!的)", _ONE, left, flags=re.IGNORECASE) if name else left
    if _ONE not in left:
        return words
    joined = f"(?:[和跟与同、,，&+ ]|我|{_ONE})"
    left = re.sub(f"^{joined}*{_ONE}{joined}*|{joined}*{_ONE}{joined}*$", "", left)
    return left.strip() if left.strip() and _ONE not in left else words


def kept(members: Iterable[Mention]) -> list[list[str]]:
    """Stored form of members with a question."""
    return [[one.user_id, one.name] for one in members][:MOST_KEPT]


def known(plain: Any) -> tuple[Mention, ...]:
    """Members from the stored form."""
    return tuple(Mention(str(user), str(name)) for user, name in plain or ())


def _spoken(line: str, members: Sequence[Mention]) -> list[tuple[str, tuple[Mention, ...]]]:
    """The names of members that stand in a line, as they follow in it, each with the one member it means;
    a name within a longer one is not taken for itself."""
    found: list[tuple[str, tuple[Mention, ...]]] = []
    low = rest = line.lower()
    for name in spoken_names(members):
        if name in rest and len(hits := matched(name, members)) == 1:
            found.append((name, hits))
            rest = rest.replace(name, " ")
    return sorted(found, key=lambda one: low.find(one[0]))
