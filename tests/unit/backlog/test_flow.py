"""The whole way of an issue, as the contract shows it."""

from tests.workshop.backlog import CONFIRMED, Session, a_repository, backlog, filed, identifier, labels_of
from tests.workshop.office import Office


def test_an_issue_goes_from_the_backlog_to_done(office: Office) -> None:
    a_repository(office)
    number = filed(office, "Login button unresponsive on Safari")
    session = Session(office, "a")

    selected = session.select()
    phases = [session.advance(number, phase) for phase in ("research", "branch", "implementation", "testing")]
    committed = session.advance(number, "commit", testsPassed=True)
    opened = session.advance(number, "pr")
    in_review = labels_of(office, number)
    reviewed = session.advance(number, "review")
    office.world.clock.advance(seconds=90)
    released = session.release(number, "merged")

    assert selected["issue"] == {
        "number": number,
        "id": office.call("issues.get", {"id": identifier(office, number)})["id"],
        "identifier": identifier(office, number),
        "title": "Login button unresponsive on Safari",
        "html_url": f"/console/issues/{identifier(office, number)}",
        "priority": "high",
        "type": "bug",
        "priorityScore": 100.0,
        "ageInDays": 0,
        "body": "## Summary\nLogin button unresponsive on Safari",
    }
    assert selected["lock"]["sessionId"] == session.id
    assert selected["workflow"] == {"currentPhase": "selection"}
    assert all(one["success"] for one in phases)
    assert committed["workflow"]["branchName"] == f"{number}-login-button-unresponsive-on-safari"
    assert opened["workflow"]["prNumber"] == 1
    assert opened["workflow"]["prUrl"] == reviewed["workflow"]["prUrl"]
    assert "status:in-review" in in_review
    assert released["released"] == {"issueNumber": number, "reason": "merged", "duration": 90}
    assert office.call("issues.get", {"id": identifier(office, number)})["status"]["category"] == "DONE"
    assert backlog(office) == []
    assert session.status() == []


def test_what_others_hold_is_shown_and_not_given_away(office: Office) -> None:
    a_repository(office)
    number = filed(office)
    first, second = Session(office, "a"), Session(office, "b")
    first.taken()

    nothing = second.select()
    (row,) = backlog(office)
    forced = second.force(number)
    late = first.advance(number, "research")

    assert (nothing["code"], nothing["reason"]) == ("ALL_ISSUES_LOCKED", "all_locked")
    assert nothing["details"] == {"totalIssues": 1, "matchingFilter": 1, "locked": 1}
    assert (row["isLocked"], row["lockedBy"], row["status"]) == (True, first.id, "in-progress")
    assert forced["claimed"]["previousHolder"]["sessionId"] == first.id
    assert (late["success"], late["code"], late["reason"]) == (False, "NOT_LOCKED", "not_locked")
    assert second.advance(number, "research")["success"] is True
    assert second.force(number, CONFIRMED.lower())["code"] == "INVALID_CONFIRMATION"


def test_what_a_session_holds_can_be_asked_for_one_repository(office: Office) -> None:
    a_repository(office)
    a_repository(office, "demo/other", default=False)
    here, there = filed(office), filed(office, repository="demo/other")
    session = Session(office, "a")
    session.taken()
    session.taken(repository="demo/other")

    def held(**arguments: object) -> set[int]:
        return {row["issueNumber"] for row in session.call("get_workflow_status", **arguments)["workflows"]}

    assert held() == {here, there}
    assert held(repository="demo/other") == {there}
    assert session.call("get_workflow_status", repository="no/such")["code"] == "REPO_NOT_FOUND"


def test_the_status_of_an_issue_goes_along_with_its_phases_forwards_alone(office: Office) -> None:
    a_repository(office)
    number, session = filed(office), Session(office, "a")

    def category() -> str:
        shown = office.call("issues.get", {"id": identifier(office, number)})
        return str(shown["status"]["category"])

    seen = [category()]
    session.select()
    seen.append(category())
    session.advance(number, "pr", testsPassed=True, skipJustification="A small one.")
    seen.append(category())
    session.release(number, "abandoned")
    seen.append(category())

    assert seen == ["BACKLOG", "IN_PROGRESS", "IN_REVIEW", "IN_REVIEW"]
    moves = [row.payload for row in office.log() if row.kind == "ISSUE_STATUS_CHANGED"]
    assert [one["auto"] for one in moves] == [True, True]


def test_phases_move_no_status_where_the_workspace_does_not_want_it(office: Office) -> None:
    office.call("workspaces.update", {"moveOnStart": False, "moveOnComplete": False})
    a_repository(office)
    number, session = filed(office), Session(office, "a")

    session.select()
    session.advance(number, "pr", testsPassed=True, skipJustification="A small one.")

    shown = office.call("issues.get", {"id": identifier(office, number)})
    assert shown["status"]["category"] == "BACKLOG"
