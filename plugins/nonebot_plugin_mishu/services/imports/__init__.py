"""Operations on what members bring in: calendars of other programs, bills."""
