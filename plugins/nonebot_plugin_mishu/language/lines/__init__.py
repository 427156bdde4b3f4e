"""What lines of a group's talk are, which facts stand in them, and whether they hold a sentence. Pure."""
