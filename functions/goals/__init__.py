"""Goals: what a crew is to achieve. A goal is broken into steps by a plan, and has one attempt at a time."""
