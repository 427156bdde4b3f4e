"""Mishu 秘书: a secretary that sits in a QQ group."""
