"""Bills in the shapes in which WeChat and Alipay send them, made here."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import openpyxl

WECHAT = [
    "交易时间",
    "交易类型",
    "交易对方",
    "商品",
    "收/支",
    "金额(元)",
    "支付方式",
    "当前状态",
    "交易单号",
    "商户单号",
    "备注",
]
ALIPAY = [
    *("交易时间", "交易分类", "交易对方", "对方账号", "商品说明", "收/支", "金额", "收/付款方式", "交易状态"),
    *("交易订单号", "商家订单号", "备注", ""),
]

W_OCTOBER: list[list[str]] = [
    [
        "2026-10-31 18:20:03",
        "商户消费",
        "美团外卖",
        '黄焖鸡, "大份"',
        "支出",
        "¥26.50",
        "零钱",
        "支付成功",
        "4200001\t",
        "M1\t",
        "/",
    ],
    [
        "2026-10-30 08:11:00",
        "商户消费",
        "滴滴出行",
        "快车",
        "支出",
        "¥1,018.00",
        "招商银行",
        "已全额退款",
        "4200002\t",
        "M2\t",
        "/",
    ],
    [
        "2026-10-30 09:00:00",
        "滴滴出行-退款",
        "滴滴出行",
        "/",
        "收入",
        "¥1,018.00",
        "/",
        "已全额退款",
        "5030001\t",
        "M2\t",
        "/",
    ],
    [
        "2026-10-29 12:00:00",
        "微信红包",
        "小雅",
        "/",
        "收入",
        "¥88.88",
        "/",
        "已存入零钱",
        "1000039\t",
        "/",
        "/",
    ],
    [
        "2026-10-28 12:00:00",
        "零钱提现",
        "招商银行",
        "/",
        "/",
        "¥500.00",
        "招商银行",
        "提现已到账",
        "1000040\t",
        "/",
        "服务费¥0.50",
    ],
    [
        "2026-10-27 12:00:00",
        "转账",
        "房东",
        "转账备注:10月房租",
        "支出",
        "¥2800.00",
        "零钱",
        "对方已收钱",
        "1000041\t",
        "/",
        "/",
    ],
]
W_NOVEMBER: list[list[str]] = [
    [
        "2026-11-02 07:50:00",
        "扫二维码付款",
        "老王包子铺",
        "收款方备注:二维码收款",
        "支出",
        "¥6.00",
        "零钱",
        "支付成功",
        "1000042\t",
        "/",
        "/",
    ],
    *W_OCTOBER[:1],
]
A_OCTOBER: list[list[str]] = [
    [
        "2026-10-20 19:00:00",
        "餐饮美食",
        "饿了么",
        "/",
        "外卖订单",
        "支出",
        "35.00",
        "花呗",
        "交易成功",
        "2026102022001\t",
        "T1\t",
        "",
        "",
    ],
    [
        "2026-10-21 19:00:00",
        "日用百货",
        "某某旗舰店",
        "a**@b.com",
        "牙刷两支装",
        "支出",
        "59.90",
        "余额",
        "交易成功",
        "2026102122002\t",
        "T2\t",
        "",
        "",
    ],
    [
        "2026-10-25 10:00:00",
        "退款",
        "某某旗舰店",
        "a**@b.com",
        "退款-牙刷两支装",
        "不计收支",
        "20.00",
        "余额",
        "退款成功",
        "2026102122002_r1\t",
        "T2\t",
        "",
        "",
    ],
    [
        "2026-10-22 19:00:00",
        "服饰装扮",
        "鞋店",
        "/",
        "跑鞋",
        "不计收支",
        "399.00",
        "余额",
        "交易关闭",
        "2026102222003\t",
        "T3\t",
        "",
        "",
    ],
    [
        "2026-10-23 19:00:00",
        "退款",
        "鞋店",
        "/",
        "退款-跑鞋",
        "不计收支",
        "399.00",
        "余额",
        "退款成功",
        "2026102222003_r1\t",
        "T3\t",
        "",
        "",
    ],
    [
        "2026-10-24 19:00:00",
        "投资理财",
        "余额宝",
        "/",
        "收益发放",
        "不计收支",
        "0.31",
        "余额宝",
        "交易成功",
        "2026102432004\t",
        "",
        "",
        "",
    ],
    [
        "2026-10-26 09:00:00",
        "转账红包",
        "阿凯",
        "138****0000",
        "转账",
        "收入",
        "120.00",
        "余额",
        "交易成功",
        "2026102642005\t",
        "",
        "",
        "",
    ],
]
A_NOVEMBER: list[list[str]] = [
    [
        "2026-11-03 10:00:00",
        "退款",
        "饿了么",
        "/",
        "退款-外卖订单",
        "不计收支",
        "5.00",
        "花呗",
        "退款成功",
        "2026102022001_r9\t",
        "T1\t",
        "",
        "",
    ],
    [
        "2026-11-03 11:00:00",
        "退款",
        "从没见过",
        "/",
        "退款-别的",
        "不计收支",
        "7.00",
        "花呗",
        "退款成功",
        "2025010122001_r9\t",
        "T9\t",
        "",
        "",
    ],
    [
        "2026-11-04 10:00:00",
        "交通出行",
        "铁路12306",
        "/",
        "火车票",
        "支出",
        "553.50",
        "余额",
        "支付成功",
        "2026110422006\t",
        "T6\t",
        "",
        "",
    ],
    *A_OCTOBER[:2],
]


def _csv(rows: Sequence[Sequence[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    return text.getvalue()


def wechat_rows(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """A whole bill of WeChat."""
    head = [
        ["微信支付账单明细", *[""] * 8],
        ["微信昵称：[阿一]", *[""] * 8],
        ["起始时间：[2026-10-01 00:00:00] 终止时间：[2026-10-31 23:59:59]", *[""] * 8],
        [f"共{len(rows)}笔记录", *[""] * 8],
        ["", *[""] * 8],
        ["----------------------微信支付账单明细列表--------------------", *[""] * 8],
    ]
    return [*head, WECHAT, *map(list, rows)]


def wechat_csv(rows: Sequence[Sequence[str]]) -> bytes:
    """As WeChat's CSV: UTF-8 with its mark."""
    return b"\xef\xbb\xbf" + _csv(wechat_rows(rows)).encode()


