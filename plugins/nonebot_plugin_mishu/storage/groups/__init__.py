"""Known groups, their settings, and the owner's choices."""
