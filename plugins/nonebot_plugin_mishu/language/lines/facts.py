"""Facts of a group: which line gives one to be kept, asks for one, or takes one away. Pure.

A fact is kept as it was said (WiFi密码是8842). Its subject (wifi密码) is what stands before 是, in one form
for comparing: of one subject there is one fact.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from ..fold import normalise

LONGEST: Final = 300
"""Characters of a fact."""
_SHORT: Final = 80
"""Characters of a line that asks for a fact or takes one away."""
_KEEP: Final = re.compile(
    r"^(?:大家|各位|请|麻烦|帮(?:我们?|忙)?|你|都|要|群里|,|，| )*记住(?:一下|了|哈|啊)?"
    r"(?P<mark>[:：,， ]*)(?P<what>.+)$",
    re.DOTALL,
)
KEPT_THINGS: Final = (
    "(?:密码|口令|地址|网址|链接|账号|帐号|门禁|会议号|邮箱|联系方式|[Ww][Ii]-?[Ff][Ii]"
    "|群规|规矩|规则|车牌号?|门牌号?)"
)
"""What people give a group to keep: of these 记一下 keeps too, and a question for one is looked for."""
_KEEP_THING: Final = re.compile(
    r"^(?:大家|各位|请|麻烦|帮(?:我们?|忙)?|你|都|要|群里|,|，| )*(?:记|存|备忘)(?:住|下|好|一下)*"
    rf"(?P<mark>[:：,， ]*)(?P<what>[^,，。;；]{{0,12}}{KEPT_THINGS}(?:就?是|为|[:：= ]).+)$",
    re.DOTALL,
)
_BLANK: Final = re.compile(r"(?P<subject>\S{2,20})\s+(?P<value>\S*[0-9a-zA-Z]\S*)", re.DOTALL)
"""门禁密码 4471#"""
_SAYS: Final = re.compile(
    r"(?P<subject>[^,，。;；:：=]{1,30}?)\s*(?:就?是|为|叫做?|改成|改为|换成|[:：=＝])\s*(?P<value>\S.*)",
    re.DOTALL,
)
_LIES: Final = re.compile(
    r"(?P<subject>[^,，。;；:：= ]{2,12}?)(?:放|停|存)?在(?P<value>[^哪].{1,60})", re.DOTALL
)
"""停车场在B2"""
_CHANGED: Final = re.compile(
    r"(?:大家|各位|请|麻烦|帮(?:我们?|忙)?|把|将|,|，| )*(?P<subject>[^,，。;；:：=]{1,30}?)\s*"
    r"(?:已经?|现在)?(?:改|换|变|更新)(?:成|为|到)?(?:了)?[:： ]*(?P<value>\S.*)",
    re.DOTALL,
)
_NO_SUBJECT: Final = re.compile(r"^(?:我|你|他|她|它|这|那|咱|谁|也|都|不|还|但|可|要|如果|明天|今天|后天)+$")
_FORGET: Final = re.compile(
    r"^(?:请|麻烦|帮我|帮忙|你|把|将|可以|能|,| )*"
    r"(?:忘(?:掉|了|记)|不用(?:再)?记(?:住)?|别(?:再)?记(?:着|住)?)(?:一下)?[: ,]*"
    r"(?P<what>.+?)(?:这条|这件事|这事|的事|了)?$"
    r"|^(?:请|帮我|你| )*(?:把|将)(?P<other>.+?)(?:这条|这件事|这事)?(?:忘(?:掉|了|记)|删掉)(?:了|它)?$"
)
_NOBODY: Final = re.compile(
    r"^(?:我|我们|你|你们|他|她|它|这|那|自己|一切|过去|烦恼|刚才|以前|前任|不愉快|提醒|任务|日程)"
)
_WHICH: Final = r"(?:什么|啥|多少|几|几点|谁|哪里|哪儿|哪个|怎么样的?)"
_ASK: Final = re.compile(
    r"^(?:请问|问一?下|谁知道|谁记得|你?(?:还)?记得|告诉我|咱们?群?|我们群?|本群|这个群|群里|那个|,| )*"
    r"(?P<subject>.{1,30}?)的?"
    rf"(?:(?:是|叫|在|有|有哪些|为){_WHICH}|{_WHICH}|在哪|是(?:哪个|哪些)|呢|怎么(?:说|写)的?)"
    r"(?:来着|呀|啊|呢|了)?[?]*$"
)
_TELL: Final = re.compile(r"^(?:发|说|报|看|查|给)(?:一?下|看|我|个)*(?P<subject>.{1,30})$")
_ALL: Final = re.compile(
    r"^(?:你|群里|大家|咱们|都|我们|让你|帮我们|本群| )*记(?:住|下|着)?(?:了|过|的)?(?:些)?"
    r"(?:什么|啥|哪些)(?:事|东西)?[?]*$|^群(?:备忘录?|里?的?事实)$"
)
_END: Final = re.compile(r"[吧呗哦喔啊呀哈嘛!。~,. ]+$")
RULES: Final = "群规"


