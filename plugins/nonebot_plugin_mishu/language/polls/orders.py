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
from ..recognise.leads import LENGTH
from ..recognise.numerals import parse_integer
from ..recognise.times import TimeExpression, parse
from ..text.tokens import Thing, Token, tokens
from ..timing.reminder_leads import minutes_of
from .deadlines import closing_time
from .lists import PastedList, read_list
from .naming import dated, named
from .options import EDGE, blank_parted, distinct, parts_of_vote
from .poll import OpenPoll, PollForm
from .voices import FRESH, MOST_EACH, options_in
from .words import DOER, HEADS, MANY, NUMBER, any_of, listed

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
_ENDS_WHEN: Final = "什么时候截止？说了截止时间，我才能提前喊大家，比如：周五8点截止，提前半小时提醒大家。"
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
    joins: int = 0
    """Heads of the speaker, who are in from the start (+1 羽毛球, where nobody has asked yet)."""
    call_ahead: int | None = None
    """Minutes before the end at which those without a voice are called (提前半小时提醒大家投)."""


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
    """Of a deletion: in words that name no poll's kind (奶茶取消), done only after a yes."""
    why: str = ""
    choices: tuple[int, ...] = ()
    """Options of `poll` whose voters are asked for (谁选了周六), or that are taken out (把火锅去掉)."""
    poll: int | None = None
    anonymous: bool | None = None
    """Whether names are to be kept out of sight; None: not said."""
    people: tuple[Mention, ...] = ()
    """Whose voice is asked for (小雅要了几杯); nobody: the speaker's own."""
    unlimited: bool = False
    """The number of places no longer holds (上限去掉)."""
    further: int = 0
    """Places that are added to those there are, perhaps below zero (加一个名额)."""
    ends_said: bool = False
    """The words of a closing time say that it ends (截止), not that it is put off."""
    question: str = ""
    """What the poll is to be about (接龙改成周六 of 周日桌游)."""


_OF_ITS_OWN: Final = f"(?!{any_of('make.weeks')})"
"""Stands before 下 of 发起下投票, which is none of 下周日."""
_LEAD: Final = Pattern(f"^(?:{any_of('make.lead')}|{_OF_ITS_OWN}下|[ ,:])++")
_VOTE: Final = Pattern(f"{any_of('make.vote')}")
_SIGNUP: Final = Pattern(f"{any_of('make.signup')}")
_COUNT: Final = Pattern(f"^(?:{any_of('make.lead')}|[ ,])*+(?:{any_of('make.count')})")
_ENDS_IN_COUNT: Final = Pattern(
    "[ ,]+(?:帮我|麻烦)?(?:(?:统计|登记|数)一?下|(?:报|回)(?:一?下|个)?(?:人数|人头))(?:吧|哈|呗|谢谢| )*$"
)
_COUNTS: Final = "统计一下"
_WHO: Final = Pattern(f"{any_of('make.asks_who')}|{MANY}")
_MONEY: Final = Pattern(any_of("make.money"))
_LIMIT: Final = Pattern(
    rf"[ ,(（]*(?:(?:{any_of('meta.limit')})+ ?(?:{any_of('meta.holds')})? ?(?P<a>{NUMBER})"
    " ?个?(?:人|名额|名|位|个)?"
    "(?:就)?(?:封顶|截止|满)?"
    rf"|(?P<b>{NUMBER}) ?个?(?:人|名额|名|位)?(?:为止|封顶|满(?:了)?(?:为止|截止)?|名额)"
    rf"|(?<=[ ,])(?:{any_of('meta.wants')})?(?P<c>{NUMBER}) ?个?(?:人|名额|位)(?=$|[ ,]))[)）]?"
)
_ANONYMOUS: Final = Pattern(f"[ ,(（]*(?:{any_of('meta.anonymous')})(?:吧|哈|的)?[)）]?")
_NOT_MADE: Final = Pattern(any_of("make.not_made"))
_NO_SIGNUP: Final = Pattern(f"{any_of('make.no_signup')}|要报名(?!的)")
_FOUNDS: Final = f"(?:{any_of('make.founds')})(?:{any_of('make.one')})?"
_STRONG_VOTE: Final = Pattern(f"{any_of('make.strong_vote')}|{_FOUNDS}投票")
"""Orders a vote even where its options are missing, which is then said."""
_STRONG_SIGNUP: Final = Pattern(f"{any_of('make.strong_signup')}|{_FOUNDS}报名")
_SEVERAL: Final = Pattern(f"[ ,(（]*(?:{any_of('meta.several')})(?:吧|哈|的)?[)）]?")
_HANGS: Final = Pattern("^(?:吧|哈|呗|啊)?(?:大家)?(?:看看|决定一?下|定一?下)?(?=[ ,:])")
_TAIL_TALK: Final = Pattern("(?:[ ,。!]|谢谢|大家投一下|大家投|快投|都来投|投起来|吧|哈|哦)+$")
_CHANGE_OPTION: Final = Pattern(
    "(?:投票)?(?:再|多)?(?:加|添|增加|添加)(?:一?个)?(?:投票)?选项[: ,]*(?P<o>.{1,40})"
)
_ASKS: Final = Pattern("(?:[?]|吗|了没)[?。! ~]*$")
_ASKS_HEADS: Final = Pattern(f"{HEADS}|{DOER}(?:{any_of('make.deeds')})")
"""Asks who comes, or how many: heads are wanted, and no pieces (谁留校, 几个人吃饭)."""
_PIECES: Final = Pattern(f"{any_of('make.pieces')}|{MANY}")
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
    if text.strip(EDGE) in listed("make.signup") and any(_takes_in(each) for each in polls):
        return None  # 报名: a voice
    order = _about(clause, text, polls) or _about_named(clause, polls) or _made(clause, polls)
    return _asked(order) if order is not None and _ASKS.search(text) else order


