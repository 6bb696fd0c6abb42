"""What is asked is kept as it was said, refers only to what is there, and reaches whom it is for."""

import pytest

from tests.workshop.issues import an_issue
from tests.workshop.office import Body, Office
from tests.workshop.requests import OPTIONS, asked, card, request_events

A_QUESTION = {
    "title": "  I see three ways to fix this — pick one ",
    "body": "We can retry, isolate, or rewrite. Each has tradeoffs.",
    "kind": "FREE_FORM",
    "payload": {"statusId": "Done"},
    "options": OPTIONS,
    "assignedUserId": "ADA",
    "severity": "WARNING",
    "sourceType": "pipeline",
    "sourceId": "p1",
    "dueAt": "2999-01-01T00:00:00Z",
}


def test_a_question_is_kept_as_it_was_asked(office: Office) -> None:
    issue_id, ada = an_issue(office), office.a_colleague(handle="ada")

    made = office.call("actionRequests.create", {**A_QUESTION, "issueId": issue_id})

    row = card(office, made["id"])
    assert made == {"id": made["id"], "url": f"/console/requests/{made['id']}"}
    assert made["id"].startswith("ar_")
    assert row["title"] == "I see three ways to fix this — pick one"
    assert (row["status"], row["kind"], row["payload"], row["options"]) == (
        "OPEN",
        "FREE_FORM",
        None,
        OPTIONS,
    )
    assert (row["assignedUserId"], row["assignedTo"]) == (ada.id, "@ada")
    assert (row["requestedByUserId"], row["requestedByAgentId"]) == (office.owner_id, None)


def test_a_request_is_told_with_what_it_is_about(office: Office) -> None:
    issue_id, due = an_issue(office), "2999-01-01T00:00:00Z"

    request_id = asked(office, issueId=issue_id, severity="WARNING", dueAt=due, options=OPTIONS)

    (event,) = request_events(office)
    assert (event.kind, event.subject_id, event.issue_id) == ("ISSUE_UPDATED", request_id, issue_id)
    assert event.payload == {
        "title": "May I?",
        "severity": "WARNING",
        "kind": "FREE_FORM",
        "assignedUserId": None,
        "assignedAgentId": None,
        "sourceType": None,
        "sourceId": None,
        "issueId": issue_id,
        "dueAt": event.payload["dueAt"],
        "optionKeys": ["retry", "isolate", "rewrite"],
    }


def test_an_agents_request_is_the_agents_and_a_sign_of_life_of_its_run(office: Office) -> None:
    issue_id, agent = an_issue(office), office.an_agent()
    office.call("issues.assign", {"issueId": issue_id, "agentId": agent["id"]})
    key = office.an_agents_key(agent["id"])
    office.world.clock.advance(minutes=10)

    request_id = asked(office, key=key, issueId=issue_id)

    row = card(office, request_id)
    (run,) = office.rows("runs.list", {"issueId": issue_id})
    assert (row["requestedByUserId"], row["requestedByAgentId"]) == (None, agent["id"])
    assert row["requestedBy"] == "@worker"
    assert run["lastEventAt"] == row["createdAt"]


@pytest.mark.parametrize("is_about_an_issue", [True, False])
def test_an_agent_that_it_is_for_is_woken(office: Office, is_about_an_issue: bool) -> None:
    agent_id = office.an_agent()["id"]
    about = {"issueId": an_issue(office)} if is_about_an_issue else {}

    asked(office, assignedAgentId="worker", **about)

    (event,) = request_events(office)
    (wake,) = event.wakes
    assert wake.agent_id == agent_id
    assert (wake.run_id is not None) is is_about_an_issue


def test_what_a_yes_does_is_kept_by_id_and_what_the_kind_does_not_take_is_dropped(office: Office) -> None:
    issue_id, bug = an_issue(office), office.a_label("bug")
    payload = {"add": ["Bug"], "remove": [], "statusId": "Done", "note": "not ours"}

    request_id = asked(office, issueId=issue_id, kind="SET_LABELS", payload=payload)

    row = card(office, request_id)
    assert row["payload"] == {"add": [bug["id"]]}
    assert row["effect"] == f"Changes the labels of {row['identifier']}: +bug."


@pytest.mark.parametrize(
    ("kind", "payload", "field"),
    [
        ("TRANSITION", {"statusId": "Nowhere"}, "payload.statusId"),
        ("TRANSITION", {}, "payload.statusId"),
        ("SET_LABELS", {"add": ["nothing"]}, "payload.add"),
        ("SET_LABELS", {}, "payload.add"),
        ("ASSIGN", {"userIds": ["usr_0000001"]}, "payload.userIds"),
        ("ASSIGN_AGENT", {"agentId": "nobody"}, "payload.agentId"),
        ("CLOSE_AS_DUPLICATE", {"duplicateOfIssueId": "iss_none"}, "payload.duplicateOfIssueId"),
    ],
)
def test_a_payload_that_leads_nowhere_is_refused_by_name(
    office: Office, kind: str, payload: dict[str, object], field: str
) -> None:
    order = {"title": "May I?", "issueId": an_issue(office), "kind": kind, "payload": payload}

    assert office.refused("actionRequests.create", order) == (400, "invalid_input", {field})
    assert request_events(office) == []


def test_what_changes_an_issue_says_which_and_is_no_duplicate_of_itself(office: Office) -> None:
    issue_id = an_issue(office)
    itself = {"kind": "CLOSE_AS_DUPLICATE", "payload": {"duplicateOfIssueId": issue_id}}

    no_issue = office.refused("actionRequests.create", {"title": "Archive it", "kind": "ARCHIVE"})
    of_itself = office.refused("actionRequests.create", {"title": "It", "issueId": issue_id, **itself})

    assert no_issue == (400, "invalid_input", {"issueId"})
    assert of_itself == (400, "invalid_input", {"payload.duplicateOfIssueId"})


def test_options_are_at_least_two_that_differ(office: Office) -> None:
    for options in (OPTIONS[:1], [OPTIONS[0], OPTIONS[0]], OPTIONS * 3):
        refused = office.refused("actionRequests.create", {"title": "Which?", "options": options})
        assert refused == (400, "invalid_input", {"options"})


def test_an_archived_agent_is_neither_told_nor_proposed(office: Office) -> None:
    agent_id, issue_id = office.an_agent()["id"], an_issue(office)
    office.call("agents.archive", {"id": agent_id})
    proposal: Body = {"kind": "ASSIGN_AGENT", "payload": {"agentId": agent_id}, "issueId": issue_id}

    for more in ({"assignedAgentId": agent_id}, proposal):
        assert office.refused("actionRequests.create", {"title": "Look", **more})[0] == 409


def test_a_narrowed_key_asks_about_what_it_sees(office: Office) -> None:
    project_id = office.call("projects.create", {"key": "SITE", "name": "Website"})["id"]
    inside, outside = an_issue(office, projectId=project_id), an_issue(office)
    key = office.a_narrowed_key(project_ids=[project_id])

    for about in ({"issueId": outside}, {}):
        order = {"title": "May I?", **about}
        assert office.refused("actionRequests.create", order, key=key) == (403, "forbidden", set())
    assert asked(office, key=key, issueId=inside)
