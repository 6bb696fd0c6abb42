"""Which issue blocks which, how many one may block, and that nothing blocks itself."""

from collections.abc import Mapping, Sequence

from forge.errors import Conflict, PreconditionFailed
from forge.work.issues.issues import MAX_BLOCKED, IssueItem
from forge.work.issues.relations.relations import MIRRORS, RelationKind

MAX_WALKED = 200
"""Issues that are looked at to find a circle, the two that are to be related among them."""


def blocking(kind: RelationKind, issue: IssueItem, other: IssueItem) -> tuple[IssueItem, IssueItem] | None:
    """Which of the two would block which; None where the kind is another."""
    if kind not in MIRRORS:
        return None
    return (issue, other) if kind is RelationKind.BLOCKS else (other, issue)


def require_room_to_block(name: str, blocker: IssueItem) -> None:
    if len(blocker.blocks) >= MAX_BLOCKED:
        raise PreconditionFailed(
            f"{name} blocks {MAX_BLOCKED} issues, which is the most.",
            hint="Let it block one issue that blocks the others, or remove a relation first.",
        )


def require_no_circle(
    graph: Mapping[str, Sequence[str]], *, blocker: tuple[str, str], blocked: tuple[str, str]
) -> None:
    """Refuse it when the blocked issue blocks its blocker already, however indirectly.

    `graph` is what each issue blocks, as far as it was walked; issues come as their id and their name.
    """
    if any(blocker[0] in blocks for blocks in graph.values()):
        raise Conflict(
            f"{blocked[1]} blocks {blocker[1]} already, itself or through others.",
            hint="relations.listForIssue shows what blocks what; remove what is not so any more.",
        )
    if len({blocker[0], *graph}) > MAX_WALKED:
        raise PreconditionFailed(
            f"More than {MAX_WALKED} issues wait for {blocked[1]}, itself or through others.",
            hint="Relate fewer issues: only what really can't begin before another is done.",
        )
