"""Voices: how a line answers an open poll. Pure; whole lines only, so that talk never counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, Literal

from ...patterns import Pattern
from ..clause import Clause
from ..forms.forms import Grammar
from ..forms.tables import read_grammar, read_lexicon
from ..lexicon import Lexicon
from ..reading import words_of
from ..recognise.numerals import parse_integer
from ..text.fold import normalise
from ..text.tokens import Thing, Token, tokens
from .naming import name_of, named
from .poll import OpenPoll, PollForm
from .words import DOER, HEADS, NUMBER, any_of, listed

LONGEST: Final = 40
"""Characters of a line that may be a voice."""
_SHORTEST: Final = 2
"""Characters of an option's end that may stand for it."""
FRESH: Final = 7200.0
"""Seconds after a poll's last voice or showing in which a bare number, +1 or word counts, said to nobody."""
SPOKEN: Final = 300.0
"""Seconds after which a poll is no longer the one that might be meant beside the newest."""
MOST_EACH: Final = 99
"""Heads or pieces of one voice."""
Relation = Literal["take", "leave", "unclear"]


@dataclass(frozen=True, slots=True)
class PollVoice:
    """What a line says to one poll; `why` says what is not clear, in Chinese."""

    relation: Relation
    choice: int | None = None
    """Index of the option of a vote; of several the first."""
    amount: int = 1
    """Heads of a sign-up, pieces of a count; with `more` how many are added to those that are kept."""
    names: tuple[str, ...] = ()
    """Whom it is for, as they are named in the words (帮小红报名); without those mentioned with an @."""
    plain: bool = False
    """Bare (2, +1, 周六): nothing in it says that it is of a poll."""
    why: str = ""
    choices: tuple[int, ...] = ()
    """Options of a vote in which a member has several voices."""
    more: bool = False
    """再加一杯, 少一份: `amount`, perhaps below zero, is of what is kept."""
    doubt: bool = False
    """Bare, and something else was spoken of since the poll: asked before it counts (+1 to a plan)."""
    shared: bool = False
    """Another open poll that was spoken of lately takes the line as well: which one has it is said."""
    asks: bool = False
    """Unclear, and plainly of the poll all the same: asked about though said to nobody (算她一个)."""
    others: tuple[str, ...] = ()
    """Members whose voices stand beside the speaker's own and are not counted (我选A,小明选B)."""
    stays: bool = False
    """Heads are taken off, and whoever says it stays in: 家属不来了."""
    like: str = ""
    """Whose voice it is to be like: 跟老猫一样."""
    faint: bool = False
    """A bare 1, by which a hand is put up: of a sign-up where no other poll takes the number."""


_HERE: Final = Path(__file__).parent
_END: Final = Pattern("[ 。~…,!\U0001f000-\U0001faff\u2600-\u27bf\ufe0f]+$")
_PLUS: Final = Pattern(rf"\+ ?(?P<count>{NUMBER})")
_NUMBER: Final = Pattern(f"(?!一共)(?:{NUMBER})|[俩仨]")
_STARTS: Final = (
    *("join", "choose", "plus", "want", "out", "change", "withdraw", "also", "none", "num", "go"),
    *("more", "less", "puts_on", "takes_off", "bring"),
)
"""What begins the voice behind a name: 帮小红报名."""
_OPTION: Final = frozenset({"option"})
_NUM: Final = frozenset({"num"})
_FIGURE: Final = frozenset({"num", "figure"})
_PAIR: Final = frozenset({"num", "unit"})
"""俩, 仨: with their unit."""
_THINGS: Final = (_OPTION, frozenset({"join"}), frozenset({"out"}), frozenset({"plus"}), _NUM, _FIGURE, _PAIR)
_BORDERS: Final = ("want", "out", "none", "change", "option", "num", "plus", "pause", "reason", "withdraw")