def wechat_xlsx(rows: Sequence[Sequence[str]]) -> bytes:
    """As WeChat's XLSX: times and sums are values."""
    book = openpyxl.Workbook()
    sheet: Any = book.active
    for row in wechat_rows(rows):
        cells: list[Any] = list(row)
        if len(row) == len(WECHAT) and row[0][:2] == "20":
            cells[0] = datetime.strptime(row[0], "%Y-%m-%d %H:%M:%S")
            cells[5] = float(row[5].strip("¥").replace(",", ""))
        sheet.append(cells)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def alipay_csv(rows: Sequence[Sequence[str]]) -> bytes:
    """As Alipay's CSV: GB18030."""
    head = [
        ["-" * 60],
        ["导出信息："],
        ["姓名：阿一"],
        ["支付宝账户：a@b.com"],
        ["起始时间：[2026-10-01 00:00:00]    终止时间：[2026-10-31 23:59:59]"],
        ["特别提示："],
        ["-" * 20 + "支付宝（中国）网络技术有限公司  电子客户回单" + "-" * 20],
    ]
    return _csv([*head, ALIPAY, *map(list, rows)]).encode("gb18030")


def zipped(name: str, content: bytes) -> bytes:
    """A ZIP without a password."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return out.getvalue()


def locked(name: str, content: bytes) -> bytes:
    """A ZIP whose file is marked as encrypted."""
    plain = bytearray(zipped(name, content))
    plain[6] |= 1
    plain[plain.rindex(b"PK\x01\x02") + 8] |= 1
    return bytes(plain)
