"""Clauses about the account books: recording, queries, corrections, undo (section 6).

Spending is in the past (昨天买菜50), often without a verb (午饭35). A price asked or discussed is none:
这个手机5000太贵了, 买3斤苹果要多少钱.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ...language.books.amending import correction
from ...language.books.budgets import budget_asked, budget_of_a_day
from ...language.books.earlier_amounts import points_back_to, told_before
from ...language.books.hearsay import NAMED, only_guessed, weighed
from ...language.books.inquiry import asked_after
from ...language.books.orders import asked_of_books, settled, takes_back, takes_back_because
from ...language.books.recording import orders_recording
from ...language.clause import Clause, Situation
from ...language.clauses.features import LONGEST, ClauseFeatures, hear
from ...language.entries.categories import NO_THING, THINGS, Categories, moves
from ...language.entries.prices import paid
from ...language.entries.reading import read_items
from ...language.entries.unspent import has_not_moved
from ...language.ledger import stays_out
from ...language.ledger.items import is_gauged, on_credit
from ...language.ledger.repayments.lending import lends
from ...language.ledger.repayments.repaying import gives_back, settles
from ...language.ledger.shares.participants import (
    anew_of,
    division_of,
    got_instead_of,
    quits_in,
    unreceived_of,
)
from ...language.match import Match
from ...language.recognise.identifiers import mask_identifiers
from ...language.recognise.members import names_in
from ...language.recognise.money import Amount, Role, find_amounts
from ...language.recognise.times import parse
from ...language.text.fold import normalise
from ...language.word_lists import one_of, table, words
from ...patterns import Pattern

_NAMED: Final = Pattern(table("bookkeeping.noun"))
_ITEM: Final = Pattern(one_of((*words("bookkeeping.item"), *THINGS)))
_IN: Final = Pattern(
    "收到|收入|收了|给了?我(?![买带做发看讲说一])|到账|进账|赚|挣|发了(?!条|个(?!红)|消息|朋友圈|烧)"
    "|发工资|工资|奖金|退款|退了|退回|返现|报销|红包|中奖|卖了|借了|借给"
    "|还了|还我|还钱|转给|转(?=[0-9])|转了|转账|转出|转入|存了|存入|取了|补贴|分红"
    "|利息|租金|押金|aa|随了|给了|打赏"
)
_OUT: Final = Pattern(
    "花了?|用了|付了?|付款|支付|交了|缴了|买了?|充了|充值|冲了|点了|吃了"
    "|喝了|订了|租了|打了|加了|停了|修了|剪了|捐了|罚了|亏了|输了|丢了"
    "|扣了|还[了上清完]|借了|送了|请了|支出|消费了?|开销|垫了?|垫付|刷了|坐了|看了"
    "|办了|结账|买单|下单|团了|拼了|抢了|淘了|代付|花掉|用掉|付掉|给了"
)
_NOT_TOLD: Final = Pattern(
    "满分|打分|评分|包邮|985|211|要[0-9一二三四五六七八九十百千]|房价|股价|油价|金价|票价|汇率|价格"
    "|[一每][平斤克吨股张两]+(?:米|方)?[0-9](?!.{0,12}[买吃喝])"
    "|乘以?|除以|加上|减去|平方|等于|翻译|算一下|[扣打刷回][1一](?!\\d)"
    "|打算|准备(?!好)|预计|预估|计划|求?推荐[^了,]|想(?:买|花|换|要|办|给|充|存|攒|租|订|报|请|转|借|投)"
    "|要不要|该不该|还没(?!记)|不想|不买|别买|值不值|值得|够不够|太贵|贵不贵|划算|划不划算"
    "|便宜|涨到|涨了|降到|降了|跌到|跌了|升到|卖到|炒到|原价|标价|售价"
    "|起步价|最低|最高|至少要|起码|只要|怎么|为什么|如果|要是|假如|听说"
    "|据说|新闻|月薪|年薪|时薪|身价|市值|票房|粉丝|播放|阅读|分数|考了"
    "|考(?=\\d)|排名|(?<!压)岁|年级|第\\d|身高|体重|米高|公里|斤重|\\d度|[零温湿角]下?[上]?度|版本|型号"
    "|房号|密码(?!锁)|电话(?!费|卡|手表)|号码|预算|目标|得花|要花|要交|得交|要付|要还|该还"
    "|(?<![出误时温落])差(?:了|个)?\\d|[凑拼].{0,10}(?:吧|[?])|该交|记得|别忘|提醒|需要|应该|可能|大概要"
    "|会花(?!了)|能买|多少"
    "|跌破|涨破|突破|成交|[开飙升]到(?=\\d)|\\d以[内上下]的|以前|那时候|那会儿|当年|小时候|从前|想当初"
    "|回复\\d|凑[够齐]|求购|(?<!刚)去[^,了过]{0,8}买[0-9]+[块元]钱?的|诚招|招聘|转让|自提|私聊|(?:^"
    "|,)[出收]一[台张个部辆件把](?!了)|闲置.{0,8}\\d.{0,3}出|aa吧"
    "|(?<![得中拿获])(?<![得中拿获]了)[一二三四五特]等奖|(?:帮|替)我(?:充|买|带|转|付|交|订|垫)(?!了|的)"
)
_RHETORIC: Final = Pattern(
    "(?:赚|挣|花|干|搞|吃|喝|买|造)[他它她](?:娘的?|妈的?)?(?:个)?(?=[0-9一二两三四五六七八九十百千万几])"
    "|抢劫|打劫|宰人|(?<![价充面超增贬升产])值(?=[0-9一二两三四五六七八九十百千万])(?![^,，]{0,8}的)|(?:求|讨|来)个?红包(?!了)"
    "|[万亿块元0-9][,， ]*我就(?:请|给|包|送|买给)"
    "|敢信|信吗|离谱|抢钱|智商税|黑心|吓人|[一每][碗杯份个张斤瓶碟盘串块片晚节][^,，0-9了]{0,6}(?:卖|要|收)(?:到|价)?(?=[0-9])"
)
"""一碗面卖48, 一节课要200: a price mentioned as such"""
_EVALUATED: Final = Pattern(f"太贵|好贵|真贵|贵死|贵了|便宜|划算|值|坑|{_RHETORIC.pattern}")
_DEMONSTRATIVE: Final = Pattern("^(?:这|那|你|他|她|它|你们|他们|人家|别人)(?!顿|次|笔|天)")
_SURNAME: Final = (
    "[王李张刘陈杨赵黄周吴徐孙马朱胡郭何高林罗郑梁谢宋唐许邓冯韩曹曾彭蔡潘董"
    "袁余叶蒋杜苏魏程吕丁沈任姚卢姜崔谭廖范汪陆贾夏方邹秦江尹薛段雷侯史黎贺顾]"
)
_OTHERS: Final = Pattern(
    rf"^(?:(?:{table('talk.person')}|小[^,\d买吃])(?:的)?(?:工资|月薪|年薪)"
    rf"|[老小阿]{_SURNAME}(?:今天|昨天|前天|上周|上个?月|刚|也|都)*(?:买|花|中了|卖|赚|亏|租|换|交|充)"
    rf"|他|她|它|你|他们|她们|你们|人家|别人|有人|有的人|我?(?:同事|朋友"
    rf"|同学|老师|领导|邻居|室友|舍友)(?!请|给|还|转|借|发|结婚|生日|过生日|婚礼|满月|搬家|乔迁|升学|聚|来"
    rf"|家|收)|马云|明星"
    rf"|我?(?:{table('talk.person')})[^,，我0-9]{{0,4}}(?:给|帮|替)我?(?:{table('talk.person')}|[爸妈哥姐弟妹爷奶])[^,，我]{{0,4}}(?:发|转|包|打|塞|充|买|交|换)"
    rf"|(?:{table('talk.person')})(?:今天|昨天|前天|刚|又)*(?:给|帮|替)(?:我(?:爸|妈|哥|姐|弟|妹|爷|奶|家)"
    rf"|他|她|自己)[^,]{{0,4}}(?:买|换|交|租|订))(?!.{{0,6}}(?:给"
    rf"|还|转|发|请|欠)(?:了)?我)(?![的]?红包)"
)
_AHEAD: Final = Pattern(
    "明天|后天|大后天|下周|下个?月|明年|下学期|明晚|明早|将来|以后|等[下会]|待会|[一过]会儿?|回头|稍后|晚点"
    "|等(?:我|他|她)?发了?工资|等[^,，]{0,6}(?:再|了就)"
)
_UNDERLINED: Final = Pattern(
    r"(?:(?:到|在|入|进)?群账|记一?下|帮我记一?下|记账|记上|记|入账|谢谢|哈|啊|了|呢"
    r"|吧|呀|左右|多|元|块|钱|整|好贵|太贵了|真贵|贵死了|便宜|aa|每人|人均"
    r"|一人|一个人|平摊|已?付清|已[付交缴还充收]|到账|,|。|!|~| )*"
)
_NOT_ITEM: Final = Pattern(
    "今年|(?<!压)岁|年龄|体重|身高|密码|电话|qq|微信号|房间|序号|编号|学号|分$"
    "|第$|^第|^(?:我|你|他|她|我们|大家|是|有|在|就|才|都|还|得|差|考|排"
    "|剩|约|共|大概|超过|不到|至少)+$|[?]|^[\\d\\W_a-z]{0,3}$"
)
_OWED: Final = Pattern("欠|如果|假如|要是|人均.{0,6}的|月薪|年薪")
_ASKED_BEFORE: Final = Pattern("[了过完好到]没(?:有)?[,。!~ ]*$")
_UNLIKELY: Final = Pattern(
    "[在住楼层栋座班届级期第路线号章版码页排集季版型款版分秒米]|[a-z]{5,}|[我你他她是有]|[了着]$"
    "|哈|嘻|呵|祝|恭喜|发财|牛[逼啊]|厉害|加油|[啦呀吗呢嘛噢哦]$"
)
_QUANTITY: Final = Pattern(
    "[0-9一二两三四五六七八九十俩](?P<unit>[杯斤瓶个张份件盒袋包条双本支串碗只])(?!多).*每(?P=unit)"
)
_PRICED: Final = Pattern("原价|标价|售价|便宜")
_PAID_PRICE: Final = Pattern(
    "打[^,]{1,4}折|[实付到手]{2}|拿下|入手|现价|折后|[券减]后|用了?券|优惠后|砍[到价]|会员价|花了|买|便宜了"
)
_EACH: Final = Pattern("[一每][平斤克吨股张两](?=[0-9])")
"""Unit price, redundant beside its product"""
_SWITCHES: Final = Pattern(
    "记账(?:功能)?(?:给我)?(?:关[掉了上闭]|打开|开启|停[掉了用])|(?:关[掉了闭]|打开|开启|停用)记账"
)
"""把记账关了: the feature, not money"""
_REMINDS: Final = ("提醒", "叫我", "喊我", "别忘", "记得")
_DONE_SO: Final = Pattern(
    "[了到过给]|(?:买|花|付|吃)的$|[0-9一二三四五六七八九]折|花|共|aa|工资|奖金|支出|收入|退款|报销"
)
_PERIOD: Final = Pattern("一个?[月年天次晚位]|一学?期|每[月年天次]")
_SPENT: Final = Pattern("[花付买][了掉]")
_PAID: Final = Pattern("[花付买交充订租]了|预付|已经")


def rules(clause: Clause) -> Match | None:
    """Match of a clause about the books; 上一笔删掉 is about the record."""
    match = _wanted(clause)
    if match is not None and match.intent == "record" and match.sure and (left := _left_of(clause)):
        return replace(match, sure=False, unread=left, why="没有全读懂")
    if match is None or match.intent != "undo":
        return match
    return replace(match, intent=settled(match.intent, clause.text))


def _left_of(clause: Clause) -> tuple[str, ...]:
    """Sums of a line that end in no item of it."""
    if len(clause.amounts) < 2:
        return ()
    where = clause.situation
    names = names_in(normalise(clause.text), (*where.mentions, *where.people))
    return read_items(clause.text, where.now, where.zone, None, names).left


def _wanted(clause: Clause) -> Match | None:
    heard = hear(clause)
    masked = mask_identifiers(heard.text)
    if masked != heard.text:
        heard = heard._replace(text=masked)
    if takes_back(heard.text, clause.situation) or takes_back_because(clause):
        return Match("undo", 3)
    named = asked_of_books(clause.text, addressed=clause.situation.addressed)
    if named is not None and not budget_of_a_day(clause):
        return Match(named, 3)
    if (back := _points_back(clause)) is not None:
        return back
    if is_out_of_bill(clause):
        return Match("correct", NAMED)
    if clause.situation.addressed and budget_asked(clause.text) is not None:
        return Match("query", 3)
    around = (clause.situation.mentions, clause.situation.members)
    if clause.situation.addressed and not clause.situation.private and quits_in(clause.text, *around):
        return Match("query", 3)
    if clause.situation.addressed and settles(clause.text, *around):
        return Match("record", 3)
    if (
        clause.situation.addressed
        and not heard.asks
        and gives_back(clause.text, clause.situation.mentions, clause.situation.members)
    ):
        return Match("record", 3)
    if clause.situation.addressed and not heard.asks and lends(clause):
        return Match("record", NAMED)
    plain = clause.situation.addressed and not (heard.asks or heard.wished or heard.reported)
    if plain and pays_out(clause):
        return Match("record", NAMED)
    if plain and clause.amounts and on_credit(heard.text, clause.amounts):
        return Match("record", 2)  # the reply explains that unpaid sums are not recorded
    others = _OTHERS.match(heard.rest) is not None or _of_another(clause)
    ahead = _AHEAD.search(heard.text) is not None
    told = not (others or ahead or heard.asks or heard.wished or heard.reported)
    told = told and not _is_planned(clause, clause.amounts) and _RHETORIC.search(heard.text) is None
    if plain and (joins_anew(clause) or unreceived(clause)):
        return Match("correct", NAMED)
    if plain and pays_anew(clause):
        return Match("correct", 2, sure=not _PAYS.isdisjoint(clause.text))
    return (
        correction(clause, heard)
        or _shared_told(clause, heard, told=told)
        or asked_after(clause, heard, others=others, ahead=ahead)
        or weighed(clause, heard.text, _record(clause, heard), told=told and not has_not_moved(heard.text))
    )


def _points_back(clause: Clause) -> Match | None:
    """Order to record a sum of the earlier talk, or a thing with a price (刚才打车那个记一下)."""
    where = clause.situation
    if not where.addressed or clause.amounts or where.quoted:
        return None
    meant = points_back_to(clause.text)
    if meant is None:
        return None
    told = told_before(meant, where.before, where.now, where.zone, Categories())
    if told is not None:
        return Match("record", NAMED)
    shared = division_of(meant.rest, where.mentions, where.people).divides
    return Match("record", NAMED) if shared or _ITEM.search(meant.thing) is not None else None


def is_out_of_bill(clause: Clause) -> bool:
    """True if the speaker withdraws from one of their shared bills (火锅我没吃 别算我)."""
    bills = clause.situation.bills
    out = stays_out(clause.text) if bills else None
    return out is not None and (not out or any(each in out or out in each for each in bills))


def _shared_told(clause: Clause, heard: ClauseFeatures, *, told: bool) -> Match | None:
    """Sum with payer or sharers (每人120 林然陈晨和我, 阿笙付了140), or sharers of an earlier expense
    (我们几个分)."""
    where = clause.situation
    if where.private or not where.addressed or heard.wished or heard.reported:
        return None
    said = division_of(clause.text, where.mentions, where.people)
    if heard.asks and (not said.spans or hear(_without(clause, said.spans)).asks):
        return None  # 几个 in 我们几个 is no question
    if not clause.amounts:
        several = said.people or said.count or said.several
        if not (said.whole and said.split and several):
            return None
        return Match("record", 1, sure=False, vouched=bool(where.recorded))
    if all(each.role is Role.ASIDE for each in clause.amounts):
        return None  # 比阿凯多付20
    by_other = said.paid_by_other and (said.treat or not said.alone)
    people = bool(said.people or where.mentions or said.count or said.several)
    if not (by_other or (said.divides and (people or (said.advanced and told)))) or has_not_moved(heard.text):
        return None
    if _AHEAD.search(heard.text) or _asked(heard.text, clause.amounts) or _is_planned(clause, clause.amounts):
        return None
    about = all(one.approximate for one in clause.amounts)
    return Match("record", 2, sure=not heard.felt and not about)


def _of_another(clause: Clause) -> bool:
    """True for spending of a member or a nickname without the speaker (小李今天吃饭花了38,
    老王的车花了20万)."""
    where, line = clause.situation, clause.text.lower()
    named = sorted(names_in(line, where.members), key=len, reverse=True)
    name = next((each for each in named if line.startswith(each)), None)
    said = _NICKNAMED.match(line) if name is None else None
    behind = line[len(name or "") if said is None else said.end() :]
    if name is None and said is None:
        return False
    return _THEIRS.search(behind) is not None and _OURS.search(behind) is None


_NICKNAMED: Final = Pattern(f"[老小阿]{_SURNAME}")
_THEIRS: Final = Pattern("(?:花|买|输|赢|赚|挣|亏|充|换|中|租|罚)(?:了|的)")
_OURS: Final = Pattern("[我咱俺请垫付帮替给借还转欠份摊分收退送随礼]|生日|婚|红包|aa|群账|大家|一起|记")


_PAYS: Final = frozenset("付垫掏结单出")
"""这是我买的 fits many things, 这是我付的 only bills"""


def pays_anew(clause: Clause) -> bool:
    """True if the whole clause gives a new payer, of a thing or as a correction (停车是我付的; 不对
    是老K付的)."""
    where = clause.situation
    if where.private or clause.amounts or not any(word in clause.text for word in ("是", "错", "不对")):
        return False
    told = anew_of(clause.text, where.mentions, where.people)
    if told is None or (told.payer is None and not told.pays):
        return False
    return bool(told.thing) or bool(where.recorded)


def joins_anew(clause: Clause) -> bool:
    """True if the whole clause says who else shares the bill that was just recorded (不止我俩 还有小雅)."""
    where = clause.situation
    if where.private or clause.amounts or not (where.recorded or where.bills):
        return False
    told = anew_of(clause.text, where.mentions, where.people)
    return told is not None and any(who.ids for who in told.joins)


def unreceived(clause: Clause) -> bool:
    """True if the speaker says that a member's money did not come, or was another sum (没收到阿凯的钱;
    阿凯给我的是120)."""
    where = clause.situation
    if where.private:
        return False
    if clause.amounts:
        return got_instead_of(clause.text, where.mentions, where.members) is not None
    return unreceived_of(clause.text, where.mentions, where.members) is not None


def pays_out(clause: Clause) -> bool:
    """True for wages paid by the speaker (发工资 小李4200)."""
    where = clause.situation
    if not clause.amounts or has_not_moved(clause.text) or _AHEAD.search(clause.text):
        return False
    return bool(division_of(clause.text, where.mentions, where.people).wages)


def _without(clause: Clause, spans: Sequence[tuple[int, int]]) -> Clause:
    """Clause with these spans blanked."""
    text = clause.text
    for start, end in spans:
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return replace(clause, text=text)


def _record(clause: Clause, heard: ClauseFeatures) -> Match | None:
    named = _NAMED.search(heard.text) is not None
    amounts = paid(heard.text, clause.amounts).amounts
    told = [one for one in amounts if one.role is not Role.ASIDE and not _is_clock(heard.text, one)]
    if any(word in heard.text for word in _REMINDS) or _SWITCHES.search(heard.text):
        return None
    if named and (told or not heard.asks):
        return Match("record", 3, sure=bool(told))
    if clause.situation.quoted and not told and re.search("记一?下来?|记上", heard.text):
        return _quoted(clause)
    if not told or heard.asks or heard.wished or heard.reported or _asked(heard.text, told):
        return None
    if has_not_moved(heard.text) or _is_planned(clause, told):
        return None
    recorded = orders_recording(heard.text.strip())
    if only_guessed(clause) and not recorded:
        return None
    if heard.text[: told[0].start].rstrip(" 成为到").endswith("改"):
        return None  # 人均改100吧: of an earlier item
    if recorded:
        clock = any(time.start is not None for time in clause.times)
        bought = _names_item(heard.text) and _is_terse(heard, told)
        return Match("record", 3 if bought and not clock and not _AHEAD.search(heard.text) else 2)
    treated = heard.body.startswith("请")
    if _of_another(clause) or (_OTHERS.match(heard.rest) and not treated) or _DEMONSTRATIVE.match(heard.rest):
        return None
    return _told(clause, heard, told)


def _names_item(text: str) -> bool:
    return _ITEM.search(NO_THING.sub(" ", text)) is not None


def _is_planned(clause: Clause, told: Sequence[Amount]) -> bool:
    """True for a bare number after a coming clock (周四下午两点面试张三 302): a room, no price."""
    now = clause.situation.now
    ahead = any(
        each.start is not None
        and each.date is not None
        and (each.date, each.start) > (now.date(), now.time().replace(tzinfo=None))
        for each in clause.times
    )
    plain = all(not one.spoken and one.role is Role.PLAIN for one in told)
    return ahead and plain and not _names_item(clause.text)


def told(text: str, situation: Situation) -> bool:
    """`is_told` of a whole message that is more than an amount."""
    line = normalise(text[:LONGEST])
    amounts = find_amounts(line)
    if all(one.role is Role.PER_UNIT for one in amounts):
        return False
    clause = Clause(line, situation, tuple(parse(line, situation.now, situation.zone)), tuple(amounts))
    heard, label = hear(clause), _label(clause, hear(clause), amounts)
    if heard.felt or (_UNLIKELY.search(label) and not any(one.spoken for one in amounts)):
        return False
    said = any(one.spoken or one.role is Role.PER_HEAD for one in amounts)
    return is_told(clause) and (said or label != "")


def is_told(clause: Clause) -> bool:
    """True if the amounts may be spent or received: not asked, wished, or another's."""
    heard = hear(clause)
    if heard.asks or heard.wished or heard.reported or _OTHERS.match(heard.rest) or _OWED.search(heard.text):
        return False
    if has_not_moved(heard.text) or (clause.amounts and _asked(heard.text, clause.amounts)):
        return False
    if _of_another(clause) or (_RHETORIC.search(heard.text) and not _SPENT.search(heard.text)):
        return False
    if _AHEAD.search(heard.text) and not _PAID.search(heard.text):
        return False
    return _DEMONSTRATIVE.match(heard.rest) is None and _NOT_TOLD.search(_PRICED.sub("", heard.text)) is None


