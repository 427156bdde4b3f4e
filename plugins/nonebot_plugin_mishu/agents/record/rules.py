"""Rules of the group's record: whole lines only, so that no other agent's clause is taken. Pure."""

from __future__ import annotations

from typing import Final

from ...language.clause import Clause
from ...language.lines.facts import changed
from ...language.lines.record_questions import asked, tagged_question
from ...language.match import Match
from ..api.frame import NOTHING_READ, AgentFrame

_WHY: Final = {
    "decisions": "问的是群里定下来的事",
    "calls": "问的是谁找过自己",
    "remember": "要群里记住一件事",
    "forget": "要忘掉群里记着的事",
    "fact": "问的是群里记着的事",
    "facts": "问的是群里记着的事",
    "shared": "问的是群里发过的文件和链接",
    "look_up": "问的是群里说过的事",
}


def claims(clause: Clause) -> Match | None:
    """Match of a line that tells of a kept fact that it has changed, also over a pause (wifi密码换了
    改成 gougou456)."""
    where = clause.situation
    if not where.addressed or not where.facts or changed(clause.text, where.facts) is None:
        return None
    return rules(clause)


def rules(clause: Clause) -> Match | None:
    """Match of the whole line: 我错过了什么, 总结一下今天, 谁说过报销."""
    found = asked(clause)
    if found is None:
        return None
    # 奶茶多少钱来着 is of the books, where they read it.
    weight = 1 if found.question is not None and found.question.price else 4
    return Match(found.kind, weight, why=_WHY.get(found.kind, "问的是群里说过的话"))


def read(intent: str, clause: Clause) -> AgentFrame:
    """Frame of a clause that `rules` took; its span for any other."""
    return asked(clause) or tagged_question(clause) or NOTHING_READ
