"""Reply texts of the books: cards, feedback lines (seed 4, 纠正应用与反馈), notices. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Final

from ...drafts import Batch, Item, ItemState, OwnerNotice, Say, speak
from ...language.cards.asked import Asked
from ...language.entries.categories import Categories
from ...language.entries.entry import OTHER, TYPES, Entry, Share, shown, spoken
from ...language.ledger.repayments.repaying import is_repayment, pays_back
from ...language.recognise.money import currency_name
from ...storage.transactions.budgets import BudgetNotice

NOT_CLEAR: Final = "没听清要改什么，请再说一次\n没改，现在是：\n{rows}\n照这样记就回「确认」。"
NOT_HEARD: Final = "刚才那句没听懂，没改，现在是：\n{rows}\n照这样记就回「确认」，要改就再说一次。"
GONE = "那张账单过期了，再说一遍吧。"
_STATE = {ItemState.PENDING: "", ItemState.SAVED: "（记下了）", ItemState.CANCELLED: "（不记了）"}


def brief(entry: Entry) -> str:
    """Entry in words: 收入60元，红包; an expense without its type: 35元，午饭."""
    return f"{_type(entry)}{spoken(entry.fen)}，{entry.description or entry.category}"


def _type(entry: Entry) -> str:
    return "" if entry.type == "EXPENSE" else TYPES[entry.type]


def _said_abroad(entry: Entry) -> str:
    """Sum in the currency in which it was said, with its rate."""
    said = entry.converted
    return "" if said is None else f"（{said.amount}{currency_name(said.code)}，按{said.rate}折算）"


def abroad(amount: Decimal, code: str) -> str:
    """Sum as it is said in another currency: 3000日元."""
    return f"{amount.normalize():f}{currency_name(code)}"


def converted_note(count: int, fen: int) -> str:
    """Line below a total with records that were said in other currencies; empty without such."""
    return f"\n其中{count}笔是外币折算的，共{spoken(fen)}。" if count else ""


def _category(entry: Entry) -> str:
    """Category, if not implied by the description."""
    named = entry.category in (OTHER, TYPES["TRANSFER"], entry.description) or not entry.description
    return "" if named else f"（{entry.category}）"


def _changed(entry: Entry, today: date | None, speaker: str) -> str:
    """`brief` with the category if the description implies another, and the day if not `today`."""
    said = brief(entry)
    if entry.description and Categories().of(entry.description) not in (entry.category, OTHER):
        said += f"（{entry.category}）"
    if len(entry.shares) > 1 and not is_repayment(entry.shares):
        said += _shared(entry.shares) + _paid(entry.shares, speaker)
    elif is_repayment(entry.shares) and entry.type == "EXPENSE":
        said += _owes(entry.shares)
    return said if today is None or entry.day == today else f"{said}，{shown(entry.day, today)}"


def row(entry: Entry, today: date | None = None, speaker: str = "", *, now: date | None = None) -> str:
    """Row of an entry: 午饭 35元（餐饮）11月21日 周六; without the day if `today`. 红包 收入60元.

    A payer other than the `speaker` is named. `now`: its year is omitted, if not `today`'s.
    """
    sum_ = f"{_type(entry)}{spoken(entry.fen)}{_said_abroad(entry)}"
    line = f"{entry.description or entry.category} {sum_}{_category(entry)}"
    if is_repayment(entry.shares):
        line = _owing(entry, line)
    elif len(entry.shares) == 1:
        line += TREATS.format(payer=entry.shares[0].name)
    elif entry.shares:
        line += _shared(entry.shares) + _paid(entry.shares, speaker)
    elif entry.shared:
        line += "，群账"
    if today is None or entry.day != today:
        line += f" {shown(entry.day, today or now)}"
    return line


TREATS: Final = "，{payer}请客"
NOT_YET: Final = "还没记下，要记就回「确认」。"


def _paid(shares: Sequence[Share], speaker: str) -> str:
    """Payer: ，小雅付的. The speaker too if others are named, since each sharer reads the card."""
    named = sum(1 for share in shares if share.name) > 1
    return f"，{shares[0].name}付的" if shares[0].name and (named or shares[0].user_id != speaker) else ""


def _shared(shares: Sequence[Share]) -> str:
    """Sharing: ，3人AA，每人100元：小明、小雅、阿凯; unequal shares each by name. A payer without a share is
    not counted."""
    if len(shares) > 2 and not shares[0].fen:
        shares = shares[1:]
    people = len(shares)
    paid, others = shares[0].fen, {share.fen for share in shares[1:]}
    if len(others) == 1 and abs(paid - shares[-1].fen) < people:
        rest = f"（{shares[0].name or '付款人'}{spoken(paid)}）" if paid != shares[-1].fen else ""
        return f"，{people}人AA，每人{spoken(shares[-1].fen)}{rest}{_sharers(shares)}"
    named = [f"{share.name}{spoken(share.fen)}" for share in shares if share.name]
    unnamed = [share.fen for share in shares if not share.name]
    more = f"、另外{len(unnamed)}人共{spoken(sum(unnamed))}" if unnamed else ""
    return f"，{people}人分：{'、'.join(named)}{more}"


def _owing(entry: Entry, line: str) -> str:
    """Row of a debt: repaid, owed, lent or advanced."""
    giver, getter = entry.shares[0].name, entry.shares[1].name
    if pays_back(entry):
        return f"{line}，抵着欠的账"
    if entry.type == "TRANSFER":
        line = f"{entry.description} {spoken(entry.fen)}"
    return line if entry.description == f"{getter}欠{giver}" else f"{line}，记成{getter}欠{giver}"


def _owes(shares: Sequence[Share]) -> str:
    """Debt from an advance: ，记成小明欠小李."""
    return f"，记成{shares[1].name}欠{shares[0].name}"


def _sharers(shares: Sequence[Share]) -> str:
    """Names: ：小明、小雅和另外3人; empty if only the payer is known."""
    names = [share.name for share in shares if share.name]
    if len(names) < 2:
        return ""
    strangers = len(shares) - len(names)
    return f"：{'、'.join(names)}" + (f"和另外{strangers}人" if strangers else "")


def totals(entries: Iterable[Entry]) -> str:
    """Totals by type, never one sum (pitfall 53): 支出55元，收入60元."""
    sums: dict[str, int] = {}
    for entry in entries:
        sums[entry.type] = sums.get(entry.type, 0) + entry.fen
    order = ("EXPENSE", "INCOME", "TRANSFER")
    return "，".join(f"{TYPES[kind]}{spoken(sums[kind])}" for kind in order if kind in sums)


def card(batch: Batch[Entry], today: date | None = None) -> str:
    """Card: numbered items, totals and possible replies."""
    pending = [item.value for item in batch.pending]
    if len(batch.items) == 1:
        what = row(batch.items[0].value, today, batch.owner)
        return f"要记这笔吗？\n{what}\n回「确认」就记下，「取消」不记，哪里不对直接说。"
    lines = [f"要记这{len(pending)}笔吗？", *_rows(batch, today), f"合计：{totals(pending)}"]
    lines.append("回「确认」全部记下，也可以说「第2笔不要」「第1笔改成30」。")
    return "\n".join(lines)


def told_of(batch: Batch[Entry], asked: Asked) -> str:
    """Answer to a question about an open card."""
    pending = [item.value for item in batch.pending]
    shared = [entry for entry in pending if entry.shares and entry.type == "EXPENSE"]
    if asked == "each" and shared:
        rows = [f"{entry.description or entry.category}{_shared(entry.shares)}" for entry in shared]
        return f"{'；'.join(rows)}。{NOT_YET}"
    if asked == "payer":
        rows = [
            f"{entry.description or entry.category}是{entry.shares[0].name if entry.shares else '你'}付的"
            for entry in pending
        ]
        return f"{'；'.join(rows)}。{NOT_YET}"
    return f"一共{totals(pending)}。{NOT_YET}"


def changed_card(batch: Batch[Entry], today: date | None = None) -> str | None:
    """Items after a change of an open batch, if there are several."""
    if len(batch.items) == 1:
        return None
    left = [item.value for item in batch.pending]
    return "\n".join([*_rows(batch, today), f"还没记的合计：{totals(left)}"])


def _borne_anew(number: int, entry: Entry, before: Entry | None) -> str | None:
    """Change of payer or sharers only, without the sum as a new one."""
    if before is None or entry.type != "EXPENSE" or before == entry or is_repayment(entry.shares):
        return None
    if replace(before, shares=entry.shares, shared=entry.shared) != entry:
        return None
    what = f"第{number + 1}笔{entry.description or entry.category}{spoken(entry.fen)}"
    if len(entry.shares) < 2:
        return f"{what}不分了"
    return f"{what}改成{_shared(entry.shares).removeprefix('，')}{_paid(entry.shares, '')}"


NOTHING_BEFORE: Final[Mapping[int, Entry]] = {}


def line(
    say: Say,
    batch: Batch[Entry],
    today: date | None = None,
    before: Mapping[int, Entry] = NOTHING_BEFORE,
) -> str | None:
    """Text for a notice of drafts, with the new state of changed, added and dropped items.

    `before`: items of the card before the line, by number.
    """
    items = {item.number: item.value for item in batch.items}
    meant = [items[number] for number in say.numbers if number in items]
    if say.line is OwnerNotice.CHANGED:
        changes = "；".join(
            _borne_anew(number, items[number], before.get(number))
            or f"已将第{number + 1}笔修改为{_changed(items[number], today, batch.owner)}"
            for number in say.numbers
        )
        return f"{changes}。还需要修改吗？"
    if say.line in (OwnerNotice.UNHEARD, OwnerNotice.UNCLEAR) and meant:
        rows = [row(each, today, batch.owner) for each in meant]
        if len(items) > 1:
            rows = [f"{number + 1}. {each}" for number, each in zip(say.numbers, rows, strict=True)]
        told = NOT_HEARD if say.line is OwnerNotice.UNHEARD else NOT_CLEAR
        return told.format(rows="\n".join(rows))
    if say.line is OwnerNotice.SAME:
        same = "；".join(
            f"第{number + 1}笔本来就是{row(items[number], today, batch.owner)}" for number in say.numbers
        )
        return f"{same}。这样记下吗？"
    if say.line is OwnerNotice.ADDED:
        return (
            "；".join(f"第{number + 1}笔加上了：{row(items[number], today)}" for number in say.numbers) + "。"
        )
    if say.line is OwnerNotice.CANCELLED:
        if all(item.state is ItemState.CANCELLED for item in batch.items):
            return "好，不记了"
        what = "、".join(f"{entry.description or entry.category}{spoken(entry.fen)}" for entry in meant[:3])
        return f"好，{speak(say.line, say.numbers)}：{what}" + ("等" if len(meant) > 3 else "")
    if say.line is OwnerNotice.SAVED:
        if len(meant) == 1:
            number = say.numbers[0] + 1
            return (
                f"第{number}笔记下了：{row(meant[0], today, batch.owner)}。"
                if len(items) > 1
                else f"记下了：{row(meant[0], today, batch.owner)}。"
            )
        return f"{speak(say.line, say.numbers)}，{totals(meant)}。"
    return speak(say.line, say.numbers, say.count)


def summary(entries: Sequence[Entry]) -> str:
    """Title of a commit for 撤销: 记账 午饭35元、打车20元."""
    names = "、".join(f"{entry.description or entry.category}{spoken(entry.fen)}" for entry in entries[:3])
    return f"记账 {names}" + (f"等{len(entries)}笔" if len(entries) > 3 else "")


def claimed(entry: Entry, who: str, payer: str) -> str:
    """Another member's claim about the payer of a saved bill."""
    what = entry.description or entry.category
    return f"{who}说「{what}」是{payer}付的，对就说「{what}是{payer}付的」，我再改。"


def notice(found: BudgetNotice) -> str:
    """Notice of a reached budget."""
    what = f"{int(found.month[5:])}月{found.category}预算{spoken(found.fen)}"
    if found.level >= 100:
        over = found.spent - found.fen
        return f"注意：{what}用完了，" + (f"超出{spoken(over)}。" if over else "一分不剩。")
    left = spoken(found.fen - found.spent)
    return f"提醒：{what}用了{found.spent * 100 // found.fen}%（{spoken(found.spent)}），还剩{left}。"


def _rows(batch: Batch[Entry], today: date | None) -> list[str]:
    return [_numbered(item, today, batch.owner) for item in batch.items]


def _numbered(item: Item[Entry], today: date | None, owner: str) -> str:
    return f"{item.number + 1}. {row(item.value, today, owner)}{_STATE[item.state]}"
