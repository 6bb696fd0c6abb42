"""The whole way of an issue that GitHub keeps, as the contract shows it."""

import pytest

from tests.unit.backlog.github.workshop import NAME, Workshop
from tests.workshop.backlog import backlog


def test_an_issue_is_made_with_its_labels_and_found_in_the_backlog(workshop: Workshop) -> None:
    order = {"title": "Login hangs", "priority": "high", "type": "bug", "context": "Safari only."}

    made = workshop.office.call("create_issue", order)
    (row,) = backlog(workshop.office)

    number = made["issue"]["number"]
    kept = workshop.app.issues[number]
    assert made == {
        "success": True,
        "issue": {
            "number": number,
            "title": "Login hangs",
            "html_url": kept["html_url"],
            "labels": ["priority:high", "type:bug", "status:backlog"],
            "id": f"{NAME}#{number}",
            "identifier": f"{NAME}#{number}",
        },
    }
    assert kept["body"] == "## Summary\nLogin hangs\n\n## Context\nSafari only."
    assert len(workshop.app.labels) == 12
    assert workshop.app.labels["priority:critical"]["color"] == "b60205"
    assert (row["number"], row["priority"], row["type"], row["status"]) == (number, "high", "bug", "backlog")


def test_work_goes_from_the_backlog_to_a_closed_issue(workshop: Workshop) -> None:
    number = workshop.an_issue("Login button unresponsive on Safari")
    session = workshop.session()

    selected = session.select()
    workshop.run_errands()
    in_progress = workshop.app.labels_of(number)
    branched = [session.advance(number, phase) for phase in ("research", "branch")][-1]
    for phase in ("implementation", "testing"):
        session.advance(number, phase)
    session.advance(number, "commit", testsPassed=True)
    opened = session.advance(number, "pr")
    workshop.run_errands()
    in_review = workshop.app.labels_of(number)
    released = session.release(number, "merged")
    workshop.run_errands()

    branch = f"{number}-login-button-unresponsive-on-safari"
    pull = workshop.app.shown_pull(opened["workflow"]["prNumber"])
    assert selected["issue"]["html_url"] == workshop.app.issues[number]["html_url"]
    assert (selected["issue"]["priorityScore"], selected["lock"]["sessionId"]) == (100.0, session.id)
    assert "status:in-progress" in in_progress
    assert branched["workflow"]["branchName"] == branch
    assert workshop.app.branches[branch] == workshop.app.branches["main"]
    assert opened["workflow"]["prUrl"] == pull["html_url"]
    assert (pull["head"]["ref"], pull["base"]["ref"]) == (branch, "main")
    assert pull["title"] == f"fix: Login button unresponsive on Safari (#{number})"
    assert [one for one in in_review if one.startswith("status:")] == ["status:in-review"]
    assert released["success"] is True
    assert workshop.app.issues[number]["state"] == "closed"
    assert not any(one.startswith("status:") for one in workshop.app.labels_of(number))
    assert workshop.errands() == []
    assert backlog(workshop.office) == []


def test_what_is_locked_is_nobody_else_s_although_github_does_not_know_yet(workshop: Workshop) -> None:
    number = workshop.an_issue()
    first, second = workshop.session("a"), workshop.session("b")
    first.taken()

    nothing = second.select()
    (row,) = backlog(workshop.office)

    assert (nothing["code"], nothing["details"]["locked"]) == ("ALL_ISSUES_LOCKED", 1)
    assert (row["isLocked"], row["lockedBy"], row["status"]) == (True, first.id, "in-progress")
    assert workshop.app.labels_of(number) == ["priority:high", "type:bug"]


def test_what_is_given_back_can_be_taken_at_once(workshop: Workshop) -> None:
    number = workshop.an_issue()
    first, second = workshop.session("a"), workshop.session("b")
    first.taken()
    workshop.run_errands()

    first.release(number, "abandoned")

    assert workshop.app.labels_of(number)[-1] == "status:in-progress"
    assert second.taken() == number


def test_a_lease_that_expired_is_free_and_told_without_anybody_asking(workshop: Workshop) -> None:
    number = workshop.an_issue()
    workshop.session("a").taken()
    workshop.run_errands()
    workshop.office.world.clock.advance(minutes=31)

    asked = len(workshop.github.requests)
    workshop.office.sweep()
    asked_by_sweep = len(workshop.github.requests) - asked
    workshop.run_errands()

    assert asked_by_sweep == 0
    assert [one for one in workshop.app.labels_of(number) if one.startswith("status:")] == ["status:backlog"]
    assert workshop.session("b").taken() == number


