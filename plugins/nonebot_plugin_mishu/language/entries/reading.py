"""Items of a sentence, spent, received or moved: amount, type, category, words and day. Pure.

The words of an amount stand before it (午饭35打车20), or behind it where nothing stands before the first one
(35午饭). Decided here:

* a day said counts for what follows it until another is said (昨天午饭35 下午咖啡18), which an hour or
  a part of a day is not; alone behind (打车20，昨天), for what stands before; 都是昨天 for all;
* what was spent lies behind us: a bare weekday, a day of the month and a date without a year that would be to
  come are the last one that was, so is a feast more than two months ahead (双十一 said on the 22nd of
  November); what is said to be to come (明天, 下周) stays so;
* 11.11 at the beginning of a clause is a day where it is no amount (11.11买了双鞋459);
* 退款 is income of the category 退款; in 收到快递花了10块 spending said beats receiving said before it;
* 一共55 behind 35 and 20 is their sum and no item; a total that does not fit makes the reading unsure;
* 人均50, 各20 and a price per unit are read as they stand, and unsure; `prices` reckons what is said fully;
* a foreign currency has no fen: no item, and unsure; an unknown category is 其他.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from ...patterns import Pattern
from ..ledger import divided
from ..ledger.items import channel_of, is_gauged, people_in, spans_of, taken_back, told_before
from ..recognise.identifiers import mask_identifiers
from ..recognise.list_marks import parted
from ..recognise.members import sums_beside
from ..recognise.money import Amount, Role
from ..recognise.times import TimeExpression, names_day, parse
from ..text.fold import normalise
from ..word_lists import one_of
from .categories import DUES, Categories, category_of, moves, type_of
from .descriptions import AmountPiece, Named, asks, clauses, cut, names_in_line, price_words, without
from .entry import MOST_FEN, OTHER, Entry, entry_json
from .prices import holds_sum, paid, without_by_head, without_parts

LONGEST: Final = 2000
MOST: Final = 50
"""Items of one sentence; a batch takes fewer."""

_COMING: Final = ("明", "后天", "大后", "下", "来年", "次日", "将", "未来")
_WEEKS: Final = ("周", "星期", "礼拜")
_DATES: Final = (*"0123456789年月号日周",)
_DOTTED: Final = Pattern(
    r"(?<![0-9.:])(?P<month>1[0-2]|0?[1-9])\.(?P<day>3[01]|[12][0-9]|0?[1-9])(?![0-9.])(?:日|号)?"
)
_TOUCHED: Final = Pattern("(?:周|星期|礼拜)[一二三四五六日天](?![边围到])")
_TWO_DAYS_AGO: Final = Pattern("(?<![之以提从])前[晚夜早]上?")
_FAR: Final = timedelta(days=60)
_YEAR_LONG: Final = timedelta(days=366)
_NO_DAY: Final = Pattern("疯狂星期[四4]|疯狂周四|星期[一二三四五六日天](?:餐厅|咖啡|饭店|酒吧|乐队)")
"""Names with a day in them."""
_NUMBERED: Final = frozenset({"双11", "双12", "618", "六一儿童节"})
"""Feasts with digits in their names."""
_DUES: Final = f"(?:的|份的?)?(?:{one_of(DUES)}|奖学金|生活费|账单)"
_DUE: Final = Pattern(f"{_DUES}(?!要|得|该)")
_SETTLED: Final = Pattern(
    f"{_DUES}(?:终于|今天|刚|才|总算|都|也|已经?)*(?:发|到|下来|交|付|还|结|退|补|转|扣)"
)
"""Behind a span: what fell due for it was settled now."""
_AND: Final = Pattern(" ?(?:块钱?|元)? ?[和跟与及、]")
_PER_HEAD_SAID: Final = (
    *(
        "各",
        "各自",
        "各付",
        "每人",
        "每个人",
        "每个",
        "每杯",
        "每份",
        "每件",
        "每只",
        "每位",
        "每张",
        "每瓶",
        "每斤",
    ),
    "分别",
)
_FURTHER: Final = ("还有", "另外", "然后", "接着", "以及")
_SPLITS: Final = Pattern("平摊|均摊|平分|分摊|(?<=[0-9块元])[Aa]{2}(?![A-Za-z])")
"""Behind a number they would make it square metres or points."""
_CORRECTS: Final = Pattern("改成|改为|更正为|第[0-9一二三四五六七八九十]{1,3}[笔条](?:应|是|不|要|换)")


@dataclass(frozen=True, slots=True)
class Items:
    """Items found. `sure` is False if amounts and words do not match clearly."""

    entries: tuple[Entry, ...] = ()
    sure: bool = True
    foreign: str | None = None
    """Foreign currency, if any."""
    too_much: bool = False
    """An amount beyond what is believed."""
    about: bool = False
    """Approximate amount (一百多, 三百左右)."""
    by_head: bool = False
    """Multiplied by the number of people."""
    left: tuple[str, ...] = ()
    """Sums as said that are in no item, no part and no total (一人22 beside 豆浆3块5、包子6)."""


NOTHING: Final = Items()
NOBODY: Final[Mapping[str, tuple[str, ...]]] = {}


def read_items(
    text: str,
    now: datetime,
    zone: ZoneInfo,
    categories: Categories | None = None,
    names: Mapping[str, tuple[str, ...]] = NOBODY,
) -> Items:
    """The items of a sentence said at `now`. Never raises; linear, the first `LONGEST` characters count.

    `names` are what members are called here, with their ids: who paid or shares is no part of an item.
    """
    known = categories or Categories()
    line = normalise(parted(text[:LONGEST]))
    if _CORRECTS.search(line):
        return NOTHING
    amounts = sums_beside(names, _SPLITS.sub("  ", line))
    gone = taken_back(line, amounts) if amounts else None
    if gone is not None:
        line = without(line, [gone])
        amounts = [found for found in amounts if found.end <= gone[0] or found.start >= gone[1]]
    kept = told_before(line, amounts) if amounts else None
    if kept is not None:
        line = without(line, [kept])
        amounts = [found for found in amounts if found.end <= kept[0] or found.start >= kept[1]]
    times = [each for each in said_days(line, amounts, now, zone) if not _begins_in_sum(each, amounts)]
    times = [each for each in times if not _begins_in_name(each, line, names)]
    amounts = [found for found in amounts if not (_inside_time(found, times) or is_gauged(line, found))]
    shown = mask_identifiers(line)
    division = divided(shown, amounts, names)
    amounts = without_parts(amounts, division)
    by_one = [each for each in amounts if each not in without_by_head(line, amounts)]
    amounts = [each for each in amounts if each not in by_one]
    reckoned = paid(line, amounts)
    said_amounts, amounts = amounts, _told_once(amounts, reckoned.amounts)
    foreign = next((found.currency for found in amounts if found.currency != "CNY"), None)
    too_much = any(found.fen is not None and abs(found.fen) > MOST_FEN for found in amounts)
    amounts = [found for found in amounts if not _roughly_again(found, amounts)]
    ours = [found for found in amounts if found.fen is not None and 0 < abs(found.fen) <= MOST_FEN]
    chosen, fits = _chosen(ours, line, division.spans, known)
    today = now.astimezone(zone).date()
    entries: list[Entry] = []
    days: list[date | None] = []
    said: date | None = None
    clear = fits and len(ours) == len(amounts) and reckoned.plain
    gone = [span for found in times for span in found.spans]
    shared = list(division.spans)
    spoken = without(line, [span for span in shared if not holds_sum(span, amounts)])
    blanked = without(line, gone + shared)
    gone += [(found.start, found.end) for found in (*said_amounts, *by_one)]
    gone += [*reckoned.gone, *shared, *price_words(shown, said_amounts)]
    people = people_in(shown, amounts, names)
    named = names_in_line(line, times, chosen[:MOST], gone, blanked, people)
    pieces = cut(named, chosen[:MOST])
    for piece in pieces:
        entry = _entry(spoken, piece, named, known)
        if entries and _AND.match(line, piece.start) and not moves(line[piece.start : piece.end]):
            entry = replace(entry, type=entries[-1].type)  # 收了押金3000和租金2500
        if channel_of(entry.description) and not moves(named.line[piece.start : piece.amount.start]):
            entry = _alike(entry, entries[-1] if entries else None, line)
        elif entries and named.only_somebody(piece) and not moves(named.line[piece.start : piece.end]):
            entries[-1], entry = _for_another(entry, entries[-1], named, pieces[len(entries) - 1])
        own = _day_within(named, piece, times, today)
        if entries and own not in (None, said) and not entry.description:  # 周一午饭20 周二30
            entry = replace(entries[-1], fen=entry.fen)
        said = own or said
        entries.append(entry)
        days.append(said)
        clear = clear and (entry.category != OTHER or bool(entry.description) or len(pieces) == 1)
        before = line[piece.start : piece.amount.start].rstrip()
        if piece.amount.role in (Role.PER_UNIT, Role.PER_HEAD) or before.endswith(_PER_HEAD_SAID):
            clear = False
    if pieces:
        days = _with_afterthought(line, pieces, times, days, today)
        clear = clear and not _left_over(blanked, pieces, said_amounts, known)
    if len(entries) == 1 and entries[0].type == "EXPENSE" and _RECEIVED_BY.search(line):
        kind = category_of(entries[0].description, line, "INCOME", known)
        entries = [replace(entries[0], type="INCOME", category=kind)]
    dated = [replace(entry, day=day or today) for entry, day in zip(entries, days, strict=True)]
    about = any(piece.amount.approximate for piece in pieces)
    left = _told_beside(ours, chosen[:MOST], said_amounts, shown) if dated else ()
    clear = clear and not left
    return Items(tuple(dated), clear, foreign, too_much, about, reckoned.by_head or bool(by_one), left)


def transactions(text: str, now: datetime, zone: ZoneInfo) -> list[dict[str, Any]]:
    """`transactions` of `explain --json`: `[{amount, type, category, description, date}]`."""
    return [entry_json(entry) for entry in read_items(text, now, zone).entries]


def _inside_time(amount: Amount, times: Sequence[TimeExpression]) -> bool:
    """A bare number that the time grammar took (3号, 12点) is no money; one with a currency word is."""
    if amount.spoken:
        return False
    return any(start <= amount.start and amount.end <= end for found in times for start, end in found.spans)


def _begins_in_sum(found: TimeExpression, amounts: Sequence[Amount]) -> bool:
    """五一 of 两毛五一斤: a day that begins within a sum and ends behind it is none."""
    start, end = found.span
    return any(each.spoken and each.start < start < each.end < end for each in amounts)


def _begins_in_name(found: TimeExpression, line: str, names: Iterable[str]) -> bool:
    """周四 of 月月老周四个人平分: a day that begins within a member's name is none."""
    start = found.span[0]
    low = line.lower()
    return any(
        low.find(name, max(0, start - len(name) + 1), start + len(name)) in range(start) for name in names
    )


