"""Orders in the words people use, put into those the rules know, before anything is read. Pure.

挪一挪到八点 -> 挪到八点, 闹钟帮我关了 -> 闹钟取消掉, 体检改后天 -> 体检改到后天, 改时间，四点 -> 改到四点.
Every character keeps its place in what the member wrote.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..corrections import Edit, corrected
from ..fold import Folded
from ..word_lists import table

_KEPT: Final = "(?:闹[钟铃]|提醒|任务|待办|日程)"
_DAY: Final = (
    "(?:大?后天|[今明]天|[今明]晚|明早|(?:[这下本]个?)?(?:周|星期|礼拜)[一二三四五六日天末]"
    "|[0-9一二三四五六七八九十]{1,3}[号点月](?![一-鿿]?[的地得]?[会课班])|[早晚]上|[上中下]午)"
)
_CLOCK: Final = "(?:[早晚]上|[上中下]午|傍晚|凌晨)?(?:[0-9]{1,2}|[一二两三四五六七八九十]{1,3})[点:]"
_WHEN: Final = (
    f"(?:{_DAY})?{_CLOCK}(?:半|[一三]刻|[0-9]{{1,2}}分?|[一二三四五]?十?[一二三四五六七八九]?分?)"
    f"|{_DAY}[一-鿿]{{0,2}}"
)
_AHEAD: Final = "(?:半个?|[0-9]{1,3}|[俩一二两三四五六七八九十]{1,3})个?半?(?:分钟?|小时|钟头|刻钟?|天|周)半?"
_CALLED: Final = "(?:提醒|叫|喊|通知)(?:一下|一声)?(?:我们?|大家|所有人|全体|咱们?)"
_CALL: Final = (
    "(?:再|就|才|来|先)*+(?:在群里)?(?:提醒|叫|喊|通知|吱|吼|滴滴|催|招呼|说|嚎|dd)(?:一下|一声|一嗓子|声|下)?"
    "(?:我们?|俺|大家|所有人|全体|咱们?)?(?:一下|一声|一嗓子|一次)?"
)
_ENOUGH: Final = "(?:也行|也可以|也成|就行|就好|就够|就可以|就成|足够|够|行|可以|好|得)(?:了|啦)?"
_TOO_EARLY: Final = (
    "(?:(?:别|不用|不要|不必|没必要|用不着|甭)再?(?:提[前早])?(?:提醒|叫)?(?:得)?(?:那么|这么|太)?(?:久|早|多|长|老早)(?:时间)?"
    "(?:提醒|叫|喊)?(?:我们?|大家)?|(?:提[前早]|提醒|叫)?(?:得|的)?(?:也|有点)?太?(?:早|久|多)了点?"
    "|太(?:早|久)|(?:别|不用|不要|不必|没必要|用不着|甭)提[前早]"
    f"{_AHEAD}(?:提醒|叫|喊)?(?:我们?|大家)?(?:了)?)[吧啊啦呀了,。!~ ]*+"
)
_ALONE: Final = "(?:那|算了|嗯|哎|诶|噢|哦|就|还是|不对|改成|改为|改|只要|,| )*+"
_ASKS: Final = (
    "[吗?？几谁啥]|么[?？ ]*$|什么|要是|如果|万一|假如|的话|昨|听说|行不行|好不好|能不能|会不会|是不是"
)
_SURE: Final = f"^(?!.*(?:{_ASKS}))"
_DUE: Final = "(?:到了?点儿?|到了?时间|准点|准时)"
_GOES_ON: Final = table("lasting.doing")
_IS_OVER: Final = table("lasting.ends")
_PLANS: Final = f"(?!.*(?:提醒|[叫喊催]|取消|{_ASKS}))"
_REST: Final = "[吧啊呀哈哦。!~ ]*(?:[ ,]+[^0-9一二两三四五六七八九十点?]{1,16})?"
_CLOCK_WHOLE: Final = f"{_CLOCK}(?:半|[一三]刻|[0-9]{{1,2}}分?)?"
_MOVES: Final = "改|挪|推|换|调|延|顺延"
_ROWS: Final[Sequence[tuple[str, str]]] = (
    # 挪一挪, 调调, 改改, 往后挪挪
    (
        r"(?P<verb>[挪调改换推移拖延])(?:一|了)?(?P=verb)(?:一?下)?(?=到|成|为|至|在|时间|地点|日期|期"
        r"|[吧呗啊,。!~ ]|$|[0-9]|今|明|后天|周|下[周个午]|上午|中午|晚上|早上)",
        r"\g<verb>",
    ),
    # 撤销撤销, 写进去写进去
    (
        "(?P<twice>撤销|取消|删除|删掉|删了|完成了?|记一下|写进去|加上去?|算了|不要了|记上)"
        "[ ,]{0,2}(?P=twice)",
        r"\g<twice>",
    ),
    # 记一哈, 看哈子
    ("(?<=[记看等搞弄问查改删写])(?:一哈(?:子|儿)?|哈子)(?!哈)", "一下"),
    ("改变(?=[^,。!?]{1,14}?(?:到|成|为|至))", "改"),
    # An alarm that is switched off is taken away.
    (
        f"(?P<kept>{_KEPT})(?:都|也|先|就|给我|帮我|帮忙|麻烦|给|,| )*"
        "(?:关|停|撤|免|掐|退)(?:了|掉|上|一下|闭)(?:吧)?",
        r"\g<kept>取消掉",
    ),
    (
        f"(?:关|停|撤)(?:了|掉|闭|一下|上)?(?=[^,。!?关]{{0,12}}{_KEPT}(?:$|[吧了,。!~ ]))"
        "(?!于|注|心|系|键|机)",
        "取消",
    ),
    (
        "^(?:那|哦|啊|不对|错了|不|嗯|额|算了|[, ])*(?:时间)?(?:还是|应该是|要不|干脆|应该)"
        f"(?=(?:{_WHEN})[吧了啊呀哦。!~]*$)",
        "改到",
    ),
    # 对，时间还是十点半
    (
        f"^(?:对|好的?|行|嗯|可以)[, ]+(?:时间)?(?:还是|应该是)(?=(?:{_WHEN})[吧了啊呀哦。!~]*$)",
        "改到",
    ),
    # 改时间，四点; 往后挪，五点吧
    (
        "(?:改(?:个|一下)?(?:时间|期)|往[前后][挪推延调移拖]|(?<=[一-鿿])[挪推调])[,: ]+"
        f"(?:就|到|改到|换到)?(?={_CLOCK})",
        "改到",
    ),
    # 复盘会之前半小时提醒大家
    (
        f"(?<=[一-鿿a-z])(?<!提)(?:之前|以前|前)(?={_AHEAD}(?:再|就|都)?{_CALLED}(?:一下|一声|一次)?[吧啊呀哈哦。!~]*$)",
        "提前",
    ),
    # 改成提前十分钟提醒; 提醒改成提前一刻钟; 提前量改成一刻钟
    (
        f"(?:提醒的?(?:时间)?|提前的?(?:量|时间))(?:也|就|都)?(?:改|换|调|设)(?:成|为|到)(?:提[前早])?"
        f"(?P<length>{_AHEAD})(?:提醒)?(?=[吧啊呀哈哦了。!~ ]*$)",
        r"提前\g<length>提醒",
    ),
    (f"(?:改|换|调|设置?)(?:成|为|到)(?=提[前早]{_AHEAD}{_CALL}[吧啊呀哈哦。!~ ]*$)", ""),
    # 别提前那么久 提前五分钟就行; 太早了 提前十分钟就够了
    (
        f"{_SURE}{_ALONE}(?P<name>[^,。!?别不 ]{{0,10}}?){_TOO_EARLY}{_ALONE}"
        f"提[前早](?P<length>{_AHEAD})(?:{_CALL})?(?:{_ENOUGH})?[吧啊呀哈哦。!~ ]*$",
        r"\g<name>提前\g<length>提醒",
    ),
    (
        f"{_SURE}{_ALONE}(?P<name>[^,。!?别不 ]{{0,10}}?)提[前早](?P<length>{_AHEAD})(?:{_CALL})?{_ENOUGH}"
        "[吧啊呀哈哦。!~ ]*$",
        r"\g<name>提前\g<length>提醒",
    ),
    # 到点再叫就行; 别提前那么早 到点提醒就好
    (
        f"{_SURE}{_ALONE}(?P<name>[^,。!?别不 ]{{0,10}}?){_ALONE}"
        f"(?:(?:{_TOO_EARLY}|不用提[前早](?:提醒|叫)?(?:了)?[,。 ]*){_ALONE}{_DUE}{_CALL}"
        f"|{_DUE}(?:再|就|才){_CALL})(?:{_ENOUGH})?[吧啊呀哈哦。!~ ]*$",
        r"\g<name>提前0分钟提醒",
    ),
    # 出发前一小时在群里喊一嗓子; 早五分钟喊我
    (
        f"^{_ALONE}(?:(?:出发|开始|开场|开播|开打|上课|发车|起飞|集合)(?:之前|以前|前)|早)(?P<length>{_AHEAD}){_CALL}[吧啊呀哈哦。!~]*$",
        r"提前\g<length>提醒",
    ),
    # 提醒一下@小红 和@小王 …
    ("(?<=[^ ,]) +(?=(?:和|跟|、|还有) ?@)", ""),
    # 会前十分钟吱一声, 开会之前十五分钟喊一下
    (
        f"(?<=[一-鿿a-z])(?<!提)(?:开始)?(?:之前|以前|前)(?P<length>{_AHEAD}){_CALL}[吧啊呀哈哦。!~]*$",
        r"提前\g<length>提醒大家",
    ),
    # @小林 提醒他 明早十点…
    ("(?<=提醒[他她]) +(?=[^ ])", ""),
    # 晚上八点@小王 叫他上线
    (
        "@(?P<who>[^ ,，:@]{1,12}) *[,，:]?(?:记得)?(?P<verb>叫|喊|提醒|通知|催|让)"
        "(?:一下|一声)?(?:他|她|ta|TA|它)(?!们)",
        r"\g<verb>\g<who>",
    ),
    # 今晚八点直播到十点
    (
        f"^(?P<head>{_PLANS}[^?]*?)(?P<begins>{_CLOCK_WHOLE})(?P<what>{_GOES_ON})到(?P<until>{_CLOCK_WHOLE})"
        f"(?:{_IS_OVER})?(?P<rest>{_REST})$",
        r"\g<head>\g<begins>到\g<until>\g<what>\g<rest>",
    ),
    # 周六晚上七点打羽毛球 打到九点; 明天两点培训，四点半结束
    (
        f"^(?P<head>{_PLANS}[^?]*?)(?P<begins>{_CLOCK_WHOLE})(?P<what>[^,。!? 到至改挪]{{0,12}}?)[ ,]*"
        f"(?:(?:要|大概|预计|一直)*(?:{_GOES_ON})?到(?P<until>{_CLOCK_WHOLE})(?:{_IS_OVER})?"
        f"|(?:大概|预计|就)*(?P<ends>{_CLOCK_WHOLE})(?:就|准时)?{_IS_OVER})(?P<rest>{_REST})$",
        r"\g<head>\g<begins>到\g<until>\g<ends>\g<what>\g<rest>",
    ),
    # 提前一刻钟在群里喊一嗓子, 提前十分钟跟大家说一声
    (
        "(?<=[钟分时刻头天周])(?:再|就|都)?[在到往给]群(?:里面?)?(?:再|也)?(?:喊|叫|提醒|通知|说|吆喝|招呼|吱|吼)(?:一嗓子|一声|一下|个?声)?(?:大家)?",
        "提醒大家",
    ),
    (
        "(?<=[钟分时刻头天周])(?:再|就|都)?[跟和给](?P<who>大家|我们?|咱们?)(?:说|讲|喊|吱|知会|招呼)(?:一嗓子|一声|一下)",
        r"提醒\g<who>",
    ),
    # 我要买：鸡蛋、牛奶; 写论文拆成三步：查文献、写初稿
    ("^(?:我们?|今天|家里)?(?:还)?(?:要|得|需要|准备)买(?:的)?(?:东西)?(?:有|是)? ?:", "购物清单:"),
    (
        "^[^,。:!?]{1,12}?(?:这事儿?|这件事)?(?:可以)?(?:拆|分)(?:成|为)"
        "(?P<count>[两三四五六七八]|[2-9])(?:步|个步骤|个?任务|件事|项|块) ?:",
        r"帮我建\g<count>个任务:",
    ),
    # 还剩啥没干, 我还有没办的吗
    (
        "还?(?:有|剩)(?:下)?(?:什么|啥|哪些|多少)?(?:事儿?)?没(?:有)?(?:办|做|干|弄|搞|完成)(?:完|掉)?的?"
        "(?:事儿?|任务|吗|么|呢|啊|了|呀)*[?]?$",
        "还有啥没做",
    ),
    # 我把所有提醒列出来看看
    (
        "^(?:请|麻烦|帮我|给我|我|那)*把?(?:我的?)?(?:所有|全部)的?(?P<kept>提醒|待办|任务)(?:都|全)?(?:给我|帮我)?"
        "(?:列|发|拉|调|翻)(?:出来|个|成)?(?:给我|我)?(?:看看|看一下|瞧瞧|一下|看)?[吧啊。!~]*$",
        r"看看我的\g<kept>",
    ),
    # 定了，在大董; 会议主题是Q4复盘; 面试改线上了
    (
        "^(?:(?:地方|地点|位置|场地)?(?:定|订|选)(?:好|下来)?了|对了)[, ]*(?:就)?在(?=[^,。!?0-9]{2,12}$)",
        "地点定在",
    ),
    (
        "^(?:会议|活动|日程|聚会|这次|这个)?的?(?:主题|标题|名字|名称)(?:就)?(?:是|叫|为|改成|改为|定为)"
        "(?=[^,。!?]{2,20}$)",
        "改名为",
    ),
    ("(?<=[一-鿿])改(?:成|为|到)?(?P<way>线上|线下|视频|电话)(?:了|吧|啦)*(?=[, ]|$)", r"改到\g<way>"),
    # 我脚崴了去不成了
    ("^我[^,。!?吗去来参加们我]{1,6}了[, ]*(?=(?:就|也)?(?:[去来]不[了成]|不[去来]了|参加不))", "我"),
    # 羽毛球+1
    (r"(?<=[一-鿿a-z]) ?\+ ?1(?=[!~。 ]*$)", "算我一个"),
    # 再改回后天, 还是放周一吧
    (f"(?:再|又|还是)?(?:改|调|挪|移|换|推|搬)回(?:到|去|来)?(?={_DAY}|{_CLOCK})", "改到"),
    (f"(?<=[一-鿿])还是放(?:在|到)?(?={_DAY}|{_CLOCK})", "改到"),
    # 改回原来的时间 takes the last change back.
    (
        "^(?:再|还是|那|给我|帮我|,| )*(?:恢复|还原|改回|挪回|调回|换回)(?:成|到)?"
        "(?:原来|之前|以前|原先|刚才|原本)(?:的|那个)*(?:时间|日期|样子|安排)?[吧了。!~ ]*$",
        "撤销",
    ),
    # 体检改后天早上, 客户电话也后天
    (f"(?<=[一-鿿a-z])(?<![更修])(?P<verb>改|挪|推|换)(?={_DAY})", r"\g<verb>到"),
    (f"(?<=[一-鿿])也(?:都)?(?={_DAY}[^,。!?]{{0,6}}$)", "也改到"),
)
_TABLE: Final = tuple((re.compile(pattern), put) for pattern, put in _ROWS)
_HINT: Final = re.compile(
    "(?P<same>[一-鿿]{2})[ ,]{0,2}(?P=same)|还是|恢复|还原|应该|要不|干脆|[挪调改换推移拖延关停撤免掐退]"
    "|@|提醒[他她] |[前早]|到点|准[点时]|结束|到[^,。]{1,10}$"
    "|\\+ ?1|[去来加]不|不[去来]|[定订选]|主题|标题|名字|名称|没|所有|全部|不对|错了|时间"
    "|买[^,。!?]{0,6}:|[拆分][成为]"
    f"|也(?={_DAY})"
)
_ALSO: Final = len(_ROWS) - 1


def canonical(folded: Folded) -> Folded:
    """The text in the rules' words."""
    return _in_rows(put_right(folded))


