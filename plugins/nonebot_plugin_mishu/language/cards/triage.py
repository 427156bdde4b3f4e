"""Layer 1 of the correction dialogue (seed 4; product sections 6 and 7): what a line is to an open batch,
decided locally in well under a millisecond.

Only a line that is an order from end to end is one (pitfall 51); the words are in `language/answer.toml`, the
patterns in `grammar`. What is no order is sorted by what it mentions into correction and newInput, and
`about_batch` says whether it has anything to do with the items at all.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from ...patterns import Pattern
from ..answers.answer_words import (
    AFFIRMING,
    APPENDING,
    CORRECTING,
    MEASURES,
    NOT_CORRECTING,
    REFUSING,
    TYPES,
    Word,
    by_word,
)
from ..recognise import item_numbers as references
from ..text.fold import normalise
from ..text.repeats import without_repeats
from .grammar import GrammarToken, Kind, Order, orders

LONGEST_ORDER: Final = 48
"""A longer line is no order (characters, after normalising)."""
LONGEST_LINE: Final = 2_000
"""Only so much of a line is looked at."""


@dataclass(frozen=True)
class Triage:
    """Reading of a line for a batch.

    `items` are 0-based numbers of the card, ascending; they may lie beyond it (确认第十一笔), then the whole
    order is refused by whoever carries it out. `about_batch` is false for plain talk. `orders` holds every
    order of a line that gives several (第一笔确认，第二笔删掉); such a line is a `correction`.
    """

    kind: Kind
    items: tuple[int, ...] = ()
    about_batch: bool = True
    orders: tuple[Order, ...] = ()
    complement: bool = False
    """`items` are all but those named (除了第二笔都确认): of them the pending ones."""
    scoped: bool = False
    """Items given in an order: named, all (都要), or the rest."""
    named: bool = False
    """A line that is no order names an item, money, a type or a term of the agent's."""
    known: bool = False
    """Every character of it belongs to a word of layer 1 (不对, 错了)."""


