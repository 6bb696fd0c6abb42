"""The pins' tools."""

from forge.auth.actors import identity_of
from forge.context import Context
from forge.contract.effects import Cost
from forge.contract.models import FullList, NoArguments
from forge.contract.tools import Namespace
from forge.work.issues.issues import IssueItem
from forge.work.issues.views import brief_of
from forge.work.record.log import events
from forge.work.workspace.people.names import Names
from functions.pins import repository, rules
from functions.pins.models import PinnedIssue, PinnedIssues, SetPins, WorkspaceBrief

namespace = Namespace("pins", "Keep a few issues at hand.")


@namespace.reads(
    costs=Cost(reads=2),
    asks=["my favourite issues", "my pins"],
)
def list(request: NoArguments, ctx: Context) -> FullList[PinnedIssue]:
    """List the issues that you have pinned, in your order.

    An agent's key has pins of its own. What is gone, or what this key may not see, is left out.
    Example: {}
    """
    pins = repository.find(ctx, identity_of(ctx.caller))
    reach = repository.look(ctx, pins)
    found = [reach.find(issue_id) for issue_id in (pins.issue_ids if pins else ())]
    return FullList[PinnedIssue](data=[_shown(issue, reach.names) for issue in found if issue is not None])


@namespace.writes(
    idempotent=True,
    costs=Cost(reads=1, writes=1, items=3),
    asks=["pin or unpin an issue", "favourite an issue", "bookmark a ticket", "other pinned issues"],
)
def set(request: SetPins, ctx: Context) -> PinnedIssues:
    """Pin exactly these issues, at most three, in this order; what was pinned before and is not named goes.

    An empty list unpins all. Look with pins.list first to keep what is there.
    Example: {"issueIds": ["DEMO-1", "DEMO-4"]}
    """
    owner_id = identity_of(ctx.caller)
    before, issue_ids = repository.find_with_issues(ctx, owner_id, request.issue_ids)
    wanted = rules.pinned(issue_ids)
    if wanted != (before.issue_ids if before else []):
        tx = ctx.plan()
        after = repository.save(tx, before, owner_id, wanted)
        events.record_change(tx, "pins", owner_id, action="set", before=before, after=after)
    return PinnedIssues(pinned_issue_ids=wanted)


def _shown(issue: IssueItem, names: Names) -> PinnedIssue:
    workspace = WorkspaceBrief.of(names.workspace, key=names.workspace.key_prefix)
    return PinnedIssue(**dict(brief_of(issue, names)), priority=issue.priority, workspace=workspace)
