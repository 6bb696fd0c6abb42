"""What can be waited for, by kind."""

from forge.work.waiting.tending import Matters

MATTERS: Matters = {}
