"""A yes does what was asked, once, for those who may say it, and only to what they were shown."""

from typing import Any

from forge.work.plans.requests.requests import RequestTextItem
from tests.workshop.comments import stored
from tests.workshop.issues import an_issue, head
from tests.workshop.office import Body, Office
from tests.workshop.requests import asked, card, issue_of, request_events


def accepted(office: Office, request_id: str, **more: Any) -> Body:
    return office.call("actionRequests.accept", {"id": request_id, **more})


def kinds(office: Office) -> list[str]:
    return [str(row.kind) for row in office.log() if row.kind and row.tool == "actionRequests.accept"]


def test_an_accepted_move_moves_the_issue_and_says_through_what(office: Office) -> None:
    issue_id = an_issue(office)
    request_id = asked(office, issueId=issue_id, kind="TRANSITION", payload={"statusId": "In Progress"})

    answer = accepted(office, request_id, resolution="Go on.")

    issue, row = issue_of(office, issue_id), card(office, request_id)
    assert answer == {"id": request_id, "dispatched": True}
    assert (issue["status"]["name"], issue["startedAt"]) == ("In Progress", row["resolvedAt"])
    assert (row["status"], row["resolvedByUserId"]) == ("RESOLVED", office.owner_id)
    assert row["resolution"].startswith("Accepted by ")
    assert row["resolution"].endswith(" — Go on.")
    (moved,) = [row for row in office.log() if row.kind == "ISSUE_STATUS_CHANGED"]
    assert (moved.payload["via"], moved.payload["actionRequestId"]) == ("action-request", request_id)
    assert request_events(office)[-1].payload["dispatched"] is True


def test_accepted_labels_are_removed_and_added_and_counted(office: Office) -> None:
    old, new = office.a_label("old"), office.a_label("new")
    issue_id = an_issue(office, labelIds=[old["id"]])
    payload = {"add": ["new"], "remove": ["old"]}

    accepted(office, asked(office, issueId=issue_id, kind="SET_LABELS", payload=payload))

    assert [label["name"] for label in issue_of(office, issue_id)["labels"]] == ["new"]
    counts = {row["id"]: row["issueCount"] for row in office.rows("labels.list")}
    assert (counts[old["id"]], counts[new["id"]]) == (0, 1)


def test_accepted_people_replace_those_before(office: Office) -> None:
    office.call("workspaces.update", {"defaultIssueAssigneeMode": "CREATOR"})
    issue_id, ada = an_issue(office), office.a_colleague(handle="ada")

    accepted(office, asked(office, issueId=issue_id, kind="ASSIGN", payload={"userIds": ["ada"]}))

    assert [one["user"]["id"] for one in issue_of(office, issue_id)["assignees"]] == [ada.id]
    (told,) = [row.payload for row in office.log() if row.kind == "ISSUE_ASSIGNED"]
    assert (told["assigneeIds"], told["previousAssigneeIds"]) == ([ada.id], [office.owner_id])


def test_an_accepted_agent_gets_the_issue_and_is_woken(office: Office) -> None:
    issue_id, agent = an_issue(office), office.an_agent()
    request_id = asked(office, issueId=issue_id, kind="ASSIGN_AGENT", payload={"agentId": "worker"})

    accepted(office, request_id)

    assert issue_of(office, issue_id)["assignedAgentId"] == agent["id"]
    (assigned,) = [row for row in office.log() if row.kind == "AGENT_ASSIGNED"]
    assert [wake.agent_id for wake in assigned.wakes] == [agent["id"]]


def test_an_archived_issue_is_in_no_list_its_runs_end_and_what_it_blocked_is_free(office: Office) -> None:
    label, agent = office.a_label(), office.an_agent()
    issue_id, blocked = an_issue(office, labelIds=[label["id"]], queue=True), an_issue(office)
    office.call("issues.assign", {"issueId": issue_id, "agentId": agent["id"]})
    office.call("relations.add", {"fromIssueId": issue_id, "toIssueId": blocked, "kind": "BLOCKS"})

    accepted(office, asked(office, issueId=issue_id, kind="ARCHIVE"))

    assert [row["id"] for row in office.rows("issues.list")] == [blocked]
    assert office.refused("issues.get", {"id": issue_id})[0] == 404
    assert "openBlockers" not in issue_of(office, blocked)
    assert (head(office, issue_id).live_runs, office.rows("runs.list")) == ([], [])
    assert office.rows("labels.list")[0]["issueCount"] == 0
    assert kinds(office).count("ISSUE_DELETED") == 1
    assert office.rows("actionRequests.list") == []