def _takes_in(poll: OpenPoll) -> bool:
    return poll.form == "signup" and not poll.closed


def _about_named(clause: Clause, polls: Sequence[OpenPoll]) -> PollOrder | None:
    """The order about a poll that the line names: 盒饭一共几份了, 唱K投票延到明天中午, 奶茶取消."""
    found = named(clause, polls)
    if found is None:
        return _about_dated(clause, polls)
    text = found.rest.text.lower().strip()
    order = _about(found.rest, text, (found.poll,))
    if order is None and found.poll.closed and found.plainly:
        order = _changed(found.rest, _core(text), (found.poll,))  # told that it is over
    if order is None and _calls_off(text) and not found.poll.closed:
        order = PollOrder("delete", soft=True)
    if order is None:
        return None
    if order.closes_at is not None and not found.plainly and not order.ends_said:
        return None  # 羽毛球推迟到周五: the day on which it is played
    if order.kind == "delete":
        order = replace(order, soft=True)
    return replace(order, poll=found.poll.id, form=None)


def _about_dated(clause: Clause, polls: Sequence[OpenPoll]) -> PollOrder | None:
    """The question about a poll that the line names by its day alone: 周六那个投票结果呢."""
    found = dated(clause, polls)
    order = None if found is None else _about(found.rest, found.rest.text.lower().strip(), (found.poll,))
    if found is None or order is None:
        return None
    return replace(order, poll=found.poll.id, form=None) if order.kind in _QUESTIONS else None


def _calls_off(text: str) -> bool:
    said = text.strip("? 。!~")
    return any(fit.form.reads == "calls_off" for fit in _fits(said, _order_tokens(said, (), ())))


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
        rest = _without_times(clause).lower().strip(EDGE)
        fits = _fits(rest, _order_tokens(rest, (), ()))
        if fits and fits[0].form.reads == "follow_schedule":
            return PollOrder("follow", follow="schedule", when=" ".join(one.text for one in clause.times))
    if any(not one.closed for one in polls):
        return _changed(clause, _core(text), polls)
    option = _CHANGE_OPTION.fullmatch(_core(text)) if any(one.form == "vote" for one in polls) else None
    if option is not None:
        return PollOrder("change", "vote", options=(option["o"].strip(EDGE),))
    return _urged(clause)