def _asked(text: str, amounts: Sequence[Amount]) -> bool:
    """True for a question before the first amount (快递到了没15)."""
    return _ASKED_BEFORE.search(text, 0, amounts[0].start) is not None


def _is_clock(text: str, amount: Amount) -> bool:
    if is_gauged(text, amount):
        return True
    return not amount.spoken and text[amount.end : amount.end + 1] in ("点", "號", "号", "度", "楼", "岁")


def _told(clause: Clause, heard: ClauseFeatures, told: list[Amount]) -> Match | None:
    verb = any(said.search(heard.text) for said in (_OUT, _IN)) or moves(
        _with_zeros(heard.text, clause.amounts)
    )
    item = _names_item(heard.text)
    if _RHETORIC.search(heard.text) and not _SPENT.search(heard.text):
        return None
    priced = _PRICED.sub("", heard.text) if _PAID_PRICE.search(heard.text) else heard.text
    if not paid(heard.text, clause.amounts).plain:
        priced = _EACH.sub("", priced)
    if _NOT_TOLD.search(priced) and not (
        _EVALUATED.search(heard.text) and re.search("[花付买吃打]了|花", heard.text)
    ):
        return None
    if all(amount.role is Role.PER_UNIT for amount in told) and not verb:
        period = item and (_PERIOD.search(heard.text) or _QUANTITY.search(heard.text))
        return Match("record", 2, sure=False) if period else None
    heads = all(amount.role is Role.PER_HEAD for amount in told)
    if heads and (not (item or verb) or (not verb and all(one.approximate for one in told))):
        return None  # 聚餐人均120左右
    label = _label(clause, heard, told)
    if _AHEAD.search(heard.text) and not _PAID.search(heard.text):
        return None
    terse = _is_terse(heard, told) and bool(label) and not _NOT_ITEM.search(label)
    if not clause.situation.addressed and (not terse or len(heard.text) > 14 or heard.felt):
        return None
    if (
        verb
        and not terse
        and not _DONE_SO.search(heard.text)
        and not (item and _PERIOD.search(heard.text))
        and not any(one.spoken for one in told)
        and not (item and _treats(clause))
    ):
        return None
    if verb and (label or not heard.felt) and len(heard.text) <= 60:
        return Match("record", 2, sure=not heard.felt or terse)
    if item and len(heard.text) <= 40:
        return Match("record", 2, sure=terse)
    if (
        terse
        and len(label) <= 12
        and clause.situation.addressed
        and not (_UNLIKELY.search(label) and not told[0].spoken)
    ):
        return Match("record", 2, sure=any(amount.spoken for amount in told))
    return None


