"""One list of scenarios over every platform."""
