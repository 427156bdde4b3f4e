"""A choice of one of several, in a form."""

from __future__ import annotations

from collections.abc import Mapping

from nicegui import ui


def select(names: Mapping[str, str], value: str, label: str, mark: str) -> ui.select:
    """A labelled choice by key; `mark` is its `data-mishu`."""
    known = value if value in names else None
    one = ui.select(dict(names), value=known, label=label).props("outlined dense stack-label")
    one.classes("mi-field").props["data-mishu"] = mark
    return one
