"""Days as said: dates, weekdays, lunar dates, festivals, lists."""
