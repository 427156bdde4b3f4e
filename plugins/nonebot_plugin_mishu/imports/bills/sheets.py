"""Bills as grids of text: CSV in UTF-8 or GB18030, XLSX, a ZIP with one of them. Pure but for the library."""

from __future__ import annotations

import csv
import io
import zipfile
from datetime import date, datetime
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

MOST_BYTES: Final = 5 * 2**20
MOST_ROWS: Final = 6000
_MOST_COLUMNS: Final = 40
_MOST_UNPACKED: Final = 60 * 2**20
_ENCRYPTED: Final = 0x1
_ZIP: Final = b"PK\x03\x04"
_OLE: Final = b"\xd0\xcf\x11\xe0"
TOO_LARGE: Final = "这个文件超过 5 MB，太大了，分几个月导出再发。"
LOCKED: Final = (
    "这个压缩包有密码，我打不开。先在手机或电脑上解压，密码在微信支付或支付宝发给你的消息里，"
    "再把里面的 .csv 或 .xlsx 文件发给我。"
)
NOTHING_INSIDE: Final = "这个压缩包里没有账单文件（.csv 或 .xlsx）。"
UNREADABLE: Final = "这个文件读不出来，发微信或支付宝导出的账单文件试试。"
MISSING: Final = (
    "读 .xlsx 要先装一个组件，请机器人的主人运行 pip install 'nonebot-plugin-mishu[import]'，再重启；"
    "发 .csv 的也行。"
)
TOO_MANY: Final = f"这个账单超过 {MOST_ROWS} 行，太长了，分几个月导出再发。"

Grid = list[list[str]]


class UnreadableBill(ValueError):
    """A bill cannot be read. The text is a Chinese sentence with the reason."""


def read_grid(data: bytes) -> Grid:
    """A file as rows of text. Raises `UnreadableBill`."""
    if len(data) > MOST_BYTES:
        raise UnreadableBill(TOO_LARGE)
    if data.startswith(_OLE):
        raise UnreadableBill("这是加了密码或旧格式的表格，打开后另存成 .xlsx 或 .csv 再发给我。")
    if data.startswith(_ZIP):
        return _unpacked(data)
    return _csv_grid(data)


def _unpacked(data: bytes) -> Grid:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            if any(each.flag_bits & _ENCRYPTED for each in members):
                raise UnreadableBill(LOCKED)
            if sum(each.file_size for each in members) > _MOST_UNPACKED or len(members) > 1000:
                raise UnreadableBill(TOO_LARGE)
            if any(each.filename == "[Content_Types].xml" for each in members):
                return _xlsx_grid(data)
            inside = [each for each in members if each.filename.lower().endswith((".csv", ".xlsx"))]
            if not inside:
                raise UnreadableBill(NOTHING_INSIDE)
            with archive.open(inside[0]) as file:
                content = file.read(MOST_BYTES + 1)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError):
        raise UnreadableBill(UNREADABLE) from None
    if len(content) > MOST_BYTES:
        raise UnreadableBill(TOO_LARGE)
    if content.startswith(_ZIP):
        return _xlsx_grid(content)
    return _csv_grid(content)


def _csv_grid(data: bytes) -> Grid:
    text = _decoded(data)
    rows: Grid = []
    try:
        for row in csv.reader(io.StringIO(text.replace("\x00", ""), newline="")):
            if len(rows) >= MOST_ROWS:
                raise UnreadableBill(TOO_MANY)
            rows.append([cell.strip() for cell in row[:_MOST_COLUMNS]])
    except csv.Error:
        raise UnreadableBill(UNREADABLE) from None
    return rows


def _decoded(data: bytes) -> str:
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise UnreadableBill(UNREADABLE)


def _xlsx_grid(data: bytes) -> Grid:
    if find_spec("openpyxl") is None:
        raise UnreadableBill(MISSING)
    openpyxl: Any = import_module("openpyxl")
    rows: Grid = []
    try:
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        for row in book.worksheets[0].iter_rows(values_only=True, max_col=_MOST_COLUMNS):
            if len(rows) >= MOST_ROWS:
                raise UnreadableBill(TOO_MANY)
            rows.append([_cell(each) for each in row])
        book.close()
    except UnreadableBill:
        raise
    except Exception:  # noqa: BLE001 - a file of anybody's, in a library that raises what it likes
        raise UnreadableBill(UNREADABLE) from None
    return rows


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        return f"{value:.2f}"
    return str(value).strip()
