"""Which clauses are about the group's schedules (product section 3, "Routing by rules").

日程, 群 and 大家, or a meeting, a meal or an activity as the thing planned. In a private conversation only
where 日程 is said. Joining and leaving (参加, +1, 我也去, 我不去了) are `edit`: the agent finds which.
"""

from __future__ import annotations

import re
from typing import Final

from ...text import Role
from ..clause import Clause, Match
from ..lexicon import table
from ..naming import names_nothing
from ..orders import DELETE, changed, deletes, edits, nameless, snoozes
from ..wording import Wording, bare, hear
from .phrases import attendance

NAMED: Final = re.compile(table("schedule.noun"))
_GROUP: Final = re.compile(
    rf"(?<!给|叫)(?!(?<=[和跟与同][^,]{{2}})一起|(?<=[和跟与同][^,]{{3}})一起|(?<=[和跟与同][^,]{{1}})一起)(?:{table('schedule.group')})(?!庭|族|都说|都在说|好)|群(?=的|里|内|活动|会|日程|视频|语音|聚|面基)"
)
_MEETING: Final = (
    r"(?:的|个|场|次|有|开|开完|开了|点|一|例|晨|周|午|晚|早|班|组|年|董事"
    r"|家长|部门|线上|线下|视频|取消)会(?![员计费场馆所合长心说有让被把来去]|不会)"
    r"|(?<![机社不工学体协误一都才国员奥就也还可将总只要能他她我你们人谁么会])会(?=$"
    r"|[,。!]|的时间|的地点|改|取消|推迟|不开|不用开|没了|开不成|延|挪|提前|往[前后]|换|作废|还开)(?<=[一-鿿]{3})"
    r"|的饭$|的饭局|的局$|约个饭|聚(?=$|[吧啊,!。])|[那这]?[场个次顿](?:电影|球|饭|酒|戏|演出|比赛|展|表演)(?![票院馆])"
    r"|[一-鿿]宴(?=$|[,。!吧啊])|^(?:这|那)?会(?=不开|取消|改|推|延|提前|挪|几点|开到|还开)"
)
EVENT: Final = re.compile(rf"{table('schedule.meeting', 'schedule.meal', 'schedule.activity')}|{_MEETING}")
_SPORT: Final = re.compile(
    "(?:约了?|组织|安排|来场?)?(?:一场)?(?:羽毛球|篮球|足球|乒乓球?|排球|网球|台球|桌球|壁球|高尔夫|瑜伽|飞盘|剧本杀|麻将|王者|吃鸡|k歌|唱k)(?!鞋|拍|衣|服|票|卡|钱|套|网|袜|课程|垫)"
)
"""A game by its bare name, as the thing planned (周六上午羽毛球)."""
_FOREIGN: Final = re.compile(
    rf"(?:{table('tasks.noun')})|提醒(?!大家|所有|全体|群|各位|全员|咱|我们"
    rf"|一下大家|@)|叫我|喊我|催我|通知我|叫醒我|别忘了?提醒(?!大家|所有|全体|群|各位|全员)"
)
_JOIN: Final = re.compile(rf"(?:{table('schedule.join')})(?:一下|吧|啊|呀|哦|哈|啦|了|呢|的)*")
_JOINS: Final = re.compile(
    rf"(?:{table('schedule.meeting', 'schedule.meal', 'schedule.activity')}"
    rf"|会)(?:也)?(?:算我一个|算上我|加我一个|带我一个|带上我|我报名|我参加"
    rf"|我也去"
    "|我也参加|我也报名|我要去|我要参加|我去(?!了)|我来(?!了)|我加入|我不去了|我不参加了|我去不了|我来不了|我参加不了)[吧啊呀哦了!~。]*$"
)
_MAKE: Final = re.compile(
    "(?:添加|新增|新建|创建|建立|加|建|设|定|订|记|排|约|安排|发起|组织"
    "|预约|预定|预订|登记|放|写|存)(?!的|了|过|得)"
)
_LOOK: Final = re.compile(
    "查|看看|看下|看一下|列出|列一下|列个|显示|告诉我|发一下|报一下|给我看"
    "|翻一下|我要看|想看|看(?=今|明|本|这|下|日)|有哪些|都有|汇总"
)
_PLANS: Final = (
    rf"(?:日程|安排(?!在|个|一|到|上|下)|活动|会议|{table('schedule.meeting', 'schedule.meal')}"
    rf"|会(?![员计费馆所合不长心说有让被把来去])|比赛|球局|局|聚会)"
)
_HAS: Final = re.compile(
    "查.{0,6}(?:空档|有没有空|空闲)|"
    rf"有(?:什么|啥|哪些|没有|几个|几场|多少|无|别的|其他|其它)[^,]{{0,6}}?{_PLANS}"
    rf"|有(?:没有)?(?:要)?{_PLANS}[^,]{{0,2}}(?:吗|么|没|\?|不|嘛)"
    rf"|{_PLANS}(?:都)?(?:有哪些|有啥|有什么|有几个|是什么|是啥|列表|一览"
    rf"|呢)|安排了些?(?:什么|啥|哪些)|(?:怎么|如何)安排的|还有{_PLANS}[吗么]|几[个次场]{_PLANS}|^安排$"
)
_GROUP_DOES: Final = re.compile("(?:群里?|大家|我们)[^,]{0,8}有(?:什么|啥|没有)?事(?:情)?(?:吗|么|没|\\?|$)")
_WATCHES: Final = re.compile("看(?![看下一今明本这])")
_WHEN: Final = re.compile(
    "几点|什么时候|啥时候|哪天|几号|周几|星期几|何时|在哪|在哪里|地点|在什么地方"
    "|哪个会议室|几楼|几层|哪层|哪开|哪栋|哪个房间|多久|多长|改到什么|取消了吗"
    "|取消了没|还开吗|还开不开|还有吗"
    "|是[^,]{1,8}还是|谁参加|谁报名|谁参与|谁要去|谁去|谁来|有谁|哪些人|多少人|几个人|几人|开到"
)
_CALLED_OFF: Final = re.compile(
    "不(?:开|去|办|搞|聚|约|吃|打|爬|看|玩|唱|举行|举办|弄)[^,不]{0,4}?了"
    "|黄了|告吹|开不成|办不成|去不成|聚不成|不用(?:开|去|办)|取消"
)
_LOOKS_ONLY: Final = re.compile(
    "(?:群|群里|我们|大家|我|的|本群|今天|明天|所有|全部|,| )*(?:会议|活动|聚会)?(?:日程|日程表"
    "|日历|行程|安排)(?:列表|一览|表|吧|呢|啊)?"
)


