"""The key of a run: made by its agent, no wider than that, and over with the run."""

from datetime import timedelta
from typing import Any

import pytest

from forge.auth.keys import hash_of
from forge.context import UNRESTRICTED, Narrowing
from forge.store.keys import SharedKey
from forge.testing.builders import a_caller, an_issue
from forge.testing.clock import NOON
from forge.testing.world import World
from forge.work.workspace.people.authentication import AUTHENTICATION
from functions.agents import rules
from tests.workshop import issues
from tests.workshop.office import ALL_SCOPES, Body, Office


def claimed(office: Office, key: str, **more: Any) -> tuple[str, str]:
    """A run, and its issue."""
    issue_id = issues.an_issue(office, **more)
    return office.call("issues.claim", {"issueId": issue_id}, key=key)["runId"], issue_id


def minted(office: Office, key: str, run_id: str, **more: object) -> Body:
    return office.call("agents.sessionKey", {"runId": run_id, **more}, key=key)


def status_of(office: Office, key: str, issue_id: str) -> int:
    return office.send("issues.get", {"id": issue_id}, key=key).status


@pytest.fixture
def agents_key(office: Office) -> str:
    return office.an_agents_key()


def test_it_has_what_its_maker_has_of_what_a_run_needs(office: Office) -> None:
    agent_id = office.an_agent()["id"]
    scopes = [scope for scope in ALL_SCOPES if scope not in ("WRITE_COMMENTS", "READ_USERS")]
    key = office.a_key(kind="AGENT", linkedAgentId=agent_id, scopes=scopes)["rawKey"]
    run_id, _ = claimed(office, key)

    made = minted(office, key, run_id, ttlMinutes=5)

    assert made["scopes"] == ["READ_COMMENTS", "READ_ISSUES", "READ_PROJECTS", "WRITE_ISSUES"]
    (listed,) = [one for one in office.rows("keys.list") if one["id"] == made["keyId"]]
    assert (listed["kind"], listed["linkedAgentId"]) == ("SESSION", agent_id)


def test_the_next_one_ends_the_last(office: Office, agents_key: str) -> None:
    run_id, issue_id = claimed(office, agents_key)
    first, second = (minted(office, agents_key, run_id)["rawKey"] for _ in range(2))

    assert status_of(office, first, issue_id) == 401
    assert status_of(office, second, issue_id) == 200


@pytest.mark.parametrize(
    ("tool", "more"), [("runs.complete", {"summary": "Done."}), ("issues.transition", {"statusId": "Done"})]
)
def test_it_ends_with_its_run_however_that_ends(
    office: Office, agents_key: str, tool: str, more: Body
) -> None:
    run_id, issue_id = claimed(office, agents_key)
    key = minted(office, agents_key, run_id)["rawKey"]
    subject = {"runId": run_id} if tool == "runs.complete" else {"id": issue_id}

    office.call(tool, {**subject, **more}, key=agents_key)

    assert status_of(office, key, issue_id) == 401


def test_it_ends_at_once_with_the_key_that_made_it(office: Office) -> None:
    agent_id = office.an_agent()["id"]
    maker, other = (office.a_key(kind="AGENT", linkedAgentId=agent_id) for _ in range(2))
    runs = [claimed(office, key["rawKey"]) for key in (maker, other)]
    keys = [
        minted(office, key["rawKey"], run_id)["rawKey"]
        for key, (run_id, _) in zip((maker, other), runs, strict=True)
    ]

    office.call("keys.revoke", {"id": maker["id"]})

    found = [status_of(office, key, issue_id) for key, (_, issue_id) in zip(keys, runs, strict=True)]
    assert found == [401, 200]


def test_one_that_was_made_while_its_maker_was_revoked_ends_within_minutes(stored_world: World) -> None:
    office = Office(stored_world)
    agent_id = office.an_agent()["id"]
    maker = office.a_key(kind="AGENT", linkedAgentId=agent_id)
    run_id, issue_id = claimed(office, maker["rawKey"])
    key = minted(office, maker["rawKey"], run_id)["rawKey"]
    tx = office.begin()
    tx.adjust(AUTHENTICATION(hash_of(key)), assign={"made_by_key_id": None})
    office.commit(tx)
    office.call("keys.revoke", {"id": maker["id"]})
    tx = office.begin()
    tx.adjust(AUTHENTICATION(hash_of(key)), assign={"made_by_key_id": maker["id"]})
    office.commit(tx)

    for _ in range(3):
        office.world.clock.advance(minutes=1)
        office.sweep()

    assert status_of(office, key, issue_id) == 401


def test_it_ends_at_once_with_its_agent(office: Office) -> None:
    agent_id = office.an_agent()["id"]
    agents_key = office.a_key(kind="AGENT", linkedAgentId=agent_id)["rawKey"]
    run_id, issue_id = claimed(office, agents_key)
    key = minted(office, agents_key, run_id)["rawKey"]

    office.call("agents.archive", {"id": agent_id})

    assert status_of(office, key, issue_id) == 401


def test_it_ends_when_its_run_stalls(stored_world: World) -> None:
    office = Office(stored_world)
    agents_key = office.an_agents_key()
    run_id, issue_id = claimed(office, agents_key)
    key = minted(office, agents_key, run_id)["rawKey"]

    office.world.clock.advance(minutes=30)
    office.sweep()

    assert issues.run(office, run_id).status == "STALLED"
    assert status_of(office, key, issue_id) == 401


