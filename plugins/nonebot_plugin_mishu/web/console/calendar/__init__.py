"""Page 日历: month, week, list, and the form of a schedule."""
