"""One HTTP request to a model endpoint, and bodies read without trust."""
