"""Reminders (product section 9): due rows become messages, once each, and answers to them are read.

`plan`, `wording`, `recurring`, `recognition` and `sent_reminders` decide and touch nothing; `service` owns
the tasks; `alarm` wraps the scheduler that wakes it; `agent` is what members can answer; `digest`,
`minutes` and `calendars` show a day, a week and a whole calendar. The rows themselves are
`storage/reminders/queries.py` and `storage/reminders/due.py`.
"""

from .agent import ReminderAnswers
from .alarm import Alarm, SchedulerAlarm
from .calendars.agenda import Agenda
from .calendars.calendars import CalendarDesk
from .digest import DailyDigest
from .reading import reading_agents
from .service import ReminderService

__all__ = [
    "Agenda",
    "Alarm",
    "CalendarDesk",
    "DailyDigest",
    "ReminderAnswers",
    "ReminderService",
    "SchedulerAlarm",
    "reading_agents",
]
