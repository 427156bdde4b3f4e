"""Elements that several pages share: panels, choices, the input line, undo."""
