"""The chat agent: everything that is talk and not work."""

from .agent import ChatAgent
from .offering import order_of, taken_up
from .offline import HERE, honest
from .repertoire import INTRODUCTION
from .tools import Lookups

__all__ = ["HERE", "INTRODUCTION", "ChatAgent", "Lookups", "honest", "order_of", "taken_up"]
