"""Lines of a group's talk: kinds, facts, and evidence for a sentence. Pure."""
