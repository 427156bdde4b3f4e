"""Questions about the clinic: the agent `smartCS`, with a table of answers."""

from __future__ import annotations

import re

from nonebot_plugin_mishu.agents import (
    AgentSpec,
    Clause,
    Intent,
    Match,
    TaskContext,
    TaskDispatch,
    TaskResult,
)

ANSWERS: tuple[tuple[str, str], ...] = (
    (r"停车|车位|车停", "停车第一小时 5 元，之后每小时 3 元，一天最多 40 元；就诊当天凭挂号单免两小时。"),
    (
        r"挂号费|挂号.{0,3}(?:多少钱|贵|收费|要多少)|(?:怎么|在哪里?|哪里|哪儿).{0,3}挂号|挂号(?:怎么|在哪)",
        "普通号 10 元，专家号 30 元；跟我说哪里不舒服就能挂，一楼大厅的窗口和自助机也可以。",
    ),
    (r"发票|票据", "发票在一楼收费窗口打印，也可以在公众号里开电子发票。"),
    (
        r"(?:几点|什么时候|啥时候).{0,4}(?:开门|上班|下班|关门|开诊)|门诊时间|营业时间",
        "门诊每天 8:00 到 17:30，急诊全天。",
    ),
    (r"医保|报销比例|社保卡", "可以用医保，请带医保卡或电子医保码，在人工窗口和自助机都能结算。"),
    (
        r"(?:怎么|哪里|哪儿|在哪).{0,3}(?:缴费|交费|付钱|付款)|(?:缴费|交费)(?:怎么|在哪)",
        "一楼大厅的自助机和各楼层的收费窗口都可以缴费。",
    ),
    (r"(?:取|拿|查).{0,3}(?:报告|化验单|检查结果)", "报告在一楼自助机凭就诊卡打印，也可以在公众号里查。"),
    (r"(?:怎么走|地址|在哪里|在哪儿|位置)", "我们在人民路 1 号，地铁 2 号线人民路站 B 口出来就是。"),
    (r"洗手间|厕所|卫生间", "每层楼电梯右手边都有洗手间。"),
)
"""Pattern of a question to its answer."""
_ASKS = re.compile(
    r"怎么|多少|哪|几点|什么时候|啥时候|能不能|可以|能用|吗|么$|请问|问一?下?|收费|免费|时间|告诉|说一?下|想知道|贵不贵|有没有"
)
_OPENING = re.compile(
    r"^(?:顺便|顺带|另外|还有|对了|然后|再)*[,， ]*(?:(?:我想|想|再)?请?问(?:一?下|一问)?)?[,， ]*"
)
_TOPICS = re.compile("|".join(pattern for pattern, _ in ANSWERS))


def smart_cs_spec() -> AgentSpec:
    """The agent `smartCS`: class 4; it waits while a triage waits for its patient."""

    def rules(clause: Clause) -> Match | None:
        if _TOPICS.search(clause.text) and _ASKS.search(clause.text):
            return Match("ask", weight=2)
        return None

    async def handle(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        asked = str(dispatch.slots.get("question") or context.text)
        found = next((answer for pattern, answer in ANSWERS if re.search(pattern, asked)), None)
        return TaskResult(
            dispatch.task_id,
            "completed",
            user_response=found or "这个我不清楚，请到一楼服务台问一下。",
        )

    return AgentSpec(
        code="smartCS",
        name="门诊答疑",
        intents=(
            Intent(
                "ask", "问停车、时间、医保、缴费、报告、位置", ("停车怎么收费", "医保能用吗"), reads_only=True
            ),
        ),
        boundary="只答门诊的公共信息，不谈病情，不改任何预约。",
        handler=handle,
        rules=rules,
        read=lambda intent, clause: {"question": _OPENING.sub("", clause.text)},
    )
