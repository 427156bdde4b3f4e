"""Operations on entities for the HTTP API and the console, each by its `Actor`.

Writes go through the same agent tools as a line in the group: rights, questions, undo and notices are
theirs."""

from .access.actor import OWNER, Actor, Role, acting, governs, sees_bot, sees_group, sees_person, sees_tasks

__all__ = [
    "OWNER",
    "Actor",
    "Role",
    "acting",
    "governs",
    "sees_bot",
    "sees_group",
    "sees_person",
    "sees_tasks",
]
