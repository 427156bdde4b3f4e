"""Models that are of no use: what they answer to each call, for the scripted endpoint."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from model_server import Completion, Request, tool_calls

QUIET: Final = {
    "should_reply": False,
    "is_questioned": False,
    "is_interesting": False,
    "reply_strategy": "",
    "topic": "",
    "reply_target": "",
    "plan": None,
}
SAFE: Final = {"verdict": "SAFE", "category": "", "reply": ""}


def _frame(agent: str, intent: str, text: str = "", **slots: str) -> dict[str, Any]:
    given = [{"name": name, "value": value} for name, value in slots.items()]
    return {"agent_code": agent, "intent": intent, "slots": given, "priority": 4, "text": text}


TALK: Final[dict[str, Any]] = {
    "parse_intents": {"frames": [_frame("chat", "chitchat")], "intent_ops": [], "safety": "SAFE"},
    "analyze_conversation": QUIET,
    "extract_info": {"candidates": []},
    "check_intent": {"intent": "irrelevant"},
    "generate_operation": {"operations": [], "ambiguous": [], "absent": False},
    "check_safety": SAFE,
    "parse_transactions": {"items": []},
    "correct_transaction": {
        "corrections": [],
        "added": [],
        "removed": [],
        "intent": "unclear",
        "confidence": 0.3,
    },
}
_LOTTERY: Final = {"type": "INCOME", "category": "彩票", "description": "中奖", "date": "2030-01-01"}
INVENTED: Final[dict[str, Any]] = {
    "parse_intents": {
        "frames": [
            _frame("schedule", "delete", "删掉", ref="999", member="王五"),
            _frame("tasks", "create_task", "给总统打电话", title="给总统打电话", member="李白"),
        ],
        "intent_ops": [{"op": "confirm", "frame": "t999", "slot": None, "value": None}],
        "safety": "SAFE",
    },
    "analyze_conversation": {**QUIET, "should_reply": True, "plan": "后天晚上八点总统府开会"},
    "extract_info": {
        "candidates": [
            {
                "intent": "add",
                "need_confirm": False,
                "old_time": "",
                "old_description": "",
                "new_time": "2030-01-01 08:00:00",
                "new_description": "总统府开会",
            }
        ]
    },
    "check_intent": {"intent": "confirm"},
    "generate_operation": {
        "operations": [{"operation": "delete", "id": 999, "time": "", "description": ""}],
        "ambiguous": [998],
        "absent": True,
    },
    "check_safety": SAFE,
    "parse_transactions": {"items": [{"amount": 9999, **_LOTTERY}]},
    "correct_transaction": {
        "corrections": [{"index": 77, "updatedFields": {"amount": 9999}}],
        "added": [{"amount": 8888, **_LOTTERY}],
        "removed": [66],
        "intent": "correction",
        "confidence": 0.99,
    },
}


def talk(request: Request) -> Any:
    """Takes everything for talk."""
    return TALK.get(request.name, "嗯嗯，知道啦。")


def liar(request: Request) -> Any:
    """And says that it has done it."""
    return TALK.get(request.name, "好的，已经帮你记下了，到时候提醒你。")


def inventor(request: Request) -> Any:
    """Knows ids, members, times and sums that nobody ever heard of."""
    if request.name == "manage_tasks":
        if any(message.get("role") == "tool" for message in request.messages):
            return "都办好了。"
        new = {"title": "给总统打电话", "dueDate": "2030-01-01", "timeSegment": "morning"}
        return tool_calls(("delete_task", {"taskId": 999}), ("create_task", new))
    return INVENTED.get(request.name, "好的，已经把总统府的会记下了，王五也会来。")


def fenced(request: Request) -> Any:
    """Puts its answers into prose and a fence."""
    answer = talk(request)
    if isinstance(answer, str):
        return answer
    return Completion(f"好的，结果如下：\n```json\n{json.dumps(answer, ensure_ascii=False)}\n```\n以上。")


def saying(words: str) -> Callable[[Request], Any]:
    """Says the same to everything."""
    return lambda request: words


KINDS: Final[dict[str, Callable[[Request], Any]]] = {
    "talk": talk,
    "empty": saying(""),
    "prose": saying("好的呀，我明白了，这就帮你处理。"),
    "english": saying("Sure! I have noted that down and will remind you."),
    "liar": liar,
    "inventor": inventor,
    "fenced": fenced,
}
MADE_UP: Final = ("总统", "王五", "李白", "中奖", "noted that down", "已经帮你记下")
"""What these models speak of and nobody else does."""
