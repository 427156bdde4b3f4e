"""What a line's times are to it: its own, a lead, an end that moves, an occurrence, a thing pointed at.

Pure.
"""
