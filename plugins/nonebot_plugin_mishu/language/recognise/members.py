"""Beneficiary of an order: the member with an @ or named, never the speaker silently. Pure.

提醒小雅明天带相机, 让老王周三交表, 帮阿凯记个任务, @阿凯 周五之前把方案发我. Names are compared with cards
and nicknames; a name of nobody, or of several, is asked about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from ...patterns import Pattern
from ..clause import Clause, Mention, Situation
from ..reading import words_of
from ..text.fold import normalise
from ..word_lists import words
from .money import Amount, find_amounts

_ONCE: Final = "(?:一下|一声|下)?"
_LOUD: Final = f"(?:提醒|通知|催|叫醒?|喊){_ONCE}"
_QUIET: Final = f"(?:让|请|派|安排|麻烦|要求){_ONCE}"
_FOR: Final = "(?:帮|给|替|为)"
_MAKES: Final = (
    "(?:记|加|建|创建|新建|添加|安排|布置|派|设|定|排)(?:上|下)?(?:一?[个条项件份]|一下)?"
    "(?:的)?(?:任务|待办|提醒|闹钟|活儿?|事儿?|作业)?[:, ]*"
)
_KIN: Final = "|".join(
    word
    for word in words("talk.person")
    if word not in {"他", "她", "它", "公司", "学校", "部门", "有人", "别人", "对方", "产品", "运营", "hr"}
)
_NAME_LIKE: Final = (
    "(?!大家|大伙|小时|小区|小伙|小朋友|小孩|小姐|小心|小组|小秘|老是|老地方|大概|大会|大后|大前|阿里)"
    f"(?:[小老阿大][一-鿿]|我?(?:{_KIN})|[一-鿿](?:哥|姐|总|老师|师傅|叔|姨|工|主任|经理))"
)
_LEAD_IN: Final = Pattern(
    "(?:(?:请|麻烦|帮忙|帮我|给我|替我|你|您|能不能|可以|记得|到时候?|到点|再|也|顺便|另外|然后|还有|务必|一定)"
    "[, ]*)*$"
)
_SURNAMES: Final = (
    "[王李张刘陈杨赵黄周吴徐孙马朱胡郭何高林罗郑梁谢宋唐许邓冯韩曹曾彭蔡潘董袁余叶蒋杜苏魏程吕丁沈任姚]"
)
_ME: Final = Pattern(
    f"{_LOUD}(?:我(?![妈爸老哥姐弟妹家的]|们?[的])|俺|咱|自己)|^(?:我|咱|俺)(?![妈爸老的])|(?:帮|给|替)(?:我|俺)记"
)
"""Order about the speaker, whoever else is mentioned."""


_LONGEST_NAME: Final = 12


def named_among(text: str, people: Iterable[Mention]) -> tuple[Mention, ...]:
    """The people whose whole name stands in a text; a name of one letter stands in any."""
    line = normalise(text).lower()
    return tuple(one for one in people if len(one.name) > 1 and _folded(one.name) in line)


@lru_cache(maxsize=8192)
def _folded(name: str) -> str:
    """A name in the one form of lines; a list of a group has thousands of them."""
    return normalise(name).lower()


@dataclass(frozen=True, slots=True)
class Person:
    """Beneficiary. `named` as written; `among` the matching members: of several or none a question follows.
    The words about them are at `span` of the clause's text, and become `instead` in an order for oneself."""

    named: str
    among: tuple[Mention, ...]
    span: tuple[int, int] = (0, 0)
    instead: str = ""
    near: tuple[Mention, ...] = ()
    """Similar names, if no member has this one."""
    others: tuple[Mention, ...] = ()
    """Further known members: 提醒小王和小李去搬桌子."""
    speaker_too: bool = False
    """Also for the speaker: 提醒我和阿宽带身份证."""

    @property
    def member(self) -> Mention | None:
        """The only matching member; None for none or several."""
        return self.among[0] if len(self.among) == 1 else None


