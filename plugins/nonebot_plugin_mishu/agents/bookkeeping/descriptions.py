"""The words of an item: which of what was said is about an amount, and what is left of it without the amount,
its time and what only carries them. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from ...language import words_of as words_in
from ...text import Amount
from .entry import LONGEST_DESCRIPTION

_HOLE: Final = "\x00"
_EDGE: Final = "\\s,，。;；、:：!！~…·\\-—+=\x00【】\\[\\]"
_COUNT: Final = "[一两二三四五六七八九十几半俩仨]"
_CLASSIFIER: Final = (
    "(?:个|瓶|条|本|件|点儿?|些|杯|份|双|台|部|张|根|支|只|盒|袋|斤|串|块|套|把|束|盆|辆|顿|场|罐|桶|箱|枝|副"
    "|顶|棵|颗|碗|盘|壶|包|堆|对|款|提|卷|片|节|枚|幅|次|趟|单|注|期|身|床|扎|打)"
)
_NO_CLASSIFIER: Final = (
    "(?:包[子装厢间]|本[子田]|盒饭|杯子|[袋瓶箱]子|[瓶桶袋盒]装|套餐|套装|单车|对联|打火|台[灯历]"
    "|床[单垫上]|箱包|卷纸|串[串儿]|支架|把手|提子"
    "|碗面|盆栽|副食|期[货刊]|次卡|顿饭|场地|份饭|点[心赞读卡])"
)
"""Words that begin as a classifier does."""
_LEAD: Final = re.compile(
    f"(?:[{_EDGE}]+|@\\S+|(?:[0-9]{{1,2}}|[①-⑩])[.、)）](?![0-9])|(?:可不可以|能不能|能否|可否|可以|能|麻烦|请)?(?:你|您)?(?:帮(?:我|忙)?"
    f"|给我|替我)(?=记|加|算|存|入|写)"
    "|(?:麻烦|请)(?:你|您)?(?=记|$|[\\s,，\x00])"
    "|(?:再|先|还)?(?:记录(?:一下)?|记(?:一?下|一?哈子?(?!哈)|个|上|一?笔|一?条)?(?:账|帐)?|入账|记账|记帐"
    "|添加|新增|加一?笔"
    "|补一?笔|补记|补一下)(?:了|一下)?(?:一笔|一个|一条)?[:：,，]?"
    "|(?:一笔|一个|这笔|那笔|有一?笔|又|还有|另外|再|然后|接着|顺便|对了|其中|以及|和)(?=.)"
    "|(?:那|这)一?(?:顿|次|杯|件|趟|场|份|单|碗|家|双|台|本|瓶|桌|餐|个)(?:的)?(?=[^的\x00])"
    "|(?:侬晓得伐|你猜|你们?猜|话说|对了|诶|哎呀?|那啥|内个|说起来|顺带|顺手|跟你说|告诉你|悄悄说)[,，: ]*"
    "|(?:今朝|今儿个?|今个儿?|今日|昨儿个?|昨个儿?|昨朝|昨日|寻日|琴日|前日|头先|啱啱|才刚|适才|方才)"
    f"|(?:食|饮|整|炫|恰|造|嗦|旋|搞|买|叫|搭|坐)(?:咗|左(?!手|边))(?:{_COUNT}?{_CLASSIFIER})?(?=[^\x00])"
    f"|(?:整|炫|恰|造|嗦|旋|搞)了(?:{_COUNT}?{_CLASSIFIER})?(?=[^\x00])"
    "|(?:小票|账单|清单|明细|流水|花销|支出|开销|消费|今日|如下|列一下|汇总)[:： ]+|把(?![手柄戏])(?=.)"
    "|(?:最后|后来|结果)(?=[^付花给收\x00])|(?:[早午晚]餐|[早午晚中]饭|夜宵)[:：] ?(?=[^\x00 ])"
    "|(?:忘记?了?记?|忘了|漏记了?)(?:的是?|了|,| )*(?=.)"
    "|我们?(?!家|妈|爸|弟|妹|姐|哥|老)|咱们?|俺(?!家|妈|爸|弟|妹|姐|哥)|自己"
    f"|买(?:了{_COUNT}?|{_COUNT})(?!{_NO_CLASSIFIER}){_CLASSIFIER}(?=[^了的\x00]|\x00的)"
    f"|买(?:个|些|件|双|台|辆|部|点儿?)(?!{_NO_CLASSIFIER})(?=[^了的\x00]|\x00的)|买了(?=.)|的"
    "|今天|刚才|刚刚|刚|总共|一共|共计|合计|共(?=\x00|$)|总计|(?<=昨|今)晚(?=宵)"
    "|(?:是|为|就|都|也|已经|了|去|才|只)(?=.)"
    "|(?:支出|收入|消费|开销|花销|花费|花掉|花了|花|付了|付款|用了|用掉|进账)(?=[\\s,，:：\x00】\\]]|$)"
    "|(?:吧|啊|呢|哦|呀|嘛|啦|喽|嘞|哈|吗)(?=[\\s,，\x00]|$)|小(?=\x00)|下来(?=\x00|$|每人)|[收得](?=\x00|$)"
    "|(?:金额|分类|类别)[:：]?)"
)
_VERB: Final = (
    "(?:(?<![公外上社提])交|缴|(?<!补)充|赚|挣|扣|亏|嗦|嗖|耗|(?<![团小完冻巴])结|(?<![理沙头开批])发"
    "|(?<![外买])卖|(?<!税)收|还|转|(?<!补)给|抢"
    "|中|罚|捐|付|花|用|要|办|续|存|取|退|(?<![签迟])到|垫|赔|输|赢|领|得|订|报|刷|请|随|出|搭|掏)"
)
"""What moves money; said right before an amount it says nothing of the thing."""
_MOVED: Final = f"{_VERB}(?:了|掉了?|进去?|出去?)|(?:[花用扣收罚要]了?|用掉|花掉)(?:我们?|俺|咱们?)|"
_CARRIES: Final = (
    "(?:花了|花掉|花费|终于|总算|(?<![买送种鲜插束朵枝盆盒些点支棉米烟葱菜兰瑰合樱梅菊荷桂腐椒雪桃])花|又"
    "|再|还(?=$)|付了|付款|付|用了|用掉|用去|一共|总共|共计|合计|共|总计|才"
    "|就|只|要|大概|大约|差不多|最后|结果|实际|实付|到手"
    "|(?<=.)(?<![给跟和替帮带借还转送请退赔输发])(?<![给跟替帮带借还转送请退赔输发]了)(?:我们?|俺"
    "|咱们?)(?=$)|(?<=[^\\s])[也都](?=$)|(?<![大老少从家胆矮])小(?=$)|(?<![收超采团])买的?(?=$)"
    "|(?<=费)充(?=$)|我请的?(?=$)|我(?:的)?那一?份(?=$)|我的(?:一份)?(?=$)|忘记?了?记?(?=$)"
    "|(?<![候修织弥])补记?(?:一下|一笔|上)?(?=$)|实发|应发|到手|折后|打折|用了?券|用券"
    "|支出|消费|收费|是|为|了|已|(?<![打摩])的(?!士)|(?<![酒网茶书贴水氧])吧|啊|呢|哦|呀|啦|喽|嘞|哈|吗|钱|块"
    "|元|左右|多|整|各|[和跟与]|人民币|rmb|大洋)"
    "|(?:也|还|都)?(?:没|忘了?|忘记了?|漏了?)(?:记|写)(?:了|上)?(?=$)"
    "|(?:[两三四五几]笔)?(?:都|全部?|也|一起)?(?:[帮给替]我)?(?:记一下|记下来?|记上|记一笔|记账|记帐|入账)|谢谢|一共是|总共是|都是"
)
_TAIL: Final = re.compile(f"(?:(?<![{_EDGE}])[{_EDGE}]+|{_CARRIES})$")
_LAST: Final = re.compile(f"(?:(?<![{_EDGE}])[{_EDGE}]+|{_MOVED}{_CARRIES})$")
"""As `_TAIL`, where nothing follows the amount."""
_KEPT: Final = re.compile(
    "(?:水|网|话|房|车|电|油|饭|菜|本|零花?|压岁|借|还|还的|存|取|退|份子|赚)钱$|目的$|[首预垫代支]付$"
    "|(?<=给|替|帮|带|借|还|转|送)我$"
)
_PAID: Final = re.compile("(?:花了|花掉|付了|用了|花费|一共|总共|共)?\x00")
_SAYS_NOTHING: Final = re.compile(
    f"(?:我们?|咱们?|俺|你|他|她|自己|俩|{_COUNT}个?人|大家|最后|结果|实际|实付|到手|一共"
    f"|全部?|都|总|共|份|那|这|去|来|就|才|随|抢|领|券|应发|实发|税后|税前|实得|扣税(?!后)"
    f"|扣社保|之后|以后|后|下来|手气最佳"
    f"|还|又|再|也|只|要|给|把|被|用|拿|掏|出|发|交|付|缴|花|充|收|转|补|扣|退|找|回|掉|进|到|到账|入账|得|赚"
    f"|挣|卖"
    "|微信|支付宝|刷卡|扫码|现金|信用卡|花呗|满减?|优惠|打折|了|的|吧|啊|呢|钱|块|元|左右|多|差不多|大概"
    "|大约|平均|每位?|人均|一?笔"
    "|价格?|好像|应该|是|好|啦|呀|没记|完|全款|\\s|,|，)*"
)
_PAYS_OFF: Final = re.compile("还(?:了|清|上|完)?(?:信用卡|花呗|白条|借呗|房贷|车贷|网贷|贷款)(?:了)?")
"""With a card one pays, and a card one pays off."""
_ANEW: Final = re.compile(r"\s+|(?<=.)(?:又|再|还)(?=[买吃喝打坐去给充交付])")
_BREAK: Final = re.compile(
    r"[,，。;；、!！?？\n]+|(?:然后|还有|另外|以及|接着)|\s+(?=[又还再也]?[还交缴付充收发转退借存取领买花](?:了|掉|上))"
)
PRICE: Final = re.compile(
    "原价|现价|标价|团购价|全价|门市价|挂牌价|折后价?|到手价?|实付|优惠价|(?:满|立?减免?|优惠了?|便宜了?"
    "|省了?|抵扣?)(?=[0-9])"
)
TALK: Final = re.compile("预算|多少|吗|几块")
_DENIES: Final = re.compile("没(?!药|记)|不(?![锈倒二粘老干])|别(?![墅克针名])|未(?!来)")
_MOST_STEPS: Final = 16
_LONGEST_FILLING: Final = 12
"""Words that say nothing are few; and 就才都是 can be taken apart in many ways."""


@dataclass(frozen=True, slots=True)
class AmountPiece:
    """An amount with the stretch of text that is about it."""

    amount: Amount
    start: int
    end: int


def says_nothing(words: str) -> bool:
    """Whether a description only says that money moved (我出了, 最后付了): the thing is named elsewhere."""
    if len(words) > _LONGEST_FILLING or _PAYS_OFF.fullmatch(words) is not None:
        return False
    return _SAYS_NOTHING.fullmatch(words) is not None


def description(text: str, holes: Sequence[tuple[int, int]]) -> str:
    """`text` without the stretches `holes`, without what carries an amount or orders a record."""
    characters = list(text)
    for start, end in holes:
        for at in range(max(0, start), min(len(characters), end)):
            characters[at] = _HOLE
    line = _PAID.sub(_HOLE, re.sub("\x00+", _HOLE, "".join(characters)))
    found = _bare(line, _LAST) or _bare(line, _TAIL)  # 赚了 is better than nothing
    return _affirmed(found)[:LONGEST_DESCRIPTION]


def _affirmed(words: str) -> str:
    """The words without what is denied in them: 打车 of 水没买 打车, 午饭 of 午饭不贵."""
    if _DENIES.search(words) is None:
        return words
    parts = [part for part in words.split() if _DENIES.search(part) is None]
    if parts:
        return " ".join(parts)
    first = next((token for token in words_in(words) if "negation" in token.classes), None)
    return words if first is None else words[: first.start].strip() or words


def _bare(line: str, ending: re.Pattern[str]) -> str:
    line = _trimmed(line, ending)
    if _HOLE in line:
        *parts, last = line.split(_HOLE)
        line = "".join([*(_trimmed(part, _TAIL) for part in parts), _trimmed(last, ending)])
    return line.strip()


def _trimmed(line: str, ending: re.Pattern[str]) -> str:
    for _ in range(_MOST_STEPS):
        lead = _LEAD.match(line)
        if lead is not None and lead.end():
            line = line[lead.end() :]
            continue
        tail = None if _KEPT.search(line) else ending.search(line)
        if tail is None or tail.start() == tail.end():
            return line
        line = line[: tail.start()]
    return line


def cut(line: str, amounts: Sequence[Amount]) -> list[AmountPiece]:
    """Cut the text into one stretch for each amount."""
    if not amounts:
        return []
    pieces: list[AmountPiece] = []
    carried: int | None = None
    """Where a clause without an amount began, whose words belong to the next amount (吃饭，花了35)."""
    for start, end in clauses(line):
        inside = [found for found in amounts if start <= found.start < end]
        if not inside:
            if (
                pieces
                and _nameless(line, pieces[-1])
                and tells(line[start:end])
                and not TALK.search(line[start:end])
            ):
                pieces[-1] = replace(pieces[-1], end=end)  # 实付150，买了个包
                continue
            carried = start if carried is None and tells(line[start:end]) else carried
            continue
        leads = tells(PRICE.sub("", line[start : inside[0].start]))
        first = start
        if carried is not None and not leads and not tells(line[inside[-1].end : end]):
            first = carried
        carried = None
        parts = _parts(line, inside, end) if not leads else []
        for index, amount in enumerate(inside):
            following = inside[index + 1].start if index + 1 < len(inside) else end
            if leads or first != start:
                opening = first if index == 0 else inside[index - 1].end
                closing = end if index + 1 == len(inside) else amount.end
            else:
                opening = first if index == 0 else parts[index - 1] or amount.start
                closing = parts[index] or following
            pieces.append(AmountPiece(amount, opening, closing))
    return pieces


def _parts(line: str, inside: Sequence[Amount], end: int) -> list[int | None]:
    """Where the words of each amount end, the things behind the amounts; None: where the next amount begins.

    Of 充了50话费 又买了书45 the second one's words stand before it.
    """
    if len(inside) < 2 or tells(line[inside[-1].end : end]):
        return [None] * len(inside)
    ends: list[int | None] = []
    for amount, following in pairwise(inside):
        found = _ANEW.search(line, amount.end, following.start)
        fits = found is not None and tells(line[amount.end : found.start()])
        ends.append(found.start() if fits and found is not None else None)
    return [*ends, None]


def without(line: str, spans: Sequence[tuple[int, int]]) -> str:
    """`line` with blanks in place of these stretches."""
    for start, end in spans:
        line = f"{line[:start]}{' ' * (end - start)}{line[end:]}"
    return line


def _nameless(line: str, piece: AmountPiece) -> bool:
    around = line[piece.start : piece.amount.start] + " " + line[piece.amount.end : piece.end]
    return not tells(re.sub("[0-9.]+[块元]?", "", PRICE.sub("", around)))


def clauses(line: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    position = 0
    for split in _BREAK.finditer(line):
        if _within_number(line, split.start(), split.end()):
            continue
        if split[0].isspace() and not any(each.isdigit() for each in line[position : split.start()]):
            continue  # 昨天 交了房租2500: nothing was told before it
        found.append((position, split.start()))
        position = split.end()
    found.append((position, len(line)))
    return found


def _within_number(line: str, start: int, end: int) -> bool:
    """The comma of 1,299."""
    return (
        line[start:end] == ","
        and line[start - 1 : start].isdigit()
        and re.match(r"\d{3}(?!\d)", line[end : end + 4]) is not None
        and line[max(0, start - 5) : start].lstrip("0123456789,")[:1] in ("¥", "")
        and ("¥" in line[max(0, start - 5) : start])
    )


def words_of(text: str) -> str:
    return description(text, ())


def tells(text: str) -> bool:
    """Whether words name a thing, and not only that money moved."""
    return not says_nothing(words_of(text))
