"""The agents of this instance: ours, and those other plugins register with one call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from inspect import iscoroutinefunction, signature
from typing import Final, cast, get_args

from ...patterns import Pattern
from ...report import Report
from .dispatch import Priority
from .isolation import Isolation
from .spec import Act, AgentSpec, Intent, MemoryPolicy, Slot

_CODE = Pattern(r"[A-Za-z][A-Za-z0-9_]{0,39}")


class AgentRefused(ValueError):
    """A spec cannot be registered; the text names it and the reason."""


class Registry:
    """Agents by code. Built-in ones come first, in their order; others in the order of registration."""

    def __init__(self, specs: Iterable[AgentSpec] = ()) -> None:
        self._specs: dict[str, AgentSpec] = {}
        for spec in specs:
            self.add(spec)

    def add(self, spec: AgentSpec) -> None:
        """Add an agent. Raises `AgentRefused` where its code is taken or something is missing."""
        problem = _problem(spec)
        if problem is None and spec.code in self._specs:
            problem = "this code is registered already"
        if problem is not None:
            raise AgentRefused(f"agent {spec.code!r}: {problem}")
        self._specs[spec.code] = spec

    def remove(self, code: str) -> None:
        """Take an agent out; nothing where there is none."""
        self._specs.pop(code, None)

    def get(self, code: str) -> AgentSpec | None:
        """The agent with a code."""
        return self._specs.get(code)

    def __iter__(self) -> Iterator[AgentSpec]:
        return iter(tuple(self._specs.values()))

    def __contains__(self, code: object) -> bool:
        return code in self._specs

    def __len__(self) -> int:
        return len(self._specs)


def _problem(spec: AgentSpec) -> str | None:
    if not isinstance(cast("object", spec.code), str) or not _CODE.fullmatch(spec.code):
        return "a code is letters, digits and _ and starts with a letter"
    wrong = _wrong_types(spec)
    if wrong is not None:
        return wrong
    if not spec.intents:
        return "an agent has at least one intent"
    names = spec.intent_names()
    if not all(names):
        return "an intent has a name"
    if len(set(names)) != len(names):
        return "two intents have the same name"
    unknown = {name for slot in spec.slots for name in slot.intents} - set(names)
    if unknown:
        return f"slots name unknown intents: {', '.join(sorted(unknown))}"
    slots = [slot.name for slot in spec.slots]
    if len(set(slots)) != len(slots) or not all(slots):
        return "two slots have the same name, or one has none"
    if set(spec.acts) - set(names):
        return f"acts name unknown intents: {', '.join(sorted(set(spec.acts) - set(names)))}"
    if spec.focus and spec.insertable:
        return "a focus cannot be inserted"
    return None


def _wrong_types(spec: AgentSpec) -> str | None:
    """The first part of a spec that is not what it should be, in words: type hints hold nothing."""
    for name in ("name", "boundary"):
        if not isinstance(cast("object", getattr(spec, name)), str):
            return f"{name} is text"
    if not spec.name.strip():
        return "an agent has a name for people"
    feature = cast("object", spec.feature)
    if feature is not None and (not isinstance(feature, str) or not feature.strip() or " " in feature):
        return "feature is the name of a switch: one word"
    if not isinstance(cast("object", spec.intents), tuple) or not all(
        isinstance(cast("object", each), Intent) for each in spec.intents
    ):
        return "intents is a tuple of Intent"
    if not isinstance(cast("object", spec.slots), tuple) or not all(
        isinstance(cast("object", each), Slot) for each in spec.slots
    ):
        return "slots is a tuple of Slot"
    if cast("object", spec.priority) not in tuple(Priority):
        return "priority is one of Priority (1 to 4)"
    for name, takes in _PURE.items():
        value = getattr(spec, name)
        if value is None and name in _OPTIONAL:
            continue
        if not callable(value) or _is_async(value):
            return f"{name} is a function (and not an async one)"
        if not _takes(value, takes):
            return f"{name} takes {takes} argument{'s' * (takes > 1)}"
    for name, takes in _ASYNC.items():
        value = getattr(spec, name)
        if value is None:
            continue
        if not _is_async(value):
            return f"{name} is an async function"
        if not _takes(value, takes):
            return f"{name} takes {takes} argument{'s' * (takes > 1)}"
    return _wrong_rows(spec)


def _wrong_rows(spec: AgentSpec) -> str | None:
    """The first row of the tables of intents and slots that is not what it should be, in words."""
    lacking = [one.name for one in spec.intents if spec.handler is None and one.handler is None]
    if lacking:
        none = ", ".join(map(str, lacking))
        return f"handler is an async function, or each intent has one; nothing does: {none}"
    if spec.handler is not None and any(one.handler is not None for one in spec.intents):
        return "an agent has one handler, or its intents have theirs; not both"
    for one in spec.intents:
        if not isinstance(cast("object", one.name), str) or not isinstance(
            cast("object", one.description), str
        ):
            return "an intent has a name and a description, both text"
        if not _texts(one.examples):
            return f"examples of the intent {one.name!r} is a tuple of sentences"
        if one.handler is not None and not (_is_async(one.handler) and _takes(one.handler, 2)):
            return f"the handler of the intent {one.name!r} is an async function of two arguments"
    for one in spec.slots:
        if not isinstance(cast("object", one.name), str) or not isinstance(cast("object", one.question), str):
            return "a slot has a name and a question, both text"
        if one.name.startswith("_"):
            return f"the slot {one.name!r} starts with _: such names are for an agent's own notes"
        if not _texts(one.intents):
            return f"intents of the slot {one.name!r} is a tuple of names"
        if one.read is not None and (_is_async(one.read) or not _takes(one.read, 1)):
            return f"read of the slot {one.name!r} is a function of a clause"
    if not isinstance(cast("object", spec.memory), MemoryPolicy):
        return "memory is a MemoryPolicy"
    acts = cast("object", spec.acts)
    if not isinstance(acts, Mapping):
        return "acts is a mapping of intents to acts"
    strange = [str(act) for act in cast("Mapping[object, object]", acts).values() if act not in get_args(Act)]
    if strange:
        return f"an act is one of {', '.join(get_args(Act))}, not {', '.join(strange)}"
    return None


def _texts(values: object) -> bool:
    return isinstance(values, tuple) and all(
        isinstance(each, str) for each in cast("tuple[object, ...]", values)
    )


def _is_async(value: object) -> bool:
    inner: object = getattr(value, "func", value)  # of a partial, what it calls
    called = getattr(type(inner), "__call__", None)  # noqa: B004 - an object with an async __call__ is one
    return callable(value) and (iscoroutinefunction(inner) or iscoroutinefunction(called))


def _takes(value: Callable[..., object], count: int) -> bool:
    """True if `value` can be called with `count` arguments, or has no readable signature."""
    try:
        signature(value).bind(*range(count))
    except TypeError:
        return False
    except ValueError:
        return True
    return True


_PURE: Final = {"rules": 1, "read": 2, "answers": 2, "replies": 2, "overhears": 1, "listens": 1}
_ASYNC: Final = {"handler": 2, "expire": 1, "drop": 1, "undo": 1}
"""Callbacks of an agent, with how many arguments each takes."""
_OPTIONAL: Final = frozenset({"answers", "replies", "overhears", "listens"})


class RegisteredAgents:
    """Two registries as one: the plugin's own agents, then those of others, whenever they come, each of
    these behind its `Isolation`. `report` tells the log of an error of theirs."""

    def __init__(self, own: Registry, others: Registry, report: Report) -> None:
        self._own = own
        self._others = others
        self._report = report
        self._isolated: dict[str, tuple[AgentSpec, Isolation]] = {}

    def get(self, code: str) -> AgentSpec | None:
        """The agent with a code; the plugin's own first."""
        other = self._others.get(code)
        return self._own.get(code) or (None if other is None else self._guarded(other))

    def __iter__(self) -> Iterator[AgentSpec]:
        yield from self._own
        yield from (self._guarded(spec) for spec in self._others if spec.code not in self._own)

    def _guarded(self, spec: AgentSpec) -> AgentSpec:
        known = self._isolated.get(spec.code)
        if known is None or known[0] is not spec:
            known = self._isolated[spec.code] = (spec, Isolation(spec, self._report))
        return known[1].spec


