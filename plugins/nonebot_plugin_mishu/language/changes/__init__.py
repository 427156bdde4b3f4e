"""Lines that change something said before: corrections, undoing, reopening."""
