"""Lines that mean something beside what was said before them: lists, what alone is kept, another time."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from nonebot_plugin_mishu.core.situation import situation, whole
from nonebot_plugin_mishu.language.books.pointing import pointed
from nonebot_plugin_mishu.language.cards.only import only_kept
from nonebot_plugin_mishu.language.changes.asked_anew import asked_anew
from nonebot_plugin_mishu.language.clauses.task_lists import tasks_listed
from nonebot_plugin_mishu.language.entries.reading import read_items
from nonebot_plugin_mishu.language.repairs.canonical import canonical
from nonebot_plugin_mishu.language.repairs.shared_nouns import spread
from nonebot_plugin_mishu.language.text.fold import fold

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 25, 10, tzinfo=ZONE)
WHERE = situation(NOW.timestamp(), ZONE)
CARD = list(enumerate(read_items("午饭35，打车20，奶茶15", NOW, ZONE).entries))


@pytest.mark.parametrize(
    ("said", "tasks"),
    [
        ("三个待办 写周报 约牙医 还书", ["写周报", "约牙医", "还书"]),
        ("三个任务:写周报、约牙医、还书", ["写周报", "约牙医", "还书"]),
        ("帮我加三件事 写周报,约牙医,还书", ["写周报", "约牙医", "还书"]),
        ("几个待办 写周报 约牙医 还书", ["写周报", "约牙医", "还书"]),
        ("今天待办:洗衣服 寄毛衣 给妈打电话", ["洗衣服", "寄毛衣", "给妈打电话"]),
        ("两个任务:打印合同和寄快递", ["打印合同", "寄快递"]),
        ("记三个任务 明天写周报 后天约牙医 周五还书", ["明天写周报", "后天约牙医", "周五还书"]),
        ("我有三件事 你说哪个重要", []),
        ("两个任务 写完了 一个没写", []),
        ("待办:写周报,周五前交", []),
        ("todo 买牛奶", []),
        ("任务 写总结 明天交", []),
    ],
)
def test_a_list_of_tasks(said: str, tasks: list[str]) -> None:
    assert [said[start:end] for start, end in tasks_listed(said)] == tasks


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("就记打车的", (1,)),
        ("只要第二笔", (1,)),
        ("记打车那笔就行 其他不用", (1,)),
        ("第一笔和第三笔要 别的不要", (0, 2)),
        ("只留午饭", (0,)),
        ("奶茶记上，其他的算了", (2,)),
        ("不用都记 就记打车", (1,)),
        ("打车和奶茶就行", (1, 2)),
        ("其他不用", ()),
        ("就这样", ()),
        ("就要这些", ()),
        ("打车就不记了", ()),
        ("打车就算了", ()),
        ("只是打车贵了点", ()),
        ("就记一下", ()),
    ],
)
def test_what_alone_is_kept(said: str, kept: tuple[int, ...]) -> None:
    assert only_kept(said, 3, lambda words: pointed(words, CARD)) == kept


@pytest.mark.parametrize(
    ("line", "before", "anew"),
    [
        ("下周呢", "这周有什么安排", "下周有什么安排"),
        ("那明天呢", "今天有什么任务", "明天有什么任务"),
        ("上个月呢", "这个月花了多少", "上个月花了多少"),
        ("那昨天的呢？", "今天吃饭花了多少", "昨天吃饭花了多少"),
        ("看看下下周", "这周有什么安排", None),
        ("那下下周", "这周有什么安排", "下下周有什么安排"),
        ("周五呢", "有什么安排", "周五有什么安排"),
        ("下周三我来", "这周有什么安排", None),
        ("下周呢 我想去爬山", "这周有什么安排", None),
        ("改到下周", "这周有什么安排", None),
        ("呢", "这周有什么安排", None),
    ],
)
def test_asked_once_more_of_another_time(line: str, before: str, anew: str | None) -> None:
    assert asked_anew(whole(line, WHERE), whole(before, WHERE)) == anew


@pytest.mark.parametrize(
    ("said", "each"),
    [
        ("周一语文周二数学周三英语考试", "周一语文考试,周二数学考试,周三英语考试"),
        ("三个考试 周一语文周二数学周三英语", "周一语文考试,周二数学考试,周三英语考试"),
        ("三个考试 周四语文周五数学周三英语", "周四语文考试,周五数学考试,12月2日英语考试"),
        ("两场面试 周四阿里 周五腾讯", "周四阿里面试,周五腾讯面试"),
        ("12月1号语文2号数学3号英语考试", "12月1号语文考试,2号数学考试,3号英语考试"),
        ("三节课：周一高数，周四线代，周五大物", "周一高数课,周四线代课,周五大物课"),
    ],
)
def test_what_they_have_in_common_is_said_of_each(said: str, each: str) -> None:
    assert spread(fold(said), WHERE).text == each


@pytest.mark.parametrize(
    "said",
    [
        "周二到周四出差",
        "周一出差周三回来",
        "周一小王周二小李周三小张值日",
        "周三的会改到周五",
        "周一买菜周二洗衣服周三开会",
        "周一交语文作业 周二交数学作业 都提醒我",
        "三个考试 周一语文周二数学",
    ],
)
def test_what_is_no_such_list_stays(said: str) -> None:
    assert spread(fold(said), WHERE).text == said


@pytest.mark.parametrize(
    ("said", "means"),
    [
        ("换教室了 改成405", "地点改成405"),
        ("包间换了，888", "地点改成888"),
        ("教室换成502了", "地点改成502了"),
        ("换会议室了 409", "地点改成409"),
        ("集合点改成3号楼门口", "地点改成3号楼门口"),
        ("房间订金改成300块", "房间订金改成300块"),
        ("换教室了 改成3点", "换教室了 改成3点"),
        ("包间改成300块的", "包间改成300块的"),
    ],
)
def test_a_number_behind_a_place_is_one(said: str, means: str) -> None:
    assert canonical(fold(said)).text == means
