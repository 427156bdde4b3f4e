"""What a turn did, and how long its reply may be; what it claims is read by `language.claims`. Pure."""

from .deeds import LOOKED, kinds_of, named_in

__all__ = ["LOOKED", "kinds_of", "named_in"]
