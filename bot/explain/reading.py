"""The object that `explain --json` prints for a sentence. Contracts, "explain --json"."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from .world import World

if TYPE_CHECKING:
    from nonebot_plugin_mishu.agents import AgentSpec
    from nonebot_plugin_mishu.agents.builtin import ReadingAgent
    from nonebot_plugin_mishu.config import Config
    from nonebot_plugin_mishu.core.decision import Frame, MessageReading
    from nonebot_plugin_mishu.language import Question
    from nonebot_plugin_mishu.language.clause import Situation

CARD_ITEMS = 10
"""`triage` reads the sentence as heard while a card of so many items waits."""
COVERS = 3
"""Readings of a line that are shown."""
ASIDE = 1
"""Characters beside a time or a sum that is all of an answer (八点吧)."""
TALK = "没有听出要办的事"
PERHAPS_WORK = "像是有事要办，没有读懂"
READ = "每个词都读懂了"
DOUBTED = "没有全读懂"
UNSURE = "每个词都读懂了，可是只有 {probability:.0%} 的把握"
LEFT_OUT = "前面还有半句没读懂"


def explain(
    text: str,
    now: datetime,
    zone: ZoneInfo,
    config: Config,
    nicknames: Sequence[str],
    known: World | None = None,
) -> dict[str, Any]:
    """The sentence as read when said in a group to the bot; without a world nothing is known but that its
    speaker has open tasks."""
    from nonebot_plugin_mishu.core import local_verdict
    from nonebot_plugin_mishu.language.addressing.called_names import uncalled
    from nonebot_plugin_mishu.language.cards.triage import triage
    from nonebot_plugin_mishu.language.clause import Situation
    from nonebot_plugin_mishu.language.recognise.times import parse

    names = [*nicknames, *config.frontdesk.wake_words]
    card = triage(text, CARD_ITEMS)
    situation = Situation(now.astimezone(zone), open_tasks=True)
    if known is not None:
        situation = known.around(situation)
    said = uncalled(text, names)
    read = _read_line(said, situation)
    shown = shown_frames(text, said, situation, read, known or World())
    return {
        "text": text,
        "trigger": _trigger(text, names, config),
        "gate": local_verdict(text).verdict,
        "sure": read.sure,
        "unread": _unread(read),
        "why": _why(read),
        "runners_up": _runners_up(read),
        "frames": shown,
        "times": [found.as_json() for found in parse(text, now, zone)],
        "triage": card.kind,
        "items": list(card.items),
        "transactions": _transactions(said, situation, shown),
        "overheard": _overheard(text, situation),
        "covers": _covers(read),
        "thresholds": _thresholds(read),
        **(
            {}
            if known is None or known.question is None
            else {"answer": _answer(said, known.question, situation)}
        ),
    }


def _covers(read: MessageReading) -> list[dict[str, Any]]:
    """The readings that were compared, the cheapest first, three at most; what only the rules read is one."""
    from nonebot_plugin_mishu.core.decision import Cover

    acts = tuple(f"{frame.agent_code}.{frame.intent}" for frame in read.frames)
    covers = read.covers or (Cover(acts, min(frame.probability for frame in read.frames), "rules"),)
    return [{"cost": round(each.cost, 3), "rows": list(each.acts), "by": each.by} for each in covers[:COVERS]]


def _thresholds(read: MessageReading) -> dict[str, float | None]:
    """The probabilities from which a reading is sure: `act` what was read, null where nothing was compared;
    `keep` what the rules vouch for; `leave` talk. `ask`: from where on a learned reading is worth a
    question."""
    from nonebot_plugin_mishu.core.decision.confidence import confidence

    scale = confidence()
    return {"act": read.threshold, "keep": scale.keep, "ask": scale.ask, "leave": scale.leave}


def _answer(text: str, question: Question, situation: Situation) -> dict[str, Any]:
    """Relation of the line to the open question: where it is none by its words, a time or a sum that stands
    alone."""
    from nonebot_plugin_mishu.language import answer
    from nonebot_plugin_mishu.language.recognise.money import find_amounts
    from nonebot_plugin_mishu.language.recognise.times import parse
    from nonebot_plugin_mishu.language.text.fold import normalise

    found = answer(text, question)
    if found.kind != "other":
        return {"kind": found.kind, "values": list(found.values)}
    line = normalise(text)
    times = parse(line, situation.now, situation.zone)
    if len(times) == 1 and len(line) - len(times[0].text) <= ASIDE:
        return {"kind": "time", "values": [times[0].as_json()]}
    sums = find_amounts(line)
    if len(sums) == 1 and len(line) - (sums[0].end - sums[0].start) <= ASIDE:
        return {"kind": "money", "values": [str(sums[0].yuan)]}
    return {"kind": "other", "values": []}


def words(text: str, now: datetime, zone: ZoneInfo) -> list[str]:
    """The line as words, a row each: the word, and its classes."""
    from nonebot_plugin_mishu.language import words_of
    from nonebot_plugin_mishu.language.recognise.money import find_amounts
    from nonebot_plugin_mishu.language.recognise.times import parse
    from nonebot_plugin_mishu.language.text.fold import normalise

    line = normalise(text)
    found = words_of(line, tuple(parse(line, now, zone)), tuple(find_amounts(line)))
    return [f"{line[token.start : token.end]}  {' '.join(sorted(token.classes))}" for token in found]


def _trigger(text: str, names: Sequence[str], config: Config) -> str | None:
    from nonebot_plugin_mishu.frontdesk.commands import parsing
    from nonebot_plugin_mishu.language.addressing.called_names import is_word, names_one

    if parsing.parse(text) is not None:
        return None  # a command of ours is carried out, whatever words stand in it
    if is_word(text, config.frontdesk.speak_words):
        return "speak"
    if is_word(text, config.frontdesk.silence_words):
        return "silence"
    return "summon" if names_one(text, names) else None


def _read_line(text: str, situation: Situation) -> MessageReading:
    from nonebot_plugin_mishu.core.decision import read

    return read(text, situation, _agents())


def _agents() -> tuple[ReadingAgent | AgentSpec, ...]:
    from nonebot_plugin_mishu.agents import REGISTRY
    from nonebot_plugin_mishu.agents.builtin import builtin_rules
    from nonebot_plugin_mishu.reminders import reading_agents

    return (*builtin_rules(), *reading_agents(), *REGISTRY)


def shown_frames(
    text: str, said: str, situation: Situation, read: MessageReading, known: World
) -> list[dict[str, Any]]:
    """The frames, with what of their slots is fit to be shown; spans are those of the whole sentence."""
    from nonebot_plugin_mishu.core.decision import standing

    behind = max(text.find(said), 0)
    return [
        {
            "agent_code": frame.agent_code,
            "intent": frame.intent,
            "slots": _slots(frame, known),
            "text": frame.text,
            "sure": frame.sure,
            "mood": frame.mood.as_json(),
            "probability": round(frame.probability, 3),
            "spans": {
                name: [behind + start, behind + end]
                for name, (start, end) in where.slots.items()
                if name[:1] != "_"
            },
        }
        for frame, where in zip(read.frames, standing(said, situation, read.frames), strict=True)
    ]


def _slots(frame: Frame, known: World) -> dict[str, Any]:
    """The slots as JSON has them, and the ids of what the frame means."""
    slots = {name: _plain(value) for name, value in frame.slots.items() if name[:1] != "_"}
    refs = [] if frame.match is None else list(frame.match.refs)
    if frame.agent_code == "bookkeeping" and frame.intent in ("correct", "undo"):
        refs = _records(frame.text, known)
    if len(refs) == 1:
        return {**slots, "ref": refs[0]}
    return {**slots, "refs": refs} if refs else slots


def _records(text: str, known: World) -> list[str]:
    """The ids of the records that a correction may mean."""
    from nonebot_plugin_mishu.agents.bookkeeping import correction_in, find_meant

    return (
        [record.batch for record in find_meant(correction_in(text), known.records)] if known.records else []
    )


def _unread(read: MessageReading) -> list[str]:
    """The stretches that no rule explains; talk that may be work after all is unread as a whole."""
    found = [text for frame in read.frames if frame.match is not None for text in frame.match.unread]
    if not found and not read.sure and all(frame.match is None for frame in read.frames):
        return [frame.text for frame in read.frames]
    return found


def _why(read: MessageReading) -> str:
    """One sentence: of the first frame that is not sure, else of the first that is work."""
    work = [frame for frame in read.frames if frame.match is not None]
    if not work:
        return TALK if read.sure else PERHAPS_WORK
    told = next((frame for frame in work if not frame.sure), work[0])
    assert told.match is not None
    if told.sure and not read.sure:
        return LEFT_OUT
    if told.sure or told.match.why not in ("", READ):
        return told.match.why or READ
    return DOUBTED if told.match.unread else UNSURE.format(probability=told.probability)


def _runners_up(read: MessageReading) -> list[dict[str, str]]:
    beside = [one for frame in read.frames if frame.match is not None for one in frame.match.beside]
    return [{"agent_code": code, "intent": intent} for code, intent in dict.fromkeys(beside)]


def _overheard(text: str, situation: Situation) -> bool:
    """True if the line, said to nobody, would be asked about."""
    from nonebot_plugin_mishu.core import worth_a_question

    where = replace(situation, addressed=False)
    return worth_a_question(text, _agents(), lambda: where)


def _transactions(text: str, situation: Situation, found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Items that would be written, of the frames that record. Where all is talk that might yet be told to
    the books (人均50), what they would read in it; of what is asked, planned or somebody else's, nothing."""
    from nonebot_plugin_mishu.agents.bookkeeping import told, transactions

    recorded = [
        frame for frame in found if (frame["agent_code"], frame["intent"]) == ("bookkeeping", "record")
    ]
    if recorded:
        return [item for frame in recorded for item in frame["slots"].get("items", [])]
    if any(frame["agent_code"] != "chat" for frame in found) or not told(text, situation):
        return []
    return transactions(text, situation.now, situation.zone)


def _plain(value: Any) -> Any:
    """A slot as JSON has it; what JSON does not know is written as text."""
    return json.loads(json.dumps(value, ensure_ascii=False, default=str))
