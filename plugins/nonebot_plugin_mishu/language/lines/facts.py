"""Facts of a group: which line gives one to be kept, asks for one, or takes one away. Pure.

A fact is kept as it was said (WiFi密码是8842). Its subject (wifi密码) is what stands before 是, in one form
for comparing: of one subject there is one fact.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from ...patterns import Pattern
from ..text.fold import normalise

LONGEST: Final = 300
"""Characters of a fact."""
_SHORT: Final = 80
"""Characters of a line that asks for a fact or takes one away."""
_WHOM: Final = r"(?:大家|各位|请|麻烦|帮(?:我们?|忙|咱们)?|给(?:我们?)?|你|都|要|群里|那|顺便|,|，| )*"
_KEEP: Final = Pattern(
    rf"^{_WHOM}(?:记住|记(?:到起|倒起|到(?=[:： ])|倒(?=[:： ])|牢|低)|记下来?[:：]|记得住)"
    r"(?:一下|了|哈|啊|喽|哦|咯)?"
    r"(?P<mark>[:：,， ]*)(?P<what>.+)$",
    re.DOTALL,
)
KEPT_THINGS: Final = (
    "(?:密码|口令|地址|网址|链接|账号|帐号|门禁|会议号|邮箱|联系方式|[Ww][Ii]-?[Ff][Ii]"
    "|群规|规矩|规则|车牌号?|门牌号?|电话|手机号?|号码|座机|微信号?|取[件餐货]码|房间号|工位|车位|尺码|卡号|税号|抬头)"
)
"""Things that groups store as facts: for these 记一下 stores a fact, and questions are looked up."""
_KEEP_THING: Final = Pattern(
    rf"^{_WHOM}(?:记|存|备忘)(?:到起|倒起|住|下来|下|好|着|一下|一哈|到|倒|个)*+"
    rf"(?:小?事[情儿]?(?=[:：,， ]))?(?P<mark>[:：,， ]*)"
    rf"(?P<what>[^,，。;；]{{0,12}}(?:{KEPT_THINGS}(?:就?是|为|在|[:：= ]"
    rf"|(?=[0-9a-zA-Z+#*]))|生日就?是).+)$",
    re.DOTALL,
)
_KEEP_EVENT: Final = Pattern(
    rf"^{_WHOM}(?:记(?:下|住|一下)?(?P<event>一?[个件]小?事[情儿]?)|(?:记|存|备忘)(?:一下|下)?)"
    r"[:：,，。 ]+(?P<what>.+)$",
    re.DOTALL,
)
"""记个事 钥匙在门卫那, 备忘 车停B2 138"""
_KEPT_BEHIND: Final = Pattern(
    r"^(?P<what>[^。;；?？]{2,60}?)[,，。!！ ]{1,3}(?:请|麻烦|帮(?:我们?|忙)?|你们?|大家|都|要|给我)*"
    r"(?:记住|记(?:到起|倒起|到|倒|牢)|记一?下|记着|存一?下|存着|备忘一?下)(?:来)?(?:了|哈|啊|哦|喽|咯"
    r"|吧|嘛|点|哟|起|[!！~。 ])*$"
)
"""我不吃香菜 记住了"""
_OF_ONE: Final = Pattern(
    r"^(?P<who>我|\S{1,6}?)(?P<trait>(?:(?:从来|一直|都|是|也|不能|不)*(?:不吃|不能吃|吃不了|不喝|不能喝|喝不了|忌口|忌|吃素|素食)"
    r"|对\S{1,8}过敏|\S{0,6}过敏|(?:的)?(?:生日|尺码|鞋码|车牌))\S{0,20})$"
)
"""A person's food, allergies, clothes: stored as a fact about them."""
_BLANK: Final = Pattern(r"(?P<subject>\S{2,20})\s+(?P<value>\S*[0-9a-zA-Z]\S*)", re.DOTALL)
"""门禁密码 4471#"""
_PROVINCE: Final = "[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼]"
"""Start of a number plate."""
_RUN_ON: Final = Pattern(
    rf"(?P<subject>[^,，。;；:：= 0-9a-zA-Z]{{0,12}}{KEPT_THINGS})"
    rf"(?P<value>(?:[0-9a-zA-Z+#*]|{_PROVINCE}(?=[a-zA-Z]))\S*(?: \S+){{0,4}})"
)
"""房东电话13800001111, 我车牌京A88888"""
_NOW_IS: Final = Pattern(
    r"^(?:大家|各位|注意|对了|,|，| ){0,3}(?P<subject>[^,，。;；:：= ]{2,14}?)(?:又|已经?|刚|昨天"
    r"|今天){0,2}(?:改|换|变|更新)了"
    r"[,，。!！ ]{0,2}(?:现在|新的|如今|最新的|改成|换成)?(?:就?是|为|变成|成了?|改成|换成"
    r"|叫)?[:： ]{0,2}(?P<value>\S{1,60})$"
)
"""密码改了 现在是9981"""
_TO_BE_NOTED: Final = Pattern("[0-9a-zA-Z]")
_SAYS: Final = Pattern(
    r"(?P<subject>[^,，。;；:：=]{1,30}?)\s*(?:就?是|为|叫做?|改成|改为|换成|[:：=＝])\s*(?P<value>\S.*)",
    re.DOTALL,
)
_LIES: Final = Pattern(
    r"(?P<subject>[^,，。;；:：= ]{2,12}?)(?:(?:放|停|存)?在|(?:改|搬|换|挪)(?:到|去)了?)"
    r"(?P<value>[^哪].{1,60})",
    re.DOTALL,
)
"""停车场在B2"""
_PUT: Final = Pattern(
    r"(?P<subject>(?!把|将|要|去|记得)[^,，。;；:：= ]{1,12}?)(?:停|放|搁|藏|锁|寄存)(?:在|到|了)*"
    r"(?P<value>(?:[A-Za-z][A-Za-z0-9-]*[0-9]|[0-9]+[楼层号区排栋柜]|负[一二三]).{0,40}"
    r"|\S{1,20}(?:[里上]|下面|旁边?|那[里儿边]?|处))"
)
"""车停B2 138, 备用钥匙放鞋柜里"""
_CHANGED: Final = Pattern(
    r"(?:大家|各位|请|麻烦|帮(?:我们?|忙)?|[那这]个|把|将|,|，| )*(?P<subject>[^,，。;；:：=]{1,30}?)\s*"
    r"(?:已经?|现在)?(?:改|换|变|更新)(?:成|为|到)?(?:了)?[:： ]*(?P<value>\S.*?)(?:(?<=[0-9a-zA-Z#*])了)?",
    re.DOTALL,
)
_NO_SUBJECT: Final = Pattern(r"^(?:我|你|他|她|它|这|那|咱|谁|也|都|不|还|但|可|要|如果|明天|今天|后天)+$")
_FORGET: Final = Pattern(
    r"^(?:请|麻烦|帮我|帮忙|你|把|将|可以|能|,| )*"
    r"(?:忘(?:掉|了|记)|不用(?:再)?记(?:住)?|别(?:再)?记(?:着|住)?)(?:一下)?[: ,]*"
    r"(?P<what>.+?)(?:[这那]条|[这那]件事|[这那]事|的事|了)?$"
    r"|^(?:请|帮我|你| )*(?:把|将)(?P<other>.+?)(?:[这那]条|[这那]件事|[这那]事)?"
    r"(?:忘(?:掉|了|记)|删掉)(?:了|它)?$"
    r"|^(?P<back>.{2,20}?)(?:就|可以)?(?:不用|不要|别|没必要)(?:再)?记(?:着|住)?了?$"
)
_NOBODY: Final = Pattern(
    r"^(?:我|我们|你|你们|他|她|它|这|那|自己|一切|过去|烦恼|刚才|以前|前任|不愉快|提醒|任务|日程)"
)
_SAID_BY_ME: Final = Pattern("^我(?:刚才|刚刚|之前|上次|让你)?(?:说|讲|告诉你|记)(?:过|住)?的(?=..)")
"""忘掉我说的香菜"""
_WHICH: Final = r"(?:什么|啥|多少|几|几点|几号|几月几号|谁|哪里|哪儿|哪个|哪天|怎么样的?)"
_ASK: Final = Pattern(
    r"^(?:请问|问一?下|谁知道|谁记得|你?(?:还)?记得|告诉我|咱们?群?|我们群?|本群|这个群|群里|那个|,| )*"
    r"(?P<subject>.{1,30}?)的?"
    rf"(?:(?:是|叫|在|有|有哪些|为){_WHICH}|{_WHICH}|在哪|[停放搁藏锁](?:在|到)?哪(?:里|儿)?|是(?:哪个|哪些)|呢|怎么(?:说|写)的?)"
    r"(?:来着|呀|啊|呢|了)?[?]*$"
)
_TELL: Final = Pattern(r"^(?:发|说|报|看|查|给)(?:一?下|看|我|个)*(?P<subject>.{1,30})$")
_ALL: Final = Pattern(
    r"^(?:你|群里|大家|咱们|都|我们|让你|帮我们|本群| )*记(?:住|下|着)?(?:了|过|的)?(?:些)?"
    r"(?:什么|啥|哪些)(?:事|东西)?[?]*$|^群(?:备忘录?|里?的?事实)$"
)
_END: Final = Pattern(r"[吧呗哦喔啊呀哈嘛!。~,. ]+$")
RULES: Final = "群规"


