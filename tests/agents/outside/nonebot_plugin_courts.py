"""订场地: a court is booked for a day and an hour, confirmed, and undone. Written from docs/agents.md."""

import re

from nonebot import require

require("nonebot_plugin_mishu")

from nonebot_plugin_mishu.agents import (
    AgentSpec,
    AnswerMatch,
    Ask,
    Clause,
    FrameRecord,
    Intent,
    Match,
    Slot,
    TaskContext,
    TaskDispatch,
    TaskResult,
    Undo,
    clock_in,
    day_in,
    register_agent,
)

COURTS = ("一号场", "二号场", "三号场")


def court_in(clause: Clause) -> str | None:
    found = re.search("[一二三]号场", clause.text)
    return found.group(0) if found else None


def rules(clause: Clause) -> Match | None:
    text = clause.text
    if "场地" not in text and court_in(clause) is None:
        return None
    if "退" in text or "取消" in text:
        return Match("give_back", weight=3)
    if "哪些" in text or "还有" in text:
        return Match("free", weight=3)
    return Match("book", weight=3) if "订" in text else Match("book", weight=2, sure=False)


def read(intent: str, clause: Clause) -> dict[str, object]:
    court = court_in(clause)
    if court is not None:  # 三号场 looks like the third of a month
        at = clause.text.index(court)
        clause = clause.without(at, at + len(court))
    found = {"court": court, "day": day_in(clause), "clock": clock_in(clause)}
    return {name: value for name, value in found.items() if value is not None}


def answers(frame: FrameRecord, clause: Clause) -> AnswerMatch | None:
    """改成五点 while it is asked whether that is right."""
    given = read(frame.intent, clause)
    if not given:
        return None
    wanted = set(frame.missing_slots) & set(given)
    return AnswerMatch("fills" if wanted else "corrects", given)


class Courts:
    """What is booked: (day, clock, court) to who and by which work. In memory, as a test's agent may."""

    def __init__(self) -> None:
        self.booked: dict[tuple[str, str, str], tuple[str, str]] = {}

    def free(self, day: str, clock: str) -> tuple[str, ...]:
        return tuple(court for court in COURTS if (day, clock, court) not in self.booked)


def courts_spec(courts: Courts) -> AgentSpec:
    async def book(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        task, bound = dispatch.task_id, context.bound
        if bound is not None and bound.relation == "deny":
            return TaskResult(task, "canceled", user_response="好，没有订。")
        slots = {name: dispatch.slots[name] for name in ("court", "day", "clock") if dispatch.slots.get(name)}
        missing = tuple(name for name in ("day", "clock", "court") if name not in slots)
        if missing[:1] == ("court",):
            free = courts.free(slots["day"], slots["clock"])
            if not free:
                return TaskResult(task, "canceled", user_response="那时候都订满了。")
            listed = "\n".join(f"{number}. {court}" for number, court in enumerate(free, 1))
            return TaskResult(
                task,
                "awaiting_user",
                slots,
                missing,
                user_response=f"要哪个场？\n{listed}",
                ask=Ask(options=free),
            )
        if missing:
            return TaskResult(task, "awaiting_user", slots, missing)
        what = f"{slots['day']} {slots['clock']} {slots['court']}"
        if bound is None or bound.relation != "confirm":
            return TaskResult(task, "awaiting_user", slots, user_response=f"订{what}，对吗？", ask=Ask("do"))
        key = (slots["day"], slots["clock"], slots["court"])
        holder = courts.booked.setdefault(key, (context.actor.user_id, context.origin))
        if holder != (context.actor.user_id, context.origin):
            return TaskResult(task, "canceled", user_response="刚被别人订走了。")
        context.undoable(f"订了{what}", {"key": list(key), "origin": context.origin})
        context.acted("courts.book", {"court": slots["court"]}, {"what": what})
        return TaskResult(task, "completed", slots, user_response=f"订好了{what}。")

    async def give_back(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        mine = [key for key, holder in courts.booked.items() if holder[0] == context.actor.user_id]
        if not mine:
            return TaskResult(dispatch.task_id, "completed", user_response="你没有订场地。")
        if context.bound is None:
            asks = f"要退掉你订的 {len(mine)} 个场地吗？"
            return TaskResult(dispatch.task_id, "awaiting_user", user_response=asks, ask=Ask("delete"))
        if context.bound.relation != "confirm":
            return TaskResult(dispatch.task_id, "canceled", user_response="好，留着。")
        for key in mine:
            del courts.booked[key]
        return TaskResult(dispatch.task_id, "completed", user_response="退了。")

    async def free(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        day = dispatch.slots.get("day") or context.now.date().isoformat()
        taken = sorted(f"{clock} {court}" for (on, clock, court) in courts.booked if on == day)
        said = "订掉的有：" + "，".join(taken) if taken else "都空着。"
        return TaskResult(dispatch.task_id, "completed", user_response=said)

    async def undo(undo: Undo) -> str | None:
        day, clock, court = undo.token["key"]
        holder = courts.booked.get((day, clock, court))
        if holder is not None and holder[1] != undo.token["origin"]:
            return "那个场后来别人订了，撤销不了。"
        courts.booked.pop((day, clock, court), None)
        return None

    return AgentSpec(
        code="courts",
        name="场地",
        intents=(
            Intent("book", "订一个场地", ("订明天下午三点的场地", "帮我订二号场"), act="make", handler=book),
            Intent("give_back", "退掉自己订的场地", ("退掉场地",), act="delete", handler=give_back),
            Intent("free", "问场地还有哪些空着", ("明天场地还有哪些",), reads_only=True, handler=free),
        ),
        boundary="只订场地，不约人，不收钱。",
        rules=rules,
        read=read,
        answers=answers,
        slots=(
            Slot("day", "哪天？", required=True, intents=("book",)),
            Slot("clock", "几点？", required=True, intents=("book",)),
            Slot("court", "要哪个场？", required=True, intents=("book",)),
        ),
        feature="场地",
        undo=undo,
    )


register_agent(courts_spec(Courts()))
