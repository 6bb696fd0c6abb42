"""What is not there, not to be seen or without a text becomes no artifact."""

import pytest

from tests.unit.artifacts.sources import SOURCES, a_comment, a_source, promoted
from tests.workshop.artifacts import a_full_issue, an_engaged_key
from tests.workshop.issues import a_project, an_issue, head
from tests.workshop.office import Office


def test_a_source_without_a_text_is_a_conflict(office: Office) -> None:
    issue_id = an_issue(office)
    agent_id = office.an_agent()["id"]
    office.call("issues.assign", {"issueId": issue_id, "agentId": agent_id})
    run_id = head(office, issue_id).current_run_id
    blank = an_issue(office, description=" \n ")
    logged = office.log()

    for kind, source_id in (("issue", issue_id), ("issue", blank), ("agent-run", run_id)):
        refused = office.refused("artifacts.promote", {"sourceType": kind, "sourceId": source_id})

        assert refused == (409, "conflict", set())
    assert office.log() == logged


def test_a_deleted_comment_is_not_found(office: Office) -> None:
    _, order = a_source(office, "comment")
    office.call("comments.delete", {"id": order["sourceId"]})

    assert office.refused("artifacts.promote", order) == (404, "not_found", set())


@pytest.mark.parametrize("kind", SOURCES)
def test_an_unknown_source_is_not_found(office: Office, other_office: Office, kind: str) -> None:
    _, foreign = a_source(other_office, kind)
    issue_id, own = a_source(office, kind)
    others = [a_source(office, other)[1]["sourceId"] for other in SOURCES if other != kind]

    for source_id in ("unknown", foreign["sourceId"], f"{issue_id}#agt_1", *others):
        refused = office.refused("artifacts.promote", own | {"sourceId": source_id})

        assert refused == (404, "not_found", set())
    assert office.rows("artifacts.list") == other_office.rows("artifacts.list") == []


@pytest.mark.parametrize("kind", SOURCES)
def test_a_narrowed_key_needs_to_see_the_source_and_where_it_goes(office: Office, kind: str) -> None:
    project_id = a_project(office)
    ours, own = a_source(office, kind, projectId=project_id)
    theirs, hidden = a_source(office, kind)
    key = office.a_narrowed_key(project_ids=[project_id])

    for order in (hidden, hidden | {"issueId": ours}, own | {"issueId": theirs}):
        assert office.refused("artifacts.promote", order, key=key) == (403, "forbidden", set())
    assert promoted(office, own, key=key)["issueId"] == ours


@pytest.mark.parametrize("mode", ["RESEARCH", "REVIEW", "DISCUSS"])
def test_the_mode_on_the_issue_it_goes_to_decides(office: Office, mode: str) -> None:
    issue_id, order = a_source(office, "comment")
    key = an_engaged_key(office, issue_id, mode)
    elsewhere = an_issue(office)

    assert office.refused("artifacts.promote", order, key=key) == (403, "mode_forbidden", set())
    assert promoted(office, order, key=key, issueId=elsewhere)["issueId"] == elsewhere
    _, other = a_source(office, "comment")
    refused = office.refused("artifacts.promote", other | {"issueId": issue_id}, key=key)
    assert refused == (403, "mode_forbidden", set())


def test_a_full_issue_takes_no_more(office: Office) -> None:
    full = a_full_issue(office)
    comment_id = a_comment(office, full)

    refused = office.refused("artifacts.promote", {"sourceType": "comment", "sourceId": comment_id})

    assert refused == (422, "precondition_failed", set())
