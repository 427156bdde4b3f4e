"""The standalone bot: start-up, command line, playground. It is not part of the wheel."""
