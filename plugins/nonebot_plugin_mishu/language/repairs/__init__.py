"""A line put into the words that are read: what was taken back, said of two days, or in other words.

Pure; every character keeps its place in what the member wrote.
"""