def test_a_forced_claim_says_so_on_the_issue_once(workshop: Workshop) -> None:
    number = workshop.an_issue()
    workshop.session("a").taken()
    second = workshop.session("b")

    forced = second.force(number)
    workshop.run_errands()

    (comment,) = workshop.app.comments[number]
    assert forced["claimed"]["previousHolder"]["sessionId"] == workshop.session("a").id
    assert comment["body"].startswith("Issue claimed by new session (force claim)")


def test_completed_work_stays_open_in_review_and_is_not_selected_again(workshop: Workshop) -> None:
    number = workshop.an_issue()
    session = workshop.session()
    session.taken()

    session.release(number, "completed")
    at_once = session.select()
    workshop.run_errands()
    later = session.select()

    assert workshop.app.issues[number]["state"] == "open"
    assert "status:in-review" in workshop.app.labels_of(number)
    assert [at_once["code"], later["code"]] == ["NO_ISSUES_AVAILABLE", "NO_ISSUES_AVAILABLE"]


def test_locks_are_kept_and_given_back_while_github_says_no(workshop: Workshop) -> None:
    number = workshop.an_issue()
    session = workshop.session()
    session.taken()
    workshop.github.token = "another"

    renewed = session.renew(number)
    advanced = session.advance(number, "research")
    released = session.release(number, "abandoned")

    assert renewed["success"] is True
    assert (advanced["code"], advanced["reason"]) == ("GITHUB_API_ERROR", "api_error")
    assert released["success"] is True


def test_who_comes_after_the_sweep_goes_on_where_they_were(workshop: Workshop) -> None:
    number = workshop.an_issue()
    session = workshop.session()
    session.taken()
    session.advance(number, "research")
    workshop.office.world.clock.advance(minutes=31)
    workshop.office.sweep()
    workshop.run_errands()
    asked, before = len(workshop.github.requests), workshop.app.labels_of(number)

    renewed = session.renew(number)

    assert (renewed["success"], renewed["lock"]["sessionId"]) == (True, session.id)
    assert len(workshop.github.requests) == asked
    workshop.run_errands()
    assert ("status:backlog" in before, "status:in-progress" in workshop.app.labels_of(number)) == (
        True,
        True,
    )
    assert session.advance(number, "branch")["workflow"]["previousPhase"] == "research"


def test_who_comes_after_somebody_else_does_not(workshop: Workshop) -> None:
    number = workshop.an_issue()
    late = workshop.session("late")
    late.taken()
    workshop.office.world.clock.advance(minutes=31)
    workshop.office.sweep()
    workshop.session("next").taken()

    assert late.renew(number)["code"] == "NOT_LOCKED"


@pytest.mark.parametrize("tool", ["list_backlog", "select_next_issue"])
def test_a_repository_that_github_does_not_have_is_told_so(workshop: Workshop, tool: str) -> None:
    workshop.github.fails_once("GET", "/issues", status=404)

    answer = workshop.session().call(tool)

    assert (answer["success"], answer["code"]) == (False, "REPO_NOT_FOUND")


def test_work_on_an_issue_that_was_imported_is_in_the_audit_of_the_issue_here(workshop: Workshop) -> None:
    number = workshop.an_issue()
    imported = workshop.office.call("github.importIssue", {"repoFullName": NAME, "number": number})
    identifier = workshop.office.call("issues.get", {"id": imported["issueId"]})["identifier"]

    workshop.session().taken()

    here = int(identifier.rpartition("-")[2])
    rows = workshop.office.rows("audit.list", {"issueNumber": here})
    assert "select_next_issue" in {row["tool"] for row in rows}


def test_what_the_backlog_decides_is_told_to_whoever_listens(workshop: Workshop) -> None:
    made = workshop.office.call("create_issue", {"title": "Login hangs", "priority": "high", "type": "bug"})
    number = made["issue"]["number"]
    session = workshop.session()
    session.taken()
    session.release(number, "merged")

    events = workshop.office.rows("events.recent", {"limit": 10})

    about = [one for one in events if one["subjectId"] == f"{NAME}#{number}"]
    assert [(one["kind"], one["payload"].get("status"), one["payload"].get("closed")) for one in about] == [
        ("ISSUE_UPDATED", None, True),
        ("ISSUE_UPDATED", "in-progress", None),
        ("ISSUE_CREATED", None, None),
    ]
