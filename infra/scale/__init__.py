"""How far one workspace gets: recorded units, documented limits, and a simulation."""
