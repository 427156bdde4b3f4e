"""Names and titles: of new things, of known things, of rosters."""