_RECEIVED_BY: Final = Pattern(
    "(?:微信|支付宝|现金|转账|扫码|刷卡)(?:上|里)?(?:收|进账|到账)(?:的|了|款)?[吧了哈啊。!~ ]*$"
)
"""续卡2980 微信收的: behind a sum it says that the money came."""


def _told_once(said: Sequence[Amount], reckoned: Sequence[Amount]) -> list[Amount]:
    """Without a product whose sum is told as well (三个人 每人四十 收120)."""
    whole = [one for one in said if one in reckoned]
    return [
        each
        for each in reckoned
        if each in said or not any(one.fen == each.fen and one.start != each.start for one in whole)
    ]


def _roughly_again(amount: Amount, amounts: Sequence[Amount]) -> bool:
    """A sum said exactly is said roughly as well (转了90 89块多懒得找零)."""
    return amount.approximate and any(
        not other.approximate and abs(other.yuan - amount.yuan) * 20 <= other.yuan for other in amounts
    )


def _chosen(
    amounts: Sequence[Amount], line: str, shared: Sequence[tuple[int, int]], known: Categories
) -> tuple[list[Amount], bool]:
    """The amounts that are items, and whether the others fit them. `shared`: the stretches that say who paid
    and who shares."""
    plain = [found for found in amounts if found.role is Role.PLAIN]
    totals = [found for found in amounts if found.role is Role.TOTAL]
    if totals:
        if not plain:
            return totals[:1], len(totals) == 1
        total, parts = totals[-1].fen or 0, sum(abs(found.fen or 0) for found in plain)
        if total == parts:
            return plain, True
        if len(totals) == 1 and _is_of_one(totals[0], plain, line, shared, known):
            return [found for found in amounts if found.role in (Role.PLAIN, Role.TOTAL)], True
        own = [found for found in totals if _tells_own(found, amounts, line, known)]
        if len(own) == len(totals):  # 豆浆3块5、包子俩一共6
            return [found for found in amounts if found.role in (Role.PLAIN, Role.TOTAL)], False
        if len(plain) == 1 and total > parts:
            return [totals[-1]], False  # 买了3瓶水5块，一共15
        return plain, False
    if plain:
        return plain, True
    return [found for found in amounts if found.role is not Role.ASIDE], True


