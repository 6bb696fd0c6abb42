"""Rolling a cycle over."""

from typing import Annotated

from pydantic import Field

from forge.contract.fields import CycleRef, CycleSubject
from forge.contract.models import Model, Omittable


class RollOver(Model):
    from_cycle_id: Annotated[
        CycleSubject | None, Field(description="The cycle to empty; default the current one.")
    ] = None
    target_cycle_id: Annotated[
        CycleRef | None, Field(description="Where to; default the next PLANNED one, made if there is none.")
    ] = None
    complete_source: Annotated[bool, Field(description="Whether that cycle is COMPLETED with it.")] = False
    activate_target: Annotated[
        bool, Field(description="Whether the target becomes ACTIVE, which completes the other.")
    ] = False


class RolledOver(Model):
    """`rolled` counts all that this rollover has moved, `remaining` at least how many are still to move."""

    rolled: int
    target_cycle_id: str
    source_completed: bool
    target_activated: bool
    remaining: Omittable[int] = None
