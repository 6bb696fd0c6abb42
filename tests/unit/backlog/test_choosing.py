"""Filing, choosing and looking: what is taken first, and what issues.* does to it at once."""

import json

import pytest

from forge.work.backlog.workflows.workflows import LEASE
from forge.work.issues.backlog_rows.rows import MOST_AT_ONCE
from tests.workshop.backlog import CONFIRMED, Session, a_repository, backlog, filed, identifier, labels_of
from tests.workshop.issues import block, move
from tests.workshop.office import Body, Office


def numbers(office: Office, **arguments: object) -> list[int]:
    return [row["number"] for row in backlog(office, **arguments)]


def test_a_filed_issue_is_an_ordinary_one(office: Office) -> None:
    repository = a_repository(office)

    made = office.call(
        "create_issue",
        {
            "title": "  Login hangs ",
            "priority": "critical",
            "type": "feature",
            "acceptanceCriteria": ["It works."],
            "repository": "DEMO/App",
        },
    )["issue"]

    shown = office.call("issues.get", {"id": made["identifier"], "include": {"description": True}})
    assert made["labels"] == ["priority:critical", "type:feature", "status:backlog"]
    assert made["html_url"] == f"/console/issues/{made['identifier']}"
    assert (shown["id"], shown["title"], shown["priority"]) == (made["id"], "Login hangs", "URGENT")
    assert shown["projectId"] == repository["projectId"]
    assert shown["description"] == "## Summary\nLogin hangs\n\n## Acceptance Criteria\n- [ ] It works."


def test_priorities_are_understood_as_other_trackers_number_them(office: Office) -> None:
    a_repository(office)

    for word in ("P0", "p1", " P2", "P3", "HIGH"):
        filed(office, priority=word)

    levels = {row["number"]: row["priority"] for row in backlog(office)}
    assert [levels[number] for number in sorted(levels)] == ["critical", "high", "medium", "low", "high"]


def test_the_most_urgent_comes_first_and_types_can_be_asked_for(office: Office) -> None:
    a_repository(office)
    low = filed(office, priority="low", type="docs")
    office.world.clock.advance(days=30)
    medium = filed(office, priority="medium", type="bug")
    critical = filed(office, priority="critical", type="chore")
    session = Session(office, "a")

    assert numbers(office) == [critical, low, medium]
    assert numbers(office, includeTypes=["bug", "docs"]) == [low, medium]
    assert numbers(office, excludeTypes=["chore", "docs"]) == [medium]
    listed = office.call("list_backlog", {"includeTypes": ["bug", "docs"], "limit": 1})
    assert (len(listed["backlog"]), listed["total"]) == (1, 2)
    assert session.taken(includeTypes=["bug"]) == medium
    assert session.taken() == critical
    assert session.taken() == low
    assert session.select()["reason"] == "all_locked"


def test_nothing_to_select_is_no_error(office: Office) -> None:
    a_repository(office)

    answer = office.mcp("select_next_issue")

    assert (answer["success"], answer["code"], answer["reason"]) == (
        False,
        "NO_ISSUES_AVAILABLE",
        "no_issues",
    )


def test_what_other_tools_change_counts_at_once(office: Office) -> None:
    a_repository(office)
    first, second = filed(office, priority="medium"), filed(office, priority="low")
    one, other = identifier(office, first), identifier(office, second)

    office.call("issues.update", {"id": other, "priority": "URGENT"})
    assert numbers(office) == [second, first]
    relation = {"fromIssueId": one, "toIssueId": other, "kind": "BLOCKS"}
    office.call("relations.add", relation)
    blocked = backlog(office)[0]
    assert (blocked["number"], blocked["priorityScore"], blocked["blockedBy"]) == (second, 100.0, first)
    office.a_label("blocking")
    office.call("issues.setLabels", {"issueId": one, "add": ["blocking"]})
    assert backlog(office)[1]["priorityScore"] == 15.0
    done = office.rows("statuses.list", {"category": "DONE"})[0]["id"]
    office.call("issues.transition", {"id": one, "statusId": done})
    assert [(row["number"], row["priorityScore"]) for row in backlog(office)] == [(second, 1000.0)]
    elsewhere = office.call("projects.create", {"key": "ELSE", "name": "Elsewhere"})["id"]
    office.call("issues.update", {"id": other, "projectId": elsewhere})
    assert office.call("list_backlog")["total"] == 0