def _tells_own(total: Amount, amounts: Sequence[Amount], line: str, known: Categories) -> bool:
    """True if a total ends the words of a thing of its own (包子俩一共6), behind a pause."""
    before = max((each.end for each in amounts if each.end <= total.start), default=0)
    start = max(line.rfind(mark, before, total.start) for mark in " ,，、;；")
    return start >= before and known.of(line[start + 1 : total.start]) != OTHER


def _told_beside(
    amounts: Sequence[Amount], chosen: Sequence[Amount], said: Sequence[Amount], line: str
) -> tuple[str, ...]:
    """Words of the sums that are no items: neither their total, nor a price that an item is a multiple of,
    nor what stands beside for its own sake (余额还有8600)."""
    sums = [abs(each.fen or 0) for each in chosen]
    accounted = {*sums, sum(sums)}
    left = [
        each
        for each in amounts
        if each not in chosen
        and (
            _is_compared(each, line)
            if each.role is Role.ASIDE and each in said  # 原价100打八折 is 80
            else (fen := abs(each.fen or 0)) not in accounted and not any(one % fen == 0 for one in sums)
        )
    ]
    return tuple(_with_its_words(each, line) for each in left)


def _is_compared(amount: Amount, line: str) -> bool:
    """True for the difference of a further thing, whose own sum is not told (回来比去贵十块); not of the
    thing before it (打车40，比平时贵10块)."""
    start = max(line.rfind(mark, 0, amount.start) for mark in " ,，、;；。") + 1
    than = line.find("比", start, amount.start)
    return (
        than > start
        and not any(each.isdigit() for each in line[start:than])
        and not _SAME_THING.match(line, start, than)
    )