def read_voice(
    text: str,
    polls: Sequence[OpenPoll],
    now: float,
    *,
    mentioned: bool = False,
    names: Sequence[str] = (),
    quoted: bool = False,
) -> tuple[OpenPoll, PollVoice] | None:
    """The poll a line answers, and how; None for a line that answers none. `now` in wall seconds.

    Of several polls the one touched last has it. An unclear voice counts only where no poll has a clear one,
    and only where the line is said to us. `mentioned`: another member is @-ed, whose voice it is. `names`:
    members of whom a line that is said to us may tell (阿凯选B, 给队长也报上); one said to nobody tells only
    of who has a voice, that it is taken back (阿凯退出). `quoted`: the poll's card is quoted, which makes a
    bare 2 a late voice even behind its end.
    """
    said = normalise(text[: 2 * LONGEST]).lower().strip()
    line = _END.sub("", said)
    if not line or len(line) > LONGEST or "?" in line:
        return None
    if said.endswith("!") and line in listed("voice.exclaims"):
        return None
    if line in listed("voice.greets") or _ANOTHER.fullmatch(line) is not None:
        return None  # 下午好, where 下午 is an option; 换一个, of something that was offered
    faint: tuple[OpenPoll, PollVoice] | None = None
    unclear: tuple[OpenPoll, PollVoice] | None = None
    for poll in sorted(polls, key=lambda one: (not one.closed, one.touched_at), reverse=True):
        voice = _of_poll(line, poll, mentioned=mentioned, names=names)
        if voice is None or (poll.strict and _is_talk(voice, poll, now, mentioned=mentioned)):
            continue
        if poll.closed and not quoted and _is_idle(voice, poll):
            continue
        if voice.faint:
            faint = faint or (poll, voice)
        elif voice.relation != "unclear":
            away = voice.relation == "leave" and not poll.given
            doubt = poll.past == "poll" or (poll.past == "work" and voice.plain)
            if poll.strict and doubt and poll.form != "vote" and not voice.more:
                if away and not voice.names:
                    continue  # 我不去了, to the plan that was spoken of last
                leaves = voice.relation == "leave" and poll.past == "work"  # of what they are in
                return poll, replace(voice, doubt=not leaves)
            others = [each for each in polls if each.id != poll.id and not each.closed]
            lately = [each for each in others if now - each.touched_at <= SPOKEN]
            shared = any(_takes(line, each, mentioned=mentioned, names=names) for each in lately)
            return poll, replace(voice, shared=shared)
        else:
            unclear = unclear or (poll, voice)
    return unclear or faint


def read_named(
    clause: Clause, polls: Sequence[OpenPoll], *, names: Sequence[str] = ()
) -> tuple[OpenPoll, PollVoice] | None:
    """The open sign-up or count that a line answers by its name, and how: 羽毛球+1, 奶茶不要了,
    羽毛球我带个人 +2. A vote only in words of a vote: 爬山改到周日 is of the plan."""
    found = named(clause, [each for each in polls if not each.closed])
    if found is None or parse_integer(found.rest.text.strip()) is not None:
        return None  # 奶茶15: what it cost
    if any("kin" in each.classes for each in tokens(found.name, _lexicon())):
        return None  # 家属不来了, of 爬山,每人只能带一个家属: whom one brings, and no name
    now = clause.situation.now.timestamp()
    alone = (replace(found.poll, touched_at=now, past=""),)
    heard = read_voice(found.rest.text, alone, now, names=names)
    if heard is None and (kind := _OF_KIND.match(found.rest.text)) is not None:
        heard = read_voice(found.rest.text[kind.end() :], alone, now, names=names)  # 火锅报名我不去了
    if heard is None or heard[1].faint or (found.poll.form == "vote" and heard[1].plain):
        return None
    return found.poll, replace(heard[1], plain=False)


_OF_KIND: Final = Pattern("(?:报名|接龙|统计)[ ,]*(?=.)")


def said_by_name(clause: Clause, poll: OpenPoll, voice: PollVoice) -> str:
    """The words that say a voice of a sign-up or count with its name, which a yes to it does; empty where
    nothing names it."""
    name = name_of(clause, poll)
    if not name:
        return ""
    whom = "".join(f"帮{each}" for each in voice.names)
    if poll.form == "count":
        return f"{name}统计{whom}要{voice.amount if voice.relation == 'take' else 0}份"
    return f"{name}{whom}取消报名" if voice.relation == "leave" else f"{name}{whom}报名+{voice.amount}"


