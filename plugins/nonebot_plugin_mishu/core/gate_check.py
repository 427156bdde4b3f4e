"""The gate as the core asks it: local rules at once, and a model's second look where one is wanted.

The model can only make a verdict graver. Its words are used only where they may be said.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import Final, Literal

from pydantic import BaseModel, Field

from ..agents import Request
from ..llm import ModelClient, ModelError
from .gate import SAFE, Verdict, local_verdict, may_say
from .instructions import SAFETY_CHECK, repeats_instructions
from .protocols import Judged
from .safety_replies import BLOCK_REPLY, EMERGENCY_REPLIES, EMERGENCY_REPLY, OFFERS_HELP

BUDGET: Final = 5.0
"""Seconds a model check may take at most, or DECIDE_TIMEOUT where that is shorter."""
_ORDER: Final = {"SAFE": 0, "BLOCK": 1, "EMERGENCY": 2}
_WORRY: Final = re.compile(
    r"死|自杀|自残|割腕|轻生|遗书|遗言|解脱|告别|永别|再见[了吧]|活(?:着|下去|不|了|腻|够|过|一天)|想活|独活|没意思|撑|熬不|"
    r"跳(?:下|楼|河|江|桥|轨)|天台|楼顶|阳台|桥上|绳子|(?<![提唤清])醒|累赘|拖累|折磨|抑郁|绝望|崩溃|控制不[住了]|下辈子|来世|"
    r"另一个世界|这个世界|天上等|在天上|这条命|结束(?:自己|一切|这一切|$)|在乎我|联系我|没来上课|热线|割|划(?:了|开|自己|的口)|自己(?:又|$)|"
    r"药|毒|血|疼得|痛得|疼[,，]|绞|剧[疼痛]|一阵阵|昏|晕|抽(?:搐|了|过去)|窒息|喘|呼吸|胸|心(?:慌|脏|口|跳)|冷汗|嘴唇|嘴角|喉咙|嗓子|[脸嘴腿手][^,。，]{0,3}[麻肿歪紫青]|"
    r"噎|呛|卡住|咽|吞|误[食服喝吞]|喝了[^,。，]{0,6}[口瓶杯水液剂药酒]|吃了?[^,。，]{0,4}[片颗粒]|蘑菇|头孢|过敏|咬|蛰|烫|摔|撞|栽|砸|扎|掉(?:进|下|河|水|了,)|从[^,。，]{1,4}掉|"
    r"溺|落水|河里|沉|漂着|浪|触电|高压电|怀孕|羊水|胎动|不动|动不了|抬不起|使不上|说不[清出]|看不见|没知觉|叫不[醒应]|没反应|叫他没|吐|"
    r"炸|爆|刀|枪|砍|杀|烧|着火|冒[^,。，]{0,1}烟|煤气|绑架|打我|跟(?:着|踪)我|尾随|害怕|救命|🔪|"
    r"kill|suicid|\bdie\b|meaningless|anymore|end it|(?<![a-z])zs(?![a-z])|想[s4]|想去s|说声再见|huo le",
    re.IGNORECASE,
)


class SafetyAnswer(BaseModel):
    """The answer of `check_safety` (contracts, Model calls)."""

    verdict: Literal["SAFE", "BLOCK", "EMERGENCY"]
    category: str = Field(default="")
    reply: str = Field(default="")


def worries(text: str) -> bool:
    """Whether a text holds a word that makes a second look worth a call. Most such texts are harmless."""
    return _WORRY.search(text) is not None


def graver(one: Verdict, other: Verdict) -> Verdict:
    """The graver of two verdicts, the first of equals."""
    return other if _ORDER[other.verdict] > _ORDER[one.verdict] else one


def locally(texts: Sequence[str]) -> Verdict:
    """The gravest verdict of the local rules over some texts."""
    found = SAFE
    for text in texts:
        found = graver(found, local_verdict(text))
    return found


def from_model(
    verdict: Literal["SAFE", "BLOCK", "EMERGENCY"], category: str = "", reply: str = ""
) -> Verdict:
    """A model's verdict with words that may be said: its own where they pass, else ours."""
    if verdict == "SAFE":
        return SAFE
    reply = reply.strip()
    fits = 0 < len(reply) <= 500 and may_say(reply) and not repeats_instructions(reply)
    if verdict == "BLOCK":
        return Verdict("BLOCK", category[:20] or "模型判断", reply if fits else BLOCK_REPLY)
    fits = fits and re.search(OFFERS_HELP, reply) is not None
    ours = EMERGENCY_REPLIES.get(category, EMERGENCY_REPLY)
    return Verdict("EMERGENCY", category[:20] or "模型判断", reply if fits else ours)


class SafetyGate:
    """The gate of the running plugin."""

    def __init__(self, model: ModelClient | None, decide_timeout: float) -> None:
        self._model = model
        self._budget = min(BUDGET, decide_timeout)

    async def check(self, request: Request, texts: Sequence[str], *, ask_model: bool) -> Judged:
        """As `Gate.check`. The check's own time-out leaves `late`; any other failure the local verdict."""
        found = locally(texts)
        if found.verdict == "EMERGENCY" or not ask_model or self._model is None or not self._model.online:
            return Judged(found)
        deadline = request.deadline.earlier(self._budget)
        try:
            async with asyncio.timeout(deadline.remaining()):
                answer = await self._model.structured(
                    "check_safety",
                    {"text": "\n".join(texts)[:2000]},
                    SafetyAnswer,
                    instructions=SAFETY_CHECK,
                    deadline=deadline,
                    conversation=request.conversation,
                    log=request.calls,
                )
        except TimeoutError:
            return Judged(found, late=True)
        except ModelError as error:
            return Judged(found, late=error.kind == "timeout")
        return Judged(graver(found, from_model(answer.verdict, answer.category, answer.reply)))
