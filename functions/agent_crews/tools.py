"""The crews' tools."""

from forge.context import Context
from forge.contract.effects import FILTERED, Cost
from forge.contract.guards import Decider, Guarded, decided_by, settles_nothing
from forge.contract.models import Done, Page
from forge.contract.terms import Scope
from forge.contract.tools import Namespace
from forge.store.transactions import Transaction, overtaken
from forge.work.content.references.naming import ids_of_agents
from forge.work.issues.pages.listing import Pager
from forge.work.plans.goals import crew_loads, deciders
from forge.work.plans.goals.crew_loads import CrewLoadItem
from forge.work.plans.rules import MOST_CALLED
from forge.work.record.continuations import continuations
from forge.work.record.continuations.continuations import ContinuationKind
from forge.work.workspace.crews import crews
from forge.work.workspace.crews.announcements import CREW_CHANGED, CrewChanged
from forge.work.workspace.crews.crews import CrewItem
from functions.agent_crews.models import (
    AddMember,
    ArchiveCrew,
    CreateCrew,
    CrewCounts,
    CrewMemberView,
    CrewOrMember,
    CrewView,
    ListCrews,
    RemoveMember,
    SetMemberRole,
    UpdateCrew,
)

namespace = Namespace(
    "agentCrews", "See and keep the crews of agents that carry out plans.", writes=[Scope.ADMIN]
)

_AT_WORK = "agents.list shows the agents that can be in a crew."


@namespace.reads(
    costs=Cost(reads=2).up_to(reads=4, because=FILTERED),
    asks=[
        "what crews are there",
        "all crews",
        "list of crews",
        "crews and their members",
        "which agents work as a team",
        "who reviews in a crew",
    ],
)
def list(request: ListCrews, ctx: Context) -> Page[CrewView]:
    """List the crews, the one that changed last first, with their members and how many plans each has.

    Archived ones are left out unless you ask for them. Pass nextCursor as cursor for more.
    Example: {"limit": 20}
    """
    pager = Pager(Page[CrewView], request.fields)
    found = crews.list_page(
        ctx.table, ctx.caller.workspace_id, request, include_archived=request.include_archived
    )
    counts = crews.plan_counts(ctx.table, found.items)
    return pager.page(found, lambda crew: _view(crew, crews.plans_of(counts, crew)))


@namespace.writes(
    costs=Cost(reads=1, writes=1, items=25).up_to(reads=2, because="agents are named by their profileKeys"),
    emits=[CREW_CHANGED],
    guards=(decided_by(Decider.FOUNDER, Guarded.CREW),),
    asks=[
        "put a team of agents together",
        "found a crew",
        "a new crew",
        "set a crew up",
        "a crew with a planner, workers and a reviewer",
    ],
)
def create(request: CreateCrew, ctx: Context) -> CrewOrMember:
    """Create a crew and return its id.

    A name that exists is a conflict. The same agent in the same role twice counts once. To add an agent
    later, use agentCrews.addMember.
    Example: {"name": "Importers", "members": [{"agentId": "worker", "role": "WORKER"}]}
    """
    caller, now = ctx.caller, ctx.now()
    named = {f"members.{place}.agentId": one.agent_id for place, one in enumerate(request.members)}
    ids = ids_of_agents(ctx, named, hint=_AT_WORK)
    crew = CrewItem(
        workspace_id=caller.workspace_id,
        id=ctx.new_id("crew"),
        name=request.name,
        description=request.description,
        max_parallel=request.max_parallel,
        created_by_id=caller.user_id,
        created_at=now,
        updated_at=now,
    )
    for agent_id, member in zip(ids.values(), request.members, strict=True):
        deciders.require_founder(member.role, caller)
        crew = crews.joined(crew, ctx.new_id("mbr"), agent_id, member.role).crew
    crews.add(ctx.plan(), crew)
    return CrewOrMember(id=crew.id)


@namespace.writes(
    idempotent=True,
    costs=Cost(reads=2, writes=1, items=7).up_to(items=7 + MOST_CALLED, because="ten plans are called"),
    emits=[CREW_CHANGED],
    guards=(settles_nothing("roles stay as they are", Guarded.CREW),),
    asks=["rename a crew", "let a crew do more at once", "limit how many steps run in parallel"],
)
def update(request: UpdateCrew, ctx: Context) -> Done:
    """Change the name, the description or the limit of a crew; what is left out stays, `clear` empties.

    A name that exists is a conflict. A lower limit stops nothing that runs; with a higher one, steps that
    wait for a place begin within a minute.
    Example: {"id": "Importers", "maxParallel": 3}
    """
    crew = crews.get(ctx.table, ctx.caller.workspace_id, request.id)
    changed = crew.changed(**request.given())
    if changed == crew:
        return Done()
    is_raised = crew_loads.is_raised(crew.max_parallel, changed.max_parallel)
    place = CrewLoadItem.at(crew.workspace_id, crew.id)
    load = ctx.table.find(CrewLoadItem, place) if is_raised else None
    tx = ctx.plan()
    crews.save(
        tx, crew, changed, CrewChanged(action="updated", name=changed.name, max_parallel=changed.max_parallel)
    )
    if is_raised:
        _call_waiting(tx, changed, load)
    return Done()


