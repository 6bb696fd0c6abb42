"""Two who change something in one run of the gateway: one does, and the other is told to wait."""

from threading import Event

import pytest

from forge.store.store import Store
from forge.testing.instruments import Parameters, Send, watched
from forge.testing.world import World
from tests.integration.races.crowds import at_once
from tests.unit.gateway.test_gates import analyse, change, gates
from tests.workshop.interference import COMMIT
from tests.workshop.office import Body, Office

_ENOUGH = 20.0


class Meeting:
    """Holds whoever is about to change the issue until the other one has been answered."""

    def __init__(self) -> None:
        self.is_over = Event()

    def __call__(self, operation: str, parameters: Parameters, send: Send) -> dict[str, object]:
        if operation == COMMIT and any(_is_head(write) for write in parameters["TransactItems"]):
            assert self.is_over.wait(_ENOUGH)
        return send(**parameters)


def _is_head(write: Body) -> bool:
    return any(str(one.get("Item", {}).get("sk", {}).get("S")) == "X#META" for one in write.values())


@pytest.fixture
def meeting() -> Meeting:
    return Meeting()


def test_of_two_changes_of_one_run_at_once_one_is_executed_and_the_other_is_told_that_it_is_busy(
    store: Store, meeting: Meeting
) -> None:
    office = Office(World(store=watched(store, meeting)))
    analyse(office)

    def execute(place: int) -> Body:
        answer: Body = office.call("gateway.execute", change())
        meeting.is_over.set()
        return answer

    answers = at_once(2, execute)

    (done,) = [answer for answer in answers if answer["ok"]]
    (refused,) = [answer for answer in answers if not answer["ok"]]
    assert (refused["error"]["code"], refused["error"]["retryable"]) == ("RUN_BUSY", True)
    assert [row["id"] for row in office.rows("issues.list")] == [done["result"]["data"]["id"]]
    assert gates(office) == ["analysis-done", "execution-done"]
