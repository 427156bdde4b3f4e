"""Members @-ed in the midst of a line are people of the line where its words tie them in."""

from __future__ import annotations

import pytest
from nonebot_plugin_mishu.language.clause import Mention
from nonebot_plugin_mishu.language.recognise.mentions import tied_in, typed

CAT, YA = Mention("1", "老猫"), Mention("2", "小雅")


@pytest.mark.parametrize(
    ("line", "read", "people"),
    [
        ("我和 @老猫 明天下午三点去看电影", "我和老猫明天下午三点去看电影", (CAT,)),
        ("提醒 @老猫 和 @小雅 明天交表", "提醒老猫和小雅明天交表", (CAT, YA)),
        ("提醒 @老猫 @小雅 明天三点交表", "提醒老猫、小雅明天三点交表", (CAT, YA)),
        ("午饭80 @老猫 和我AA", "午饭80 老猫和我AA", (CAT,)),
        ("@老猫 明天三点交表", "@老猫 明天三点交表", ()),
        ("提醒@老猫 明天三点交表", "提醒@老猫 明天三点交表", ()),
        ("我和 @不认识 去", "我和 @不认识 去", ()),
    ],
)
def test_an_at_in_the_midst_of_a_line(line: str, read: str, people: tuple[Mention, ...]):
    assert typed(line, (CAT, YA)) == read
    assert tied_in(read, (CAT, YA)) == people
