"""Clauses that ask the books: amounts, lists, debts, budgets. `questions` reads their content. Pure.

Not a price (这个多少钱), nor a hypothetical cost.
"""

from __future__ import annotations

import re
from typing import Final

from ...patterns import Pattern
from ..clause import Clause
from ..clauses.features import ClauseFeatures
from ..ledger import asking
from ..ledger.shares.participants import division_of
from ..match import Match
from ..recognise.members import names_in
from ..text.fold import normalise
from ..word_lists import table
from .hearsay import NAMED

_REPORT: Final = Pattern(table("bookkeeping.report"))
_SPENT_HOW_MUCH: Final = Pattern(
    r"(?:花|用|支出|消费|花费|开销|赚|挣|收入|收|进账|存|欠|付|借|转|报销"
    r"|吃|充|买|剩)(?:了|过|掉|进|到|出)?(?:多少|几(?:块|百|千|万)|多少钱|好多(?=钱|$|[?啊呀了哦]))"
    r"|(?:一共|总共|总的|[这上]个?(?:周|月|礼拜|星期)|今天|昨天|今年)[^,]{0,4}(?:出|掏|垫)(?:了|过)?(?:多少|好多)(?![人次天])"
    r"|(?:造|败|干|霍霍|烧|使|破费|搭|砸)(?:了|掉|掉了|进去)(?:多少|几(?:块|百|千|万))(?![人次天])"
    r"|(?:总共|一共|今天|今儿|昨天|昨儿|[这上]个?(?:周|月|礼拜|星期)|钱)[^,]{0,4}出去了?多少"
    r"|(?:[这本上]个?(?:月|周|星期|礼拜)|今天)[^,]{0,6}喝了多少(?![杯瓶两斤水])|花了?几个钱|占(?:了|比|掉)?多少|比上个?(?:月|周|星期|礼拜)呢"
    r"|(?:[今昨前][天儿]|[这上]个?(?:周|月|礼拜|星期)|上次|那)[^,]{1,10}(?:多少钱|花了多少|多少)来着"
    r"|(?:花销|开销|支出|消费|花费|开支)(?:咋样|怎样|大不大|多不多|高不高)"
    r"|账(?:上|面上?|本)?(?:现在|目前|这会儿)?(?:是)?(?:什么|啥)情况"
    r"|[吃喝玩花用烧造](?:掉|了|去)(?:了)?(?:我们?|咱们?|俺)(?:多少|几(?:块|百|千|万))"
    r"|记(?:了|的|过|成)?(?:是)?(?:多少|几块)(?!笔)|(?:那|这|哪)一?[笔条][^,]{0,6}(?:多少|几块)"
    r"|(?:花|用)[^,]{0,3}(?:得|的|了)(?:更|比较)?(?:多|少)(?:了|些|点)?(?:还是|没|吗|[?])|比[^,]{1,8}(?:多|少)(?:花|用|赚|挣)"
    r"|(?:超过|大于|高于|多于)[0-9一二两三四五六七八九十百千万.]+(?:块|元)?钱?(?:的|以上)*(?:支出|消费|开销|花销|账|记录|收入)"
    r"|哪(?:个|样|类|项|种)[^,]{0,4}(?:花|用)(?:得|的)?(?:更|最|比较)?多"
    r"|(?:一共|总共|总计|合计)(?:是)?(?:花|用|支出|收入)?(?:了)?多少(?![年岁人天里米斤集页个章级次种])"
    r"|(?:花销|开销|支出|收入|消费|花费|开支|结余|余额|工资)(?:一共|总共"
    r"|总额|总计)?(?:是|有|了|还有|占|比)*(?:多少|怎么样|如何|情况)|(?:花|支出|消费|开销)(?:了|过|掉)?(?:哪些|[些点]?什么|[些点]?啥)钱|(?:今|昨|前)天(?:都|又)?(?:花|用)了?(?:哪些|[些点]?什么|[些点]?啥)$|(?:支出|消费|开销|花销)(?:了|过)?(?:哪些|些?什么|些?啥)"
    r"|多少(?:花销"
    r"|开销|支出|收入|消费|花费)|(?:都|花钱|一共|总共)(?:花钱)?买了?(?:些|点)?(?:什么|啥|哪些)|钱(?:都)?花(?:哪|到哪|在哪|去哪)|花(?:在"
    r"|到)?哪"
)
_WOULD_COST: Final = Pattern(
    "(?:要|得|需要|大概|会|(?<!还)能|应该|可以)(?:花|付|用|交|收|赚|挣)多少|(?:要"
    "|卖|值|怎么卖|售价|收费)多少钱|^多少钱|一般(?:花|要|用)|通常|平均要"
    "|用多少(?!钱)|买多少(?!钱)|吃多少(?!钱)"
)
_WHO_OWES: Final = Pattern(
    "谁[^,]{0,3}欠(?![收揍打抽骂])|欠谁|欠我多少|我还欠|欠[^,]{1,10}多少钱?[?]?$|欠我(?:的)?(?:钱)?|我欠"
    "|谁还没(?:付|转|[给交](?:钱|[^,的]{0,4}(?:费|租)|[了吗呢啊呀? ]*$))|谁没(?:付"
    "|给|交|转)钱|aa(?:情况|结果|账|怎么算|谁)|该给谁|群账(?!单)"
    "|账(?:都|现在|是不是)*平了?(?:吗|没|么|不)|平账了?(?:吗|没)|(?:账|钱)[^,]{0,3}清了?(?:吗|没|么)|(?:都|还有谁没)(?:结清|清账|还清)了?(?:吗|没)?$"
    "|(?:账|的钱|饭钱)[^,]{0,4}怎么[结平分]"
)
_OVERSPENT: Final = Pattern(
    "超支了?(?:没|吗|么|多少)|花超了?(?:没|吗|么|多少)|(?:是不是|有没有)(?:又|也|已经)?花超|超没超支?|花(?:得)?超(?:没超|不超)|"
    "(?:费|花销|开销|支出|消费|餐饮|交通|购物|娱乐|居住)[^,]{0,6}超了?(?:没|吗|么)"
)
_BUDGET: Final = Pattern("预算(?!案|员|里|内)")
_LOOK: Final = Pattern("查|看(?![到了过见])|列|显示|统计|汇总|导出|总结|报一下|给我|发|要|算一下|打开|分析")
_BARE_REPORT: Final = Pattern(
    rf"(?:我|群里?|本群|今天|昨天|本月|上月|今年|的|这|那|个|所有"
    r"|全部|(?:最近|这|前|近)(?:几|[0-9一二两三四五六七八九十]{1,3})个?(?:天|周|月|星期)"
    rf"|最近|餐饮|交通|购物|每月|月|年|,| )*(?:{table('bookkeeping.report')}"
    rf"|预算)(?:情况|统计|汇总|记录|列表|明细|表|报告|一览|呢|吧|啊|的)*"
)
_BIGGEST: Final = Pattern(
    "(?:最大|最贵|最多|最高|最小|最便宜|最少|上一|最近|最后)的?(?:的)?一?笔(?:是|消费|支出"
    "|收入|$)|最(?:大|贵|多|高|小|便宜|少)的?(?:花销|开销|支出|消费)?(?:是|在)?(?:哪|那)?一?笔|哪(?:一?笔|天|类|个分类)[^,]{0,6}(?:最|花)|(?:花销|支出|消费"
    "|开销|花)[^,]{0,4}最[多大高]|^(?:我要|帮我|我想)?[查翻看](?:一下|一查|一?看|一眼|查|下)?(?:[^,]{0,4}的)?记?[账帐](?:本|目|单)?(?:吧"
    "|了)?$|(?:记了|有)(?:几"
    "|多少)笔|(?:最近|今天|昨天|本月)(?:的)?(?:几|[0-9一二三五十]+)笔"
)
_THIS_SPAN: Final = Pattern(
    "(?:我|我们|咱们?|群里?)?的?(?:今天|昨天|前天|[这本上]{1,2}个?(?:周|月|星期|礼拜)|今年|去年|最近)(?:我|我们|群里)?"
    "(?:的?(?:账|帐|花费|消费)|的?(?:总共|一共|总计|合计)的?(?:支出|收入|花销|开销|消费|花费|花了)?)(?:呢|吧|啊|是)*"
)
"""今天的账, 本月总共支出: span with its total."""
_SHOWS_HANDS: Final = Pattern("[扣打刷回][1一]|举手")


