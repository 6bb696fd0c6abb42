"""The operators' tools, one module and one namespace per resource."""
