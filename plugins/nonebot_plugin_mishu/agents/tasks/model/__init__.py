"""Task agent with a model: tool schemas, arguments, the tool-call loop."""
