"""Names of items in a line about money: by the tagger, else the words around the amount. Pure."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final

from ...patterns import Pattern
from ..learned.tagger import Tagged, tag
from ..lexicon import Lexicon
from ..reading import words_of
from ..recognise.money import Amount, Role
from ..recognise.times import TimeExpression
from ..text.tokens import Thing, Token, tokens
from .pieces import HERE, Names, lexicon_of, words_in

ACT: Final = "books.record"
_MEASURES: Final = Pattern("(?:[ :是为有]|[0-9]{2,3}(?:/| |,|，))*")
"""Between what is measured and a number of it (血压是148/92)."""
LONGEST: Final = 400
"""Characters of a line in which items are looked for."""
_HOLE: Final = frozenset({"hole"})
_MARKS: Final = frozenset({"pause", "stop", "and", "mark", "blank", "whether"})
_FRONT: Final = _MARKS | {"carries", "opens"}
_BACK: Final = _MARKS | {"carries", "closes"}
_EITHER: Final = _MARKS | {"carries"}
_WHOLE: Final = frozenset({"plain", "channel"})
_DENIES: Final = frozenset({"negation", "prohibit", "hold_off"})
_PEOPLE: Final = frozenset({"member", "nick"})
_LEADING: Final = frozenset({"carries", "buys"})
_LED: Final = 2
_MEASURE: Final = frozenset({"measure"})
_LEADS_COUNT: Final = frozenset("了买点吃喝订换拿要来整搞炫造充叫带0123456789一二两三四五六七八九十半几")
_KEPT: Final = frozenset("()<>《》「」【】\"'")

Span = tuple[int, int]


@cache
def item_words() -> Lexicon:
    """The words of `items.toml`."""
    return lexicon_of(tomllib.loads((HERE / "items.toml").read_text("utf-8")))


def items_tagged(line: str, times: Sequence[TimeExpression], amounts: Sequence[Amount]) -> tuple[Tagged, ...]:
    """The stretches of a line in its one form that name items, widened to whole words."""
    if len(line) > LONGEST:
        return ()
    words = words_of(line, tuple(times), tuple(amounts))
    whole = [(each.start, each.end) for each in item_tokens(line, ()) if not each.classes.isdisjoint(_WHOLE)]
    found = (_widened(each, whole) for each in tag(line, words, ACT) if each.slot == "item")
    return tuple(_uncounted(_unled(each, line), line) for each in found if not _measured(each, line))


def _measured(found: Tagged, line: str) -> bool:
    """A stretch that names what a number behind it measures (体温38.5 买药30)."""
    gauges = [end for start, end in spans_of(line, "gauge") if start < found.end and found.start < end]
    ends = [_MEASURES.match(line, end) for end in gauges]
    return any(end is not None and line[end.end() : end.end() + 1].isdigit() for end in ends)


def _unled(found: Tagged, line: str) -> Tagged:
    """A stretch without the verb that only leads its thing in (交|房租)."""
    words = [each for each in item_tokens(line, ()) if found.start <= each.start < found.end]
    if len(words) < _LED or words[0].start != found.start or words[0].classes.isdisjoint(_LEADING):
        return found
    return replace(found, start=words[0].end) if "plain" in words[1].classes else found


def _uncounted(found: Tagged, line: str) -> Tagged:
    """A stretch without the measure word that a verb or a number leads it in with (买了|本|书)."""
    if line[found.start - 1 : found.start] not in _LEADS_COUNT:
        return found
    word = next((each for each in item_tokens(line, ()) if each.start == found.start), None)
    if word is None or word.classes != _MEASURE or word.end >= found.end or line[word.end] in "子儿":
        return found
    return replace(found, start=word.end)


def _widened(found: Tagged, whole: Sequence[Span]) -> Tagged:
    """A stretch whose borders part no word (支付|宝)."""
    start = next((a for a, b in whole if a < found.start < b), found.start)
    end = next((b for a, b in whole if a < found.end < b), found.end)
    return replace(found, start=start, end=end)


def item_tokens(line: str, holes: Sequence[Span]) -> tuple[Token, ...]:
    """A line as words that carry a sum and words that do not; `holes` are what is no word of an item."""
    return _tokens(line, tuple(holes))


@lru_cache(maxsize=512)
def _tokens(line: str, holes: tuple[Span, ...]) -> tuple[Token, ...]:
    things = [Thing(start, end, _HOLE) for start, end in holes]
    return tokens(line.lower(), item_words(), things)


def words_around(line: str, within: Span, holes: Sequence[Span]) -> str:
    """Words of a stretch outside its holes, without carrier words at the ends."""
    start, end = within
    inside = [(max(a, start) - start, min(b, end) - start) for a, b in holes if a < end and start < b]
    text = line[start:end]
    runs = _runs(item_tokens(text, _joined(inside)))
    cores = [core for run in runs if (core := _core(text, run))]
    said = "".join(text[core[0].start : core[-1].end] for core in cores)
    if said:
        return said.strip()
    return next(
        (text[each.start] for run in runs for each in run if "bare" in each.classes), ""
    )  # 赚了 is better than nothing


def _joined(spans: Sequence[Span]) -> list[Span]:
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _runs(words: Sequence[Token]) -> list[list[Token]]:
    """The words between the holes."""
    runs: list[list[Token]] = [[]]
    for word in words:
        if "hole" in word.classes:
            runs.append([])
        else:
            runs[-1].append(word)
    return [run for run in runs if run]


def _core(
    text: str, run: Sequence[Token], front: frozenset[str] = _FRONT, back: frozenset[str] = _BACK
) -> Sequence[Token]:
    first, last = 0, len(run)
    while first < last and _goes(text, run[first], front):
        first += 1
    while first < last and _goes(text, run[last - 1], back):
        last -= 1
    return run[first:last]


def _goes(text: str, word: Token, classes: frozenset[str]) -> bool:
    if word.classes.isdisjoint(classes) or "plain" in word.classes:
        return False
    return text[word.start : word.end] not in _KEPT


def core_of(line: str, span: Span) -> Span | None:
    """A name without the words at its ends that only carry a sum; None where nothing else is in it."""
    text = line[span[0] : span[1]]
    core = _core(text, item_tokens(text, ()), _EITHER, _EITHER)
    return (span[0] + core[0].start, span[0] + core[-1].end) if core else None


def spans_of(line: str, name: str, holes: Sequence[Span] = ()) -> list[Span]:
    """Spans of a word class in a line."""
    return [(each.start, each.end) for each in item_tokens(line, holes) if name in each.classes]


def people_in(line: str, amounts: Sequence[Amount], names: Names) -> list[Span]:
    """Spans of people in a line: members, and names by their form (小李, 张姐)."""
    words = words_in(line.lower(), amounts, names)
    return [(each.start, each.end) for each in words if not each.classes.isdisjoint(_PEOPLE)]


def buying_denied(line: str, amounts: Sequence[Amount]) -> bool:
    """Denied purchase: a verb of moving money is negated or put off, with no payment or further amount behind
    it (血压计239 先莫买, but 水没买 打车25)."""
    words = item_tokens(line, [(each.start, each.end) for each in amounts])
    denied = [
        at
        for at, (one, two) in enumerate(pairwise(words))
        if "denies" in one.classes and "buys" in two.classes
    ]
    if not denied:
        return False
    behind = words[denied[-1] + 2 :]
    sum_at = next((at for at, each in enumerate(behind) if "hole" in each.classes), None)
    if sum_at is not None and any(each.classes.isdisjoint(_EITHER) for each in behind[:sum_at]):
        return False
    return not any(_is_done(line, each) for each in behind)


def _is_done(line: str, word: Token) -> bool:
    """A word tells that something was done: 了, 花了, 实付."""
    return "did" in word.classes or line[word.start : word.end].endswith("了")


def is_rule(line: str, amounts: Sequence[Amount]) -> bool:
    """Price rule told to others (会员卡充200送30 你们记住), a price rise, or a unit price as news
    (门票一个人120 贵死了)."""
    words = item_tokens(line, [(each.start, each.end) for each in amounts])
    by_one = {each.start for each in amounts if each.role in (Role.PER_HEAD, Role.PER_UNIT)}
    by_one |= {word.end for word in words if "each" in word.classes}
    one = all(each.start in by_one for each in amounts)
    if any("quotes" in each.classes or ("dear" in each.classes and one) for each in words):
        return not any(
            _is_done(line, each)
            for each in words
            if "quotes" not in each.classes and "dear" not in each.classes
        )
    gifts = any("gift" in one.classes and "hole" in two.classes for one, two in pairwise(words))
    others = any("told_to" in each.classes for each in words)
    return len(amounts) > 1 and gifts and others and not any(_is_done(line, each) for each in words)


def is_withheld(line: str, amounts: Sequence[Amount]) -> bool:
    """Line without a record: not bought or paid, or a price as news, and no order to store it."""
    untold = buying_denied(line, amounts) or is_rule(line, amounts) or on_credit(line, amounts)
    return untold and not spans_of(line, "keeps")


def is_ordered_kept(line: str) -> bool:
    """True for an order to record an amount (先记上)."""
    return bool(spans_of(line, "keeps"))


def on_credit(line: str, amounts: Sequence[Amount]) -> bool:
    """Purchase on credit (在小卖部赊了30), without a repayment."""
    return bool(spans_of(line, "credit", [(each.start, each.end) for each in amounts])) and "还" not in line


def is_put_off(line: str) -> bool:
    """改天还小红500, 回头再转你80: put off at the very beginning, and nothing of it done."""
    said = [each for each in words_of(line) if each.classes.isdisjoint({"blank", "self", "filler"})]
    if not said or not (said[0].classes & {"defer"} or line[said[0].start : said[0].end] in _LATER):
        return False
    done = any("done" in each.classes or line[each.start : each.end].endswith("了") for each in said)
    return not done and not spans_of(line, "keeps")


_LATER: Final = frozenset({"回头", "下次", "晚点", "过两天", "过几天", "过阵子", "改日"})


def is_gauged(line: str, amount: Amount) -> bool:
    """A number that measures a body: 低压九十五, 血压是148/92."""
    if amount.spoken:
        return False
    ends = [end for _, end in spans_of(line, "gauge")]
    return any(end <= amount.start and _MEASURES.fullmatch(line, end, amount.start) for end in ends)


def told_before(line: str, amounts: Sequence[Amount]) -> Span | None:
    """The stretch with a sum of which a line says that it was recorded before (唱歌那120小明记过了不要
    重复算), from the pause or the sum before it."""
    words = item_tokens(line, [(each.start, each.end) for each in amounts])
    for word in words:
        before = [each for each in amounts if each.end <= word.start]
        if "told_before" not in word.classes or not before:
            continue
        pauses = [
            each.end for each in words if not each.classes.isdisjoint(_MARKS) and each.end <= before[-1].start
        ]
        opening = max([0, *pauses, *(each.end for each in before[:-1])])
        further = [each.start for each in amounts if each.start >= word.end]
        last = [
            each for each in words if "told_before" in each.classes and each.end <= min([*further, len(line)])
        ]
        return opening, last[-1].end
    return None


def taken_back(line: str, amounts: Sequence[Amount]) -> Span | None:
    """The stretch that a line tells and takes back: 288.33转给... 不是 of …是阿明转给我288.33."""
    words = item_tokens(line, [(each.start, each.end) for each in amounts])
    silent = _MARKS | {"stop"}
    for at, word in enumerate(words):
        if "back" not in word.classes or word.start == 0:
            continue
        behind = [each for each in words[at + 1 :] if each.classes.isdisjoint(silent)]
        if not behind or "so" not in behind[0].classes or amounts[-1].start < word.end:
            continue
        before = [each for each in amounts if each.end <= word.start]
        opening = before[-2].end if len(before) > 1 else 0
        return opening, behind[0].end
    return None


def channel_of(words: str) -> str:
    """Payment channel of words with nothing else (收了微信); empty for other words."""
    said = [each for each in item_tokens(words, ()) if each.classes.isdisjoint({*_EITHER, "earned"})]
    if said and all("channel" in each.classes for each in said):
        return words[said[0].start : said[-1].end]
    return ""


def is_channel(words: str) -> bool:
    """True for a payment channel only."""
    return all("channel" in each.classes for each in item_tokens(words, ()))


def is_type_word(words: str) -> bool:
    """Word for the type of a record and nothing of its item (支出200)."""
    return [each.classes >= {"types"} for each in item_tokens(words, ())] == [True]


def is_denied(line: str, at: int) -> bool:
    """True if the words at a place are negated in their clause (没买到票 of 票), or only possible
    (能报销)."""
    words = words_of(line)
    before = [word for word in words if word.end <= at]
    if before and "modal" in before[-1].classes:
        return True
    for word in reversed(before):
        if "pause" in word.classes or "stop" in word.classes or "number" in word.classes:
            return False
        if not word.classes.isdisjoint(_DENIES):
            return True
    return False


def without_denied(words: str) -> str:
    """The words without what is denied in them: 打车 of 水没买 打车, 午饭 of 午饭不贵."""
    denied = [each for each in words_of(words) if not each.classes.isdisjoint(_DENIES)]
    if not denied:
        return words
    ends = [0, *(each.end for each in words_of(words) if "blank" in each.classes), len(words)]
    parts = [words[a:b].strip() for a, b in pairwise(ends) if not any(a <= d.start < b for d in denied)]
    return " ".join(part for part in parts if part) or words[: denied[0].start].strip() or words
