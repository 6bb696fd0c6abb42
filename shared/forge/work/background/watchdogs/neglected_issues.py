"""The sweep's look at an issue: stalled work and broken promises are told of, and perhaps given away."""

from forge.context import Context
from forge.errors import NotFound
from forge.store.keys import Key
from forge.work.issues import assignments, counts
from forge.work.issues.announcements import ISSUE_SLA_BREACHED, ISSUE_STALLED, IssueStalled, SlaBreached
from forge.work.issues.auto_dispatch import handovers
from forge.work.issues.changes import IssueChange, begin_change
from forge.work.issues.counts import Breach
from forge.work.issues.desks import Desk, open_issue
from forge.work.issues.neglect import deadlines, neglect
from forge.work.issues.runs import modes
from forge.work.issues.runs.waking import Reason, WakeCall
from forge.work.issues.saving import save
from forge.work.record.log.rows import Wake
from forge.work.workspace.workers import Worker

_ACTION = "sweep"


def look(worker: Worker, key: Key) -> bool:
    """Decide again, on the issue and the settings as they are; whether there was anything to tell."""
    _, workspace_id, _, issue_id = key.partition.split("#")
    ctx = worker.context(workspace_id)
    try:
        desk = open_issue(ctx, issue_id)
    except NotFound:
        # A deleted issue has no deadline.
        return False
    is_stalled = neglect.has_stalled(desk.issue, desk.workspace, worker.now)
    is_breached = neglect.is_breached(desk.issue, desk.workspace, worker.now)
    if is_stalled or is_breached:
        _tell(ctx, desk, is_stalled=is_stalled, is_breached=is_breached)
    else:
        deadlines.watch_issue(ctx.plan(), desk.issue, neglect.watch_at(desk.issue, desk.workspace))
        ctx.commit()
    return is_stalled or is_breached


def _tell(ctx: Context, desk: Desk, *, is_stalled: bool, is_breached: bool) -> None:
    is_given_away = is_stalled and desk.workspace.auto_redispatch_on_stall
    change = begin_change(desk, assignments.needs(desk.issue, None))
    tx = ctx.plan()
    if is_breached:
        _tell_breach(change)
        counts.record_breach(tx, desk.issue, Breach.SLA)
    if is_stalled:
        _tell_stall(change, is_given_away=is_given_away)
        counts.record_breach(tx, desk.issue, Breach.STALLED)
    if is_given_away:
        handovers.give_away(change)
    save(tx, change, is_update=is_given_away)
    ctx.commit()


def _tell_breach(change: IssueChange) -> None:
    issue = change.issue
    told = SlaBreached(
        sla_minutes=issue.sla_minutes or 0,
        breached_by_minutes=neglect.minutes_over(issue, change.now),
        priority=issue.priority,
    )
    change.set(sla_breached_at=change.now)
    change.announce(ISSUE_SLA_BREACHED, told, action=_ACTION, is_quiet=True)


def _tell_stall(change: IssueChange, *, is_given_away: bool) -> None:
    """Whoever has it is told as of work, unless it is taken away now.

    Where its run has stalled no other begins, which would only stall as well.
    """
    issue, workspace = change.issue, change.desk.workspace
    agent = change.desk.names.agent(issue.assigned_agent_id)
    told = IssueStalled(
        assigned_agent_id=str(issue.assigned_agent_id),
        agent_profile_key=agent.profile_key if agent else None,
        sla_minutes=workspace.assignment_sla_minutes,
        last_update=issue.updated_at,
    )
    change.set(stalled_at=change.now)
    is_told = agent is not None and agent.archived_at is None and not is_given_away
    calls, wakes = [], []
    if agent and is_told and neglect.has_stalled_run(issue):
        wakes = [Wake(agent_id=agent.id, run_id=issue.current_run_id)]
    elif agent and is_told:
        calls = [WakeCall(agent.id, Reason.ASSIGNED, modes.for_assignee(workspace, agent, issue))]
    change.announce(ISSUE_STALLED, told, action=_ACTION, calls=calls, is_quiet=True)
    change.announced[-1].wakes += wakes
