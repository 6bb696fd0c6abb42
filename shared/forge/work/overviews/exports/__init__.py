"""Everything of a workspace as lines of JSON, for its owners to take along."""
