"""`/api/v1`: one shape a thing, one way of paging and of naming, over the operations of the first routes.

`things` are the shapes; `calendar`, `money`, `groups`, `talk` and `live` the routes: each reads the request,
calls one operation with the actor and shapes what comes back. They import FastAPI, as `web.app` does.
"""
