"""Tests of the HTTP API and its guard."""
