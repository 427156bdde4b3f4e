"""Learned linear models: judges of acts, sums and talk, the tagger, with their weights."""
