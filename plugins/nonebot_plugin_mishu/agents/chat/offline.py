"""What chat says without a model: fixed, honest lines."""

from __future__ import annotations

from zlib import crc32

from ...text.normalise import normalise

HERE = "在呢"
INTRODUCTION = (
    "我是群里的秘书，管日程、任务、提醒和账：叫我的名字或 @ 我，说「明天下午三点开会」「提醒我8点吃药」"
    "「午饭35，打车20」就行。说「闭嘴」我会安静一阵，说「张嘴」我再开口。发「/秘书 帮助」看全部用法。"
)
_NO_MODEL = "我现在没有接上大模型，只听得懂简单的吩咐。发「/秘书 帮助」看看我会什么。"
_FAILING = "我这会儿一时想不出来，只听得懂简单的吩咐，请过一会儿再问我。"
_BUDGET = "今天的用量到上限了，我只听得懂简单的吩咐，明天再好好聊。"
SMALL_TALK = ("好热闹", "哈哈", "我也来凑个热闹", "你们聊得真起劲", "我在旁边听得津津有味")

_ABILITY = {
    "你会什么",
    "你会啥",
    "你会干什么",
    "你会干嘛",
    "你会做什么",
    "你能干什么",
    "你能干嘛",
    "你能做什么",
    "你能做啥",
    "你有什么功能",
    "有什么功能",
    "怎么用",
    "你怎么用",
    "介绍一下你自己",
    "介绍下你自己",
    "自我介绍",
    "帮助",
    "help",
}


def answer(words: str) -> str | None:
    """A fixed answer that is better than any model's: what the secretary can do."""
    said = normalise(words).strip(" ,.!?，。！？~…、").casefold().rstrip("呀啊呢吗")
    return INTRODUCTION if said in _ABILITY else None


def honest(kind: str) -> str:
    """The honest line for a kind of model trouble (`ModelError.kind`)."""
    return {"offline": _NO_MODEL, "budget": _BUDGET}.get(kind, _FAILING)


def small_talk(seed: str) -> str:
    """One short line for dense talk; the same message always gets the same one."""
    return SMALL_TALK[crc32(seed.encode()) % len(SMALL_TALK)]
