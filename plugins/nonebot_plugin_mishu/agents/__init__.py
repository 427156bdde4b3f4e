"""Agents: what does the work, and the interface every one of them is written against.

A folder each (`chat` …). Agents see requests and frames; they know neither the secretary nor the core.
"""

from .agent import Agent, Frame
from .judgement import DEFAULT, Judgement
from .request import Outcome, Request, Status, Utterance, Way

__all__ = ["DEFAULT", "Agent", "Frame", "Judgement", "Outcome", "Request", "Status", "Utterance", "Way"]
