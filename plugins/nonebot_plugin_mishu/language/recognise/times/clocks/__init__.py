"""Clocks as said: times of day, ranges, halves of the dial."""
