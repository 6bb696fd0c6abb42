"""The fakes: clock, ids, keys and workspaces in memory, builders, a client without a network."""
