"""Chat that official bots hear is not logged."""

from __future__ import annotations

import pytest
from nonebot.adapters.qq import Adapter
from nonebot.adapters.qq import event as module
from nonebot.adapters.qq.models.payload import Dispatch
from nonebot.exception import NoLogException

from bot import quiet_qq

SAID = {
    "id": "m",
    "content": "保险箱密码 8842",
    "timestamp": "2026-11-18T10:00:00+08:00",
    "author": {"id": "A", "bot": False, "member_openid": "A", "member_role": "member"},
    "group_id": "G",
    "group_openid": "G",
}


@pytest.mark.parametrize(
    ("level", "hidden"), [("INFO", True), ("WARNING", True), ("DEBUG", False), (5, False)]
)
def test_hidden_unless_details_are_asked_for(
    monkeypatch: pytest.MonkeyPatch, level: str | int, hidden: bool
) -> None:
    monkeypatch.setattr(module, "EVENT_CLASSES", dict(module.EVENT_CLASSES))
    monkeypatch.setattr("nonebot.adapters.qq.adapter.EVENT_CLASSES", module.EVENT_CLASSES)
    quiet_qq.keep_chat_out_of_the_log(level)
    payload = Dispatch(op=0, s=1, t="GROUP_MESSAGE_CREATE", d=SAID, id="e")  # type: ignore[call-arg]
    event = Adapter.payload_to_event(payload)
    assert isinstance(event, module.GroupMessageCreateEvent)
    if hidden:
        with pytest.raises(NoLogException):
            event.get_log_string()
    else:
        assert "8842" in event.get_log_string()