_STAYS_AWAY: Final = re.compile(
    "[^,?我]{2,8}我(?:就|也|可能)?(?:不去|不来|不参加|去不了|来不了|参加不了|要?(?:参加|报名|加入)|也要?去)了?[吧啊呀哦!~。]*"
)
"""香山我就不去了, 植树我也参加: of something whose words no table knows."""


def rules(clause: Clause) -> Match | None:
    """Whether the clause is about schedules, and what it asks for."""
    heard = hear(clause)
    situation = clause.situation
    named = NAMED.search(heard.text) is not None
    if situation.private and not named:
        return None
    named_join = not heard.asks and _takes_part(heard)
    if named_join or _JOIN.fullmatch(heard.text.strip(" ,。!~?")) or _JOINS.search(heard.text):
        return Match("edit", 2) if situation.addressed and not heard.asks else None
    if _FOREIGN.search(heard.text) and not named:
        return None
    if situation.addressed and not heard.asks and _STAYS_AWAY.fullmatch(heard.rest):
        return Match("edit", 1, sure=False)
    event = EVENT.search(_about(heard)) is not None or _SPORT.match(heard.rest) is not None
    return _query(clause, heard, named, event) or _work(clause, heard, named, event)


def _takes_part(heard: Wording) -> bool:
    """Whether all that is said is that the speaker takes part, or not (周六爬山我去, 羽毛球算我一个)."""
    if attendance(heard.text) is None:
        return False
    known = EVENT.search(heard.text) or _SPORT.match(heard.rest) or _COUNTS_ME_IN.search(heard.body)
    return known is not None


