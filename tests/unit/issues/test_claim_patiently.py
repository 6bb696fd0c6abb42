"""issues.claim {waitSeconds} of a client that can't come back: it is waited for, but not long."""

import json
from typing import Any

import pytest

from forge.testing.instruments import Parameters, Send
from functions.issues.repository.sleeping import LONGEST
from tests.workshop.interference import let_pass
from tests.workshop.issues import a_queued_issue, an_issue
from tests.workshop.office import Office


def test_what_comes_meanwhile_is_claimed(office: Office) -> None:
    issue, begun = an_issue(office), office.world.clock()

    def later(operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
        if office.world.clock() > begun:
            office.interference.handle = let_pass
            office.call("issues.queue", {"id": issue})
        return send(**parameters)

    office.interference.handle = later
    claimed = office.call("issues.claim", {"waitSeconds": 10})["claimed"]

    assert claimed["id"] == issue
    assert office.world.clock() > begun


@pytest.mark.parametrize(("wanted", "waited"), [(5, 5), (20, LONGEST), (86_400, LONGEST)])
def test_it_waits_as_long_as_asked_and_never_long(office: Office, wanted: int, waited: int) -> None:
    begun = office.world.clock()

    answer = office.call("issues.claim", {"waitSeconds": wanted})

    assert answer == {"claimed": None, "reason": "nothing-queued"}
    assert (office.world.clock() - begun).total_seconds() == pytest.approx(waited, abs=0.1)


def test_it_does_not_wait_beyond_the_time_of_its_call(office: Office) -> None:
    begun, office.world.seconds = office.world.clock(), 2.0

    office.call("issues.claim", {"waitSeconds": 20})

    office.world.seconds = 25.0
    assert office.world.clock() == begun


def test_without_waiting_nothing_is_waited_for(office: Office) -> None:
    begun = office.world.clock()

    office.call("issues.claim", {})

    assert office.world.clock() == begun


def test_who_names_an_issue_is_told_at_once(office: Office) -> None:
    begun, issue = office.world.clock(), a_queued_issue(office)
    office.call("issues.claim", {"issueId": issue})

    other = office.an_agents_key()
    answer = office.call("issues.claim", {"issueId": issue, "waitSeconds": 20}, key=other)

    assert answer["reason"] == "already-claimed"
    assert office.world.clock() == begun


def test_no_more_than_a_day_can_be_asked_for(office: Office) -> None:
    assert office.refused("issues.claim", {"waitSeconds": 86_401}) == (400, "invalid_input", {"waitSeconds"})


def test_the_field_is_not_in_the_short_list(office: Office) -> None:
    listed = json.loads(office.world.modern("tools/list", key=office.owner_key).body)["result"]["tools"]

    (claim,) = [tool for tool in listed if tool["name"] == "issues_claim"]
    assert "waitSeconds" not in claim["inputSchema"]["properties"]
