"""The routes over `services`: groups, calendars, tasks, books, settings, memory, polls. They import FastAPI.

Each is thin: it reads the request, calls one operation with the actor, and shapes what comes back.
"""