_COUNTS_ME_IN: Final = re.compile("(?:算|加|带|叫)上?我一个|算上我|我也?报名|我也?参加")


_BESIDE_EVENT: Final = re.compile(
    rf"(?:{table('schedule.meeting', 'schedule.meal', 'schedule.activity')}|会)(?:的|用的|要用的|需要的)?"
    "(?:入?门?票|材料|纪要|资料|邀请函?|请柬|ppt|议程|总结|记录|方案|策划|预算|礼物|用品|道具|服装|海报|报名表|名单|位子|座位|蛋糕|费用|ddl)"
)
_ROOM: Final = re.compile("会议室(?=的[^,。!?])|(?<=[去到在])会议室(?=[拿取搬找修])")
_DOES: Final = re.compile(table("tasks.action"))
"""What one does for an event is no event (抢演唱会门票, 写会议纪要)."""


def _about(heard: Wording) -> str:
    """The words in which an event is looked for: of a change, what is changed and not what it becomes."""
    if edits(heard):
        return changed(heard)
    if _ROOM.search(heard.text):
        return _ROOM.sub("", heard.text)
    if _BESIDE_EVENT.search(heard.rest) and _DOES.match(heard.rest):
        return _BESIDE_EVENT.sub("", heard.text)
    return heard.text


def _invites(clause: Clause, heard: Wording) -> bool:
    """周六爬山谁去, not said to us, asks the group."""
    return not clause.situation.addressed and re.search("谁|几个人|多少人", heard.text) is not None


def _query(clause: Clause, heard: Wording, named: bool, event: bool) -> Match | None:
    weight = 3 if named else 2
    makes = _MAKE.match(heard.rest) is not None and heard.rest != "安排"
    if _LOOKS_ONLY.fullmatch(heard.body.strip(" ?。!~")) and not makes:
        return Match("query", weight)
    if heard.reported or heard.wished:
        return None
    if named and (_LOOK.search(heard.text) or (heard.asks and not heard.advice)):
        return Match("query", weight)
    if heard.ordered and not heard.asks and not _LOOK.search(heard.text):
        return None
    if _HAS.search(heard.text) and not _ADVISED.search(heard.text):
        return Match("query", weight)
    if _GROUP_DOES.search(heard.text) and not heard.advice:
        return Match("query", weight)
    if event and not heard.advice and _WHEN.search(heard.text) and heard.asks and not _invites(clause, heard):
        return Match("query", weight)
    looked = _LOOK.search(heard.text) is not None and not heard.advice and not heard.told
    if looked and re.search(_PLANS, heard.text) and not _WATCHES.match(heard.rest):
        return Match("query", weight)
    return None


_ADVISED: Final = re.compile(
    "推荐|建议|好玩|好吃|怎么|为什么|适合|意思|意义|好处|区别|技巧|要求|费用|收费|多少钱|注意"
)


def _work(clause: Clause, heard: Wording, named: bool, event: bool) -> Match | None:
    weight = 3 if named else 2
    if heard.asks or (heard.talk and not heard.ordered and not named):
        off = event and _CALLED_OFF.search(heard.text) and not heard.asks and not heard.reported
        return Match("delete", weight, sure=False) if off and not heard.past else None
    if heard.past and not named:
        return None
    if clause.situation.addressed and names_nothing(heard.body) and clause.times and not named:
        return Match("add", 1, sure=False)
    thing = named or event
    if thing and edits(heard):
        return Match("edit", weight)
    if thing and (deletes(heard) or _CALLED_OFF.search(heard.text)):
        return Match("delete", weight)
    if not thing and not clause.situation.private and not snoozes(heard):
        if _PLACE_CHANGES.search(heard.text):
            return Match("edit", 2)
        change = nameless(clause, heard)
        if change is not None:
            return Match(change, 1, sure=not clause.situation.open_tasks)
        if heard.ordered or not heard.told:
            unknown = _unknown(clause, heard)
            if unknown is not None:
                return Match(unknown, 1, sure=False)
    return _addition(clause, heard, named, event)


