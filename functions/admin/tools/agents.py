"""Agents: setting them up, changing and archiving them."""

from datetime import timedelta

from forge.context import Context
from forge.contract.effects import Cost
from forge.errors import Conflict, PreconditionFailed
from forge.store.followers import follow
from forge.work.content.destinations import destinations
from forge.work.issues.runs import keys as run_keys
from forge.work.record.continuations import continuations
from forge.work.record.continuations.continuations import ContinuationKind
from forge.work.record.log import events
from forge.work.workspace import signing
from forge.work.workspace.people import agents, api_keys, runtimes
from forge.work.workspace.people.agents import MAX_AGENTS, AgentItem, AgentStatus
from forge.work.workspace.people.announcements import (
    AGENT_ARCHIVED,
    AGENT_CREATED,
    AGENT_UPDATED,
    AgentCreated,
    AgentNamed,
)
from forge.work.workspace.people.api_keys import AgentKeysItem
from functions.admin.models.agents import AgentDefinition, ArchiveAgent, CreateAgent, UpdateAgent
from functions.admin.models.webhooks import RotateAgentSecret, RotatedSecret
from functions.admin.tools import namespace


@namespace.writes(
    name="agents.create",
    lasting=True,
    costs=Cost(reads=3, writes=1, items=8),
    emits=[AGENT_CREATED],
)
def create(request: CreateAgent, ctx: Context) -> AgentDefinition:
    """Set up an agent; then make it a key with keys.create, kind AGENT and its id as linkedAgentId.

    A profileKey that exists is a conflict, and so is an archived runtime. With a webhookUrl it is woken by
    signed posts, which webhookDeliveries.list shows; a private address is refused as webhooks.create does.
    Example: {"profileKey": "planner", "name": "Planner", "provider": "CLAUDE"}
    """
    if len(agents.list_all(ctx.table, ctx.caller.workspace_id)) >= MAX_AGENTS:
        raise PreconditionFailed(f"A workspace has at most {MAX_AGENTS} agents, archived ones included.")
    _require_reachable(ctx, request.webhook_url)
    runtime = runtimes.find_for_agent(ctx.table, ctx.caller.workspace_id, request.runtime_id)
    made = AgentItem(
        workspace_id=ctx.caller.workspace_id,
        id=ctx.new_id("agt"),
        created_at=ctx.now(),
        **request.model_dump(exclude={"runtime_id"}),
    )
    agent = runtimes.settle(made, runtime)
    tx = ctx.plan()
    agents.add(tx, agent)
    follow(tx, (), runtimes.follows(agent))
    told = AgentCreated(profile_key=agent.profile_key, name=agent.name)
    events.record(tx, AGENT_CREATED, told, subject_id=agent.id, action="create", after=agent)
    return _view(agent)


@namespace.writes(
    idempotent=True,
    name="agents.update",
    lasting=("webhook_url", "webhook_secret"),
    costs=Cost(reads=2, writes=1, items=6).up_to(reads=3, because="it moves to another runtime"),
    emits=[AGENT_UPDATED],
)
def update(request: UpdateAgent, ctx: Context) -> AgentDefinition:
    """Change an agent; what is left out stays, `clear` empties fields.

    Example: {"id": "agt_01J…", "maxConcurrent": 3}
    """
    agent, _ = agents.get(ctx.table, ctx.caller.workspace_id, request.id)
    _require_there(agent)
    _require_reachable(ctx, request.webhook_url)
    changed = agent.changed(**request.given())
    if changed.webhook_secret != agent.webhook_secret:
        changed = changed.changed(next_secret=None)
    if changed.runtime_id != agent.runtime_id:
        runtime = runtimes.find_for_agent(ctx.table, agent.workspace_id, changed.runtime_id)
        changed = runtimes.settle(changed, runtime)
    if changed != agent:
        tx = ctx.plan()
        tx.replace(changed)
        follow(tx, runtimes.follows(agent), runtimes.follows(changed))
        told = AgentNamed(profile_key=agent.profile_key)
        events.record(
            tx, AGENT_UPDATED, told, subject_id=agent.id, action="update", before=agent, after=changed
        )
    return _view(changed)


@namespace.writes(
    secrets=["secret"],
    name="agents.rotateSecret",
    lasting=True,
    costs=Cost(reads=1, writes=1, items=3),
)
def rotate_secret(request: RotateAgentSecret, ctx: Context) -> RotatedSecret:
    """Give an agent's webhook another secret, without a gap, as webhooks.rotateSecret does.

    One that was never signed for is from now on, with the new one alone.
    Example: {"id": "agt_01J…"}
    """
    agent, _ = agents.get(ctx.table, ctx.caller.workspace_id, request.id)
    _require_there(agent)
    fresh, grace = request.secret or signing.new_secret(), timedelta(hours=request.grace_hours)
    became = signing.rotated(agent.webhook_secret, agent.next_secret, fresh, grace=grace, now=ctx.now())
    tx = ctx.plan()
    tx.replace(agent.changed(webhook_secret=became.secret, next_secret=became.following))
    events.record_change(tx, "agent", agent.id, action="rotateSecret")
    alone_from = became.following.since if became.following else ctx.now()
    return RotatedSecret(id=agent.id, secret=fresh, signs_alone_from=alone_from)


@namespace.writes(
    destructive=True,
    name="agents.archive",
    costs=Cost(reads=3, writes=1, items=8).up_to(
        reads=4, items=99, because="fifty keys and those of forty runs go with it"
    ),
    emits=[AGENT_ARCHIVED],
)
def archive(request: ArchiveAgent, ctx: Context) -> AgentDefinition:
    """Archive an agent: it gets no more work, and its keys only read. There is no way back.

    Within minutes its runs end as ABANDONED, its claims are given up and its open issues are nobody's.

    Example: {"id": "agt_01J…"}
    """
    agent, pulse = agents.get(ctx.table, ctx.caller.workspace_id, request.id)
    if agent.archived_at is not None:
        raise Conflict("This agent was archived before.", hint="There is nothing left to do.")
    archived = agent.changed(archived_at=ctx.now())
    held = ctx.table.find(AgentKeysItem, AgentKeysItem.at(agent.workspace_id, agent.id))
    live = run_keys.of_agent(ctx.table, agent.workspace_id, agent.id)
    tx = ctx.plan()
    tx.replace(archived)
    run_keys.end_all(tx, live)
    tx.replace(pulse.changed(status=AgentStatus.OFFLINE, idle_at=None))
    api_keys.retire(tx, agent, held)
    follow(tx, runtimes.follows(agent), runtimes.follows(archived))
    continuations.begin(tx, ContinuationKind.AGENT_ARCHIVED, agent.id)
    told = AgentNamed(profile_key=agent.profile_key)
    events.record(tx, AGENT_ARCHIVED, told, subject_id=agent.id, action="archive")
    return _view(archived)


def _require_there(agent: AgentItem) -> None:
    if agent.archived_at is not None:
        raise Conflict("This agent was archived.", hint="There is no way back; set up a new one.")


def _require_reachable(ctx: Context, url: str | None) -> None:
    if url is not None:
        workspace = ctx.services.workspaces.get(ctx.caller.workspace_id)
        allow = destinations.exceptions_of(workspace, own_machine=ctx.services.own_machine)
        destinations.require_reachable(url, allow, field="webhookUrl")


def _view(agent: AgentItem) -> AgentDefinition:
    return AgentDefinition.of(agent, has_webhook_secret=agent.webhook_secret is not None)
