"""Orders about polls: made, shown, chased, changed, closed, deleted. Pure; whole lines only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Final, Literal, cast

from ...patterns import Pattern
from ..clause import Clause, Mention
from ..following.tables import members_in
from ..forms.forms import Fit, Grammar
from ..forms.tables import read_grammar, read_lexicon
from ..lexicon import Lexicon
from ..recognise.numerals import parse_integer
from ..text.tokens import Thing, Token, tokens
from .deadlines import closing_time
from .lists import PastedList, read_list
from .poll import OpenPoll, PollForm
from .voices import FRESH, options_in
from .words import DOER, HEADS, NUMBER, any_of, listed

_HERE: Final = Path(__file__).parent
LONGEST: Final = 400
"""Characters of a line that may make a poll."""
MOST_OPTIONS: Final = 20
LONGEST_OPTION: Final = 40
LONGEST_QUESTION: Final = 120
MOST_PLACES: Final = 999
OrderKind = Literal[
    "show",
    "list",
    "missing",
    "voters",
    "voice",
    "maker",
    "chase",
    "close",
    "delete",
    "change",
    "drop",
    "follow",
    "reopen",
]
_QUESTIONS: Final = ("show", "list", "missing", "voters", "voice", "maker")
_NO_TELLING: Final = "报了名的人我没法单独通知，名单说「名单」就有，@ 上他们说吧。"
Follow = Literal["schedule", "task", "money"]


@dataclass(frozen=True, slots=True)
class PollDraft:
    """A poll to be made. `why` says what is wrong with it, in Chinese: nothing is made then."""

    form: PollForm
    question: str
    options: tuple[str, ...] = ()
    places: int | None = None
    closes_at: datetime | None = None
    anonymous: bool = False
    several: bool = False
    """A member may choose several options."""
    why: str = ""
    lists: PastedList | None = None
    """The entries of a pasted 接龙."""


@dataclass(frozen=True, slots=True)
class PollOrder:
    """An order about a poll that is there."""

    kind: OrderKind
    form: PollForm | None = None
    """The kind of poll that the words name."""
    closes_at: datetime | None = None
    places: int | None = None
    options: tuple[str, ...] = ()
    follow: Follow | None = None
    when: str = ""
    """Words of the time that the schedule of the result is to have (排进日程 晚上六点半)."""
    soft: bool = False
    """结果 alone: its maker ends the poll by it, others are shown it."""
    why: str = ""
    choices: tuple[int, ...] = ()
    """Options of `poll` whose voters are asked for (谁选了周六), or that are taken out (把火锅去掉)."""
    poll: int | None = None
    anonymous: bool | None = None
    """Whether names are to be kept out of sight; None: not said."""
    people: tuple[Mention, ...] = ()
    """Whose voice is asked for (小雅要了几杯); nobody: the speaker's own."""


