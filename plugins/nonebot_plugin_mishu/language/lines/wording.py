"""Wording of a sentence: its parts, the names in them, and the share not supported by the lines."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from ...patterns import Pattern
from . import telling
from .line import RecordLine

_PARTS: Final = Pattern(r"[,，。;；!！?？\n]+")
_RUNS: Final = Pattern(r"[\u3400-\u9fffA-Za-z]+")
_MENTIONED: Final = Pattern(r"@(\S+)")
SPEECH: Final = Pattern("|".join(word for word in telling.SPEECH if word not in telling.VAGUE))
GLUE: Final = Pattern("|".join(telling.JOINING))
NEGATION: Final = Pattern(r"够呛|不|没|别(?!人|的|忘)|勿|未|无法|拒绝|取消|反对|推迟|放弃|否决")
_NO_NEGATION: Final = Pattern(
    r"不错|没有?(?:问题|意见)|没事|不好意思|差不多|不客气|不得不|要不然?|有没有|不过|不如|不仅|不但|不久"
    r"|不是(?=.{0,12}[吗嘛])|(?P<same>[\u3400-\u9fff])[不没](?P=same)"
)


def parts(text: str) -> list[str]:
    """A sentence cut at its commas; pieces without a character of words are left out."""
    return [part.strip() for part in _PARTS.split(text) if part.strip()]


def names_in(text: str, names: Collection[str]) -> list[str]:
    """Names in the text, longest first, none inside another."""
    found: list[str] = []
    left = text
    for name in sorted(names, key=len, reverse=True):
        if name and name in left:
            found.append(name)
            left = left.replace(name, " ")
    return found


def mentioned(lines: Sequence[RecordLine]) -> set[str]:
    """Members with an @ in the lines, by name."""
    return {name for line in lines for name in _MENTIONED.findall(line.text)}


def subject(head: str, speakers: Collection[str]) -> str:
    """The last run of characters before a verb of saying that is neither a speaker's name nor joins."""
    runs = _RUNS.findall(GLUE.sub(" ", without(head, speakers)))
    return runs[-1] if runs else ""


def without(text: str, words: Collection[str]) -> str:
    """The text with each of the words blanked."""
    for word in sorted(words, key=len, reverse=True):
        if word:
            text = text.replace(word, " ")
    return text


def negated(text: str) -> bool:
    """True for a negation."""
    return NEGATION.search(_NO_NEGATION.sub(" ", text)) is not None


def outcome(text: str, cited: Sequence[RecordLine]) -> str | None:
    """A word for how something came out (修好, 取消) that stands in none of the lines."""
    source = "\n".join(line.text for line in cited)
    return next((word for word in telling.OUTCOMES if word in text and word not in source), None)


def like_a_name(run: str) -> bool:
    """True if an unsupported run of characters may be a person's name."""
    return 2 <= len(run) <= 4 and run[0] in telling.SURNAMES


_CALLED: Final = Pattern(
    r"(?:小(?![时组心区学孩伙说吃票程型票队声于])|老(?![师板家人客是早公婆乡])|阿(?!姨))[\u3400-\u9fff]"
)
_DOES: Final = Pattern("|".join(telling.SPEECH))


def strangers(part: str, sources: Sequence[str]) -> bool:
    """True if a part has a person's name that is in no line: 小天, or a leading name with an action
    (王总发了…)."""
    source = "\n".join(sources)
    if any(found not in source for found in _CALLED.findall(part)):
        return True
    verb = _DOES.search(part)
    who = part[: verb.start()].strip() if verb is not None else ""
    return like_a_name(who) and who not in source and who not in telling.PLAIN and not GLUE.fullmatch(who)