def for_whom(clause: Clause) -> Person | None:
    """Another beneficiary of a clause; None for the speaker's own, or in a private conversation."""
    if clause.situation.private:
        return None
    both = _speaker_and(clause)
    if both is not None:
        return both
    found = _named(clause.text, clause.situation.members, bool(clause.times))
    mentions = clause.situation.mentions
    if found is None and not mentions:
        found = _written_at(clause)
    if found is None:
        alone = len(mentions) == 1 and _ME.search(clause.text) is None
        return Person(mentions[0].name, mentions, *_at_mention(clause)) if alone else None
    matching = matched(found.named, mentions)
    return _with_others(replace(found, among=matching) if matching else found, clause)


_AND_ME: Final = Pattern(rf"(?P<verb>{_LOUD})(?:我|俺|咱)(?![们妈爸老哥姐弟妹家的])")


def _speaker_and(clause: Clause) -> Person | None:
    """提醒我和阿宽带身份证: speaker and known members; None without a name, or for a joint activity
    (提醒我和阿宽对一下方案)."""
    where, text = clause.situation, clause.text
    pool = tuple({one.user_id: one for one in (*where.mentions, *where.members)}.values())
    for found in _AND_ME.finditer(text):
        if not _begins(text[: found.start()]):
            continue
        people, end = _beside(text, found.end(), pool, where.mentions)
        if not people:
            continue
        behind = _BEHIND_NAMES.match(text, end)
        end = behind.end() if behind is not None else end
        if not text[end:].strip(" ,。!~"):
            continue
        first, *others = people
        return Person(first.name, (first,), (found.start(), end), "提醒我", (), tuple(others), True)
    return None


def _beside(
    text: str, end: int, pool: tuple[Mention, ...], mentions: tuple[Mention, ...] = ()
) -> tuple[list[Mention], int]:
    """Members named after a name, and the end of their words; `mentions`: members with an @, whose names may
    be missing."""
    names, found = spoken_names(pool), dict[str, Mention]()
    while (tied := _BESIDE.match(text, end)) is not None:
        at = tied.end()
        name = next((one for one in names if text[at:].lower().startswith(one)), None)
        if name is None:
            if not found and mentions and text[at : at + 1] in ("", " ", ","):
                found |= {one.user_id: one for one in mentions}
                end = at
            break
        same = matched(name, pool)
        if len(same) != 1 or _OF_THE_FIRST.match(text, at + len(name)) is not None:
            break
        end = at + len(name)
        found[same[0].user_id] = same[0]
    return list(found.values()), end


_BESIDE: Final = Pattern(r" *+(?:(?:和|以及|还有|、|,)++ *+(?:@ *+)?|@ *+)")
_OF_THE_FIRST: Final = Pattern(
    "(?:说|讲|聊|谈|沟通|确认|商量|交接|对一下|要|借|换|拿|见|约|碰|吃个?饭|打电话)"
)
"""Joint activity after 和 and a name (提醒小王和小李确认)."""
_ME_TOO: Final = Pattern(" *+(?:和|以及|还有|、|,)++ *+(?:我|俺)(?![们妈爸老哥姐弟妹家的])")
_BEHIND_NAMES: Final = Pattern(r"(?:俩|两个人?|他们|都|一起|[,: ]|去(?=.))*+")


def _with_others(person: Person, clause: Clause) -> Person:
    """Person with the members directly behind; their words belong to the order."""
    where, text, end = clause.situation, clause.text, person.span[1]
    pool = tuple({one.user_id: one for one in (*where.mentions, *where.members)}.values())
    if person.member is None or not end:
        return person
    named, end = _beside(text, end, pool)
    others = {one.user_id: one for one in named if one.user_id != person.member.user_id}
    me = _ME_TOO.match(text, end)
    if me is not None:
        end = me.end()
        behind = _BEHIND_NAMES.match(text, end)
        end = behind.end() if behind is not None else end
        return replace(person, span=(person.span[0], end), others=tuple(others.values()), speaker_too=True)
    if not others:
        return person
    behind = _BEHIND_NAMES.match(text, end)
    end = behind.end() if behind is not None else end
    return replace(person, span=(person.span[0], end), others=tuple(others.values()))


