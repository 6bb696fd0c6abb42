"""issues.assign: whom an issue goes to, what is told of it, and what follows for issue and agent."""

from forge.work.record.log.events import EventKind
from tests.workshop.issues import (
    a_project,
    a_queued_issue,
    an_agents_key,
    an_issue,
    assign,
    description,
    events,
    head,
    last,
    load,
    queue,
)
from tests.workshop.office import Office


def test_an_issue_is_returned_with_its_agent(office: Office) -> None:
    issue_id, agent = an_issue(office), office.an_agent("worker", name="Wanda")

    given = assign(office, issue_id, agent["id"])

    assert given["assignedAgentId"] == agent["id"]
    assert given["assignedAgent"] == {"id": agent["id"], "profileKey": "worker", "name": "Wanda"}
    assert head(office, issue_id).assigned_agent_id == agent["id"]


def test_an_agent_takes_an_issue_by_its_own_profile_key_or_me(office: Office) -> None:
    issue_id, agent = an_issue(office), office.an_agent("worker")
    said = {"issueId": issue_id, "profileKey": "me"}

    given = office.call("issues.assign", said, key=office.an_agents_key(agent["id"]))

    assert given["assignedAgentId"] == agent["id"]
    assert office.refused("issues.assign", said) == (400, "invalid_input", {"profileKey"})


def test_one_event_tells_who_has_it_and_what_it_is(office: Office) -> None:
    project_id, label = a_project(office), office.a_label("bug")
    other = office.a_label("a11y")
    issue = office.call(
        "issues.create",
        {
            "title": "Fix it",
            "priority": "HIGH",
            "projectId": project_id,
            "labelIds": [label["id"], other["id"]],
        },
    )
    agent_id = office.an_agent()["id"]

    assign(office, issue["id"], agent_id, "REVIEW")

    (event,) = events(office, EventKind.AGENT_ASSIGNED)
    assert (event.subject_type, event.subject_id) == ("issue", issue["id"])
    assert event.payload == {
        "agentId": agent_id,
        "previousAgentId": None,
        "engagementMode": "REVIEW",
        "issueSnapshot": {
            "id": issue["id"],
            "number": issue["number"],
            "title": "Fix it",
            "priority": "HIGH",
            "statusId": issue["statusId"],
            "projectId": project_id,
            "labelNames": ["a11y", "bug"],
        },
    }


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


def test_taking_an_issue_back_is_told(office: Office) -> None:
    issue_id, agent_id = an_issue(office), office.an_agent()["id"]
    assign(office, issue_id, agent_id)

    taken = assign(office, issue_id, None)

    assert (taken["assignedAgentId"], taken["assignedAgent"]) == (None, None)
    issue = head(office, issue_id)
    assert (issue.assigned_agent_id, issue.assignment_mode) == (None, None)
    event = last(office, EventKind.AGENT_ASSIGNED)
    assert event.payload == {"agentId": None, "previousAgentId": agent_id}
    assert event.wakes == []


def test_giving_it_to_the_same_agent_without_a_mode_changes_nothing(office: Office) -> None:
    issue_id, agent_id = an_issue(office), office.an_agent()["id"]
    assign(office, issue_id, agent_id)
    before, rows = head(office, issue_id), len(office.log())
    office.world.clock.advance(minutes=1)

    assign(office, issue_id, agent_id)

    assert (head(office, issue_id), len(office.log())) == (before, rows)


def test_an_agents_template_fills_an_empty_description(office: Office) -> None:
    issue_id = an_issue(office)
    agent = office.an_agent("worker", templateMarkdown="## Steps")

    assign(office, issue_id, agent["id"])

    assert description(office, issue_id) == "## Steps"
    (told,) = events(office, EventKind.ISSUE_UPDATED)
    expected = {"fromAgentTemplate": True, "agentId": agent["id"], "profileKey": "worker"}
    assert told.payload.items() >= expected.items()


def test_it_stays_in_the_queue_for_the_agent_that_has_it(office: Office) -> None:
    issue_id, agent_id = a_queued_issue(office), office.an_agent()["id"]

    assign(office, issue_id, agent_id)

    assert queue(office) == [issue_id]
    assert office.call("issues.claim", {})["claimed"] is None
    own = office.call("issues.claim", {}, key=an_agents_key(office, agent_id))
    assert own["claimed"]["id"] == issue_id
