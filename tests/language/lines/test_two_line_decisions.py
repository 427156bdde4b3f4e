"""A proposal of one member and an assent of another are a decision, in a model's words as well."""

from __future__ import annotations

from nonebot_plugin_mishu.language.lines.check import Kind, Sentence, check
from nonebot_plugin_mishu.language.lines.line import RecordLine
from nonebot_plugin_mishu.language.lines.marks import decided
from nonebot_plugin_mishu.language.text.fold import normalise
from record_support import line
from rows import each_row

SETTLED = [
    ("那就周六九点半北门集合？", "行"),
    ("那就周六九点半北门集合？", "就这么定"),
    ("周六九点半北门集合行不行", "要得"),
    ("要不改到下周三晚上？", "好的好的"),
    ("聚餐定下周三晚上海底捞，大家觉得怎么样", "我没问题"),
    ("还是老地方？", "OK 没问题"),
    ("明天下午三点开会可以吗", "行 三点见"),
    ("那还是周日去爬山吧？", "同意 +1"),
    ("周五评审没问题吧", "没毛病"),
]
OPEN = [
    ("周六你来吗？", "行"),
    ("那谁去买？", "好"),
    ("几点集合？", "收到"),
    ("明天天气怎么样", "可以"),
    ("那就周六九点半北门集合？", "嗯"),
    ("那就周六九点半北门集合？", "再看看"),
    ("那就周六九点半北门集合？", "不行啊"),
    ("要不要周六去？", "1"),
    ("一共几个人？", "11"),
    ("如果周六下雨怎么样", "行"),
]


@each_row("proposal, assent", SETTLED)
def test_an_assent_decides(proposal: str, assent: str) -> None:
    talk = [line(1, "阿凯", normalise(proposal)), line(2, "小李", normalise(assent))]
    assert decided(talk) == {"m1": ("m2",)}


@each_row("proposal, answer", OPEN)
def test_anything_else_does_not(proposal: str, answer: str) -> None:
    talk = [line(1, "阿凯", normalise(proposal)), line(2, "小李", normalise(answer))]
    assert decided(talk) == {}


def test_ones_own_assent_is_none() -> None:
    talk = [line(1, "阿凯", "那就周六九点半北门集合?"), line(2, "阿凯", "行")]
    assert decided(talk) == {}


def three(question: str, answer: str, reply: str) -> list[RecordLine]:
    """Lines of two members in turn."""
    said = (("阿凯", question), ("小李", answer), ("阿凯", reply))
    return [line(number, who, normalise(text)) for number, (who, text) in enumerate(said, start=1)]


ANSWERED = [
    ("周六晚上？", "周六晚上六点 我下午有家教", "okok 六点西街烤鱼"),
    ("几点啊 我周一上午要送孩子", "那下午两点 关店半天", "两点没问题"),
    ("大舅几号走", "二十六号早上七点 走早不堵", "好的好的 我定八个闹钟"),
    ("放哪天啊", "周三下午吧", "周三可以 我有空"),
    ("啥时候开始", "晚上八点", "行 我提前到"),
]
NOT_ANSWERED = [
    ("几点啊", "早上八点", "好 不过我可能晚到 再说"),
    ("几点啊", "早上八点", "行李箱谁有大的"),
    ("周六下雨吗？", "周六下大雨", "好的 带伞"),
    ("几点啊", "早上八点", "八点太早了"),
    ("几点啊", "早上八点", "成绩出来了吗"),
]


@each_row("question, answer, assent", ANSWERED)
def test_an_answer_with_an_assent_that_goes_on_decides(question: str, answer: str, assent: str) -> None:
    talk = three(question, answer, assent)
    assert decided(talk) == {"m2": ("m3",)}


@each_row("question, answer, reply", NOT_ANSWERED)
def test_an_answer_with_a_reserve_or_other_talk_does_not(question: str, answer: str, reply: str) -> None:
    talk = three(question, answer, reply)
    assert decided(talk) == {}


TALK = [
    line(number, name, normalise(text))
    for number, (name, text) in enumerate(
        [
            ("小雅", "几点集合 上次八点太早了"),
            ("阿凯", "那就周六九点半北门集合？"),
            ("小李", "行"),
            ("小雅", "就这么定"),
            ("阿凯", "聚餐要不定下周三晚上海底捞行不行"),
            ("小雅", "可以"),
            ("阿凯", "那周日去爬山？"),
            ("老王", "周日我有事"),
        ],
        start=1,
    )
]
HELD: list[tuple[Kind, str, tuple[int, ...]]] = [
    ("decision", "大家定了周六九点半在北门集合。", (2, 3, 4)),
    ("decision", "大家定了周六九点半在北门集合。", (2, 3)),
    ("decision", "大家定了周六九点半在北门集合。", (2,)),
    ("decision", "集合时间定在周六九点半，地点北门。", (1, 2, 3)),
    ("decision", "阿凯提议周六九点半北门集合，小李和小雅同意了。", (2, 3, 4)),
    ("decision", "聚餐定在下周三晚上海底捞。", (5, 6)),
    ("decision", "大家同意下周三晚上去海底捞聚餐。", (5, 6)),
]
FALSE: list[tuple[Kind, str, tuple[int, ...]]] = [
    ("decision", "大家决定周日去爬山。", (7, 8)),
    ("decision", "大家定了周日爬山。", (7,)),
    ("decision", "大家定了周六十点北门集合。", (2, 3)),
    ("decision", "大家定了周六九点半南门集合。", (2, 3)),
    ("decision", "小雅提议周六九点半北门集合。", (2, 4)),
    ("decision", "老王同意周六九点半北门集合。", (2, 3)),
    ("decision", "周六九点半北门集合没定。", (2, 3)),
    ("decision", "大家就这么定了。", (4,)),
]


@each_row("kind, text, lines", HELD)
def test_a_models_sentence_rests_on_both_lines_or_on_the_proposal(
    kind: Kind, text: str, lines: tuple[int, ...]
) -> None:
    told = check(Sentence(kind, text, tuple(f"m{each}" for each in lines)), TALK).sentence
    assert told is not None
    assert told.kind == "decision"


@each_row("kind, text, lines", FALSE)
def test_what_two_lines_do_not_say_is_dropped(kind: Kind, text: str, lines: tuple[int, ...]) -> None:
    assert check(Sentence(kind, text, tuple(f"m{each}" for each in lines)), TALK).sentence is None
