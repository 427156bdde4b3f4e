"""Polls over HTTP: made, answered, changed, ended by the rights of the group; anonymous ones name nobody."""

from __future__ import annotations

from typing import Any

from nonebot_plugin_mishu.services.access.actor import Actor

from .conftest import GROUP, MING, WANG, YA, Running

MEMBER, OTHER = Actor("member", MING, GROUP, "小明"), Actor("member", WANG, GROUP, "老王")
ADMIN = Actor("admin", YA, GROUP, "小雅")
POLLS = f"/groups/{GROUP}/polls"
VOTE = {"kind": "vote", "question": "周六还是周日", "options": ["周六", "周日"]}


async def known(running: Running) -> None:
    for user, name in ((MING, "小明"), (YA, "小雅"), (WANG, "老王")):
        await running.say(user, name)


async def make(running: Running, **changed: Any) -> dict[str, Any]:
    async with running.client(MEMBER) as client:
        answer = await client.post(POLLS, json={**VOTE, **changed})
    assert answer.status_code == 201, answer.text
    return answer.json()


async def test_a_vote_is_made_shown_to_the_group_answered_and_ended(running: Running) -> None:
    await known(running)
    poll = await make(running, closes_at="2026-11-20T22:00:00+08:00")
    assert poll == {
        "id": poll["id"],
        "kind": "vote",
        "question": "周六还是周日",
        "options": ["周六", "周日"],
        "limit": None,
        "closes_at": "2026-11-20T22:00:00.000+08:00",
        "anonymous": False,
        "several": False,
        "status": "open",
        "created_by": MING,
        "counts": [0, 0],
        "total": 0,
        "waiting": 0,
        "answers": [],
    }
    assert any("小明在网页上：发起了" in text for text in running.platform.texts)
    one = f"{POLLS}/{poll['id']}"
    async with running.client(OTHER) as client:
        for choice in (1, 2):
            answered = await client.post(f"{one}/answers", json={"choice": choice})
        assert answered.json()["counts"] == [0, 1]
        assert answered.json()["answers"] == [
            {
                "user_id": WANG,
                "name": "老王",
                "choice": 2,
                "choices": [2],
                "count": 1,
                "waiting": False,
                "said_by": None,
            }
        ]
        assert (await client.patch(one, json={"status": "closed"})).status_code == 403
        assert (await client.patch(one, json={"question": "改"})).status_code == 403
        assert (await client.delete(one)).status_code == 403
    async with running.client(ADMIN) as client:
        closed = await client.patch(one, json={"status": "closed"})
        assert closed.json()["status"] == "closed"
        late = await client.post(f"{one}/answers", json={"choice": 1})
        assert (late.status_code, "截止" in late.json()["error"]["message"]) == (409, True)
        assert [each["id"] for each in (await client.get(POLLS)).json()] == [poll["id"]]
        assert (await client.get(one)).json() == closed.json()
        asked = await client.delete(one)
        assert (asked.status_code, "确定" in asked.json()["error"]["question"]) == (409, True)
        assert (await client.delete(one, params={"confirm": "true"})).status_code == 204
        assert (await client.get(one)).status_code == 404


async def test_places_run_out_and_who_leaves_lets_the_next_in(running: Running) -> None:
    await known(running)
    poll = await make(running, kind="signup", question="羽毛球", options=[], limit=1)
    answers = f"{POLLS}/{poll['id']}/answers"
    for actor in (MEMBER, OTHER):
        async with running.client(actor) as client:
            seen = (await client.post(answers, json={})).json()
    assert [(each["name"], each["waiting"]) for each in seen["answers"]] == [("小明", False), ("老王", True)]
    async with running.client(MEMBER) as client:
        seen = (await client.post(answers, json={"count": 0})).json()
    assert [(each["name"], each["waiting"]) for each in seen["answers"]] == [("老王", False)]
    async with running.client(OTHER) as client:
        full = await client.post(answers, json={"count": 3})
    assert full.status_code == 409


async def test_an_anonymous_one_tells_no_name_to_anybody(running: Running) -> None:
    await known(running)
    poll = await make(running, anonymous=True)
    one = f"{POLLS}/{poll['id']}"
    async with running.client(OTHER) as client:
        await client.post(f"{one}/answers", json={"choice": 1})
    for actor in (MEMBER, ADMIN, None):
        async with running.client(actor) as client:
            for answer in (await client.get(one), await client.get(POLLS)):
                assert WANG not in answer.text
                assert "老王" not in answer.text
    assert (await running.office.storage.polls.get(poll["id"])).given[0].user_id == WANG  # type: ignore[union-attr]


