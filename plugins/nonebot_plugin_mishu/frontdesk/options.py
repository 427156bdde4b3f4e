"""Parts that a front desk may have; the defaults are an instance without them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field

from ..agents import REGISTRY, AgentSpec
from ..imports.shelf import Shelf
from ..voice import SpeechSynthesizer, Transcriber
from .commands.features import Switched, nothing_switched
from .commands.parsing import SLASH, CommandStarts
from .commands.web_links import WebSessions
from .duty.duties import Duties
from .rooms.member_names import Card, nobody_known


@dataclass(frozen=True, slots=True)
class DeskOptions:
    """Optional parts of a `FrontDesk`."""

    transcriber: Transcriber | None = None
    """Words of voice messages; None where there is no such model."""
    synthesizer: SpeechSynthesizer | None = None
    """Spoken replies; None where there is no such model."""
    shelf: Shelf | None = None
    """Takes files that friends send; None to take none."""
    web_sessions: WebSessions | None = None
    """Links of `/秘书 网页`; None without the console."""
    duties: Duties = field(default_factory=Duties)
    """Accounts of this process; by default an instance with one account and one process."""
    others: Iterable[AgentSpec] = REGISTRY
    """Agents that other plugins registered, read at every command."""
    starts: CommandStarts = SLASH
    """Beginnings of commands in this instance."""
    card: Card = nobody_known
    """Asks the platform for a member's name."""
    superusers: Callable[[], Collection[str]] = tuple
    """Ids of the instance's superusers, read at every use."""
    switched: Switched = nothing_switched
    """Called after a feature was switched."""
    speaking_again: Callable[[], None] = lambda: None
    """Called when a silence was ended before its time."""
    prepared: asyncio.Event | None = None
    """Set once words and grammars are loaded; rooms wait for it."""