_OF_ITS_OWN: Final = f"(?!{any_of('make.weeks')})"
"""Stands before 下 of 发起下投票, which is none of 下周日."""
_LEAD: Final = Pattern(f"^(?:{any_of('make.lead')}|{_OF_ITS_OWN}下|[ ,:])++")
_VOTE: Final = Pattern(f"{any_of('make.vote')}")
_SIGNUP: Final = Pattern(f"{any_of('make.signup')}")
_COUNT: Final = Pattern(f"^(?:{any_of('make.lead')}|[ ,])*+(?:{any_of('make.count')})")
_ENDS_IN_COUNT: Final = Pattern("[ ,]+(?:帮我|麻烦)?(?:统计|登记|数)一?下(?:吧|哈|呗|谢谢| )*$")
_WHO: Final = Pattern(any_of("make.asks_who"))
_MONEY: Final = Pattern(any_of("make.money"))
_LIMIT: Final = Pattern(
    rf"[ ,(（]*(?:(?:{any_of('meta.limit')})+ ?(?P<a>{NUMBER}) ?(?:个)?(?:人|名额|名|位|个)?"
    "(?:就)?(?:封顶|截止|满)?"
    rf"|(?P<b>{NUMBER}) ?个?(?:人|名额|名|位)?(?:为止|封顶|满(?:了)?(?:为止|截止)?|名额)"
    rf"|(?<=[ ,])(?P<c>{NUMBER}) ?个?(?:人|名额|位)(?=$|[ ,]))[)）]?"
)
_ANONYMOUS: Final = Pattern(f"[ ,(（]*(?:{any_of('meta.anonymous')})(?:吧|哈|的)?[)）]?")
_NOT_MADE: Final = Pattern(any_of("make.not_made"))
_NO_SIGNUP: Final = Pattern(f"{any_of('make.no_signup')}|要报名(?!的)")
_FOUNDS: Final = f"(?:{any_of('make.founds')})(?:{any_of('make.one')})?"
_STRONG_VOTE: Final = Pattern(f"{any_of('make.strong_vote')}|{_FOUNDS}投票")
"""Orders a vote even where its options are missing, which is then said."""
_STRONG_SIGNUP: Final = Pattern(f"{any_of('make.strong_signup')}|{_FOUNDS}报名")
_SEVERAL: Final = Pattern(f"[ ,(（]*(?:{any_of('meta.several')})(?:吧|哈|的)?[)）]?")
_OPTIONS_AT: Final = Pattern("(?:选项|可选|候选)(?:有|是|为)?[: ]")
_OR: Final = Pattern(" ?(?:还是|或者|或是|vs|or|/|\\||、) ?")
_LISTED: Final = Pattern(r"(?:(?<=[ ,:;])|^)(?:[0-9]{1,2}|[a-h])[.、):] ?")
_EDGE: Final = " ,。;:、!#~-?"
_HANGS: Final = Pattern("^(?:吧|哈|呗|啊)?(?:大家)?(?:看看|决定一?下|定一?下)?(?=[ ,:])")
_TAIL_TALK: Final = Pattern("(?:[ ,。!]|谢谢|大家投一下|大家投|快投|都来投|投起来|吧|哈|哦)+$")
_CHANGE_OPTION: Final = Pattern(
    "(?:投票)?(?:再|多)?(?:加|添|增加|添加)(?:一?个)?(?:投票)?选项[: ,]*(?P<o>.{1,40})"
)
_ASKS: Final = Pattern("(?:[?]|吗|了没)[?。! ~]*$")
_ASKS_HEADS: Final = Pattern(f"{HEADS}|{DOER}(?:{any_of('make.deeds')})")
"""Asks who comes, or how many: heads are wanted, and no pieces (谁留校, 几个人吃饭)."""
_PIECES: Final = Pattern(any_of("make.pieces"))
_FORM: Final[dict[str, PollForm]] = {
    "投": "vote",
    "票": "vote",
    "报名": "signup",
    "接龙": "signup",
    "统计": "count",
}


def read_order(clause: Clause, polls: Sequence[OpenPoll] = ()) -> PollDraft | PollOrder | None:
    """The order of a whole line; None where it is none. `polls`: those that are there, of which short words
    (结果, 截止, 一共几杯) may be said."""
    text = clause.text.lower().strip()
    if not text or len(text) > LONGEST:
        return None
    order = _about(clause, text, polls) or _made(clause, text)
    return _asked(order) if order is not None and _ASKS.search(text) else order


def _asked(order: PollDraft | PollOrder) -> PollDraft | PollOrder | None:
    """An order in a question: 结束报名？ ends nothing, 结果？ shows; 投票 周六还是周日？ is put to the group
    with the mark of its own question."""
    if isinstance(order, PollDraft):
        return order if order.form == "vote" and order.options else None
    if order.soft:
        return replace(order, kind="show", soft=False)
    return order if order.kind in _QUESTIONS else None