def asked_after(clause: Clause, heard: ClauseFeatures, *, others: bool, ahead: bool) -> Match | None:
    """Query of the books; None if none. `others`: about somebody else; `ahead`: about the future."""
    if not clause.situation.addressed and "你" in heard.text:
        return None
    if heard.reported or heard.wished or _WOULD_COST.search(heard.text):
        return None
    if clause.situation.addressed and not clause.amounts and _asks_of_people(clause):
        return Match("query", NAMED)
    if _SPENT_HOW_MUCH.search(heard.text) and not _SHOWS_HANDS.search(heard.text) and not others:
        return Match("query", 2, sure=not ahead)
    if _tells_a_part(clause):
        return None
    told = bool(clause.amounts) and not heard.asks  # 他们欠我两百
    if _WHO_OWES.search(heard.text) and not told and not re.search("[0-9]", heard.text):
        return Match("query", 2)
    body = heard.body.strip(" ?。!~")
    if (
        _THIS_SPAN.fullmatch(heard.text.strip(" ?。!~"))
        or _BARE_REPORT.fullmatch(body)
        or _BIGGEST.search(heard.text)
    ):
        return Match("query", 2)
    if _BUDGET.search(heard.text) and re.search("还剩|还有|剩|多少|超|用了|够", heard.text):
        return Match("query", 2)
    if _OVERSPENT.search(heard.text):
        return Match("query", 2)
    if heard.advice:
        return None
    report = _REPORT.search(heard.text) is not None
    if report and _LOOK.search(heard.text) and not re.search("[0-9]{2}", heard.body) and not heard.told:
        return Match("query", 2)
    return None


def _asks_of_people(clause: Clause) -> bool:
    """谁还没给我电费, 老王该我多少: who owes whom, by name."""
    where, line = clause.situation, normalise(clause.text)
    return asking(line, names_in(line, (*where.mentions, *where.members))) is not None


def _tells_a_part(clause: Clause) -> bool:
    """阿明欠我一半: what somebody bears of a sum told before."""
    where = clause.situation
    return bool(division_of(clause.text, where.mentions, where.people).parts)
