"""Agents: setting them up, changing and archiving them."""

from forge.context import Context
from forge.contract.terms import Actor, Effect, Scope, Surface
from forge.contract.tools import Namespace
from forge.errors import Conflict, PreconditionFailed
from forge.work.log import events
from forge.work.log.events import EventKind
from forge.work.people import agents
from forge.work.people.agents import MAX_AGENTS, AgentItem, AgentStatus
from functions.admin.models.agents import AgentDefinition, ArchiveAgent, CreateAgent, UpdateAgent

namespace = Namespace("agents", "Set up the agents of the workspace.", surface=Surface.ADMIN)


@namespace.tool(scopes=[Scope.ADMIN], effect=Effect.MUTATING, actor=Actor.USER)
def create(request: CreateAgent, ctx: Context) -> AgentDefinition:
    """Set up an agent; then make it a key with keys.create, kind AGENT and its id as linkedAgentId.

    A profileKey that exists is a conflict.
    Example: {"profileKey": "planner", "name": "Planner", "provider": "CLAUDE"}
    """
    if len(agents.list_all(ctx.table, ctx.caller.workspace_id)) >= MAX_AGENTS:
        raise PreconditionFailed(f"A workspace has at most {MAX_AGENTS} agents, archived ones included.")
    agent = AgentItem(
        workspace_id=ctx.caller.workspace_id,
        id=ctx.new_id("agt"),
        created_at=ctx.now(),
        **request.model_dump(),
    )
    with ctx.transaction() as tx:
        agents.add(tx, agent)
        events.record(
            tx,
            EventKind.AGENT_CREATED,
            subject=("agent", agent.id),
            action="create",
            payload={"profileKey": agent.profile_key, "name": agent.name},
            after=agent,
        )
    return _view(agent)


@namespace.tool(scopes=[Scope.ADMIN], effect=Effect.MUTATING, actor=Actor.USER, idempotent=True)
def update(request: UpdateAgent, ctx: Context) -> AgentDefinition:
    """Change an agent; what is left out stays, null clears what can be empty.

    Example: {"id": "agt_01J…", "maxConcurrent": 3}
    """
    agent, _ = agents.get(ctx.table, ctx.caller.workspace_id, request.id)
    if agent.archived_at is not None:
        raise Conflict("This agent was archived.", hint="There is no way back; set up a new one.")
    changed = agent.changed(**request.given())
    if changed != agent:
        with ctx.transaction() as tx:
            tx.replace(changed)
            events.record(
                tx,
                EventKind.AGENT_UPDATED,
                subject=("agent", agent.id),
                action="update",
                payload={"profileKey": agent.profile_key},
                before=agent,
                after=changed,
            )
    return _view(changed)


@namespace.tool(scopes=[Scope.ADMIN], effect=Effect.MUTATING, actor=Actor.USER, destructive=True)
def archive(request: ArchiveAgent, ctx: Context) -> AgentDefinition:
    """Archive an agent: it gets no more work, and its heartbeats are refused. There is no way back.

    Example: {"id": "agt_01J…"}
    """
    agent, pulse = agents.get(ctx.table, ctx.caller.workspace_id, request.id)
    if agent.archived_at is not None:
        raise Conflict("This agent was archived before.", hint="There is nothing left to do.")
    archived = agent.changed(archived_at=ctx.now())
    with ctx.transaction() as tx:
        tx.replace(archived)
        tx.replace(pulse.changed(status=AgentStatus.OFFLINE, idle_at=None))
        events.record(
            tx,
            EventKind.AGENT_DELETED,
            subject=("agent", agent.id),
            action="archive",
            payload={"profileKey": agent.profile_key},
        )
    return _view(archived)


def _view(agent: AgentItem) -> AgentDefinition:
    return AgentDefinition.of(agent, has_webhook_secret=agent.webhook_secret is not None)
