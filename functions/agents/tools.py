"""The agents' tools."""

from collections.abc import Mapping
from datetime import timedelta

from forge.auth import bounds
from forge.auth.keys import mint
from forge.context import Context
from forge.contract.effects import RUNS, Cost
from forge.contract.models import FullList, NoArguments
from forge.contract.terms import Actor, Scope
from forge.contract.tools import Namespace
from forge.errors import Forbidden
from forge.work.content.references.resolving import places_of, require_there
from forge.work.issues.inbox.views import waiting_for
from forge.work.record.log import events
from forge.work.workspace.people import agents, runtimes
from forge.work.workspace.people.agents import AgentItem, PulseItem
from forge.work.workspace.people.announcements import AGENT_STATUS_CHANGED, AgentStatusChanged
from functions.agents import repository, rules
from functions.agents.models import (
    AgentRow,
    Beat,
    ConnectedRuntime,
    ConnectRuntime,
    ListAgents,
    Me,
    MintRunKey,
    Pulse,
    RunKey,
    RuntimeBrief,
)

namespace = Namespace("agents", "See who works here, and say how you are.", reads=[Scope.READ_USERS])

_NO_RUNTIME: Mapping[str, object] = dict.fromkeys(("runtime_id", "interval_seconds", "stop", "drain"))
_OF_ITSELF = "An agent tells only of itself that it is there."


@namespace.reads(
    costs=Cost(reads=2),
    asks=[
        "who works here",
        "which agents are there",
        "who is free to help",
        "names of the team's agents",
        "who can do this work",
    ],
)
def list(request: ListAgents, ctx: Context) -> FullList[AgentRow]:
    """List the workspace's agents by name, with role, status and capabilities.

    openIssues tells how many it has; nobody is given more than maxConcurrent by auto-dispatch (0: no limit).
    Use agents.me for your own profile. Example: {"includeArchived": false}
    """
    if places := places_of(request, ctx):
        require_there(places, ctx.table.read(places))
    found = agents.list_with_loads(ctx.table, ctx.caller.workspace_id)
    return FullList[AgentRow](
        data=[
            AgentRow.of(
                agent,
                status=pulse.status,
                last_heartbeat_at=pulse.last_heartbeat_at,
                open_issues=load.open,
                runtime=_runtime(agent),
            )
            for agent, pulse, load in found
            if (request.include_archived or agent.archived_at is None)
            and request.runtime_id in (None, agent.runtime_id)
        ]
    )


@namespace.reads(
    actor=Actor.AGENT,
    costs=Cost(reads=2).up_to(reads=4, because=RUNS),
    asks=[
        "who am I",
        "my own profile",
        "my name, role, capabilities and limits",
        "which agent belongs to my key",
    ],
)
def me(request: NoArguments, ctx: Context) -> Me:
    """Show who you are, your role, capabilities and limits, and how much is `waiting` for you.

    Example: {}
    """
    agent, pulse, load = agents.get_with_load(ctx.table, ctx.caller.workspace_id, _own_id(ctx))
    return Me.of(
        agent,
        status=pulse.status,
        last_heartbeat_at=pulse.last_heartbeat_at,
        last_dispatched_at=load.last_dispatched_at,
        waiting=waiting_for(ctx),
    )


@namespace.writes(
    scopes=[Scope.READ_USERS],
    unscoped_because=_OF_ITSELF,
    actor=Actor.AGENT,
    idempotent=True,
    costs=Cost(reads=6, writes=1, items=9).up_to(reads=8, items=80, because="runs and claims are kept alive"),
    emits=[AGENT_STATUS_CHANGED],
    asks=["I am still here", "sign of life", "set my presence to offline", "availability", "I am running"],
)
def heartbeat(request: Beat, ctx: Context) -> Pulse:
    """Say that you are alive, every few minutes, or you get no new work; `waiting` counts your inbox.

    Example: {"status": "BUSY"}
    """
    rules.require_complete(request)
    agent, pulse = agents.get(ctx.table, ctx.caller.workspace_id, _own_id(ctx))
    if agent.archived_at is not None:
        # Its key says so, too, unless it was archived after this call had begun.
        raise Forbidden("This agent was archived.", hint="Ask an admin; an archived agent gets no work.")
    workspace = ctx.services.workspaces.get(ctx.caller.workspace_id)
    idle_after = timedelta(minutes=workspace.agent_idle_timeout_minutes)
    beaten = pulse.beaten(request.status, now=ctx.now(), idle_after=idle_after)
    standing = _beat_runtime(request, ctx, pulse, beaten) if request.runtime_id else _NO_RUNTIME
    if beaten.status is not pulse.status:
        _announce(ctx, agent, before=pulse, after=beaten)
    elif request.runtime_id is None:
        agents.keep_alive(ctx.table, beaten)
    return Pulse.of(
        agent,
        status=beaten.status,
        last_heartbeat_at=beaten.last_heartbeat_at,
        waiting=waiting_for(ctx),
        **standing,
    )


