"""End to end: a real bot process, a real OneBot v11 WebSocket, a real HTTP model endpoint."""