_SUBSCRIBED: Final = re.compile(
    "关注|订阅|订单|会员|续费|收藏|点赞|静音|免打扰|授权|绑定|勾选|外卖|快递|闪送|信用卡|套餐|流量|密码|微信|好友|聊天记录"
)
_TO_TIME: Final = re.compile(
    "(?:改|推|挪|延|调|换|移|提前|顺延|拖|放)[迟后期约订早晚]{0,2}(?:到|至|成|为|在)$"
)


_INTO: Final = re.compile(
    "(?:请|帮我|麻烦)*(?:把|将)[^,?]{2,8}(?:改成|换成|改名为|改名叫|改为)[^,?]{2,10}[吧了]?$"
)


def _unknown(clause: Clause, heard: Wording) -> str | None:
    """`delete` or `edit` where something is ended or moved that no table knows (消防演习取消了)."""
    line = heard.body.strip(" ,。!~")
    if not clause.situation.addressed or clause.amounts or _SUBSCRIBED.search(line) or len(line) > 16:
        return None
    if heard.third or heard.felt or re.search("[你我他她它](?!们?的)", bare(line)):
        return None
    begins = bool(clause.times) and clause.times[0].span[0] <= 1 and DELETE.match(heard.rest) is not None
    if (
        deletes(heard)
        and not begins
        and re.search("^(?:取消|删[掉除]|去掉|把)|(?:取消|删)[掉除]?[了吧啦]*$", line)
    ):
        return "delete"
    if _INTO.match(line) and not clause.times:
        return "edit"
    tied = any(_TO_TIME.search(clause.text[: one.span[0]]) for one in clause.times)
    return "edit" if tied and edits(heard) else None


_CLASS: Final = re.compile("[^,?我你他她它的了吗呢没不很]{2,8}")


def _is_class(clause: Clause, heard: Wording) -> bool:
    """每周四晚七点英语角: what comes every week at a clock and is nothing one does."""
    weekly = any(one.recurrence is not None and one.start is not None for one in clause.times)
    return (
        weekly
        and not heard.talk
        and not heard.ordered
        and _CLASS.fullmatch(heard.rest) is not None
        and _DOES.match(heard.rest) is None
    )


_PLACE_CHANGES: Final = re.compile(
    "(?:地点|会议室|场地|集合点)(?:要|得)?(?:改|换|挪|变)(?:到|成|为|在)?[^,?]"
)
"""把地点改成302: of what was spoken of last."""
_DID_NOT: Final = re.compile("没(?:[^时空,有][^,]{0,2})?$")
"""年会抽奖我没中: told, not planned."""


def _addition(clause: Clause, heard: Wording, named: bool, event: bool) -> Match | None:
    makes = _MAKE.search(heard.text) is not None
    if named and (makes or clause.times) and not ((heard.felt or heard.told) and not heard.ordered):
        return Match("add", 3)
    if (heard.told or _DID_NOT.search(heard.body)) and not heard.ordered:
        return None
    group = _GROUP.search(heard.text) is not None
    if not clause.situation.addressed and not heard.ordered:
        return None
    if clause.times:
        if event:
            told = (
                clause.amounts
                and not group
                and not (heard.ahead and all(one.role is Role.PER_HEAD for one in clause.amounts))
            )
            return Match("add", 1 if told and not makes else 2)  # 2月15号吃饭50 is money spent
        if group and heard.rest:
            return Match("add", 2, sure=len(heard.rest) > 1)
        return Match("add", 1, sure=False) if _is_class(clause, heard) else None
    asked = event and makes and heard.ordered and not heard.third
    return Match("add", 2, sure=False) if asked else None