BUILT_IN: Final = frozenset(
    {"schedule", "tasks", "bookkeeping", "record", "chat", "reminders", "reminder", "calendar"}
)
"""Codes of the plugin's own agents: no other plugin may take one."""
OWN_FEATURES: Final = frozenset(
    {
        *("插话", "复读", "日程监听", "日程", "任务", "记账", "提醒", "日报", "周报"),
        *("群记录", "语音", "图片", "表情", "安全", "聊天"),
    }
)
"""Switches and names of the plugin's own: another's agent has a switch and a name of its own."""
REGISTRY = Registry()
"""Agents registered by other plugins. The running plugin puts its own in front of these."""


def register_agent(spec: AgentSpec, registry: Registry = REGISTRY) -> None:
    """Register an agent of another plugin: it takes part from the next message on.

    Call it while the plugin is imported, after `require("nonebot_plugin_mishu")`. Raises `AgentRefused`.
    `registry` is the running instance's, but in tests.
    """
    if not isinstance(cast("object", spec), AgentSpec):
        raise AgentRefused(f"register_agent takes an AgentSpec, not {type(spec).__name__}")
    if spec.code in BUILT_IN:
        raise AgentRefused(f"agent {spec.code!r}: this code is one of Mishu's own")
    if spec.feature in OWN_FEATURES or spec.name in OWN_FEATURES:
        raise AgentRefused(f"agent {spec.code!r}: this name or feature is one of Mishu's own")
    registry.add(spec)
