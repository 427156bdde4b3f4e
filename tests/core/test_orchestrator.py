"""The orchestrator as a machine: what must hold whatever is said, answered, called off or forgotten."""

from __future__ import annotations

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from nonebot_plugin_mishu.agents import Priority, TaskResult
from nonebot_plugin_mishu.core.tasks.orchestrator import TaskPlan, clamped
from nonebot_plugin_mishu.storage.records import FrameRecord
from stand_ins import GROUP

KINDS = {
    "triage": (Priority.FOCUS, True),
    "book": (Priority.FOCUS, True),
    "smartCS": (Priority.OTHER, False),
    "queue": (Priority.ADMIN, False),
    "insert": (Priority.OTHER, False),
    "chat": (Priority.OTHER, False),
}


SOME = st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=4)
ANSWERS = st.lists(st.booleans(), min_size=1, max_size=3)


def passes(task: FrameRecord) -> bool:
    return task.agent_code == "insert"


def task(code: str, message: int, place: int, **changed: Any) -> FrameRecord:
    priority, focus = KINDS[code]
    values: dict[str, Any] = {
        "task_id": f"{message}.{place}",
        "conversation": GROUP,
        "user_id": "1",
        "agent_code": code,
        "intent": "do",
        "text": code,
        "status": "queued",
        "priority": int(priority),
        "focus": focus,
        "origin": f"{message}.{place}",
        "message_id": f"m{message}",
        "place": place,
        "created_at": float(message),
        "updated_at": float(message),
    }
    return FrameRecord(**{**values, **changed})


def done(task_id: str) -> TaskResult:
    return TaskResult(task_id, "completed", user_response="好")


def asks(task_id: str) -> TaskResult:
    return TaskResult(task_id, "awaiting_user", {}, ("x",), None, "什么？")


class Orchestration(RuleBasedStateMachine):
    """One member: messages, answers, cancellations, time."""

    def __init__(self) -> None:
        super().__init__()
        self.plan = TaskPlan()
        self.now = 0.0
        self.messages = 0
        self.known: dict[str, FrameRecord] = {}
        self.dispatched: list[FrameRecord] = []

    def run_all(self, answers: list[bool]) -> None:
        """As the core does: dispatch until nothing may run."""
        steps = 0
        while (task := self.plan.next(passes)) is not None:
            steps += 1
            assert steps < 200, "it never ends"
            waiting = self.plan.focus
            if waiting is not None:
                assert not task.focus, "nothing replaces a focus"
                assert task.agent_code == "chat" or task.message_id != waiting.message_id
                assert task.agent_code in ("chat", "queue", "insert")
            self.dispatched.append(task)
            self.plan = self.plan.begun(task.task_id)
            asking = answers[steps % len(answers)] and task.agent_code != "chat"
            result = asks(task.task_id) if asking else done(task.task_id)
            self.plan = self.plan.took(result, self.now, self.now + 600)

    @rule(codes=SOME, answers=ANSWERS)
    def says(self, codes: list[str], answers: list[bool]) -> None:
        self.messages += 1
        self.now += 1
        new = [task(code, self.messages, place) for place, code in enumerate(codes)]
        self.known.update({one.task_id: one for one in new})
        free = self.plan.focus is None
        began = len(self.dispatched)
        self.plan = self.plan.with_new(new, passes)
        self.run_all(answers)
        mine = [one for one in self.dispatched[began:] if one.message_id == f"m{self.messages}"]
        if free and any(one.focus for one in new):
            assert mine[0].focus, "the focus of a message goes first"
        places = [one.place for one in mine if not one.focus and one.agent_code != "chat"]
        assert places == sorted(places), "the rest in spoken order"

    @precondition(lambda self: any(one.status == "awaiting_user" for one in self.plan.tasks))
    @rule(number=st.integers(0, 9), again=st.booleans())
    def answers(self, number: int, again: bool) -> None:
        waiting = [one for one in self.plan.tasks if one.status == "awaiting_user"]
        one = waiting[number % len(waiting)]
        self.now += 1
        self.plan = self.plan.begun(one.task_id)
        result = asks(one.task_id) if again else done(one.task_id)
        self.plan = self.plan.took(result, self.now, self.now + 600)
        self.run_all([False])
        if one.focus and not again:
            left = [held for held in self.plan.held() if held.message_id == one.message_id and not held.focus]
            assert not left, "when a focus ends, what waited behind it is done in the same turn"

    @precondition(lambda self: self.plan.open)
    @rule(number=st.integers(0, 9))
    def calls_off(self, number: int) -> None:
        one = self.plan.open[number % len(self.plan.open)]
        self.plan = self.plan.without({one.task_id}, self.now)
        assert not self.plan.get(one.task_id).open  # type: ignore[union-attr]
        self.run_all([False])

    @rule(seconds=st.sampled_from([1.0, 599.0, 700.0]))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds
        focus = self.plan.focus
        self.plan, ended = self.plan.expired(self.now)
        assert all(one.open for one in ended)
        if focus is not None and focus.task_id in {one.task_id for one in ended}:
            assert not self.plan.held(), "what waited behind an expired focus ends with it"
        assert all(one.expires_at is None or one.expires_at > self.now for one in self.plan.open)

    @rule()
    def starts_again(self) -> None:
        self.plan = TaskPlan(self.plan.open).from_disk()
        assert all(one.status in ("queued", "awaiting_user") for one in self.plan.tasks)

    @rule(number=st.integers(0, 9))
    def is_handled_again(self, number: int) -> None:
        if not self.plan.open:
            return
        one = self.plan.open[number % len(self.plan.open)]
        before = len(self.plan.tasks)
        self.plan = self.plan.with_new([self.known[one.task_id]], passes)
        assert len(self.plan.tasks) == before
        self.run_all([False])

    @invariant()
    def there_is_one_focus_at_most(self) -> None:
        held = [one for one in self.plan.tasks if one.focus and one.status in ("active", "awaiting_user")]
        assert len(held) <= 1

    @invariant()
    def what_waits_waits_for_a_focus(self) -> None:
        if self.plan.held():
            assert self.plan.focus is not None

    @invariant()
    def a_question_has_its_time(self) -> None:
        for one in self.plan.tasks:
            assert (one.status == "awaiting_user") == (one.expires_at is not None)
            assert (one.status == "awaiting_user") == (one.question is not None)

    @invariant()
    def nobody_is_there_twice(self) -> None:
        ids = [one.task_id for one in self.plan.tasks]
        assert len(set(ids)) == len(ids)
        assert set(ids) <= set(self.known)


