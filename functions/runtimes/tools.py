"""The runtimes' tools."""

import json

from forge.context import Context
from forge.contract.effects import FILTERED, Cost
from forge.contract.models import Page
from forge.contract.terms import Scope
from forge.contract.tools import Namespace
from forge.store.keys import Key
from forge.store.pages import read_page
from forge.store.readings import Readings
from forge.store.walks import one_partition
from forge.work.issues.pages.listing import Pager
from forge.work.workspace.people import runtimes
from forge.work.workspace.people.agents import RuntimeKind
from forge.work.workspace.people.members import MemberItem
from forge.work.workspace.people.runtimes import AGENT_COUNT, RUNTIMES_IN_ORDER, AgentCountItem, RuntimeItem
from functions.runtimes.models import (
    BeatRuntime,
    ConfiguredRuntime,
    ConfigureRuntime,
    ListRuntimes,
    OwnerView,
    RegisteredRuntime,
    RegisterRuntime,
    RuntimeCounts,
    RuntimePulse,
    RuntimeRow,
    RuntimeSlots,
)

namespace = Namespace(
    "runtimes",
    "Keep the machines and services that agents run on.",
    reads=[Scope.ADMIN],
    writes=[Scope.ADMIN],
)

_OF_MACHINES = "A machine tells of no issue, and its daemon, which calls this, may have a narrowed key."


@namespace.writes(
    narrowed_because=_OF_MACHINES,
    costs=Cost(writes=1, items=4),
    asks=["add a machine", "connect a daemon", "new machine that agents run on", "enrol a host"],
)
def register(request: RegisterRuntime, ctx: Context) -> RegisteredRuntime:
    """Register a runtime and return it; keep its id, because registering again makes another.

    A LOCAL_DAEMON counts as connected from now on. Then say with runtimes.heartbeat that it is alive.
    Example: {"name": "build-box", "kind": "LOCAL_DAEMON", "providersAvailable": ["CLAUDE"]}
    """
    now = ctx.now()
    heard = now if request.kind is RuntimeKind.LOCAL_DAEMON else None
    runtime = RuntimeItem(
        workspace_id=ctx.caller.workspace_id,
        id=ctx.new_id("rt"),
        adapter_key=runtimes.adapter_of(request.providers_available),
        owner_id=ctx.caller.user_id,
        connected_at=heard,
        heartbeat_at=heard,
        created_at=now,
        updated_at=now,
        **request.model_dump(),
    )
    tx = ctx.plan()
    runtimes.add(tx, runtime)
    return RegisteredRuntime.of(runtime)


@namespace.writes(
    idempotent=True,
    narrowed_because=_OF_MACHINES,
    costs=Cost(reads=1, writes=1, items=2),
    asks=["sign of life of a daemon", "heard of a machine", "a host is up"],
)
def heartbeat(request: BeatRuntime, ctx: Context) -> RuntimePulse:
    """Say that a runtime was heard of, every five minutes at least; for yourself use agents.heartbeat.

    One that is not there is not found: register it again. Example: {"runtimeId": "rt_01J…"}
    """
    runtime = runtimes.get(ctx.table, ctx.caller.workspace_id, request.runtime_id)
    tx = ctx.plan()
    runtimes.keep_alive(tx, runtime)
    return RuntimePulse(id=runtime.id, heartbeat_at=tx.origin.now)


@namespace.reads(
    narrowed_because=_OF_MACHINES,
    costs=Cost(reads=2).up_to(reads=4, because=FILTERED),
    asks=["which machines are there", "where do agents run", "hosts and daemons"],
)
def list(request: ListRuntimes, ctx: Context) -> Page[RuntimeRow]:
    """List the runtimes by kind, then by name, with their owners and how many agents run on each.

    Secrets are never shown: hasSecret tells whether there is one. Pass nextCursor as cursor for more.
    Example: {"kind": "LOCAL_DAEMON"}
    """
    pager = Pager(Page[RuntimeRow], request.fields)
    prefix = f"{request.kind}#" if request.kind else ""
    found = read_page(
        ctx.table,
        RuntimeItem,
        one_partition(RUNTIMES_IN_ORDER(ctx.caller.workspace_id), "subject", prefix=prefix),
        request,
        accepts=lambda one: request.include_archived or one.archived_at is None,
    )
    beside = ctx.table.read(key for runtime in found.items for key in _beside(runtime))
    return pager.page(found, lambda runtime: _row(runtime, beside))


@namespace.writes(
    idempotent=True,
    costs=Cost(reads=1, writes=1, items=3),
    asks=["settings of a machine", "root of a daemon", "change the config of a host", "set a sandbox"],
)
def configure(request: ConfigureRuntime, ctx: Context) -> ConfiguredRuntime:
    """Change the config of a runtime and return it; what is not named stays, unless merge is false.

    What is secret by its name or its look (token, password, apiKey, …) is left out of every answer and log;
    hasSecret tells that there is some. Name it again to change it, with null to take it away.
    Example: {"runtimeId": "rt_01J…", "config": {"workspaceRoot": "/srv/work", "localWorkspaceTools": true}}
    """
    runtimes.require_understood(request.config)
    runtime = runtimes.get(ctx.table, ctx.caller.workspace_id, request.runtime_id)
    changed = runtimes.configured(runtime, request.config, merge=request.merge)
    if changed != runtime:
        tx = ctx.plan()
        changed = runtimes.save(tx, runtime, changed)
    return ConfiguredRuntime.of(
        changed, config=json.loads(changed.config), has_secret=changed.secret is not None
    )


def _beside(runtime: RuntimeItem) -> tuple[Key, ...]:
    """What a row shows of others: how many agents, and the owner's name."""
    count = AGENT_COUNT(runtime.workspace_id, runtime.id)
    if runtime.owner_id is None:
        return (count,)
    return (count, MemberItem.at(runtime.workspace_id, runtime.owner_id))


def _row(runtime: RuntimeItem, beside: Readings) -> RuntimeRow:
    counted = beside.find(AgentCountItem, AGENT_COUNT(runtime.workspace_id, runtime.id))
    owner = None
    if runtime.owner_id is not None:
        member = beside.find(MemberItem, MemberItem.at(runtime.workspace_id, runtime.owner_id))
        owner = OwnerView(id=runtime.owner_id, name=member.name if member else None, image=None)
    return RuntimeRow.of(
        runtime,
        config=json.loads(runtime.config),
        has_secret=runtime.secret is not None,
        owner=owner,
        counts=RuntimeCounts(agents=counted.agents if counted else 0),
        slots=RuntimeSlots(total=runtime.slots_total, busy=runtime.slots_busy or 0)
        if runtime.slots_total is not None
        else None,
        run_ids=runtime.run_ids or None,
        versions=runtime.versions or None,
        draining=runtime.is_draining or None,
    )
