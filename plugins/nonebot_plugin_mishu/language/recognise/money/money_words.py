"""The tables of `amounts.toml` as patterns for `amounts`."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Final

from ....patterns import Pattern


def _tables() -> dict[str, Any]:
    source = Path(__file__).with_name("amounts.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))


_T: Final = _tables()


def _any(*texts: str) -> str:
    words = {word for text in texts for word in text.split()}
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))


def _whole(text: str) -> str:
    """As `_any`, but a digit at a word's edge does not split a longer number."""
    words = sorted(text.split(), key=lambda word: (-len(word), word))
    return "|".join(
        ("(?<![0-9.,])" if word[0].isdigit() else "")
        + re.escape(word)
        + ("(?![0-9块元]|[.,][0-9])" if word[-1].isdigit() else "")
        for word in words
    )


_FOREIGN: Final[dict[str, str]] = {
    name: code for code, names in _T["foreign"].items() for name in names.split()
}
_YUAN_BEHIND: Final[frozenset[str]] = frozenset(_T["yuan"]["behind"].split())
_CN: Final = "〇零一二两三四五六七八九十百千万亿廿卅卌壹贰叁肆伍陆柒捌玖拾佰仟"
_DIGIT: Final = "[0-9一二三四五六七八九壹贰叁肆伍陆柒捌玖]"

_FOREIGN_NAMES: Final = _any(" ".join(_FOREIGN))
_SIGNS: Final = " ".join(name for name in _FOREIGN if len(name) > 1 or not name.isalpha())

