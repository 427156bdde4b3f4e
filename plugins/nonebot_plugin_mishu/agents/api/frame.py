"""Frame that an agent read in a clause: typed, with slots that anybody may see. Values only.

An agent's `read` makes a frame of a clause once; the handler is given that frame and reads no text again.
What `explain` shows are the frame's slots, so what is shown is what runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, cast

from ...language.clause import Clause

Span = tuple[int, int]
"""From and to, in the clause's text."""


class AgentFrame(Protocol):
    """Every agent's frame; beside these two an agent's own class has whatever its handler needs, typed."""

    @property
    def slots(self) -> Mapping[str, Any]:
        """Values of the agent's slots by name; fit to be shown, stored and given to a model."""
        ...

    @property
    def spans(self) -> Mapping[str, Span]:
        """Places of the slots in the clause's text, as far as the agent knows them."""
        ...


@dataclass(frozen=True, slots=True)
class SlotFrame:
    """A frame that is its slots and nothing else: what a model answered, or an agent with simple needs."""

    slots: Mapping[str, Any] = field(default_factory=dict[str, Any])
    spans: Mapping[str, Span] = field(default_factory=dict[str, Span])


ReadFrame = Callable[[str, Clause], AgentFrame | Mapping[str, Any]]
"""Pure: the frame of an intent as far as the clause tells it: slots by name, or the agent's own typed
`AgentFrame`. The handler gets it as `context.frame`."""

NOTHING_READ: Final = SlotFrame()
GUESSED: Final = "（时间不对就说「撤销」）"
"""Behind what was kept at a clock that the member left open, where its frame says so."""


def frame_of(read: AgentFrame | Mapping[str, Any]) -> AgentFrame:
    """An agent's `read` result as a frame: an agent may return its slots alone."""
    return SlotFrame(read) if isinstance(read, Mapping) else read


def ref_slots(refs: Sequence[str], *, every: bool | None = None) -> Mapping[str, Any]:
    """The ids of what is kept and meant as slots: `ref`, or `refs` of several; `every`: as in `Match`."""
    if not refs:
        return {}
    return {
        **({"ref": refs[0]} if len(refs) == 1 else {"refs": list(refs)}),
        **({"every": every} if every is not None else {}),
    }


def refs_of(slots: Mapping[str, Any]) -> tuple[str, ...]:
    """The ids that `ref_slots` put among the slots."""
    one, several = slots.get("ref"), slots.get("refs")
    if isinstance(one, str):
        return (one,)
    return tuple(str(each) for each in cast("list[object]", several)) if isinstance(several, list) else ()