def subject_of(text: str) -> str:
    """In one form for comparing: without spaces, script, width and case evened out."""
    bare = re.sub(
        r"^(?:咱们?|我们|本|这个)?群里?(?:的)(?=.)|^(?:咱们?|我们|本|这个)群的?(?=.)",
        "",
        normalise(text).casefold(),
    )
    return _WIRELESS.sub("wifi", re.sub(r"[\s,.!?\"'「」“”的]+", "", bare))


_WIRELESS: Final = Pattern("wi-fi|无线网络?|(?:无线|网络)(?=密码)")
"""Other words for one thing that groups keep a password of."""


def kept(text: str, *, places: bool = True) -> tuple[str, str] | None:
    """Subject and words, as they were said, of a line that gives a fact (记住：…); None where it gives none.

    `text` is the member's own; with `places` 停车场在B2 says something. Without a mark behind 记住 only what
    says that something is something is one: 记住明天开会 is not.
    """
    if len(text) > 2 * LONGEST:
        return None
    found = _KEEP.match(text.strip()) or _KEEP_THING.match(text.strip())
    if found is None:
        return _kept_event(text.strip(), places=places) or _kept_behind(text.strip(), places=places)
    what = found["what"].strip()
    if not 2 <= len(what) <= LONGEST or normalise(what).endswith(("吗?", "吗", "没?", "没有?", "?")):
        return None
    says = _said(what) or (_LIES.fullmatch(what) if places else None)
    subject = subject_of(says["subject"]) if says is not None else ""
    if says is None or not subject or _NO_SUBJECT.match(subject):
        of_one = _OF_ONE.match(what) if not questions_in(what) else None  # 记住我不吃辣
        marked = re.search("[:：]", found["mark"]) is not None
        return (subject_of(what)[:60], what) if marked or of_one is not None else None
    return subject, what


