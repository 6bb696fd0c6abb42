"""A run is its agent's: no other tells how it goes."""

import pytest

from tests.workshop.office import Body, Office
from tests.workshop.runs import engaged


@pytest.mark.parametrize(
    ("tool", "more"),
    [
        ("runs.complete", {"summary": "Fixed."}),
        ("runs.recordUsage", {"tokensIn": 1}),
        ("runs.resumeWork", {}),
        ("runs.setWaiting", {}),
    ],
)
def test_a_run_of_another_agent_is_refused(office: Office, tool: str, more: Body) -> None:
    worker, other = engaged(office), engaged(office)
    before = worker.run

    refused = office.refused(tool, {"runId": worker.run_id, **more}, key=other.key)

    assert refused == (403, "forbidden", set())
    assert worker.run == before
