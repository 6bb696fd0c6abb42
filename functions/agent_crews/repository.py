"""The agents that a crew is made of."""

from collections.abc import Mapping

from forge.context import Context
from forge.contract.references import Kind
from forge.errors import Conflict
from forge.store.readings import Readings
from forge.work.people import people_keys
from forge.work.people.agents import AgentItem
from forge.work.references.meanings import unknown
from forge.work.references.resolving import found_in, keys_of


def ids_of_agents(ctx: Context, given: Mapping[str, str]) -> dict[str, str]:
    """The id of each agent that a field names by id or profileKey; all of them must be at work here."""
    if not given:
        return {}
    named = ctx.table.read(key for one in given.values() for key in keys_of(ctx, Kind.AGENT, one))
    ids: dict[str, str] = {}
    for field, one in given.items():
        found = found_in(named, ctx, Kind.AGENT, one)
        if found is None:
            raise unknown(Kind.AGENT, field, one)
        ids[field] = found
    _require_at_work(named, ctx, ids)
    return ids


def _require_at_work(known: Readings, ctx: Context, ids: Mapping[str, str]) -> None:
    places = {field: people_keys.agent(ctx.caller.workspace_id, agent_id) for field, agent_id in ids.items()}
    known.fetch(places.values())
    for field, place in places.items():
        agent = known.find(AgentItem, place)
        if agent is None:
            raise unknown(Kind.AGENT, field, ids[field])
        if agent.archived_at is not None:
            raise Conflict(
                f"The agent {agent.profile_key} was archived.",
                hint="agents.list shows the agents that can be in a crew.",
                issues={field: "Archived."},
            )
