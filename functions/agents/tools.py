"""The agents' tools."""

from datetime import timedelta

from forge.context import Context
from forge.contract.models import NoArguments
from forge.contract.terms import Actor, Effect, Scope
from forge.contract.tools import Namespace
from forge.errors import Forbidden
from forge.work import agents, events
from forge.work.agents import AgentItem, PulseItem
from forge.work.events import EventKind
from functions.agents.models import AgentRow, Agents, Beat, ListAgents, Me, Pulse

namespace = Namespace("agents", "See who works here, and say how you are.")


@namespace.tool(
    scopes=[Scope.READ_USERS], effect=Effect.READ_ONLY, asks=["who works here", "which agents are there"]
)
def list(request: ListAgents, ctx: Context) -> Agents:
    """List the workspace's agents by name, with role, status and capabilities.

    Use agents.me for your own profile. Example: {"includeArchived": false}
    """
    found = agents.list_all(ctx.table, ctx.caller.workspace_id)
    return Agents(
        data=[
            AgentRow.of(agent, status=pulse.status, last_heartbeat_at=pulse.last_heartbeat_at)
            for agent, pulse in found
            if (request.include_archived or agent.archived_at is None)
            and request.runtime_id in (None, agent.runtime_id)
        ]
    )


@namespace.tool(
    scopes=[Scope.READ_USERS], effect=Effect.READ_ONLY, actor=Actor.AGENT, asks=["who am I", "my own profile"]
)
def me(request: NoArguments, ctx: Context) -> Me:
    """Show the agent that this key is linked to: your name, role, capabilities and limits.

    Needs a key linked to an agent. Example: {}
    """
    agent, pulse, load = agents.get_with_load(ctx.table, ctx.caller.workspace_id, _own_id(ctx))
    return Me.of(
        agent,
        status=pulse.status,
        last_heartbeat_at=pulse.last_heartbeat_at,
        last_dispatched_at=load.last_dispatched_at,
    )


@namespace.tool(scopes=[Scope.READ_USERS], effect=Effect.MUTATING, actor=Actor.AGENT, idempotent=True)
def heartbeat(request: Beat, ctx: Context) -> Pulse:
    """Say that you are alive, every few minutes while you work; without it you get no new work.

    Example: {"status": "BUSY"}
    """
    agent, pulse = agents.get(ctx.table, ctx.caller.workspace_id, _own_id(ctx))
    if agent.archived_at is not None:
        raise Forbidden("This agent was archived.", hint="Ask an admin; an archived agent gets no work.")
    workspace = ctx.services.workspaces.get(ctx.caller.workspace_id)
    idle_after = timedelta(minutes=workspace.agent_idle_timeout_minutes)
    beaten = pulse.beaten(request.status, now=ctx.now(), idle_after=idle_after)
    if beaten.status is pulse.status:
        agents.keep_alive(ctx.table, beaten)
    else:
        _announce(ctx, agent, before=pulse, after=beaten)
    return Pulse.of(agent, status=beaten.status, last_heartbeat_at=beaten.last_heartbeat_at)


def _own_id(ctx: Context) -> str:
    # The dispatcher has made sure that the key is linked to an agent.
    return str(ctx.caller.agent_id)


def _announce(ctx: Context, agent: AgentItem, *, before: PulseItem, after: PulseItem) -> None:
    with ctx.transaction() as tx:
        tx.replace(after)
        events.record(
            tx,
            EventKind.AGENT_STATUS_CHANGED,
            subject=("agent", agent.id),
            action="heartbeat",
            payload={"profileKey": agent.profile_key, "from": before.status, "to": after.status},
        )