def _longest_first(words: Collection[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_WORDS: Final = by_word()
_PUNCTUATION: Final = frozenset(" ,.;:!、。…·~\"'“”‘’「」『』()[]【】《》-—_^`")
_LENGTHS: Final = sorted({len(word) for word in _WORDS}, reverse=True)
_REFERENCE: Final = Pattern(references.PATTERN)
_POINTING: Final = frozenset("第前头最末后倒首从")
_BARE_NUMBER: Final = Pattern("(?<![第0-9])[0-9]{1,3}(?![0-9]| ?[笔条个项号单件])")
_UNITS: Final = ("笔", "条", "个", "项", "单", "件")
_NUMERIC: Final = frozenset("0123456789零一二三四五六七八九十百两这那")
_DEMONSTRATIVES: Final = frozenset("这那")
_LATIN: Final = Pattern(r"[a-z]")
_PRONOUN_BEFORE_VERB: Final = Pattern(r"p+(?=[cvxnwekiamszbg])")

_AMOUNT: Final = "#"
_COUNT: Final = "%"
"""Letters that no pattern knows: a number that names no item, a number of items."""

_NEGATED_SAVE: Final = frozenset({Word.NO, Word.FORBID, Word.UNWANTED})
"""Before a word of saving each of these makes it one of dropping (莫记, 唔存)."""
_NEGATING: Final = frozenset({Word.NO, Word.FORBID, Word.DONT, Word.UNWANTED, Word.WRONG, Word.AGAIN})
_ORDERING: Final = frozenset(
    {Word.CONFIRM, Word.SAVE, Word.DROP, Word.REFUSE, Word.EXIT, Word.CONTINUE, "i", _COUNT}
)

_MONEY: Final = Pattern(
    r"[0-9]|[¥$€£]|[一二两三四五六七八九十百千万半几]+(?:块|元|毛|角|分钱)|[一二三四五六七八九两][十百千万]"
)
_ITEM: Final = Pattern(
    r"第 ?[0-9一二三四五六七八九十百零]{1,4} ?(?:[笔个条项单号件]|[和跟与、,到至])|倒数第?.{1,2}[笔个条项]"
    r"|最后那?一?个(?!月|星期|礼拜|人|小时|问题)"
    r"|(?:最后|前|后|头|末|上|这|那|哪|此|刚才那?|上面那?)[一二两三四五六七八九十0-9几]{0,2}[笔条项](?!试|直)"
)
_COUNTED: Final = Pattern(r"[0-9一二两三四五六七八九十几]笔")
_TYPE: Final = Pattern(_longest_first(TYPES))
_AFFIRMING: Final = Pattern(_longest_first(AFFIRMING))
_REFUSING: Final = Pattern(_longest_first(REFUSING))
_CORRECTING: Final = Pattern(_longest_first(CORRECTING))
_NOT_CORRECTING: Final = Pattern(_longest_first(NOT_CORRECTING))
_APPENDING: Final = Pattern(rf"{_longest_first(APPENDING)}|(?<![多少重错])记(?:上|个)?一?笔")
_IS: Final = Pattern(r"(?:那个|这个|那|这|都|它|其实)?(?:是|算(?![了账命上一])|属于|为)")
_CHANGES_FIRST: Final = Pattern(
    "(?:不对|不是|错了|嗯|哦|那|请|帮我|[ ,。!])*"
    "(?:改[成为到做下一]|改(?![签天行])|换[成为]|应该|应为|重新|调[成整]|修改|更正|编辑|把)"
)
_PARTS_OF_CARD: Final = Pattern("金额|类型|分类|类别|种类|日期|备注|描述|名称|标题|数目|数字|账")
_ONLY_AMOUNT: Final = Pattern(
    r"(?:¥|\$|-|就|一共|总共|共|花了|金额)?[0-9一二两三四五六七八九十百千万.,]+ ?(?:块钱?|元|毛|角|圆)?"
    r"[0-9一二三四五六七八九]?(?:吧|啊|哦|呢|了|的)?"
)
_ONLY_TYPE: Final = Pattern(rf"(?:{_longest_first(TYPES)})[^一-鿿]*(?:吧|啊|哦|呢|了|的|块|元)*")


def triage(text: str, item_count: int, terms: Collection[str] = ()) -> Triage:
    """Reading of `text` for a batch whose card has `item_count` numbers.

    `terms` are the agent's words that concern its items (categories, descriptions); they count as mention of
    the batch. Never raises; the time is bounded however long `text` is.
    """
    line = plain(text)
    tokens = _tokens(line, item_count) if len(line) <= LONGEST_ORDER else None
    if tokens is None and len(line) <= LONGEST_ORDER and " " in line:
        tokens = _tokens(line.replace(" ", ""), item_count)  # 确 认
    if tokens is not None:
        found = orders(_cleaned(tokens), item_count)
        if len(found) == 1:
            order = found[0]
            return Triage(order.kind, order.items, complement=order.complement, scoped=order.scoped)
        if found:
            return Triage(Kind.CORRECTION, orders=found)
    return _mention(line, terms, tokens)


def plain(text: str) -> str:
    """A line as the cards read it; what is far too long for an order is not made one by shortening it."""
    line = normalise(text[:LONGEST_LINE]).lower()
    return without_repeats(line) if len(line) <= 4 * LONGEST_ORDER else line


def speaks_of_card(text: str) -> bool:
    """A line begins by a word of changing (改成晚饭, 应该是餐饮), or names what a card has (金额不太对劲)."""
    line = plain(text)
    return _CHANGES_FIRST.match(line) is not None or _PARTS_OF_CARD.search(line) is not None


def names_item(line: str) -> bool:
    """A line in its one form points at an item of a card (第一笔, 最后那条)."""
    return _ITEM.search(line) is not None


def may_refuse(text: str) -> bool:
    """True for a refusing word, outside longer neutral words (没错, 不用改)."""
    line = _AFFIRMING.sub(" ", plain(text))
    return _REFUSING.search(line) is not None


def only_items(text: str, item_count: int) -> tuple[int, ...]:
    """The items that `text` names where it says nothing else (第二笔; 第一和第三笔吧; 2); else none."""
    line = normalise(text[: LONGEST_ORDER * 2]).lower()
    tokens = _tokens(line, item_count) if len(line) <= LONGEST_ORDER else None
    if tokens is None or any(token.letter not in "i|f" for token in tokens):
        return ()
    return tuple(sorted({item for token in tokens for item in token.items}))


def _tokens(line: str, item_count: int) -> list[GrammarToken] | None:
    """The words of `line`, or `None` where a character belongs to none."""
    tokens: list[GrammarToken] = []
    position = 0
    while position < len(line):
        character = line[position]
        found = _REFERENCE.match(line, position) if character in _POINTING else None
        word = _word(line, position) if found is None else None
        if word is not None:
            kind = _WORDS[word]
            tokens.append(GrammarToken(Word.ALL if kind is Word.THIS and item_count == 1 else kind))
            position += len(word)
            if _LATIN.match(word) and _LATIN.match(line, position):
                return None  # ok in okra
            continue
        if found is None and character in _NUMERIC:
            found = _REFERENCE.match(line, position + (character in _DEMONSTRATIVES))
        if found is not None:
            measured = _word(line, found.end()) in MEASURES
            token = _reference(found[0], character in _DEMONSTRATIVES, measured, item_count)
            if token is None:
                return None
            tokens.append(token)
            position = found.end()
            continue
        if character in _PUNCTUATION:
            if character != " " or not tokens or tokens[-1].letter not in _NEGATING:
                tokens.append(GrammarToken("|"))  # 唔 要: a blank sets no refusal apart from what it refuses
        elif unicodedata.category(character) not in ("So", "Sk"):
            return None
        position += 1
    return tokens


def _word(line: str, position: int) -> str | None:
    """Longest known word at this place."""
    for length in _LENGTHS:
        word = line[position : position + length]
        if word in _WORDS:
            return word
    return None


def _reference(phrase: str, demonstrative: bool, measured: bool, item_count: int) -> GrammarToken | None:
    named = references.read(phrase, item_count)
    if named is None:
        return None
    if named.count is not None:
        return GrammarToken(Word.ALL if named.count == item_count else _COUNT)  # 两笔 of two
    if demonstrative or (measured and not named.pointed) or _tells_amount(phrase, item_count):
        return None  # 这2, 八成, 第2笔是398 第4笔不要
    if not named.pointed and max(named.items) >= item_count:
        return GrammarToken(_AMOUNT)  # more likely than an item
    return GrammarToken("i", named.items)


def _tells_amount(phrase: str, item_count: int) -> bool:
    """True for a bare number beyond the card, beside an item and outside a list."""
    for found in _BARE_NUMBER.finditer(phrase):
        before, behind = phrase[: found.start()].rstrip(), phrase[found.end() :].lstrip(" ,")
        if int(found.group()) > item_count and (behind.startswith("第") or before.endswith(_UNITS)):
            return True
    return False


def _cleaned(tokens: list[GrammarToken]) -> list[GrammarToken]:
    """Without fillers, doubled words, and pauses at the ends; a pronoun before a verb is a filler."""
    kept: list[GrammarToken] = []
    for token in tokens:
        if token.letter == Word.FILLER:
            continue
        if kept and token.letter == kept[-1].letter and not token.items:
            continue
        kept.append(token)
    letters = "".join(token.letter for token in kept)
    drop = {i for found in _PRONOUN_BEFORE_VERB.finditer(letters) for i in range(*found.span())}
    kept = _negated([token for index, token in enumerate(kept) if index not in drop])
    while kept and kept[0].letter == "|":
        del kept[0]
    while kept and kept[-1].letter == "|":
        del kept[-1]
    return kept


def _negated(tokens: list[GrammarToken]) -> list[GrammarToken]:
    """A forbidden saving is a dropping: 莫记, 唔存, 不要 给我 存."""
    made: list[GrammarToken] = []
    for token in tokens:
        if token.letter == Word.SAVE and made and made[-1].letter in _NEGATED_SAVE:
            made[-1] = GrammarToken(Word.DROP)
        else:
            made.append(token)
    return made


def _mention(line: str, terms: Collection[str], tokens: list[GrammarToken] | None) -> Triage:
    """A line that is no order: correction or newInput, and whether it is about the batch."""
    letters = "" if tokens is None else "".join(token.letter for token in _negated(tokens))
    money = _AMOUNT in letters or _MONEY.search(line) is not None
    item = "i" in letters or _ITEM.search(line) is not None
    counted = _COUNTED.search(line) is not None
    kind_word = _TYPE.search(line) is not None
    correcting = _CORRECTING.search(_NOT_CORRECTING.sub(" ", line)) is not None
    negated = not _NEGATING.isdisjoint(letters)
    term = any(word in line for word in terms if word)
    appending = money and not item and _APPENDING.search(line) is not None
    corrects = (
        item
        or correcting
        or negated
        or counted
        or (term and not money)
        or (kind_word and (_IS.search(line) or _ONLY_TYPE.fullmatch(line)))
        or (money and (_IS.search(line) or _ONLY_AMOUNT.fullmatch(line)))
        or (_AMOUNT not in letters and not _ORDERING.isdisjoint(letters))
        or (_AMOUNT in letters and (Word.DROP in letters or Word.CONFIRM in letters))
    )
    named = money or item or counted or kind_word or term
    about = named or correcting or negated
    kind = Kind.CORRECTION if corrects and not appending else Kind.NEW_INPUT
    return Triage(kind, about_batch=about, named=named, known=tokens is not None)
