"""Schedule candidates: read from a line, confirmed, corrected, turned into changes."""
