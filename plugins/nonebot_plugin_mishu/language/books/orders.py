"""Orders to the books besides recording: category words, pictures, undo; budgets are in `budgets`. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, Literal

from ...patterns import Pattern
from ..changes.undoing import says_undo
from ..changes.unticked import takes_back_tick
from ..clause import Clause, Situation
from ..clauses.features import LONGEST
from ..entries.categories import BUILT_IN, Categories, is_name
from ..entries.entry import OTHER
from ..ledger.repayments.repaying import said_to_be_repaid
from ..text.fold import normalise
from .budgets import orders_budget

_TEACH: Final = Pattern(
    "(?:以后|今后|从今以后|从现在起|往后)(?:把|将|的)?(?P<word>[^,，。0-9]{1,10}?)(?:都|就|要|请|也)*"
    "(?<!预)(?:算作|算到|算成|算|归到|归为|归入|归|记到|记成|记为|属于|当成|分到)(?:在|为|成|到|进|是)?"
    "(?P<category>[^,，。的]{1,8}?)(?:这?个?分类|这?个?类别|类|里面?|上|吧|了|啊|!|！)*$"
)
_AROUND_UNDO: Final = (
    "(?:帮我|全部|统统|能不能|可以|最后|最近|操作|修改|改动|记录|回去|手滑|手误|(?:[删改点说弄搞打]|取消)(?=错)|我(?=刚?刚?才?记|[要想])"
    "|[请麻烦那这要想给快先把将刚才的上个一步下笔条次前面记账帐吗吧啊了掉错重多, ])*"
)
_UNDO: Final = Pattern(
    f"{_AROUND_UNDO}(?:撤销|撤回|撤消|撤了|撤掉|回退|还原|反悔|undo|恢复|收回(?=.*[笔账记])"
    f"|(?<=[笔账的])收回)"
    f"{_AROUND_UNDO}[!~。?]*"
)
"""Undo of the last change, without an item's name. Each word has one reading only."""
_NOT_AWAY: Final = Pattern(
    "(?:等等|等下|等一下|不对|算了|不(?=[不别, ])|啊|哎|诶|哦|嗯|那|还是|先|你|,| )*"
    "(?:(?:别|不|不要|不能|莫|不用|不想)(?:取消|删除|删掉|删|撤|去掉)|(?:取消|删|改)错|[加补找]回来)"
    "[了掉吧啊呀]*(?:[, ](?:给我|再|都)?(?:[加补找]回来|恢复|留着|撤回|撤销)[了吧啊呀]*)?[!~。]*"
)
"""不对 别取消, 删错了: about the item just deleted, or the answer to that question."""
_PLAINLY_UNDO: Final = Pattern("撤|undo|[笔账帐记错误]|操作|修改|改动|刚才|上一?[步个]")
"""Without one of these the word (恢复, 还原) is an everyday one as well."""
_TAKEN_AWAY: Final = ("删", "取消", "退出", "停")
_UNDO_BECAUSE: Final = Pattern(f"(?P<undo>{_UNDO.pattern})[ ,。!~]+(?P<why>[^ ,。!~].*)")
_BECAUSE: Final = Pattern(
    "^(?:因为|其实|原来|刚才|刚刚|已经|早就)|[说打记弄搞点按发写听看手]错|手滑|重复|记重|记过了|搞混|误会"
    "|还有|有了|有的是|够了|够用|买过了|买了|弄好了|做过了|不用|不需要|用不着|不该|不要了|不买了|不办了|不去了|算了|没必要"
)
"""Why somebody takes back what they did, beside the word for it: 撤销 家里还有."""
_ORDERED_BESIDE: Final = Pattern("[改换挪]|提醒|叫我|记[一个上到下]|加[一个上]|添|查|安排|新建|创建|重新")
_EXPORT: Final = Pattern(
    "(?:导出|下载).{0,12}(?:账(?!号)|流水|支出|收入|消费)|(?:账(?!号)|流水).{0,8}(?:导出|csv|CSV|excel|Excel)"
    "|^(?:请|帮我|给我|帮忙|麻烦|把|我要|我想)*(?:导出|下载|发|要)(?:一下|一份|一个|个|份|成|为|我)*"
    "(?:表格|电子表格|csv|CSV|excel|Excel)(?:文件|表)?(?:吧|呀|啊|来|给我|发我|一下|谢谢)*[。!~]*$"
)
_SPAN_WORDS: Final = (
    "(?:(?:这|本|当|上上?)一?个?(?:月份?|周|星期)|[0-9一二三四五六七八九十]{1,2}月份?|[今昨前]天|[今去]年"
    "|(?:最近|近|过去)[0-9一二两三四五六七八九十]{1,3}个?[天周月])"
)
_PICTURE_OF: Final = (
    f"(?:我们?|群里?|本群|大家|公共|(?:AA|aa)|{_SPAN_WORDS}|账单?|收支|支出|收入|消费|花销|开销|花费|记账"
    f"|情况"
    "|餐饮|交通|购物|娱乐|的)*"
)
_PICTURE: Final = Pattern(
    "(?:请|麻烦|帮我|给我|我想|我要|能不能|能|可以|再|把|看|发|来|要|出|生成|做|查|显示|一下|下"
    "|[一几]?[张个份幅])*"
    f"{_PICTURE_OF}(?:(?:画|做|生成|变|排)(?:成|个|张|一张|一个|出)*+)?"
    "(?:饼状?图|月度图|月报图|账单图|记账图|消费图|支出图|收支图|花销图|开销图"
    "|(?<=[账单支出入费销的])(?:统计图|柱状图|走势图|图表|图))"
    "(?:表|给我|发我|看看|一下|来|吧|呢|吗|呀|啊|谢谢|[!?。~, ])*"
)
_PICTURE_NAMED: Final = ("饼", "月度图", "月报图", "账", "支", "费", "销", "收")


