"""Ids for names that stand inside other arguments, such as in each of several steps or members."""

from collections.abc import Mapping

from forge.context import Context
from forge.contract.references import Kind
from forge.errors import Conflict
from forge.store.keys import Key
from forge.store.readings import Readings
from forge.work.content.references.resolving import found_in, keys_of
from forge.work.issues.desks import Reference, find_id, read_issues, settings_key, unknown_reference
from forge.work.issues.pages.sights import require_unnarrowed
from forge.work.workspace.crews.crews import CrewItem
from forge.work.workspace.meanings import unknown
from forge.work.workspace.people.agents import AgentItem


def ids_of_agents(ctx: Context, given: Mapping[str, str], *, hint: str) -> dict[str, str]:
    """The id of each agent that a field names by id or profileKey; all of them must be at work here."""
    named, ids = _ids_of(ctx, Kind.AGENT, given)
    _require_at_work(named, ctx, ids, hint=hint)
    return ids


def ids_of_people(ctx: Context, given: Mapping[str, str]) -> dict[str, str]:
    """The same for members of the workspace, by id or handle."""
    return _ids_of(ctx, Kind.PERSON, given)[1]


def _ids_of(ctx: Context, kind: Kind, given: Mapping[str, str]) -> tuple[Readings, dict[str, str]]:
    """Nothing is read where nothing was named."""
    named = ctx.table.read(key for one in given.values() for key in keys_of(ctx, kind, one))
    ids: dict[str, str] = {}
    for field, one in given.items():
        found = found_in(named, ctx, kind, one)
        if found is None:
            raise unknown(kind, field, one)
        ids[field] = found
    return named, ids


def _require_at_work(known: Readings, ctx: Context, ids: Mapping[str, str], *, hint: str) -> None:
    places = {field: AgentItem.at(ctx.caller.workspace_id, agent_id) for field, agent_id in ids.items()}
    known.fetch(places.values())
    for field, place in places.items():
        agent = known.find(AgentItem, place)
        if agent is None:
            raise unknown(Kind.AGENT, field, ids[field])
        if agent.archived_at is not None:
            raise Conflict(
                f"The agent {agent.profile_key} was archived.", hint=hint, issues={field: "Archived."}
            )


def require_referred(
    ctx: Context, *, issue: str | None, things: Mapping[str, tuple[Kind, str | None]], what: str
) -> str | None:
    """All that a new thing refers to is there, and its issue is one that the caller may see: its id.

    One request, and another where the issue was named by its identifier.
    """
    issue_id = find_id(ctx, issue) if issue else None
    given = {field: (kind, one) for field, (kind, one) in things.items() if one}
    places = {field: keys_of(ctx, kind, str(one))[0] for field, (kind, one) in given.items()}
    reach = read_issues(ctx, [issue_id] if issue_id else [], also=[settings_key(ctx), *places.values()])
    for field, (kind, one) in given.items():
        if not _is_there(reach.readings, kind, places[field]):
            raise unknown(kind, field, str(one))
    if issue_id is None:
        require_unnarrowed(ctx.caller, what)
        return None
    missing = unknown_reference("issueId", str(issue))
    return reach.show(Reference(issue_id), missing=missing).id


def _is_there(known: Readings, kind: Kind, place: Key) -> bool:
    """A crew that was archived gets nothing new, and is as good as gone."""
    if kind is Kind.CREW:
        crew = known.find(CrewItem, place)
        return crew is not None and crew.archived_at is None
    return known.has(place)
