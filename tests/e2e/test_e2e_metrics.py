"""`/metrics` of a running bot: what happens in a group is counted."""

from __future__ import annotations

from prometheus_client.parser import text_string_to_metric_families

from .harness import Api, Chat, summon


async def told(api: Api) -> dict[tuple[str, ...], float]:
    answer = await api.http.get("/metrics")
    assert answer.status_code == 200, answer.text
    return {
        (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


async def test_messages_decisions_replies_and_calls_are_counted(room: Chat, api: Api):
    before = await told(api)
    await room.say(room.member("小红"), "闲聊一句")
    await summon(room, room.member("阿明"), "说点什么吧")
    await api.settle(room)
    after = await told(api)

    def more(*name: str) -> float:
        return after.get(name, 0.0) - before.get(name, 0.0)

    assert more("mishu_messages_total", "member") >= 2
    assert more("mishu_messages_total", "bot") >= 1
    assert more("mishu_decisions_total", "yes", "summon") >= 1
    assert more("mishu_reply_seconds_count") >= 1
    assert more("mishu_model_calls_total", "chat_reply", "test-model", "ok") >= 1
    assert more("mishu_model_tokens_total", "chat_reply", "prompt", "test-model") > 0
    assert after["mishu_database_up",] == 1
    assert after["mishu_accounts_connected",] >= 1
    assert after["mishu_queue_length", "held"] == 0
    assert after["mishu_reminders_overdue",] == 0
