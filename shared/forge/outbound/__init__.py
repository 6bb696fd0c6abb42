"""Asking servers of others: the only way out to addresses that callers give."""
