"""Crews: agents with roles who carry out plans together, and how many steps they do at once."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from forge.errors import Conflict, NotFound, PreconditionFailed
from forge.store.items import Item, Part
from forge.store.keys import REFERENCES, At, Partition, Shared
from forge.store.pages import AskedPage, Found, read_page
from forge.store.places import In
from forge.store.readings import Readings
from forge.store.table import Table
from forge.store.transactions import Transaction
from forge.store.walks import one_partition
from forge.work.record.log import events
from forge.work.workspace import taken_names
from forge.work.workspace.crews.announcements import CREW_CHANGED, CrewChanged, CrewRole

KIND = "CREW"
MOST_MEMBERS = 20


class CrewMember(Part):
    id: str
    agent_id: str
    role: CrewRole
    position: int


CREWS = Partition("WS#{workspace_id}#CREWS")
CREWS_LISTED = Partition("WS#{workspace_id}#UPDATED#CREW")
CREW_PLANS = Shared(CREWS, "PLANS#{crew_id}")
"""How many plans a crew has that are not over."""


class CrewItem(Item):
    stored = At(CREWS, "CREW#{id}")
    indexed = (In("updated", CREWS_LISTED, "{updated_at}#{id}"),)

    workspace_id: str
    id: str
    name: str
    description: str | None = None
    max_parallel: int = 1
    """Steps at a time over all plans; 0 is as many as there are."""
    members: list[CrewMember] = []
    """By position. One agent may have several roles."""
    created_by_id: str | None = None
    created_at: datetime
    updated_at: datetime
    archived_at: datetime | None = None

    @property
    def owner(self) -> taken_names.Owner:
        return taken_names.Owner(self.workspace_id, KIND, self.id, field="name")

    def member(self, member_id: str) -> CrewMember:
        found = next((one for one in self.members if one.id == member_id), None)
        if found is None:
            raise no_such_member(member_id)
        return found

    def holding(self, agent_id: str, role: CrewRole) -> CrewMember | None:
        return next((one for one in self.members if (one.agent_id, one.role) == (agent_id, role)), None)


class MemberPlaceItem(Item):
    """Which crew a member is of: members are named by their own id alone."""

    stored = At(REFERENCES, "REF", name="member_id")

    workspace_id: str
    member_id: str
    crew_id: str


class Joined(NamedTuple):
    """A crew with one more, and the member; the same crew where the agent had the role before."""

    crew: CrewItem
    member: CrewMember


def joined(crew: CrewItem, member_id: str, agent_id: str, role: CrewRole) -> Joined:
    """The crew with the agent in this role, behind all others."""
    known = crew.holding(agent_id, role)
    if known is not None:
        return Joined(crew, known)
    if len(crew.members) >= MOST_MEMBERS:
        raise PreconditionFailed(
            f"A crew has at most {MOST_MEMBERS} members.",
            hint="Remove one with agentCrews.removeMember, or found another crew.",
        )
    position = max((one.position for one in crew.members), default=-1) + 1
    member = CrewMember(id=member_id, agent_id=agent_id, role=role, position=position)
    return Joined(crew.changed(members=[*crew.members, member]), member)


def in_another_role(crew: CrewItem, member_id: str, role: CrewRole) -> CrewItem:
    member = crew.member(member_id)
    other = crew.holding(member.agent_id, role)
    if other is not None and other.id != member_id:
        raise Conflict(
            f"This agent is a {role} of the crew already.",
            hint="Remove one of the two memberships with agentCrews.removeMember.",
            details={"memberId": other.id},
        )
    changed = member.model_copy(update={"role": role})
    return crew.changed(members=[changed if one.id == member_id else one for one in crew.members])


def left_by(crew: CrewItem, member_id: str) -> CrewItem:
    crew.member(member_id)
    return crew.changed(members=[one for one in crew.members if one.id != member_id])


def get(table: Table, workspace_id: str, crew_id: str) -> CrewItem:
    """A crew that can be changed: one that exists and is not archived."""
    missing = no_such_crew(crew_id)
    found = table.get(CrewItem, CrewItem.at(workspace_id, crew_id), missing=missing)
    if found.archived_at is not None:
        raise missing
    return found


def get_of_member(table: Table, workspace_id: str, member_id: str) -> CrewItem:
    named = MemberPlaceItem.at(workspace_id, member_id)
    place = table.read([named]).find_named(MemberPlaceItem, named)
    if place is None:
        raise no_such_member(member_id)
    return get(table, workspace_id, place.crew_id)


def list_page(
    table: Table, workspace_id: str, asked: AskedPage, *, include_archived: bool
) -> Found[CrewItem]:
    """By their last change, the newest first."""
    listing = one_partition(CREWS_LISTED(workspace_id), "updated", is_descending=True)
    return read_page(
        table, CrewItem, listing, asked, accepts=lambda crew: include_archived or crew.archived_at is None
    )


def list_named(table: Table, workspace_id: str, *, most: int = 1000) -> list[CrewItem]:
    """Those that are not archived, for whoever looks for a name."""
    partition = CREWS(workspace_id)
    rows = table.query_all(partition, most=most, because="any may have the name").first_ones()
    return [one for one in rows.of(CrewItem) if one.archived_at is None]


def plan_counts(table: Table, found: Iterable[CrewItem]) -> Readings:
    return table.read(CREW_PLANS(one.workspace_id, one.id) for one in found)


def plans_of(counts: Readings, crew: CrewItem) -> int:
    return counts.number(CREW_PLANS(crew.workspace_id, crew.id), "plans")


def add(tx: Transaction, crew: CrewItem) -> None:
    tx.create(crew)
    taken_names.take(tx, crew.owner, crew.name)
    for member in crew.members:
        tx.create(_place(crew, member))
    _announce(tx, None, crew, CrewChanged(action="created", name=crew.name, max_parallel=crew.max_parallel))


def save(tx: Transaction, before: CrewItem, changed: CrewItem, told: CrewChanged) -> None:
    """Store a changed crew with its name and the places of its members, and announce what was done."""
    after = changed.changed(updated_at=tx.origin.now)
    tx.replace(after)
    name = after.name if after.archived_at is None else None
    taken_names.move(tx, after.owner, old=before.name, new=name)
    known, wanted = ({one.id: one for one in crew.members} for crew in (before, after))
    for member_id in wanted.keys() - known.keys():
        tx.create(_place(after, wanted[member_id]))
    for member_id in known.keys() - wanted.keys():
        tx.delete(_place(after, known[member_id]))
    _announce(tx, before, after, told)


def told_of(crew: CrewItem, member: CrewMember, *, action: str) -> CrewChanged:
    return CrewChanged(
        action=action, name=crew.name, member_id=member.id, agent_id=member.agent_id, role=member.role
    )


def no_such_crew(crew_id: str) -> NotFound:
    return NotFound(f"There is no crew {crew_id[:60]!r}.", hint="agentCrews.list shows them.")


def no_such_member(member_id: str) -> NotFound:
    return NotFound(
        f"No crew has a member {member_id[:60]!r}.", hint="agentCrews.list shows the members of each."
    )


def _place(crew: CrewItem, member: CrewMember) -> MemberPlaceItem:
    return MemberPlaceItem(workspace_id=crew.workspace_id, member_id=member.id, crew_id=crew.id)


def _announce(tx: Transaction, before: CrewItem | None, after: CrewItem, told: CrewChanged) -> None:
    events.record(tx, CREW_CHANGED, told, subject_id=after.id, action=told.action, before=before, after=after)
