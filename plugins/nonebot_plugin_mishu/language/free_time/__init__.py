"""Questions about free time (大家什么时候都有空): their words, forms and days."""

from .days import AskedDay, asked_days, in_part, says_only_past
from .picks import Offer, OfferPick, offer_pick
from .questions import FreeQuestion, asks_who_is_free, free_question

__all__ = [
    "AskedDay",
    "FreeQuestion",
    "Offer",
    "OfferPick",
    "asked_days",
    "asks_who_is_free",
    "free_question",
    "in_part",
    "offer_pick",
    "says_only_past",
]
