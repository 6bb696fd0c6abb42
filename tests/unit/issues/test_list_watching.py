"""issues.listWatching: the issues that the caller follows, newest first."""

from tests.workshop.issues import a_project, an_agents_key, an_issue, assign, delete, issues, move
from tests.workshop.office import Office


def watched(office: Office, *, key: str | None = None, **wanted: object) -> list[str]:
    rows = office.rows("issues.listWatching", wanted, key=key or office.owner_key)
    return [str(row["issue"]["id"]) for row in rows]


def test_rows_show_the_watch_and_its_issue(office: Office) -> None:
    issue_id, colleague = an_issue(office, "One"), office.a_colleague()
    watch = office.call("issues.watch", {"issueId": issue_id}, key=colleague.key)

    (row,) = office.rows("issues.listWatching", {}, key=colleague.key)

    assert (row["watchId"], row["createdAt"]) == (watch["id"], watch["createdAt"])
    (listed,) = office.rows("issues.list")
    assert row["issue"] == listed


def test_what_was_followed_last_comes_first(office: Office) -> None:
    first, second = issues(office, 2)
    colleague = office.a_colleague()
    for issue_id in (second, first):
        office.call("issues.watch", {"issueId": issue_id}, key=colleague.key)
        office.world.clock.advance(minutes=1)

    assert watched(office, key=colleague.key) == [first, second]


def test_each_follows_for_itself(office: Office) -> None:
    issue_id, agent_id = an_issue(office), office.an_agent()["id"]
    by_agent = an_issue(office, key=an_agents_key(office, agent_id))

    assert watched(office) == [issue_id]
    assert watched(office, key=an_agents_key(office, agent_id)) == [by_agent]
    assert watched(office, key=office.a_colleague().key) == []


def test_whoever_is_given_an_issue_follows_it(office: Office) -> None:
    issue_id, agent_id = an_issue(office), office.an_agent()["id"]

    assign(office, issue_id, agent_id)
    assign(office, issue_id, None)

    assert watched(office, key=an_agents_key(office, agent_id)) == [issue_id]


def test_closed_issues_are_followed_still_and_deleted_ones_are_not(office: Office) -> None:
    closed, deleted = issues(office, 2)
    move(office, closed, "DONE")
    delete(office, deleted)

    assert watched(office) == [closed]


def test_a_narrowed_key_sees_only_what_it_may(office: Office) -> None:
    agent_id, project_id = office.an_agent()["id"], a_project(office)
    seen, hidden = an_issue(office, projectId=project_id), an_issue(office)
    for issue_id in (seen, hidden):
        office.call("issues.watch", {"issueId": issue_id}, key=an_agents_key(office, agent_id))

    assert watched(office, key=an_agents_key(office, agent_id, project_ids=[project_id])) == [seen]


def test_the_cursor_of_somebody_else_is_a_mistake(office: Office) -> None:
    issues(office, 2)
    cursor = office.call("issues.listWatching", {"limit": 1})["nextCursor"]

    refused = office.refused("issues.listWatching", {"cursor": cursor}, key=office.a_colleague().key)

    assert refused == (400, "invalid_input", {"cursor"})
