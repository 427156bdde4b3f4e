"""Offers in the words of a reply, and the orders they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from nonebot_plugin_mishu.language.claims.offers import offer_in
from nonebot_plugin_mishu.language.claims.reading import claims

ROWS: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "data" / "offers.yaml").read_text("utf-8")
)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["said"])
def test_an_offer_is_an_order_and_no_claim(row: dict[str, Any]) -> None:
    found = offer_in(row["said"], row.get("line", ""))
    assert (found.orders[0] if found is not None else None) == row.get("order")
    if found is not None:
        assert row.get("also", row["order"]) in found.orders
        assert claims(row["said"]) == ()
