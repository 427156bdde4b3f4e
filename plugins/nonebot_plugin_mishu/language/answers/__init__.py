"""Answers to questions: the one reader of answers and its tables."""
