"""The sweep's look at a run: one that nothing is heard of stalls, is given up, or ignored its assignment."""

from collections.abc import Iterator
from datetime import datetime

from forge.context import Context
from forge.errors import NotFound
from forge.store.keys import Key, sortable_time
from forge.store.ranges import SortRange
from forge.work.background.watchdogs import parked_runs
from forge.work.issues import assignments, counts
from forge.work.issues.announcements import AGENT_NOT_HEARD, ISSUE_RELEASED, NotAcknowledged, Released
from forge.work.issues.auto_dispatch import handovers
from forge.work.issues.auto_dispatch.lines import MOST_GIVEN_OUT
from forge.work.issues.changes import IssueChange, begin_change, keys_of_runs
from forge.work.issues.counts import Breach
from forge.work.issues.desks import Desk, open_issue
from forge.work.issues.issues import NO_CLAIM, IssueItem
from forge.work.issues.neglect import deadlines
from forge.work.issues.runs import silence
from forge.work.issues.runs.runs import RunItem
from forge.work.issues.runs.signs import HeardRun
from forge.work.issues.runs.silence import SilenceVerdict
from forge.work.issues.saving import save
from forge.work.record.log.kinds import ISSUE, EventKind
from forge.work.record.log.rows import LogItem, Wake, log_of
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.workers import Worker

_MOST_READ = 100


def look(worker: Worker, key: Key) -> bool:
    """Decide again, on the run and the settings as they are; whether anything became of it."""
    readings = worker.store.table.read([key])
    run = readings.find(RunItem, key)
    if run is None:
        return False
    ctx = worker.context(run.workspace_id)
    try:
        desk = open_issue(
            ctx, run.issue_id, lambda _: [AgentItem.at(run.workspace_id, run.agent_id)], readings=readings
        )
    except NotFound:
        # Nobody waits for what was done to an issue that is gone.
        _look_later(ctx, run.changed(watch_at=None, ack_due_at=None))
        return False
    if run.is_parked:
        return parked_runs.tend(ctx, desk, run)
    if silence.misses_ack(run, desk.workspace, worker.now) and not _was_moved(ctx, run):
        _tell_off(ctx, desk, run)
        return True
    verdict, heard = silence.verdict(run, desk.workspace, worker.now), run
    if verdict is SilenceVerdict.STALLED:
        others = (one.last_event_at for one in _others(ctx, desk, run))
        heard = silence.heard_elsewhere(run, [*others, *_signs_in_log(ctx, run)])
        verdict = silence.verdict(heard, desk.workspace, worker.now)
    match verdict:
        case SilenceVerdict.STALLED:
            _stall(ctx, desk, run)
        case SilenceVerdict.GIVEN_UP:
            _give_up(ctx, desk, run)
        case None:
            ack_due_at = run.ack_due_at if run.ack_due_at and run.ack_due_at > worker.now else None
            _look_later(ctx, silence.watched(heard, desk.workspace).changed(ack_due_at=ack_due_at))
            return False
    return True


def _others(ctx: Context, desk: Desk, run: RunItem) -> list[RunItem]:
    """What else its agent is at on the issue, as with several steps of a plan; one request, mostly none."""
    live = [one for one in desk.issue.live_runs_of(run.agent_id) if one.run_id != run.id]
    places = keys_of_runs(desk.issue, live)
    readings = ctx.table.read(places) if places else None
    return [found for key in places if readings and (found := readings.find(RunItem, key))]


def _look_later(ctx: Context, run: RunItem) -> None:
    deadlines.watch_run(ctx.plan(), run)
    ctx.commit()


def _stall(ctx: Context, desk: Desk, run: RunItem) -> None:
    """The issue lets go of it, but shows it until another begins; a claim stays until it expires."""
    agent = desk.names.agent(run.agent_id)
    is_there = agent is not None and agent.archived_at is None
    change = IssueChange(desk)
    change.let_go({run.id}, stays_current=True)
    tx = ctx.plan()
    wakes = [Wake(agent_id=run.agent_id, run_id=run.id)] if is_there else []
    silence.stall(tx, silence.stalled(run, desk.workspace, ctx.now()), wakes=wakes)
    save(tx, change, is_update=False)
    ctx.commit()


def _give_up(ctx: Context, desk: Desk, run: RunItem) -> None:
    """Nobody waits for it any more: the issue shows another run or none, and its agent's claim is free."""
    change = IssueChange(desk)
    change.let_go({run.id})
    if holds_claim(desk.issue, run):
        change.set(**NO_CLAIM)
        change.announce(ISSUE_RELEASED, Released(claimed=False), action="release", is_quiet=True)
    tx = ctx.plan()
    silence.give_up(tx, silence.given_up(run, ctx.now()))
    save(tx, change, is_update=False)
    ctx.commit()


def holds_claim(issue: IssueItem, run: RunItem) -> bool:
    """Whether the run's agent has claimed the issue, and is not at work on it in another run."""
    return issue.claimed_by_agent_id == run.agent_id and not issue.live_runs_of(run.agent_id)


def _was_moved(ctx: Context, run: RunItem) -> bool:
    """Whether somebody has moved the issue since its agent was given it; one request."""
    return any(
        row.kind is EventKind.ISSUE_STATUS_CHANGED and (row.actor_user_id or row.actor_agent_id)
        for row in _logged(ctx, run, since=run.assigned_at or run.started_at)
    )


def _signs_in_log(ctx: Context, run: RunItem) -> list[datetime]:
    """When its agent was heard of and the run did not say so, because it had just said so; one request."""
    rows = _logged(ctx, run, since=run.last_event_at)
    return [row.created_at for row in rows if row.actor_agent_id == run.agent_id]


def _logged(ctx: Context, run: RunItem, *, since: datetime) -> Iterator[LogItem]:
    """The first of what was logged about its issue."""
    partition, index = log_of(run.workspace_id, ISSUE, run.issue_id)
    among = SortRange(first=sortable_time(since))
    rows = ctx.table.query_all(partition, most=_MOST_READ, sort=among, index=index)
    return iter(rows.first_ones().of(LogItem))


def _tell_off(ctx: Context, desk: Desk, run: RunItem) -> None:
    """Once for each assignment; perhaps another agent gets the issue, but it does not go round for ever."""
    issue, workspace = desk.issue, desk.workspace
    is_given_away = workspace.auto_redispatch_on_noack and issue.assigned_agent_id == run.agent_id
    change = begin_change(desk, assignments.needs(issue, None))
    agent = desk.names.agent(run.agent_id)
    told = NotAcknowledged(
        agent_id=run.agent_id,
        agent_profile_key=agent.profile_key if agent else None,
        required_ack_seconds=workspace.required_ack_seconds,
        original_assigned_event_id=str(run.assignment_event_id),
    )
    change.announce(AGENT_NOT_HEARD, told, action="sweep", is_quiet=True)
    tx = ctx.plan()
    counts.record_breach(tx, issue, Breach.NOACK)
    times = issue.times_ignored + 1
    if is_given_away and times <= MOST_GIVEN_OUT:
        handovers.give_away(change)
    elif is_given_away:
        assignments.take_back(change)
    else:
        change.heard.append(HeardRun(silence.told_off(run)))
    # On the head in any case: under its version, two sweeps can't both tell it.
    change.set(times_ignored=times)
    save(tx, change, is_update=is_given_away)
    ctx.commit()