_SAME_THING: Final = Pattern(
    "(?:这|这次|今天|今|也|就|都|还|竟然|居然|感觉|好像|大概|是|要|足足|价格|价钱|它|我)++$"
)


def _with_its_words(amount: Amount, line: str) -> str:
    """A sum with what stands right before it: 一人22, 豆浆3块5."""
    before = _WORDS_BEFORE.search(line, max(0, amount.start - 8), amount.start)
    return line[before.start() if before is not None else amount.start : amount.end].strip()


_WORDS_BEFORE: Final = Pattern("[^0-9 ,，、.。;；:：…~!?]{0,6}+$")


def _is_of_one(
    total: Amount, plain: Sequence[Amount], line: str, shared: Sequence[tuple[int, int]], known: Categories
) -> bool:
    """True if a total is of one thing, followed by another (烤鱼一共312我付的 停车26): payer or sharers
    between the two, or different categories."""
    if any(found.start < total.start for found in plain):
        return False
    of_it = known.of(line[: total.start])
    if any(total.end <= start and end <= plain[0].start for start, end in shared):
        return of_it != OTHER
    return OTHER != of_it != known.of(line[total.end : plain[0].start]) != OTHER


def _entry(line: str, piece: AmountPiece, named: Named, known: Categories) -> Entry:
    amount = piece.amount
    words = named.of(piece)
    without_amount = line[piece.start : amount.start] + "0" + line[amount.end : piece.end]
    about = words if len(words) > 1 and known.of(words) != OTHER else named.around(piece)  # 油 of 加了200的油
    kind = type_of(without_amount, known.of(about) if about else OTHER)
    category = category_of(about, without_amount, kind, known)
    return Entry(abs(amount.fen or 0), kind, category, words)