def _written_at(clause: Clause) -> Person | None:
    """Person of an order starting with a plain-text @ (@阿强 明天上午发我脚本)."""
    text = clause.text
    if not text.startswith("@") or not clause.times or _ME.search(text) is not None:
        return None
    known = next(
        (name for name in spoken_names(clause.situation.members) if text[1:].lower().startswith(name)), ""
    )
    end = 1 + len(known) if known else min((at for mark in " ,，:" if (at := text.find(mark)) > 0), default=0)
    named = text[1:end]
    tokens = words_of(named)
    if not named or len(named) > _LONGEST_NAME or any("group" in token.classes for token in tokens):
        return None
    rest = len(text[end:]) - len(text[end:].lstrip(" ,，:"))
    return Person(named, matched(named, clause.situation.members), (0, end + rest))


def asked_about(clause: Clause) -> Mention | None:
    """Member whose items a question is about (@阿凯 有什么任务, 看看阿凯今天的待办); None for the
    speaker's."""
    mentions = clause.situation.mentions
    if len(mentions) == 1 and not re.search("我", clause.text):
        return mentions[0]
    for name in spoken_names(clause.situation.members):
        if name in clause.text.lower() and re.search(
            f"(?:^|[看查列问下,] ?){re.escape(name)}(?:的|今天|明天|[这下本]周|还|都|现在|手[里上]|有|[, ])",
            clause.text,
            re.IGNORECASE,
        ):
            found = matched(name, clause.situation.members)
            return found[0] if len(found) == 1 else None
    return None


_OF_ALL: Final = Pattern(
    "谁(?!给我|派|安排|让我|叫我)|哪个(?:人|还)|哪些人|所有人|大家|大伙|每个人|各人|各位|群里|手底下|手下"
    "|我(?:派|交|布置|安排|分|交代|交待)(?:出去|下去|给|的)|(?:派|交|分|布置)(?:出去|下去)的|(?:那|这)(?:堆|几个|些)"
)
_BY_ME: Final = Pattern("我(?:手[上里头]|自己|今天|明天)?(?:还)?有(?!谁)")


def asks_of_all(line: str) -> bool:
    """True if a question about tasks is about others' too: 谁还没弄完, 群里所有人的任务, 我派出去的活儿."""
    return _OF_ALL.search(line) is not None and _BY_ME.search(line) is None


def of_owner(words: str, names: Iterable[str]) -> tuple[str, str]:
    """The name that a reference begins with, and the rest: 老猫, 照片 of 老猫的照片; else an empty one."""
    for name in sorted(names, key=len, reverse=True):
        if name and words.startswith(name):
            rest = _OF_HIS.sub("", words[len(name) :])
            if len(rest) < len(words[len(name) :]):
                return name, rest
    return "", words


_OF_HIS: Final = Pattern("^(?:手[上里头]的?|的|那个|那件|那份)(?:的)?")


def as_own(clause: Clause, person: Person) -> Clause:
    """Order in the person's own voice: 提醒小雅明天带相机 -> 提醒我明天带相机."""
    start, end = person.span
    if start == end and not person.instead:
        return clause
    text = f"{clause.text[:start]}{person.instead}{clause.text[end:]}"
    by = len(text) - len(clause.text)
    times = tuple(one.moved(by) if one.span[0] >= end else one for one in clause.times)
    return replace(clause, text=text, times=times, amounts=())


def matched(name: str, members: Iterable[Mention]) -> tuple[Mention, ...]:
    """Members with a name: exact ones, else those whose name contains it."""
    said = _form(name)
    if not said:
        return ()
    known = [(one, _form(one.name)) for one in members]
    same = [one for one, form in known if form == said]
    if not same and len(said) > 1:
        same = [one for one, form in known if said in form]
    return tuple({one.user_id: one for one in same}.values())


