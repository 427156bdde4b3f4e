"""The safety gate: the verdict of the local rules (`language.safety`), and a model's second look.

docs/safety.md tells how to add a word or a row.
"""
