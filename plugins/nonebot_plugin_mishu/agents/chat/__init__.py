"""The chat agent: everything that is talk and not work."""

from .agent import ChatAgent
from .offline import HERE, honest
from .repertoire import INTRODUCTION

__all__ = ["HERE", "INTRODUCTION", "ChatAgent", "honest"]
