"""How cycles and their issues are read for the tools, and how a rollover is written."""