def _takes(line: str, poll: OpenPoll, *, mentioned: bool, names: Sequence[str]) -> bool:
    voice = _of_poll(line, poll, mentioned=mentioned, names=names)
    return voice is not None and voice.relation != "unclear" and not voice.faint


def is_worded(text: str, poll: OpenPoll) -> bool:
    """True for a voice that says by its own words of which poll it is: 我投火锅, 报名; False for a bare one
    (2, +1, 火锅)."""
    found = read_voice(text, (poll,), poll.touched_at)
    return found is not None and found[1].relation != "unclear" and not found[1].plain


def option_told(words: str, poll: OpenPoll) -> str:
    """The option of a vote that words name: its number, its own words, or a part that no other has; the
    words themselves where they name none."""
    number = parse_integer(words)
    if number is not None and 1 <= number <= len(poll.options) and words not in poll.options:
        return poll.options[number - 1]
    said = normalise(words).lower()
    inside = [each for each in poll.options if said and said in normalise(each).lower()]
    return inside[0] if len(inside) == 1 and words not in poll.options else words


def says_none(count: str) -> bool:
    """True for words in the place of a number that take a voice back: 0, 不去, 不要."""
    return parse_integer(count) == 0 or any(_says_leave(count, form) for form in ("signup", "count"))


def _says_leave(words: str, form: PollForm) -> bool:
    found = read_voice(words, (replace(_ANY, form=form),), 0.0)
    return found is not None and found[1].relation == "leave"


def takes_back(text: str) -> bool:
    """True for a line that takes a going back, whatever is asked: 我不去了, 去不了了, 退出. One that puts off
    (先不去了) is of what was asked."""
    found = read_voice(text, (_ANY,), 0.0)
    puts_off = any("defer" in word.classes for word in words_of(text))
    return found is not None and found[1].relation == "leave" and not puts_off


_ANOTHER: Final = Pattern(
    f"(?:那|再|给我|帮我|还是|要不|能不能|就|都不行|,| )*(?:{any_of('voice.another')})"
    "(?:吧|呗|呀|啊|看看|试试)*"
)
_ANY: Final = OpenPoll(0, "signup", "")


def _is_idle(voice: PollVoice, poll: OpenPoll) -> bool:
    """True if a line says nothing to a poll that is over: unclear, or bare to a vote (2, 火锅)."""
    return voice.relation == "unclear" or (voice.plain and poll.form == "vote")


def _is_talk(voice: PollVoice, poll: OpenPoll, now: float, *, mentioned: bool) -> bool:
    """True if a line said to nobody is not plainly a voice: unclear, of a closed poll, bare beside an @ of
    somebody (@小红 周六), or bare and long after the poll was spoken of."""
    asked = bool(voice.choices) or (voice.asks and not poll.past)
    if poll.closed or (voice.relation == "unclear" and not asked):
        return True
    return voice.plain and (mentioned or now - poll.touched_at > FRESH)


def _of_poll(line: str, poll: OpenPoll, *, mentioned: bool, names: Sequence[str]) -> PollVoice | None:
    beside = _beside_others(line, poll, names)
    if beside is not None:
        return beside
    if (alike := _ALIKE.fullmatch(line)) is not None and not poll.strict:
        return PollVoice("take", like=alike["name"]) if alike["name"] in names else None
    if (gives := _GIVES_AWAY.search(line)) is not None and gives.start() > 0:
        voice = _own(line[: gives.start()].strip(" ,"), poll, other=mentioned)
        leaves = voice is not None and voice.relation == "leave"
        return replace(voice, others=(gives["name"],)) if voice is not None and leaves else None
    told = _told_of(line, poll, poll.names if poll.strict else names)
    if told is not None and (not poll.strict or (told.relation == "leave" and not told.plain)):
        return replace(told, plain=poll.strict)
    read = _tokens(line, poll)
    helped = _help(line, read, gives=poll.form == "count")
    if helped is not None:
        name, rest = helped
        voice = _own(rest, poll, other=True)
        gives = "give" in read[0].classes
        return None if voice is None else replace(voice, names=(name,), plain=gives)
    if mentioned and read and "help" in read[0].classes:
        line = line[read[0].end :].strip()
    return _own(line, poll, other=mentioned)