def nearly(name: str, members: Iterable[Mention]) -> tuple[Mention, ...]:
    """Members for an unknown pet name: 小陈 may be 陈晨 or 陈默, 阿默 is 陈默."""
    said = _form(name)
    if len(said) != 2 or said[0] not in "小老阿大":
        return ()
    known = [(one, _form(one.name)) for one in members]
    return tuple(
        {one.user_id: one for one, form in known if form and said[1] in (form[0], form[-1])}.values()
    )


def _at_mention(clause: Clause) -> tuple[tuple[int, int], str]:
    """提醒 明天交表, beside an @: order as one for oneself."""
    found = re.search(
        f"(?:{_LOUD}|{_QUIET}){_HIM}|{_LOUD}(?=[ ,]|$)|(?<![一-鿿]){_QUIET}(?=[ ,])|^{_FOR} *{_MAKES}",
        clause.text,
    )
    if found is None:
        return (0, 0), ""
    loud = re.match(f"{_LOUD}|{_QUIET}{_HIM}", found.group()) is not None
    return found.span(), "提醒我" if loud else ""


_HIM: Final = "(?:他|她|ta|TA|它)(?!们|爸|妈|家|哥|姐|弟|妹)"
"""Pronoun for the member with an @."""


@lru_cache(maxsize=64)
def _named(text: str, members: tuple[Mention, ...], timed: bool) -> Person | None:
    best: Person | None = None
    for name in spoken_names(members):
        if name not in text.lower():
            continue
        best = _around(text, re.escape(name), members, timed=True)
        if best is not None:
            return best
    found = _around(text, _NAME_LIKE, members, timed=timed)
    return None if found is not None and _POLITE.match(text, found.span[0]) else found


def _around(text: str, name: str, members: tuple[Mention, ...], *, timed: bool) -> Person | None:
    """Order around a name; `timed`: weak verbs count (让老王周三交表)."""
    loud = rf"(?P<verb>{_LOUD})(?:@ *)?(?P<who>{name})(?:在|去|说|[,: ])?(?:一下|一声)?(?=.)"
    quiet = rf"(?P<verb2>{_QUIET})(?:@ *)?(?P<who2>{name})(?:去|把|在|[,: ])?(?=.)"
    makes = rf"{_FOR}(?:@ *)?(?P<who3>{name})[,: ]*{_MAKES}"
    pattern = f"{loud}|{makes}" + (f"|{quiet}" if timed else "")
    for found in re.finditer(pattern, text, re.IGNORECASE):
        before = text[: found.start()]
        if not _begins(before):
            continue
        who = found["who"] or found["who3"] or (found["who2"] if timed else "")
        clock = re.search("[点时:]", text) is not None
        calls = found["verb"] is not None or (timed and found["verb2"] is not None and clock)
        span = found.span()
        if found["verb"] is None and found.group().endswith("把"):
            span = (span[0], span[1] - 1)
        return Person(who, matched(who, members), span, "提醒我" if calls else "")
    return None


_CALLED_THEN: Final = Pattern(
    "(?:那|就|还有|顺便|记得|麻烦|请|也|,| )*+(?:到时候?|到点|开始前|开始的时候|开始时)"
    "(?:也|再|记得|麻烦|请|帮我|帮忙|给我|你|,| )*+"
    f"(?:{_LOUD}|@)(?:一下|一声)?@? *(?P<who>[^,。 ?？]{{1,12}}?) *+"
    "(?:一下|一声|一嗓子|下)?+(?:也|[吧啊哈哦呀呗。!~ ])*+"
)


def called_then(text: str) -> tuple[str, ...]:
    """People to be called at the time, in a line of nothing else (到时候叫一下小王和小李)."""
    found = _CALLED_THEN.fullmatch(text.strip())
    names = tuple(re.split(" *(?:和|跟|、|还有|@)+ *", found["who"])) if found is not None else ()
    return () if any(not name or name in _SELVES for name in names) else names


_SELVES: Final = frozenset({"我", "我们", "大家", "咱们", "咱", "俺", "大伙"})


