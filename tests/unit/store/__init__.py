"""The store on the embedded AWS: keys, items, pages, transactions, leases, and what is remembered."""
