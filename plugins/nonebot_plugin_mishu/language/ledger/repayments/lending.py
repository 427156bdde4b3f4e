"""Money between the speaker and one member that nobody shares: lent, borrowed, owed, paid for another. Pure.

借给小雅500, 跟阿凯借了200, 阿凯欠我300, 小雅帮我垫了奶茶18, 替阿凯垫付快递费25, 帮小雅带饭15: only where
the other is a member by card, nickname or @; else it stays a record of the speaker's. It counts in 谁欠谁,
and what is given back (`repaying`) lowers it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from ....patterns import Pattern
from ...clause import Clause, Mention
from ...entries.categories import Categories
from ...entries.entry import OTHER, Entry, Share
from ...recognise.members import matched, names_in
from ...recognise.money import find_amounts
from ...text.fold import normalise
from ..shares.division import Division

CATEGORY: Final = "转账"
_LONGEST: Final = 60
"""Characters of a line that says so."""
_WHO: Final = "@?(?P<who>[^,，。#\\s我]{1,12}?)"
_LATELY: Final = (
    "(?:今天|昨天|昨晚|前天|今儿|昨儿|前儿|上周|[0-9]{1,2}月[0-9]{1,2}[日号]|上次|之前|刚才|刚刚|刚"
    "|已经|又|再|还|先|都|总共|一共|临时|微信)*+"
)
_SUM: Final = "(?:#(?:块钱?|元|钱)?)"
_THING: Final = "(?P<thing>[^,，。#我]{0,12}?)的?"
_BEHIND: Final = "(?P<behind>[^,，。#我]{0,12}?)的?"
_WHEN: Final = (
    "(?:明天|后天|下周|下个?礼拜|下个?月|月底|月初|年底|改天|回头|晚点|到时候?|周[一二三四五六日天]|[0-9]{1,2}号"
    "|(?:过|等)?(?:一|两|几|[0-9])天|发了?工资)"
)
_GIVES_BACK: Final = "(?:还|转|给)(?!我)(?:给|钱)?(?:他|她)?(?:钱)?"
_OWN_NEED: Final = f"(?:应急|救急|急用|周转|用一下|(?:我)?{_WHEN}{{1,2}}(?:就|再)?{_GIVES_BACK})"
"""The speaker as borrower: 借小李200应急, 过两天还."""
_THEIR_NEED: Final = f"(?:(?:他|她|说)+{_WHEN}(?:就|再)?(?:还|给)(?:我)?|{_WHEN}(?:就|再)?(?:还|给)我)"
_TO_BE_GIVEN: Final = f"(?:,|，| )*(?:我)?(?:{_WHEN}|再|得|要|该|还要)+{_GIVES_BACK}"
"""Future repayment to the payer: 我回头给他."""
_UNPAID: Final = "(?:他|她|钱|我|都|还|也)*(?:没给|没还|没付|没转|欠着)(?:钱|我|他|她)*"
_END: Final = (
    "(?:了|现金|微信|支付宝|呢|啊|哈|吧|哦|块|,|，|。| |记一?下|帮?我?记上|记着|记[他她]账上"
    "|没还|还没还|先?欠着"
    f"|{_UNPAID}|{_THEIR_NEED}|{_OWN_NEED})*+"
)
_PAY: Final = "(?:垫付|代付|代垫|垫|先付|代买|代购|代缴|代取|代交)(?:了|的|上)?"
_MEASURED: Final = Pattern("^[一两二三四五六七八九十0-9]*[杯份个包盒瓶条件张碗袋串盆支根箱桶](?=[^,，]{1,})")
"""杯奶茶, 两包烟: what was brought without its measure."""
_BRING: Final = "(?:带|捎|买|打包|取|交|充|缴)(?:了|的|过)?"
"""Errands for another, named with 帮 or 替."""
_LENT: Final = tuple(
    Pattern(pattern + _END)
    for pattern in (
        f"(?:我)?{_LATELY}(?:借|借出)(?:了|出)?给(?:了)?{_WHO}{_SUM}",
        f"(?:我)?{_LATELY}借(?:了|出)?{_SUM}给(?:了)?{_WHO}",
        f"{_WHO}{_LATELY}(?:跟|找|向|问|从|管)我(?:这里|这儿|这)?{_LATELY}(?:借|拿)(?:走)?了?{_SUM}",
        f"{_WHO}{_LATELY}借(?:走)?了我{_SUM}",
        f"{_WHO}{_LATELY}借走我{_SUM}",
        f"{_WHO}(?:今天|刚才|刚刚|刚|昨天)?(?:又|再)(?:跟我|找我|问我)?借(?:走)?了?{_SUM}",
        f"{_WHO}{_LATELY}(?:从|在|跟|找)我(?:这里|这儿|这)?{_LATELY}(?:周转|挪|支)(?:走)?了?{_SUM}",
        f"(?:我)?{_LATELY}借(?:了)?{_WHO}{_SUM}(?:,|，| |块)*{_THEIR_NEED}",
    )
)
_BORROWED: Final = tuple(
    Pattern(pattern + _END)
    for pattern in (
        f"(?:我)?{_LATELY}(?:跟|找|向|问|从|管){_WHO}(?:那里|那儿|那)?{_LATELY}借了?{_SUM}",
        f"{_WHO}{_LATELY}借(?:给)?(?:了)?我{_SUM}",
        f"(?:我)?{_LATELY}(?:借|拿)了{_WHO}{_SUM}",
        f"(?:我)?{_LATELY}(?:跟|找|向|问|从|管){_WHO}(?:那里|那儿|那|手里)?{_LATELY}(?:周转|挪|拿)(?:了|来)?{_SUM}",
        f"{_WHO}{_LATELY}周转(?:给)?(?:了)?我{_SUM}",
        f"(?:我)?{_LATELY}(?:借|拿|拿了|借了){_WHO}{_SUM}(?:,|，| |块)*{_OWN_NEED}",
    )
)
_OWED: Final = tuple(
    Pattern(pattern + _END)
    for pattern in (
        f"{_WHO}{_LATELY}(?:欠|差|短|该)(?:着|了|下)?(?:我)(?:的)?{_THING}{_SUM}{_BEHIND}",
        f"{_WHO}该(?:给|还)我{_SUM}",
        f"{_WHO}的(?P<thing>[^,，。#我]{{1,10}}?)还?(?:欠|差)(?:着|了|下)?我{_SUM}",
    )
)
_OWES: Final = tuple(
    Pattern(pattern + _END)
    for pattern in (
        f"(?:我)?{_LATELY}(?:欠|差|短)(?:着|了|下)?{_WHO}(?:的)?{_SUM}{_BEHIND}",
        f"(?:我)?{_LATELY}(?:欠|差)(?:着|了|下)?{_WHO}的(?P<thing>[^,，。#我]{{1,10}}?){_SUM}",
        f"我该(?:给|还)?(?:着|了)?{_WHO}{_SUM}{_BEHIND}",
    )
)
_PAID_FOR: Final = tuple(
    Pattern(pattern + _END)
    for pattern in (
        f"(?:我)?{_LATELY}(?:帮|替|给|为){_WHO}{_LATELY}{_PAY}{_THING}{_SUM}{_BEHIND}",
        f"{_WHO}的(?P<thing>[^,，。#我]{{1,10}}?)我{_LATELY}(?:{_PAY}|付了|付的){_SUM}",
        f"{_LATELY}(?P<thing>[^,，。#我]{{1,10}}?)我?{_LATELY}(?:帮|替|给|为){_WHO}{_LATELY}{_PAY}{_SUM}",
        f"(?P<thing>[^,，。#我]{{1,10}}?){_SUM}[, ]*+(?:到付[, ]*+)?(?:我)?{_LATELY}"
        f"(?:帮|替|为){_WHO}{_LATELY}(?:{_PAY}|[付给交出买带捎]的)",
        f"(?:我)?{_LATELY}(?:帮|替){_WHO}{_LATELY}{_BRING}{_THING}{_SUM}{_BEHIND}",
        f"(?:我)?{_LATELY}给{_WHO}{_LATELY}(?:带|捎)(?:了|的|过){_THING}{_SUM}{_BEHIND}",
        f"{_WHO}{_LATELY}(?:让|叫|托|喊|要)我{_LATELY}(?:(?:帮|给|替)(?:他|她))?(?:{_PAY}|{_BRING}){_THING}{_SUM}{_BEHIND}",
    )
)
_FOR_ME: Final = f"(?:帮|替|给|为|代)我{_LATELY}"
_THING_FIRST: Final = "(?P<thing>[^,，。#我]{1,10}?)"
_GOT: Final = "(?:买|带|捎|交|缴|充|付|订|取|拿|点|打印|打|修|洗|报|抢)(?:了|的|过)?"
_COST: Final = "(?:一共|总共|共)?(?:花了?|用了?|付了?|是)?"
_PAID_BY: Final = tuple(
    Pattern(pattern + f"(?:{_TO_BE_GIVEN})?" + _END)
    for pattern in (
        f"{_WHO}{_LATELY}{_FOR_ME}(?:{_PAY}|{_GOT}){_THING}[, ]?{_COST}{_SUM}{_BEHIND}",
        f"{_THING_FIRST}(?:是|让)?{_WHO}{_LATELY}{_FOR_ME}(?:{_PAY}|{_GOT}){_SUM}",
        f"{_THING_FIRST}(?:是)?{_WHO}(?:买|付|订|垫|出)的(?:,|，| )*我(?:的|那)*[张份杯个单]?(?:是)?{_SUM}",
        f"我的?(?P<thing>[^,，。#我]{{1,10}}?)(?:是)?{_WHO}{_LATELY}{_PAY}{_SUM}",
    )
)


@dataclass(frozen=True, slots=True)
class Lending:
    """Debt between speaker and member. `mine`: the speaker gave. `thing`: what was paid for, if anything."""

    other: Mention
    mine: bool
    way: str
    """`lent`, `owed` or `paid`."""
    thing: str = ""
    fen: int | None = None
    """The sum."""


def lending(text: str, mentions: Sequence[Mention], members: Sequence[Mention]) -> Lending | None:
    """Debt of one amount between speaker and member in a whole line; None if none. Of 他欠我200 the other is
    who was named before in the line, else nobody: without an id."""
    marked = _marked(text)
    if marked is None:
        return None
    line, fen = marked
    joined = line.replace(" ", "")  # 石头 跟我借了300
    told = _lending(line, fen, mentions, members)
    told = told if told is not None or joined == line else _lending(joined, fen, mentions, members)
    plainly = not line.partition("#")[2].strip(" 了呢啊哈吧哦块钱元")  # not 他欠我500还没还
    if told is not None or not plainly or not any(each.name in line for each in _SOMEBODY):
        return told
    before, _, said = line.rpartition(" " if " " in line else ",")
    told = _lending(said, fen, _SOMEBODY, ())
    named = {ids for ids in names_in(before, (*mentions, *members)).values() if len(ids) == 1}
    one = next((each for each in (*mentions, *members) if len(named) == 1 and (each.user_id,) in named), None)
    return told if told is None or one is None else replace(told, other=one)


_SOMEBODY: Final = (Mention("", "他"), Mention("", "她"))


def _lending(
    line: str, fen: int | None, mentions: Sequence[Mention], members: Sequence[Mention]
) -> Lending | None:
    for patterns, mine, way in (
        (_PAID_BY, False, "paid"),
        (_PAID_FOR, True, "paid"),
        (_LENT, True, "lent"),
        (_OWED, True, "owed"),
        (_BORROWED, False, "lent"),
        (_OWES, False, "owed"),
    ):
        for pattern in patterns:
            said = pattern.fullmatch(line)
            if said is None:
                continue
            found = said.groupdict()
            thing, who = found.get("thing") or found.get("behind") or "", said["who"]
            other = _member(who, mentions, members)
            if other is None and found.get("thing") and said.end("thing") <= said.start("who"):
                # 午饭小李帮我垫的20: the thing ends where the name of a member begins.
                for at in range(1, len(who)):
                    if (other := _member(who[at:], mentions, members)) is not None:
                        thing = f"{thing}{who[:at]}"
                        break
            if other is not None:
                thing = _MEASURED.sub("", thing.strip(" 的了,是"))
                return Lending(other, mine, way, thing, fen)
    return None


def lends(clause: Clause) -> bool:
    """True for a debt of one amount between speaker and member in a group."""
    where = clause.situation
    if where.private or not clause.amounts:
        return False
    return lending(clause.text, where.mentions, where.members) is not None


def lent(said: Lending, entry: Entry, speaker: tuple[str, str], categories: Categories) -> Entry:
    """The entry as what one owes the other: whoever gave bears nothing of it, the other all.

    What a member paid for the speaker was spent by the speaker; everything else only changed hands.
    """
    other = (said.other.user_id, said.other.name)
    giver, getter = (speaker, other) if said.mine else (other, speaker)
    shares = (Share(*giver, 0), Share(*getter, entry.fen))
    if said.way == "paid" and not said.mine:
        words = said.thing or f"{giver[1]}垫付"
        category = categories.of(words)
        kind = entry.category if category == OTHER and entry.type == "EXPENSE" else category
        return replace(entry, type="EXPENSE", category=kind, description=words, shared=True, shares=shares)
    words = {
        "lent": f"{giver[1]}借给{getter[1]}",
        "owed": f"{getter[1]}欠{giver[1]}",
        "paid": f"替{getter[1]}垫付{said.thing}",
    }[said.way]
    return replace(entry, type="TRANSFER", category=CATEGORY, description=words, shared=True, shares=shares)


def borne_alone(said: Division, other: Mention | None, entry: Entry) -> Lending | None:
    """An entry that one person alone bears and another paid (药妆240 全算大刘的), as what one of them owes
    the other; None where neither is the speaker, or whoever paid bears it. `other`: who bears it where that
    is not the speaker, else who paid."""
    if said.sole is None or other is None or entry.type != "EXPENSE":
        return None
    if said.sole.me:
        return Lending(other, False, "paid", entry.description, entry.fen) if said.paid_by_other else None
    return None if said.paid_by_other else Lending(other, True, "paid", entry.description, entry.fen)


def _marked(text: str) -> tuple[str, int | None] | None:
    """The line with # for its one amount, and that; None where it has none, or several, or is too long."""
    line = _ORDERED.sub("", normalise(text[: _LONGEST + 1]).strip(" 。.!~"))
    if not line or len(line) > _LONGEST or "#" in line:
        return None
    amounts = [found for found in find_amounts(line) if found.fen and found.fen > 0]
    if len(amounts) != 1:
        return None
    marked = f"{line[: amounts[0].start].rstrip(' ¥￥:：')}#{line[amounts[0].end :].lstrip()}"
    return marked, amounts[0].fen


_ORDERED: Final = Pattern(
    "^(?:顺便|顺手|对了|哦|[ ,，])*(?:帮我|给我|麻烦|请|再|也)*"
    "记(?:一下|个账|一笔|账|上|下|笔)(?:账)?[,，:： ]*"
)
"""Order to record, before the record's words (帮我记下 阿凯欠我50)."""


def _member(who: str, mentions: Sequence[Mention], members: Sequence[Mention]) -> Mention | None:
    """The only member with a name; mentioned ones first."""
    name = who.strip(" @的")
    for known in (mentions, members):
        found = matched(name, known)
        if len(found) == 1:
            return found[0]
    return None