def _alike(entry: Entry, before: Entry | None, line: str) -> Entry:
    """An item that only says by what money moved: as the one before it, or as the line says (营业额
    微信520)."""
    if before is not None:
        return replace(entry, type=before.type, category=before.category)
    return replace(entry, type="INCOME") if spans_of(line, "earned") else entry


def _for_another(entry: Entry, before: Entry, named: Named, piece: AmountPiece) -> tuple[Entry, Entry]:
    """The same for somebody else as for whom the piece before names: 工资发了小李4200 阿芳3900."""
    told = next((named.line[a:b] for a, b in named.people if piece.start <= a and b <= piece.end), "")
    if not told or before.type == "TRANSFER":
        return before, entry
    words = before.description if told in before.description else f"{before.description} {told}"
    other = words.replace(told, entry.description)
    return (
        replace(before, description=words),
        replace(entry, type=before.type, category=before.category, description=other),
    )


def _day_within(
    named: Named, piece: AmountPiece, times: Sequence[TimeExpression], today: date
) -> date | None:
    """The day said in an amount's stretch, or right before it; the last one."""
    times = [found for found in times if names_day(found.text)]
    inside = [
        found
        for found in times
        if piece.start <= found.span[0] < piece.end and not _of_next(named.line, piece, found.span)
    ]
    days = [day for found in inside if (day := past(found, today)) is not None]
    if days:
        return days[-1]
    before = [found for found in times if found.span[1] <= piece.start]
    if before and not named.tells(before[-1].span[1], piece.start):
        return past(before[-1], today)
    return None


def _of_next(line: str, piece: AmountPiece, span: tuple[int, int]) -> bool:
    """午饭32 昨天还有打车45: a day behind the amount, right before one more thing, is that one's."""
    if span[0] < piece.amount.end or line[span[1] : piece.end].strip():
        return False
    return line[piece.end :].lstrip(" ,").startswith(_FURTHER)


def said_days(line: str, amounts: Sequence[Amount], now: datetime, zone: ZoneInfo) -> list[TimeExpression]:
    """The times in a normalised line, those that cannot be left out, feasts as the last one that was."""
    today = now.astimezone(zone).date()
    said = parse(_readable(line, amounts), now, zone)
    last = [_last_feast(each, today, now, zone) for each in said if each.invalid is None]
    found = [_when_settled(each, line, today) for each in last]
    for dotted in _DOTTED.finditer(line):
        taken = [(each.start, each.end) for each in amounts] + [span for each in found for span in each.spans]
        if any(start < dotted.end() and dotted.start() < end for start, end in taken):
            continue
        for each in parse(f"{int(dotted['month'])}月{int(dotted['day'])}号", now, zone):
            if each.invalid is None and each.date is not None:
                found.append(replace(each, spans=(dotted.span(),)))
    for before in _TWO_DAYS_AGO.finditer(line):
        start, end = before.span()
        found = [each for each in found if all(end <= first or last <= start for first, last in each.spans)]
        found.append(TimeExpression("前天", "day", ((start, end),), today - timedelta(days=2)))
    return sorted(found, key=lambda each: each.span)