def _treats(clause: Clause) -> bool:
    """True where the speaker treats the others (火锅300我请客)."""
    if "请" not in clause.text:
        return False
    said = division_of(clause.text, clause.situation.mentions, clause.situation.people)
    return said.treat and not said.paid_by_other


def _with_zeros(text: str, amounts: Sequence[Amount]) -> str:
    """Text with 0 for every amount, for the type tables."""
    for amount in reversed(amounts):
        text = f"{text[: amount.start]}0{text[amount.end :]}"
    return text


def _label(clause: Clause, heard: ClauseFeatures, told: list[Amount]) -> str:
    """Description: the clause without amounts and times."""
    text = heard.text
    for amount in reversed(clause.amounts):
        text = f"{text[: amount.start]}{text[amount.end :]}" if amount.end <= len(text) else text
    for found in clause.times:
        if not any(a.start < found.span[1] and found.span[0] < a.end for a in told):
            text = text.replace(found.text.lower(), "", 1)
    return text.strip(" ,.。!~、的")


def _is_terse(heard: ClauseFeatures, told: list[Amount]) -> bool:
    """True for little text beside the amounts, at its start or end (午饭35, 35块的午饭)."""
    behind = heard.text[told[-1].end :]
    return _UNDERLINED.fullmatch(behind) is not None or (told[0].start == 0 and len(behind) <= 8)


def _quoted(clause: Clause) -> Match | None:
    amounts = find_amounts((clause.situation.quoted or "")[:200])
    return Match("record", 2, sure=False) if amounts else None
