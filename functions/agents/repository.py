"""Reading and writing what a heartbeat of a runtime keeps alive."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from forge.auth.keys import Minted
from forge.context import Context
from forge.errors import NotFound
from forge.store.readings import Readings
from forge.store.transactions import Transaction, overtaken
from forge.work.issues import heads
from forge.work.issues.claims import holds
from forge.work.issues.desks import (
    Desk,
    Reference,
    no_such_issue,
    open_with_parts,
    read_issues,
    settings_in,
    settings_key,
)
from forge.work.issues.issues import IssueItem
from forge.work.issues.relations.relations import HEAD_AND_RELATIONS, MOST_READ, relations_in
from forge.work.issues.runs import runs
from forge.work.issues.runs.runs import RunItem
from forge.work.record.log import events
from forge.work.workspace.people import api_keys, runtimes
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.people.api_keys import ApiKeyItem, Copied
from forge.work.workspace.people.runtimes import RuntimeItem
from forge.work.workspace.workspaces import WorkspaceItem
from functions.agents import rules
from functions.agents.models import Beat, ConnectRuntime, StoppedRun


class Standing(NamedTuple):
    """A runtime, and the runs that it is said to be at, as they are."""

    runtime: RuntimeItem
    runs: Mapping[str, RunItem | None]
    issues: Mapping[str, IssueItem]
    workspace: WorkspaceItem

    def stopped(self, ctx: Context) -> list[StoppedRun]:
        found = []
        for run_id, run in self.runs.items():
            issue = self.issues.get(run.issue_id) if run else None
            if reason := rules.reason_to_stop(run, issue, self.workspace, ctx.caller, ctx.now()):
                found.append(StoppedRun(run_id=run_id, reason=reason))
        return found


def read_standing(ctx: Context, beat: Beat) -> Standing:
    """One request, and one more for the issues of the runs."""
    workspace_id = ctx.caller.workspace_id
    place = RuntimeItem.at(workspace_id, str(beat.runtime_id))
    keys = {run_id: RunItem.at(workspace_id, run_id) for run_id in dict.fromkeys(beat.runs)}
    known = Readings(ctx.table)
    known.fetch([place, settings_key(ctx), *keys.values()])
    runtime = known.find(RuntimeItem, place)
    if runtime is None or runtime.agent_id != ctx.caller.agent_id:
        raise NotFound(
            "There is no such runtime of yours.", hint="Connect again: agents.connect makes or restores it."
        )
    runtimes.require_in_use(runtime)
    runs = {run_id: known.find(RunItem, key) for run_id, key in keys.items()}
    named = {run.issue_id for run in runs.values() if run}
    reach = read_issues(ctx, named, readings=known)
    issues = {one: found for one in named if (found := reach.find(one))}
    return Standing(runtime, runs, issues, settings_in(ctx, known))


def keep_alive(tx: Transaction, standing: Standing, beat: Beat, stopped: Sequence[StoppedRun]) -> None:
    """The runtime as it says it is, and those of its runs and claims whose time has come."""
    slots = {"slots_total": beat.slots.total, "slots_busy": beat.slots.busy} if beat.slots else {}
    versions = {"versions": beat.versions} if beat.versions else {}
    tx.adjust(
        standing.runtime.key,
        assign={
            "heartbeat_at": tx.origin.now,
            "beats_every": rules.interval(beat),
            "run_ids": beat.runs,
            "is_draining": beat.draining,
            **slots,
            **versions,
        },
    )
    over = {one.run_id for one in stopped}
    going_on = [run for run in standing.runs.values() if run and run.id not in over]
    now, workspace = tx.origin.now, standing.workspace
    for run in rules.written_first(run for run in going_on if rules.is_to_be_written(run, workspace, now)):
        # With its version, so that a sweep that is about to give it up looks again.
        heard = {"last_event_at": now, "called_at": None}
        tx.adjust(run.key, add={"version": 1}, assign=heard, equal={"finished_at": None})
    _keep_claims(tx, [standing.issues[issue_id] for issue_id in {run.issue_id for run in going_on}])


def _keep_claims(tx: Transaction, issues: Sequence[IssueItem]) -> None:
    kept = 0
    for issue in sorted(issues, key=lambda one: (one.claim_expires_at is None, one.claim_expires_at, one.id)):
        if kept < rules.MOST_KEPT_UP:
            kept += heads.keep_claim(tx, issue)


def connect(ctx: Context, request: ConnectRuntime) -> tuple[RuntimeItem, bool]:
    """The runtime of this installation, and whether there was one; one request."""
    workspace_id, agent_id = ctx.caller.workspace_id, str(ctx.caller.agent_id)
    runtime_id = runtimes.connected_id(workspace_id, agent_id, request.instance_id)
    before = ctx.table.find(RuntimeItem, RuntimeItem.at(workspace_id, runtime_id))
    tx = ctx.plan()
    now = tx.origin.now
    if before is not None:
        runtimes.require_in_use(before)
        return runtimes.save(tx, before, _as_it_comes(before, request, now), action="connect"), True
    fresh = RuntimeItem(
        workspace_id=workspace_id,
        id=runtime_id,
        name=request.name,
        kind=request.kind,
        agent_id=agent_id,
        created_at=now,
        updated_at=now,
    )
    made = _as_it_comes(fresh, request, now)
    runtimes.add(tx, made, refusal=overtaken)
    return made, False


def _as_it_comes(runtime: RuntimeItem, request: ConnectRuntime, now: datetime) -> RuntimeItem:
    configured = runtimes.configured(runtime, request.config, merge=True) if request.config else runtime
    return configured.changed(
        providers_available=request.providers_available,
        adapter_key=runtimes.adapter_of(request.providers_available),
        connected_at=now,
        heartbeat_at=now,
        beats_every=rules.IDLE,
        run_ids=[],
        is_draining=False,
    )


class Minting(NamedTuple):
    """What the key of a run is made from: all of it read, and nothing decided yet."""

    run: RunItem
    desk: Desk
    related: list[IssueItem]
    agent: AgentItem
    rate_per_minute: int | None

    @property
    def copied(self) -> Copied:
        workspace = self.desk.workspace
        return Copied(workspace.calls_per_minute, workspace.log_shards)


def read_minting(ctx: Context, run_id: str) -> Minting:
    """The caller's own live run, its issue with what that leads to, and the caller's own key."""
    workspace_id = ctx.caller.workspace_id
    run = ctx.table.get(RunItem, RunItem.at(workspace_id, run_id), missing=runs.no_such_run(run_id))
    runs.require_own(run, ctx.caller)
    runs.require_live(run)
    desk, rows = open_with_parts(
        ctx,
        Reference(run.issue_id),
        parts=HEAD_AND_RELATIONS,
        most=MOST_READ + 1,
        missing=no_such_issue(run.issue_id),
        beside=lambda rows: [one.other_id for one in relations_in(rows)],
    )
    holds.require_own_run(desk, run)
    agent, own = AgentItem.at(workspace_id, run.agent_id), ApiKeyItem.at(workspace_id, ctx.caller.key_id)
    desk.fetch([agent, own])
    others = (desk.visible(one.other_id) for one in relations_in(rows))
    key = desk.find(ApiKeyItem, own)
    return Minting(
        run,
        desk,
        [one for one in others if one],
        desk.get(AgentItem, agent),
        key.rate_per_minute if key else None,
    )


def add_key(tx: Transaction, minting: Minting, minted: Minted) -> ApiKeyItem:
    """The one key of the run from now on: the last ends with this. Whoever archives the agent is first."""
    runs.end_key(tx, minting.run)
    tx.check(minting.agent)
    item = api_keys.add(
        tx,
        minted,
        name=f"run {minting.run.id}",
        rate_per_minute=minting.rate_per_minute,
        copied=minting.copied,
        made_by_key_id=tx.origin.caller.key_id,
    )
    tx.replace(minting.run.changed(key_hash=item.key_hash, key_ends_at=item.expires_at))
    events.record_change(tx, "key", item.id, action="create", after=item, issue_id=minting.run.issue_id)
    return item