def _kept_event(text: str, *, places: bool) -> tuple[str, str] | None:
    """The same of 记个事 …, and of 备忘 before where something was put: what else it orders is to be done."""
    found = _KEEP_EVENT.match(text)
    what = found["what"].strip() if found is not None else ""
    if found is None or questions_in(what):
        return None
    says = _PUT.fullmatch(what) if places else None
    if says is None and found["event"]:
        says = _said(what) or (_LIES.fullmatch(what) if places else None)
        if says is None and _OF_ONE.match(what):
            return subject_of(what)[:60], what
    subject = subject_of(says["subject"]) if says is not None else ""
    return None if not subject or _NO_SUBJECT.match(subject) else (subject, what)


def _said(content: str) -> re.Match[str] | None:
    """Subject and value of a fact's words (房东电话13800001111, 门禁密码 4471#, WiFi密码是8842)."""
    return _RUN_ON.fullmatch(content) or _SAYS.match(content) or _BLANK.fullmatch(content)


def _kept_behind(text: str, *, places: bool) -> tuple[str, str] | None:
    """The same where the order stands behind (我不吃香菜 记住了): of what says that something is so, or of
    what somebody does not eat. 我记住了 gives nothing."""
    found = _KEPT_BEHIND.match(text)
    if found is None:
        return None
    what = re.sub("^(?:那个|对了|还有|我说一下)[,， ]*", "", found["what"].strip())
    if questions_in(what):
        return None
    one = _OF_ONE.match(what)
    if one is not None:
        return subject_of(what)[:60], what
    says = _said(what) or (_LIES.fullmatch(what) if places else None)
    subject = subject_of(says["subject"]) if says is not None else ""
    if not subject or _NO_SUBJECT.match(subject) or len(subject) < 2:
        return None
    return subject, what


