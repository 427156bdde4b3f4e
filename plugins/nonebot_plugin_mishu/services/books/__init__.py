"""Account books as a service: records, debts, budgets, totals."""