def test_what_one_issue_alone_blocks_is_all_free_after_the_sweep_however_many_they_are(
    office: Office,
) -> None:
    a_repository(office)
    blocker = identifier(office, filed(office))
    for _ in range(MOST_AT_ONCE + 1):
        block(office, blocker, identifier(office, filed(office)))

    move(office, blocker, "DONE")
    office.sweep()

    assert [row["priorityScore"] for row in backlog(office)] == [100.0] * (MOST_AT_ONCE + 1)


def test_what_is_assigned_is_its_assignees_alone(office: Office) -> None:
    a_repository(office)
    number = filed(office)
    agent = office.an_agent()
    office.call("issues.assign", {"issueId": identifier(office, number), "agentId": agent["id"]})

    assert Session(office, "a").select()["code"] == "NO_ISSUES_AVAILABLE"
    assert numbers(office) == [number]
    assert Session(office, "b", office.an_agents_key(agent["id"])).taken() == number


def test_in_review_and_blocked_are_shown_and_not_selected(office: Office) -> None:
    a_repository(office)
    number = filed(office)
    session = Session(office, "a")
    session.taken()
    session.release(number, "completed")

    assert session.select()["code"] == "NO_ISSUES_AVAILABLE"
    assert backlog(office)[0]["status"] == "in-review"
    assert labels_of(office, number) == {"type:bug", "status:in-review"}


def test_an_expired_lock_is_free_to_take_and_its_work_goes_on(office: Office) -> None:
    a_repository(office)
    number = filed(office)
    first, second = Session(office, "a"), Session(office, "b")
    first.taken()
    first.advance(number, "research")
    office.world.clock.advance(seconds=LEASE.total_seconds() - 1)
    assert second.select()["reason"] == "all_locked"

    office.world.clock.advance(seconds=1)
    taken = second.select()

    assert taken["issue"]["number"] == number
    assert taken["lock"]["fence"] == 2
    assert second.status(number)[0]["currentPhase"] == "research"
    assert first.renew(number)["code"] == "NOT_LOCKED"


def test_the_sweep_gives_back_what_nobody_renewed(office: Office) -> None:
    a_repository(office)
    number = filed(office)
    session = Session(office, "a")
    session.taken()
    office.world.clock.advance(minutes=31)

    office.sweep()

    row = backlog(office)[0]
    assert (row["isLocked"], row["status"]) == (False, "backlog")
    assert session.status() == []
    assert session.taken() == number
    assert session.advance(number, "research")["success"] is True


@pytest.mark.parametrize("header", ["x-forge-session", "mcp-session-id", None])
def test_a_client_that_names_no_session_is_told_that_it_shares_its_locks(
    office: Office, header: str | None
) -> None:
    a_repository(office)
    number = filed(office)
    headers = {header: "window-1"} if header else {}

    def lock(tool: str, **arguments: object) -> Body:
        answer = office.world.rest(tool, arguments, key=office.owner_key, headers=headers)
        found: Body = json.loads(answer.body)["lock"]
        return found

    locks = [
        lock("select_next_issue"),
        lock("renew_lock", issueNumber=number),
        lock("force_claim", issueNumber=number, confirmation=CONFIRMED),
    ]

    assert ["X-Forge-Session" in one.get("note", "") for one in locks] == [header is None] * 3


def test_whoever_takes_an_issue_reads_the_beginning_of_it(office: Office) -> None:
    a_repository(office)
    short, long = filed(office, body="Try it.", priority="critical"), filed(office, body="word " * 1_000)
    session = Session(office, "a")

    first, second = session.select()["issue"], session.select()["issue"]
    claimed = Session(office, "b").force(long)["claimed"]

    assert (first["number"], first["body"], "bodyTruncated" in first) == (short, "Try it.", False)
    assert (len(second["body"]), second["bodyTruncated"], "trust" in second) == (4_000, True, False)
    same = ("id", "identifier", "body", "bodyTruncated")
    assert [claimed[name] for name in same] == [second[name] for name in same]


def test_issues_that_the_project_had_come_into_the_backlog(office: Office) -> None:
    project = office.call("projects.create", {"key": "SITE", "name": "Website"})["id"]
    office.call("issues.create", {"title": "Old", "projectId": project, "priority": "HIGH"})
    a_repository(office, projectId=project)
    assert backlog(office) == []

    office.sweep()

    (row,) = backlog(office)
    assert (row["title"], row["priority"], row["type"]) == ("Old", "high", None)