def _about(clause: Clause, text: str, polls: Sequence[OpenPoll]) -> PollOrder | None:
    found = _asked_about(clause, text.strip("? 。!~"), polls)
    if found is not None:
        return found
    if polls and clause.times:
        rest = _without_times(clause).lower().strip(_EDGE)
        fits = _fits(rest, _order_tokens(rest, (), ()))
        if fits and fits[0].form.reads == "follow_schedule":
            return PollOrder("follow", follow="schedule", when=" ".join(one.text for one in clause.times))
    return _changed(clause, _core(text)) if any(not one.closed for one in polls) else None


def _core(text: str) -> str:
    """The text without what leads to it and what ends it politely."""
    read = [each for each in _order_tokens(text, (), ()) if "pause" not in each.classes]
    begins = next((at for at, each in enumerate(read) if each.classes.isdisjoint(_LEADING)), len(read))
    kept = read[begins:]
    while kept and not kept[-1].classes.isdisjoint(_ENDING):
        kept.pop()
    return text[kept[0].start : kept[-1].end] if kept else ""


_LEADING: Final = frozenset({"head", "now"})
_ENDING: Final = frozenset({"courtesy", "stop"})


def _asked_about(clause: Clause, text: str, polls: Sequence[OpenPoll]) -> PollOrder | None:
    """Order or question by the forms; of several polls the one touched last, of which its options are."""
    where = clause.situation
    known = (*where.mentions, *where.members)
    newest = max(polls, key=lambda one: (not one.closed, one.touched_at), default=None)
    options = () if newest is None else newest.options
    read = _order_tokens(text, options, known)
    for fit in _fits(text, read):
        kind, _, more = fit.form.reads.partition("_")
        if kind == "asks" and newest is None:
            continue
        if (kind == "close" and more and newest is None) or fit.form.reads == "change_places":
            continue
        if kind in ("change", "drop"):
            found = _altered(more, read, newest)
            if found is not None:
                return found
            continue
        if more == "chase" and not _is_fresh(newest, where.now.timestamp()):
            continue  # 催一下, long after the poll was spoken of
        form = _form_of(text)
        if fit.form.reads == "result":
            return PollOrder("close", form, soft=True) if newest is not None else None
        if kind == "follow":
            return PollOrder("follow", follow=cast("Follow", more)) if newest is not None else None
        if kind != "asks":
            return PollOrder(cast("OrderKind", kind), form)
        assert newest is not None
        choices = _options_of(read)
        people = tuple(
            each.value for each in read if "member" in each.classes and isinstance(each.value, Mention)
        )
        if more == "tell":
            return PollOrder("show", form, why=_NO_TELLING)
        if more == "voters":
            return PollOrder("voters", choices=choices, poll=newest.id)
        if more == "voice":
            return PollOrder("voice", form, people=people)
        return PollOrder(cast("OrderKind", more), form)
    return None


def _altered(what: str, read: Sequence[Token], poll: OpenPoll | None) -> PollOrder | None:
    """Change of an open poll: options taken out, names shown or not."""
    if poll is None or poll.closed:
        return None
    if what:
        return PollOrder("change", anonymous=what == "unnamed", poll=poll.id)
    return PollOrder("drop", choices=_options_of(read), poll=poll.id)


def _options_of(read: Sequence[Token]) -> tuple[int, ...]:
    return tuple(each.value for each in read if "option" in each.classes and isinstance(each.value, int))


def _is_fresh(poll: OpenPoll | None, now: float) -> bool:
    return poll is not None and not poll.closed and now - poll.touched_at <= FRESH


def _order_tokens(text: str, options: Sequence[str], known: Sequence[Mention]) -> tuple[Token, ...]:
    things = [*options_in(text, options), *members_in(text, known)]
    return tokens(text, _lexicon(), things)


def _fits(text: str, read: Sequence[Token]) -> tuple[Fit, ...]:
    return _grammar().fits(text, read)


