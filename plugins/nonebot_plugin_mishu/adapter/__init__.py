"""Adapters: the one thin layer per chat platform.

`onebot_v11` is always there; other platforms are imported only where their NoneBot adapter is registered
(`registered`). `event_reader` and `platforms` say what a platform's folder implements, `wiring` registers
the one event preprocessor and the one matcher for all of them.
"""
