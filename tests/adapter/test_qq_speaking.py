"""Speaking as an official bot: what a refusal, a lost line or a silent QQ becomes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from nonebot import logger
from nonebot.adapters.qq import Bot
from nonebot.adapters.qq.config import BotInfo
from nonebot.adapters.qq.exception import ActionFailed, NetworkError, RateLimitException
from nonebot.drivers import Response
from nonebot_plugin_mishu.adapter.asking import RosterNeeds
from nonebot_plugin_mishu.adapter.qq.reply_windows import Answerable
from nonebot_plugin_mishu.adapter.qq.rosters import QqRosters
from nonebot_plugin_mishu.adapter.qq.speaking import QqPlatform
from nonebot_plugin_mishu.adapter.qq.writing import LONGEST
from nonebot_plugin_mishu.frontdesk.duty.duties import Duties
from nonebot_plugin_mishu.secretary import Button, SendFailed, Speech
from nonebot_plugin_mishu.storage.records import PRESSED, Conversation

PLACE = Conversation("102", "group", "GROUP")
NOW, WALL = 1000.0, 1_800_000_000.0
BUTTONS = (Button("确认", "确认"), Button("不用", "不用"))


class ConnectError(Exception):
    """As an HTTP client names it."""


def refused(code: int | None, status: int = 400) -> ActionFailed:
    body = "{}" if code is None else f'{{"code": {code}}}'
    kind = RateLimitException if status == 429 else ActionFailed
    return kind(Response(status, content=body))


def lost(cause: Exception) -> NetworkError:
    error = NetworkError("API request failed")
    error.__cause__ = cause
    return error


class Qq:
    """Answers calls as told, in order, and notes them."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.answers: list[Any] = []
        self.token: Exception | None = None
        self.meanwhile: Callable[[], None] = lambda: None
        self.chances: list[Conversation] = []
        clock: Any = SimpleNamespace(monotonic=lambda: NOW, wall=lambda: WALL)
        self.platform = QqPlatform(Duties(), clock, self.chances.append)

    async def __call__(self, action: str, **data: Any) -> Any:
        self.calls.append((action, data))
        self.meanwhile()
        answer = self.answers.pop(0) if self.answers else SimpleNamespace(id=f"sent{len(self.calls)}")
        if isinstance(answer, BaseException):
            raise answer
        return answer

    async def get_access_token(self) -> str:
        if self.token is not None:
            raise self.token
        return "t"

    async def say(self, text: str = "好", **more: Any) -> str:
        return await self.platform.send(PLACE, Speech(text, **more), "秘书")

    async def refused(self, **more: Any) -> SendFailed:
        with pytest.raises(SendFailed) as failed:
            await self.say(quote="a", **more)
        return failed.value

    @property
    def named(self) -> list[tuple[str | None, int | None]]:
        """Message or event and number of each call."""
        return [(data.get("msg_id") or data.get("event_id"), data.get("msg_seq")) for _, data in self.calls]


@pytest.fixture
def qq(monkeypatch: pytest.MonkeyPatch) -> Qq:
    """A bot that is connected, and what it says to QQ."""
    adapter: Any = SimpleNamespace()
    bot = Bot(adapter, "102", BotInfo(id="102", secret="s"))
    made = Qq()
    monkeypatch.setattr(bot, "call_api", made)
    monkeypatch.setattr(bot, "get_access_token", made.get_access_token)
    monkeypatch.setattr("nonebot.get_bots", lambda: {"102": bot})
    return made


@pytest.fixture
def warned() -> Iterator[list[str]]:
    """What the owner is warned of."""
    told: list[str] = []
    number = logger.add(lambda line: told.append(str(line)), level="WARNING")
    yield told
    logger.remove(number)


async def test_a_press_tells_the_id_we_know_the_message_by(qq: Qq) -> None:
    sent = await qq.say(buttons=BUTTONS)
    rows = qq.calls[0][1]["keyboard"].content.rows
    assert {button.id.partition("-")[0] for row in rows for button in row.buttons} == {sent}
    assert qq.platform.sent_as(PLACE, "好") == sent
    assert await qq.say() == "sent2"


@pytest.mark.parametrize("pressed", [True, False])
async def test_a_line_of_a_former_run_is_answered(qq: Qq, pressed: bool) -> None:
    qq.platform.answerable_again(PLACE, f"{PRESSED}E:1" if pressed else "m1", WALL - 60)
    await qq.say(quote="m1")
    assert qq.named == [("E:1" if pressed else "m1", 5)]
    assert ("event_id" in qq.calls[0][1]) is pressed
    qq.platform.answerable_again(PLACE, "m0", WALL - 600)
    await qq.say(quote="m0")
    assert qq.named[1] == (None, None), "QQ's time for it is over"


