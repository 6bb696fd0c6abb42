"""GitHub fails in the ways it does: nothing is made twice, and nothing is said to be done that is not."""

import pytest

from tests.unit.backlog.github.workshop import HOST, Workshop
from tests.workshop.backlog import Session, backlog
from tests.workshop.office import Body

ORDER = {"title": "Login hangs", "priority": "high", "type": "bug"}


def at_branch(workshop: Workshop) -> tuple[Session, int]:
    """A session with an issue whose next phase is `branch`."""
    number, session = workshop.an_issue(), workshop.session()
    session.taken()
    session.advance(number, "research")
    return session, number


def at_pr(workshop: Workshop) -> tuple[Session, int]:
    session, number = at_branch(workshop)
    for phase in ("branch", "implementation", "testing"):
        session.advance(number, phase)
    session.advance(number, "commit", testsPassed=True)
    return session, number


def phase_of(session: Session, number: int) -> str:
    (shown,) = session.status(number)
    return str(shown["currentPhase"])


def refused(answer: Body) -> tuple[bool, str, str | None]:
    return answer["success"], answer["code"], answer.get("reason")


def test_an_issue_whose_answer_was_lost_is_made_once(workshop: Workshop) -> None:
    workshop.github.fails_once("POST", "/issues$", after_doing=True)

    made = workshop.office.call("create_issue", ORDER)

    assert made["issue"]["number"] == 1
    assert len(workshop.app.issues) == 1


def test_a_call_that_is_repeated_finds_what_it_made_although_nobody_knew(workshop: Workshop) -> None:
    workshop.github.fails_once("POST", "/issues$", after_doing=True)
    workshop.github.fails_once("GET", "/issues$", status=404)

    unknown = workshop.office.call("create_issue", ORDER, idempotency_key="once")
    at_once = workshop.office.refused("create_issue", ORDER, idempotency_key="once")
    workshop.office.world.clock.advance(minutes=2)
    repeated = workshop.office.call("create_issue", ORDER, idempotency_key="once")
    replayed = workshop.office.call("create_issue", ORDER, idempotency_key="once")

    assert refused(unknown) == (False, "GITHUB_API_ERROR", "api_error")
    assert at_once == (409, "conflict", set())
    assert repeated["issue"]["number"] == 1
    assert replayed == repeated
    assert len(workshop.app.issues) == 1


def test_a_call_that_github_refused_can_be_repeated_at_once(workshop: Workshop) -> None:
    workshop.github.fails_once("POST", "/issues$", status=422, body={"message": "Validation Failed"})

    failed = workshop.office.call("create_issue", ORDER, idempotency_key="once")
    repeated = workshop.office.call("create_issue", ORDER, idempotency_key="once")

    assert refused(failed) == (False, "GITHUB_API_ERROR", "api_error")
    assert repeated["issue"]["number"] == 1
    assert len(workshop.app.issues) == 1


def test_labels_that_somebody_made_meanwhile_are_as_good(workshop: Workshop) -> None:
    workshop.github.fails_once("GET", "/labels$", status=502)
    workshop.app.add_label("Priority:High")

    made = workshop.office.call("create_issue", ORDER)

    assert made["success"] is True
    assert len(workshop.app.labels) == 12


@pytest.mark.parametrize(
    ("can_push", "is_there", "code"), [(False, True, "NO_WRITE_ACCESS"), (True, False, "REPO_NOT_FOUND")]
)
def test_a_repository_that_can_t_be_written_to_gets_no_issue(
    workshop: Workshop, can_push: bool, is_there: bool, code: str
) -> None:
    workshop.app.can_push = can_push
    if not is_there:
        workshop.github.fails_once("GET", "/repos/acme/app$", status=404)

    answer = workshop.office.call("create_issue", ORDER)

    assert (answer["success"], answer["code"]) == (False, code)
    assert workshop.app.issues == {}


def test_every_page_of_the_open_issues_is_looked_at_and_no_pull_request(workshop: Workshop) -> None:
    for number in range(1, 231):
        workshop.an_issue(f"Issue {number}", "priority:low")
    urgent = workshop.an_issue("The last one", "priority:critical")
    workshop.app.add_pull("some-branch", title="No issue")

    shown = workshop.office.call("list_backlog", {"limit": 2})

    assert shown["total"] == 231
    assert [one["number"] for one in shown["backlog"]] == [urgent, 1]


def test_blockers_that_are_open_lower_the_score_and_are_named(workshop: Workshop) -> None:
    blocker, blocked = workshop.an_issue("First", "priority:low"), workshop.an_issue("Then")
    workshop.app.block(blocked, by=blocker)

    rows = {one["number"]: one for one in backlog(workshop.office)}

    assert (rows[blocked]["priorityScore"], rows[blocked]["blockedBy"]) == (10.0, blocker)
    assert rows[blocker]["blockedBy"] is None


