"""Single sentences against their lines: what holds and what does not, and why."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.language.lines.check import Sentence, check
from record_support import NAMES, line, scripted
from rows import each_row

SPAN = [
    line(1, "小红", "那就周五晚上七点在公司楼下聚餐吧"),
    line(2, "李雷", "好的"),
    line(3, "阿强", "会议室的空调坏了,我报修了"),
    line(4, "韩梅梅", "文档放到 wiki.example.com/page 了,密码是 8842"),
    line(5, "老周", "预算还没定,下周再说"),
    line(6, "Tom", "我不去爬山了,腿疼"),
    line(7, "小红", "测试报告.pdf", files=("测试报告.pdf",)),
    line(8, "秘书", "大家好,我是秘书", bot=True),
    line(9, "小红", "李雷你两点半把三台电脑搬到二楼"),
]

HOLDS = [
    ("decision", "大家决定周五晚上七点在公司楼下聚餐。", "m1 m2"),
    ("decision", "周五19:00在公司楼下聚餐。", "m1 m2"),
    ("plan", "周五晚上七点在公司楼下聚餐。", "m1 m2"),
    ("talk", "小红提议周五聚餐,李雷同意。", "m1 m2"),
    ("talk", "阿强说会议室的空调坏了,已经报修。", "m3"),
    ("talk", "09:03 阿强说会议室空调坏了。", "m3"),
    ("talk", "韩梅梅把文档放到 wiki.example.com/page,密码是8842。", "m4"),
    ("talk", "老周说预算还没定。", "m5"),
    ("talk", "Tom不去爬山了。", "m6"),
    ("talk", "小红让李雷两点半把3台电脑搬到二楼。", "m9"),
]

DROPPED = [
    ("decision", "大家决定周五晚上七点在公司楼下聚餐。", "m1 m77", "no such line"),
    ("talk", "大家在聊天。", "", "no such line"),
    ("talk", "秘书说大家好。", "m8", "too many lines, or only ours"),
    ("talk", "老周提议周五晚上七点在公司楼下聚餐。", "m1 m2", "name"),
    ("talk", "李雷提议周五晚上七点在公司楼下聚餐。", "m1 m2", "not the speaker's words"),
    ("talk", "张伟说会议室的空调坏了。", "m3", "nobody of the lines"),
    ("talk", "可乐说会议室的空调坏了。", "m3", "nobody of the lines"),
    ("talk", "阿强说会议室的空调坏了,和赵敏报修了。", "m3", "unknown name"),
    ("talk", "小红提议周五晚上八点在公司楼下聚餐。", "m1", "time"),
    ("talk", "小红提议周六在公司楼下聚餐。", "m1", "time"),
    ("talk", "阿强说会议室的两台空调坏了。", "m3", "number"),
    ("talk", "韩梅梅说密码是8843。", "m4", "number"),
    ("talk", "文档放到 wiki.example.org/page 了。", "m4", "link"),
    ("talk", "阿强说「会议室的空调好了」。", "m3", "quoted words"),
    ("talk", "阿强用 Jira 报修了会议室的空调。", "m3", "latin word"),
    ("talk", "老周说预算定了。", "m5", "yes and no"),
    ("talk", "Tom去爬山了。", "m6", "yes and no"),
    ("talk", "阿强没报修会议室的空调。", "m3", "yes and no"),
    ("talk", "阿强说会议室的空调修好了。", "m3", "another outcome"),
    ("talk", "小红让李雷把三台电脑搬到三楼。", "m9", "number"),
    ("talk", "小红要求所有人周五晚上七点加班。", "m1 m2", "another outcome"),
    ("talk", "小红请客周五聚餐。", "m1 m2", "another outcome"),
    ("talk", "阿强把空调弄坏了。", "m3", "another outcome"),
    ("talk", "韩梅梅把文档删除了。", "m4", "another outcome"),
    ("talk", "小红取消了周五晚上七点的聚餐。", "m1 m2", "another outcome"),
    ("talk", "公司即将裁员。", "m3", "another outcome"),
    ("talk", "阿强说会议室的空调坏了,公司打算搬迁到郊区。", "m3", "nobody of the lines"),
    ("decision", "大家决定会议室的空调报修。", "m3", "claims a decision"),
    ("talk", "阿强说空调坏了,李雷同意。", "m3 m9", "not the speaker"),
    ("talk", "小红提议周五聚餐,阿强同意。", "m1 m3", "nobody agreed"),
    ("talk", "可乐转述会议室的空调坏了。", "m3", "nobody of the lines"),
    ("talk", "小红让李雷两点半把四台电脑搬到二楼。", "m9", "number"),
    ("talk", "", "m3", "empty or too long"),
]


@each_row("kind, text, lines", HOLDS)
def test_a_true_sentence_passes(kind: str, text: str, lines: str) -> None:
    sentence = Sentence(kind, text, tuple(lines.split()))  # type: ignore[arg-type]
    verdict = check(sentence, SPAN)
    assert verdict.sentence is not None, verdict.why
    assert verdict.sentence.kind == kind


@each_row("kind, text, lines, why", DROPPED)
def test_an_invention_is_dropped(kind: str, text: str, lines: str, why: str) -> None:
    sentence = Sentence(kind, text, tuple(lines.split()))  # type: ignore[arg-type]
    verdict = check(sentence, SPAN)
    assert verdict.sentence is None
    assert verdict.why == why


def test_what_no_line_reads_as_a_plan_is_told_as_talk() -> None:
    for kind in ("decision", "plan", "todo"):
        told = check(Sentence(kind, "阿强说会议室的空调坏了。", ("m3",)), SPAN).sentence
        assert told is not None
        assert told.kind == "talk"


def test_the_name_of_a_member_who_said_nothing_is_no_free_word() -> None:
    sentence = Sentence("talk", "空调的事包子修,会议室的空调坏了。", ("m3",))
    assert check(sentence, SPAN, names=("包子",)).why == "name"


@given(st.text(max_size=80), st.lists(st.sampled_from([f"m{number}" for number in range(12)]), max_size=4))
def test_whatever_is_said_is_judged_and_nothing_is_changed(text: str, lines: list[str]) -> None:
    """Never raises; what passes names existing lines, has words of theirs and is what was given."""
    verdict = check(Sentence("talk", text, tuple(lines)), SPAN)
    if verdict.sentence is not None:
        assert set(verdict.sentence.lines) <= {each.id for each in SPAN}
        assert verdict.sentence.kind == "talk"


@given(st.integers(0, 10_000), st.sampled_from(NAMES), st.integers(2, 10_000))
def test_no_other_name_or_number_passes(seed: int, name: str, number: int) -> None:
    """A true sentence with another member's name for the speaker's, or another number, is dropped."""
    script = scripted(seed)
    for true in script.true:
        cited = [each for each in script.lines if each.id in true.lines]
        words = " ".join(each.text for each in cited)
        speaker = next((each.name for each in cited if true.text.startswith(each.name)), None)
        if speaker is not None and name not in {each.name for each in cited} and name not in words:
            swapped = Sentence(true.kind, true.text.replace(speaker, name), true.lines)
            assert check(swapped, script.lines).sentence is None, swapped
        if str(number) not in words:
            added = Sentence(true.kind, f"{true.text}一共{number}个。", true.lines)
            assert check(added, script.lines).sentence is None, added
