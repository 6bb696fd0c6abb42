"""Relations: which issues block, duplicate or concern each other.

What an open issue blocks is not in the queue: `issues.claim {}` gives it to nobody until its blockers are
closed. A blocker is seen from both of its issues, BLOCKS from the one and BLOCKED_BY from the other.
"""