NUMBER: Final = Pattern(
    rf"[{_CN}]{{1,6}}点[〇零一二三四五六七八九]{{1,4}}(?=[万亿]| ?(?:元|块|{_FOREIGN_NAMES}))[万亿]?"
    r"|(?<![0-9.])[0-9]{1,3}(?:,[0-9]{3}){1,5}(?![0-9])(?:\.[0-9]{1,6}(?![0-9]))?[万亿]?"
    r"|(?<![0-9])\.[0-9]{1,6}(?![0-9.])"
    r"|[0-9]{1,20}\.[0-9]{1,6}(?!\.?[0-9])[十百千万亿]{0,2}"
    r"|俩(?= ?[块毛])"
    rf"|[0-9{_CN}]+"
)
SIGN_STANDS: Final = Pattern(r"(?:^|[\s:;,。、(=]|¥|\$)$")
CURRENCY_BEFORE: Final = Pattern(
    rf"(?P<name>{_any(_T['yuan']['before'], _SIGNS)})"
    r" ?(?P<sign>[-−]?) ?$"
)
UNIT: Final = Pattern(
    r"(?P<about>多|来|余|几|好几|把|\+)? ?"
    rf"(?P<unit>{_any(_T['yuan']['behind'], ' '.join(_FOREIGN))}|毛|角|分)"
)
LATIN_UNIT: Final = Pattern(r"(?P<unit>[kw])(?P<more>[1-9](?![0-9a-z.]))?(?![a-z])")
COUNTED_SCALE: Final = Pattern(r"个(?P<about>多)?(?:(?P<scale>亿)|小目标)")
SPLIT_BEHIND: Final = Pattern(r"aa制?(?![a-z])")
ABOUT_SCALE: Final = Pattern(r"[多几来余](?P<scale>[万亿])")
SCREEN: Final = Pattern(r" ?(?:屏|视频|电视|显示|高清|画质|分辨|超清|影院|投影|摄像)")
NOT_UNIT: Final[dict[str, Pattern]] = {
    "块": Pattern(_any(_T["yuan"]["not_kuai"])),
    "元": Pattern(_any(_T["yuan"]["not_yuan"])),
    "圆": Pattern(_any(_T["yuan"]["not_round"])),
    "蚊": Pattern(_any(_T["yuan"]["not_wen"])),
    "毛": Pattern(_any(_T["jiao"]["not_mao"])),
    "角": Pattern(_any(_T["jiao"]["not_jiao"])),
    "分": Pattern(_any(_T["jiao"]["not_fen"])),
}
NOT_FOREIGN: Final = Pattern(_any(_T["foreign_not"]["begins"]))
NOT_FOREIGN_BEFORE: Final = Pattern(rf"(?:{_any(_T['foreign_not']['before'])})[了过]?$")
TOGETHER: Final = Pattern(f"块(?:{_any(_T['yuan']['together'])})")
PIECES_BEFORE: Final = Pattern(r"(?:^|[\s:;,。、买吃切要来点拿选送做卖煎烤了着和加上这那天晚午早有用])$")
PIECES: Final = Pattern(_any(_T["yuan"]["pieces"]))
TAIL: Final = Pattern(
    rf"[零0]?(?P<mao>两|{_DIGIT})[毛角](?:(?P<mao_fen>{_DIGIT})分?)?"
    rf"|[零0]?(?P<fen>{_DIGIT})分"
    rf"|零(?P<cent>{_DIGIT})(?![毛角0-9一二三四五六七八九十百千万])"
    rf"|(?P<unit_tenth>{_DIGIT})(?=(?:{_any(_T['about']['per_unit_behind'])}))"
    rf"|(?P<cents>[0-9]{{2}}|[一二三四五六七八九]{{2}}"
    rf"|[二三四五六七八九]?十[一二三四五六七八九]?)(?![0-9.一二三四五六七八九十百千万点])"
    rf"|(?P<tenth>{_DIGIT})(?![0-9.:/一二三四五六七八九十百千万点块元])"
    r"|(?P<half>半)(?!个|价|天|年|月|斤|小时|只|套|份|盒)"
)
JIAO_TAIL: Final = Pattern(
    rf"(?P<fen>{_DIGIT})(?:分|(?={_any(_T['about']['per_unit_behind'])})|(?![0-9.一二三四五六七八九十百千万点块元毛]))"
)
MONEY_WORD: Final = Pattern(r"钱|整|人民币|rmb")
COUNTED: Final = Pattern(rf" ?(?P<word>{_any(_T['counted']['words'])})")
COUNTED_NOT: Final = Pattern(_any(_T["counted"]["words_not"]))
NUMERAL_WORD: Final = Pattern(_any(_T["counted"]["numeral_words"]))
NAMED: Final = Pattern(
    rf"(?:{_any(_T['not_money']['names'])})(?:号码|号|是|在|[改换]?[成为到]|:| )*$"
    rf"|(?:{_any(_T['not_money']['rooms'])})$"
    r"|[0-9一二三四五六七八九十东西南北新老a-z](?:教|号?楼|[座栋幢])$"
    r"|(?:^|[ ,，])(?:换|[换搬挪]到)$"
    r"|[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][a-zA-Z][·. ]?$"
)
LATIN_NICK: Final = Pattern("(?:^|[^a-z])[老小阿大][a-z]$")
"""老K, 小A: a person, before an amount."""
LATIN_WORD: Final = Pattern(r"[a-z][a-z0-9_.-]*( ?)$")
LATIN_BEFORE: Final = frozenset(_T["not_money"]["latin"].split())
GLUED: Final = frozenset(
    word
    for word in (
        *LATIN_BEFORE,
        *_T["yuan"]["before"].split(),
        *_T["yuan"]["behind"].split(),
        *_FOREIGN,
        *_T["not_money"]["names"].split(),
        *_T["not_money"]["models"].split(),
        *_T["not_money"]["glued"].split(),
    )
    if word.isascii() and word.isalpha()
)
"""Latin words between or beside digits where chat glues them: names, units, scales."""

