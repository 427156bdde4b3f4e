"""Another plugin of the instance, which writes down what the bot sends, as recorders of talk do.

It listens to the calls of the bot and reads each message with the adapter's own values; what it cannot read
it raises.
"""

import json
from pathlib import Path
from typing import Any

from nonebot.adapters.onebot.v11 import Bot, Message, MessageSegment

FILE = Path("recorded.jsonl")


def read(message: Any) -> str:
    """The words of a message, those of its nodes included. Raises where it is none of the adapter's."""
    if not isinstance(message, Message):
        raise TypeError(f"a {type(message).__name__} is sent as a message")
    words = ""
    for part in Message(message):
        if not isinstance(part, MessageSegment):
            raise TypeError(f"a {type(part).__name__} is sent as a segment")
        words += read(part.data["content"]) if part.type == "node" else ""
    return words + message.extract_plain_text()


@Bot.on_calling_api
async def _(bot: Any, api: str, data: dict[str, Any]) -> None:
    if "send" in api:
        read(data.get("message", data.get("messages")))


@Bot.on_called_api
async def _(bot: Any, exception: Exception | None, api: str, data: dict[str, Any], result: Any) -> None:
    if exception is None and "send" in api:
        keep(str(result["message_id"]), read(data.get("message", data.get("messages"))))


def keep(message_id: str, words: str) -> None:
    """Write a message down."""
    with FILE.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"id": message_id, "words": words}, ensure_ascii=False) + "\n")
