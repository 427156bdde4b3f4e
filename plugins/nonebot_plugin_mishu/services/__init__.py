"""What can be read and done from outside a chat: functions over values, for the HTTP API and the console.

Every one takes the `Actor` whose doing it is. What is written goes the way a line in the group goes: the same
tools of the same agents, with their rights, questions, undo and notices.
"""

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
