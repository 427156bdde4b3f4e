"""Operations on entities for the HTTP API and the console, each by its `Actor`.

Writes go through the same agent tools as a line in the group: rights, questions, undo and notices are
theirs."""
