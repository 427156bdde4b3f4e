"""Actions of a turn and length limit of its reply; its claims are read by `language.claims`. Pure."""

from .deeds import LOOKED, kinds_of, named_in

__all__ = ["LOOKED", "kinds_of", "named_in"]
