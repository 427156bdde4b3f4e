"""Access: the actor of a request, sessions, wrong attempts, the owner's choices."""
