"""What the books say: cards, feedback lines (seed 4, 纠正应用与反馈), notices. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from ...drafts import Batch, Item, ItemState, Line, Say, speak
from ...storage.budgets import BudgetNotice
from .categories import Categories
from .entry import OTHER, TYPES, Entry, shown, spoken
from .repaying import is_repayment

GONE = "那张记账卡片已经失效了，请重新说一遍。"
_STATE = {ItemState.PENDING: "", ItemState.SAVED: "（已保存）", ItemState.CANCELLED: "（已取消）"}


def brief(entry: Entry) -> str:
    """收入60元，红包."""
    return f"{TYPES[entry.type]}{spoken(entry.fen)}，{entry.description or entry.category}"


def _changed(entry: Entry, today: date | None) -> str:
    """As `brief`, with the category where its words say another, with the day where it is not `today`."""
    said = brief(entry)
    if entry.description and Categories().of(entry.description) not in (entry.category, OTHER):
        said += f"（{entry.category}）"
    return said if today is None or entry.day == today else f"{said}，{shown(entry.day)}"


def row(entry: Entry, today: date | None = None) -> str:
    """支出35元 午饭（餐饮）11月21日 周六; the day is left out where it is `today`."""
    words = f"{entry.description}（{entry.category}）" if entry.description else entry.category
    line = f"{TYPES[entry.type]}{spoken(entry.fen)} {words}"
    if is_repayment(entry.shares):
        line += "，抵 AA 的账"
    elif entry.shares:
        people = len(entry.shares)
        line += f"，{people}人AA，每人{spoken(entry.shares[-1].fen)}"
        rest = entry.shares[0].fen
        if rest != entry.shares[-1].fen:
            line += f"（付款人{spoken(rest)}）"
    elif entry.shared:
        line += "，群账"
    if today is None or entry.day != today:
        line += f" {shown(entry.day)}"
    return line


def totals(entries: Iterable[Entry]) -> str:
    """支出55元，收入60元: each type by itself, never one total (pitfall 53)."""
    sums: dict[str, int] = {}
    for entry in entries:
        sums[entry.type] = sums.get(entry.type, 0) + entry.fen
    order = ("EXPENSE", "INCOME", "TRANSFER")
    return "，".join(f"{TYPES[kind]}{spoken(sums[kind])}" for kind in order if kind in sums)


def card(batch: Batch[Entry]) -> str:
    """The card: every item with its number, what they come to, and what can be said."""
    pending = [item.value for item in batch.pending]
    if len(batch.items) == 1:
        what = row(batch.items[0].value)
        return f"要记这笔吗？\n{what}\n回复「确认」保存，「取消」不记，也可以直接说要改什么。"
    lines = [f"要记这{len(pending)}笔吗？", *map(_numbered, batch.items), f"合计：{totals(pending)}"]
    lines.append("回复「确认」全部保存，「确认第1笔」「删掉第2笔」单独处理，也可以直接说要改什么。")
    return "\n".join(lines)


def changed_card(batch: Batch[Entry]) -> str | None:
    """What follows the lines of a turn that changed an open batch: the items, where there are several."""
    if len(batch.items) == 1:
        return None
    left = [item.value for item in batch.pending]
    return "\n".join([*map(_numbered, batch.items), f"待确认合计：{totals(left)}"])


def line(say: Say, batch: Batch[Entry], today: date | None = None) -> str | None:
    """The words for a line of the mechanism; changed and added items are said as they now are."""
    items = {item.number: item.value for item in batch.items}
    if say.line is Line.CHANGED:
        changes = "；".join(
            f"已将第{number + 1}笔修改为{_changed(items[number], today)}" for number in say.numbers
        )
        return f"{changes}。还需要修改吗？"
    if say.line is Line.ADDED:
        return "；".join(f"已添加第{number + 1}笔：{brief(items[number])}" for number in say.numbers) + "。"
    if say.line is Line.SAVED:
        saved = [items[number] for number in say.numbers]
        if len(saved) == 1:
            return (
                f"已保存第{say.numbers[0] + 1}笔：{row(saved[0])}。"
                if len(items) > 1
                else f"记好了：{row(saved[0])}。"
            )
        return f"{speak(say.line, say.numbers)}，{totals(saved)}。"
    return speak(say.line, say.numbers, say.count)


def summary(entries: Sequence[Entry]) -> str:
    """What 撤销 calls a commit: 记账 午饭35元、打车20元."""
    names = "、".join(f"{entry.description or entry.category}{spoken(entry.fen)}" for entry in entries[:3])
    return f"记账 {names}" + (f"等{len(entries)}笔" if len(entries) > 3 else "")


def notice(found: BudgetNotice) -> str:
    """A budget reached."""
    what = f"{int(found.month[5:])}月{found.category}预算{spoken(found.fen)}"
    if found.level >= 100:
        over = found.spent - found.fen
        return f"注意：{what}已经用完，" + (f"超出{spoken(over)}。" if over else "一分不剩。")
    left = spoken(found.fen - found.spent)
    return f"提醒：{what}已用{found.spent * 100 // found.fen}%（{spoken(found.spent)}），还剩{left}。"


def _numbered(item: Item[Entry]) -> str:
    return f"{item.number + 1}. {row(item.value)}{_STATE[item.state]}"
