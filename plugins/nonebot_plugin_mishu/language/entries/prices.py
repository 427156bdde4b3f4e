"""Amount paid after discounts, parts and unit prices: 其中, 八折, 减50, 5块一斤买了3斤. Pure.

* 午饭花了35，其中奶茶15: the 15 are within the 35 and no item;
* 原价100打八折 is 80, where no price behind the discount says what was paid; 399减50 is 349, 299满200减30 is
  269, 原价22用券减5 is 17, 原价500打八折再减50 is 350; 第二件半价 of two is one and a half;
* a price per unit beside a quantity of that unit, said once, is multiplied: 3杯咖啡每杯20 is 60; so is one by
  the head (一人20五个人) that is not to be divided; of several amounts each within its own part;
* 话费充100实付99.5: what was paid in the end stands for the price before it; so does what of a wage came in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from ...patterns import Pattern
from ..ledger import Division
from ..ledger.items import spans_of
from ..recognise.money import Amount, Role, find_amounts
from ..recognise.numerals import parse_decimal
from ..text.fold import normalise

_PART: Final = Pattern(r"(?:其中|里面|这里面|当中|包括|包含|内含)[^0-9,，。;；]{0,10}$")
_DISCOUNT: Final = Pattern(
    r"(?:打了?|享受?|全场|现在|有)?(?<![0-9.])(?P<rate>[0-9]{1,2}(?:\.[0-9])?|[一二三四五六七八九]{1,2}|对"
    r"|半)折"
    r"(?:后|价|优惠|券)*|半价"
)
_REDUCED: Final = Pattern(
    r"(?:[块元]|钱|立|又|再|,|，| |还|后|用了?|使了?|优惠|代金|抵用|券|红包|积分|会员)*"
    r"(?:减|立减|减免|优惠了?|便宜了?|抵扣|少)了? ?$"
)
_FROM_SUM: Final = Pattern("(?:[块元]|,|，| |每|店里|全场|平台|活动)*满$")
"""299满200减30: threshold of a discount."""
_SECOND_HALF: Final = Pattern("第(?:二|2)[件杯份个瓶双盒]半价")
_TWO: Final = Pattern("[两俩2](?:件|杯|份|个|瓶|双|盒|$)")
_GIVEN_ALONG: Final = Pattern("(?:赠送|赠|送|返现?)(?:了|我|你)* ?$")
_PAID_IN: Final = ("充", "存", "办卡", "办了卡", "续费", "预存")
_SAID_PAID: Final = Pattern("(?:实付|到手|最后|最终|实际|付了|花了)[^0-9,]{0,3}$")
_UNIT: Final = "[斤个瓶杯份张件只盒袋包条双本支串碗台节片根箱桶罐次晚天人位盘顿套朵颗把提板]"
_BEHIND: Final = Pattern(rf" ?(?:钱)?(?:[一每/])(?P<unit>{_UNIT}|公斤|千克)")
_BEFORE: Final = Pattern(
    rf"(?<![买吃喝要点来了拿])[每一](?P<unit>{_UNIT}|公斤|千克)(?:是|约|:|才|要|卖|价|都|各)* ?$"
)
_ALIKE: Final = Pattern(
    rf"(?P<count>[2-9]|[1-9][0-9]"
    rf"|[两二三四五六七八九十俩仨]) ?(?:{_UNIT})?(?![^0-9]*[和跟与、])"
    rf"[^0-9,，。;；]{{0,8}}(?P<each>(?:都是|全是|都|全)?(?:各|每[个{_UNIT[1:-1]}])(?:是|要|花)?) ?$"
)
"""两杯奶茶各15."""
_HEAD_BEFORE: Final = Pattern("(?:一个?人|每个?人|每位|一位)(?:是|要|收|交|出|花|付|票价|才|:)* ?$")
_HEAD_BEHIND: Final = Pattern(" ?(?:钱)?(?:一个?人|一位|每人|每位|/人|/位)(?! ?[0-9]{1,8}+(?![0-9个人位]))")
_PEOPLE: Final = Pattern(
    "(?:我们|咱们?|一共|总共|共|去了?|来了?)*(?:(?P<count>[0-9]{1,3}|[两二三四五六七八九十]{1,3})(?:个人"
    "|位|人(?!民))|(?P<pair>[俩仨])(?:个?人)?)"
)
_DIVIDED: Final = Pattern("(?<![a-z])aa(?![a-z])|平摊|均摊|分摊|平分|人均", re.IGNORECASE)
_END_WORD: Final = (
    "(?:实付(?:款)?|实际(?:支付|付|花|价格?|给)?|实收|到手价?|折后价?|券后价?|优惠后?|满?减后"
    "|(?:打完?|打了)[一二三四五六七八九0-9.]*折后?(?:是|价)?|抹零后?"
    "|[砍讲还]价?[到成]|[砍讲]完价?|最后|最终|结果|只|就|才|后来|成交价?|拿下价?|活动价|会员价|内购价|会员)"
)
_BY_THE_END: Final = Pattern(
    rf"(?:[块元钱]|的[^0-9,，。;；]{{1,6}}?)?(?P<tail>[,， ]{{0,4}}(?:用(?:了)?券|砍价|讲价|打折|优惠|抹零"
    rf"|(?:把)?零头(?:都|给|全)*(?:抹|免|去|舍)(?:掉|去)?了?"
    rf"|活动)?[,， ]{{0,4}}{_END_WORD}+[,， ]{{0,4}}(?:我|给我|又)?(?:[只就才]?(?:付|花|给|收|要|卖|算)我?"
    rf"|[了是:到])*(?:我)? ?)"
)
"""Between a price and what was paid in the end."""
_EXTRA: Final = Pattern("(?:[块元钱]|,|，| |再|又|还|就|多)*(?:赠送|赠|送|返)(?:了|我)* ?")
_SUMMED: Final = Pattern("(?:一共|总共|共|花了?|付了?|就|是|要|,|，| )*")
"""Between a quantity and an amount: that is what they came to (一人90，俩人180)."""
_GROSS: Final = Pattern("应发|应得|税前|扣(?:税|社保|除|掉|了|五险|个税|公积金)|代扣|五险一金")
_NET: Final = Pattern("(?:到手|实发|税后|实得|实际|到账|最后|发了|净)[^0-9,，]{0,4}$")
_EACH: Final = Pattern(r"(?:来回|往返|两边|双程)[^0-9,，]{0,4}各(?:自|要|花)? ?$")
_OF_ALL: Final = Pattern("(?:都|全部|全都|统统|一起|总共|一共)(?:是|给)?$")
_END_SAID: Final = Pattern(_END_WORD)
_FEN: Final = Decimal("0.01")
_NUMBER: Final = "[0-9]{1,3}(?:\\.[0-9])?|[一二两三四五六七八九十半俩仨]{1,3}"
_REACH: Final = 24


@dataclass(frozen=True, slots=True)
class Paid:
    """The amounts as they were paid, whether none was reckoned, and the stretches that only say how."""

    amounts: tuple[Amount, ...]
    plain: bool = True
    gone: tuple[tuple[int, int], ...] = ()
    by_head: bool = False
    """Multiplied by the number of people: already the total, not multiplied again on division."""


def paid(line: str, amounts: Sequence[Amount]) -> Paid:
    """Amounts paid, of those found in a normalised line."""
    kept = list(amounts)
    gone: list[tuple[int, int]] = []
    kinds = _by_kinds(line, kept, gone)
    if kinds is not None:
        return Paid((kinds,), True, tuple(gone))
    kept = _without_gift(line, _from_sum(line, kept, gone), gone)
    kept, within = _less_within(line, kept, gone)
    kept, second = _second_half(line, kept, gone)
    kept, reduced = _reduced(line, kept, gone)
    kept, cheaper = (kept, True) if second else _discounted(line, kept, gone)
    kept = _without_change(line, kept, gone)
    kept = _in_the_end(line, kept, gone)
    prices = kept
    kept, counted = _multiplied(line, kept, gone)
    by_head = any(_is_by_head(line, one) and one not in kept for one in prices)
    return Paid(tuple(kept), not (within or reduced or cheaper or counted), tuple(gone), by_head)


def said_by_head(text: str) -> Decimal | None:
    """The one sum of a text that is what each pays (一人22, 22每人); None of any other text."""
    line = normalise(text)
    found = find_amounts(line)
    return found[0].yuan if len(found) == 1 and _is_by_head(line, found[0]) else None


def _is_by_head(line: str, price: Amount) -> bool:
    behind = _HEAD_BEHIND.match(line, price.end) is not None
    return behind or _HEAD_BEFORE.search(line[: price.start]) is not None


_KINDS: Final = (
    "(?:大人|成人|成年人|小孩儿?|小朋友|儿童|孩子|娃|老人|长者|学生|全价|半价|优惠|普通)(?:票|的)?"
)
_SO_MANY: Final = "[0-9]{1,2}|[一两二三四五六七八九十]"
_KIND: Final = Pattern(
    rf"(?:(?P<count>{_SO_MANY}) ?[张个位名份]?)?{_KINDS}(?:是|要|各|每[张人位]|一[张人位]|:)* ?$"
)
_SO_MANY_OF_IT: Final = Pattern(rf" ?[x×*]? ?(?P<count>{_SO_MANY}) ?[张个位名份人]票?")


def _by_kinds(line: str, amounts: Sequence[Amount], gone: list[tuple[int, int]]) -> Amount | None:
    """Sum of several kinds of one thing, price times number (门票 大人80两张 小孩40一张 is 200); None for
    every other line."""
    if len(amounts) < 2:
        return None
    total, counted, leads = Decimal(0), False, False
    first, last = 0, 0
    for at, price in enumerate(amounts):
        begin = amounts[at - 1].end if at else 0
        end = amounts[at + 1].start if at + 1 < len(amounts) else len(line)
        kind = _KIND.search(line[begin : price.start])
        if kind is None:
            return None
        leads = leads if at else kind["count"] is not None  # 两张大人80 一张小孩40
        behind = None if leads else _SO_MANY_OF_IT.match(line, price.end, end)
        said = kind["count"] if leads else behind["count"] if behind is not None else None
        counted = counted or said is not None
        total += price.yuan * (parse_decimal(said or "1") or 1)
        first = begin + kind.start() if not at else first
        last = behind.end() if behind is not None else price.end
    if not counted:
        return None
    if line[:first].strip() or line[last:].strip():  # else the first kind is its name
        gone.append((first, amounts[0].start))
    gone.append((amounts[0].end, last))
    return replace(amounts[0], yuan=total, role=Role.PLAIN)


def _from_sum(line: str, amounts: list[Amount], gone: list[tuple[int, int]]) -> list[Amount]:
    """299满200减30: without the sum from which on 30 are taken off, where the price stands before it."""
    for at in range(1, len(amounts) - 1):
        price, least, off = amounts[at - 1 : at + 2]
        before, between = line[price.end : least.start], line[least.end : off.start]
        if (
            _FROM_SUM.fullmatch(before)
            and _REDUCED.fullmatch(between)
            and price.yuan >= least.yuan > off.yuan
        ):
            gone.append((price.end, off.end))
            left = replace(price, yuan=price.yuan - off.yuan)
            return [*amounts[: at - 1], left, *amounts[at + 2 :]]
    return amounts


def _without_gift(line: str, amounts: list[Amount], gone: list[tuple[int, int]]) -> list[Amount]:
    """充了100话费送20: what is given along with what was paid in is not paid."""
    if len(amounts) < 2 or not any(word in line for word in _PAID_IN):
        return amounts
    kept = amounts[:1]
    for amount in amounts[1:]:
        gift = _GIVEN_ALONG.search(line[: amount.start])
        if gift is not None and _EXTRA.fullmatch(line, kept[-1].end, amount.start) is None:
            gone.append((gift.start(), amount.end))
        else:
            kept.append(amount)
    return kept


def _second_half(line: str, amounts: list[Amount], gone: list[tuple[int, int]]) -> tuple[list[Amount], bool]:
    """洗发水79第二件半价买了两瓶: of two, one and a half; of none that are counted the price as it is."""
    said = _SECOND_HALF.search(line)
    if said is None or len(amounts) != 1:
        return amounts, False
    gone.append(said.span())
    rest = f"{line[: said.start()]} {line[said.end() :]}"
    price = amounts[0]
    whole = price.role is Role.TOTAL or (price.start >= said.end() and price.role is not Role.PER_UNIT)
    if whole or _TWO.search(rest) is None:
        return amounts, True
    behind = _BEHIND.match(line, price.end)
    if behind is not None:
        gone.append(behind.span())
    return [replace(price, yuan=price.yuan * Decimal("1.5"), role=Role.TOTAL)], True


def _less_within(line: str, amounts: list[Amount], gone: list[tuple[int, int]]) -> tuple[list[Amount], bool]:
    kept: list[Amount] = []
    rest: Decimal | None = None
    for amount in amounts:
        before = line[max(0, amount.start - _REACH) : amount.start]
        part = _PART.search(before)
        if part is not None and kept and kept[-1].yuan >= amount.yuan:
            rest = kept[-1].yuan - amount.yuan
            gone.append((amount.start - len(before) + part.start(), amount.end))  # 其中打车40
            continue
        if rest is not None and amount.yuan <= rest and re.search("[,，、和]", before[-8:]):
            rest -= amount.yuan
            continue
        rest = None
        kept.append(amount)
    return kept, len(kept) < len(amounts)


def _reduced(line: str, amounts: list[Amount], gone: list[tuple[int, int]]) -> tuple[list[Amount], bool]:
    """399减50: taken off right behind the price, with nothing behind that says what was paid."""
    for at in range(1, len(amounts)):
        price, off = amounts[at - 1], amounts[at]
        between = line[price.end : off.start]
        original = price.role is Role.ASIDE and line[: price.start].endswith(("原价", "标价", "原本"))
        if original and len(amounts) == 2:
            price = replace(price, role=Role.PLAIN)  # 原价22用券减5
        if price.role is not Role.PLAIN or not _REDUCED.fullmatch(between) or off.yuan >= price.yuan:
            continue
        if len(amounts) > at + 1:
            behind = amounts[at + 1]
            paid_so = _SAID_PAID.search(line, off.end, behind.start) is not None
            if not paid_so and behind.yuan != price.yuan - off.yuan:
                return amounts, False
            gone.append((price.start, off.end))  # 25减5 实付20
            return [*amounts[: at - 1], *amounts[at + 1 :]], True
        gone.append((price.end, off.end))
        return [*amounts[: at - 1], replace(price, yuan=price.yuan - off.yuan)], True
    return amounts, False


def _discounted(line: str, amounts: list[Amount], gone: list[tuple[int, int]]) -> tuple[list[Amount], bool]:
    said = _DISCOUNT.search(line)
    if said is None or not amounts:
        return amounts, False
    gone.append(said.span())
    rate = _rate(said["rate"])
    if rate is not None and _OF_ALL.search(line[: said.start()]) is not None:
        return [_cheaper(one, rate) if one.end <= said.start() else one for one in amounts], True
    off = next((one for one in amounts if one.start >= said.end()), None)
    if off is not None and rate is not None and _REDUCED.fullmatch(line[said.end() : off.start]):
        price = amounts[amounts.index(off) - 1] if amounts.index(off) else None
        if price is not None and price.end <= said.start() and price.yuan * rate > off.yuan:
            gone.append((said.end(), off.end))  # 打八折再减50
            value = (price.yuan * rate - off.yuan).quantize(Decimal("0.01"), ROUND_HALF_UP)
            rest = [one for one in amounts if one not in (price, off)]
            return [*rest, replace(price, yuan=value, role=Role.PLAIN)], True
    before = [at for at, one in enumerate(amounts) if one.end <= said.start()]
    behind = [one for one in amounts if one.start >= said.end()]
    original = (
        before[-1] if before else next((at for at, one in enumerate(amounts) if one.role is Role.ASIDE), None)
    )
    if rate is None or original is None:
        return amounts, False
    price, cheaper = amounts[original], _cheaper(amounts[original], rate)
    if before and len(behind) == 1 and _SAID_PAID.search(line, said.end(), behind[0].start) is not None:
        gone.extend(((price.start, price.end), (said.end(), behind[0].start)))
        return [*amounts[:original], *amounts[original + 1 :]], True  # 鞋500打八折，最后390
    further = bool(before and behind) and _is_further(line[said.end() : behind[0].start], cheaper, behind[0])
    if any(one.role is not Role.ASIDE for one in behind) and not further:
        return amounts, False
    if said.start() - price.end > _REACH or (before and behind and not further):
        return amounts, False
    return [*amounts[:original], cheaper, *amounts[original + 1 :]], True


def _cheaper(price: Amount, rate: Decimal) -> Amount:
    """A price by a discount, to the fen."""
    return replace(price, yuan=(price.yuan * rate).quantize(_FEN, ROUND_HALF_UP), role=Role.PLAIN)


def _is_further(between: str, cheaper: Amount, behind: Amount) -> bool:
    """True if the sum behind a discount is another thing's, with its words behind a pause (鞋200打八折，
    袜子30), and not what was paid."""
    thing = between.strip(" ,，、;；")
    paused = between[:1] in tuple(" ,，、;；") and thing != ""
    paid_so = _SAID_PAID.search(between) is not None or _END_SAID.search(between) is not None
    return paused and not paid_so and behind.role is Role.PLAIN and behind.yuan != cheaper.yuan


def _rate(spoken: str | None) -> Decimal | None:
    if spoken in (None, "对", "半"):
        return Decimal("0.5")
    if spoken.isdigit() or "." in spoken:
        number = Decimal(spoken)
    else:
        digits = "".join(str("一二三四五六七八九".index(c) + 1) for c in spoken)
        number = Decimal(digits)
    while number >= 10:
        number /= 10
    return number / 10 if number > 0 else None


def _in_the_end(line: str, amounts: list[Amount], gone: list[tuple[int, int]]) -> list[Amount]:
    """话费充100实付99.5, 500的鞋折后420: what was paid in the end stands for the prices said before it."""
    net = _net(line, amounts)
    if net is not None:  # 工资应发12000扣税650到手11350
        gone.extend((one.start, one.end) for one in amounts if one is not net)
        gone.extend(said.span() for said in _GROSS.finditer(line))
        return [net]
    kept: list[Amount] = []
    for amount in amounts:
        while kept and (said := _BY_THE_END.fullmatch(line, kept[-1].end, amount.start)) is not None:
            before = kept.pop()
            gone.extend(((before.start, before.end), said.span("tail")))
        if kept and _EXTRA.fullmatch(line, kept[-1].end, amount.start):
            gone.append((kept[-1].end, amount.end))  # 充200送10
            kept[-1] = replace(kept[-1], end=amount.end)
        else:
            kept.append(amount)
    return kept


def _without_change(line: str, amounts: list[Amount], gone: list[tuple[int, int]]) -> list[Amount]:
    """The price alone where it is told what was given and what came back (纸38.5 找零1块5 给了40); the
    difference where no price is (给了100找回35)."""
    words = spans_of(line, "change", [(one.start, one.end) for one in amounts])
    found = [
        (word, one)
        for word in words
        for one in amounts
        if word[1] <= one.start and not line[word[1] : one.start].strip()
    ]
    if len(found) != 1 or len(amounts) < 2:
        return amounts
    word, back = found[0]
    others = [one for one in amounts if one is not back]
    given = max(others, key=lambda one: one.yuan)
    price = [one for one in others if one is not given]
    gone.append((word[0], back.end))
    if len(price) == 1 and price[0].yuan + back.yuan == given.yuan:
        gone.append((given.start, given.end))
        return price
    return [replace(given, yuan=given.yuan - back.yuan)] if not price and back.yuan < given.yuan else others


def _net(line: str, amounts: list[Amount]) -> Amount | None:
    if len(amounts) < 2 or _GROSS.search(line) is None:
        return None
    found = [one for one in amounts if _NET.search(line[max(0, one.start - 8) : one.start])]
    return found[-1] if found else None


def _multiplied(line: str, amounts: list[Amount], gone: list[tuple[int, int]]) -> tuple[list[Amount], bool]:
    """Every price for one of several, times how many: within its own part of the line."""
    kept: list[Amount] = []
    used: list[tuple[int, int]] = []
    for at, amount in enumerate(amounts):
        first = amounts[at - 1].end if at else 0
        last = amounts[at + 1].start if at + 1 < len(amounts) else len(line)
        kept.append(_times(line, amount, (first, last), gone, used))
    return kept, kept != amounts


def _times(
    line: str,
    price: Amount,
    within: tuple[int, int],
    gone: list[tuple[int, int]],
    used: list[tuple[int, int]],
) -> Amount:
    """The price times the quantity that is said in the stretch `within`, before it rather than behind
    (可乐10件 一件32 雪碧5件), and not `used` by another price; as it is where none is."""
    before = line[within[0] : price.start]
    if _EACH.search(before) is not None:
        return replace(price, yuan=price.yuan * 2, role=Role.PLAIN)
    several = _TO_SEVERAL.search(before)
    if several is not None and (count := _how_many(several["who"])) > 1:
        gone.append((within[0] + several.end("who"), price.start))
        return replace(price, yuan=price.yuan * count, role=Role.PLAIN)
    heads = _heads(line, price, within, gone)
    if heads is not None:
        return heads
    behind = _BEHIND.match(line, price.end, within[1])
    tail = _BEHIND.search(price.text) if behind is None else None
    each = _BEFORE.search(before)
    found = behind or each or tail
    many = None if found is not None else _ALIKE.search(before)
    if many is not None:
        gone.append((within[0] + many.start("each"), within[0] + many.end("each")))
        return _by(price, many["count"])
    if found is None or (price.role is not Role.PER_UNIT and each is None):
        return price
    offset = within[0] if found is each else 0
    stretch = (price.end, price.end) if found is tail else (found.start() + offset, found.end() + offset)
    quantities = [
        one
        for one in re.finditer(
            rf"(?<![0-9.第每])(?:(?P<count>{_NUMBER}) ?{_same(found['unit'])}|(?P<pair>[俩仨])(?![人口]))",
            line,
        )
        if within[0] <= one.start()
        and one.end() <= within[1]
        and (one.end() <= price.start or one.start() >= price.end)
        and not (stretch[0] < one.end() and one.start() < stretch[1])
        and one.span() not in used
    ]
    if len(quantities) > 1:
        quantities = [one for one in quantities if one.end() <= price.start]
    if len(quantities) != 1 or _SUMMED.fullmatch(line, quantities[0].end(), _until(line, within)):
        return price
    product = _by(price, quantities[0]["count"] or quantities[0]["pair"])
    if product is not price:
        gone.append(stretch)
        used.append(quantities[0].span())
    return product


def _heads(line: str, price: Amount, within: tuple[int, int], gone: list[tuple[int, int]]) -> Amount | None:
    """一人20五个人: by the head, for so many; None where it is not, or where it is to be divided again."""
    if _DIVIDED.search(line) is not None:
        return None
    behind = _HEAD_BEHIND.match(line, price.end, within[1])
    before = _HEAD_BEFORE.search(line[within[0] : price.start])
    if behind is None and before is None:
        return None
    stretch = (
        behind.span() if behind is not None else (within[0] + before.start(), within[0] + before.end())  # type: ignore[union-attr]
    )
    people = [
        one
        for one in _PEOPLE.finditer(line, within[0], within[1])
        if not (stretch[0] < one.end() and one.start() < stretch[1])
        and (one.end() <= price.start or one.start() >= price.end)
    ]
    if len(people) != 1 or _SUMMED.fullmatch(line, people[0].end(), _until(line, within)):
        return None
    gone.extend((stretch, people[0].span()))
    return _by(price, people[0]["count"] or people[0]["pair"])


_TO_SEVERAL: Final = Pattern(
    "给(?P<who>[^,，。0-9 ]{2,16}?)(?:一人|每人|各自?)(?:转|发|给|包|打|塞|随|付|送)?(?:了|过)?"
    "(?:个?红包)? ?$"
)
"""给爷爷奶奶各转了1000: so much for each of those who are named."""
_KIN: Final = Pattern(
    "爷爷|奶奶|外公|外婆|姥姥|姥爷|爸爸?|妈妈?|公公|婆婆|岳父|岳母|老公|老婆|儿子|女儿|哥哥?|姐姐?|弟弟?|妹妹?"
)
_PAIRED: Final = dict.fromkeys(
    ("爸妈", "爹妈", "父母", "公婆", "两个孩子", "两个娃", "俩孩子", "俩娃", "俩"), 2
)


def _how_many(who: str) -> int:
    """Number of people in a list (爷爷奶奶, 小李和小王)."""
    if who in _PAIRED:
        return _PAIRED[who]
    parts = [each for each in re.split("[和跟与、及]|还有", who) if each]
    kin = sum(len(_KIN.findall(each)) or 1 for each in parts)
    return kin if len(parts) > 1 or _KIN.sub("", who) in ("", "我") else len(parts)


def without_by_head(line: str, amounts: list[Amount]) -> list[Amount]:
    """The amounts without what one bears of another (房租5400 一人1800)."""
    for one in amounts:
        whole = [each for each in amounts if each is not one and one.yuan and each.yuan > one.yuan]
        fits = [each for each in whole if each.yuan % one.yuan == 0 and each.yuan / one.yuan <= 50]
        before = [_HEAD_BEFORE.search(line[: each.start]) is not None for each in (one, *fits[:1])]
        if len(amounts) == 2 and before == [True, False]:
            return fits
    return amounts


def _until(line: str, within: tuple[int, int]) -> int:
    """Start of the next amount; -1 if none."""
    return within[1] if within[1] < len(line) else -1


def _by(price: Amount, said: str) -> Amount:
    spoken = {"俩": Decimal(2), "仨": Decimal(3), "半": Decimal("0.5")}
    count = spoken.get(said) or parse_decimal(said)
    if count is None or not 0 < count <= 999:
        return price
    return replace(price, yuan=price.yuan * count, role=Role.PLAIN)


def _same(unit: str) -> str:
    return "(?:公斤|千克|kg)" if unit in ("公斤", "千克", "kg") else unit


def without_parts(amounts: list[Amount], division: Division) -> list[Amount]:
    """The amounts that are no single one's part of another; the parts alone come to one (我80小雅60)."""
    mine = all(part.who.me for part in division.parts)
    if mine and not (division.people or division.count or division.split or division.payments):
        return amounts  # 运费自己出12
    parts = [each for each in amounts if any(holds_sum(span, [each]) for span in division.spans)]
    left = [each for each in amounts if each not in parts]
    if left or len(parts) < 2 or any(part.kind != "sum" for part in division.parts):
        return left
    whole = sum((each.yuan for each in parts), Decimal(0))
    return [replace(parts[0], yuan=whole, end=parts[-1].end, role=Role.PLAIN)]


def holds_sum(span: tuple[int, int], amounts: Sequence[Amount]) -> bool:
    """True if an amount is in a stretch."""
    return any(span[0] <= amount.start and amount.end <= span[1] for amount in amounts)