def test_a_run_ends_although_its_key_is_long_gone(office: Office, agents_key: str) -> None:
    run_id, _ = claimed(office, agents_key)
    key = minted(office, agents_key, run_id, ttlMinutes=1)["rawKey"]
    office.world.clock.advance(minutes=2)
    tx = office.begin()
    tx.forget(SharedKey(*AUTHENTICATION(hash_of(key))))
    office.commit(tx)

    ended = office.call("runs.complete", {"runId": run_id, "summary": "Done."}, key=agents_key)

    assert ended["status"] == "COMPLETED"


def test_no_key_outlives_its_maker(office: Office) -> None:
    agent_id = office.an_agent()["id"]
    order = {"kind": "AGENT", "linkedAgentId": agent_id, "expiresInDays": 1}
    key = office.a_key(**order)["rawKey"]
    office.world.clock.advance(hours=23)
    run_id, _ = claimed(office, key)

    refused = office.refused("agents.sessionKey", {"runId": run_id, "ttlMinutes": 120}, key=key)
    made = minted(office, key, run_id)

    assert refused == (403, "forbidden", {"ttlMinutes"})
    assert made["expiresAt"] == (office.world.clock() + timedelta(hours=1)).isoformat().replace("+00:00", "Z")


def test_a_run_that_another_session_took_over_is_lost_for_its_key_as_well(
    office: Office, agents_key: str
) -> None:
    issue_id = issues.an_issue(office)
    run_id = office.call("issues.claim", {"issueId": issue_id}, key=agents_key, session="one")["runId"]
    made = office.call("agents.sessionKey", {"runId": run_id}, key=agents_key, session="one")
    office.call("issues.claim", {"issueId": issue_id}, key=agents_key, session="two")

    said = {"issueId": issue_id, "body": "Still here."}
    refused = [
        office.refused("comments.upsertStatus", said, key=made["rawKey"]),
        office.refused("comments.upsertStatus", said, key=made["rawKey"], session="two"),
    ]

    assert refused == [(409, "conflict", set())] * 2


def test_it_reads_the_issues_project_and_nothing_else(office: Office, agents_key: str) -> None:
    project_id = issues.a_project(office)
    beside, elsewhere = issues.an_issue(office, projectId=project_id), issues.an_issue(office)
    run_id, issue_id = claimed(office, agents_key, projectId=project_id)
    key = minted(office, agents_key, run_id)["rawKey"]

    assert [status_of(office, key, one) for one in (issue_id, beside, elsewhere)] == [200, 200, 403]
    assert office.refused("issues.update", {"id": beside, "title": "Mine"}, key=key)[0] == 403


def test_without_a_project_it_reads_the_issue_and_what_that_is_related_to(
    office: Office, agents_key: str
) -> None:
    run_id, issue_id = claimed(office, agents_key)
    related, other = issues.an_issue(office), issues.an_issue(office)
    office.call("relations.add", {"fromIssueId": issue_id, "toIssueId": related, "kind": "RELATES_TO"})
    key = minted(office, agents_key, run_id)["rawKey"]

    assert [status_of(office, key, one) for one in (issue_id, related, other)] == [200, 200, 403]
    assert office.rows("projects.list", key=key) == []


def test_it_sees_its_issue_when_that_moves_to_another_project(office: Office, agents_key: str) -> None:
    run_id, issue_id = claimed(office, agents_key, projectId=issues.a_project(office))
    key = minted(office, agents_key, run_id)["rawKey"]

    office.call("issues.update", {"id": issue_id, "projectId": issues.a_project(office, "OTHER")})

    assert status_of(office, key, issue_id) == 200


def test_who_sees_an_issue_by_its_label_gives_nothing_of_its_project() -> None:
    by_label = Narrowing(label_ids=frozenset({"lbl_1"}))
    issue = an_issue(project_id="prj_1", label_ids={"lbl_1"})

    made = rules.narrowing_of(issue, [], by_label)

    assert (made.project_ids, made.issue_ids) == (frozenset({"-"}), frozenset({issue.id}))
    assert rules.narrowing_of(issue, [], UNRESTRICTED).project_ids == {"prj_1"}


def test_what_is_left_out_ends_with_its_maker() -> None:
    soon = NOON + timedelta(minutes=1)

    assert rules.ends_at(None, a_caller(), NOON) == NOON + timedelta(hours=4)
    assert rules.ends_at(None, a_caller(expires_at=soon), NOON) == soon
    assert rules.ends_at(9, a_caller(expires_at=soon), NOON) == NOON + timedelta(minutes=9)


def test_it_attaches_nothing_to_the_project_or_to_a_cycle(office: Office, agents_key: str) -> None:
    project_id = office.call("projects.create", {"name": "Web", "key": "WEB"})["id"]
    cycle_id = office.call("cycles.create", {"name": "Sprint 1"})["id"]
    run_id, issue_id = claimed(office, agents_key, projectId=project_id)
    key = minted(office, agents_key, run_id)["rawKey"]
    link = {"externalUrl": "https://example.com/design", "linkTitle": "Design"}

    for kind, target, status in (
        ("issue", issue_id, 200),
        ("project", project_id, 403),
        ("cycle", cycle_id, 403),
    ):
        attach = {**link, "targetType": kind, "targetId": target}
        assert office.send("attachments.attachLink", attach, key=key).status == status
