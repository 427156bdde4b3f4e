"""Wording of times, amounts and states on the pages. Pure."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

WEEKDAYS: Final = "一二三四五六日"
PRESENCE: Final = {
    "absent": "没在听",
    "familiar": "凑热闹",
    "observing": "留意着",
    "summoned": "有人叫",
}
"""States of `secretary.presence`, the least attentive first."""
TRIGGERS: Final = {
    "summon": "有人叫我",
    "answer": "有人回答我",
    "order": "有人吩咐我",
    "echo": "复读",
    "dense": "聊得热闹",
    "overheard": "旁听",
    "chat": "闲聊",
}
"""Triggers of decisions."""
STEPS: Final = {
    "held": "等着",
    "captions": "看图",
    "analysis": "想要不要说",
    "reply": "想怎么说",
    "send": "发出去",
    "total": "一共",
}
"""Steps of a reply that take time."""
CALLS: Final = {
    "analyze_conversation": "想要不要说话",
    "parse_intents": "听懂一句话",
    "check_safety": "看安不安全",
    "chat_reply": "聊天",
    "caption_image": "看图",
    "summarize": "记住聊过的",
    "extract_info": "找出日程",
    "check_intent": "看要办什么",
    "generate_operation": "改日程",
    "manage_tasks": "改任务",
    "parse_transactions": "听出账目",
    "correct_transaction": "改账",
    "digest": "总结",
}
"""Purposes of model calls, by the name of the call."""
STRATEGIES: Final = {"fishing_reply": "搭话"}
"""Reply strategies that are names and no sentences."""
OTHER_CALL: Final = "别的"


def describe_call(call: str) -> str:
    """Wording of a call's purpose; `OTHER_CALL` for an agent from outside."""
    return CALLS.get(call, OTHER_CALL)


def day(when: date, today: date) -> str:
    """今天, 明天, 11月25日 周三; of another year with it."""
    gap = (when - today).days
    if -1 <= gap <= 2:
        return ("昨天", "今天", "明天", "后天")[gap + 1]
    year = "" if when.year == today.year else f"{when.year}年"
    return f"{year}{when.month}月{when.day}日 周{WEEKDAYS[when.weekday()]}"


def span(start: datetime, end: datetime | None, *, all_day: bool) -> str:
    """全天, 15:00, 15:00–16:30."""
    if all_day:
        return "全天"
    if end is None or end == start:
        return f"{start:%H:%M}"
    if end.date() == start.date():
        return f"{start:%H:%M}–{end:%H:%M}"
    return f"{start:%H:%M}–{end.month}月{end.day}日"


def yuan(fen: int) -> str:
    """1,234.50."""
    sign, whole = ("-" if fen < 0 else ""), abs(fen)
    return f"{sign}{whole // 100:,}.{whole % 100:02d}"


def moment(at: datetime, today: date) -> str:
    """今天 15:00."""
    return f"{day(at.date(), today)} {at:%H:%M}"


def ahead(minutes: int) -> str:
    """到点提醒, 提前10分钟, 提前2小时, 提前1天."""
    if minutes <= 0:
        return "到点提醒"
    if minutes % 1440 == 0:
        return f"提前{minutes // 1440}天"
    return f"提前{minutes // 60}小时" if minutes % 60 == 0 else f"提前{minutes}分钟"
