"""The relations' tools."""

from forge.context import Context
from forge.contract.terms import EXECUTE_ONLY, Effect, Scope
from forge.contract.tools import Namespace
from forge.store import issue_keys
from forge.work.changes import IssueChange
from forge.work.desks import resolve
from functions.relations import repository, rules
from functions.relations.models import (
    AddedRelation,
    AddRelation,
    ListRelations,
    Relations,
    RemovedRelation,
    RemoveRelation,
)

namespace = Namespace("relations", "Say which issues block, duplicate or concern each other.")


@namespace.tool(
    scopes=[Scope.WRITE_ISSUES],
    effect=Effect.MUTATING,
    modes=EXECUTE_ONLY,
    idempotent=True,
    asks=["mark as blocked by another issue", "mark as a duplicate", "depend on an issue"],
)
def add(request: AddRelation, ctx: Context) -> AddedRelation:
    """Link two issues: one blocks, is blocked by, duplicates or relates to the other.

    A link that exists is returned as it is. What an open issue blocks leaves the queue until that one is
    closed. The other side of BLOCKS and BLOCKED_BY is made with it, as `reciprocal`. Refused: an issue with
    itself, blocking in a circle, the 21st issue that one blocks, the 61st relation of an issue.
    Example: {"fromIssueId": "DEMO-1", "toIssueId": "DEMO-2", "kind": "BLOCKS"}
    """
    pair = repository.open_pair(ctx, request)
    known = pair.subject.find(request.kind, pair.other.issue.id)
    if known is not None:
        return rules.added(pair, known)
    rules.require_possible(pair, request.kind)
    with ctx.transaction() as tx:
        relation = rules.add(IssueChange(pair.desk, tx), pair, request.kind)
    return rules.added(pair, relation)


@namespace.tool(scopes=[Scope.WRITE_ISSUES], effect=Effect.MUTATING, destructive=True)
def remove(request: RemoveRelation, ctx: Context) -> RemovedRelation:
    """Remove a relation from both of its issues; what nothing else blocks can be claimed again.

    relations.listForIssue shows the ids; one that is gone is not found. An issue that is finished need not be
    unlinked: closing it frees what it blocks. Example: {"relationId": "rel_01J…"}
    """
    desk, relation, other = repository.open_relation(ctx, request.relation_id)
    desk.fetch(rules.hearers(desk))
    with ctx.transaction() as tx:
        rules.remove(IssueChange(desk, tx), relation, other)
    return RemovedRelation()


@namespace.tool(
    scopes=[Scope.READ_ISSUES],
    effect=Effect.READ_ONLY,
    name="listForIssue",
    asks=["what is blocking this", "dependencies of an issue"],
)
def list_for_issue(request: ListRelations, ctx: Context) -> Relations:
    """List the relations of an issue in both directions, oldest first, each with the other issue.

    `direction` is seen from the issue that you name: outbound is what it says of others, inbound what they
    say of it. Issues that your key may not see are left out. Pass nextCursor as cursor for more.
    Example: {"issueId": "DEMO-1"}
    """
    reference = resolve(ctx, request.issue_id)
    partition = issue_keys.partition(ctx.caller.workspace_id, reference.issue_id)
    after = rules.position_of(request.cursor, partition) if request.cursor else ""
    desk, found = repository.open_related(ctx, reference, given=request.issue_id)
    return rules.page(partition, rules.views(desk, found), limit=request.limit, after=after)
