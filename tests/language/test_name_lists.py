"""Lists of people that all of a line is (`language.ledger.shares.name_lists`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.language.clause import Mention
from nonebot_plugin_mishu.language.ledger.shares.name_lists import name_list
from rows import each_row

NAMES = ["小林", "大刘", "教头", "阿敏", "老赵", "桃子", "老K", "大圣", "花花", "摸鱼", "王小雅"]
MEMBERS = [Mention(str(number), name) for number, name in enumerate(NAMES, 30002)]
ABOUT = "KTV 400 四个人AA"
ROWS: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "data" / "name_lists.yaml").read_text(encoding="utf-8")
)


@each_row("row", ROWS, ids=lambda row: row["say"])
def test_lists_of_people(row: dict[str, Any]) -> None:
    found = name_list(row["say"], MEMBERS, about=ABOUT)
    told: dict[str, Any] = {} if found is None else {"names": [each.text for each in found.names]}
    if found is not None and found.me:
        told["me"] = True
    if found is not None and found.count is not None:
        told["count"] = found.count
    assert told == {key: value for key, value in row.items() if key != "say"}


@given(st.text(alphabet="大刘教头我和、 ,都是四个人Aa不去的", max_size=70))
def test_any_line_is_read(text: str) -> None:
    found = name_list(text, MEMBERS, about=ABOUT)
    assert found is None or found.names
