"""A crew's load: which steps hold one of its places, over all its plans, and which plans wait for one."""

from collections.abc import Iterable

from forge.store.items import Item, Part
from forge.store.keys import At

MOST_PLACES = 500
"""Of a crew without a limit: what one item holds well."""


class Held(Part):
    """A crew's place at work that a step has taken."""

    step_id: str
    plan_id: str


class CrewLoadItem(Item):
    # Apart from the crews, because lists read those.
    stored = At("WS#{workspace_id}#CREW#{crew_id}", "LOAD")

    workspace_id: str
    crew_id: str
    holding: list[Held] = []
    """A place for each step that is READY or RUNNING."""
    waiting: list[str] = []
    """Plans with a step that could begin, in the order in which they came to wait."""

    def free(self, max_parallel: int) -> int:
        """A lower limit stops nothing that runs, so there may be more steps than places."""
        return max(0, (max_parallel or MOST_PLACES) - len(self.holding))

    def held_by(self, plan_id: str, step_ids: Iterable[str]) -> "CrewLoadItem":
        """With these steps of the plan holding places, and no others of it."""
        known = {one.step_id: one for one in self.holding if one.plan_id == plan_id}
        others = [one for one in self.holding if one.plan_id != plan_id]
        own = [known.get(one) or Held(step_id=one, plan_id=plan_id) for one in step_ids]
        return self.changed(holding=[*others, *own])

    def awaited_by(self, plan_id: str, *, is_waiting: bool) -> "CrewLoadItem":
        """A plan that waits already keeps its turn."""
        if is_waiting == (plan_id in self.waiting):
            return self
        others = [one for one in self.waiting if one != plan_id]
        return self.changed(waiting=[*others, plan_id] if is_waiting else others)

    def next_in_line(self, max_parallel: int, *, most: int) -> tuple["CrewLoadItem", list[str]]:
        """The plans that the free places are for, which wait no longer: each of them looks for itself."""
        called = self.waiting[: min(most, self.free(max_parallel))]
        return (self.changed(waiting=self.waiting[len(called) :]), called) if called else (self, [])


def is_raised(before: int, after: int) -> bool:
    """Whether a limit leaves room for more; none at all is 0."""
    return before != 0 and (after == 0 or after > before)
