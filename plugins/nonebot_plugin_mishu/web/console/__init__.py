"""The console at `/console`: pages for owners, admins and members over the API's own operations.

Importing this room needs neither a web framework nor NiceGUI (the extra `console`): `site` needs Starlette,
and what draws pages (`pages` and what it imports) is imported when somebody first opens one.
"""
