"""Replacements of a model's untrue claims (`language.claims.facts`). Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from ...language.claims.courtesy import is_courtesy
from ...language.claims.reading import Claim, sentences
from ...language.claims.table import Kind
from ...memory import quoted

HEARD: Final = "嗯，我听着呢。"
"""Said to who called us, where the model had nothing to say to them."""
_NOT_DONE: Final[dict[Kind, str]] = {
    "remind": "提醒还没设，要就直接说「明天8点提醒我……」。",
    "note": "这个我还没记下，要记就直接说什么事、什么时候。",
    "change": "我还没改什么，要改就直接说把哪条改成什么。",
    "remove": "我还没取消什么，要取消就直接说是哪条。",
    "finish": "我还没打勾，做完了就说哪件完成了。",
    "look": "这个我查不了，得你自己看一眼。",
    "send": "我没替你转告谁，得你自己跟TA说一声。",
    "order": "订票、下单这些我办不了，得你自己来。",
    "state": "这个我没查过，说不准，要看就直接问我。",
    "anything": "这件我还没办，要办就直接说做什么、什么时候。",
}
"""By kind, the gravest first: what is said in place of a claim that is not true."""
_DEEDS: Final[dict[Kind, str]] = {
    "note": "记下或新建",
    "remind": "设提醒",
    "change": "修改",
    "remove": "取消或删除",
    "finish": "标记完成",
    "look": "查看",
    "send": "转告或发送",
    "order": "预订或下单",
    "state": "查看",
    "anything": "办事",
}


def correction(false: Sequence[Claim], done: Collection[Kind], told: Sequence[str]) -> str:
    """Instruction to the model to write its reply again."""
    said = "".join(quoted(one.sentence.strip(), 80) for one in false[:3])
    did = "、".join(dict.fromkeys(_DEEDS[kind] for kind in _DEEDS if kind in done))
    facts = (
        f"这一轮真正办了的只有：{did}"
        if did
        else "这一轮什么都没有办：没有记、没有改、没有设提醒、没有查、没有转告"
    )
    beside = f"（同一条回复里已经写了：{''.join(quoted(each, 100) for each in told[:3])}）" if told else ""
    return (
        f"（系统提示，不是群友说的）你刚才写的{said}不是真的。{facts}{beside}。请重写要说的话："
        "不说办过没办的事，也不答应会去办；对方要办事就请对方直接说清楚做什么、什么时候。只写要说的话。"
    )


def without_false_claims(text: str, false: Sequence[Claim]) -> tuple[str, str]:
    """The reply without its false sentences and the courtesies around them, and the honest
    line for what was claimed."""
    gone = {claim.sentence for claim in false}
    kept = [part for part in sentences(text) if part not in gone]
    left = "".join(part for part in kept if not is_courtesy(part)).strip()
    kinds = {kind for claim in false for kind in claim.kinds}
    line = next(words for kind, words in _NOT_DONE.items() if kind in kinds)
    return left, line
