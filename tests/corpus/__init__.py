"""Messy language, one row format for all of it; `benchmarks.understanding` is its runner."""