def reported(text: str) -> bool:
    """True for a statement of knowledge without an order (密码是8842 我记住了)."""
    return _KNOWN.search(normalise(text)) is not None


_KNOWN: Final = Pattern(
    "我(?:已经|都|也|早就?)?(?:记住|记下|记好|记得|知道)了?[!。~ ]*$|^(?:他|她|人家|老板).{0,4}(?:让|叫|要)"
)


def questions_in(text: str) -> bool:
    """True for a question, condition or report, thus no fact (要是密码改了, 他说密码是…没)."""
    return _NO_FACT.search(normalise(text)) is not None


_NO_FACT: Final = Pattern(
    r"[吗嘛么没?]$|什么|多少|要是|如果|假如|万一|是不是|有没有|不知道|忘了|记不住|听说|好像|可能|也许|大概"
)


def sure(text: str, subject: str) -> bool:
    """True if a line with an amount gives a fact, not a record: 房租是3200 记一下 may be either."""
    told = "记住" in text or re.search(KEPT_THINGS, subject) is not None
    return told or _kept_event(text.strip(), places=True) is not None


def told_of(content: str, name: str) -> str:
    """Statement about oneself (我对花生过敏) in the second person, or with the name."""
    return re.sub("我(?!们)", name, content)


def of_member(subject: str, name: str) -> str:
    """The subject of what somebody said of themselves: of 我不吃香菜 each member has their own."""
    return f"{subject_of(name)}{subject[1:]}" if subject.startswith("我") else subject


def fact_of(content: str) -> tuple[str, str]:
    """Subject and words of a fact whose words are known (房东电话13800)."""
    says = _said(content)
    subject = subject_of(says["subject"]) if says is not None else ""
    return (subject or subject_of(content)[:60], content[:LONGEST])


def changed(text: str, known: Collection[str]) -> tuple[str, str] | None:
    """Subject and new value of a line that changes a fact that is known (WiFi密码改成8842); None: none."""
    if len(text) > LONGEST or questions_in(text):
        return None
    now_is = _renewed(text)
    if now_is is not None:
        meant = nearest(now_is[0], list(known))
        return None if meant is None else (meant, now_is[1])
    plain = _END.sub("", text.strip())
    ordered = _KEEP.match(plain)
    found = _CHANGED.fullmatch(ordered["what"] if ordered is not None else plain)
    if found is not None:
        subject, value = subject_of(found["subject"]), found["value"].strip()
        meant = subject if subject in known else _kept_thing(subject, value, known)
        return None if meant is None else (meant, value)
    told = _said(_INSTEAD.sub("", plain, count=1).strip(" ,，")) if _INSTEAD.match(plain) else None
    subject = subject_of(told["subject"]) if told is not None else ""
    return (subject, told["value"].strip()) if told is not None and subject in known else None


def _kept_thing(subject: str, value: str, known: Collection[str]) -> str | None:
    """The fact that 密码改成9911 changes: the only one that such a thing, which groups keep, is named by."""
    if re.search(f"{KEPT_THINGS}$", subject) is None or _TO_BE_NOTED.search(value) is None:
        return None
    return nearest(subject, list(known))


def corrected(subject: str, content: str, words: str) -> str | None:
    """A kept fact's words put right by others (密码改成9911 makes WiFi密码是9911 of WiFi密码是8842); None
    where they are about something else."""
    plain = _END.sub("", words.strip())
    ordered = _KEEP.match(plain)
    plain = ordered["what"].strip() if ordered is not None else plain
    if not plain or len(plain) > LONGEST or questions_in(plain):
        return None
    if (right := put_right(plain, content)) is not None:
        return right
    found = _NOW_IS.match(plain) or _CHANGED.fullmatch(plain) or _said(plain) or _LIES.fullmatch(plain)
    if found is None:
        return said_of(content, plain)
    other = subject_of(found["subject"])
    if nearest(other, [subject]) is None and not _NO_SUBJECT.match(other):
        return None
    return said_of(content, found["value"].strip())


