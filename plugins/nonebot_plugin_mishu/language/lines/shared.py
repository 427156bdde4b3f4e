"""Files and links that members shared: those a line names, and the questions for them. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from ...patterns import Pattern
from ..text.fold import normalise
from .line import RecordLine
from .marks import LINK, links

_ENDINGS: Final = (
    "docx?|xlsx?|pptx?|pdf|csv|txt|md|wps|et|dps|zip|rar|7z|tar|gz|apk|exe|psd|ai|sketch|key|numbers|pages"
    "|mp3|mp4|m4a|mov|wav|jpe?g|png|gif|heic|epub|dwg|json|xmind"
)
NAMED: Final = Pattern(
    rf"[^\s,，。;；:：!！?？「」『』“”\"'（）()\[\]/\\@]{{1,60}}\.(?:{_ENDINGS})(?![a-z0-9])", re.IGNORECASE
)
_PLACED: Final = Pattern(r"\[(?:群?文件|file)\][:： ]*(?P<name>[^\[\]\n]{1,80})", re.IGNORECASE)
_TO_FILES: Final = Pattern(
    r"(?:传|上传|放|发|丢|扔|更新|挂|搁)(?:到|在|进|去|了|上)?.{0,6}(?:群文件|共享|网盘|群空间|群相册)"
    r"|(?:群文件|共享文件夹|网盘)(?:里|上)?.{0,4}(?:有|自取|自己下|更新了)"
)
_KINDS: Final = {
    "表格": r"xlsx?|csv|et|numbers", "表": r"xlsx?|csv|et|numbers", "excel": r"xlsx?|csv|et",
    "ppt": r"pptx?|key|dps", "幻灯片": r"pptx?|key|dps", "演示": r"pptx?|key|dps", "课件": r"pptx?|pdf|key",
    "文档": r"docx?|pdf|md|txt|wps|pages", "word": r"docx?|wps", "pdf": "pdf", "压缩包": "zip|rar|7z|tar|gz",
    "视频": "mp4|mov", "录音": "mp3|m4a|wav", "图": "jpe?g|png|gif|heic|psd", "图片": "jpe?g|png|gif|heic",
    "安装包": "apk|exe|zip",
}  # fmt: skip
"""Kinds of files by the endings of their names."""
_WHICH: Final = "(?P<what>[^,，。;；?!]{0,12}?)"
_KIND: Final = (
    "(?P<kind>群?文件|附件|资料|表格|[Ee]xcel|[Ww]ord|[Pp][Pp][Tt]|[Pp][Dd][Ff]|文档|幻灯片|课件"
    "|压缩包|安装包|链接|网址|连接)"
)
_BEFORE: Final = (
    r"^(?:请问|问一?下|帮我?|找一?下|看一?下|翻一?下|你?知道|群里?|大家|今天|昨天|刚才?|之前|上次|最近|现在|都|那个|那份|那张|这个"
    r"|,| )*"
)
_AFTER: Final = r"(?:来着|呀|啊|呢|吗|没|没有|了|的|[?!。~ ])*$"
_ASKED: Final = tuple(
    Pattern(_BEFORE + each + _AFTER)
    for each in (
        rf"(?:有没有人?|有人?|大家)?(?:有|发|传|上传|分享)(?:过|了)?(?:什么|啥|哪些|些什么|些啥|没有)?(?:新)?{_WHICH}{_KIND}",
        rf"(?:什么|啥|哪些)?{_WHICH}{_KIND}(?:都)?(?:有|是)(?:什么|啥|哪些|些什么|些啥)",
        rf"(?P<by>谁|哪个|哪位)(?:发|传|上传|分享|甩|丢)(?:过|了|到群里)?(?:的)?(?:那个|那份|那张|这个|这份|一个)?{_WHICH}{_KIND}",
        rf"{_WHICH}{_KIND}(?:是)?(?P<by>谁|哪个|哪位)(?:发|传|上传|分享)(?:过|了|到群里)?",
        rf"{_WHICH}{_KIND}(?:在|放|发|传)?(?:在|到)?(?:哪里?|哪儿|哪个位置|什么地方)",
        rf"(?:发|传|分享)(?:过|了)?的?(?:那个|那份|那张|这个)?{_WHICH}{_KIND}(?:在哪里?|在哪儿|呢|发我|给我|是哪个)?",
        rf"{_WHICH}{_KIND}呢",
        rf"(?:找|翻|看)(?:一下|下|找)?(?:那个|那份|那张|群里的?)?{_WHICH}{_KIND}",
    )
)
_PLAIN: Final = frozenset({"文件", "群文件", "附件", "资料", "链接", "网址", "连接"})
_LONGEST: Final = 30


@dataclass(frozen=True, slots=True)
class SharedQuestion:
    """A question for files or links: all of them, or those called so."""

    kind: Literal["files", "links"]
    what: str = ""
    """Words of its name or of the line it came with."""
    ending: str = ""
    """The kind of a file (表格)."""


def shared_asked(text: str) -> SharedQuestion | None:
    """The files or links that a whole line asks for; None: none."""
    plain = normalise(text).strip()
    if len(plain) > _LONGEST:
        return None
    for pattern in _ASKED:
        found = pattern.fullmatch(plain)
        if found is None:
            continue
        kind = found["kind"].casefold()
        what = re.sub(
            "^(?:那个|那份|那张|的|发|什么|啥|哪些|个|份)+|(?:的|那个|这个)+$", "", found["what"].strip()
        )
        if re.search("[我你他她]|怎么|密码|任务|日程|账", what):
            return None
        if kind in ("链接", "网址", "连接"):
            return SharedQuestion("links", what)
        return SharedQuestion("files", what, "" if kind in _PLAIN else kind)
    return None


def files_named(text: str) -> tuple[str, ...]:
    """Names of files in a line's words (预算表v2.xlsx, [文件]清单), each once."""
    placed = [found["name"].strip() for found in _PLACED.finditer(text)]
    bare = _PLACED.sub(" ", LINK.sub(" ", text))
    named = [found.group() for found in NAMED.finditer(bare)]
    return tuple(dict.fromkeys(name for name in (*placed, *named) if name))


def to_files(line: RecordLine) -> bool:
    """True for a file put among the group's files (清单传群文件了)."""
    return _TO_FILES.search(line.text) is not None


def shares(line: RecordLine, question: SharedQuestion) -> bool:
    """True if a line shared the thing asked for."""
    if line.bot or line.to_us:
        return False
    if question.kind == "links":
        return bool(links(line)) and _says(line.text, question.what)
    if not line.files and not to_files(line):
        return False
    said = " ".join((*line.files, line.text))
    if question.ending and not _is_kind(line, question.ending):
        return False
    return _says(said, question.what)


def _is_kind(line: RecordLine, kind: str) -> bool:
    pattern = _KINDS.get(kind, re.escape(kind))
    named = any(re.search(rf"\.(?:{pattern})$", name, re.IGNORECASE) for name in line.files)
    return named or kind in " ".join((*line.files, line.text)).casefold()


def _says(text: str, what: str) -> bool:
    low, words = text.casefold(), what.casefold()
    return not words or words in low or (len(words) > 1 and all(each in low for each in words))
