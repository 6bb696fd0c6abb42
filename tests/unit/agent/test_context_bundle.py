"""One call tells all about an issue that is needed to work on it."""

from typing import Any

import pytest

from tests.workshop.bundles import a_crowded_issue, an_agent, an_artifact, assign, bundle, comments, stall
from tests.workshop.issues import an_issue
from tests.workshop.office import Office

SECTIONS = {
    "workspace",
    "issue",
    "description",
    "comments",
    "attachments",
    "relations",
    "currentRun",
    "artifacts",
    "completionContract",
    "runProtocol",
    "externalResources",
}


def is_within(part: Any, whole: Any) -> bool:
    """Whether everything that a bundle says is said alike where the whole is shown."""
    if isinstance(part, dict):
        return all(is_within(value, whole[name]) for name, value in part.items())
    if isinstance(part, list):
        return len(part) == len(whole) and all(map(is_within, part, whole))
    return bool(part == whole)


def test_a_bare_issue_has_every_section(office: Office) -> None:
    issue_id = an_issue(office)

    found = bundle(office, issue_id)

    assert set(found) == SECTIONS
    assert set(found["workspace"]) == {"id", "key", "name"}
    assert is_within(found["workspace"], office.call("workspace.get"))
    assert is_within(found["issue"], office.call("issues.get", {"id": issue_id}))
    assert None not in found["issue"].values()
    assert (found["description"], found["currentRun"]) == (None, None)
    for section in ("comments", "attachments", "relations", "artifacts", "externalResources"):
        assert found[section] == []
    assert found["completionContract"] == {"artifactRequired": False}


def test_everything_about_an_issue_is_there(office: Office) -> None:
    label, other = office.a_label(), an_issue(office, title="Other")
    issue_id = an_issue(office, description="It hangs.", labelIds=[label["id"]])
    check = {"id": "c1", "label": "Tests pass", "kind": "command", "value": "make test"}
    office.call(
        "issues.update",
        {
            "id": issue_id,
            "expectedOutput": "A test.",
            "verificationChecklist": [check],
            "artifactRequired": True,
        },
    )
    office.call("relations.add", {"fromIssueId": issue_id, "toIssueId": other, "kind": "BLOCKS"})
    agent_id, key = an_agent(office)
    run_id = assign(office, issue_id, agent_id, "EXECUTE")
    office.call("comments.create", {"issueId": issue_id, "body": "Hello"}, key=key)
    made = an_artifact(office, issue_id, summary="Short.", artifactType="SPEC")

    found = bundle(office, issue_id)
    include = {"comments": True, "relations": True, "currentRun": True, "description": True}
    shown = office.call("issues.get", {"id": issue_id, "include": include})

    assert is_within(found["issue"], office.call("issues.get", {"id": issue_id}))
    assert found["description"] == shown["description"]
    assert is_within(found["currentRun"], shown["currentRun"])
    assert is_within(found["comments"], shown["comments"])
    assert found["comments"][0]["authoringAgent"]["id"] == agent_id
    assert found["relations"][0]["issue"]["id"] == other
    assert found["currentRun"]["id"] == run_id
    assert found["completionContract"] == {
        "expectedOutput": "A test.",
        "verificationChecklist": [check],
        "artifactRequired": True,
    }
    brief = ("id", "slug", "title", "type", "status", "summary", "updatedAt")
    assert found["artifacts"] == [{name: made[name] for name in brief}]


def test_a_relation_names_the_other_issue_and_how_that_stands(office: Office) -> None:
    issue_id, other = an_issue(office), an_issue(office, title="Other")
    office.call("relations.add", {"fromIssueId": issue_id, "toIssueId": other, "kind": "BLOCKS"})

    (relation,) = bundle(office, issue_id)["relations"]

    (shown,) = office.call("issues.get", {"id": issue_id, "include": {"relations": True}})["relations"]
    brief = {name: shown["issue"][name] for name in ("id", "identifier", "title")}
    assert relation["issue"] == brief | {"status": shown["issue"]["status"]["name"]}
    assert is_within(relation | {"issue": {}}, shown)


def test_the_newest_fifty_comments_come_oldest_first(office: Office) -> None:
    issue_id = an_issue(office)
    ids = comments(office, issue_id, *(f"number {place}" for place in range(52)))

    found = bundle(office, issue_id)

    assert [comment["id"] for comment in found["comments"]] == ids[2:]
    assert found["commentsTruncated"] is True