def _urged(clause: Clause) -> PollOrder | None:
    """选一个呗 周五之前定 where no poll is open: it names nothing to be done, and is of a poll alone."""
    closing = closing_time(clause.text.lower(), clause.times, clause.situation.now)
    if closing is None:
        return None
    rest = (clause.text[: closing.start] + clause.text[closing.end :]).lower().strip(EDGE)
    read = _order_tokens(rest, (), ())
    urges = any("pick_one" in each.classes for each in read)
    if not urges or not any(fit.form.reads == "change_closes" for fit in _fits(rest, read)):
        return None
    return PollOrder("change", closes_at=closing.at)


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
        if (kind == "close" and more and newest is None) or fit.form.reads in _OF_VALUES:
            continue  # 截止, where nothing was asked; what has values in it
        if kind == "calls":
            if _OF_KIND.search(text) is None or newest is None:
                continue  # 取消, of whatever is open
            return PollOrder("delete", form_told(text), soft=True)
        if kind in ("change", "drop"):
            found = _altered(more, read, newest)
            if found is not None:
                return found
            continue
        if more == "chase" and not _is_fresh(newest, where.now.timestamp()):
            continue  # 催一下, long after the poll was spoken of
        if more == "chase" and newest is not None and newest.closed:
            return PollOrder("chase", poll=newest.id)  # told that it is over
        form = form_told(text)
        if fit.form.reads == "result":
            return PollOrder("show", form) if newest is not None else None
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
    """Change of an open poll: options taken out, names shown or not, places without a limit."""
    if poll is None or poll.closed:
        return None
    if what == "unlimited":
        return PollOrder("change", "signup", unlimited=True)
    if what:
        return PollOrder("change", anonymous=what == "unnamed", poll=poll.id)
    return PollOrder("drop", choices=_options_of(read), poll=poll.id)


def _options_of(read: Sequence[Token]) -> tuple[int, ...]:
    return tuple(each.value for each in read if "option" in each.classes and isinstance(each.value, int))


def takes_end_back(text: str) -> bool:
    """True for a line that wants a poll that just ended to go on: 撤销, 手滑 撤销, 先别截止."""
    said = text.lower().strip(EDGE)
    read = _order_tokens(said, (), ())
    return any(fit.form.reads == "undo_end" for fit in _fits(said, read))


def _is_fresh(poll: OpenPoll | None, now: float) -> bool:
    over = poll is not None and poll.closed and poll.past != ""
    return poll is not None and not over and now - poll.touched_at <= FRESH


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
    return read_grammar(_HERE / "order_forms.toml", _lexicon(), things=(frozenset({"option"}), _NUM, _AHEAD))


def _without_times(clause: Clause) -> str:
    text = clause.text
    for one in reversed(clause.times):
        text = text[: one.span[0]] + text[one.span[1] :]
    return text


def _changed(clause: Clause, said: str, polls: Sequence[OpenPoll]) -> PollOrder | None:
    question = _moved(clause, polls)
    if question is not None:
        return question
    number = _places(said)
    if number is not None:
        return PollOrder("change", "signup", places=number or None, why=wrong_places(number))
    further = _further(said)
    if further:
        return PollOrder("change", "signup", further=further)
    option = _CHANGE_OPTION.fullmatch(said)
    if option is not None:
        return PollOrder("change", "vote", options=(option["o"].strip(EDGE),))
    closing = closing_time(clause.text.lower(), clause.times, clause.situation.now)
    if closing is None:
        return None
    rest = (clause.text[: closing.start] + clause.text[closing.end :]).lower().strip(EDGE)
    closes = _fits(rest, _order_tokens(rest, (), ()))
    if rest and not any(fit.form.reads == "change_closes" for fit in closes):
        return None
    ends = _SAYS_END.search(clause.text) is not None
    return PollOrder("change", form_told(clause.text), closes_at=closing.at, why=closing.why, ends_said=ends)


