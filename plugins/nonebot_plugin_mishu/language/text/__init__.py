"""Text before reading: folding, scripts, word cover, edges."""