_ALIKE: Final = Pattern(
    "(?:我|俺|也|就|选|投|,| )*(?:跟|和|同) ?(?P<name>[^ ,]{1,12}?) ?(?:[选投报要]的)?"
    "(?:一样|一致|一个样)(?:的|吧|就行|呗| )*"
)
_GIVES_AWAY: Final = Pattern(
    "[ ,]*(?:名额|位置|位子)?(?:让|留)给 ?(?P<name>[^ ,]{1,12}?)(?:吧|了|去|来|好了|呗)*$"
)


def _beside_others(line: str, poll: OpenPoll, names: Sequence[str]) -> PollVoice | None:
    """The speaker's own voice beside those of others in one line: 我选A,小明选B. None where not every piece
    is a voice, or none or several are the speaker's."""
    pieces = [each.strip() for each in line.replace(";", ",").split(",") if each.strip()]
    if len(pieces) < _LEAST_VOICES:
        return None
    own: PollVoice | None = None
    others: list[str] = []
    for piece in pieces if len(pieces) <= _MOST_PIECES else ():
        name = _teller(piece, poll, names)
        if name:
            others.append(name)
            continue
        voice = _own(piece, poll, other=False)
        says_me = any("me" in each.classes for each in _tokens(piece, poll))
        if voice is None or own is not None or not says_me or voice.relation == "unclear":
            return None
        own = voice
    return replace(own, others=tuple(others)) if own is not None and others else None


def _teller(piece: str, poll: OpenPoll, names: Sequence[str]) -> str:
    """Name of another whose voice a piece tells (小明选B); empty for none. Who is no known member is so too:
    nothing of theirs counts."""
    told = _told_of(piece, poll, names)
    if told is not None:
        return told.names[0]
    read = _tokens(piece, poll)
    begins = next((at for at, each in enumerate(read) if not each.classes.isdisjoint(_TELLS)), 0)
    nameless = any(not each.classes.isdisjoint(_NO_NAME) for each in read[:begins])
    if not begins or nameless or read[begins].start > _LONGEST_NAME:
        return ""
    rest = piece[read[begins].start :]
    return "" if _own(rest, poll, other=True) is None else piece[: read[begins].start].strip()


_TELLS: Final = ("choose", "change", "join", "also", "go")
_NO_NAME: Final = frozenset(
    {"me", "we", "option", "num", "figure", "plus", "pause", "slip", "think", "filler"}
)
_LONGEST_NAME: Final = 6
_LEAST_VOICES: Final = 2
_MOST_PIECES: Final = 5
"""Voices that one line may tell."""


def _told_of(line: str, poll: OpenPoll, names: Sequence[str]) -> PollVoice | None:
    """PollVoice of a member who is named first: 阿凯选B, 给队长也报上, 把老周去掉, 老周去不了了."""
    head = next((each for each in _tokens(line, poll) if each.start == 0), None)
    begins = head.end if head is not None and not head.classes.isdisjoint({"give", "help"}) else 0
    rest = line[begins:].lstrip()
    name = max((one for one in names if one and rest.startswith(one.lower())), key=len, default=None)
    if name is None or not (behind := rest[len(name) :].strip(" ,")):
        return None
    voice = _own(behind, poll, other=True)
    return None if voice is None else replace(voice, names=(name,))


def _help(line: str, read: Sequence[Token], *, gives: bool) -> tuple[str, str] | None:
    """Name and voice of 帮小红报名, of a count also 给雅子也带一份 (`gives`); None of any other line."""
    run = [each for each in read if "filler" not in each.classes]
    if len(run) < 3 or run[0].classes.isdisjoint({"help", "give"} if gives else {"help"}):
        return None
    begins = next((each.start for each in run[2:] if not each.classes.isdisjoint(_STARTS)), None)
    name = line[run[0].end : begins].strip() if begins is not None else ""
    if begins is None or not 1 <= len(name) <= 12 or "me" in run[1].classes:
        return None
    return name, line[begins:]


@lru_cache(maxsize=256)
def _tokens(line: str, poll: OpenPoll) -> tuple[Token, ...]:
    things = _options_of(line, poll) if poll.form == "vote" else _deeds_in(line, poll)
    things += [
        Thing(*found.span(), frozenset({"plus"}), parse_integer(found["count"]) or 0)
        for found in _PLUS.finditer(line)
    ]
    things += [
        Thing(*found.span(), _kind_of(found.group()), number)
        for found in _NUMBER.finditer(line)
        if (number := parse_integer(found.group())) is not None
    ]
    return tokens(line, _lexicon(), things)


