"""Options of a vote in the words that order it: 周六还是周日去爬山, A 爬山 B 骑行, 火锅 烤肉 麻辣烫. Pure."""

from __future__ import annotations

from typing import Final

from ...patterns import Pattern
from .words import any_of, listed

EDGE: Final = " ,。;:、!#~-?"
"""Characters that begin and end no option."""
_OPTIONS_AT: Final = Pattern(f"(?:{any_of('options.announced')})(?:有|是|为)?[: ]")
_OR: Final = Pattern(f" ?(?:{any_of('options.either', 'options.parts')}) ?")
_LISTED: Final = Pattern(r"(?:(?<=[ ,:;])|^)(?:[0-9]{1,2}|[a-h])(?:[.、)]|:(?![0-9]{2})) ?")


def blank_parted(said: str) -> tuple[str, tuple[str, ...]]:
    """Question and options parted by blanks alone: 选班长 小雅 阿凯, 火锅 烤肉 麻辣烫; without options for
    less than three pieces."""
    pieces = distinct(said.split(" "))
    if len(pieces) < _LEAST_PIECES or any(len(each) > _SHORT for each in pieces[1:]):
        return said.strip(EDGE), ()
    if _ASKED_FIRST.search(pieces[0]) or _EITHER.search(pieces[0]):
        return pieces[0], pieces[1:]
    return "", pieces


_EITHER: Final = Pattern("(?P<one>[一-鿿])不(?P=one)")
"""要不要换群主, before its options."""
_LEAST_PIECES: Final = 3
_SHORT: Final = 8
_ASKED_FIRST: Final = Pattern(f"^(?:{any_of('options.elects')})|{any_of('options.asks')}|[?]")


def parts_of_vote(said: str, *, several: bool = False) -> tuple[str, tuple[str, ...]]:
    """Question and options of a vote: 周六还是周日去爬山 has 周六 and 周日, of 周六还是周日去爬山."""
    listed_at = _LISTED.search(said)
    if listed_at is not None and len(_LISTED.findall(said)) > 1:
        options = [each.strip(EDGE) for each in _LISTED.split(said[listed_at.start() :])]
        return said[: listed_at.start()].strip(EDGE), distinct(options)
    lettered = _lettered(said)
    if lettered is not None:
        return lettered
    answered = list(_ANSWERED.finditer(said))
    if len(answered) > 1:
        return said[: answered[0].start()].strip(EDGE), distinct([each["o"] for each in answered])
    headed = _OPTIONS_AT.search(said)
    if headed is not None:
        return said[: headed.start()].strip(EDGE), distinct(_COMMA.split(said[headed.end() :]))
    pieces = [each for each in _COMMA_ONLY.split(said) if each.strip(EDGE)]
    at = next((number for number, each in enumerate(pieces) if len(_OR.split(each)) > 1), None)
    if at is None and several and len(parts := distinct(said.split(" "))) > 2:
        return parts[0], parts[1:]
    if at is None:
        return _behind_question(said) or (said.strip(EDGE), ())
    topic = [each.strip(EDGE) for number, each in enumerate(pieces) if number != at]
    words = pieces[at].strip(EDGE)
    head, colon, behind = words.partition(":")
    if colon and len(_OR.split(behind)) > 1:
        return head.strip(EDGE), distinct(_OR.split(behind))
    lead, words = _led(words)
    parts = [each.strip(EDGE) for each in _OR.split(words)]
    parts = _spaced(parts)
    options, topic_words = _shared_end(parts)
    question = ",".join([*topic, pieces[at].strip(EDGE)]) if not lead else ",".join([*topic, lead])
    if topic and not topic_words:
        question = ",".join(topic)
    return question.strip(EDGE), distinct(options)


def _behind_question(said: str) -> tuple[str, tuple[str, ...]] | None:
    """Question and options behind a colon, parted by blanks or commas (周末去哪:西湖 灵隐 良渚), or behind a
    question that asks which (吃啥 火锅,烤肉,麻辣烫)."""
    head, colon, behind = said.partition(":")
    options = distinct(_COMMA.split(behind.strip(EDGE))) if colon and head.strip(EDGE) else ()
    if len(options) >= _LEAST_PARTS and all(len(each) <= _SHORT for each in options):
        return head.strip(EDGE), options
    first, *rest = distinct(_COMMA.split(said)) or ("",)  # 吃啥 火锅,烤肉,麻辣烫
    asks = len(rest) >= _LEAST_PARTS and _ASKED_FIRST.search(first) is not None
    return (first, tuple(rest)) if asks and all(len(each) <= _NAMES for each in rest) else None


_LEAST_PARTS: Final = 2
_NAMES: Final = 4
"""Characters of an option behind a comma alone, where a longer piece is perhaps a sentence."""


