"""What the page about scale is made of is still what a task costs."""

from forge.store.connections import Connections
from infra.scale.recorded import recorded_task
from tests.capacity.recording import played
from tests.capacity.shares import task_of


def test_a_task_costs_what_was_recorded(served_connections: Connections) -> None:
    found = task_of(played(served_connections, name="scale"))

    assert found == recorded_task(), "run make capacity, then make generate"
