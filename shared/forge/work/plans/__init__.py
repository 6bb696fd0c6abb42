"""What several agents do together: goals, plans, requests, gates, budgets, waits, the gateway."""