def _renewed(text: str) -> tuple[str, str] | None:
    """Subject and new value of 密码改了 现在是9981; None: it is no such line."""
    found = _NOW_IS.match(_END.sub("", text.strip()))
    if found is None or questions_in(text) or _TO_BE_NOTED.search(found["value"]) is None:
        return None
    return subject_of(found["subject"]), found["value"].strip()


def renewed(text: str) -> str | None:
    """The subject that has changed as a line says (密码改了 现在是9981), if it is one that groups keep."""
    found = _renewed(text) if len(text) <= _SHORT else None
    return found[0] if found is not None and re.search(KEPT_THINGS, found[0]) is not None else None


def said_of(content: str, value: str) -> str:
    """A fact's words with another value."""
    says = _said(content) or _LIES.fullmatch(content)
    return value if says is None else f"{content[: says.start('value')]}{value}"


def put_right(text: str, content: str) -> str | None:
    """A fact's words as a line right behind it wants them (不是三号，是四号楼; 不对 是5678); None where the
    line puts nothing right."""
    plain = _END.sub("", normalise(text))
    if not content or len(plain) > _SHORT or questions_in(plain):
        return None
    told = _NOT_BUT.fullmatch(plain)
    if told is not None:
        old, new = told["old"].strip(), told["new"].strip()
        at = normalise(content).lower().find(old.lower())
        if at < 0 or len(normalise(content)) != len(content):
            return said_of(content, new)
        behind = content[at + len(old) :]
        same = next((size for size in range(len(new), 0, -1) if behind.startswith(new[-size:])), 0)
        return f"{content[:at]}{new}{behind[same:]}"
    if _INSTEAD.match(plain) is None:
        return None
    value = _INSTEAD.sub("", plain, count=1).strip(" ,")
    if (code := _CODE_FIRST.match(value)) is not None:
        value = code["code"]
    if (whole := _said(value)) is not None:  # 不对 wifi密码是1237
        if nearest(subject_of(whole["subject"]), [fact_of(content)[0]]) is None:
            return None
        value = whole["value"].strip()
    return said_of(content, value) if 0 < len(value) <= _VALUE else None


_NOT_BUT: Final = Pattern(
    r"(?:不对|错了|说错了|打错了|哦|啊|哎|,| )*不(?:是|在)(?P<old>[^,是]{1,20}?)(?:了)?[, ]*"
    r"(?:应该)?(?:就?是|在)(?P<new>[^,]{1,30})"
)
_INSTEAD: Final = Pattern(
    r"(?:哦|啊|哎|呃|,| )*+(?:(?:(?:不对|错了|说错了|打错了|记错了|口误|更正)[, ]*+)++(?:一下)?(?:应该|现在)?"
    r"(?:就?是|在|改成|换成)?"
    r"|(?:改成|改为|换成|应该是|应该在)(?:了)?)"
)
_CODE_FIRST: Final = Pattern(r"(?P<code>[0-9a-z#*@_.-]*[0-9][0-9a-z#*@_.-]*)[, ]+(?=[^0-9a-z])")
"""A number or code and, behind a pause, why it is told anew (5872# 我念反了): a code has no pause in it."""
_VALUE: Final = 40
"""Characters of a value that is told alone."""


def forgotten(text: str) -> str | None:
    """The subject of a line that takes a fact away (忘掉WiFi密码); None where it takes none."""
    found = _FORGET.match(_END.sub("", normalise(text))) if len(text) <= _SHORT else None
    if found is None:
        return None
    what = _SAID_BY_ME.sub("", (found["what"] or found["other"] or found["back"]).strip())
    if _NOBODY.match(what) or len(what) > 60:
        return None
    says = _SAYS.match(what)
    return subject_of(says["subject"] if says is not None else what) or None


