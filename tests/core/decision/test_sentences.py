"""The sentences of `data/`: which agent, which intent, and where it matters which words.

They are scored, not each demanded: a form that reads one row more may cost another for a while. What may
not grow is what is wrong and sure, which is acted on.
"""

from __future__ import annotations

from nonebot_plugin_mishu.core.decision import MessageReading

from .support import AGENTS, DATA, Case, cases, named, read

_FILES = sorted(path.name for path in DATA.glob("*.yaml"))
_CASES = [(name, case) for name in _FILES for case in cases(name)]


RIGHT_AT_LEAST = 0.965
WRONG_AND_SURE_AT_MOST = 0.008


def _is_right(case: Case, found: MessageReading) -> bool:
    if named(found) != [wanted for wanted, _ in case.frames]:
        return False
    texts = zip(found.frames, case.frames, strict=True)
    return all(text is None or frame.text == text for frame, (_, text) in texts)


def test_sentences() -> None:
    wrong: list[str] = []
    sure = 0
    for name, case in _CASES:
        found = read(case.said, case.situation, AGENTS)
        if not _is_right(case, found):
            sure += found.sure and named(found) != ["chat/chitchat"]
            wrong.append(f"{name}:{case}: {named(found)}{' surely' if found.sure else ''}")
    told = "\n".join(wrong)
    assert len(wrong) <= (1 - RIGHT_AT_LEAST) * len(_CASES), told
    assert sure <= WRONG_AND_SURE_AT_MOST * len(_CASES), told


def test_there_are_sentences_enough() -> None:
    assert len(_CASES) >= 800
    assert len({(name, str(case)) for name, case in _CASES}) == len(_CASES)
