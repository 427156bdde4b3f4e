"""Days off: by law for every year, make-up workdays as published or as the owner gave them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from nonebot_plugin_mishu.app.days_off import WrongDays, load_days_off, read_days
from nonebot_plugin_mishu.language.recognise.times.days import almanac
from nonebot_plugin_mishu.language.recognise.times.days.almanac import (
    holidays_known,
    is_workday,
    next_year_missing,
    statutory_days,
)


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    almanac._given.clear()  # pyright: ignore[reportPrivateUsage]
    almanac._published.cache_clear()  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize(
    ("year", "days"),
    [
        (2027, "01-01 02-05 02-06 02-07 02-08 04-05 05-01 05-02 06-09 09-15 10-01 10-02 10-03"),
        (2028, "01-01 01-25 01-26 01-27 01-28 04-04 05-01 05-02 05-28 10-01 10-02 10-03"),
        (2030, "01-01 02-02 02-03 02-04 02-05 04-05 05-01 05-02 06-05 09-12 10-01 10-02 10-03"),
    ],
)
def test_days_off_by_law(year: int, days: str) -> None:
    wanted = {date.fromisoformat(f"{year}-{day}") for day in days.split()}
    assert wanted <= statutory_days(year)
    assert not any(is_workday(day) for day in wanted)


def test_a_year_that_the_owner_gave(tmp_path: Path) -> None:
    folder = tmp_path / "holidays"
    folder.mkdir()
    (folder / "2031.json").write_text('{"off": ["2031-01-01/2031-01-03"], "work": ["2031-01-05"]}', "utf-8")
    (folder / "2032.json").write_text('{"days": [{"date": "2032-01-02", "isOffDay": true}]}', "utf-8")
    (folder / "2033.json").write_text('{"off": ["morgen"]}', "utf-8")
    (folder / "next.json").write_text("{}", "utf-8")
    assert not holidays_known(date(2031, 1, 2))
    years, wrong = load_days_off(tmp_path)
    assert years == [2031, 2032]
    assert [each.partition(" ")[0] for each in wrong] == ["holidays/2033.json", "holidays/next.json"]
    assert "「morgen」不是日期" in wrong[0]
    assert holidays_known(date(2031, 6, 2))
    worked = {day: is_workday(date(2031, 1, day)) for day in range(1, 8)}
    assert worked == {1: False, 2: False, 3: False, 4: False, 5: True, 6: True, 7: True}
    assert not is_workday(date(2031, 10, 1))  # by law, also where the file leaves it out
    assert not is_workday(date(2032, 1, 2))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("31", "{}"),
        ("2031", "[]"),
        ("2031", "{"),
        ("2031", "{}"),
        ("2031", '{"off": "2031-01-01"}'),
        ("2031", '{"off": ["2031-02-01/2031-01-01"]}'),
        ("2031", '{"off": ["2031-01-01/2032-01-01"]}'),
        ("2031", '{"off": ["2030-01-01"]}'),
        ("2031", '{"days": [{"date": "2031-01-01"}]}'),
    ],
)
def test_what_is_wrong_is_named(name: str, text: str) -> None:
    with pytest.raises(WrongDays):
        read_days(name, text)


def test_from_december_on_the_next_year_is_missed() -> None:
    assert next_year_missing(date(2030, 11, 30)) is None
    assert next_year_missing(date(2030, 12, 1)) == 2031
    almanac.take_published(2031, {date(2031, 1, 1): False})
    assert next_year_missing(date(2030, 12, 31)) is None
    assert next_year_missing(date(2025, 12, 31)) is None  # published
