"""Reads texts that were made to be slow with everything that reads what members say.

Run in a process of its own by `test_books_hostile.py`, since a pattern that backtracks cannot be interrupted.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from nonebot_plugin_mishu.agents.bookkeeping.cards import correcting
from nonebot_plugin_mishu.agents.bookkeeping.rules import rules, told
from nonebot_plugin_mishu.language.books import budgets, orders, questions
from nonebot_plugin_mishu.language.cards.triage import triage
from nonebot_plugin_mishu.language.clause import Clause, Situation
from nonebot_plugin_mishu.language.entries import descriptions, reading
from nonebot_plugin_mishu.language.entries.categories import Categories
from nonebot_plugin_mishu.language.entries.entry import Entry
from nonebot_plugin_mishu.language.ledger.repayments import repaying
from nonebot_plugin_mishu.language.ledger.shares.participants import is_shared, people_in
from nonebot_plugin_mishu.language.recognise.money import find_amounts
from nonebot_plugin_mishu.language.text.fold import normalise

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 21, 9, tzinfo=ZONE)
KNOWN = Categories()
CARD = [
    (0, Entry(3500, "EXPENSE", "餐饮", "午饭", NOW.date())),
    (1, Entry(2000, "EXPENSE", "交通", "打车", NOW.date())),
]
LENGTHS = (12, 60, 400, 20_000)
REPEATED = (
    "1|1.|12,|1 |一|十|百|a|a1|aa|AA|@a | |,|，|。|.|-|+|~|①|\n|\x00|的|了|吧|啊|的了吧啊"
    "|午饭35 |午饭35，|我的|我们|最后|下来|就才都|看看|看"
    "|买了个|个"
    "|记一笔|记群账|到账了|块钱|改成|改成1|这个月|群里|本月|账|账单|图|画成图|红包|每人|一个|上一个的|上一步|刚才的|刚刚|刚刚的|那笔|第一笔"
    "|撤销|预算|预算1|算"
    "|以后奶茶算|还我|我还|的钱|今天|花了|昨天|还有|一共|总共这个月|钱了"
    "|号码号|第1、|确认|都确认|不要|好|嗯，"
)
ENDS = ("", "\x01", "1", "图", "撤", "多少")


def texts() -> Iterator[str]:
    chosen = random.Random(7)
    units = [unit for unit in REPEATED.split("|") if unit]
    for at, unit in enumerate(units):
        for length in LENGTHS if at % 4 == 0 else LENGTHS[:-1]:
            body = (unit * length)[:length]
            yield from (body + end for end in (ENDS if length <= 60 else ENDS[1:2]))
    for _ in range(200):
        some = chosen.sample(units, 4)
        length = chosen.choice(LENGTHS[:3])
        yield "".join(chosen.choice(some) for _ in range(length))[:length] + chosen.choice(ENDS)


def frame(text: str) -> None:
    line = normalise(text)
    for addressed in (True, False):
        rules(Clause(line, Situation(NOW, addressed=addressed), amounts=tuple(find_amounts(line))))


def corrected(text: str) -> None:
    correcting.correct_locally(text, CARD, KNOWN, NOW, ZONE)
    correcting.numbered(text, CARD)


def asked(text: str) -> None:
    orders.asked_of_books(text)
    questions.query(text[:2000], NOW.date(), (), KNOWN, private=False)
    budgets.budget_order(text[:2000], NOW.date(), KNOWN)


def said(text: str) -> None:
    descriptions.asks(text[:2000])
    is_shared(text)
    people_in(text)
    repaying.said_to_be_repaid(text)


READERS: tuple[Callable[[str], object], ...] = (
    lambda text: reading.transactions(text, NOW, ZONE),
    lambda text: told(text, Situation(NOW)),
    lambda text: triage(text, 10, KNOWN.names),
    find_amounts,
    frame,
    corrected,
    asked,
    said,
)

if __name__ == "__main__":
    count = 0
    for text in texts():
        for read in READERS:
            sys.stdout.write(f"{text[:40]!r} {len(text)} {READERS.index(read)}\n")
            sys.stdout.flush()  # the last one is the slow one
            read(text)
            count += 1
    sys.stdout.write(f"read {count}\n")
