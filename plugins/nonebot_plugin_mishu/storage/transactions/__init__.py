"""Account books: transactions, budgets, debts, taught categories."""
