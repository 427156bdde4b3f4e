"""The chat agent: talks with the persona through the model, and honestly without one."""

from __future__ import annotations

import re

from ...llm import ModelClient, ModelError
from ...memory import Transcript, clean_name
from ...storage.records import Conversation
from ..dispatch import TaskDispatch, TaskResult
from ..errand import Errand
from ..judgement import DEFAULT, Judgement
from ..request import Request
from ..spec import AgentSpec, Intent, MemoryPolicy
from . import offline
from .prompt import messages

_PREFIX = re.compile(r"^\s*(?:\d+[.、]\s*)?(?:\[(?:u\d+|me)[^\]]*\]|(?:u\d+|me)[:：])\s*")
_DATA = re.compile(r"\s*(?:```(?:json|html)|[{<]|\[\s*[{\"\[])", re.IGNORECASE)
"""What starts like this is data or markup, most often cut short, and not something to be said."""
_KEY = re.compile(r"\bsk-[\w-]{16,}|\bbearer\s+[\w.~+/-]{16,}", re.IGNORECASE)
"""What looks like a key is not said, wherever a model has it from."""
_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)


class ChatAgent:
    """Answers by `chat_reply`. Where no model answers, says so in words that tell no details."""

    def __init__(self, model: ModelClient, name: str, rounds: int = 10) -> None:
        """`name` is the secretary's; `rounds` of M1 are shown to the model, as far as the talk at hand does
        not hold them already."""
        self._model = model
        self._name = name
        self._rounds = rounds
        self._told: dict[Conversation, float] = {}
        """Where it was said that the day's tokens are spent, and on which day."""

    def spec(self) -> AgentSpec:
        """What the core knows of it. Its rules see nothing: chat is what is left where no agent fits."""
        return AgentSpec(
            code="chat",
            name="聊天",
            intents=(
                Intent("chitchat", "闲聊、问候、提问，不需要办事", ("在吗", "你觉得呢"), reads_only=True),
            ),
            boundary="一切不用办事的话：闲聊、问候、知识问题、对秘书说的感想。",
            handler=self.handle,
            rules=lambda clause: None,
            memory=MemoryPolicy(turns=self._rounds, group=True),
        )

    async def handle(self, dispatch: TaskDispatch, errand: Errand) -> TaskResult:
        """One reply to all utterances of the request; several are named."""
        text, errand.reason = await self._reply(errand)
        status = "canceled" if text is None else "completed"
        return TaskResult(dispatch.task_id, status, user_response=text)

    async def _reply(self, errand: Errand) -> tuple[str | None, str]:
        """What to say, and why."""
        request = errand.request
        known = None if request.way == "fishing" else offline.answer(request.lead.words)
        if known is not None and len(request.utterances) == 1:
            return known, "本地应答"
        if not self._model.online:
            return self._without_model(request, "没有配置模型")
        judgement = None if request.way == "fishing" else await self._judgement(request)
        keep = [said.message.message_id for said in request.utterances]
        transcript = Transcript(request.context, keep=keep)
        try:
            said = await self._model.text(
                "chat_reply",
                messages(errand, transcript, judgement, self._name),
                deadline=request.deadline,
                conversation=request.conversation,
                log=request.calls,
            )
        except ModelError as error:
            return self._without_model(request, f"模型没有答复（{error.label}）", error.kind)
        text = transcript.named(_spoken(said))
        if not text or _DATA.match(text) or _KEY.search(text):
            return self._without_model(request, "模型的答复不是一句话", "invalid")
        return _naming(request, text), "模型答复"

    async def _judgement(self, request: Request) -> Judgement:
        return await request.judgement if request.way != "core" else DEFAULT

    def _without_model(self, request: Request, reason: str, kind: str = "offline") -> tuple[str | None, str]:
        if request.way == "fishing":
            return offline.small_talk(request.lead.message.message_id), "本地搭话"
        if request.way in ("questioned", "interesting"):
            return None, reason
        if kind == "budget" and not self._first_today(request):
            kind = "offline"
        return _naming(request, offline.honest(kind)), reason

    def _first_today(self, request: Request) -> bool:
        """Whether a spent budget is to be told here: once a day in each conversation (contracts, LLM)."""
        self._told = {where: day for where, day in self._told.items() if day == request.today}
        first = request.conversation not in self._told
        self._told[request.conversation] = request.today
        return first


def _spoken(text: str) -> str:
    """What is left when thoughts and a repeated speaker prefix are taken off."""
    return _PREFIX.sub("", _THOUGHT.sub("", text)).strip()


def _naming(request: Request, text: str) -> str:
    """A joint reply names everybody it answers: those the text does not mention are put in front."""
    names = list(dict.fromkeys(clean_name(said.message.name) for said in request.utterances))
    missing = [name for name in names if name not in text]
    if len(names) < 2 or not missing:
        return text
    return f"{'、'.join(missing)}：{text}"