def _lettered(said: str) -> tuple[str, tuple[str, ...]] | None:
    """Question and options behind letters in their order, without a mark: a 爬山 b 骑行 c 宅家."""
    marks = list(_LETTER.finditer(said))
    if len(marks) < 2 or "".join(each[1] for each in marks) != _LETTERS[: len(marks)]:
        return None
    ends = [*(each.start() for each in marks[1:]), len(said)]
    options = [said[mark.end() : end].strip(EDGE) for mark, end in zip(marks, ends, strict=True)]
    if len(distinct(options)) < len(options):
        return None  # A方案 B方案: the letters are of the names
    return said[: marks[0].start()].strip(EDGE), distinct(options)


_LETTERS: Final = "abcdefgh"
_LETTER: Final = Pattern("(?:(?<=[ ,:;])|^)([a-h]) ?(?=[一-鿿])")
_ANSWERED: Final = Pattern(
    f"(?:^|(?<=[ ,:;]))(?P<o>[^ ,:;]{{1,40}}?)的?请?(?:{any_of('options.replies')}) ?[0-9]{{1,2}}(?=$|[ ,;])"
)
_COMMA: Final = Pattern(f" ?[,;、/|] ?| (?=[^ ])|{any_of('options.either')}")
_COMMA_ONLY: Final = Pattern(" ?[,;] ?")


def _led(words: str) -> tuple[str, str]:
    """Topic before the options, parted by a blank: 去哪吃 火锅还是烤肉."""
    first = _OR.search(words)
    assert first is not None
    head = words[: first.start()]
    if " " not in head.strip():
        return "", words
    cut = head.rstrip().rfind(" ")
    return head[:cut].strip(EDGE), words[cut + 1 :]


def _spaced(parts: list[str]) -> list[str]:
    return [each for each in parts if each]


def _shared_end(parts: list[str]) -> tuple[list[str], str]:
    """周六, 周日去爬山: the end that the last has beside what the first has too belongs to all of them."""
    if len(parts) < 2:
        return parts, ""
    parts = _without_deed(parts)
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


def _without_deed(parts: list[str]) -> list[str]:
    """Options without what all of them are done for, said before the first alone (晚上吃火锅, 烤鸭): 晚上吃
    is of the question."""
    deed = _DEED.match(parts[0])
    if deed is None or deed.end() == len(parts[0]):
        return parts
    if any(_BEGINS_DEED.match(each) is not None for each in parts[1:]):
        return parts
    return [parts[0][deed.end() :], *parts[1:]]


_DEED: Final = Pattern(
    "(?:[今明后]天|[今明]晚|周[一二三四五六日天末]|[早晚]上|[上中下]午|[晚午]饭|周末|我们|咱们|咱|大家| )++"
    f"去?(?:{any_of('options.eats')})(?!不|哪|啥|什)"
)
_BEGINS_DEED: Final = Pattern(f"(?:不|[今明后周早上中下晚])|(?:{any_of('options.eats')})")


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


_ASKS_BEHIND: Final = Pattern(f"(?:{any_of('options.asks_which')}).*$")


def _length_alike(first: str, last: str) -> int:
    """Length of the beginning of `last` that is of the same make as `first`; 0 where none is."""
    size = len(_CLOCK_END.sub("", first))
    if size >= len(last) or not first:
        return 0
    for at in range(size):
        one, other = first[at], last[at]
        if one != other and _kind(one) != _kind(other):
            return 0
    same = sum(one == other for one, other in zip(first[:size], last, strict=False))
    goes_on = _CLOCK_GOES_ON.match(last[size:]) if last[size - 1] == "点" else None
    return size + (goes_on.end() if goes_on is not None else 0) if same else 0


_CLOCK_END: Final = Pattern(
    f"(?<=点)(?:{any_of('options.clock_ends')}|[0-9零一二三四五六七八九十]{{1,3}}分?)$"
)
_CLOCK_GOES_ON: Final = Pattern(
    f"(?:{any_of('options.clock_ends')})(?!天)|[0-9零一二三四五六七八九十]{{1,3}}分?"
)
"""九点半 is one clock, where the other option is 七点."""


def _kind(character: str) -> str:
    if character.isdigit() or character in "零一二三四五六七八九十两日天":
        return "number"
    return "word" if character.isalpha() else "sign"


def told_options(said: str) -> tuple[str, ...]:
    """Options in words that hold nothing else: 火锅、烤鸭还是农家乐; 1.火锅 2.烤鸭; 火锅 烤鸭."""
    if len(_LISTED.findall(said)) > 1:
        return distinct(_LISTED.split(said))
    parts = distinct(_PARTED.split(said))
    return parts if len(parts) > 1 else distinct(said.split())


_PARTED: Final = Pattern(f" ?(?:{any_of('options.either', 'options.parts')}|[,;\n]) ?")


def distinct(options: list[str]) -> tuple[str, ...]:
    """The options without their edges and what is said twice."""
    return tuple(dict.fromkeys(each.strip(EDGE) for each in options if each.strip(EDGE)))
