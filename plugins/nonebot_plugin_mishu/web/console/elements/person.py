"""Person an owner of the bot acts for: chosen where something is typed, stored by the browser."""

from __future__ import annotations

from nicegui import ui

from ....services.access import owner_choices
from ....services.refusals import Refused
from ..shell.frame import remember
from ..shell.visit import Visit, try_read
from .parts import await_answer, box, button, once, sheet


async def draw_person_choice(visit: Visit, label: str) -> None:
    """Choice of the group's members and SUPERUSERS, for an owner; nothing for others."""
    names = await _list_people(visit)
    if not names:
        return

    async def choose_person(who: str | None) -> None:
        _act_as(visit, who)
        await visit.anew()

    chosen = visit.acts_for if visit.acts_for in names else None
    choice = ui.select(names, value=chosen, label=label, with_input=True).classes("mi-field mi-as")
    choice.props("outlined dense").props["data-mishu"] = "as"
    choice.on_value_change(lambda event: once(lambda: choose_person(event.value))())


async def ask_person(visit: Visit) -> bool:
    """Ask an owner who has chosen nobody for the person; returns True if one is chosen."""
    names = await _list_people(visit)
    if not names:
        return True  # the operation says what is missing
    with sheet("记在谁名下？") as dialog:
        choice = ui.select(names, label="谁", with_input=True).props("outlined dense behavior=menu")
        choice.classes("mi-field").props["data-mishu"] = "whose"
        with box("mi-row mi-end"):
            button("取消", lambda: dialog.submit(None))
            button("就记在这里", lambda: dialog.submit(choice.value), "mi-primary", mark="yes")
    who = await await_answer(dialog)
    if not who:
        return False
    _act_as(visit, str(who))
    return True


def _act_as(visit: Visit, who: str | None) -> None:
    visit.acts_for = who
    remember("as", who or "")


async def _list_people(visit: Visit) -> dict[str, str]:
    place = visit.place
    if place is None or not visit.actor.is_owner:
        return {}
    found = await try_read(lambda: owner_choices.list_people(visit.office, place))
    return {} if isinstance(found, Refused) else found
