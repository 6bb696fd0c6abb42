"""A tool that says it only reads leaves the table as it was, apart from the count of its caller's calls."""

from forge.store.store import Store
from forge.testing.instruments import Counter, watched
from forge.testing.world import World
from tests.contract.calls import every_reading_sample
from tests.contract.dumps import content
from tests.contract.stage import Sample, Stage, prepare


@every_reading_sample
def test_a_reading_tool_changes_nothing(sample: Sample, store: Store) -> None:
    requests = Counter()
    world = World(store=watched(store, requests))
    ready = prepare(sample, Stage(world))
    before = content(store)
    requests.reset()

    answer = ready.send(world, idempotency_key="of no use here")

    assert answer.status == 200, answer.body
    assert content(store) == before
    assert requests.writes == 0