def test_a_branch_whose_answer_was_lost_is_made_once_and_the_phase_is_reached(workshop: Workshop) -> None:
    session, number = at_branch(workshop)
    workshop.github.fails_once("POST", "/git/refs$", after_doing=True)

    advanced = session.advance(number, "branch")

    assert advanced["workflow"]["branchName"] in workshop.app.branches
    assert len(workshop.app.branches) == 2


def test_a_branch_that_failed_leaves_the_phase_and_can_be_tried_again(workshop: Workshop) -> None:
    session, number = at_branch(workshop)
    workshop.github.fails_once("POST", "/git/refs$", status=422, body={"message": "Invalid ref"})

    failed = session.advance(number, "branch")
    phase = phase_of(session, number)
    again = session.advance(number, "branch")

    assert refused(failed) == (False, "GITHUB_API_ERROR", "api_error")
    assert phase == "research"
    assert again["workflow"]["currentPhase"] == "branch"


def test_a_branch_that_was_intended_is_adopted_after_a_death(workshop: Workshop) -> None:
    session, number = at_branch(workshop)
    workshop.github.fails_once("POST", "/git/refs$", status=422, body={"message": "Invalid ref"})
    session.advance(number, "branch")
    workshop.app.add_branch(f"{number}-login-hangs")

    adopted = session.advance(number, "branch")

    assert adopted["workflow"]["branchName"] == f"{number}-login-hangs"


def test_somebody_else_s_branch_is_not_taken_without_a_reason(workshop: Workshop) -> None:
    session, number = at_branch(workshop)
    workshop.app.add_branch(f"{number}-login-hangs")

    refusal = session.advance(number, "branch")
    phase = phase_of(session, number)
    taken = session.advance(number, "implementation", skipJustification="I go on in that branch")

    assert refused(refusal) == (False, "BRANCH_EXISTS", "api_error")
    assert phase == "research"
    assert taken["workflow"]["branchName"] == f"{number}-login-hangs"


def test_the_branch_of_work_that_was_given_up_is_used_again(workshop: Workshop) -> None:
    session, number = at_branch(workshop)
    session.advance(number, "branch")
    session.release(number, "abandoned")
    second = workshop.session("b")
    second.taken()
    second.advance(number, "research")

    again = second.advance(number, "branch")

    assert again["workflow"]["branchName"] == f"{number}-login-hangs"
    assert len(workshop.app.branches) == 2


def test_a_pull_request_whose_answer_was_lost_is_opened_once(workshop: Workshop) -> None:
    session, number = at_pr(workshop)
    workshop.github.fails_once("POST", "/pulls$", after_doing=True)

    opened = session.advance(number, "pr")

    assert opened["workflow"]["prNumber"] in workshop.app.pulls
    assert len(workshop.app.pulls) == 1


def test_a_pull_request_without_commits_is_refused_and_the_phase_stays(workshop: Workshop) -> None:
    session, number = at_pr(workshop)
    workshop.app.has_commits = False

    failed = session.advance(number, "pr")
    phase = phase_of(session, number)
    workshop.app.has_commits = True
    opened = session.advance(number, "pr")

    assert refused(failed) == (False, "PR_CREATION_FAILED", "api_error")
    assert "No commits between" in failed["error"]
    assert phase == "commit"
    assert opened["workflow"]["currentPhase"] == "pr"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/pulls$", 403), ("POST", "/pulls$", 401), ("POST", "/pulls$", 404), ("GET", "/app$", 403)],
)
def test_whatever_keeps_a_pull_request_from_being_opened_is_told_as_that(
    workshop: Workshop, method: str, path: str, status: int
) -> None:
    session, number = at_pr(workshop)
    workshop.github.fails_once(method, path, status=status, body={"message": "Not today"})

    failed = session.advance(number, "pr")

    assert refused(failed) == (False, "PR_CREATION_FAILED", "api_error")
    assert ("Not today" in failed["error"], failed["details"]["status"]) == (True, status)
    assert phase_of(session, number) == "commit"
    assert session.advance(number, "pr")["success"] is True
    assert len(workshop.app.pulls) == 1


def test_a_pull_request_that_somebody_opened_is_adopted(workshop: Workshop) -> None:
    session, number = at_pr(workshop)
    theirs = workshop.app.add_pull(f"{number}-login-hangs", title="By hand")

    opened = session.advance(number, "pr")

    assert opened["workflow"]["prNumber"] == theirs
    assert len(workshop.app.pulls) == 1


def test_a_502_is_tried_again_within_the_call(workshop: Workshop) -> None:
    workshop.an_issue()
    workshop.github.fails_once("GET", "/issues$", status=502)

    assert len(backlog(workshop.office)) == 1


def test_a_connection_that_may_not_is_told_in_github_s_words(workshop: Workshop) -> None:
    workshop.github.token = "another"

    answer = workshop.office.call("list_backlog", {})

    assert refused(answer) == (False, "GITHUB_API_ERROR", "api_error")
    assert "Bad credentials" in answer["error"]
    assert HOST not in answer["error"]