TestOrchestration = Orchestration.TestCase
TestOrchestration.settings = settings(max_examples=150, stateful_step_count=25)


def test_completed_with_missing_slots_waits() -> None:
    plan = TaskPlan((task("triage", 1, 0, status="active"),))
    plan = plan.took(TaskResult("1.0", "completed", {"a": 1}, ("b",), "queue", "b 呢？"), 5.0, 9.0)
    one = plan.tasks[0]
    assert (one.status, one.missing_slots, one.question) == ("awaiting_user", ["b"], "b 呢？")
    assert (one.slots, one.handoff, one.updated_at, one.expires_at) == ({"a": 1}, "queue", 5.0, 9.0)


def test_recall_forgets_the_question_and_keeps_the_slots() -> None:
    plan = TaskPlan(
        (task("triage", 1, 0, status="active", question="？", question_ids=["s"], slots={"a": 1}),)
    )
    one = plan.took(done("1.0"), 5.0, 9.0).tasks[0]
    assert (one.status, one.question, one.question_ids, one.expires_at) == ("completed", None, [], None)
    assert one.slots == {"a": 1}


def test_what_is_held_is_a_child_of_the_focus() -> None:
    focus = task("triage", 1, 0, status="awaiting_user")
    new = [task("smartCS", 2, 0), task("queue", 2, 1), task("chat", 2, 2), task("insert", 2, 3)]
    plan = TaskPlan((focus,)).with_new(new, passes)
    assert [one.parent_task_id for one in plan.tasks[1:]] == ["1.0", None, None, None]


def test_a_models_priority_is_never_more_urgent_than_the_class() -> None:
    assert clamped(None, Priority.ADMIN) == 3
    assert clamped(1, Priority.OTHER) == 4
    assert clamped(4, Priority.FOCUS) == 4
    assert clamped(99, Priority.FOCUS) == 4
    assert clamped(-3, Priority.FOCUS) == 2


def test_ended_tasks_stay_ended() -> None:
    plan = TaskPlan((task("smartCS", 1, 0, status="completed"), task("queue", 1, 1, status="canceled")))
    assert plan.without({"1.0", "1.1"}, 9.0) == plan
    assert plan.next() is None