async def test_what_is_wrong_is_named(running: Running) -> None:
    await known(running)
    wrong: list[tuple[dict[str, Any], str]] = [
        ({**VOTE, "options": ["周六"]}, "options"),
        ({**VOTE, "options": ["周六", " 周六"]}, "options"),
        ({**VOTE, "closes_at": "2026-11-18T09:00:00+08:00"}, "closes_at"),
        ({**VOTE, "closes_at": "2026-11-20T09:00:00"}, "closes_at"),
        ({**VOTE, "limit": 3}, "limit"),
        ({**VOTE, "kind": "count"}, "options"),
        ({**VOTE, "question": "  "}, "question"),
        ({**VOTE, "colour": "red"}, "colour"),
    ]
    async with running.client(MEMBER) as client:
        for body, field in wrong:
            answer = await client.post(POLLS, json=body)
            assert answer.status_code == 422, body
            assert answer.json()["error"]["field"] == field, answer.text
    poll = await make(running)
    async with running.client(OTHER) as client:
        for body in ({"choice": 3}, {}, {"choice": 0}):
            assert (await client.post(f"{POLLS}/{poll['id']}/answers", json=body)).status_code == 422
        assert (await client.post(f"{POLLS}/999/answers", json={"choice": 1})).status_code == 404
    async with running.client() as client:
        assert (await client.post(POLLS, json=VOTE)).status_code == 422, "an owner names whose it is"
    async with running.client(Actor("member", MING, "999", "小明")) as client:
        assert (await client.get(POLLS)).status_code == 403


async def test_the_same_write_twice_is_one_poll(running: Running) -> None:
    await known(running)
    async with running.client(MEMBER) as client:
        for _ in range(2):
            await client.post(POLLS, json=VOTE, headers={"Idempotency-Key": "k1"})
        assert len((await client.get(POLLS)).json()) == 1


async def test_an_ended_one_is_opened_again_by_its_maker_and_not_with_an_end_that_is_past(
    running: Running,
) -> None:
    await known(running)
    poll = await make(running, closes_at="2026-11-18T11:00:00+08:00")
    one = f"{POLLS}/{poll['id']}"
    async with running.client(MEMBER) as client:
        await client.post(f"{one}/answers", json={"choice": 1})
        await client.patch(one, json={"status": "closed"})
        running.clock.ahead = 7200.0
        async with running.client(OTHER) as stranger:
            assert (await stranger.patch(one, json={"status": "open"})).status_code == 403
        past = {"status": "open", "closes_at": "2026-11-18T11:30:00+08:00"}
        assert (await client.patch(one, json=past)).json()["error"]["field"] == "closes_at"
        assert (await client.get(one)).json()["status"] == "closed"
        opened = (await client.patch(one, json={"status": "open"})).json()
        assert (opened["status"], opened["closes_at"], opened["counts"]) == ("open", None, [1, 0])
        assert any("小明在网页上：重开了" in text for text in running.platform.texts)
        voice = await client.post(f"{one}/answers", json={"choice": 2})
        assert voice.json()["counts"] == [0, 1]


async def test_v1_walks_a_poll_from_its_making_to_its_end(running: Running) -> None:
    await known(running)
    polls = f"v1{POLLS}"
    async with running.client() as client:
        for number in range(3):
            body = {**VOTE, "question": f"第{number}个", "as_user": MING}
            made = (await client.post(polls, json=body)).json()
        one = f"{polls}/{made['id']}"
        assert (made["group_id"], made["created_by"], made["closed_at"]) == (GROUP, MING, None)
        assert (await client.get(one)).json() == made
        unnamed = await client.post(f"{one}/close")
        assert unnamed.json()["error"]["field"] == "as_user"
        changed = await client.patch(one, json={"as_user": MING, "options": ["周六", "周日", "都行"]})
        assert changed.json()["options"] == ["周六", "周日", "都行"]
        answered = await client.post(f"{one}/answers", json={"as_user": WANG, "choice": 3})
        assert (answered.json()["counts"], answered.json()["answers"][0]["user_id"]) == ([0, 0, 1], WANG)
        closed = (await client.post(f"{one}/close", json={"as_user": MING})).json()
        assert (closed["status"], closed["closed_at"] is None) == ("closed", False)
        first_page = (await client.get(polls, params={"limit": 2})).json()
        rest = (await client.get(polls, params={"limit": 2, "cursor": first_page["next_cursor"]})).json()
        seen = [each["question"] for each in first_page["items"] + rest["items"]]
        assert (seen, rest["next_cursor"]) == (["第2个", "第1个", "第0个"], None)
        ended = (await client.get(polls, params={"status": "closed"})).json()["items"]
        assert [each["id"] for each in ended] == [made["id"]]
        body = {"as_user": MING, "closes_at": "2026-11-20T22:00:00+08:00"}
        opened = (await client.post(f"{one}/reopen", json=body)).json()
        assert (opened["status"], opened["closes_at"]) == ("open", "2026-11-20T22:00:00.000+08:00")
        asked = await client.delete(one, params={"as_user": MING})
        assert asked.status_code == 409
        gone = await client.delete(one, params={"as_user": MING, "confirm": "true"})
        assert (gone.status_code, (await client.get(one)).status_code) == (204, 404)
