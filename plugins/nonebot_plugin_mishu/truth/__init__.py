"""Actions of a turn and length limit of its reply; its claims are read by `language.claims`. Pure."""

from .action_kinds import LOOKED, kinds_of, named_in

__all__ = ["LOOKED", "kinds_of", "named_in"]
