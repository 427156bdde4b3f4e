"""The steps that brought the tables to where they are, one file per step in `versions/`.

A step is `upgrade(op)`, where `op` is Alembic's `Operations` for our connection; it is passed in and not
imported, because the imported one is a global that another plugin's migration may hold at that moment.
A step that has been published never changes. A new one gets the next number as `revision`, the last one
as `down_revision`, and `schema.HEAD` follows. Steps only go up.
"""
