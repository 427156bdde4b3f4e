"""The form in which safety rules read a text: evasions undone, idioms taken out.

Beyond the common normal form: lower case, tone marks off Latin letters, words of danger that were spaced,
dotted, half spelt in Pinyin or written with look-alikes put together again, then everyday idioms that only
sound dangerous (秒杀, 跳楼价, 笑死我了) replaced by one neutral character.
"""

from __future__ import annotations

import re
from typing import Final

from ..text.normalise import normalise
from .safety_idioms import IDIOMS
from .safety_needs import Index, alternatives

HEAD: Final = 4_000
TAIL: Final = 1_000
"""A longer text is judged by its first `HEAD` and last `TAIL` characters: no chat message is that long, and
a text of a megabyte must not cost a second."""

MASK: Final = "▯"

_PLAIN_WORDS: Final = {
    **dict.fromkeys(("特别", "非常"), "很"),
    **dict.fromkeys(("不小心", "一不小心"), "误"),
    **dict.fromkeys(("忍不住", "控制不住", "抑制不住", "止不住地", "不由得", "不得不", "不停", "不断"), "总"),
    **dict.fromkeys(("不知道怎么", "不知为什么", "不知为何"), "突然"),
    "别人": "旁人",
    "非要": "硬要",
    "未来": "将来",
    "差不多": "大概",
}
"""Words that hold a character of negation and negate nothing, to words that hold none."""

# What may be pushed between the characters of one word: anything but letters, digits and clause ends.
_SOFT: Final = r"[^\w,。!?;:▯]{1,3}"
_TONES: Final = str.maketrans("āáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜü", "aaaaeeeeiiiioooouuuuvvvvv")

_WORDS: Final = (
    "自杀 自残 自尽 轻生 割腕 割脉 跳楼 上吊 想死 去死 不想活 遗书 寻短见 安眠药 农药 百草枯 "
    "杀人 杀了 下毒 毒死 投毒 炸弹 炸药 手枪 枪支 冰毒 毒品 海洛因 大麻 迷药 下药 开盒 人肉 裸照 盗号"
)

"""Words that are put together again where they were pulled apart: 自 杀, 自.杀, 自-杀."""

_SPELLINGS: Final[tuple[tuple[str, str], ...]] = (
    (
        r"(?<![a-z])zi ?sha(?![a-z])|自 ?sha(?![a-z])|(?<![a-z])zi ?杀|自[鲨煞刹㱾]|紫[鲨杀]|自木又|"
        "(?<![a-z])zs?杀",
        "自杀",
    ),
    (r"(?<=[想要去算备])紫砂(?![壶杯茶锅煲泥陶艺器])", "自杀"),
    (r"(?<![a-z])ge ?腕|割 ?wan(?![a-z])", "割腕"),
    (r"(?<![a-z])qing ?生|轻 ?sheng(?![a-z])", "轻生"),
    (r"(?<![a-z])tiao ?楼|跳 ?lou(?![a-z])", "跳楼"),
    (r"亖|(?<=[想去])si(?![a-z])|(?<=[想去])4(?=[了啊]|$)|(?<=[想去])s(?=[了,。!? ]|$)", "死"),
    (r"(?<=想)zs(?![a-z])", "自杀"),
    (
        r"[布卟步补]想活|不[相香享]活(?=[了着下])|不想huo(?![a-z])|"
        r"(?<![a-z])bu ?xiang ?huo(?![a-z])(?: ?le(?![a-z]))?",
        "不想活",
    ),
    (r"(?<![a-z])(?:(?:wo|hao|zhen) ?xiang ?si|xiang si)(?: ?le)?(?![a-z])", "想死"),
    (r"(?<![a-z])huo ?bu ?xia ?qu(?![a-z])", "活不下去"),
    (r"🔪(?=了?(?:我?自己|[他她]))|噶(?=了?(?:我?自己))", "杀"),
    (r"炸 ?dan(?![a-z])|(?<![a-z])zha ?弹|(?<![a-z])zha ?dan(?![a-z])", "炸弹"),
    (r"(?<![a-z])sha ?人|(?<![a-z])sha ?ren(?![a-z])|鲨人|杀 ?ren(?![a-z])", "杀人"),
    (r"(?<![a-z])bing ?毒|冰 ?du(?![a-z])", "冰毒"),
    (r"下 ?du(?![a-z])|(?<![a-z])xia ?毒", "下毒"),
)
"""Other spellings of a word: (pattern, the word)."""

_HAN: Final = "[一-鿿]"
_PULLED: Final = re.compile(f"{_HAN}{_SOFT}{_HAN}")
_PULLED_WORD: Final = re.compile("|".join(_SOFT.join(word) for word in _WORDS.split()))
# Three and more single characters, each set apart: 我 想 自 杀.
_PULLED_RUN: Final = re.compile(f"(?<!{_HAN}){_HAN}(?:{_SOFT}{_HAN}(?!{_HAN})){{2,200}}")
_NOT_WORD: Final = re.compile(r"[\W_]+")
_SPELT: Final = tuple((re.compile(pattern), word) for pattern, word in _SPELLINGS)
_ODD: Final = re.compile(r"[a-z亖㱾鲨煞刹砂4🔪噶]|自木又|[布卟步补]想活|不[相香享]活")
_PLAIN: Final = re.compile("|".join(sorted(_PLAIN_WORDS, key=len, reverse=True)))
_IDIOMS: Final = Index((part.needs, part.pattern) for idiom in IDIOMS for part in alternatives(idiom))


def read(text: str) -> str:
    """The reading form of `text`. Never raises; linear in `HEAD + TAIL`."""
    if len(text) > HEAD + TAIL:
        text = f"{text[:HEAD]}。{text[-TAIL:]}"
    form = normalise(text).lower().translate(_TONES)
    if _PULLED.search(form) is not None:
        form = _PULLED_RUN.sub(_put_together, form)
        form = _PULLED_WORD.sub(_put_together, form)
    if _ODD.search(form) is not None:
        for pattern, word in _SPELT:
            form = pattern.sub(word, form)
    form = _PLAIN.sub(lambda word: _PLAIN_WORDS[word.group()], form)
    for idiom in _IDIOMS.found(form):
        form = idiom.compiled.sub(MASK, form)
    return form


def _put_together(pulled: re.Match[str]) -> str:
    return _NOT_WORD.sub("", pulled.group())