CALLED: Final = Pattern(rf" ?(?:刚|又|给我|发|打)?的?(?:{_any(_T['not_money']['called'])})(?!费|卡|手表)")
LONG_NAMED: Final = Pattern(rf"(?:{_any(_T['not_money']['long_names'])})(?:号码|号|是|为|:| )*$")
_HOLIDAYS: Final = (
    rf"(?<![0-9块元毛角{_CN}])(?:{_any(_T['not_money']['dates'])})(?![0-9{_CN}块元毛角分]| ?[块元])"
)
MASK: Final = Pattern(
    rf"https?://\S+|{_whole(_T['not_money']['phrases'])}|{_HOLIDAYS}"
    rf"|(?:{_any(_T['not_money']['models'])}) ?[0-9]{{1,3}}(?![0-9.])(?! ?[块元])"
    r"(?=[^,;。!?0-9 、]{0,8}(?:花|买|付|用了|入手|手机|壳|膜|换|屏|分期|卖|pro|max|plus|ultra|air|mini)"
    r"[^,;。!?0-9]{0,20}[0-9])"
    r"|(?<![0-9])[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}(?![0-9])|(?<![0-9])[0-9]{3,4}-[0-9]{7,8}(?![0-9])"
    r"|(?<![0-9.+=])[0-9]\+[0-9](?= ?[一-鿿]{1,8} ?[0-9.]+ ?[块元])"
    r"|(?<![0-9.])[0-3]米[0-9]{1,2}(?![0-9.块元])|[0-9]对[0-9]|(?<![0-9.])[12]\+1(?![0-9.])"
    r"|[0-9一两二三]大[0-9一两二三]小"
    r"|(?<![0-9.])[0-9]{3}(?: [0-9]{3,4}){2,3}(?![0-9.])"
    r"|[0-9]{3,4}-[0-9]{3,4}-[0-9]{4}|[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?"
    r"|(?<![0-9.])(?:618|520|1111|1212)(?![0-9.]| ?[块元]|红包)(?=[^0-9,;。]{1,40}[0-9])"
    r"|[0-9]{4}年|[0-9]{1,2}月[0-9]{1,2}(?:日|号(?!线|楼))?(?!块|元|[0-9])"
    r"|(?<![0-9])[0-9]{1,2}/[0-9]{1,2}(?![0-9/])|[0-9]{1,2}点[0-9]{1,2}分?(?! ?块| ?元|毛|[0-9万])"
    r"|[一二三四五六七八九十]{1,3}月[一二三四五六七八九十]{1,3}[日号]?(?!块|元)"
    r"|[一二两三四五六七八九十]{1,3}点[零一二三四五六七八九十]{1,3}分?(?! ?块| ?元|毛|万|亿|分)"
    r"|(?:上午|下午|晚上|早上|中午|凌晨|今晚|明早|傍晚)[一二两三四五六七八九十0-9]{1,3}点(?:半|整|钟)?"
)
PRODUCT: Final = Pattern(
    r"(?P<one>[0-9]{1,9}(?:\.[0-9]{1,4})?) ?[个只瓶杯碗盒袋包斤份张件条双本支根串块元人]? ?[*x×] ?"
    r"(?P<two>[0-9]{1,9}(?:\.[0-9]{1,4})?)(?![0-9.a-z*×]) ?[个只瓶杯碗盒袋包斤份张件条双本支根串块元人]?"
    r"(?: ?= ?(?P<result>[0-9]{1,12}(?:\.[0-9]{1,6})?))?"
)
SUM: Final = Pattern(
    r"[0-9]{1,9}(?:\.[0-9]{1,4})?(?: ?[+-] ?[0-9]{1,9}(?:\.[0-9]{1,4})?){1,12} ?(?:=|等于) ?"
    r"(?P<result>[0-9]{1,12}(?:\.[0-9]{1,6})?)"
)
UPTO: Final = Pattern(rf" ?(?:到|至|-|~|或) ?(?P<number>[0-9]+(?:\.[0-9]+)?|[{_CN}]+)")
ABOUT_BEHIND: Final = Pattern(
    r"(?:左右|上下|出头|以内|多一?点|多(?!肉|利|芒|邻|特)|来(?=$|[\s,;。])|余(?=$|[\s,;。])|几(?=$"
    r"|[\s,;。块])|\+(?=$|[\s,;。块元]))"
)
ABOUT_BEFORE: Final = Pattern(
    rf"(?<![预节相附外愉很])(?:{_any(_T['about']['approximate_before'])})(?:花了?|是|有|在|要)?$"
)
PER_HEAD: Final = Pattern(rf"(?:{_any(_T['about']['per_head'])})(?:是|约|大概|花了?|消费|:|才|要)? ?$")
PER_HEAD_BEHIND: Final = Pattern(r" ?(?:钱)?(?:一人|一位|一个人|每人|每位|/人|/位)")
PER_UNIT: Final = Pattern(rf"(?:{_any(_T['about']['per_unit_before'])})(?:是|约|:|才|要|卖)? ?$")
PER_UNIT_BEHIND: Final = Pattern(rf" ?(?:{_any(_T['about']['per_unit_behind'])})(?![饭餐上])")
PORTION: Final = Pattern(
    r" ?一[杯碗份顿场张件本套盒瓶个只双支条包袋台根片串箱](?=[一-鿿]{2})"
    r"(?![买的了我要卖共总每你他她是就才好可能吗呢啊吧太真很挺也还又])"
)
"""One of them is named behind the amount (12一杯美式): a quantity, no price per unit."""
TOTAL: Final = Pattern(
    rf"(?<!公)(?:{_any(_T['about']['total_before'])})"
    r"(?:花费|花掉|花|消费|支出|收入|付|用|是|为|要)?[了是:]? ?$"
)
ASIDE: Final = Pattern(
    rf"(?:(?:{_any(_T['about']['aside_before'])})(?:了|我|的|是|:)?"
    rf"|(?:{_any(_T['about']['kept_in'])})(?:里|上)?(?:现在|目前|今天|就|都|还|只|总共|一共|大概|也"
    rf"|差不多)*(?:有|剩下?|余|显示)+(?:了|着|:)?"
    rf"|(?:{_any(_T['about']['formerly'])})(?:是|要|得|需要|应该|该|卖|收|报价|标|说|开价|定|花|付|价|:)*) ?$"
)
COMPARED: Final = Pattern(
    r"(?<![对相性占百])比(?![萨赛例如亚基熊0-9一二三四五六七八九十])[^0-9,，。;；!?比]{0,8}?"
    rf"(?:{_any(_T['about']['compared'])})(?:了|出|出来|大概|差不多|整整|至少|快|将近|上){{0,3}} ?$"
)
GIVEN_BACK_BEHIND: Final = Pattern(
    r"(?:块钱?|元)?的? ?(?:我|也|都|已经|刚刚?|今天|给)*+(?:还(?!有|没|是|剩|差|要|欠)|转)"
)
"""The rest of a debt is handed over (把剩下的100还给小雅了)."""
SPENT_BEFORE: Final = Pattern(r"(?:花了?|付了?|给了?|收了?|改成|改为|成|是|用了?)$")
FEN_BEFORE: Final = Pattern(
    r"(?:^|[\s:;,。、元块毛角]|[花付给收找欠差是退补掉捡][了到过]?|利息|糖|零头|每股|余额)$"
)
SCORE_BEFORE: Final = Pattern(r"(?:考|得|打|评|扣|加|减|比|差|胜|满|领先|落后|点|时|之|赢|输)[了到出分过]*$")
CLAUSE: Final = Pattern(r"[,;。!?、\s]")
SENTENCE: Final = Pattern(r"[,;。!?、]")
CLAUSE_END: Final = Pattern(r"(?:吧|啊|呢|了|哦|呀|啦|的)*(?:$|[,;。!?、\s)])")
YEAR_BEHIND: Final = Pattern(r"元旦|春节|国庆|新年|跨年|版|款|届|上半|下半|年")
AGES: Final = frozenset({"50", "60", "70", "80", "85", "90", "95", "00", "05", "10"})
AGES_BEHIND: Final = Pattern(r"后(?!来|天|面|续|又|再|还|买|吃|打)")
DAYPART: Final = Pattern(r"(?:上午|下午|晚上|早上|中午|凌晨|傍晚|今晚|明早|明晚)$")


def currency_name(code: str) -> str:
    """Name of a currency (美元); its code where nobody named it."""
    return str(_T["foreign"].get(code, code)).split()[0]


def foreign_code(name: str) -> str | None:
    """The ISO code of a currency that is not yuan; `XXX` for points and coins."""
    return None if name in _YUAN_BEHIND else _FOREIGN.get(name)
