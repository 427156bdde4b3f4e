"""Sums that are only talked about: somebody else's, or told for the telling's sake. Pure.

The talk judge hears the second, the subject before the verb says the first (我老公又买了条鱼竿 一千八).
Neither takes away an order to write something down (记一笔, 记账).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from ...language import judge
from ..clause import Clause, Match
from ..lexicon import table

NAMED: Final = 3
"""The weight of a match that names the books."""
_WRITE: Final = re.compile("记(?!得|者|忆|性|住)|补一?[笔上个下]|入账|登记")
_DOUBTED_BELOW: Final = -1.0
"""What the judge thinks of a line that it need not be sure about to be asked."""
_ADVERBS: Final = "(?:今天|昨天|昨晚|前天|上周|上个?月|刚刚?|又|也|都|还|才|居然|竟然|已经|自己|们)*"
_OTHERS: Final = re.compile(
    rf"(?:隔壁[^,，。 ]{{0,4}}|那[个男女]?[的人位]|[这那]哥们"
    rf"|(?:我|他|她|你)?家?(?:{table('talk.person')}))的?"
    f"{_ADVERBS}"
    "(?:买|花|中|输|赢|换|交|赚|亏|卖|打|充|捡|丢|迟到|拆|吃|喝|抢|订)"
)


def weighed(clause: Clause, text: str, match: Match | None) -> Match | None:
    """A match that records: as it is, or not sure."""
    if match is None or match.weight >= NAMED or _WRITE.search(text) is not None:
        return match
    times = [span for time in clause.times for span in time.spans]
    judged = judge(text, times, [(each.start, each.end) for each in clause.amounts])
    if judged.score <= _DOUBTED_BELOW or _OTHERS.match(text) is not None or "你说我" in text:
        return replace(match, sure=False, why="像是闲聊")
    return match