_SAYS_END: Final = Pattern("截|结束|停止|关闭")
_OF_KIND: Final = Pattern("投票|报名|接龙|统计")


def _places(said: str) -> int | None:
    """The number of places that is to hold: 名额改成10人, 改成限5人, 加到8个人."""
    return _number_in(said, "change_places")


def _further(said: str) -> int:
    """How many places are added, or below zero taken: 加一个名额, 少2个名额."""
    return (_number_in(said, "further") or 0) - (_number_in(said, "fewer") or 0)


def _number_in(said: str, form: str) -> int | None:
    """The number of a line that one form reads."""
    numbers = [
        Thing(*found.span(), _NUM, number)
        for found in _NUMBER.finditer(said)
        if (number := parse_integer(found.group())) is not None
    ]
    read = tokens(said, _lexicon(), numbers)
    if not numbers or not any(fit.form.reads == form for fit in _fits(said, read)):
        return None
    return next((each.value for each in read if isinstance(each.value, int)), None)


def _moved(clause: Clause, polls: Sequence[OpenPoll]) -> PollOrder | None:
    """Another day for what an open sign-up or count is about: 接龙改成周六 of 周日桌游. None where its own
    words name no day, or several."""
    line = clause.text.lower()
    things = [Thing(*each.span, _TIME, each) for each in clause.times]
    fits = _fits(line, tokens(line, _lexicon(), things))
    form = form_told(line)
    if not things or not fits or fits[0].form.reads != "change_when":
        return None
    here = [each for each in polls if not each.closed and each.form != "vote"]
    here = [each for each in here if each.form == form] or here
    poll = max(here, key=lambda each: each.touched_at, default=None)
    if poll is None or form == "vote":
        return None
    where = clause.situation
    [new] = fits[0].slots["when"]
    kept = parse(poll.question, where.now, where.zone)
    if len(kept) != 1 or not isinstance(new.value, TimeExpression) or new.value.date is None:
        return None
    if new.value.kind == "deadline":
        return None  # 报名改到明天截止: its end, not its day
    start, end = kept[0].span
    question = f"{poll.question[:start]}{clause.text[new.start : new.end]}{poll.question[end:]}"
    return PollOrder("change", poll.form, question=question[:LONGEST_QUESTION], poll=poll.id)


_OF_VALUES: Final = (
    "undo_end",
    "change_places",
    "further",
    "fewer",
    "change_when",
    "change_closes",
    "call_ahead",
)
"""Forms of what is recognised in the line beside its words."""
_TIME: Final = frozenset({"time"})
_AHEAD: Final = frozenset({"ahead"})
_NUM: Final = frozenset({"num"})
_NUMBER: Final = Pattern(NUMBER)


def form_told(words: str) -> PollForm | None:
    """The kind of poll that words name (投票, 接龙); None where they name none."""
    return next((form for word, form in _FORM.items() if word in words), None)


def form_asked(question: str) -> PollForm | None:
    """The kind of poll that a question is put with: pieces are counted (几份), heads signed up (谁去); None
    for another question."""
    if _PIECES.search(question):
        return "count"
    return "signup" if _ASKS_HEADS.search(question) else None


def hides_names(line: str) -> bool:
    """True if a line orders a vote without names."""
    return _ANONYMOUS.search(line) is not None and not shows_names(line)


def shows_names(words: str) -> bool:
    """True if words say that names are shown: 实名, 不匿名."""
    return any("named" in each.classes for each in _order_tokens(words, (), ()))


def may_choose_several(line: str) -> bool:
    """True if a line lets a member choose several options."""
    return _SEVERAL.search(line) is not None


def unlimits(words: str) -> bool:
    """True if words free the number of places: 不限人数."""
    return any("unlimited" in each.classes for each in _order_tokens(words, (), ()))


def asks_about(clause: Clause, poll: OpenPoll) -> PollOrder | None:
    """The question that a line, read as one of this poll, asks; None where it asks nothing."""
    order = _asked_about(clause, clause.text.lower().strip("? 。!~"), (poll,))
    return order if order is not None and order.kind in _QUESTIONS and not order.why else None


