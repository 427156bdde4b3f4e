"""`docs/prompts.md`, as `python -m bot.reference` prints it: what models are told, call by call."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import BaseModel


@dataclass(frozen=True)
class Told:
    """One call: what stands first and is the same every time, and what follows."""

    name: str
    when: str
    fixed: str
    place: str
    """Where the text stands, from the plugin's folder."""
    then: str
    """Parts that follow, from those that seldom change to those that always do."""
    answer: type[BaseModel] | None = None
    """The shape of a structured answer."""


def calls() -> list[Told]:
    """Every call with a prompt, in the order in which a message may meet them."""
    from nonebot_plugin_mishu.agents.api.judgement import Judgement
    from nonebot_plugin_mishu.agents.bookkeeping.model import asking
    from nonebot_plugin_mishu.agents.record.digest import RecordDigest
    from nonebot_plugin_mishu.agents.schedule.model import calls as schedule
    from nonebot_plugin_mishu.core.decision.model import reading as decision
    from nonebot_plugin_mishu.core.safety.gate_check import SafetyAnswer
    from nonebot_plugin_mishu.prompts import parts, prompt

    def document(
        name: str, when: str, then: str, answer: type[BaseModel] | None = None, text: str | None = None
    ) -> Told:
        return Told(name, when, text or prompt(name), f"prompts/{name}.md", then, answer)

    chat = parts("chat_reply")
    seed0 = (
        ("extract_info", "overheard talk, and orders whose parts the rules did not find"),
        ("check_intent", "an answer that local triage does not know"),
        ("generate_operation", "a change whose plan is still open after the world was asked"),
    )
    shapes = (schedule.ExtractedInfo, schedule.CheckedOperations, schedule.GeneratedOperations)
    return [
        document(
            "check_safety",
            "talk with a word of worry that the local tables let pass, or such a line that no model read",
            "`request.data`: the speaker's last lines here",
            SafetyAnswer,
        ),
        document(
            "analyze_conversation",
            "talk while observing",
            "`request.data`: names, the lines, state and trigger",
            Judgement,
        ),
        document(
            "parse_intents",
            "a line the rules are not sure of",
            "the agents with their intents, slots and examples; `request.data`, the line last",
            decision.ParsedIntents,
        ),
        document(
            "chat_reply",
            "what nobody else does",
            "pictures seen or not, a crisis's words, persona, the way of answering; the talk as turns, and"
            " behind it 【资料】 (clock, plans, M1, results of other parts, the judgement, each quoted) and"
            " the lines to be answered; five tools",
            text="\n\n".join(chat[part] for part in ("rules", "abilities")),
        ),
        document(
            "manage_tasks",
            "work on tasks the rules are not sure of",
            "now, the segments of a day; five tools; M1, what surrounds the line (JSON), the line as turns",
        ),
        *(
            document(name, when, "now; `request.data`", answer)
            for (name, when), answer in zip(seed0, shapes, strict=True)
        ),
        document(
            "parse_transactions",
            "money in a sentence the rules do not read whole",
            "`request.data`: text, today, categories, speaker, members",
            asking.Parsed,
        ),
        document(
            "correct_transaction",
            "a line about a card that local triage does not know",
            "today, which number is which index; categories, speaker and members (JSON); `request.data`",
            asking.Corrected,
        ),
        document(
            "digest",
            "a span of the group's record of more than twenty lines, a piece at a time",
            "`request.data`: lines, before, want",
            RecordDigest,
        ),
        document("summarize", "M1 over MEMORY__TOKENS, in the background", "an earlier summary, the turns"),
        document("caption_image", "pictures, where there is a model for them", "the picture"),
    ]


def prompt_page(told: Sequence[Told]) -> str:
    """The page."""
    from nonebot_plugin_mishu.llm import estimate_tokens
    from nonebot_plugin_mishu.llm.answers.schema import schema_of

    rows: list[str] = []
    documents: list[str] = []
    for one in told:
        schema = "–"
        if one.answer is not None:
            written = json.dumps(schema_of(one.answer).schema, ensure_ascii=False)
            schema = str(estimate_tokens(written))
        tokens = estimate_tokens(one.fixed)
        rows.append(f"| [`{one.name}`](#{one.name}) | {one.when} | {tokens} | {schema} | {one.then} |")
        place = f"`{one.place}`, {tokens} tokens"
        documents.append(f"## {one.name}\n\n{place}\n\n```text\n{one.fixed.strip()}\n```\n")
    return "\n".join([_HEAD, *rows, "", *documents]) + _parts_of_chat()


def _parts_of_chat() -> str:
    from nonebot_plugin_mishu.prompts import parts

    others = {name: text for name, text in parts("chat_reply").items() if name not in ("rules", "abilities")}
    rows = [f"| {name} | {text} |" for name, text in others.items()]
    return "\n".join(["", "### The other parts of `chat_reply`", "", "| part | |", "|---|---|", *rows, ""])


_HEAD = """\
# Prompts

<!-- printed by `python -m bot.reference` from what is sent; edit the documents, not this page -->

What models are told, call by call. Each document is a file of `prompts/`, sent as it stands; those of rooms
that keep theirs beside their code are named by their file. The fixed text stands first and is the same in
every call of a name (a test holds that), so that the endpoint's cache serves it; what changes follows, the
line at hand last.
Tokens are [estimated](models.md#tokens); the schema comes
on top, in the request or, on the lower rungs, behind the fixed text.

A system message holds our words only. Whatever a person wrote (lines, names, titles, facts, quotations,
summaries, what another agent answered) is data: it stands in user messages, in a string of JSON
(`request.data`), behind its speaker's head, or as a quotation, in the one way of `prompts/quoting.py`, so
that none of it can end what it stands in. A line is shown up to 600 characters, head and tail, a quotation up
to 200. The one exception is the persona: a group's admins set it to be followed, so it stays with the rules,
as one quotation that may not overrule them.
`tests/prompts/test_hostile_data.py` walks every call with hostile values in every field.

To change a prompt: edit the document, run `python -m bot.reference`, and `python -m bot evaluate` before and
after.

| call | when | fixed | schema | then |
|---|---|---|---|---|"""
