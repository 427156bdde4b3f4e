"""Money that did not move: not spent, nearly spent, wished for, owed, waived. Pure.

Each kind has its words, and words behind them that reverse it: 没买到票，打车花了80 was
spent, 看中一件大衣就买了 was bought. A state (余额还有8600, 卡里还有500, 本来要50) is the amount's own role
(`Role.ASIDE`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

from ...patterns import Pattern
from ..ledger.items import buying_denied, is_rule
from ..recognise.money import find_amounts
from ..recognise.times import TimeExpression

_DID: Final = (
    "[花付买交充订租打吃喝修换办](?!了?多少)(?:了|掉)|[只才就]花|实付|拿下|下单|入手了|下手了|消费了|用掉"
    "|给了|转了|还了|收了|到账"
)
_NUMBER: Final = "[0-9一二两三四五六七八九十百千万]"
_KINDS: Final = tuple(
    (Pattern(said), Pattern(but))
    for said, but in (
        (
            "(?:没有?|未|木有|冇|莫得|并未|不曾)(?:再|真|怎么|舍得|能)?"
            "(?:花(?!多少|几|什么|完|钱[,，])|付(?!清)|买|给(?!够)|充|[用使](?!完)|交|还(?!清|完|是|有)"
            "|转(?!过去)|收(?:到|过|[^了])|抢|领|拿|赚|挣|中(?!午)|得到"
            "|到账|输|赢|亏|刷|消费|扣|报销|退|发|打车|坐(?!过站|满)|租|订)",
            f"{_DID}|打车|改[买坐吃]",
        ),
        (
            "差一?点(?:儿|就|没|要|被|又|把)*(?:花|付|买|给|骗|亏|充|转|掏|输|丢|剁手|下单|拍)|险些|几乎要",
            "最后|结果|还是|后来|不过",
        ),
        (
            "看[中上](?!去|起来|海|面|午)|种草|相中|心动|眼馋|眼红|纠结|犹豫|想(?:入手|要个"
            "|要一?[个件台双]|整个|搞个|弄个|来个|去买|吃个)"
            "|(?:打算|准备|计划|寻思|琢磨)(?:着)?(?:买|花|换|入|整|搞|去)|舍不得|下不去手|买不起|忍住",
            f"{_DID}",
        ),
        ("(?<![亏拖])欠(?!费|条|款)|赊(?!账还)", "还(?:了|清|给|掉|上|[我他她](?!没))|补(?:交|了)|结清|付清"),
        (
            "免了(?!息)|免单|白送|白嫖|不要钱|不收钱|没要钱|没收(?:我|钱|费)|没让我?(?:付|给|掏)|没花钱"
            "|不用(?:付|给|花|交|还)|(?:后来|结果|最后)(?:又|给|就)*(?:取消|作废|没去|没买|算了|黄了)",
            f"{_DID}|退",
        ),
        ("梦[见到里]|做梦|幻想|骗你的?|开玩笑|假装|打赌|吹牛", "醒来|真的"),
        (
            f"额度|限额|封顶|保额|估值|开价|报价|起拍|悬赏|账单(?:出来|是|有|显示|一?共|总共)"
            f"|{_NUMBER}(?:[块元])?的?(?:优惠|代金|满减|抵用|红包)?券(?![买付花])",
            f"{_DID}|付|花|(?<![忘别不莫])记(?:上|下|一下|一笔|账|个账)",
        ),
        (
            "(?:别|不用|不要|不必|甭|唔使|先不|先别|莫|先莫)(?:再|给我|帮我|先)?记(?!得|错|住|恨|仇|名)",
            "(?!)",
        ),
        ("(?:没|未)(?:抢|领|拿|中)[到着上]|抢不到|手慢|没赶上", f"{_DID}"),
    )
)


_PAYS_LATER: Final = Pattern("(?:付|交|给|转|打|还|补|扣|结)(?:尾款|定金|余款|货款|款|钱)?(?=[0-9])")
_DUE: Final = Pattern(
    "每个?月(?:[0-9一二三十]{1,3}[号日]|[初底])|每个?(?:周|星期|礼拜)[一二三四五六日天末]"
    "|每年(?:1[0-2]|[1-9]|[一二三四五六七八九十]{1,2})月"
)
"""Due dates of repeated payments: 每月59 is a price."""
_DONE: Final = Pattern("了|过|已|掉|完|清|的$|刚|昨|上(?:个月|周)|记")


def is_planned(text: str, times: Sequence[TimeExpression], today: date) -> bool:
    """True for a payment on a later day (尾款周六付1600): a future day before the verb."""
    said = _PAYS_LATER.search(text)
    if said is None or _DONE.search(text):
        return False
    return any(
        each.date is not None and each.date > today and each.span[1] <= said.start() <= each.span[1] + 3
        for each in times
    )


def is_repeating(text: str, times: Sequence[TimeExpression]) -> bool:
    """True for a repeated due payment, not yet paid (房贷每月8号4350)."""
    due = any(each.kind == "recurring" for each in times) and _DUE.search(text) is not None
    return due and _DONE.search(text) is None


def has_not_moved(text: str) -> bool:
    """True for money that was not spent, received or moved, or for a mere state."""
    amounts = find_amounts(text)
    if buying_denied(text, amounts) or is_rule(text, amounts):
        return True
    for said, but in _KINDS:
        found = said.search(text)
        if found is not None and but.search(text, found.end()) is None:
            return True
    return False