@pytest.mark.parametrize(
    ("error", "perhaps", "not_now"),
    [
        (lost(ConnectError()), False, False),
        (lost(OSError()), True, False),
        (OSError(), True, False),
        (ConnectError(), False, False),
        (ValueError(), True, False),
        (TimeoutError(), True, False),
        (refused(None, 502), True, False),
        (refused(40054002, 500), False, True),
        (refused(None, 429), False, True),
        (refused(11298), False, False),
    ],
)
async def test_a_failure_says_whether_it_may_have_been_sent(
    qq: Qq, error: Exception, perhaps: bool, not_now: bool
) -> None:
    qq.platform.heard(PLACE, Answerable("a", NOW))
    qq.answers.append(error)
    failed = await qq.refused()
    assert (failed.perhaps, failed.not_now) == (perhaps, not_now)
    assert len(qq.calls) == 1


_LEAKY = "Get authorization failed with invalid response {'access_token': 'geheim'}."


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (NetworkError("Get authorization failed with status code 401. Please check."), "HTTP 401"),
        (NetworkError(_LEAKY), "QQ_BOTS 里的 AppID 和 AppSecret"),
        (lost(ConnectError("geheim")), "连不上 QQ（ConnectError）"),
        (TimeoutError(), "没有答复"),
        (ValueError("geheim"), "连不上 QQ（ValueError）"),
    ],
)
async def test_without_a_token_nothing_was_sent_and_it_is_told_why(
    qq: Qq, error: Exception, why: str, warned: list[str]
) -> None:
    qq.token = error
    qq.platform.heard(PLACE, Answerable("a", NOW))
    for _ in range(5):
        failed = await qq.refused()
        assert (failed.perhaps, failed.not_now) == (False, True), "it is said once there is one"
        assert why in str(failed)
    assert qq.calls == []
    [told] = warned
    assert why in told
    assert "geheim" not in told + str(failed)
    assert why in qq.platform.trouble("102")
    qq.token = None
    await qq.say(quote="a")
    assert qq.named == [("a", 1)], "no answer of the line was used up"
    assert qq.platform.trouble("102") == ""


async def test_too_many_calls_close_no_window(qq: Qq) -> None:
    for name in ("b", "a"):
        qq.platform.heard(PLACE, Answerable(name, NOW))
    qq.answers.append(refused(None, 429))
    await qq.refused()
    await qq.say(quote="a")
    assert qq.named == [("a", 1), ("a", 2)]


async def test_a_window_that_was_forgotten_meanwhile_is_no_error(qq: Qq) -> None:
    def flood() -> None:
        for number in range(5001):
            qq.platform.heard(Conversation("102", "group", f"G{number}"), Answerable("x", NOW))

    qq.platform.heard(PLACE, Answerable("a", NOW))
    qq.meanwhile = flood
    qq.answers.append(refused(40034024))
    assert await qq.say(quote="a") == "sent2"


async def test_what_is_too_long_for_one_message_has_no_buttons(qq: Qq) -> None:
    assert await qq.say("长" * (LONGEST + 1), buttons=BUTTONS) == "sent1"
    assert [data["msg_type"] for _, data in qq.calls] == [0, 0]


async def test_of_a_text_in_parts_nothing_is_said_twice(qq: Qq) -> None:
    qq.answers += [SimpleNamespace(id="1"), refused(40034105)]
    failed = await qq.refused(text="长" * (LONGEST + 1))
    assert (failed.perhaps, failed.not_now) == (True, False), "a reminder would be told again from the start"


@pytest.mark.parametrize(("code", "again"), [(40034029, False), (11298, True)])
async def test_keyboards_are_left_out_for_a_while_only_where_qq_refused_them(
    qq: Qq, code: int, again: bool
) -> None:
    qq.answers.append(refused(code))
    await qq.say(buttons=BUTTONS)
    await qq.say(buttons=BUTTONS)
    assert [data["msg_type"] for _, data in qq.calls] == [2, 0, 2 if again else 0]


@pytest.mark.parametrize("error", [refused(11253), refused(None, 429)])
@pytest.mark.parametrize(
    ("listed", "standing"), [("M1", "gone"), ("M2", "owner"), (None, "unknown"), ("endless", "unknown")]
)
async def test_who_is_gone_is_told_by_the_list_of_members_and_no_refusal(
    qq: Qq, error: Exception, listed: str | None, standing: str
) -> None:
    member = SimpleNamespace(member_openid=listed, member_role="owner", bot=False, username="x")
    more = "more" if listed == "endless" else None
    page = error if listed is None else SimpleNamespace(members=[member], next_cursor=more)
    qq.answers += [error, *[page] * 20]
    rosters = QqRosters(RosterNeeds(lambda: NOW))
    assert await rosters.standing(PLACE, "M2") == standing


async def test_a_lost_line_gives_no_names_and_no_error(qq: Qq) -> None:
    qq.answers += [OSError(), OSError()]
    rosters = QqRosters(RosterNeeds(lambda: NOW))
    assert await rosters.card(PLACE, "M2") is None
    assert await rosters.standing(PLACE, "M2") == "unknown"