def test_exactly_fifty_comments_are_all_of_them(office: Office) -> None:
    issue_id = an_issue(office)
    comments(office, issue_id, *(["text"] * 50))

    found = bundle(office, issue_id)

    assert len(found["comments"]) == 50
    assert "commentsTruncated" not in found


def test_a_deleted_comment_is_not_shown(office: Office) -> None:
    issue_id = an_issue(office)
    said = [
        office.call("comments.create", {"issueId": issue_id, "body": body})["id"] for body in ("one", "two")
    ]
    office.call("comments.delete", {"id": said[0]})

    assert [comment["id"] for comment in bundle(office, issue_id)["comments"]] == said[1:]


def test_what_an_issue_says_of_another_is_shown_on_both(office: Office) -> None:
    one, two = an_issue(office), an_issue(office)
    office.call("relations.add", {"fromIssueId": one, "toIssueId": two, "kind": "DUPLICATES"})

    assert [row["direction"] for row in bundle(office, one)["relations"]] == ["outbound"]
    assert [row["direction"] for row in bundle(office, two)["relations"]] == ["inbound"]
    whole = office.call("issues.get", {"id": two, "include": ["relations"]})
    assert [row["issue"]["id"] for row in whole["relations"]] == [one]


def test_the_last_twenty_artifacts_are_shown_but_no_archived_ones(office: Office) -> None:
    issue_id = an_issue(office)
    made = [an_artifact(office, issue_id)["id"] for _ in range(22)]
    office.call("artifacts.archive", {"id": made[-1]})

    found = bundle(office, issue_id)
    assert [one["id"] for one in found["artifacts"]] == made[-2:0:-1]
    assert found["artifactsTruncated"] is True

    office.call("artifacts.archive", {"id": made[-2]})
    found = bundle(office, issue_id)
    assert [one["id"] for one in found["artifacts"]] == made[-3::-1]
    assert "artifactsTruncated" not in found


def test_the_beginning_of_a_long_summary_is_shown(office: Office) -> None:
    issue_id = an_issue(office)
    an_artifact(office, issue_id, summary="s" * 2_000)

    assert bundle(office, issue_id)["artifacts"][0]["summary"] == "s" * 199 + "…"


def test_a_run_that_waits_or_stalled_is_the_current_one(office: Office) -> None:
    issue_id = an_issue(office)
    agent_id, key = an_agent(office)
    run_id = assign(office, issue_id, agent_id, "EXECUTE")

    office.call("runs.setWaiting", {"runId": run_id}, key=key)
    assert bundle(office, issue_id)["currentRun"]["status"] == "WAITING"

    stall(office, run_id)
    assert bundle(office, issue_id)["currentRun"]["status"] == "STALLED"


@pytest.mark.parametrize("arguments", [{}, {"issueId": "iss_1", "threadId": "thr_1"}, {"issueId": None}])
def test_exactly_one_of_both_must_be_given(
    tableless_office: Office, arguments: dict[str, str | None]
) -> None:
    refused = tableless_office.refused("agent.context.bundle", arguments)

    assert refused == (400, "invalid_input", {"issueId", "threadId"})


def test_a_narrowed_key_sees_only_its_issues_and_their_like(office: Office) -> None:
    label_id = office.a_label()["id"]
    ours, near, theirs = (
        an_issue(office, labelIds=[label_id]),
        an_issue(office, labelIds=[label_id]),
        an_issue(office),
    )
    for other in (near, theirs):
        office.call("relations.add", {"fromIssueId": ours, "toIssueId": other, "kind": "RELATES_TO"})
    key = office.a_narrowed_key(label_ids=[label_id])

    assert [row["issue"]["id"] for row in bundle(office, ours, key=key)["relations"]] == [near]
    refused = office.refused("agent.context.bundle", {"issueId": theirs}, key=key)
    assert refused == (403, "forbidden", set())


def test_even_the_fullest_issue_shows_fifty_comments_in_three_requests(office: Office) -> None:
    requests = office.counted()
    issue_id = a_crowded_issue(office)
    ids = comments(office, issue_id, *(["text"] * 60))
    requests.reset()

    found = bundle(office, issue_id)

    assert requests.reads == 3
    assert [comment["id"] for comment in found["comments"]] == ids[-50:]
    assert found["commentsTruncated"] is True
