"""issues.assign: whom an issue goes to, what is told of it, and what follows for issue and agent."""

from tests.workshop.issues import (
    a_queued_issue,
    an_agents_key,
    an_issue,
    assign,
    head,
    load,
    queue,
)
from tests.workshop.office import Office


def test_an_agent_takes_an_issue_by_its_own_profile_key_or_me(office: Office) -> None:
    issue_id, agent = an_issue(office), office.an_agent("worker")
    said = {"issueId": issue_id, "profileKey": "me"}

    given = office.call("issues.assign", said, key=office.an_agents_key(agent["id"]))

    assert given["assignedAgentId"] == agent["id"]
    assert office.refused("issues.assign", said) == (400, "invalid_input", {"profileKey"})


def test_an_open_issue_is_load_for_the_agent_that_has_it(office: Office) -> None:
    issue_id = an_issue(office)
    first, second = office.an_agent("first")["id"], office.an_agent("second")["id"]

    assign(office, issue_id, first)
    loads = [(load(office, first), load(office, second))]
    assign(office, issue_id, second)
    loads.append((load(office, first), load(office, second)))
    assign(office, issue_id, None)
    loads.append((load(office, first), load(office, second)))

    assert loads == [(1, 0), (0, 1), (0, 0)]


def test_giving_it_to_the_same_agent_without_a_mode_changes_nothing(office: Office) -> None:
    issue_id, agent_id = an_issue(office), office.an_agent()["id"]
    assign(office, issue_id, agent_id)
    before, rows = head(office, issue_id), len(office.log())
    office.world.clock.advance(minutes=1)

    assign(office, issue_id, agent_id)

    assert (head(office, issue_id), len(office.log())) == (before, rows)


def test_it_stays_in_the_queue_for_the_agent_that_has_it(office: Office) -> None:
    issue_id, agent_id = a_queued_issue(office), office.an_agent()["id"]

    assign(office, issue_id, agent_id)

    assert queue(office) == [issue_id]
    assert office.call("issues.claim", {})["claimed"] is None
    own = office.call("issues.claim", {}, key=an_agents_key(office, agent_id))
    assert own["claimed"]["id"] == issue_id
