"""Tests of the confirmation mechanism."""
