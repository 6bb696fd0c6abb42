"""Sleepers that are narrowed, killed with their server, or find that others go on."""

from typing import Any

import pytest

from forge.testing.faults import ProcessDied
from forge.testing.instruments import Parameters, Send
from tests.workshop.interference import COMMIT, let_pass, only
from tests.workshop.issues import a_project, a_queued_issue
from tests.workshop.office import Office
from tests.workshop.tasks import Client, asleep, claimed, relay


@pytest.fixture
def client(office: Office) -> Client:
    return Client(office, office.an_agents_key())


def test_a_claim_that_was_kept_up_is_waited_for_again(office: Office, client: Client) -> None:
    issue = a_queued_issue(office)
    office.call("issues.claim", {"issueId": issue, "claimTtlMinutes": 10})
    task_id = asleep(client)
    office.world.clock.advance(minutes=9)
    office.call("issues.claim", {"issueId": issue, "claimTtlMinutes": 10})

    office.world.clock.advance(minutes=2)
    assert client.get(task_id)["status"] == "working"

    office.world.clock.advance(minutes=9)
    assert claimed(client.get(task_id)) == issue


def test_a_narrowed_key_is_woken_by_what_it_may_see(office: Office) -> None:
    inside, outside = a_project(office), a_project(office, "OTHER")
    key = office.a_narrowed_key(project_ids=[inside])
    client = Client(office, key)
    task_id = asleep(client)
    office.world.clock.advance(minutes=5)

    a_queued_issue(office, projectId=outside)
    assert relay(office) == 0
    issue = a_queued_issue(office, projectId=inside)
    assert relay(office) == 1

    assert claimed(client.get(task_id)) == issue


def test_a_server_that_dies_before_it_claims_leaves_the_issue_to_the_next_question(
    office: Office, client: Client
) -> None:
    task_id = asleep(client)
    office.world.clock.advance(minutes=5)
    issue = a_queued_issue(office)
    relay(office)

    office.meanwhile(_die)
    with pytest.raises(ProcessDied):
        client.get(task_id)

    assert claimed(client.get(task_id)) == issue


def test_a_server_that_dies_with_the_answer_has_claimed_once(office: Office, client: Client) -> None:
    task_id = asleep(client)
    office.world.clock.advance(minutes=5)
    a_queued_issue(office)
    a_queued_issue(office)
    relay(office)

    office.interference.handle = only(COMMIT, _die_after)
    with pytest.raises(ProcessDied):
        client.get(task_id)
    office.interference.handle = let_pass

    first, second = client.get(task_id), client.get(task_id)
    assert claimed(first) == claimed(second) is not None
    assert len(office.rows("runs.list", {})) == 1


def _die() -> None:
    raise ProcessDied


def _die_after(operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
    send(**parameters)
    raise ProcessDied
