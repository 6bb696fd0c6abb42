"""A draft is made of what the caller did, and of nothing that the key may not see."""

from forge.context import KeyKind
from forge.store.walks import MAX_READ
from forge.work.issues.pages.sizes import MAX_ANSWER
from tests.workshop.events import a_row
from tests.workshop.issues import (
    a_project,
    a_queued_issue,
    an_agents_key,
    an_issue,
    assign,
    issues,
    move,
    stored_issues,
)
from tests.workshop.office import Body, Office


def draft(office: Office, key: str | None = None, **more: object) -> Body:
    return office.call("standup.draft", more, key=key or office.owner_key)


def test_a_persons_day_is_drafted(office: Office) -> None:
    prefix = office.workspace.key_prefix
    office.call("workspaces.update", {"defaultIssueAssigneeMode": "CREATOR"})
    waiting = an_issue(office, "Wait")
    office.world.clock.advance(days=4)
    closed, working = (an_issue(office, title) for title in ("Fix <it>", "Go on"))
    move(office, closed, "DONE")
    move(office, working, "IN_PROGRESS")
    office.call("comments.create", {"issueId": working, "body": "Going on."})

    shown = draft(office)

    assert shown["counts"] == {"closed": 1, "opened": 2, "moved": 2, "inProgress": 1, "blocked": 1}
    assert shown["groups"]["closed"] == [
        {"id": closed, "number": 2, "key": f"{prefix}-2", "title": "Fix <it>"}
    ]
    assert [row["id"] for row in shown["groups"]["opened"]] == [working, closed]
    assert [row["id"] for row in shown["groups"]["inProgress"]] == [working]
    assert [row["id"] for row in shown["groups"]["blocked"]] == [waiting]
    assert (shown["sinceHours"], shown["workspaceKey"]) == (24, prefix)
    assert shown["markdown"].startswith("*Standup — last 24h*\n\n*Closed (1)*\n")
    assert f"• {prefix}-2 — Fix ‹it›" in shown["markdown"]
    assert "truncated" not in shown


def test_what_somebody_did_is_found_however_much_others_did_since(office: Office) -> None:
    issue_id, colleague = an_issue(office), office.a_colleague()
    move(office, issue_id, "TODO")
    office.put(*(a_row(office, issue_id, actor_user_id=colleague.id) for _ in range(MAX_READ + 1)))

    shown = draft(office)

    assert (shown["counts"]["moved"], "truncated" in shown) == (1, False)


def test_how_far_it_looks_back_can_be_said(office: Office) -> None:
    an_issue(office)
    office.world.clock.advance(hours=30)

    assert draft(office)["counts"]["opened"] == 0
    assert draft(office, sinceHours=31)["counts"]["opened"] == 1


def test_an_agents_key_drafts_the_agents_work_and_nobodys_is_refused(office: Office) -> None:
    agent = office.an_agent()["id"]
    key = office.an_agents_key(agent)
    given = an_issue(office, "Given")
    assign(office, given, agent, "EXECUTE")
    own = an_issue(office, "Own", key=key)
    move(office, given, "IN_PROGRESS", key=key)

    shown = draft(office, key)

    assert [row["id"] for row in shown["groups"]["opened"]] == [own]
    assert [row["id"] for row in shown["groups"]["inProgress"]] == [given]
    assert shown["counts"]["moved"] == 1
    nobody = office.world.a_key(kind=KeyKind.AGENT, workspace=office.workspace)
    assert office.refused("standup.draft", key=nobody) == (403, "forbidden", set())


def test_what_an_agent_claimed_and_completed_is_among_what_it_closed(office: Office) -> None:
    key = office.an_agents_key()
    taken = a_queued_issue(office)
    office.call("issues.claim", {}, key=key)
    before = draft(office, key)
    move(office, taken, "IN_PROGRESS", key=key)
    at_work = draft(office, key)
    move(office, taken, "DONE", key=key)

    done = draft(office, key)

    counts = [(one["counts"]["inProgress"], one["counts"]["closed"]) for one in (before, at_work, done)]
    assert counts == [(0, 0), (1, 0), (0, 1)]


def test_a_narrowed_key_tells_nothing_of_other_projects(office: Office) -> None:
    agent, project = office.an_agent()["id"], a_project(office)
    narrowed, whole = (an_agents_key(office, agent, project_ids=ids) for ids in ([project], []))
    inside, outside = (an_issue(office, projectId=one, key=whole) for one in (project, None))
    for issue_id in (inside, outside):
        assign(office, issue_id, agent, key=whole)
        move(office, issue_id, "DONE", key=whole)

    shown = draft(office, narrowed)

    assert [row["id"] for row in shown["groups"]["closed"]] == [inside]
    assert shown["counts"]["moved"] * 2 == draft(office, whole)["counts"]["moved"] > 0


def test_more_than_can_be_looked_at_or_sent_is_said(office: Office) -> None:
    of_owner = {"author_id": office.owner_id, "assignee_ids": frozenset({office.owner_id})}
    stored_issues(office, 20, category="IN_PROGRESS", padding='"' * 288, **of_owner)
    stored_issues(office, MAX_READ - 19, category="IN_PROGRESS")

    answer = office.send("standup.draft")
    shown = draft(office)

    assert len(answer.body) <= MAX_ANSWER
    assert shown["truncated"] is True
    assert shown["counts"]["inProgress"] >= len(shown["groups"]["inProgress"])


def test_a_quiet_workspace_says_so_and_others_are_not_looked_at(office: Office, other_office: Office) -> None:
    issues(other_office, 2)

    shown = draft(office, sinceHours=168)

    assert shown["markdown"] == "*Standup — last week*\n\n_No activity_"
    assert set(shown["counts"].values()) == {0}
