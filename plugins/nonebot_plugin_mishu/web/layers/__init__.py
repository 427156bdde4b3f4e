"""Layers around every request: login, proxies, limits, ETags, repeated writes, errors."""
