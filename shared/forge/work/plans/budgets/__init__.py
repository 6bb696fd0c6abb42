"""Budgets: what plans, goals and single runs may cost, and how long they may take."""