def _called_ahead(clause: Clause) -> tuple[Clause, int | None]:
    """The clause without its piece that orders to call the others before the end (提前半小时提醒大家投),
    and how many minutes before."""
    for piece in _PIECES_OF_LINE.finditer(clause.text.lower()):
        lead = _LEAD_SAID.search(piece.group())
        minutes = minutes_of(lead["length"]) if lead is not None else None
        if lead is None or not minutes:
            continue
        said = piece.group()[lead.start() :]
        read = tokens(said, _lexicon(), [Thing(0, lead.end() - lead.start(), _AHEAD, minutes)])
        if any(fit.form.reads == "call_ahead" for fit in _fits(said, read)):
            return clause.without(piece.start() + lead.start(), piece.end()), minutes
    return clause, None


_PIECES_OF_LINE: Final = Pattern("[^,;。!]++")
_LEAD_SAID: Final = Pattern(f"(?:(?:快?(?:截止|结束))(?:之|以)?前|提前)(?P<length>{LENGTH})")


def _made(clause: Clause, polls: Sequence[OpenPoll]) -> PollDraft | None:
    clause, ahead = _called_ahead(clause)
    text = clause.text.lower().strip()
    pasted = read_list(text)
    if pasted is not None and pasted.named and pasted.title:
        return PollDraft("signup", pasted.title[:LONGEST_QUESTION], lists=pasted)
    ended = _ENDS_IN_COUNT.search(text)
    if ended is not None:  # 谁要奶茶 统计一下
        lead = _LEAD.match(text)
        asked = clause.part(lead.end() if lead is not None else 0, ended.start())
        text = f"{_COUNTS} {asked.text.lower()}"
        times = tuple(each.moved(len(_COUNTS) + 1) for each in asked.times)
        clause = replace(asked, text=text, times=times)
    form = _form_made(text)
    if form is None:
        return _joined_first(clause, text, polls) or _picked_from(clause, text)
    closing = closing_time(text, clause.times, clause.situation.now)
    body = text if closing is None else f"{text[: closing.start]},{text[closing.end :]}"
    pieces = _PIECES_TOLD.search(body) if form != "vote" else None
    if pieces is not None:  # 接龙 周六盒饭 要的报份数: how to answer, and no part of what is asked
        body, form = f"{body[: pieces.start()]},{body[pieces.end() :]}", "count"
        body = _SIGNUP.sub(",", body)
    made = PollDraft(form, "", closes_at=closing.at if closing else None, why=closing.why if closing else "")
    made = replace(made, call_ahead=ahead, why=made.why or ("" if ahead is None or closing else _ENDS_WHEN))
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
        made = replace(made, why=made.why or wrong_places(places))
    counted = form == "signup" and _COUNT.match(text) is not None
    if form == "signup" and not (limited or counted) and not _STRONG_SIGNUP.search(text):
        asked = _signup(made, _TAIL_CALL.sub("", body)) if _HEADED.search(text) else None
        # 周六爬山报名 asks the group; 周五驾校报名 is somebody's own business.
        return asked if asked is not None and _gathers(clause, asked.question) else None
    makes = _count if counted else {"vote": _vote, "signup": _signup, "count": _count}[form]
    made_of = makes(made, body)
    strong = made.several or _STRONG_VOTE.search(text) is not None
    if form == "vote" and made_of is not None and not made_of.options and not strong:
        return None
    return made_of


def _gathers(clause: Clause, question: str) -> bool:
    """True if a question is just what a group does together, with its times (周六下午爬山), and nothing kept
    has its name: 爬山报名 joins a schedule 爬山."""
    where = clause.situation
    said = question
    for each in reversed(parse(question, where.now, where.zone)):
        said = f"{said[: each.span[0]]} {said[each.span[1] :]}"
    found = _GATHERING.fullmatch(said.strip(EDGE))
    if found is None or where.private or _NO_DEED.search(found["lead"]):
        return False
    return not any(found["deed"] in each.name.lower() for each in where.things)


