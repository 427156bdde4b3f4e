"""Money in a sentence, exactly: 35, 35块, 十二块八, 1万2, ¥1,299, 三块五毛; and what only looks like it.

`find_amounts` reads spoken and written money. A number with a currency word or sign is an amount; a bare one
is, unless what surrounds it says that it counts, dates, numbers or measures something (pitfall 52). What is
masked, counted and named stands in `amounts.toml`. Amounts are Decimal yuan and int fen, never floats.

Decided here:

* a foreign currency is found and said so (`currency`), and has no fen; points and coins are `XXX`;
* 20多, 二十来块, 20多万, 大概30, 20-30块 are approximate: the lower number is the value; 几十块 is none;
* a digit behind 块 is tenths (十二块八), two are hundredths (3块25), unless they count something (100块5个);
* 15*2 is one amount of 30, 15+20=35 is one of 35; 35+20 are two;
* of 原价100现价80 the first is `ASIDE`; 人均50 is `PER_HEAD`, 5块一斤 `PER_UNIT`, 一共55 `TOTAL`: amounts,
  but not what was paid for one thing;
* at most `MOST` amounts in the first `LONGEST` characters are found.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import Final

from ...text.fold import fold
from ..identifiers import MASK, mask_identifiers
from ..list_marks import list_marks
from ..numerals import parse_decimal
from . import money_words as words
from .amount_context import CHINESE, AmountReading, Role, counts, is_date, is_money, rest_of_clause, role_of

LONGEST: Final = 20_000
MOST: Final = 200
_SHORT: Final = 500
"""Most characters of a cached text."""
_LONGEST_NUMBER: Final = 26  # characters; a longer run of digits is no amount
_VAGUE: Final = {"百": Decimal(100), "千": Decimal(1000), "万": Decimal(10_000)}
_SCALE: Final = {"万": Decimal(10_000), "亿": Decimal(100_000_000)}
_LATIN: Final = {"k": Decimal(1000), "w": Decimal(10_000)}


@dataclass(frozen=True)
class Amount:
    """One amount of money.

    `yuan` is the exact number in `currency` (ISO 4217; `CNY` unless another was said). `spoken` tells whether
    a currency word or sign was said. `start` and `end` are the half-open span in the text given.
    """

    yuan: Decimal
    start: int
    end: int
    text: str
    spoken: bool
    currency: str = "CNY"
    approximate: bool = False
    role: Role = Role.PLAIN

    def moved(self, by: int) -> Amount:
        """The same amount, standing `by` characters further on."""
        return replace(self, start=self.start + by, end=self.end + by) if by else self

    @property
    def fen(self) -> int | None:
        """Exact hundredths of a yuan; `None` for another currency and for what is no whole number of fen."""
        if self.currency != "CNY":
            return None
        numerator, denominator = self.yuan.as_integer_ratio()
        fen, rest = divmod(numerator * 100, denominator)
        return None if rest else fen


def find_amounts(text: str) -> list[Amount]:
    """Every amount in `text`, in order; spans do not overlap. Never raises; linear and capped (`LONGEST`)."""
    return list(_remembered(text) if len(text) <= _SHORT else _found(text))


@lru_cache(maxsize=512)
def _remembered(text: str) -> tuple[Amount, ...]:
    """Cached: all agents search each clause for money."""
    return tuple(_found(text))


def _found(text: str) -> list[Amount]:
    folded = fold(text[:LONGEST])
    if words.NUMBER.search(folded.text) is None:
        return []
    line = _prepared(folded.text, text, folded.origin)
    found: list[AmountReading] = []
    position = 0
    while len(found) < MOST:
        number = words.NUMBER.search(line, position)
        if number is None:
            break
        amount, position = _read(line, number.start(), number.end(), position)
        if amount is not None:
            found.append(amount)
            position = max(position, amount.end)
    amounts: list[Amount] = []
    for at, one in enumerate(found):
        if not is_date(line, one, found[at + 1 :]):
            start, end = folded.span(one.start, one.end)
            amounts.append(
                Amount(
                    yuan=one.value,
                    start=start,
                    end=end,
                    text=text[start:end],
                    spoken=one.spoken,
                    currency=one.currency,
                    approximate=one.approximate,
                    role=role_of(line, one),
                )
            )
    return amounts


def _prepared(line: str, text: str, origin: tuple[int, ...]) -> str:
    """Lower case, with everything masked that holds numbers and is no money. Positions stay."""
    lowered = line.lower()
    line = lowered if len(lowered) == len(line) else line
    if "，" in text:  # between items it separates, behind a currency sign it groups thousands
        line = "".join(
            ";" if c == "," and text[origin[at]] == "，" and not _groups(line, at) else c
            for at, c in enumerate(line)
        )
    for first, last in list_marks(text):
        line = "".join(MASK if first <= origin[at] < last and c != " " else c for at, c in enumerate(line))
    return words.MASK.sub(lambda found: MASK * len(found[0]), mask_identifiers(line))


def _groups(line: str, at: int) -> bool:
    before = line[max(0, at - 5) : at].lstrip()
    return "¥" in before and line[at + 1 : at + 4].isdigit() and not line[at + 4 : at + 5].isdigit()


def _read(line: str, start: int, end: int, floor: int) -> tuple[AmountReading | None, int]:
    """Amount at this number, or None; and the next place. Text before `floor` belongs to another amount."""
    run = line[start:end]
    if len(run) > _LONGEST_NUMBER:
        return None, end
    worked = _arithmetic(line, start)
    if worked is not None:
        return worked, worked.end
    if run in _VAGUE and line[end : end + 1] in ("来", "把", "多"):
        value: Decimal | None = _VAGUE[run]
    else:
        value = Decimal(2) if run == "俩" else parse_decimal(run)
    if value is None:  # 周五50, 99一件: two numerals met
        head = len(run) - len(run.lstrip("0123456789"))
        tail = len(run) - len(run.lstrip(CHINESE))
        if 0 < head < len(run):
            end = start + head
        elif 0 < tail < len(run) and run[tail:].isdigit():
            return None, start + tail  # with what follows it: 周五58.9
        else:
            return None, end
        run = line[start:end]
        value = parse_decimal(run)
        if value is None:
            return None, end
    if line[max(0, start - 1) : start] in ("几", "数") and run[0] in CHINESE:
        return None, end
    found = AmountReading(start, end, value)
    scaled = words.LATIN_UNIT.match(line, end) if line[end - 1 : end].isdigit() else None
    if scaled is not None:
        if words.SCREEN.match(line, scaled.end()):
            return None, scaled.end()
        unit = _LATIN[scaled["unit"]]
        found.value = value * unit + (unit // 10 * int(scaled["more"]) if scaled["more"] else 0)
        found.end = end = scaled.end()
    about = words.ABOUT_SCALE.match(line, end)
    if about is not None:  # 二十多万
        found.value, found.approximate = value * _SCALE[about["scale"]], True
        found.end = end = about.end()
    counted = words.COUNTED_SCALE.match(line, end)
    if counted is not None:  # 1个亿
        found.value, found.approximate = value * _SCALE["亿"], counted["about"] is not None
        found.end = end = counted.end()
    before_sign = _sign(line, found, floor)
    prefix = words.CURRENCY_BEFORE.search(line, max(floor, before_sign - 8), before_sign)
    if prefix is not None:
        found.spoken = True
        found.currency = words.foreign_code(prefix["name"]) or "CNY"
        if prefix["sign"]:
            found.value = -abs(found.value)
        found.start = prefix.start()
        _sign(line, found, floor)
    upto = words.UPTO.match(line, end)
    if upto is not None and not _range(line, found, upto["number"], upto.end()):
        return None, end
    if not _unit(line, found):
        return None, max(end, found.end)
    if not found.spoken and not is_money(line, found, run, bool(scaled or about or counted)):
        return None, max(end, found.end if found.approximate else end)
    behind = words.ABOUT_BEHIND.match(line, found.end)
    if behind is not None:
        found.approximate, found.end = True, behind.end()
    if words.ABOUT_BEFORE.search(line, max(0, found.start - 8), found.start):
        found.approximate = True
    return found, found.end


def _arithmetic(line: str, start: int) -> AmountReading | None:
    """15*2, 3瓶x5=15, 15+20=35: one amount."""
    if line[start - 1 : start] in (".", "*", "×", "x") and start:
        return None
    summed = words.SUM.match(line, start)
    if summed is not None:
        return AmountReading(start, summed.end(), Decimal(summed["result"]))
    product = words.PRODUCT.match(line, start)
    if product is None:
        return None
    one, two = Decimal(product["one"]), Decimal(product["two"])
    if one >= 100 and two >= 100:
        return None  # a resolution
    result = product["result"]
    return AmountReading(start, product.end(), Decimal(result) if result else one * two)


def _sign(line: str, found: AmountReading, floor: int) -> int:
    """Take a sign before the number; where to look for a currency sign."""
    at = found.start
    sign = line[at - 1 : at] if at > floor else ""
    stands = words.SIGN_STANDS.search(line, max(0, at - 2), at - 1) if sign else None
    if sign == "负" or (sign in "-−" and sign and stands):
        found.value = -abs(found.value)
        found.start = at - 1
    elif sign == "+" and stands:
        found.start = at - 1
    return found.start


def _range(line: str, found: AmountReading, number: str, end: int) -> bool:
    """20-30块 is about 20; True if the first number may be an amount."""
    high = parse_decimal(number)
    if high is None:
        return True
    counted = words.COUNTED.match(line, end)
    if counted is not None and not words.COUNTED_NOT.match(line, counted.start("word")):
        return False
    if high > found.value:
        found.approximate, found.end = True, end
    return True


def _unit(line: str, found: AmountReading) -> bool:
    """Take the currency word and its attachments; True if it can be money."""
    unit = words.UNIT.match(line, found.end)
    if unit is None:
        return True
    name, at = unit["unit"], unit.start("unit")
    negated = words.NOT_UNIT.get(name[0])
    foreign = words.foreign_code(name)
    after = line[unit.end() : unit.end() + 1]
    if name[-1].isascii() and name[-1].isalpha() and after.isascii() and after.isalpha():
        return True
    if name == "分" and words.COUNTED_NOT.match(line, at):
        return True  # 200分给大家 is 200
    if foreign is None and negated is not None and negated.match(line, at):
        return name[0] in "元圆毛角蚊"  # 35元宵 is 35; 一块去 and 5分钟 are nothing
    if foreign is not None and (
        words.NOT_FOREIGN.match(line, at)
        or words.NOT_FOREIGN_BEFORE.search(line, max(0, found.start - 5), found.start)
    ):
        return name not in ("刀", "铢")
    if (
        name == "角"
        and line[found.start : unit.end()] == "八角"
        and line[unit.end() : unit.end() + 1] != "钱"
    ):
        return False  # star anise
    if name == "分" and not _is_fen(line, found, unit.end()):
        return False
    if name == "块" and found.value == 1 and words.TOGETHER.match(line, at):
        return False
    if name == "块" and _is_piece(line, found, unit.end()):
        return False
    found.approximate = found.approximate or unit["about"] is not None
    found.end, found.spoken = unit.end(), True
    found.currency = foreign or ("CNY" if found.currency == "XXX" else found.currency)  # 充Q币50块
    if name in ("毛", "角"):
        found.value /= 10
        more = words.JIAO_TAIL.match(line, found.end)
        if more is not None and _is_jiao_tail(line, more.end("fen"), more.end()):
            found.value += _digit(more["fen"]) / 100
            found.end = more.end()
    elif name == "分":
        found.value /= 100
    elif foreign is None:
        _fraction(line, found)
    more = words.MONEY_WORD.match(line, found.end)
    if more is not None:
        found.end = more.end()
    return True


def _fraction(line: str, found: AmountReading) -> None:
    """Fraction behind 块: 八 (0.80), 五毛二分, 零五, 半; not the 5 of 100块5个."""
    tail = words.TAIL.match(line, found.end)
    if tail is None or found.value != found.value.to_integral_value() or found.approximate:
        return
    sign = -1 if found.value < 0 else 1
    kind = str(tail.lastgroup)
    if tail["mao"]:
        cents = _digit(tail["mao"]) * 10 + (_digit(tail["mao_fen"]) if tail["mao_fen"] else 0)
        if words.NOT_UNIT["毛"].match(line, tail.end("mao")):
            return
    elif tail["fen"] or tail["cent"]:
        cents = _digit(tail["fen"] or tail["cent"])
    elif tail["half"]:
        cents = Decimal(50)
    elif (kind != "unit_tenth" and counts(line, tail.end())) or words.NUMERAL_WORD.match(line, tail.start()):
        return
    elif kind == "cents":
        if not (words.CLAUSE_END.match(line, tail.end()) or words.PER_UNIT_BEHIND.match(line, tail.end())):
            return
        said = tail["cents"]
        by_place = not said.isdigit() and "十" not in said
        cents = _digit(said[0]) * 10 + _digit(said[1]) if by_place else _digit(said)
    else:
        cents = _digit(tail["unit_tenth"] or tail["tenth"]) * 10
    found.value += sign * cents / 100
    found.end = tail.end()


def _digit(text: str) -> Decimal:
    return parse_decimal(text) or Decimal(0)


def _is_jiao_tail(line: str, at: int, end: int) -> bool:
    """三毛五, 三毛五分, 三毛五一斤; not 三毛五个, 三毛五分钟."""
    if words.PER_UNIT_BEHIND.match(line, at):
        return True
    return words.NOT_UNIT["分"].match(line, at) is None if end > at else not counts(line, at)


def _is_fen(line: str, found: AmountReading, end: int) -> bool:
    if line[end : end + 1] == "钱":
        return True
    before = line[max(0, found.start - 6) : found.start]
    if before[-2:-1].isdigit() and before[-1:] in (":", "比"):
        return False  # 按2:1分
    ends = words.CLAUSE_END.match(line, end) is not None
    paid = words.FEN_BEFORE.search(before) is not None
    return ends and paid and 0 < abs(found.value) < 10 and not words.SCORE_BEFORE.search(before)


def _is_piece(line: str, found: AmountReading, end: int) -> bool:
    """三块蛋糕 with a price elsewhere, 两块豆腐, 我们一块."""
    before = line[max(0, found.start - 3) : found.start]
    if found.value == 1 and before.endswith(("们", "家", "在", "跟", "和")):
        return True
    if not words.PIECES.match(line, end) or found.value != found.value.to_integral_value():
        return False
    if not words.PIECES_BEFORE.search(line, max(0, found.start - 4), found.start):
        return False  # 早餐8块面包5块: the item before it has a price
    later = (
        any(c.isdigit() for c in rest_of_clause(line, end))
        or words.UNIT.search(rest_of_clause(line, end)) is not None
    )
    spent = words.SPENT_BEFORE.search(before) is not None
    return later or (found.value < 10 and not spent)