@namespace.writes(
    scopes=[Scope.READ_USERS],
    unscoped_because=_OF_ITSELF,
    actor=Actor.AGENT,
    costs=Cost(reads=1, writes=1, items=4),
    asks=[
        "connect the machine that I run on",
        "register my own runtime",
        "a worker starts",
        "restore my runtime after a restart",
    ],
)
def connect(request: ConnectRuntime, ctx: Context) -> ConnectedRuntime:
    """Make or restore the runtime that you run on; the same instanceId gives the same runtime again.

    agents.heartbeat with its id keeps it alive. What is claimed with the instanceId as X-Forge-Session goes
    to your other sessions once two heartbeats are missed. One that was archived is a conflict.
    Example: {"instanceId": "box-1-7f3a", "name": "box-1", "providersAvailable": ["CLAUDE"]}
    """
    runtimes.require_understood(request.config or {})
    runtime, is_restored = repository.connect(ctx, request)
    return ConnectedRuntime.of(
        runtime, restored=is_restored, interval_seconds=rules.IDLE, drain=runtime.shall_drain
    )


@namespace.writes(
    actor=Actor.AGENT,
    secrets=["raw_key"],
    name="sessionKey",
    costs=Cost(reads=4, writes=1, items=7),
    asks=[
        "a key for one run only",
        "give the program that does the work a key of its own",
        "narrow key for a child process",
    ],
)
def session_key(request: MintRunKey, ctx: Context) -> RunKey:
    """Make a key for one live run of yours, for whoever does its work: it changes nothing but that issue.

    It reads the issue's project (without one, the issue and its relations), can do no more than your own key,
    and ends with the run, or when the next is made. Only a key of kind AGENT makes one.
    Example: {"runId": "run_01J…", "ttlMinutes": 120}
    """
    rules.require_minter(ctx.caller)
    found = repository.read_minting(ctx, request.run_id)
    ends_at = rules.ends_at(request.ttl_minutes, ctx.caller, ctx.now())
    order = rules.order_of(found.run, found.desk.issue, found.related, ctx.caller, ends_at=ends_at)
    minted = mint(order, key_id=ctx.new_id("key"), now=ctx.now())
    bounds.require_within(
        bounds.grant_of(minted.record),
        ctx.caller,
        names={"expiresAt": "ttlMinutes"},
        sees=order.narrowing.issue_ids,
    )
    item = repository.add_key(ctx.plan(), found, minted)
    return RunKey(
        key_id=item.id,
        raw_key=minted.raw,
        run_id=found.run.id,
        scopes=sorted(item.scopes),
        expires_at=ends_at,
    )


def _beat_runtime(beat: Beat, ctx: Context, before: PulseItem, beaten: PulseItem) -> Mapping[str, object]:
    """A heartbeat that names a runtime: runtime, runs and agent are kept alive in one transaction."""
    standing = repository.read_standing(ctx, beat)
    stopped = standing.stopped(ctx)
    tx = ctx.plan()
    repository.keep_alive(tx, standing, beat, stopped)
    if beaten.status is before.status:
        agents.keep_alive_in(tx, beaten)
    return {
        "runtime_id": standing.runtime.id,
        "interval_seconds": rules.interval(beat),
        "stop": stopped,
        "drain": standing.runtime.shall_drain,
    }


def _runtime(agent: AgentItem) -> RuntimeBrief | None:
    """None, too, of an agent that names one from before runtimes were kept."""
    if agent.runtime_id is None or agent.runtime_name is None or agent.runtime_kind is None:
        return None
    return RuntimeBrief(id=agent.runtime_id, name=agent.runtime_name, kind=agent.runtime_kind)


def _own_id(ctx: Context) -> str:
    # The switchboard has made sure that the key is linked to an agent.
    return str(ctx.caller.agent_id)


def _announce(ctx: Context, agent: AgentItem, *, before: PulseItem, after: PulseItem) -> None:
    tx = ctx.pending or ctx.plan()
    tx.replace(after)
    told = AgentStatusChanged(profile_key=agent.profile_key, from_=before.status, to=after.status)
    events.record(tx, AGENT_STATUS_CHANGED, told, subject_id=agent.id, action="heartbeat")
