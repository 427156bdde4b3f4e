"""Answers of the books: sums by type, lists, debts, CSV (product section 6). Pure."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final, cast

from ...language.books.questions import LedgerQuery
from ...language.entries.entry import TYPES, Entry, Person, Share, Type, foreign_of, shown, spoken, yuan
from ...language.ledger.repayments.repaying import Debts, is_repayment, owed_by
from ...storage.transactions.budgets import BudgetRecord
from ...storage.transactions.queries import CategorySum, TransactionRecord
from .shares.sharing import Transfer
from .wording import row

SET_OFF: Final = "上面是互相抵过的，按每笔账本来是："
MOST_NAMED: Final = 3
"""Most things named in a debt"""
MOST_LINES: Final = 30
"""Most records in one answer"""

_ORDER: Final = cast("tuple[Type, ...]", ("EXPENSE", "INCOME", "TRANSFER"))
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def entry_of(record: TransactionRecord) -> Entry:
    """Saved record as an entry."""
    fields = record.fields
    kind: Type = "EXPENSE"
    for each in _ORDER:
        kind = each if each == fields.type else kind
    shares = tuple(Share(str(user), str(name), int(fen)) for user, name, fen in fields.shares)
    day = date.fromisoformat(fields.day)
    return Entry(
        fields.fen,
        kind,
        fields.category,
        fields.description,
        day,
        fields.shared,
        shares,
        foreign_of(fields.foreign),
    )


def whose(asked: LedgerQuery) -> str:
    """Ledger in words: 你的, or 群里的公共."""
    return "群里的公共账（AA 和群账）" if asked.group else "你的账"


def _subject(asked: LedgerQuery) -> str:
    narrowed = asked.word or asked.category or ""
    return f"{asked.title}{whose(asked)}" + (f"里{narrowed}" if narrowed else "")


def sums_answer(asked: LedgerQuery, sums: Sequence[CategorySum]) -> str:
    """Totals by type, then the categories of each."""
    narrowed = asked.word or asked.category or ""
    subject = _subject(asked)
    wanted = [each for each in sums if asked.type is None or each.type == asked.type]
    if not wanted:
        what = TYPES[asked.type] if asked.type is not None else "记录"
        return f"{subject}没有{what}。"
    by_type: dict[Type, list[CategorySum]] = {
        kind: [each for each in wanted if each.type == kind] for kind in _ORDER
    }
    head = "，".join(
        f"{TYPES[kind]}{spoken(sum(each.fen for each in found))}" for kind, found in by_type.items() if found
    )
    lines = [f"{subject}：{head}"]
    for kind, found in by_type.items():
        total = sum(each.fen for each in found)
        if len(found) > 1 or (found and not narrowed and kind == "EXPENSE"):
            for each in found:
                part = f"{_percent(each.fen, total)}，{each.count}笔"
                lines.append(f"{TYPES[kind]}·{each.category} {spoken(each.fen)}（{part}）")
    return "\n".join(lines)


def comparison(
    asked: LedgerQuery, sums: Sequence[CategorySum], other: LedgerQuery, others: Sequence[CategorySum]
) -> str:
    """Two spans compared by type, with differences."""
    kinds: Sequence[Type] = _ORDER if asked.type is None else (asked.type,)
    lines: list[str] = []
    for kind in kinds:
        mine, theirs = (sum(each.fen for each in found if each.type == kind) for found in (sums, others))
        if mine or theirs:
            more = "多" if mine > theirs else "少"
            apart = f"{more}{spoken(abs(mine - theirs))}" if mine != theirs else "一样多"
            both = f"{asked.title}{spoken(mine)}，{other.title}{spoken(theirs)}"
            lines.append(f"{TYPES[kind]}：{both}，{asked.title}{apart}")
    head = f"{_subject(asked)}，和{other.title}比"
    return f"{head}：\n" + "\n".join(lines) if lines else f"{head}，都没有记录。"


def list_answer(asked: LedgerQuery, records: Sequence[TransactionRecord], *, names: bool) -> str:
    """Records of a span by day, at most the last `MOST_LINES`."""
    which = f"超过{spoken(asked.above)}的" if asked.above is not None else ""
    which = "最小的" if asked.smallest else which
    which = "最近的" if asked.newest is not None else "最大的" if asked.largest is not None else which
    subject = _subject(asked) + which
    if not records:
        return f"{subject}没有记录。"
    lines = [f"{subject}，共{len(records)}笔："]
    if len(records) > MOST_LINES:
        lines.append(f"（只列最近{MOST_LINES}笔，说「导出」可以拿到全部）")
    latest = entry_of(records[-1]).day
    for record in records[-MOST_LINES:]:
        entry = entry_of(record)
        who = f"{record.user_name}：" if names else ""
        lines.append(f"{shown(entry.day, latest)} {who}{row(entry, entry.day, record.user_id)}")
    return "\n".join(lines)


def owes_answer(
    transfers: Sequence[Transfer],
    names: Mapping[str, str],
    unnamed: Mapping[str, Sequence[Share]] | None = None,
    asker: str | None = None,
) -> str:
    """Transfers that settle all debts, and shares without a name. With an `asker`: only theirs."""
    told = [each for each in transfers if asker is None or asker in (each.debtor, each.creditor)]
    lines: list[str] = []
    if told:
        lines.append("账这样结最省事：" if asker is None else "你这边这样结：")
    lines.extend(
        f"{names.get(each.debtor, '某人')} 给 {names.get(each.creditor, '某人')} {spoken(each.fen)}"
        for each in told
    )
    if unnamed:
        lines.append("另外有没记名的，算不到人头上：" if lines else "AA 的账里有没记名的，说不准谁欠谁：")
        lines.extend(_unknown(names.get(payer, "某人"), shares) for payer, shares in unnamed.items())
    if lines:
        return "\n".join(lines)
    return "账都平了，谁也不欠谁。" if not transfers else "你不欠谁，也没有人欠你。"


def directly(entries: Sequence[Entry], debts: Debts, asker: str | None, shown_as: Sequence[Transfer]) -> str:
    """Direct debts with their things, before netting over third persons; empty if nothing is netted. With an
    `asker`: only theirs."""
    what: dict[tuple[str, str], list[str]] = {}
    for entry in entries:
        for share in entry.shares[1:]:
            if share.user_id and share.fen and entry.description and not _gives_back(entry):
                named = what.setdefault((share.user_id, entry.shares[0].user_id), [])
                if entry.description not in named:
                    named.append(entry.description)
    plain = {(user, other): fen for user in debts.names for other, fen in owed_by(debts, user).items()}
    told = [each for each in shown_as if asker is None or asker in (each.debtor, each.creditor)]
    near = {
        (user, other): fen for (user, other), fen in plain.items() if asker is None or asker in (user, other)
    }
    if not plain or {(each.debtor, each.creditor): each.fen for each in told} == near:
        return ""
    lines = [
        f"{debts.names.get(user, '某人')} 欠 {debts.names.get(other, '某人')} {spoken(fen)}"
        + (f"（{'、'.join(what[user, other][:MOST_NAMED])}）" if (user, other) in what else "")
        for (user, other), fen in near.items()
    ]
    if len(lines) > MOST_LINES:
        return ""
    return "\n".join([SET_OFF, *lines])


def _gives_back(entry: Entry) -> bool:
    return entry.type == "TRANSFER" and is_repayment(entry.shares)


def owed_between(debts: Debts, asker: str, other: Person) -> str:
    """Net debt between a member and the asker."""
    user, name = other
    theirs = debts.between.get((user, asker), 0)
    mine = debts.between.get((asker, user), 0)
    left = theirs - mine
    if left > 0:
        return f"{name} 该给你 {spoken(left)}。"
    if left < 0:
        return f"你该给 {name} {spoken(-left)}。"
    known = debts.know(asker, user)
    return f"你和{name}之间是平的，谁也不欠谁。" if known else f"账上没有你和{name}之间的账。"


def each_bears(asked: LedgerQuery, records: Sequence[TransactionRecord]) -> str:
    """Shares of each member in the expenses of a span."""
    borne: dict[str, int] = {}
    unnamed = whole = 0
    for record in records:
        entry = entry_of(record)
        if entry.type != "EXPENSE" or not asked.first <= entry.day <= asked.last or len(entry.shares) < 2:
            continue
        whole += entry.fen
        for share in entry.shares:
            if share.name:
                borne[share.name] = borne.get(share.name, 0) + share.fen
            else:
                unnamed += share.fen
    if not whole:
        return f"{asked.title}没有说了和谁分的账。"
    lines = [f"{asked.title}要分的账一共{spoken(whole)}，每人摊到："]
    lines.extend(f"{name} {spoken(fen)}" for name, fen in borne.items() if fen)
    return "\n".join([*lines, *([f"没记名的 {spoken(unnamed)}"] if unnamed else [])])


def _unknown(payer: str, shares: Sequence[Share]) -> str:
    """Open shares of a payer without a member, by name if given."""
    said = f"{payer} 还有 {len(shares)} 份共{spoken(sum(share.fen for share in shares))}没收，不知道是谁的"
    sums: dict[str, int] = {}
    for share in shares:
        if share.name:
            sums[share.name] = sums.get(share.name, 0) + share.fen
    named = "、".join(f"{name}{spoken(fen)}" for name, fen in sums.items())
    return f"{said}（{named}，对不上群里哪位）" if named else said


def owed_for(thing: str, entries: Sequence[Entry], debts: Debts, asker: str | None = None) -> str:
    """Open debts for one thing: the share, at most the remaining debt."""
    lines: list[str] = []
    for entry in entries:
        if entry.type != "EXPENSE" or not entry.shares:
            continue
        payer, *others = entry.shares
        for share in others:
            left = share.fen
            if share.user_id:
                left = min(left, max(0, debts.between.get((share.user_id, payer.user_id), 0)))
            if left and asker in (None, payer.user_id, share.user_id):
                lines.append(f"{share.name or '没记名的人'} 给 {payer.name} {spoken(left)}")
    if not lines:
        return f"「{thing}」没有谁还没给的。"
    return "\n".join([f"「{thing}」还没给的：", *lines])


def with_undivided(said: str, divided: int, undivided: int, *, even: bool) -> str:
    """Debts, with a note on `undivided` expenses without sharers."""
    if not undivided:
        return said
    if not even:
        return f"{said}\n还有{undivided}笔没说和谁分，没算在里面。"
    known = "说了要分的账都平了，谁也不欠谁。" if divided else "还没有记过要分的账，说不准谁欠谁。"
    return f"{known}有{undivided}笔支出没说和谁分，没算在里面；要分就说「刚才那笔我和谁AA」。"


def with_waiting(said: str, waiting: Sequence[str], *, even: bool) -> str:
    """Debts, with a note on unsaved ones, by their names."""
    if not waiting:
        return said
    more = "等" if len(waiting) > MOST_NAMED else ""
    named = f"{'、'.join(waiting[:MOST_NAMED])}{more}"
    left = f"还有{len(waiting)}笔等着确认或没说清和谁分，没算在里面：{named}。"
    return f"记下的账里谁也不欠谁，{left}" if even and "没说" not in said else f"{said}\n{left}"


def budget_answer(
    month: date, budgets: Sequence[BudgetRecord], spent: Mapping[str, int], what: str | None = None
) -> str:
    """Budgets of a month and their remainders. `spent` by category, "" for all; `what`: name in the
    question."""
    none = what and all(what not in each.category and each.category not in (what, "") for each in budgets)
    if not budgets:
        name = what or "餐饮"
        return f"还没设{what or ''}预算，可以说「这个月{name}预算1000」。"
    lines = [f"没有「{what}」的预算。"] if none else []
    lines.append(f"{month.month}月预算：")
    for each in budgets:
        used = spent.get(each.category, 0)
        left = each.fen - used
        rest = f"还剩{spoken(left)}" if left >= 0 else f"超出{spoken(-left)}"
        what = f"{each.category or '总'}预算{spoken(each.fen)}"
        lines.append(f"{what}，已用{spoken(used)}（{_percent(used, each.fen)}），{rest}")
    return "\n".join(lines)


FOREIGN_HEAD: Final = ("外币金额", "币种", "汇率")


def foreign_cells(record: TransactionRecord) -> tuple[str, ...]:
    """Cells of a table below `FOREIGN_HEAD`, empty for a sum in yuan."""
    said = entry_of(record).converted
    return ("", "", "") if said is None else (said.amount, said.code, said.rate)


def as_csv(records: Sequence[TransactionRecord]) -> bytes:
    """CSV that Excel opens directly (UTF-8 with BOM), protected against formulas."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\r\n")
    table.writerow(["日期", "类型", "金额", "分类", "说明", "记录人", "公共", *FOREIGN_HEAD])
    for record in records:
        fields = record.fields
        table.writerow(
            [
                fields.day,
                TYPES[entry_of(record).type],
                yuan(fields.fen),
                _harmless(fields.category),
                _harmless(fields.description),
                _harmless(record.user_name),
                "是" if fields.shared else "",
                *foreign_cells(record),
            ]
        )
    return b"\xef\xbb\xbf" + out.getvalue().encode("utf-8", "replace")


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def _percent(part: int, whole: int) -> str:
    return f"{(part * 200 + whole) // (2 * whole)}%" if whole > 0 else "0%"
