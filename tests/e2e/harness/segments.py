"""OneBot v11 message segments, as the wire carries them."""

from __future__ import annotations

from typing import Any

Segment = dict[str, Any]


def text(value: str) -> Segment:
    """Words."""
    return {"type": "text", "data": {"text": value}}


def at(user: str | int) -> Segment:
    """An @ of somebody; `all` is everybody."""
    return {"type": "at", "data": {"qq": str(user)}}


def reply(message_id: int | str) -> Segment:
    """A quote of an earlier message."""
    return {"type": "reply", "data": {"id": str(message_id)}}


def image(url: str, name: str = "a.png") -> Segment:
    """A picture."""
    return {"type": "image", "data": {"file": name, "url": url, "sub_type": 0, "file_size": "70"}}


def face(number: int = 178) -> Segment:
    """A QQ face."""
    return {"type": "face", "data": {"id": str(number)}}


def mface(summary: str = "[开心]") -> Segment:
    """A sticker from the shop."""
    return {"type": "mface", "data": {"emoji_id": "1", "emoji_package_id": "2", "summary": summary}}


def record(file: str = "a.amr") -> Segment:
    """A voice message."""
    return {"type": "record", "data": {"file": file, "url": ""}}


def card(words: str) -> Segment:
    """A card (a shared link, somebody's name card) whose JSON holds `words`."""
    return {"type": "json", "data": {"data": '{"app":"com.tencent.contact.lua","prompt":"' + words + '"}'}}


def parts(*given: Segment | str) -> list[Segment]:
    """Segments from segments and plain strings."""
    return [text(item) if isinstance(item, str) else item for item in given]


def plain(segments: list[Segment]) -> str:
    """The words of a message."""
    return "".join(str(item["data"].get("text", "")) for item in segments if item["type"] == "text")


def cq(segments: list[Segment]) -> str:
    """The string form that `raw_message` has, and `message` where an implementation is set to `string`."""
    return "".join(_cq(item) for item in segments)


def _cq(segment: Segment) -> str:
    if segment["type"] == "text":
        return str(segment["data"]["text"]).replace("&", "&amp;").replace("[", "&#91;").replace("]", "&#93;")
    data = ",".join(f"{key}={_value(value)}" for key, value in segment["data"].items())
    return f"[CQ:{segment['type']},{data}]" if data else f"[CQ:{segment['type']}]"


def _value(value: object) -> str:
    return str(value).replace("&", "&amp;").replace("[", "&#91;").replace("]", "&#93;").replace(",", "&#44;")


def file(name: str, file_id: str) -> Segment:
    """A file that a friend sent, as NapCat tells of it."""
    return {"type": "file", "data": {"file": name, "file_id": file_id, "file_size": "1024", "url": ""}}
