"""Asking around: what a line says of a vote, a sign-up, a count (docs/polls.md). Pure."""
