"""Rolling a cycle over."""

from forge.context import Context
from forge.contract.effects import Cost
from forge.errors import Forbidden
from forge.work.content.cycles.cycles import CycleStatus
from forge.work.issues.announcements import ISSUE_EDITED
from forge.work.issues.pages.sights import is_narrowed
from functions.cycles import repository, rules
from functions.cycles.models import RolledOver, RollOver
from functions.cycles.tools import namespace


@namespace.writes(
    ungated="What is left of a cycle goes on in the next, whoever works on it.",
    costs=Cost(reads=6, writes=1, items=14).up_to(
        reads=10 + 2 * repository.MOST_CHUNKS,
        writes=1 + repository.MOST_CHUNKS,
        items=93,
        because="issues move in chunks",
    ),
    emits=[ISSUE_EDITED],
    asks=["close the sprint and carry unfinished work over", "finish a sprint and start the following"],
)
def rollover(request: RollOver, ctx: Context) -> RolledOver:
    """Move what is neither done nor canceled from one cycle to the next; how many issues, and where to.

    By default from the current cycle to the earliest one that is PLANNED after it; if there is none, it is
    made. `activateTarget` fails while a third cycle is ACTIVE. With very many issues `remaining` says how
    many follow within minutes; calling again while they do joins the same rollover. Nobody is woken. A
    narrowed key is refused. Example: {"activateTarget": true}
    """
    _require_whole_sight(ctx)
    read = repository.read_rollover(ctx, request)
    after = rules.hand_over(
        read.source,
        read.target,
        read.active.owner_id if read.active else None,
        completes_source=request.complete_source,
        activates_target=request.activate_target,
    )
    item, remaining = repository.go_on(ctx, repository.begin(ctx, read, after))
    is_asked = request.complete_source or request.activate_target
    return RolledOver(
        rolled=item.settled,
        target_cycle_id=after.target.id,
        source_completed=is_asked and after.source.status is CycleStatus.COMPLETED,
        target_activated=request.activate_target,
        remaining=remaining or None,
    )


def _require_whole_sight(ctx: Context) -> None:
    """Or a key would change issues that it may not see."""
    if is_narrowed(ctx.caller):
        raise Forbidden(
            "This key is narrowed, and a rollover moves every open issue of a cycle.",
            hint="Move the issues that you see with cycles.plan, or use a key without narrowing.",
        )
