"""The invented account: connected to the bot as QQ is, it names its groups and members and says nothing."""

from __future__ import annotations

import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, Final

from .example import ACCOUNT, GROUP, OTHER, PEOPLE

GROUPS: Final = {GROUP: "产品小组", OTHER.peer: "周末爬山群"}


@contextmanager
def connected(address: str) -> Generator[None]:
    """Connected to the bot's OneBot address, until it is over."""
    from websockets.exceptions import ConnectionClosed
    from websockets.sync.client import connect

    headers = {"X-Self-ID": ACCOUNT, "X-Client-Role": "Universal"}
    with connect(address, additional_headers=headers, proxy=None) as socket:

        def answer() -> None:
            try:
                for frame in socket:
                    call = json.loads(frame)
                    data = _answer(call["action"], call.get("params") or {})
                    status = {"status": "ok", "retcode": 0, "data": data, "echo": call.get("echo")}
                    socket.send(json.dumps(status, ensure_ascii=False))
            except ConnectionClosed:
                return

        answering = threading.Thread(target=answer, name="invented account")
        answering.start()
        try:
            yield
        finally:
            socket.close()
            answering.join(10)


def _answer(action: str, given: dict[str, Any]) -> Any:
    members = [_member(user) for user in PEOPLE]
    match action:
        case "get_group_list":
            return [
                {
                    "group_id": int(each),
                    "group_name": name,
                    "member_count": len(PEOPLE) if each == GROUP else 3,
                }
                for each, name in GROUPS.items()
            ]
        case "get_group_member_list":
            return members
        case "get_group_member_info":
            return _member(str(given.get("user_id")))
        case "get_login_info":
            return {"user_id": int(ACCOUNT), "nickname": "秘书"}
        case _:
            return {"message_id": 1}


def _member(user: str) -> dict[str, Any]:
    name, role = PEOPLE.get(user, ("秘书", "member"))
    return {"group_id": int(GROUP), "user_id": int(user), "nickname": name, "card": "", "role": role}
