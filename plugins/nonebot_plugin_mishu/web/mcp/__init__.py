"""`/mcp`: the secretary as tools for a model's client (Model Context Protocol), an extra of its own."""