def _picked_from(clause: Clause, text: str) -> PollDraft | None:
    """Vote of a list with the words to choose one of it, for everybody or by some time: 烤肉、火锅、日料,
    选一个呗,周五之前定."""
    closing = closing_time(text, clause.times, clause.situation.now)
    body = text if closing is None else f"{text[: closing.start]},{text[closing.end :]}"
    urges = [each for each in _WORDS_APART.finditer(body) if _is_pick_one(each.group())]
    everyone = any("everyone" in each.classes for one in urges for each in _order_tokens(one.group(), (), ()))
    if len(urges) != 1 or clause.situation.private or not (closing is not None or everyone):
        return None
    start, end = urges[0].span()
    said = _DOUBLE.sub(",", f"{body[:start]},{body[end:]}").strip(EDGE)
    question, options = parts_of_vote(said)
    if not options:
        question, options = blank_parted(said)
    if not options and len(pieces := distinct(said.split(","))) > _PAIR:
        question, options = "", pieces  # 烤肉,火锅,日料,选一个
    if len(options) < _PAIR or any(len(each) > LONGEST_OPTION for each in options):
        return None
    at, why = (None, "") if closing is None else (closing.at, closing.why)
    return _checked(PollDraft("vote", question, options, closes_at=at, why=why))


_PAIR: Final = 2
_WORDS_APART: Final = Pattern("[^ ,;:。!]+")


def _is_pick_one(piece: str) -> bool:
    """True for a piece that is only the words to choose one: 选一个呗, 大家选一个吧."""
    read = _order_tokens(piece, (), ())
    only = all(not each.classes.isdisjoint(_URGES) for each in read)
    return only and any("pick_one" in each.classes for each in read)


_URGES: Final = frozenset({"pick_one", "everyone", "courtesy", "head"})


def _joined_first(clause: Clause, text: str, polls: Sequence[OpenPoll]) -> PollDraft | None:
    """Sign-up that its first member makes by joining: +1 羽毛球, where nothing of that name is
    kept. Of one that ended lately it is said so."""
    found = _PLUS_FIRST.fullmatch(text)
    topic = found["topic"].strip(EDGE) if found is not None else ""
    heads = parse_integer(found["heads"]) or 0 if found is not None else 0
    if not topic or not 1 <= heads <= MOST_EACH or not _gathers(clause, topic):
        return None
    ended = named(clause, [each for each in polls if each.closed])
    why = _ENDED.format(question=ended.poll.question, topic=topic) if ended is not None else ""
    return PollDraft("signup", topic, joins=heads, why=why)


_PLUS_FIRST: Final = Pattern(f"[+] ?(?P<heads>{NUMBER}) ?(?P<topic>[^0-9 +][^+]{{0,40}})")
_HEADED: Final = Pattern("(?<=.)报名|^报名:")
"""报名 behind what it is for; 报名周六爬山 joins."""
_GATHERING: Final = Pattern(
    f"(?P<lead>[一-鿿]{{0,4}}?)(?P<deed>{any_of('make.group_deeds')})(?:活动|局|赛|比赛)?"
)
_TAIL_CALL: Final = Pattern("(?:[ ,:!]*(?:开始|启动|走起|啦|咯|喽|哈))+[ !]*$")
_ENDED: Final = "「{question}」已经截止了，这次没算进去。要再约就说「{topic}报名」。"
_NO_DEED: Final = Pattern(any_of("make.no_deed"))


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