def asked_of_books(text: str, *, addressed: bool = True) -> Literal["record", "query", "correct"] | None:
    """The intent of a line that names what only the books have: a budget, a category's word, an export."""
    text = text[:LONGEST]
    if (change := orders_budget(text, addressed=addressed)) is not None:
        return "correct" if change == "drop" else "record"
    if _EXPORT.search(text) is not None or wants_picture(text):
        return "query"
    if "还" in text and said_to_be_repaid(text):
        return "record"
    if "算" in text or "归" in text or "记" in text:
        lesson = taught(text)
        if lesson is not None:
            word, category = lesson
            known = category in BUILT_IN or Categories().of(word) != OTHER or "分类" in text
            return "record" if known else None
    return None


def forbids_taking_away(line: str) -> bool:
    """All of a line says that something is not to go (算了 别取消, 哎 还是不删了)."""
    return _NOT_AWAY.fullmatch(line.strip()) is not None


def takes_back(line: str, where: Situation) -> bool:
    """True if a line only undoes the last change (撤销, 把刚记的那笔账撤回). Overheard, 那条 may be a
    message. Bare 恢复 and 别删 need a recent change, 别删 a deletion."""
    if takes_back_tick(line, where):
        return True
    said = line.strip()
    if where.addressed and _NOT_AWAY.fullmatch(said) is not None:
        just = where.just_done()
        return "错" in said or (just is not None and _says(just.summary, _TAKEN_AWAY))
    if _UNDO.fullmatch(said) is None:
        return False
    if _PLAINLY_UNDO.search(said) is None:
        just = where.just_done()
        if just is None or ("恢复" in said and not _says(just.summary, _TAKEN_AWAY)):
            return False
    return where.addressed or "条" not in said or _says(said, ("笔", "账", "帐", "记"))


def takes_back_because(clause: Clause) -> bool:
    """True for an undo with its reason (撤销 家里还有; 撤回，刚才说错了), without another order or a stored
    item: 撤销 猫粮不买了 is about the cat food."""
    found = _UNDO_BECAUSE.fullmatch(clause.text.strip())
    if found is None or clause.times or clause.amounts or not clause.situation.addressed:
        return False
    why = found["why"]
    if _BECAUSE.search(why) is None or _ORDERED_BESIDE.search(why) is not None:
        return False
    kept = (*(thing.name for thing in clause.situation.things), *clause.situation.recorded)
    return not any(one + two in why for name in kept for one, two in pairwise(name))


def wants_picture(text: str) -> bool:
    """True for a request for a span's picture: 月度图, 上个月的账单图, 这个月的账画成饼图."""
    if "图" not in text:
        return False
    line = normalise(text).strip()
    drawn = re.search("画(?:成|个|张|一张|一个|出)*图", line)
    if drawn is not None:  # 这个月的账画成图
        line = f"{line[: drawn.start()]}饼图{line[drawn.end() :]}" if _says(line, _PICTURE_NAMED) else ""
    return _PICTURE.fullmatch(line) is not None and _says(line, _PICTURE_NAMED)


def taught(text: str) -> tuple[str, str] | None:
    """(word, category) of 以后奶茶算饮品; None where nothing is taught."""
    found = _TEACH.search(normalise(text).strip(" 。.!~"))
    if found is None:
        return None
    word, category = found["word"].strip(), found["category"].strip()
    if not word or not is_name(category) or word == category:
        return None
    return word, category


def _says(text: str, words: Sequence[str]) -> bool:
    """One of these words stands in a text."""
    return any(word in text for word in words)


_UNDOES: Final = Pattern("撤|反悔|还原|恢复|回退|都|全|几[笔条]|这些|那些")
_DELETES: Final = ("删", "去掉", "不要", "作废", "移除", "取消", "清掉")


def deletes(text: str) -> bool:
    """True for a delete order on a record."""
    return _says(text, _DELETES)


def undoes(text: str) -> bool:
    """True for an undo of the last change, with all its records."""
    return _UNDOES.search(text) is not None


def without_deleting(text: str) -> str:
    """The text without the words that take something out."""
    for word in _DELETES:
        text = text.replace(word, "")
    return text


def settled(intent: str, text: str) -> str:
    """The intent, where 上一笔删掉 is of the record and not of the last change."""
    if intent != "undo" or undoes(text) or says_undo(text) or _NOT_AWAY.fullmatch(text.strip()):
        return intent
    return "correct" if deletes(text) else intent