def is_a_name(word: str) -> bool:
    """True if a word has the shape of a person's name (老王, 我妈, 张总)."""
    return re.fullmatch(_NAME_LIKE, word) is not None


_POLITE: Final = Pattern("请|麻烦|要求")
"""With an unknown name it is no order for a member (请老师明天来)."""


def _begins(before: str) -> bool:
    """True if the order begins here: after nothing, a pause, a time or a lead-in."""
    at = _LEAD_IN.search(before)
    head = before[: at.start()] if at is not None else before
    if re.match("我|咱|俺", head):
        return False  # 我明天提醒阿凯交表: to be done by the speaker
    return not head or head[-1] in " ,。!;:" or _TIMED.search(head) is not None


_TIMED: Final = Pattern("[天日号周点半刻午晚早晨上时钟后前末月]|周[一二三四五六]|[0-9分]$")


def spoken_names(members: Iterable[Mention]) -> tuple[str, ...]:
    """Names of the members and parts of them, longest first."""
    names: set[str] = set()
    for one in members:
        form = _form(one.name)
        names.update(piece for piece in re.split(r"[^\w]+|[0-9_]+", form) if len(piece) > 1)
        chinese = re.fullmatch("[一-鿿]{3}", form)
        if chinese is not None:
            names.add(form[1:])  # 王小雅 is called 小雅
        elif len(form) > 3 and _TAIL_NAME.fullmatch(form[-2:]) is not None:
            names.add(form[-2:])  # 群主老周 is called 老周
        if form:
            names.add(form)
    called = (name for name in names if not name.isdigit() and name != "我")
    return tuple(sorted(called, key=lambda name: (-len(name), name)))


def office_called(line: str) -> str | None:
    """群主 or 管理员 where a line has one of them nudged or reminded by that word alone (帮我催催群主)."""
    found = _OFFICE.search(line)
    return None if found is None else found["office"]


_OFFICE: Final = Pattern("(?:催|追|敲打|跟进|提醒)[^,，。!?！？ ]{0,4}?(?P<office>群主|管理员)")

_TAIL_NAME: Final = Pattern(f"(?!大(?!{_SURNAMES})){_NAME_LIKE}")
"""A nickname that may end a longer name; 大海 ends names, and is a word."""


def names_in(line: str, members: Iterable[Mention]) -> dict[str, tuple[str, ...]]:
    """Members' names in a line, each with the ids; names inside a longer one are left out."""
    among = tuple({one.user_id: one for one in members}.values())
    rest = line.lower()
    found: dict[str, tuple[str, ...]] = {}
    for name in spoken_names(among):
        if name in rest:
            found[name] = tuple(one.user_id for one in matched(name, among))
            rest = rest.replace(name, "\x00" * len(name))
    return found


def sums_beside(names: Iterable[str], line: str) -> list[Amount]:
    """Amounts of a line with members' names: 100 in 阿凯出100月月出80, which is no number of months, and
    200 in 还了老周200, which is no week's."""
    low = masked = line.lower() if len(line.lower()) == len(line) else line
    for name in names:
        at = low.find(name)
        while at >= 0:
            dated = name[-1] in _OF_DATES and low[at + len(name) :].lstrip()[:1].isdigit()
            if dated or low[:at].rstrip()[-1:].isdigit():
                masked = f"{masked[:at]}{',' * len(name)}{masked[at + len(name) :]}"
            at = low.find(name, at + len(name))
    return find_amounts(line if masked == low else masked)


_OF_DATES: Final = frozenset("周月日号年天")
"""A name's last character that would make a date of the sum behind it."""


def sums_among(where: Situation, line: str) -> list[Amount]:
    """Amounts of a line that may name members, or its speaker."""
    if not any(map(str.isdigit, line)):
        return find_amounts(line)
    return sums_beside(names_in(line, (*where.mentions, *where.people)), line)


def _form(name: str) -> str:
    return normalise(name).strip(" @").lower()