def _options_of(line: str, poll: OpenPoll) -> list[Thing]:
    """Options by their words, and by letters in their order: B, 选C, and AC where several may be chosen."""
    found = list(options_in(line, poll.options))
    by_letter = _lettered(poll.options)
    for run in _LETTERS.finditer(line):
        letters = run.group()
        if any(each.start < run.end() and run.start() < each.end for each in found):
            continue
        if len(set(letters)) < len(letters) or not by_letter.keys() >= set(letters):
            continue
        if len(letters) > 1 and poll.strict and not poll.several:
            continue
        if poll.strict and letters == line and letters > _BARE_LETTERS:
            continue
        found += [Thing(at, at + 1, _OPTION, by_letter[line[at]]) for at in range(run.start(), run.end())]
    return found


def _lettered(options: Sequence[str]) -> dict[str, int]:
    """Indexes of options by letter: the letters with which their words begin (A方案, B方案), else a, b, c in
    their order."""
    first = [normalise(each).lower()[:1] for each in options]
    if any(each in _ALPHABET for each in first):
        return {each: at for at, each in enumerate(first) if each in _ALPHABET and first.count(each) == 1}
    return dict(zip(_ALPHABET, range(len(options)), strict=False))


_ALPHABET: Final = "abcdefgh"
_LETTERS: Final = Pattern("(?<![0-9a-z])[a-h]{1,8}(?![0-9a-z站])")
"""B站 is none, where 站 would choose"""
_BARE_LETTERS: Final = "dz"
"""The letters a to d alone may be a voice; e and h are sighs."""


def _deeds_in(line: str, poll: OpenPoll) -> list[Thing]:
    """What a sign-up asks who does, in its own words: 我留, 不留校 of 谁留校."""
    asked = _ASKED_DEED.search(poll.question) if poll.form == "signup" else None
    if asked is None:
        return []
    found: list[Thing] = []
    for said in dict.fromkeys((asked["deed"], asked["deed"][0])):
        for words, classes in ((f"不{said}", _OUT), (said, _JOIN)):
            at = line.find(words)
            if at >= 0:
                found.append(Thing(at, at + len(words), classes))
    return found


_ASKED_DEED: Final = Pattern(f"(?:{DOER}|{HEADS})(?P<deed>[一-鿿]{{1,6}})")
_JOIN: Final = frozenset({"join"})
_OUT: Final = frozenset({"out"})


def _kind_of(number: str) -> frozenset[str]:
    return _FIGURE if number.isascii() else _PAIR if number[-1] in "俩仨" else _NUM


def options_in(line: str, options: Sequence[str]) -> list[Thing]:
    """Options of a vote where their whole words stand, or without their common begin (周日 of 下周日)."""
    names = [normalise(each).lower() for each in options]
    shared = _shared(names) if len(names) > 1 else 0
    words = [
        (name[cut:], index)
        for index, name in enumerate(names)
        for cut in range(shared + 1)
        if cut == 0 or len(name) - cut >= _SHORTEST
    ]
    words += [(other, index) for index, name in enumerate(names) if (other := _counted_otherwise(name))]
    found: list[Thing] = []
    for name, index in sorted(words, key=lambda one: -len(one[0])):  # the longest has the place
        at = line.find(name)
        while name and at >= 0:
            end = at + len(name)
            if not (_joins(line, at) or _joins(line, end)):
                found.append(Thing(at, end, _OPTION, index))
            at = line.find(name, end)
    return found


def _counted_otherwise(name: str) -> str:
    """The option with its clock or day in the other kind of figures (8点 of 八点); empty for one without."""
    found = _COUNTED.search(name)
    number = parse_integer(found["number"]) if found is not None else None
    if found is None or number is None or not 0 < number <= len(_IN_WORDS):
        return ""
    other = _IN_WORDS[number - 1] if found["number"].isascii() else str(number)
    return f"{name[: found.start()]}{other}{name[found.end('number') :]}"


