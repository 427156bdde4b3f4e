"""Tests of the tasks agent."""