def _vote(made: PollDraft, body: str) -> PollDraft | None:
    trigger = _VOTE.search(body) or _COUNT.match(body)
    if trigger is None:
        return None  # 投票延到明天中午: the word is of the end
    before = _FILLS.sub("", _LEAD.sub("", body[: trigger.start()]).strip(EDGE))
    after = _TAIL_TALK.sub("", _HANGS.sub("", body[trigger.end() :]).strip(EDGE))
    said = f"{before},{after}".strip(EDGE) if before and after else (after or before)
    said = _DOUBLE.sub(",", said)
    question, options = parts_of_vote(said, several=made.several)
    if not options and before and body[trigger.end() :].lstrip().startswith(":"):
        options = distinct(after.split(" "))  # 中午吃啥 投票：火锅 烤肉 麻辣烫
        question = before if len(options) > 1 else question
    if not options and after and not before:
        question, options = blank_parted(after)
    if not options and (either := _EITHER.search(said)) is not None:  # 要不要换群名
        options = (either["one"], f"不{either['one']}")
        question = said.strip(EDGE)
    return _checked(replace(made, question=question, options=options))


_FILLS: Final = Pattern(f"^(?:{any_of('make.fills')}|{any_of('make.lead')}|[ ,])++$")
"""What leads to the word for a vote and is no question: 那投个票呗."""
_DOUBLE: Final = Pattern("[ ,]*,[ ,]*")
_PIECES_TOLD: Final = Pattern(
    f"[ ,(（]*(?:(?:想|大家)?(?:要|订|吃|喝|买|点)的(?:人)?)?(?:请|都|自己)?(?:{any_of('make.tells')})"
    f"(?:一下|下|上)?(?:要)?(?:{any_of('make.pieces_told')})(?:就行|就好|哈|吧)?[)）]?(?=$|[ ,])"
)
_EITHER: Final = Pattern("(?P<c>[一-鿿])不(?P<one>(?P=c)意?)")


def _checked(made: PollDraft) -> PollDraft:
    """The vote with what is wrong with it."""
    why = made.why
    if not why and len(made.options) < 2:
        why = "投票要有至少两个选项，比如：投个票 周六还是周日去爬山。"
    why = why or wrong_options(made.options)
    question = made.question or "、".join(made.options)
    return replace(made, question=question[:LONGEST_QUESTION], why=why)


def wrong_options(options: Sequence[str]) -> str:
    """What is wrong with options, in Chinese: too many, or too long; empty for nothing."""
    if len(options) > MOST_OPTIONS:
        return f"选项最多 {MOST_OPTIONS} 个，现在有 {len(options)} 个。"
    if any(len(each) > LONGEST_OPTION for each in options):
        return f"选项太长了，每个不超过 {LONGEST_OPTION} 个字。"
    return ""


def wrong_places(places: int) -> str:
    """What is wrong with a number of places, in Chinese; empty for nothing."""
    return "" if 1 <= places <= MOST_PLACES else f"名额要在 1–{MOST_PLACES} 之间。"


def _signup(made: PollDraft, body: str) -> PollDraft | None:
    rest = _SIGNUP_HUNG.sub(",", body)
    rest = _DOUBLE.sub(",", _LEAD.sub("", rest.strip(EDGE))).strip(EDGE)
    rest = _TAIL_TALK.sub("", _WANTS.sub("", rest)).strip(EDGE)
    if not rest:
        if _LEAD.sub("", body).strip(EDGE) in listed("make.signup") and not _LEAD.match(body):
            return None  # 报名: a voice
        return replace(made, why=made.why or "报名什么？比如：周六羽毛球报名 限8人。")
    return replace(made, question=rest[:LONGEST_QUESTION])


_SIGNUP_HUNG: Final = Pattern(f"(?:{any_of('make.signup')})(?:(?:吧|呗|哈|啊|哦|啦)(?=$|[ ,]))?")
_WANTS: Final = Pattern("(?:[,，]|^)(?:(?:想|要|能)[^,]{1,3}的|参加的|有意的)(?:人)?(?:请)?$|(?:扣|回|打)1")


def _count(made: PollDraft, body: str) -> PollDraft:
    found = _COUNT.match(body)
    rest = body[found.end() :] if found is not None else _LEAD.sub("", body)
    rest = _DOUBLE.sub(",", rest).strip(EDGE)
    if not rest:
        return replace(made, why=made.why or "统计什么？比如：统计一下谁要订盒饭，几份。")
    return replace(made, question=rest[:LONGEST_QUESTION])