def _readable(line: str, amounts: Sequence[Amount]) -> str:
    """The line without the names that hold a day, blank where an amount touches a day (午饭22周四早饭5)."""
    line = _NO_DAY.sub(lambda name: "~" * len(name[0]), line)
    for found in amounts:
        if _TOUCHED.match(line, found.end):
            line = f"{line[: found.start]}{' ' * (found.end - found.start)}{line[found.end :]}"
    return line


def _when_settled(found: TimeExpression, line: str, today: date) -> TimeExpression:
    """上个月奖金终于发了, 下季度房租: the span says what for, and today is when it was settled."""
    if found.date is None or found.end_date is None or found.date <= today <= found.end_date:
        return found
    for_it = (_SETTLED if found.end_date < today else _DUE).match(line, found.span[1])
    return found if for_it is None else replace(found, date=today, end_date=None)


def _last_feast(found: TimeExpression, today: date, now: datetime, zone: ZoneInfo) -> TimeExpression:
    day = found.date
    if day is None or found.kind != "day" or day <= today + _FAR or _says(found.text, _DATES):
        return found if found.text not in _NUMBERED else _before(found, today, now, zone)
    return found if _says(found.text, _COMING) else _before(found, today, now, zone)


def _before(found: TimeExpression, today: date, now: datetime, zone: ZoneInfo) -> TimeExpression:
    """The same feast as it was said a year ago; as it is where that lies not behind us."""
    last = [each for each in parse(found.text, now - _YEAR_LONG, zone) if each.date is not None]
    fits = len(last) == 1 and last[0].date is not None and last[0].date <= today
    return replace(found, date=last[0].date) if fits else found


def _says(text: str, words: Sequence[str]) -> bool:
    """True if a text has one of these words."""
    return any(word in text for word in words)


def past(found: TimeExpression, today: date) -> date | None:
    """The day of an expense (see above); None where the expression names no day that can be taken."""
    if found.date is None or found.kind == "recurring":
        return None
    day = found.date
    if found.end_date is not None and day <= today <= found.end_date:
        return today  # 这个月, 本周
    if day <= today or _says(found.text, _COMING):
        return day
    if _says(found.text, _WEEKS):
        return day - timedelta(days=7)
    if "月" in found.text and found.kind == "date_range":
        return today  # 12月房租
    if "月" in found.text:
        return day if "年" in found.text else _nearest(day, today)
    if _says(found.text, ("号", "日")):
        return _month_before(day)
    return today  # a clock or a segment that comes again tomorrow


def _nearest(day: date, today: date) -> date:
    """The same date of this year or the last one that lies behind us; today, where the one to come is nearer
    than one of another year: it is what the money is for (买火车票12月24日花了260, in November)."""
    last = _year_before(day)
    if last.year == today.year or today - last < day - today:
        return last
    return today


def _year_before(day: date) -> date:
    try:
        return day.replace(year=day.year - 1)
    except ValueError:
        return day.replace(year=day.year - 1, day=28)


def _month_before(day: date) -> date:
    last = day.replace(day=1) - timedelta(days=1)
    return last.replace(day=min(day.day, last.day))


def _with_afterthought(
    line: str,
    pieces: Sequence[AmountPiece],
    times: Sequence[TimeExpression],
    days: list[date | None],
    today: date,
) -> list[date | None]:
    """Days said behind the last amount: 打车20，昨天; 午饭35，打车20，都是昨天的."""
    tail_from = max(piece.end for piece in pieces)
    behind = [found for found in times if found.span[0] >= tail_from]
    day = past(behind[0], today) if behind else None
    if day is None:
        return days
    if _says(line[tail_from:], ("都", "全")):
        return [each or day for each in days]
    return [*days[:-1], days[-1] or day]


def _left_over(
    line: str, pieces: Sequence[AmountPiece], amounts: Sequence[Amount], known: Categories
) -> bool:
    """A clause without an amount speaks of something else that was bought (午饭35，打车，奶茶15)."""
    taken = [(piece.start, piece.end) for piece in pieces]
    for start, end in clauses(line, amounts):
        if any(first < end and start < last for first, last in taken):
            continue
        text = line[start:end]
        if known.of(text) != OTHER or asks(text):
            return True
    return False
