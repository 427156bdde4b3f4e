"""Forms of whole lines over word classes: rows, patterns, phrases."""
