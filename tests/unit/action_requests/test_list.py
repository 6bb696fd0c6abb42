"""Lists of requests: the newest first, by every filter, slim unless the card is asked for."""

from tests.workshop.issues import an_issue
from tests.workshop.office import Body, Office
from tests.workshop.requests import OPTIONS, asked, card


def listed(office: Office, key: str | None = None, **filters: object) -> list[str]:
    rows = office.rows("actionRequests.list", filters, key=key or office.owner_key)
    return [row["id"] for row in rows]


def test_filters_leave_only_what_they_name(office: Office) -> None:
    issue_id, agent_id, ada = an_issue(office), office.an_agent()["id"], office.a_colleague(handle="ada")
    plain = asked(office)
    for_ada = asked(office, assignedUserId="ada", issueId=issue_id)
    for_agent = asked(office, assignedAgentId="worker", assignedUserId="ada")
    office.call("actionRequests.transition", {"id": plain, "status": "SNOOZED"})

    assert listed(office, status="SNOOZED") == [plain]
    assert set(listed(office, status="OPEN")) == {for_ada, for_agent}
    assert listed(office, issueId=issue_id) == [for_ada]
    assert listed(office, assignedAgentId=agent_id) == [for_agent]
    assert set(listed(office, assignedUserId="me", key=ada.key)) == {for_ada, for_agent}
    assert listed(office, assignedUserId="ada", assignedAgentId="worker", status="OPEN") == [for_agent]
    assert listed(office, id=plain) == [plain]
    assert listed(office, id=plain, status="OPEN") == []


def test_a_row_is_short_and_its_card_is_whole(office: Office) -> None:
    issue_id = an_issue(office)
    proposal: Body = {"kind": "TRANSITION", "payload": {"statusId": "Done"}, "options": OPTIONS}
    request_id = asked(office, issueId=issue_id, body="b" * 401, **proposal)
    exact = asked(office, body="b" * 400)

    (row,) = office.rows("actionRequests.list", {"id": request_id})
    (short,) = office.rows("actionRequests.list", {"id": exact})
    whole = card(office, request_id)

    assert (row["body"], row["truncated"]) == ("b" * 400, True)
    assert [set(option) for option in row["options"]] == [{"key", "label"}] * 3
    assert "effect" not in row
    assert "truncated" not in short
    assert (whole["body"], whole["options"]) == ("b" * 401, OPTIONS)
    assert whole["effect"] == f"Moves {whole['identifier']} to Done."
    assert "since" not in whole


def test_a_card_says_what_happened_since(office: Office) -> None:
    issue_id = an_issue(office)
    request_id = asked(office, issueId=issue_id, kind="TRANSITION", payload={"statusId": "Done"})
    office.world.clock.advance(minutes=1)
    office.call("issues.transition", {"id": issue_id, "statusId": "Done"})

    row = card(office, request_id)

    name = row["identifier"]
    assert row["since"] == [
        f"{name} changed after this was asked.",
        f"{name} is closed.",
        "It is in that status already.",
    ]


def test_a_narrowed_key_sees_what_belongs_to_issues_it_sees(office: Office) -> None:
    project_id = office.call("projects.create", {"key": "SITE", "name": "Website"})["id"]
    inside = asked(office, issueId=an_issue(office, projectId=project_id))
    outside, about_nothing = asked(office, issueId=an_issue(office)), asked(office)
    key = office.a_narrowed_key(project_ids=[project_id])

    assert listed(office, key=key) == [inside]
    assert listed(office, key=key, id=outside) == listed(office, key=key, id=about_nothing) == []
    assert len(listed(office)) == 3
