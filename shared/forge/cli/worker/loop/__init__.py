"""Which run is next, who is told that this machine lives, and what a terminal shows."""