@cache
def _lexicon() -> Lexicon:
    return read_lexicon(_HERE / "order_words.toml")


@cache
def _grammar() -> Grammar:
    return read_grammar(_HERE / "order_forms.toml", _lexicon(), things=(frozenset({"option"}), _NUM))


def _without_times(clause: Clause) -> str:
    text = clause.text
    for one in reversed(clause.times):
        text = text[: one.span[0]] + text[one.span[1] :]
    return text


def _changed(clause: Clause, said: str) -> PollOrder | None:
    number = _places(said)
    if number is not None:
        why = "" if 1 <= number <= MOST_PLACES else f"名额要在 1–{MOST_PLACES} 之间。"
        return PollOrder("change", "signup", places=number or None, why=why)
    option = _CHANGE_OPTION.fullmatch(said)
    if option is not None:
        return PollOrder("change", "vote", options=(option["o"].strip(_EDGE),))
    closing = closing_time(clause.text.lower(), clause.times, clause.situation.now)
    if closing is None:
        return None
    rest = (clause.text[: closing.start] + clause.text[closing.end :]).lower()
    if not _ONLY_CLOSES.fullmatch(rest):
        return None
    return PollOrder("change", _form_of(clause.text), closes_at=closing.at, why=closing.why)


def _places(said: str) -> int | None:
    """The number of places that is to hold: 名额改成10人, 改成限5人, 加到8个人."""
    numbers = [
        Thing(*found.span(), _NUM, number)
        for found in _NUMBER.finditer(said)
        if (number := parse_integer(found.group())) is not None
    ]
    read = tokens(said, _lexicon(), numbers)
    if not numbers or not any(fit.form.reads == "change_places" for fit in _fits(said, read)):
        return None
    return next((each.value for each in read if isinstance(each.value, int)), None)


_NUM: Final = frozenset({"num"})
_NUMBER: Final = Pattern(NUMBER)
_ONLY_CLOSES: Final = Pattern(
    "(?:[ ,。!]|把|投票|报名|接龙|统计|的|时间|改|延长|延期|延|推迟|到|成|为|吧|截止|这个|那个)*"
)


def _form_of(words: str) -> PollForm | None:
    return next((form for word, form in _FORM.items() if word in words), None)


def _made(clause: Clause, text: str) -> PollDraft | None:
    pasted = read_list(text)
    if pasted is not None and pasted.named and pasted.title:
        return PollDraft("signup", pasted.title[:LONGEST_QUESTION], lists=pasted)
    ended = _ENDS_IN_COUNT.search(text) if not clause.times else None
    if ended is not None:  # 谁要奶茶 统计一下
        text = f"统计一下 {text[: ended.start()]}"
    form = _form_made(text)
    if form is None:
        return None
    closing = closing_time(text, clause.times, clause.situation.now)
    body = text if closing is None else f"{text[: closing.start]},{text[closing.end :]}"
    made = PollDraft(form, "", closes_at=closing.at if closing else None, why=closing.why if closing else "")
    anonymous = _ANONYMOUS.search(body)
    if anonymous is not None:
        body = f"{body[: anonymous.start()]},{body[anonymous.end() :]}"
        made = replace(made, anonymous=True)
    several = _SEVERAL.search(body)
    if several is not None:
        body = f"{body[: several.start()]},{body[several.end() :]}"
        made = replace(made, several=form == "vote")
    limited = False
    if form == "signup" and (limit := _LIMIT.search(body)) is not None:
        places = parse_integer(limit["a"] or limit["b"] or limit["c"]) or 0
        body = f"{body[: limit.start()]},{body[limit.end() :]}"
        made, limited = replace(made, places=places or None), True
        if not 1 <= places <= MOST_PLACES:
            made = replace(made, why=made.why or f"名额要在 1–{MOST_PLACES} 之间。")
    counted = form == "signup" and _COUNT.match(text) is not None
    if form == "signup" and not (limited or counted) and not _STRONG_SIGNUP.search(text):
        return None  # 周五驾校报名: somebody's own business
    makes = _count if counted else {"vote": _vote, "signup": _signup, "count": _count}[form]
    made_of = makes(made, body)
    strong = made.several or _STRONG_VOTE.search(text) is not None
    if form == "vote" and made_of is not None and not made_of.options and not strong:
        return None
    return made_of


