"""Budgets: what plans and goals may cost and how long they may take, and who sees to it."""
