"""Words of a model that are no reply: thoughts, prefixes and frames are taken off; what says that nothing is
to be said, and what is data, is not sent. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from ...patterns import Pattern
from ..text.fold import normalise

_THOUGHT: Final = Pattern(r"<(think|thinking|thought|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_STRAY: Final = Pattern(r"</?(?:think|thinking|thought|reasoning|reply|answer|response)>", re.IGNORECASE)
_FENCE: Final = Pattern(r"^```[\w-]*+\n?(.*?)\n?```$", re.DOTALL)
_ROLES: Final = (
    "秘书",
    "助手",
    "助理",
    "机器人",
    "assistant",
    "bot",
    "ai",
    "回复",
    "回答",
    "答复",
    "答",
    "我",
    "me",
)
_ALIAS: Final = r"(?:u\d++|m\d++|成员[A-Za-z\d]{1,3}|用户[A-Za-z\d]{1,3})"
_MARK: Final = Pattern(rf"^\s*(?:\d+[.、]\s*)?\[(?:{_ALIAS}|me)[^\]]*\]\s*+[:：]?\s*", re.IGNORECASE)
_PAIRS: Final = {"「": "」", "『": "』", "“": "”", '"': '"', "‘": "’", "'": "'", "《": "》"}
_FRAMES: Final = "「」『』“”\"‘’'`（）()[]【】〔〕<>《》*_~|"
_DATA: Final = Pattern(r"\s*(?:```|[{<]|\[\s*[{\"\[])")
"""Start of data or markup, often cut short: no reply."""
_KEY: Final = Pattern(r"\bsk-[\w-]{16,}|\bbearer\s+[\w.~+/-]{16,}", re.IGNORECASE)
"""Key or token, never sent."""

_SPEAK: Final = "(?:回复|回应|回答|答复|应答|作答|接话|插话|搭话|发言|说话|开口|reply|respond|answer)"
_NEED: Final = "(?:无需|无须|毋需|不需要?|不用|不必|不予|不做|不作|不|没必要|没有必要|无)"
_NOTHING: Final = Pattern(
    rf"^(?:(?:这|该|本|此|以上|当前)?[条句段次轮]?(?:消息|话|对话|信息|内容|聊天)?(?:中|里)?[,:]?(?:暂时|目前|应该?|选择|可以|我|秘书)*)?"
    rf"{_NEED}(?:我|秘书|对此|任何|进行|做出|作出|给出|再|额外)*{_SPEAK}(?:$|[,.。;:!(（]|[的了]?$|因为|任何)"
    rf"|^(?:保持)?(?:静默|沉默|静音|安静)(?:中|状态|模式)?$"
    rf"|^(?:无|空|无内容|无回复|无输出|略|跳过|忽略|已读|已读不回|null|none|nil|n/?a|empty|pass|skip|ignore|silent|silence|noop)$"
    rf"|^no[_ -]?(?:reply|response|answer|output|comment)(?:needed|required| needed| required| necessary)?$"
    rf"|^(?:do not|don't|should not|no need to|not going to) (?:reply|respond|answer)"
    rf"|^(?:should_reply|reply|is_questioned|reply_strategy)\b\s*[:=]",
    re.IGNORECASE,
)
_RECITED: Final = Pattern(
    r"^(?:要回答的消息|规则|聊天记录|系统提示|对这段对话的判断|有人叫你|请回答标出的|标出的那条消息|策略|现在是\d|话题[:：]|对象[:：])"
)
"""Start of a repeated prompt."""
_STAGE: Final = Pattern(r"^[（(\[【*<〔][^（）()\[\]【】*<>〔〕]*[）)\]】*>〕]$")
_MODEL: Final = Pattern(
    r"作为(?:一个|一款|一名|一位|你的)?\s*+(?:AI|人工智能|大?语言模型|大模型|虚拟助[手理]|聊天机器人|智能助[手理]|计算机程序)"
    r"|我(?:只|仅仅)?(?:是|是由.{1,12}开发的)(?:一个|一款|个)?\s*+(?:(?:AI|人工智能|大型?)\s*+)?(?:语言模型|大模型)"
    r"|(?:我的)?(?:训练数据|知识库?)截[止至]|(?:OpenAI|Anthropic|DeepSeek)\s*(?:开发|训练|研发)"
    r"|\bas an? (?:ai|artificial|large language|language model|virtual|chat ?bot)"
    r"|\bi(?:'m| am) (?:just |only )?an? (?:ai\b|artificial|(?:large )?language model|virtual|chat ?bot)"
    r"|\b(?:my training data|knowledge cut-?off)\b",
    re.IGNORECASE,
)
"""Self-reference of a model."""
_SENTENCE: Final = Pattern(r"[^。！!？?\n]*[。！!？?\n]*")
_MARKS: Final = (
    (Pattern(r"^\s{0,3}(?:#{1,6}|>)\s+|^\s*[-*+•]\s+", re.MULTILINE), ""),
    (Pattern(r"^\s*(?:-{3,}|\*{3,}|_{3,})\s*$", re.MULTILINE), ""),
    (Pattern(r"\*\*([^*\n]{1,200})\*\*|__([^_\n]{1,200})__|`([^`\n]{1,200})`"), r"\1\2\3"),
    (Pattern(r"\n{3,}"), "\n\n"),
)
"""Markdown marks, which a chat shows raw."""
_WORD: Final = Pattern(r"[A-Za-z][A-Za-z']*")
_FEW: Final = 4
"""Words of another language that may stand alone: OK, see you then."""
_HAN: Final = Pattern("[一-鿿]")
_ASKS_FOR_IT: Final = Pattern(
    "英|翻译|english|日语|日文|法语|德语|韩语|西班牙|外语|单词|代码|code|怎么读|怎么拼", re.IGNORECASE
)
_QUIETLY: Final = Pattern("不|无|没|沉默|静|忽略|跳过|旁观|围观|观察|等待|silent|quiet|no", re.IGNORECASE)


def spoken(text: str, names: Collection[str] = ()) -> str:
    """Text without thoughts, fence, surrounding quotes and speaker's prefix. `names` are the secretary's
    own."""
    said = _STRAY.sub("", _THOUGHT.sub("", text)).strip()
    prefix = _prefix(names)
    for _ in range(3):
        before = said
        said = _MARK.sub("", said)
        said = prefix.sub("", said).strip()
        if (fence := _FENCE.match(said)) is not None and not _DATA.match(fence.group(1)):
            said = fence.group(1).strip()
        close = _PAIRS.get(said[:1])
        if close is not None and len(said) > 1 and said.endswith(close) and close not in said[1:-1]:
            said = said[1:-1].strip()
        if said == before:
            break
    return said


def without_model_talk(text: str) -> str:
    """A text without Markdown, and without what a model says of itself: 作为一个AI语言模型……"""
    for pattern, kept in _MARKS:
        text = pattern.sub(kept, text)
    if not _MODEL.search(text):
        return text.strip()
    return "".join(part for part in _SENTENCE.findall(text) if not _MODEL.search(part)).strip()


def in_another_language(text: str, asked: str) -> bool:
    """True for prose in another language, if asked in Chinese and not for another language."""
    if _HAN.search(text) or not _HAN.search(asked) or _ASKS_FOR_IT.search(asked):
        return False
    return len(_WORD.findall(text)) > _FEW


def is_no_reply(text: str) -> bool:
    """True if a text, as `spoken` returns it, is no reply: empty, a "no reply" marker, a stage direction, a
    repeated prompt, data, or a key."""
    said = normalise(text).strip()
    bare = said.strip(f"{_FRAMES} ,.!?。！？~…-—\n\t:;")
    if not bare:
        return not re.search(r"[?？!！…～~]|[\U0001f300-\U0001faff]", said)
    if is_data(said) or _RECITED.match(said):
        return True
    if _STAGE.match(said) and _QUIETLY.search(bare):
        return True
    return _NOTHING.match(bare) is not None


def is_data(text: str) -> bool:
    """True for data or markup, or a text with a key."""
    return _DATA.match(text) is not None or _KEY.search(text) is not None


def names_nobody(text: str, said: str) -> bool:
    """True for an alias of nobody in a reply that the group did not use (`said`: the group's lines)."""
    return any(
        alias not in said
        for alias in re.findall(r"(?<![A-Za-z0-9])(?:u\d{1,4}|成员[A-Z])(?![A-Za-z0-9])", text)
    )


def _prefix(names: Collection[str]) -> Pattern:
    known = sorted({*_ROLES, *names}, key=len, reverse=True)
    listed = "|".join(re.escape(name) for name in known)
    return Pattern(
        rf"^\s*(?:\*\*)?(?:{listed}|{_ALIAS})(?:\s*[（(][^）)]{{0,12}}[）)])?(?:\*\*)?\s*[:：](?:\*\*)?\s*",
        re.IGNORECASE,
    )