def _form_made(text: str) -> PollForm | None:
    voted, signed = _VOTE.search(text), _SIGNUP.search(text)
    if _NOT_MADE.search(text):
        return None
    if voted is not None:
        return "vote"
    counted = _COUNT.match(text)
    if counted is not None:
        rest = text[counted.end() :]
        if _SEVERAL.search(rest) is not None:
            return "vote"  # 统计一下大家哪天有空 周一 周二 可多选
        if not _WHO.search(rest) or _MONEY.search(rest):
            return None
        return "signup" if _ASKS_HEADS.search(rest) and not _PIECES.search(rest) else "count"
    return "signup" if signed is not None and not _NO_SIGNUP.search(text) else None


def _vote(made: PollDraft, body: str) -> PollDraft:
    trigger = _VOTE.search(body) or _COUNT.match(body)
    assert trigger is not None
    before = _LEAD.sub("", body[: trigger.start()]).strip(_EDGE)
    after = _TAIL_TALK.sub("", _HANGS.sub("", body[trigger.end() :]).strip(_EDGE))
    said = f"{before},{after}".strip(_EDGE) if before and after else (after or before)
    said = _DOUBLE.sub(",", said)
    question, options = parts_of_vote(said, several=made.several)
    if not options and before and body[trigger.end() :].lstrip().startswith(":"):
        options = _distinct(after.split(" "))  # 中午吃啥 投票：火锅 烤肉 麻辣烫
        question = before if len(options) > 1 else question
    if not options and after and not before:
        question, options = _blank_parted(after)
    if not options and (either := _EITHER.search(said)) is not None:  # 要不要换群名
        options = (either["one"], f"不{either['one']}")
        question = said.strip(_EDGE)
    return _checked(replace(made, question=question, options=options))


def _blank_parted(said: str) -> tuple[str, tuple[str, ...]]:
    """Question and options parted by blanks alone: 选班长 小雅 阿凯, 火锅 烤肉 麻辣烫; without options for
    less than three pieces."""
    pieces = _distinct(said.split(" "))
    if len(pieces) < _LEAST_PIECES or any(len(each) > _SHORT for each in pieces[1:]):
        return said.strip(_EDGE), ()
    if _ASKED_FIRST.search(pieces[0]):
        return pieces[0], pieces[1:]
    return "", pieces


_LEAST_PIECES: Final = 3
_SHORT: Final = 8
_ASKED_FIRST: Final = Pattern("^(?:选|定|评|推选)|哪|什么|啥|谁|几|怎么|[?]")
_EITHER: Final = Pattern("(?P<c>[一-鿿])不(?P<one>(?P=c)意?)")


_DOUBLE: Final = Pattern("[ ,]*,[ ,]*")


