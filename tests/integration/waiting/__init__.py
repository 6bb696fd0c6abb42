"""State machines, executed by the embedded AWS."""
