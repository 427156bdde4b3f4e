"""Structured answers: asked for by schema, read from JSON, validated."""