def parts_of_vote(said: str, *, several: bool = False) -> tuple[str, tuple[str, ...]]:
    """Question and options of a vote: 周六还是周日去爬山 has 周六 and 周日, of 周六还是周日去爬山."""
    listed_at = _LISTED.search(said)
    if listed_at is not None and len(_LISTED.findall(said)) > 1:
        options = [each.strip(_EDGE) for each in _LISTED.split(said[listed_at.start() :])]
        return said[: listed_at.start()].strip(_EDGE), _distinct(options)
    lettered = _lettered(said)
    if lettered is not None:
        return lettered
    answered = list(_ANSWERED.finditer(said))
    if len(answered) > 1:
        return said[: answered[0].start()].strip(_EDGE), _distinct([each["o"] for each in answered])
    headed = _OPTIONS_AT.search(said)
    if headed is not None:
        return said[: headed.start()].strip(_EDGE), _distinct(_COMMA.split(said[headed.end() :]))
    pieces = [each for each in _COMMA_ONLY.split(said) if each.strip(_EDGE)]
    at = next((number for number, each in enumerate(pieces) if len(_OR.split(each)) > 1), None)
    if at is None and several and len(parts := _distinct(said.split(" "))) > 2:
        return parts[0], parts[1:]
    if at is None:
        return said.strip(_EDGE), ()
    topic = [each.strip(_EDGE) for number, each in enumerate(pieces) if number != at]
    words = pieces[at].strip(_EDGE)
    head, colon, behind = words.partition(":")
    if colon and len(_OR.split(behind)) > 1:
        return head.strip(_EDGE), _distinct(_OR.split(behind))
    lead, words = _led(words)
    parts = [each.strip(_EDGE) for each in _OR.split(words)]
    parts = _spaced(parts)
    options, topic_words = _shared_end(parts)
    question = ",".join([*topic, pieces[at].strip(_EDGE)]) if not lead else ",".join([*topic, lead])
    if topic and not topic_words:
        question = ",".join(topic)
    return question.strip(_EDGE), _distinct(options)


def _lettered(said: str) -> tuple[str, tuple[str, ...]] | None:
    """Question and options behind letters in their order, without a mark: a 爬山 b 骑行 c 宅家."""
    marks = list(_LETTER.finditer(said))
    if len(marks) < 2 or "".join(each[1] for each in marks) != _LETTERS[: len(marks)]:
        return None
    ends = [*(each.start() for each in marks[1:]), len(said)]
    options = [said[mark.end() : end].strip(_EDGE) for mark, end in zip(marks, ends, strict=True)]
    return said[: marks[0].start()].strip(_EDGE), _distinct(options)


_LETTERS: Final = "abcdefgh"
_LETTER: Final = Pattern("(?:(?<=[ ,:;])|^)([a-h]) ?(?=[一-鿿])")
_ANSWERED: Final = Pattern(
    "(?:^|(?<=[ ,:;]))(?P<o>[^ ,:;]{1,40}?)的?(?:请)?(?:回|扣|打|发) ?[0-9]{1,2}(?=$|[ ,;])"
)
_COMMA: Final = Pattern(" ?[,;、/|] ?| (?=[^ ])|还是|或者")
_COMMA_ONLY: Final = Pattern(" ?[,;] ?")


def _led(words: str) -> tuple[str, str]:
    """Topic before the options, parted by a blank: 去哪吃 火锅还是烤肉."""
    first = _OR.search(words)
    assert first is not None
    head = words[: first.start()]
    if " " not in head.strip():
        return "", words
    cut = head.rstrip().rfind(" ")
    return head[:cut].strip(_EDGE), words[cut + 1 :]


def _spaced(parts: list[str]) -> list[str]:
    return [each for each in parts if each]


def _shared_end(parts: list[str]) -> tuple[list[str], str]:
    """周六, 周日去爬山: the end that the last has beside what the first has too belongs to all of them."""
    if len(parts) < 2:
        return parts, ""
    first, last = parts[0], parts[-1]
    lead = _shared_begin(first, last)
    # As long as the first one, where the two begin alike (周六 周日, 19号 20号, 3点 4点).
    alike = _length_alike(first.removeprefix(lead), last)
    if lead:  # 下周六还是周日: of the same week
        rest = first.removeprefix(lead)
        parts = [f"{lead}{each}" if _is_alike(rest, each[: len(rest)]) else each for each in parts]
        last, alike = parts[-1], alike + len(lead) if alike else 0
    if alike and alike < len(last):
        return [*parts[:-1], last[:alike]], last[alike:]
    asks = _ASKS_BEHIND.search(last)
    if asks is not None and asks.start() > 0:
        return [*parts[:-1], last[: asks.start()]], last[asks.start() :]
    return parts, ""


