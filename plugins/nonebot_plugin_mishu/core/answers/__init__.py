"""Answers to open questions: alignment of a line, partial answers, approvals."""