def test_an_accepted_duplicate_is_related_once_and_closed(office: Office) -> None:
    issue_id, other_id = an_issue(office), an_issue(office)
    payload = {"duplicateOfIssueId": other_id, "statusId": "Canceled"}
    order: Body = {"issueId": issue_id, "kind": "CLOSE_AS_DUPLICATE", "payload": payload}

    for _ in range(2):
        accepted(office, asked(office, **order))

    (relation,) = office.rows("relations.listForIssue", {"issueId": issue_id})
    assert (relation["kind"], relation["toIssueId"]) == ("DUPLICATES", other_id)
    assert issue_of(office, issue_id)["status"]["category"] == "CANCELED"
    assert kinds(office).count("ISSUE_STATUS_CHANGED") == 1


def test_an_answer_reaches_the_agent_that_asked_as_a_comment_and_wakes_it(office: Office) -> None:
    issue_id, agent = an_issue(office), office.an_agent()
    request_id = asked(office, "Which schema?", key=office.an_agents_key(agent["id"]), issueId=issue_id)

    answer = accepted(office, request_id, resolution=" The new one. ")

    (comment,) = stored(office, issue_id)
    assert (answer["dispatched"], answer["commentId"]) == (False, comment.id)
    assert (comment.body.text, comment.author_id) == ("@worker The new one.", office.owner_id)
    (posted,) = [row for row in office.log() if row.kind == "COMMENT_CREATED"]
    assert [wake.agent_id for wake in posted.wakes] == [agent["id"]]
    assert posted.payload["mentions"]["agentIds"] == [agent["id"]]


def test_a_person_who_asked_reads_the_request_and_nothing_is_said(office: Office) -> None:
    issue_id = an_issue(office)

    accepted(office, asked(office, issueId=issue_id), resolution="Fine.")

    assert stored(office, issue_id) == []


def test_its_assignee_a_watcher_and_an_admin_may_accept_and_nobody_else(office: Office) -> None:
    issue_id = an_issue(office)
    assigned, watching, admin, other = (
        office.a_colleague(),
        office.a_colleague(role="GUEST"),
        office.a_colleague(role="ADMIN"),
        office.a_colleague(),
    )
    office.call("issues.watch", {"issueId": issue_id}, key=watching.key)
    waiting = [asked(office, issueId=issue_id, assignedUserId=assigned.id) for _ in range(4)]

    for request_id, who in zip(waiting, (assigned, watching, admin), strict=False):
        assert office.call("actionRequests.accept", {"id": request_id}, key=who.key)["id"] == request_id
    for key in (other.key, office.an_agents_key()):
        refused = office.refused("actionRequests.accept", {"id": waiting[-1]}, key=key)
        assert refused == (403, "forbidden", set())
    assert card(office, waiting[-1])["status"] == "OPEN"


def test_what_is_settled_is_not_accepted_again(office: Office) -> None:
    request_id = asked(office)
    accepted(office, request_id)

    assert office.refused("actionRequests.accept", {"id": request_id}) == (409, "conflict", set())
    assert len(request_events(office)) == 2


def test_a_yes_is_one_to_what_was_shown(office: Office) -> None:
    request_id = asked(office, body="Delete the test table.")
    shown = card(office, request_id)["shownHash"]
    other = asked(office, body="Delete the table.")

    refused = office.refused("actionRequests.accept", {"id": other, "shownHash": shown})
    answer = accepted(office, request_id, shownHash=shown)

    assert refused == (409, "conflict", set())
    assert answer == {"id": request_id, "dispatched": False}


def test_a_request_whose_words_changed_since_is_not_accepted_even_unseen(office: Office) -> None:
    request_id = asked(office, body="Delete the test table.")
    key = RequestTextItem.at(office.workspace.id, request_id)
    texts = office.world.services.store.table.find(RequestTextItem, key)
    assert texts
    tx = office.begin()
    tx.replace(texts.changed(body="Delete the table."))
    office.commit(tx)

    assert office.refused("actionRequests.accept", {"id": request_id}) == (409, "conflict", set())


def test_what_is_gone_since_can_only_be_declined(office: Office) -> None:
    label, agent = office.a_label(), office.an_agent()
    kept, archived = an_issue(office), an_issue(office)
    payloads: list[tuple[str, dict[str, Any]]] = [
        ("SET_LABELS", {"add": [label["id"]]}),
        ("ASSIGN_AGENT", {"agentId": agent["id"]}),
        ("CLOSE_AS_DUPLICATE", {"duplicateOfIssueId": archived}),
    ]
    waiting = [asked(office, issueId=kept, kind=kind, payload=payload) for kind, payload in payloads]
    waiting.append(asked(office, issueId=archived))
    accepted(office, asked(office, issueId=archived, kind="ARCHIVE"))
    office.call("labels.delete", {"id": label["id"]})
    office.call("agents.archive", {"id": agent["id"]})

    for request_id in waiting:
        assert office.refused("actionRequests.accept", {"id": request_id}) == (409, "conflict", set())
        assert office.call("actionRequests.decline", {"id": request_id}) == {"id": request_id}
