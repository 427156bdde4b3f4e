"""HTTP chat request, passed straight to the core (`POST /api/ai/chat`).

No presence, no lock and no ledger: nobody else hears it. What it leaves is what agents keep, and M1. Who
acts is whom the request names: the guard before the API has said that the caller may.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from uuid import uuid4

from ..agents import DEFAULT, Judgement, Outcome, Request, Utterance
from ..clock import Clock
from ..config import Config
from ..core import Core
from ..language.addressing.called_names import uncalled
from ..llm import CallLog, Deadline
from ..storage.records import Conversation, LedgerMessage

NO_ACCOUNT = "http"
"""The account of conversations over HTTP while no bot account is known."""


class HttpConversation:
    """Puts requests to the core as a member would."""

    def __init__(
        self,
        config: Config,
        clock: Clock,
        core: Core,
        bot_names: Sequence[str],
        persona: Callable[[Conversation], str | None],
    ) -> None:
        self._config = config
        self._clock = clock
        self._core = core
        self._bot_names = tuple(bot_names)
        self._persona = persona

    async def ask(self, conversation: Conversation, user_id: str, name: str, text: str) -> Outcome:
        """Answer of the core to `text`, within TIMEOUT + DECIDE_TIMEOUT. Raises `TimeoutError`."""
        seconds = self._config.llm.timeout + self._config.llm.decide_timeout
        now = self._clock.wall()
        message = LedgerMessage(
            conversation=conversation,
            message_id=f"http-{uuid4().hex}",
            time=now,
            receipt=self._clock.receipt(),
            user_id=user_id,
            name=name,
            role="member",
            text=text,
        )
        judgement: asyncio.Future[Judgement] = asyncio.get_running_loop().create_future()
        judgement.set_result(DEFAULT)
        names = (*self._bot_names, *self._config.frontdesk.wake_words)
        request = Request(
            conversation=conversation,
            utterances=(Utterance(message, uncalled(text, names)),),
            context=(message,),
            reply_mode="forced",  # a caller is always answered, also where a question to them is open
            persona=self._persona(conversation),
            bot_names=self._bot_names,
            judgement=judgement,
            now=now,
            deadline=Deadline.after(seconds, self._clock.monotonic),
            calls=CallLog(owed=True, member=user_id),
            today=self._clock.today_began(),
        )
        async with asyncio.timeout(seconds):
            return await self._core.handle(request)
