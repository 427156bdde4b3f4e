"""Tests of the routes over operations: on a real database, with the plugin around it."""