def _shared_begin(first: str, last: str) -> str:
    """下 of 下周六 and 周日, 12月 of 12月5号 and 6号: what the first has in front holds for all."""
    month = first.find("月") + 1
    leads = (first[:month], *sorted(listed("make.shared"), key=len, reverse=True))
    for lead in leads:
        rest = first.removeprefix(lead)
        if not lead or rest == first or not rest or last.startswith(lead):
            continue
        if _is_alike(rest, last[: len(rest)]) and not _is_alike(first, last[: len(first)]):
            return lead
    return ""


_PARTS: Final = frozenset("上下中早晚")
"""Letters in which parts of a day differ: 明天上午还是下午."""


def _is_alike(one: str, other: str) -> bool:
    same = sum(a == b for a, b in zip(one, other, strict=False))
    kinds = all(
        a == b or _kind(a) == _kind(b) == "number" or {a, b} <= _PARTS
        for a, b in zip(one, other, strict=False)
    )
    return len(one) == len(other) and (kinds and same > 0)


_ASKS_BEHIND: Final = Pattern("(?:哪个|哪一个|哪天|哪家|哪种|哪里|谁).*$")


def _length_alike(first: str, last: str) -> int:
    """Length of the beginning of `last` that is of the same make as `first`; 0 where none is."""
    size = len(first)
    if size >= len(last) or not first:
        return 0
    for at in range(size):
        one, other = first[at], last[at]
        if one != other and _kind(one) != _kind(other):
            return 0
    same = sum(one == other for one, other in zip(first, last, strict=False))
    return size if same else 0


def _kind(character: str) -> str:
    if character.isdigit() or character in "零一二三四五六七八九十两日天":
        return "number"
    return "word" if character.isalpha() else "sign"


def _distinct(options: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.strip(_EDGE) for each in options if each.strip(_EDGE)))


def _checked(made: PollDraft) -> PollDraft:
    """The vote with what is wrong with it."""
    why = made.why
    if not why and len(made.options) < 2:
        why = "投票要有至少两个选项，比如：投个票 周六还是周日去爬山。"
    if not why and len(made.options) > MOST_OPTIONS:
        why = f"选项最多 {MOST_OPTIONS} 个，现在有 {len(made.options)} 个。"
    if not why and any(len(each) > LONGEST_OPTION for each in made.options):
        why = f"选项太长了，每个不超过 {LONGEST_OPTION} 个字。"
    question = made.question or "、".join(made.options)
    return replace(made, question=question[:LONGEST_QUESTION], why=why)


def _signup(made: PollDraft, body: str) -> PollDraft | None:
    rest = _SIGNUP.sub(",", body)
    rest = _DOUBLE.sub(",", _LEAD.sub("", rest.strip(_EDGE))).strip(_EDGE)
    rest = _TAIL_TALK.sub("", _WANTS.sub("", rest)).strip(_EDGE)
    if not rest:
        if _LEAD.sub("", body).strip(_EDGE) in listed("make.signup") and not _LEAD.match(body):
            return None  # 报名: a voice
        return replace(made, why=made.why or "报名什么？比如：周六羽毛球报名 限8人。")
    return replace(made, question=rest[:LONGEST_QUESTION])


_WANTS: Final = Pattern("(?:[,，]|^)(?:(?:想|要|能)[^,]{1,3}的|参加的|有意的)(?:人)?(?:请)?$|(?:扣|回|打)1")


def _count(made: PollDraft, body: str) -> PollDraft:
    found = _COUNT.match(body)
    rest = body[found.end() :] if found is not None else body
    rest = _DOUBLE.sub(",", rest).strip(_EDGE)
    if not rest:
        return replace(made, why=made.why or "统计什么？比如：统计一下谁要订盒饭，几份。")
    return replace(made, question=rest[:LONGEST_QUESTION])