def subject_of(text: str) -> str:
    """In one form for comparing: without spaces, script, width and case evened out."""
    bare = re.sub(
        r"^(?:咱们?|我们|本|这个)?群里?(?:的)(?=.)|^(?:咱们?|我们|本|这个)群的?(?=.)",
        "",
        normalise(text).casefold(),
    )
    return re.sub(r"[\s,.!?\"'「」“”的]+", "", bare)


def kept(text: str, *, places: bool = True) -> tuple[str, str] | None:
    """Subject and words, as they were said, of a line that gives a fact (记住：…); None where it gives none.

    `text` is the member's own; with `places` 停车场在B2 says something. Without a mark behind 记住 only what
    says that something is something is one: 记住明天开会 is not.
    """
    if len(text) > 2 * LONGEST:
        return None
    found = _KEEP.match(text.strip()) or _KEEP_THING.match(text.strip())
    if found is None:
        return None
    what = found["what"].strip()
    if not 2 <= len(what) <= LONGEST or normalise(what).endswith(("吗?", "吗", "没?", "没有?", "?")):
        return None
    says = _SAYS.match(what) or _BLANK.fullmatch(what) or (_LIES.fullmatch(what) if places else None)
    subject = subject_of(says["subject"]) if says is not None else ""
    if says is None or not subject or _NO_SUBJECT.match(subject):
        return (subject_of(what)[:60], what) if re.search("[:：]", found["mark"]) else None
    return subject, what


def fact_of(content: str) -> tuple[str, str]:
    """Subject and words of a fact whose words are known (房东电话13800)."""
    says = _SAYS.match(content) or _BLANK.fullmatch(content)
    subject = subject_of(says["subject"]) if says is not None else ""
    return (subject or subject_of(content)[:60], content[:LONGEST])


def changed(text: str, known: Collection[str]) -> tuple[str, str] | None:
    """Subject and new value of a line that changes a fact that is known (WiFi密码改成8842); None: none."""
    found = _CHANGED.fullmatch(_END.sub("", text.strip())) if len(text) <= LONGEST else None
    if found is None:
        return None
    subject = subject_of(found["subject"])
    return (subject, found["value"].strip()) if subject in known else None


def said_of(content: str, value: str) -> str:
    """A fact's words with another value."""
    says = _SAYS.match(content) or _BLANK.fullmatch(content)
    return value if says is None else f"{content[: says.start('value')]}{value}"


def forgotten(text: str) -> str | None:
    """The subject of a line that takes a fact away (忘掉WiFi密码); None where it takes none."""
    found = _FORGET.match(_END.sub("", normalise(text))) if len(text) <= _SHORT else None
    if found is None:
        return None
    what = (found["what"] or found["other"]).strip()
    if _NOBODY.match(what) or len(what) > 60:
        return None
    says = _SAYS.match(what)
    return subject_of(says["subject"] if says is not None else what) or None


def asked_subject(text: str, known: Iterable[str]) -> str | None:
    """The subject that a line asks for, among those that are known; 群规 always. None: it asks for none."""
    if len(text) > _SHORT:
        return None
    plain = _END.sub("", normalise(text))
    found = _ASK.match(plain) or _TELL.match(plain)
    subject = subject_of(found["subject"]) if found is not None else subject_of(plain.rstrip("?"))
    if not subject:
        return None
    if subject == RULES and found is not None:
        return RULES
    whole = [each for each in known if each == subject]
    if whole:
        return whole[0]
    if found is None or len(subject) < 2:
        return None
    near = [each for each in known if subject in each or (len(each) > 2 and each in subject)]
    return near[0] if len(near) == 1 else None


def all_asked(text: str) -> bool:
    """Whether a line asks what is kept at all (群里都记住了什么)."""
    return len(text) <= _SHORT and _ALL.match(_END.sub("", normalise(text))) is not None


def nearest(subject: str, known: Sequence[str]) -> str | None:
    """The known subject that is meant: the same, or the only one that holds it."""
    if subject in known:
        return subject
    near = [each for each in known if subject in each or (len(each) > 2 and each in subject)]
    return near[0] if len(near) == 1 else None
