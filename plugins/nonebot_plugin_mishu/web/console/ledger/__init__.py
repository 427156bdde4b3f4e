"""Page 账本: rows, totals, debts, budgets, charts."""