@namespace.writes(
    idempotent=True,
    name="addMember",
    costs=Cost(reads=2, writes=1, items=5).up_to(reads=3, because="an agent is named by its profileKey"),
    emits=[CREW_CHANGED],
    guards=(decided_by(Decider.FOUNDER, Guarded.CREW),),
    asks=[
        "put an agent into a crew",
        "an agent joins a crew",
        "one more member for the crew",
        "a crew needs a reviewer",
    ],
)
def add_member(request: AddMember, ctx: Context) -> CrewOrMember:
    """Put an agent into a crew, behind all others, and return the id of its membership.

    An agent that has this role there already keeps its membership. One agent may have several roles.
    Example: {"crewId": "Importers", "agentId": "reviewer", "role": "REVIEWER"}
    """
    crew = crews.get(ctx.table, ctx.caller.workspace_id, request.crew_id)
    agent_id = ids_of_agents(ctx, {"agentId": request.agent_id}, hint=_AT_WORK)["agentId"]
    deciders.require_may_give(request.role, agent_id, ctx.caller)
    changed, member = crews.joined(crew, ctx.new_id("mbr"), agent_id, request.role)
    if changed is not crew:
        crews.save(ctx.plan(), crew, changed, crews.told_of(crew, member, action="member-added"))
    return CrewOrMember(id=member.id)


@namespace.writes(
    destructive=True,
    name="removeMember",
    costs=Cost(reads=2, writes=1, items=5),
    emits=[CREW_CHANGED],
    guards=(decided_by(Decider.FOUNDER, Guarded.CREW),),
    asks=[
        "take an agent out of a crew",
        "somebody leaves the crew",
        "an agent is removed from its crew",
        "drop a member from a crew",
    ],
)
def remove_member(request: RemoveMember, ctx: Context) -> Done:
    """End one membership; in its other roles the agent stays in the crew.

    To change the role instead, use agentCrews.setMemberRole. Example: {"memberId": "mbr_01J…"}
    """
    crew = crews.get_of_member(ctx.table, ctx.caller.workspace_id, request.member_id)
    gone = crew.member(request.member_id)
    deciders.require_may_take(gone.role, ctx.caller)
    told = crews.told_of(crew, gone, action="member-removed")
    crews.save(ctx.plan(), crew, crews.left_by(crew, gone.id), told)
    return Done()


@namespace.writes(
    idempotent=True,
    name="setMemberRole",
    costs=Cost(reads=2, writes=1, items=4),
    emits=[CREW_CHANGED],
    guards=(decided_by(Decider.FOUNDER, Guarded.CREW),),
    asks=[
        "make a member of the crew its planner",
        "another role in the crew",
        "from worker to reviewer in the crew",
    ],
)
def set_member_role(request: SetMemberRole, ctx: Context) -> CrewOrMember:
    """Give a member of a crew another role, and return the id of the membership.

    A role that the agent has there already by another membership is a conflict.
    Example: {"memberId": "mbr_01J…", "role": "PLANNER"}
    """
    crew = crews.get_of_member(ctx.table, ctx.caller.workspace_id, request.member_id)
    changed = crews.in_another_role(crew, request.member_id, request.role)
    if changed != crew:
        member = crew.member(request.member_id)
        deciders.require_may_take(member.role, ctx.caller)
        deciders.require_may_give(request.role, member.agent_id, ctx.caller)
        told = crews.told_of(crew, changed.member(request.member_id), action="member-role-changed")
        crews.save(ctx.plan(), crew, changed, told)
    return CrewOrMember(id=request.member_id)


@namespace.writes(
    destructive=True,
    costs=Cost(reads=1, writes=1, items=5),
    emits=[CREW_CHANGED],
    guards=(decided_by(Decider.FOUNDER, Guarded.CREW),),
    asks=["dissolve a crew", "break up a crew", "disband it", "a crew is not needed any more"],
)
def archive(request: ArchiveCrew, ctx: Context) -> Done:
    """Archive a crew for good: nothing new is given to it, and its name is free again.

    One that was archived before is not found. Example: {"id": "Importers"}
    """
    crew = crews.get(ctx.table, ctx.caller.workspace_id, request.id)
    for member in crew.members:
        deciders.require_may_take(member.role, ctx.caller)
    gone = crew.changed(archived_at=ctx.now())
    crews.save(ctx.plan(), crew, gone, CrewChanged(action="archived", name=crew.name))
    return Done()


def _view(crew: CrewItem, plans: int) -> CrewView:
    members = [CrewMemberView.of(one) for one in crew.members]
    return CrewView.of(crew, members=members, counts=CrewCounts(members=len(members), plans=plans))


def _call_waiting(tx: Transaction, crew: CrewItem, load: CrewLoadItem | None) -> None:
    """Have the plans that wait for a place of the crew look again; those behind them are called by them.

    There is none where nothing of the crew was ever at work. The load is written even if nobody waits: a plan
    that is about to wait under the old limit decides anew.
    """
    if load is None:
        tx.create(CrewLoadItem(workspace_id=crew.workspace_id, crew_id=crew.id), refusal=overtaken)
        return
    after, called = load.next_in_line(crew.max_parallel, most=MOST_CALLED)
    tx.replace(after)
    for plan_id in called:
        continuations.begin(tx, ContinuationKind.PLAN_GOES_ON, plan_id)
