"""Limits of model calls: budgets, prices, concurrency, breaker, second endpoint."""
