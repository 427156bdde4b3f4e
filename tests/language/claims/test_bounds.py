"""How many false sentences of a model pass, and how many true ones are refused, of a hundred each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from nonebot_plugin_mishu.language.claims.facts import TurnAction, TurnFacts, asks_of_deeds
from nonebot_plugin_mishu.truth import LOOKED, kinds_of

DATA = Path(__file__).parent / "data"


def facts(row: dict[str, Any], people: list[str]) -> TurnFacts:
    """What is known when the sentence of a row is said."""
    looked = bool(row.get("looked"))
    deeds = [TurnAction(kinds_of([did["tool"]]), str(did["of"])) for did in row.get("did", ())]
    return TurnFacts(
        deeds=(*deeds, *((TurnAction(kinds_of([LOOKED])),) if looked else ())),
        kept=tuple(map(str, row.get("kept", ()))),
        shown="kept" in row,
        looked=looked,
        talk=tuple(row.get("talk", ())),
        told=tuple(row.get("ours", ())),
        asked=asks_of_deeds(row.get("to", "")),
        people=frozenset(people),
    )


def wrong(name: str) -> tuple[list[str], list[str]]:
    """The false sentences of a list that pass, and the true ones that are refused."""
    listed: dict[str, Any] = yaml.safe_load((DATA / f"{name}.yaml").read_text("utf-8"))
    found: dict[str, list[str]] = {"false": [], "true": []}
    for kind, rows in (("false", listed["false"]), ("true", listed["true"])):
        for each in rows:
            row: dict[str, Any] = {"said": each} if isinstance(each, str) else each
            refused = bool(facts(row, listed["people"]).false_in(row["said"]))
            if refused is (kind == "true"):
                found[kind].append(row["said"])
    return found["false"], found["true"]


@pytest.mark.parametrize(
    ("name", "passing", "refused"),
    [("worked", 2, 2), ("worked_more", 3, 3), ("held_out", 5, 1), ("held_out_more", 4, 5)],
)
def test_hardly_a_false_sentence_passes_and_hardly_a_true_one_is_refused(
    name: str, passing: int, refused: int
) -> None:
    let_through, turned_away = wrong(name)
    assert len(let_through) <= passing, let_through
    assert len(turned_away) <= refused, turned_away
