"""Speaking to the bot: its names, commands typed and spoken, lines that a group repeats. Pure."""
