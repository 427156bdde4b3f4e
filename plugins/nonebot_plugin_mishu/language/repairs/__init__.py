"""Rewriting of a line before reading: self-corrections, repetitions, other words. Pure; every character keeps
its place in the member's text."""
