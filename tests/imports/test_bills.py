"""Bills of WeChat and Alipay read: what counts, what is left out, what is linked."""

from __future__ import annotations

import io

import openpyxl
import pytest
from bill_files import (
    A_NOVEMBER,
    A_OCTOBER,
    W_NOVEMBER,
    W_OCTOBER,
    alipay_csv,
    locked,
    wechat_csv,
    wechat_rows,
    wechat_xlsx,
    zipped,
)
from nonebot_plugin_mishu.imports.bills import sheets
from nonebot_plugin_mishu.imports.bills.reading import BillFile, read_bill
from nonebot_plugin_mishu.imports.bills.sheets import UnreadableBill
from nonebot_plugin_mishu.language.bringing.reading import bill_answer
from nonebot_plugin_mishu.language.entries.categories import BUILT_IN


def told(bill: BillFile) -> list[tuple[str, str, int, str, str, str | None]]:
    return [
        (each.order_no, each.type, each.fen, each.category, each.description, each.refund_of)
        for each in bill.records
    ]


WECHAT_OCTOBER = [
    ("4200001", "EXPENSE", 2650, "餐饮", '美团外卖 黄焖鸡, "大份"', None),
    ("4200002", "EXPENSE", 101800, "交通", "滴滴出行 快车", None),
    ("5030001", "INCOME", 101800, "退款", "退款：滴滴出行 快车", "4200002"),
    ("1000039", "INCOME", 8888, "其他", "小雅", None),
    ("1000041", "EXPENSE", 280000, "居住", "房东 转账备注:10月房租", None),
]


@pytest.mark.parametrize("shape", [wechat_csv, wechat_xlsx])
def test_wechat(shape: object) -> None:
    assert callable(shape)
    bill = read_bill(shape(W_OCTOBER))
    assert (bill.source, bill.total, dict(bill.skipped)) == ("wechat", 6, {"不计收支": 1})
    assert told(bill) == WECHAT_OCTOBER
    assert bill.records[0].day == "2026-10-31"
    second = read_bill(shape(W_NOVEMBER))
    assert [each.order_no for each in second.records] == ["1000042", "4200001"]


def test_alipay() -> None:
    bill = read_bill(alipay_csv(A_OCTOBER))
    assert (bill.source, bill.total) == ("alipay", 7)
    assert told(bill) == [
        ("2026102022001", "EXPENSE", 3500, "餐饮", "饿了么 外卖订单", None),
        ("2026102122002", "EXPENSE", 5990, "购物", "某某旗舰店 牙刷两支装", None),
        ("2026102122002_r1", "INCOME", 2000, "退款", "退款：某某旗舰店 牙刷两支装", "2026102122002"),
        ("2026102642005", "INCOME", 12000, "其他", "阿凯 转账", None),
    ]
    # What was closed and given back whole counts on neither side.
    assert dict(bill.skipped) == {"没付成": 1, "不计收支": 2}


def test_money_back_for_an_earlier_bill_waits_for_its_order() -> None:
    bill = read_bill(alipay_csv(A_NOVEMBER[:3]))
    assert [each.order_no for each in bill.records] == ["2026110422006"]
    assert [(each.order_no, each.refund_of) for each in bill.unlinked] == [
        ("2026102022001_r9", "2026102022001"),
        ("2025010122001_r9", "2025010122001"),
    ]
    linked = read_bill(alipay_csv(A_NOVEMBER)).records[0]
    assert (linked.order_no, linked.refund_of) == ("2026102022001_r9", "2026102022001")


def test_own_words_come_first() -> None:
    bill = read_bill(wechat_csv(W_OCTOBER), {"黄焖鸡": "加餐"})
    assert bill.records[0].category == "加餐"


def test_categories_are_known_ones() -> None:
    for bill in (read_bill(wechat_csv(W_OCTOBER)), read_bill(alipay_csv(A_OCTOBER))):
        assert {each.category for each in bill.records} <= set(BUILT_IN)


def test_counterparties_name_built_in_categories() -> None:
    from nonebot_plugin_mishu.imports.bills.reading import _counterparties, _tables

    assert {category for _, category in _counterparties()} <= set(BUILT_IN)
    assert set(_tables()["classes"]) <= set(BUILT_IN)


def test_a_zip_without_a_password_is_opened() -> None:
    assert told(read_bill(zipped("微信支付账单.csv", wechat_csv(W_OCTOBER)))) == WECHAT_OCTOBER
    assert told(read_bill(zipped("账单.xlsx", wechat_xlsx(W_OCTOBER)))) == WECHAT_OCTOBER


def _formula() -> bytes:
    book = openpyxl.Workbook()
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (locked("a.csv", wechat_csv(W_OCTOBER)), "有密码"),
        (zipped("a.txt", b"x"), "没有账单文件"),
        (b"PK\x03\x04 broken", "读不出来"),
        (b"\xd0\xcf\x11\xe0" + bytes(100), "加了密码或旧格式"),
        (b"", "没找到账单的表头"),
        (b"a,b,c\r\n1,2,3\r\n", "没找到账单的表头"),
        (_formula(), "没找到账单的表头"),
        (bytes([0xFF, 0xFE, 0x81]), "读不出来"),
        (b"a" * (sheets.MOST_BYTES + 1), "5 MB"),
        (b"a,b\r\n" * (sheets.MOST_ROWS + 1), "太长了"),
        (zipped("a.csv", b"a" * (sheets.MOST_BYTES + 1)), "5 MB"),
    ],
)
def test_what_is_no_bill(data: bytes, said: str) -> None:
    with pytest.raises(UnreadableBill, match=said):
        read_bill(data)


@pytest.mark.parametrize("amount", ["", "abc", "0", "¥0.001", "99999999999", "NaN", "Infinity"])
def test_broken_rows_are_counted(amount: str) -> None:
    row = ["2026-10-31 18:20:03", "商户消费", "店", "货", "支出", amount, "零钱", "支付成功", "1", "/", "/"]
    assert dict(read_bill(wechat_csv([row])).skipped) == {"读不懂": 1}


def test_the_header_row_is_found_by_its_names() -> None:
    rows = wechat_rows(W_OCTOBER)
    moved = [["x"], *rows[:6], ["备注", *rows[6][:10]], *([each[10], *each[:10]] for each in rows[7:])]
    text = "\r\n".join(",".join(f'"{cell.replace(chr(34), chr(34) * 2)}"' for cell in row) for row in moved)
    assert told(read_bill(text.encode())) == WECHAT_OCTOBER


def test_without_the_library_the_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "find_spec", lambda name: None)
    with pytest.raises(UnreadableBill, match=r"nonebot-plugin-mishu\[import\]"):
        read_bill(wechat_xlsx(W_OCTOBER))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("导入吧", "yes"),
        ("都导入", "yes"),
        ("不导了", "no"),
        ("先不导了。", "no"),
        ("怎么导入", None),
        ("确认", None),
    ],
)
def test_a_bills_card_is_answered_in_words_of_bringing_in(line: str, said: str | None) -> None:
    assert bill_answer(line) == said
