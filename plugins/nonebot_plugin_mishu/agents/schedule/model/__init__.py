"""Schedule agent's model calls (seed 0): sent, read, grounded."""
