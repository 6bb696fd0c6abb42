"""The transcript of the guide on goals and plans, played over MCP with the keys that it names."""

from forge.store.store import Store
from forge.testing.world import World
from tests.integration.guides.test_guides import GUIDES
from tests.integration.guides.transcripts import Play, lines_of
from tests.workshop.office import Office


def test_the_transcript_of_the_guide_is_what_happens(store: Store) -> None:
    office, lines = Office(World(store=store)), [*lines_of(GUIDES / "orchestration.md")]
    agents = {name: office.an_agent(name)["id"] for name in ("planner", "worker", "reviewer")}
    keys = {name: office.an_agents_key(agent_id) for name, agent_id in agents.items()}
    ids = {f"${name}": agent_id for name, agent_id in agents.items()}
    play = Play(office.world, {"owner": office.owner_key, **keys}, ids)

    for line in lines:
        play.act(line)

    assert len(lines) > 20
