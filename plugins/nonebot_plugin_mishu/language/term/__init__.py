"""Terms of schools: their first Monday and weeks, what is said of them, and weeks of a line as dates."""
