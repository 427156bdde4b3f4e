"""Shell of the console: mounting, door, frame of a page, open visits."""
