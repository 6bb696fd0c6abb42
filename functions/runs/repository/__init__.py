"""How runs are read for the tools, and what is written with them."""