def asked_subject(text: str, known: Iterable[str], speaker: str = "") -> str | None:
    """The subject that a line asks for, among those that are known; 群规 always. None: it asks for none.
    `speaker`: what its member is called, whose 我车牌 is."""
    if len(text) > _SHORT:
        return None
    plain = _END.sub("", normalise(text))
    known = list(known)
    trait = _TRAIT.fullmatch(plain.rstrip("?"))
    if trait is not None:
        who = of_member(subject_of(trait["who"]), speaker) if speaker else subject_of(trait["who"])
        near = [each for each in known if each.startswith(who) and _SAME_TRAIT[trait["trait"][-1]] in each]
        return near[0] if len(near) == 1 and who else None
    born = birthday_asked(plain)
    if born is not None:
        return nearest(of_member(subject_of(born), speaker) if speaker else subject_of(born), known)
    found = _ASK.match(plain) or _TELL.match(plain)
    subject = subject_of(found["subject"]) if found is not None else subject_of(plain.rstrip("?"))
    subject = of_member(subject, speaker) if speaker else subject
    if not subject:
        return None
    if subject == RULES and found is not None:
        return RULES
    whole = [each for each in known if each == subject]
    if whole:
        return whole[0]
    if found is None or len(subject) < 2:
        return None
    return nearest(subject, known)


def birthday_asked(text: str) -> str | None:
    """Birthday asked for, as a subject (小雅的生日是几号, 小雅几号生日); None if none."""
    found = _BORN.fullmatch(_END.sub("", normalise(text)).rstrip("?"))
    who = (found["who"] or found["of"]).removesuffix("的") if found is not None else ""
    return f"{who}生日" if who and not who.startswith(("你", "谁", "您")) else None


_WHEN: Final = r"(?:什么时候|啥时候?|哪一?天|几号|几月几[号日]|多会儿|哪月哪[号日])"
_BORN: Final = Pattern(
    rf"(?:请问|谁知道|你?(?:还)?记得|告诉我)?(?:(?P<who>\S{{1,8}}?)(?:的)?生日(?:就?是|在)?{_WHEN}"
    rf"|(?P<of>\S{{1,8}}?)(?:是)?{_WHEN}过?的?生日)(?:来着|呢|呀|啊|的)?"
)
_TRAIT: Final = Pattern(
    r"(?P<who>\S{1,8}?)(?:是|会)?(?P<trait>对(?:什么|啥|哪些东西?|哪样)过敏|(?:不吃|不能吃|忌口|忌)(?:什么|啥|哪些)?(?:东西)?(?:不吃|吃)?)"
)
_SAME_TRAIT: Final = defaultdict(lambda: "吃", {"敏": "过敏"})
"""By the end of what is asked: the word that tells it (小红对什么过敏)."""


def all_asked(text: str) -> bool:
    """True for a question for all stored facts (群里都记住了什么)."""
    return len(text) <= _SHORT and _ALL.match(_END.sub("", normalise(text))) is not None


def nearest(subject: str, known: Sequence[str]) -> str | None:
    """The known subject that is meant: the same, the only one that holds it, or the only one that says
    the same thing more closely or less (活动室密码 of 活动室门上密码, 柜子密码 of 储物柜密码)."""
    if subject in known:
        return subject
    near = [each for each in known if subject in each or (len(each) > 2 and each in subject)]
    near = near or [each for each in known if _is_closer(subject, each)]
    if not near and _CODE_OF.search(subject):
        return nearest(f"{subject[:-1]}密码", known)
    return near[0] if len(near) == 1 else None


_CODE_OF: Final = Pattern("(?<=[禁门锁柜fi房室])码$")
"""门禁码, WiFi码: the password of it."""


def _is_closer(one: str, other: str) -> bool:
    """True if two subjects end with the same kind of thing, and one has all the other's characters in
    order."""
    ends = [re.search(f"(?:{KEPT_THINGS})$", each) for each in (one, other)]
    if ends[0] is None or ends[1] is None or ends[0][0] != ends[1][0]:
        return False
    short, long = sorted((_THIN.sub("", each) for each in (one, other)), key=len)
    left = iter(long)
    return len(short) > len(ends[0][0]) and all(character in left for character in short)


_THIN: Final = Pattern("[的子儿]")
