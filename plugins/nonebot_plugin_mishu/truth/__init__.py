"""What the secretary says is true: claims of a model's words, held against what was done. Pure."""

from .claims import Claim, Kind, claims, sentences, unmet
from .deeds import LOOKED, kinds_of
from .unsaid import is_data, is_no_reply, names_nobody, spoken

__all__ = [
    "LOOKED",
    "Claim",
    "Kind",
    "claims",
    "is_data",
    "is_no_reply",
    "kinds_of",
    "names_nobody",
    "sentences",
    "spoken",
    "unmet",
]
