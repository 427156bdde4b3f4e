"""Unanswered questions to everybody, by likelihood: shown as 没看到答复. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Final

from ...patterns import Pattern
from ..text.pairs import pairs
from .line import RecordLine
from .lookup import answering, question_of
from .marks import assents, assigns, proposes, questions, rhetorical, stated, times

_WITHIN: Final = timedelta(minutes=30)
_BEHIND: Final = 6
"""Lines of others behind a question among which an answer is looked for."""
_LOOKED_AT: Final = 20
_LEAST: Final = 4
_MOST: Final = 5
"""Questions that are told, the newest."""
_ANSWERS: Final = Pattern(
    r"^(?:@\S+\s*)?(?:有|没|可以|行|不|我(?:做|写|讲|负责|搬|先|有|也|来|可以|这|带|没|不|知道|觉得|记得|去|会|行|在|买|的|问)|[+]1|加一|应该|好像|大概|估计"
    r"|嗯|对|能|要|看情况|问一?下|知道(?![啦了])|差不多|肯定|当然|是的|[0-9一二三四五六七八九十])"
)
_ASIDE: Final = Pattern(r"^(?:哈+|h+|6+|笑死.*|\[.{1,6}\]|.{0,2})$", re.IGNORECASE)
_IDLE: Final = Pattern(
    "^(?:在吗|干嘛|真的假的|真的吗|是吗|不是吧|什么鬼|啥|为什么|怎么了|咋了|你们呢|然后呢)|咋整|怎么办|咋办|凭什么|干嘛|什么鬼|^(?:大家|各位)?还有(?:没有)?(?:什么)?(?:别的|其他|问题|补充)|^.{0,3}$"
)
"""Questions that want no answer."""
_TIME: Final = Pattern("几[点号]|什么时候|啥时候|哪一?天|周几|何时")
_NUMBER_ASKED: Final = Pattern("多少|几[个位台人天块次]")
_NUMBER: Final = Pattern("[0-9一二两三四五六七八九十百千万半]")
_HOW: Final = Pattern("怎么|为什么|为啥|咋|说到哪|到哪了")
"""Asks for an account: what another says at once is one."""
_DUTY: Final = Pattern("谁(?:在|来|去|负责|要)?(?:做|写|管|弄|跟|讲|负责|牵头|主持|接手)(?![了过])")
"""Asks who does it: what another says at once, in few words, names them."""
_SHORT: Final = 12
_KNOWS_NOT: Final = Pattern(
    "(?:这个?|我们?|俺)?也?(?:不(?:太|是很|大)?(?:清楚|知道|晓得|了解|懂|记得)|没(?:听说|注意|印象))"
)
"""Says only that its speaker knows no answer."""
_CHOICE: Final = Pattern("(?P<one>[\u4e00-\u9fff])不(?P=one)")
_ACCOUNT: Final = 4
"""Characters of it, at the least."""
_VALUE: Final = Pattern("几|多少|哪|什么时候|谁")


def unanswered(
    lines: Sequence[RecordLine], settled: Collection[str], about: Collection[str] = ()
) -> tuple[RecordLine, ...]:
    """The open questions of a span (oldest first). What is settled, proposes, or calls one member is none;
    `about` are ids of questions that a decision answers."""
    found: list[RecordLine] = []
    for place, line in enumerate(lines):
        text = line.text
        if (
            line.id in settled
            or line.id in about
            or line.mentions
            or len(text) < _LEAST
            or not questions(text)
        ):
            continue
        if _IDLE.search(text) is not None or proposes(line) or assigns(line):
            continue
        if not _is_answered(line, lines[place + 1 :], settled):
            found.append(line)
    return tuple(found[-_MOST:])


def _chooses(question: str, text: str) -> bool:
    """True if a line takes one side of a question (要不要加 / 要加)."""
    found = _CHOICE.search(question)
    return found is not None and text.removeprefix("不").startswith(found["one"])


def _is_answered(question: RecordLine, behind: Sequence[RecordLine], settled: Collection[str]) -> bool:
    words = {pair for pair in pairs(question.text) if _VALUE.search(pair) is None}
    others = 0
    for line in behind:
        if line.user_id == question.user_id:
            continue
        if line.reply_to == question.id or question.user_id in line.mentions:
            return True
        if line.at - question.at > _WITHIN or others >= _BEHIND:
            continue
        others += 1
        if _KNOWS_NOT.match(line.text) is not None:
            continue
        if others <= 3 and _chooses(question.text, line.text):
            return True
        aside = line.reply_to is not None or line.mentions or _ASIDE.match(line.text) is not None
        if aside or (questions(line.text) and not stated(line.text) and line.id not in settled):
            continue
        if others <= 2 and (assents(line) or _ANSWERS.match(line.text) is not None):
            return True
        if others == 1 and _DUTY.search(question.text) is not None and len(line.text) <= _SHORT:
            return True
        if others == 1 and _HOW.search(question.text) is not None and len(line.text) >= _ACCOUNT:
            return True
        if others <= 2 and _NUMBER_ASKED.search(question.text) and _NUMBER.search(line.text):
            return True
        if others == 1 and rhetorical(line.text):
            return True  # 鱼都涨了能不涨嘛
        if words.intersection(pairs(line.text)):
            return True
        if others <= 2 and _TIME.search(question.text) is not None and (times(line) or line.id in settled):
            return True
    asked = question_of(question.text, times(question))
    return asked is not None and bool(answering(asked, [question, *behind[:_LOOKED_AT]]))
