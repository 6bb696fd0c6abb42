"""Claims: whoever takes an issue has it until the claim expires, and nobody else gets it meanwhile."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from forge.auth.narrowing import allows_issue
from forge.context import Context
from forge.errors import DomainError
from forge.store import keys
from forge.store.counters import return_ticket, take_ticket
from forge.store.pages import MAX_READ
from forge.store.table import EVERYTHING, HIGHEST, SortRange
from forge.store.transactions import LostRace, Refusal
from forge.work.issues import issue_keys
from forge.work.issues.changes import IssueChange, keys_of_agents
from forge.work.issues.desks import Desk, open_issue, workspace_in
from forge.work.issues.issues import IssueItem
from forge.work.issues.queueing import QueueItem
from forge.work.issues.views import row_of
from forge.work.log.events import EventKind
from forge.work.people.names import keys_of
from forge.work.runs.modes import require_mode, require_mode_anywhere
from forge.work.workspaces import workspace_keys
from functions.issues.models.claiming import Claim

_QUEUE = "queue"
_FEW = 100
_LOOKED_AT = 8


def take(ctx: Context, given: str, minutes: int) -> Claim:
    """This very issue, unless somebody else has it."""
    desk = open_issue(ctx, given)
    desk.fetch([*keys_of(desk.issue), *keys_of_agents(desk)])
    if not desk.issue.is_open:
        return Claim(claimed=None, reason="closed")
    if desk.issue.is_claimed(ctx.now()) and not _is_mine(ctx, desk.issue):
        return Claim(claimed=None, reason="already-claimed")
    return _claim(desk, minutes)


def take_best(ctx: Context, minutes: int) -> Claim:
    """The first free one in the order of the queue; of many callers at once each begins at another place."""
    candidates = ctx.memory.get(_QUEUE)
    if candidates is None:
        require_mode_anywhere(ctx)
        candidates = ctx.memory[_QUEUE] = _candidates(ctx)
    while candidates:
        looked_at, candidates[:_LOOKED_AT] = candidates[:_LOOKED_AT], []
        desk = _first_free(ctx, looked_at)
        if desk is not None:
            # If somebody is quicker, it is decided again among these; the issue may only have been edited.
            candidates[:0] = looked_at[_place(looked_at, desk) :]
            desk.fetch([*keys_of(desk.issue), *keys_of_agents(desk)])
            return _claim(desk, minutes, lost=lambda _: LostRace())
    return Claim(claimed=None, reason="nothing-queued")


def _place(looked_at: Sequence[QueueItem], desk: Desk) -> int:
    return [one.issue_id for one in looked_at].index(desk.issue.id)


def _candidates(ctx: Context) -> list[QueueItem]:
    """What is free now, beginning where this caller's ticket says."""
    now = ctx.now()
    ticket = take_ticket(ctx.table, ctx.caller.workspace_id, _QUEUE, now)
    ctx.at_end += (lambda: _return_ticket(ctx, now),)
    free = sorted(_free(ctx, now), key=lambda row: row.order)
    start = (ticket - 1) % len(free) if free else 0
    return free[start:] + free[:start]


def _return_ticket(ctx: Context, taken_at: datetime) -> None:
    # A ticket that stays makes others begin elsewhere for two seconds, which does no harm.
    with suppress(DomainError):
        return_ticket(ctx.table, ctx.caller.workspace_id, _QUEUE, taken_at)


def _free(ctx: Context, now: datetime) -> list[QueueItem]:
    """Rows of the queue, and of claims that have expired."""
    workspace_id = ctx.caller.workspace_id
    expired = SortRange(last=f"{keys.sortable_time(now)}#{HIGHEST}")
    return [
        *_rows(ctx, issue_keys.queue(workspace_id)),
        *_rows(ctx, issue_keys.held_queue(workspace_id), expired),
    ]


def _rows(ctx: Context, partition: str, among: SortRange = EVERYTHING) -> list[QueueItem]:
    """The first that the caller may take; it is read on only where the first are all somebody else's."""
    after = None
    for _ in range(MAX_READ // _FEW):
        answer = ctx.table.query(partition, sort=among, limit=_FEW, after=after)
        rows = [QueueItem.from_attributes(row) for row in answer.rows]
        found = [row for row in rows if _may_take(ctx, row)]
        after = answer.next_position
        if found or after is None:
            return found
    return []


def _may_take(ctx: Context, row: QueueItem) -> bool:
    is_theirs = row.assigned_agent_id not in (None, ctx.caller.agent_id)
    return not is_theirs and allows_issue(
        ctx.caller.narrowing, project_id=row.project_id, label_ids=row.label_ids
    )


def _first_free(ctx: Context, rows: Sequence[QueueItem]) -> Desk | None:
    workspace_id = ctx.caller.workspace_id
    heads = [issue_keys.head(workspace_id, row.issue_id) for row in rows]
    found = ctx.table.find_rows([workspace_keys.workspace(workspace_id), *heads])
    for head in heads:
        issue = IssueItem.from_attributes(found[head]) if head in found else None
        if issue is not None and _is_free(ctx, issue):
            require_mode(ctx, issue)
            return Desk(ctx, workspace_in(ctx, found), issue, found)
    return None


def _is_free(ctx: Context, issue: IssueItem) -> bool:
    """The row may be older than the issue."""
    return (
        issue.queued
        and issue.is_open
        and not issue.open_blockers
        and not issue.is_claimed(ctx.now())
        and issue.assigned_agent_id in (None, ctx.caller.agent_id)
        and allows_issue(ctx.caller.narrowing, project_id=issue.project_id, label_ids=issue.label_ids)
    )


def _is_mine(ctx: Context, issue: IssueItem) -> bool:
    if ctx.caller.agent_id:
        return issue.claimed_by_agent_id == ctx.caller.agent_id
    return issue.claimed_by_id is not None and issue.claimed_by_id == ctx.caller.user_id


def _claim(desk: Desk, minutes: int, *, lost: Refusal | None = None) -> Claim:
    ctx, now = desk.ctx, desk.ctx.now()
    agent_id = ctx.caller.agent_id
    user_id = None if agent_id else ctx.caller.user_id
    with ctx.transaction() as tx:
        change = IssueChange(desk, tx)
        change.set(
            claimed_at=now,
            claimed_by_id=user_id,
            claimed_by_agent_id=agent_id,
            claim_expires_at=now + timedelta(minutes=minutes),
            assignee_ids=desk.issue.assignee_ids | ({user_id} if user_id else set()),
        )
        told = {"claimedById": user_id, "claimedByAgentId": agent_id}
        expiry = {"claimExpiresAt": keys.sortable_time(now + timedelta(minutes=minutes))}
        change.announce(EventKind.ISSUE_UPDATED, {"claimed": True, **told, **expiry}, action="claim")
        saved = change.save(lost=lost)
    return Claim(claimed=row_of(saved, desk.names))
