"""What code cites of the design stands in `docs/design`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DESIGN = ROOT / "docs" / "design"
CODE = [path for room in ("plugins", "bot", "benchmarks", "training") for path in (ROOT / room).rglob("*.py")]
SEED = re.compile(r"[Ss]eed (?P<number>\d)(?:,? sections? (?P<section>\d+)|, (?P<bare>\d+)(?=[).]))?")
PRODUCT = re.compile(r"[Pp]roduct sections? (?P<first>\d+)(?: and (?P<second>\d+))?")
PAGE = re.compile(
    r"(?<![a-z_/.-])(?P<page>understanding|record|console|scale|contracts)\.md"
    r"(?:`?, sections? (?P<section>\d+))?"
)


def _headings(page: Path) -> set[str]:
    return {found[1] for found in re.finditer(r"^## (\d+)\.", page.read_text("utf-8"), re.MULTILINE)}


def _cited() -> Iterator[tuple[Path, Path, str | None]]:
    seeds = {path.name.split("-")[1]: path for path in DESIGN.glob("seed-*.md")}
    for path in CODE:
        text = path.read_text("utf-8")
        for found in SEED.finditer(text):
            yield path, seeds.get(found["number"], DESIGN / "none"), found["section"] or found["bare"]
        for found in PRODUCT.finditer(text):
            for number in filter(None, (found["first"], found["second"])):
                yield path, DESIGN / "product.md", number
        for found in PAGE.finditer(text):
            yield path, DESIGN / f"{found['page']}.md", found["section"]


def test_every_citation_of_the_design_leads_somewhere() -> None:
    cited = list(_cited())
    assert len(cited) > 80
    lost = [
        f"{path.relative_to(ROOT)}: {page.name} {section or ''}"
        for path, page, section in cited
        if not page.exists() or (section is not None and section not in _headings(page))
    ]
    assert lost == []


def test_the_readme_of_the_design_names_every_page() -> None:
    text = (DESIGN / "README.md").read_text("utf-8")
    missing = [
        path.name for path in DESIGN.glob("*.md") if path.name not in text and path.name != "README.md"
    ]
    assert missing == []