def put_right(folded: Folded) -> Folded:
    """A line that corrects a time said or kept before, in words of changing (聚餐不是后天 是大后天)."""
    return edited(folded, corrected(folded.text))


def edited(folded: Folded, edits: Sequence[Edit]) -> Folded:
    """The text with other words in some of its stretches."""
    for start, end, put in reversed(edits):
        own = folded.origin[start:end]
        places = (*own[: len(put)], *((own[-1],) * (len(put) - len(own)))) if own else ()
        text = f"{folded.text[:start]}{put if own else ''}{folded.text[end:]}"
        folded = Folded(text, (*folded.origin[:start], *places, *folded.origin[end:]), folded.length)
    return folded


def _in_rows(folded: Folded) -> Folded:
    if _HINT.search(folded.text) is None:
        return folded
    text, origin = folded.text, folded.origin
    for number, (pattern, put) in enumerate(_TABLE):
        if number == _ALSO and re.search(f"(?:{_MOVES})", text) is None:
            continue  # 也后天 moves only beside what is moved
        pieces: list[str] = []
        places: list[int] = []
        at = 0
        for found in pattern.finditer(text):
            new = found.expand(put)
            pieces += [text[at : found.start()], new]
            own = origin[found.start() : found.end()]
            places += [*origin[at : found.start()], *own[: len(new)], *([own[-1]] * (len(new) - len(own)))]
            at = found.end()
        if at:
            text, origin = "".join([*pieces, text[at:]]), (*places, *origin[at:])
    return Folded(text, origin, folded.length)
