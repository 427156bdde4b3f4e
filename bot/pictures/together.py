"""Pictures of what a group does together: conversations on the playground, a bill before it is written."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from .browser import shot, sized

GROUP: Final = "周末爬山群"
"""The playground's second group: the first one's talk is in a picture of its own."""
TALKS: Final[Mapping[str, Sequence[tuple[str, str]]]] = {
    "following": (
        ("阿凯", "秘书 我今天有什么安排"),
        ("小雅", "秘书 提醒阿凯周四下午三点交方案"),
        ("阿凯", "秘书 下雨的话提醒我带伞"),
        ("阿凯", "秘书 每半小时提醒我交表直到我做完"),
        ("小雅", "秘书 帮我催一下阿凯交方案"),
    ),
    "money": (("小雅", "秘书 火锅300 我和阿凯六四开"), ("小雅", "确认"), ("阿凯", "秘书 谁欠谁")),
    "free": (
        ("小雅", "秘书 周五下午两点到四点和客户开会"),
        ("阿凯", "秘书 提醒我周五晚上7点到9点打球"),
        ("小雅", "秘书 大家周五什么时候都有空"),
        ("小雅", "2"),
    ),
}
"""Picture, and who says what in it."""
SHOWN: Final = {"following": 3, "money": 3, "free": 2}
"""How many of the lines are in the picture, from the end."""
BILL: Final = (
    ("商户消费", "美团外卖", "黄焖鸡", "支出", "26.50"),
    ("商户消费", "滴滴出行", "快车", "支出", "18.00"),
    ("商户消费", "全家便利店", "早餐", "支出", "12.80"),
    ("微信红包", "阿凯", "/", "收入", "50.00"),
    ("零钱提现", "招商银行", "/", "/", "500.00"),
)
_HEAD: Final = "交易时间,交易类型,交易对方,商品,收/支,金额(元),支付方式,当前状态,交易单号,商户单号,备注"
_TALL: Final = 1400
_WAIT: Final = 20.0


def talk(driver: Any, name: str, file: Path) -> None:
    """Say the lines of a conversation one by one, and take a picture of it."""
    sized(driver, 390, _TALL)
    _press(driver, ".pg-group", GROUP)
    lines = TALKS[name]
    first = 0
    for number, (who, words) in enumerate(lines):
        _press(driver, ".pg-member", who)
        rows = _rows(driver)
        if number == len(lines) - SHOWN[name]:
            first = rows
        driver.execute_script(
            "const e = document.querySelector('[data-mark=input]');"
            "const field = e.matches('textarea, input') ? e : e.querySelector('textarea, input');"
            "field.focus(); field.select && field.select();"
        )
        driver.execute_cdp_cmd("Input.insertText", {"text": words})
        _press(driver, "[data-mark=send]", "")
        _until(lambda rows=rows: _rows(driver) >= rows + 2, f"not answered: {words}")
    driver.execute_script(
        "[...document.querySelectorAll('.pg-row')].forEach((e, n) => e.style.display = n < arguments[0]"
        " ? 'none' : '')",
        first,
    )
    time.sleep(0.6)  # the chat scrolls smoothly
    shot(driver, file, ".pg-row")


def show_polls(driver: Any, file: Path) -> None:
    """Take a picture of the open polls on the page 统计."""
    sized(driver, 390, _TALL)
    time.sleep(0.6)
    shot(driver, file, ".mi-panel:not(.mi-hidden) > .mi-card")


def preview_bill(driver: Any, folder: Path, file: Path) -> None:
    """Send a bill to the page 设置, take a picture of what it would write, and write nothing."""
    bill = folder / "微信支付账单.csv"
    days = [datetime.now() - timedelta(days=each + 1) for each in range(len(BILL))]
    rows = [
        f"{at:%Y-%m-%d 12:30:00},{','.join(row[:4])},¥{row[4]},零钱,支付成功,42000{number}\t,M{number}\t,/"
        for number, (at, row) in enumerate(zip(days, BILL, strict=True))
    ]
    bill.write_text("\n".join(("微信支付账单明细", _HEAD, *rows)), "utf-8")
    [control] = driver.find_elements("css selector", "[data-mishu=bills-file]")
    control.send_keys(str(bill))
    _until(lambda: driver.execute_script("return !!document.querySelector('.mi-dialog')"), "no preview")
    time.sleep(0.6)  # it comes up slowly
    shot(driver, file, ".mi-dialog")


def _rows(driver: Any) -> int:
    return int(driver.execute_script("return document.querySelectorAll('.pg-row').length"))


def _press(driver: Any, selector: str, words: str) -> None:
    def pressed() -> bool:
        return bool(
            driver.execute_script(
                "const e = [...document.querySelectorAll(arguments[0])]"
                ".find(e => e.innerText.includes(arguments[1])); e && e.click(); return !!e;",
                selector,
                words,
            )
        )

    _until(pressed, f"not there: {selector} {words}")
    time.sleep(0.3)  # the page draws who speaks now


def _until(holds: Callable[[], Any], what: str) -> None:
    end = time.monotonic() + _WAIT
    while not holds():
        if time.monotonic() > end:
            raise SystemExit(what)
        time.sleep(0.05)