_COUNTED: Final = Pattern("(?P<number>[0-9]{1,2}|[一二两三四五六七八九十]{1,2})[点号日月]")
_IN_WORDS: Final = ("一", "两", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二")


def _shared(names: Sequence[str]) -> int:
    """Characters with which all names begin."""
    return next(
        (at for at, each in enumerate(zip(*names, strict=False)) if len(set(each)) > 1), min(map(len, names))
    )


def _joins(line: str, at: int) -> bool:
    """True if a Latin word or a number goes on over a place of the line."""
    if not 0 < at < len(line):
        return False
    one, other = line[at - 1], line[at]
    return one.isascii() and other.isascii() and one.isalnum() and other.isalnum()


def _own(line: str, poll: OpenPoll, *, other: bool) -> PollVoice | None:
    if line in listed("voice.plus_one") or (poll.form == "signup" and _puts_hand_up(line, poll)):
        line = "+1"
    if line in listed("voice.just_me"):
        line = _JUST_ME
    read = _tokens(line, poll)
    fits = [fit for fit in _grammar().fits(line, read) if fit.form.reads.partition("_")[0] == poll.form]
    said = frozenset[str]().union(*(each.classes for each in read))
    half = line[: len(line) // 2]
    if not fits and half and line == half * 2:
        return _own(half, poll, other=other)  # 来一份来一份
    if not fits and (slip := _said_anew(line, read)) is not None:
        before = _own(slip[0], poll, other=other)
        return None if before is None else _own(slip[1], poll, other=other)
    if not fits:
        return _part(line, read, poll) if poll.form == "vote" else None
    kind = fits[0].form.reads.partition("_")[2]
    if kind in ("on", "off") and not other:
        return None  # 加上, 去掉: of whom is not said
    plain = "own" not in said
    match poll.form:
        case "vote":
            return _vote(kind, read, poll, plain=plain)
        case "signup":
            # @小红 也去
            if kind in ("total", "alone", "them", "fewer"):
                return _heads_told(kind, read, poll, other=other)
            return _signup(kind, read, plain=plain and not (other and len(read) > 1))
        case _:
            return _count(kind, read, plain=plain and "unit" not in said)


def _said_anew(line: str, read: Sequence[Token]) -> tuple[str, str] | None:
    """The two sides of a line that puts a voice right: 我投密室 不对 投火锅. None for any other line."""
    at = next((at for at, each in enumerate(read) if "slip" in each.classes), 0)
    before, behind = line[: read[at].start].strip(" ,"), line[read[at].end :].strip(" ,")
    return (before, behind) if at and before and behind else None


def _puts_hand_up(line: str, poll: OpenPoll) -> bool:
    """True for 吱, and for 我 alone where it is asked who does something."""
    if line in listed("voice.hand_up"):
        return True
    return line in listed("voice.me_alone") and _ASKS_WHO.search(poll.question) is not None


_ASKS_WHO: Final = Pattern(DOER)
_JUST_ME: Final = "就我自己"


def _vote(kind: str, read: Sequence[Token], poll: OpenPoll, *, plain: bool) -> PollVoice | None:
    size = len(poll.options)
    match kind:
        case "leave":
            return PollVoice("leave")
        case "out":  # 我不去了, of a voice that was given
            return PollVoice("leave", plain=True) if poll.given else None
        case "which":
            if any("plus" in each.classes and each.value != 1 for each in read):
                return None
            return PollVoice("unclear", why=f"投哪个？回 1–{size} 的数字就行。")
        case "all":
            return _several(tuple(range(size)), poll, plain=plain) if poll.several else None
        case "front" | "back" | "but":
            return _several(_span_of(kind, read, size), poll, plain=plain) if poll.several else None
        case _:
            pass
    chosen = _chosen(read, poll)
    if not chosen:
        return None
    wrong = next((each for each in chosen if not 0 <= each < size), None)
    if wrong is not None:
        return PollVoice("unclear", why=f"只有 1–{size} 可选，没有 {wrong + 1}。")
    return _several(chosen, poll, plain=plain)


def _span_of(kind: str, read: Sequence[Token], size: int) -> tuple[int, ...]:
    """Options by their place, or by the one that is left out: 后两个都行, 除了七点都可以."""
    values = [each.value for each in read if isinstance(each.value, int)]
    places = tuple(range(size))
    if kind == "but":
        left = next((each.value for each in read if "option" in each.classes), None)
        return tuple(each for each in places if each != left)
    number = values[0] if values else 0
    if not 0 < number <= size:
        return ()
    return places[:number] if kind == "front" else places[-number:]


def _several(chosen: tuple[int, ...], poll: OpenPoll, *, plain: bool) -> PollVoice:
    if not chosen:
        return PollVoice("unclear", why=f"投哪个？回 1–{len(poll.options)} 的数字就行。")
    if len(chosen) > 1 and not poll.several:
        return PollVoice("unclear", why="这个投票一人只能投一个，选哪个？", choices=chosen, plain=plain)
    return PollVoice("take", next(iter(chosen)), plain=plain, choices=chosen if poll.several else ())


def _chosen(read: Sequence[Token], poll: OpenPoll) -> tuple[int, ...]:
    """Indexes of the options that tokens name, in the order of the line."""
    found: dict[int, None] = {}
    for at, token in enumerate(read):
        if _is(read, at + 1, "cannot") or _is(read, at + 1, "reason") or _is(read, at + 1, "none"):
            continue  # 上午不行 下午; 八点吧 两点起不来; 面不要了 饺子
        if "option" in token.classes and isinstance(token.value, int):
            found[token.value] = None
        elif "num" in token.classes and isinstance(token.value, int) and not _is(read, at + 1, "votes"):
            if _says_number_only(read, at):
                continue
            if poll.several and "figure" in token.classes and token.value > len(poll.options):  # 123
                found.update({int(each) - 1: None for each in str(token.value)})
            else:
                found[token.value - 1] = None
    return tuple(found)


def _is(read: Sequence[Token], at: int, name: str) -> bool:
    return 0 <= at < len(read) and name in read[at].classes


def _says_number_only(read: Sequence[Token], at: int) -> bool:
    """True for a number in words that counts and picks nothing: 三, 选两个; False for 第三个, 三号, 选三."""
    if "figure" in read[at].classes or _is(read, at - 1, "ordinal") or _is(read, at + 1, "mark_no"):
        return False
    picked = any(not each.classes.isdisjoint({"choose", "change", "want"}) for each in read[:at])
    return not picked or "unit" in read[at].classes or _is(read, at + 1, "unit")


def _part(line: str, read: Sequence[Token], poll: OpenPoll) -> PollVoice | None:
    """PollVoice in a piece of just one option behind 选, 投, 换成; said to us also in its end alone (涮肉 of
    铜锅涮肉)."""
    begins = next((at for at, each in enumerate(read) if each.classes.isdisjoint(_LEADS)), len(read))
    ends = len(read)
    while ends > begins and not read[ends - 1].classes.isdisjoint({"tail", "le", "pause"}):
        ends -= 1
    lead = frozenset[str]().union(*(each.classes for each in read[:begins]))
    if begins >= ends:
        return None
    said = line[read[begins].start : read[ends - 1].end]
    if lead.isdisjoint({"choose", "change"}):
        ended = [at for at, each in enumerate(poll.options) if normalise(each).lower().endswith(said)]
        alone = len(said) >= _SHORTEST and len(ended) == 1 and not poll.strict
        return _several((ended[0],), poll, plain=True) if alone else None
    inside = [at for at, each in enumerate(poll.options) if said in normalise(each).lower()]
    if len(said) < 2 or len(inside) != 1:
        return None
    return _several((inside[0],), poll, plain="own" not in lead)


_LEADS: Final = frozenset({"filler", "me", "also", "change", "choose", "want", "go", "do", "can", "pause"})


def _signup(kind: str, read: Sequence[Token], *, plain: bool) -> PollVoice | None:
    numbers = [each.value for each in read if "num" in each.classes and isinstance(each.value, int)]
    plus = max(
        (each.value for each in read if "plus" in each.classes and isinstance(each.value, int)), default=1
    )
    kin = sum("kin" in each.classes for each in read)
    match kind:
        case "leave" | "off":
            return PollVoice("leave", plain=plain)
        case "with":
            brought = next(iter(numbers), 0) or max(kin, 1)
            return _amount(max(plus, 1 + brought) if plus > 1 or numbers else 1 + brought, plain=False)
        case "heads":
            three = any("three" in each.classes for each in read)
            pair = any("pair" in each.classes for each in read)
            return _amount(3 if three else 2 if pair else numbers[0], plain=False)
        case "more":
            return _amount(next(iter(numbers), 1), plain=plain, more=True)
        case "less":
            return PollVoice("take", amount=-numbers[0], more=True, plain=plain)
        case "hand":
            is_one = numbers == [1] and any("figure" in each.classes for each in read)
            return PollVoice("take", plain=True, faint=True) if is_one else None
        case _:
            return _amount(max([plus, *numbers]), plain=plain)


def _heads_told(kind: str, read: Sequence[Token], poll: OpenPoll, *, other: bool) -> PollVoice | None:
    """Heads of a sign-up in words: 带老婆一共俩, 带媳妇和娃,仨, 就我自己, 算她一个."""
    kin = sum("kin" in each.classes for each in read)
    match kind:
        case "alone":
            return _amount(1, plain=True) if poll.given else None
        case "fewer":
            return _fewer(read, kin) if poll.given else None
        case "them":
            if other:
                return _amount(1, plain=False)
            if kin and poll.given:
                return _amount(1, plain=False, more=True)
            why = _WITH_YOU if kin else _WHOM
            return PollVoice("unclear", why=why, plain=True, asks=True)
        case _:
            pass
    *_, number = [each.value for each in read if "num" in each.classes and isinstance(each.value, int)]
    totals = any("total" in each.classes for each in read)
    if not kin:
        ours = any("we" in each.classes for each in read)
        return _amount(number, plain=not ours) if ours or poll.given else None
    if totals or number == kin + 1:
        return _amount(number, plain=False) if number > kin else None
    if number == kin:  # 带老婆 一个
        return _amount(kin + 1, plain=False)
    return PollVoice("unclear", why=_HOW_MANY, plain=True, asks=True)


def _fewer(read: Sequence[Token], kin: int) -> PollVoice | None:
    """Those whom one brought come no more, and oneself does: 家属不来了, 朋友不来了 就我一个."""
    numbers = [each.value for each in read if "num" in each.classes and isinstance(each.value, int)]
    alone = any(not each.classes.isdisjoint({"kin_all", "alone"}) for each in read)
    if numbers or alone:
        return _amount(numbers[0] if numbers else 1, plain=False)
    return PollVoice("take", amount=-kin, more=True, stays=True)


_WHOM: Final = "算谁？@ 一下 TA；是你带来的就说「再加一个」。"
_WITH_YOU: Final = "只算 TA，还是连你一共两个？回「+1」或「+2」。"
_HOW_MANY: Final = "连你一共几个人？回「+3」这样的数就行。"


def _count(kind: str, read: Sequence[Token], *, plain: bool) -> PollVoice | None:
    numbers = [each.value for each in read if "num" in each.classes and isinstance(each.value, int)]
    plus = next((each.value for each in read if "plus" in each.classes), 1)
    number = numbers[0] if numbers else plus if isinstance(plus, int) else 1
    match kind:
        case "leave":
            return PollVoice("leave", plain=plain)
        case "more":
            return _amount(number, plain=plain, more=True)
        case "less":
            return PollVoice("take", amount=-number, more=True, plain=plain)
        case _:
            pass
    if number == 0:
        return PollVoice("leave", plain=plain)
    bare = numbers and not any(not each.classes.isdisjoint({"figure", "unit"}) for each in read)
    return None if bare else _amount(number, plain=plain)


def _amount(amount: int, *, plain: bool, more: bool = False) -> PollVoice | None:
    if amount < 1:
        return None
    if amount > MOST_EACH:
        return PollVoice("unclear", why=f"一次最多报 {MOST_EACH}。")
    return PollVoice("take", amount=amount, plain=plain, more=more)


@cache
def _lexicon() -> Lexicon:
    return read_lexicon(_HERE / "voice_words.toml")


@cache
def _grammar() -> Grammar:
    return read_grammar(_HERE / "voice_forms.toml", _lexicon(), things=_THINGS, borders=_BORDERS)
