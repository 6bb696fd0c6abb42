"""`forge worker`: takes work from a Forge and has agents of this machine do it, each task exactly once.

`settings` is what its owner wrote; `server` what is said to Forge, through a journal; `git` branches and
worktrees; `processes` children and their surroundings; `agents` one adapter for each kind; `runs` the way of
one run from its claim to its report; `loop` which run is next, and what a terminal shows of it.
"""
