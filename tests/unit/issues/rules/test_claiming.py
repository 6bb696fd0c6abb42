"""Who may take which issue, and whose it is then."""

from datetime import timedelta

import pytest

from forge.context import Caller, Narrowing
from forge.contract.terms import EngagementMode
from forge.errors import Forbidden
from forge.testing.builders import a_caller, a_change, an_agent, an_issue
from forge.testing.clock import NOON
from forge.work.issues.auto_dispatch import lines
from forge.work.issues.claims.sleepers import suits_caller
from forge.work.issues.followers import queue_row
from forge.work.issues.issues import CLOSED, IssueItem
from forge.work.workspace.statuses import StatusCategory
from functions.issues.rules import claiming
from tests.workshop.outcomes import begun_modes, given_to, told, woken

WORKER = an_agent("worker")
PERSON, COLLEAGUE = a_caller(user_id="usr_ada"), a_caller(user_id="usr_bob")
AGENT, OTHER_AGENT = a_caller(agent_id=WORKER.id), a_caller(agent_id="agt_other")
OF_NOBODY = a_caller(user_id=None, role=None)

SECOND = timedelta(seconds=1)
OPEN = sorted(set(StatusCategory) - CLOSED)


def claimed(*, until: timedelta | None = SECOND, **by: str) -> IssueItem:
    expires_at = NOON + until if until is not None else None
    return an_issue(queued=True, claimed_at=NOON - 2 * SECOND, claim_expires_at=expires_at, **by)


OF_ADA = claimed(claimed_by_id="usr_ada")
OF_WORKER = claimed(claimed_by_agent_id=WORKER.id)


@pytest.mark.parametrize("category", OPEN)
def test_an_open_issue_that_nobody_has_can_be_had(category: StatusCategory) -> None:
    assert claiming.reason_against(an_issue(category=category), PERSON, NOON) is None


@pytest.mark.parametrize("category", sorted(CLOSED))
def test_a_closed_issue_is_nobodys_not_even_by_a_claim_of_ones_own(category: StatusCategory) -> None:
    issue = claimed(claimed_by_id="usr_ada").changed(category=category)

    assert claiming.reason_against(issue, PERSON, NOON) == "closed"


@pytest.mark.parametrize(
    ("issue", "caller"),
    [(OF_ADA, COLLEAGUE), (OF_ADA, AGENT), (OF_WORKER, OTHER_AGENT), (OF_WORKER, PERSON)],
)
def test_what_somebody_else_has_can_not_be_had(issue: IssueItem, caller: Caller) -> None:
    assert claiming.reason_against(issue, caller, NOON) == "already-claimed"
    assert not issue.is_claimed_by(caller)


@pytest.mark.parametrize(("issue", "caller"), [(OF_ADA, PERSON), (OF_WORKER, AGENT)])
def test_what_one_has_can_be_claimed_again(issue: IssueItem, caller: Caller) -> None:
    assert claiming.reason_against(issue, caller, NOON) is None
    assert issue.is_claimed_by(caller)


def test_an_agents_key_has_nothing_of_the_person_whose_key_it_is() -> None:
    of_both = a_caller(agent_id=WORKER.id, user_id="usr_ada")

    assert not OF_ADA.is_claimed_by(of_both)
    assert OF_WORKER.is_claimed_by(of_both)


def test_a_key_of_nobody_has_nothing() -> None:
    assert not an_issue().is_claimed_by(OF_NOBODY)
    assert claiming.reason_against(OF_ADA, OF_NOBODY, NOON) == "already-claimed"


@pytest.mark.parametrize(("left", "is_held"), [(-SECOND, False), (timedelta(0), False), (SECOND, True)])
def test_a_claim_holds_until_the_very_moment_it_expires(left: timedelta, is_held: bool) -> None:
    issue = claimed(until=left, claimed_by_id="usr_ada")

    reason = claiming.reason_against(issue, COLLEAGUE, NOON)

    assert reason == ("already-claimed" if is_held else None)
    assert claiming.is_free(issue, COLLEAGUE, NOON) is not is_held


def test_a_claim_without_an_end_holds() -> None:
    issue = claimed(until=None, claimed_by_id="usr_ada")

    assert claiming.reason_against(issue, COLLEAGUE, NOON) == "already-claimed"


def test_by_its_id_an_issue_is_given_though_it_is_not_queued_but_not_where_it_is_blocked() -> None:
    assert claiming.reason_against(an_issue(), AGENT, NOON) is None
    assert claiming.reason_against(an_issue(open_blockers=1), AGENT, NOON) == "blocked"


def test_another_agents_issue_is_given_by_its_id_to_people_alone() -> None:
    issue = given_to(an_issue(), an_agent("other"))

    assert claiming.reason_against(issue, AGENT, NOON) == "assigned-elsewhere"
    assert claiming.reason_against(issue, PERSON, NOON) is None
    assert claiming.reason_against(given_to(an_issue(), WORKER), AGENT, NOON) is None


def test_the_queue_gives_what_waits_in_it() -> None:
    assert claiming.is_free(an_issue(queued=True), PERSON, NOON)


@pytest.mark.parametrize(
    "issue",
    [
        an_issue(),
        an_issue(queued=True, category=StatusCategory.DONE),
        an_issue(queued=True, category=StatusCategory.CANCELED),
        an_issue(queued=True, deleted_at=NOON),
        an_issue(queued=True, open_blockers=1),
        OF_ADA,
        OF_WORKER,
        an_issue(queued=True, assigned_agent_id="agt_other"),
    ],
    ids=["loose", "done", "canceled", "deleted", "blocked", "own", "claimed", "another agent's"],
)
def test_the_queue_gives_nothing_else(issue: IssueItem) -> None:
    assert not claiming.is_free(issue, PERSON, NOON)


def test_an_agents_issue_is_given_to_that_agent_alone() -> None:
    issue = given_to(an_issue(queued=True), WORKER)

    assert claiming.is_free(issue, AGENT, NOON)
    assert not claiming.is_free(issue, OTHER_AGENT, NOON)
    assert not claiming.is_free(issue, PERSON, NOON)


@pytest.mark.parametrize(
    ("narrowing", "is_open"),
    [
        (Narrowing(), True),
        (Narrowing(project_ids=frozenset({"prj_1"})), True),
        (Narrowing(project_ids=frozenset({"prj_2"})), False),
        (Narrowing(label_ids=frozenset({"lbl_bug", "lbl_other"})), True),
        (Narrowing(label_ids=frozenset({"lbl_other"})), False),
        (Narrowing(project_ids=frozenset({"prj_2"}), label_ids=frozenset({"lbl_bug"})), True),
        (Narrowing(initiative_ids=frozenset({"ini_1"})), True),
    ],
)
def test_a_narrowed_key_gets_only_what_it_may_see(narrowing: Narrowing, is_open: bool) -> None:
    issue = an_issue(queued=True, project_id="prj_1", label_ids={"lbl_bug"})
    row = queue_row(issue)
    assert row is not None

    caller = PERSON.replaced(narrowing=narrowing)

    assert claiming.is_free(issue, caller, NOON) is is_open
    assert suits_caller(row, caller) is is_open


@pytest.mark.parametrize(
    ("ticket", "order"),
    [(1, "abc"), (2, "bca"), (3, "cab"), (4, "abc"), (302, "bca")],
)
def test_after_a_lost_race_the_ticket_says_where_to_go_on(ticket: int, order: str) -> None:
    place = lines.place_of(PERSON, ticket=ticket, losses=1)

    assert lines.in_turn("abc", place) == list(order)


def test_who_loses_again_with_the_same_ticket_goes_on_where_others_do_not() -> None:
    crowd = [a_caller(agent_id=f"agt_{place}").replaced(session_id=f"ses_{place}") for place in range(50)]

    for losses in (2, 3, 4):
        places = {lines.place_of(one, ticket=1, losses=losses) % 50 for one in crowd}
        assert len(places) > 25

    assert len({lines.place_of(crowd[0], ticket=1, losses=losses) % 50 for losses in range(2, 9)}) > 3


def test_nobody_has_a_turn_where_nothing_waits() -> None:
    assert lines.in_turn([], 7) == []


def test_a_person_who_claims_is_among_its_people_until_the_time_is_up() -> None:
    change = a_change(an_issue(assignee_ids={"usr_bob"}), caller=PERSON)

    claiming.claim(change, minutes=30)

    issue, until = change.issue, NOON + timedelta(minutes=30)
    assert (issue.claimed_at, issue.claim_expires_at) == (NOON, until)
    assert (issue.claimed_by_id, issue.claimed_by_agent_id) == ("usr_ada", None)
    assert issue.assignee_ids == {"usr_ada", "usr_bob"}
    (event,) = told(change)
    assert event == (
        "ISSUE_UPDATED",
        {
            "claimed": True,
            "claimedById": "usr_ada",
            "claimedByAgentId": None,
            "claimExpiresAt": event[1]["claimExpiresAt"],
        },
    )
    assert event[1]["claimExpiresAt"].startswith("2099-07-28T12:30:00")


def test_an_agent_claims_under_its_own_name_whoevers_key_it_is() -> None:
    caller = a_caller(agent_id=WORKER.id, user_id="usr_ada")
    change = a_change(an_issue(), caller=caller, holding=[WORKER])

    claiming.claim(change, minutes=1)

    assert (change.issue.claimed_by_id, change.issue.claimed_by_agent_id) == (None, WORKER.id)
    assert change.issue.assignee_ids == set()


def test_a_new_claim_leaves_nothing_of_the_one_that_expired() -> None:
    change = a_change(claimed(until=-SECOND, claimed_by_id="usr_ada"), caller=AGENT, holding=[WORKER])

    claiming.claim(change, minutes=1)

    assert (change.issue.claimed_by_id, change.issue.claimed_by_agent_id) == (None, WORKER.id)


def test_a_key_of_nobody_can_have_nothing() -> None:
    """Else it would be told that it has the issue, while the next who asks gets it as well."""
    change = a_change(an_issue(), caller=OF_NOBODY)

    with pytest.raises(Forbidden):
        claiming.claim(change, minutes=30)

    assert (change.issue, change.announced) == (change.before, [])


def test_whoever_has_the_issue_hears_of_a_claim() -> None:
    issue = given_to(an_issue(), WORKER, EngagementMode.EXECUTE)
    change = a_change(issue, caller=PERSON, holding=[WORKER])

    claiming.claim(change, minutes=30)

    assert woken(change) == [(WORKER.id, "ISSUE_UPDATED")]
    assert begun_modes(change) == {WORKER.id: EngagementMode.DISCUSS}


def test_whoever_has_the_issue_is_not_woken_by_its_own_claim() -> None:
    change = a_change(given_to(an_issue(), WORKER), caller=AGENT, holding=[WORKER])

    claiming.claim(change, minutes=30)

    assert woken(change) == []
    assert begun_modes(change) == {WORKER.id: EngagementMode.EXECUTE}


@pytest.mark.parametrize("issue", [OF_ADA, claimed(claimed_by_agent_id="agt_other")])
def test_an_agent_gives_back_nobodys_claim_but_its_own(issue: IssueItem) -> None:
    with pytest.raises(Forbidden):
        claiming.require_release(issue, AGENT, NOON)


@pytest.mark.parametrize(
    ("issue", "caller"),
    [
        (OF_WORKER, AGENT),
        (claimed(until=timedelta(0), claimed_by_id="usr_ada"), AGENT),
        (OF_WORKER, PERSON),
        (OF_ADA, COLLEAGUE),
    ],
    ids=["its own", "expired", "a person an agent's", "a person another's"],
)
def test_whatever_else_is_claimed_can_be_given_back(issue: IssueItem, caller: Caller) -> None:
    claiming.require_release(issue, caller, NOON)


def test_nothing_of_a_claim_stays_but_the_issue_where_it_was() -> None:
    before = claimed(claimed_by_id="usr_ada").changed(assignee_ids=frozenset({"usr_ada"}))
    change = a_change(before, caller=PERSON)

    claiming.release(change)

    assert change.issue == an_issue(queued=True, assignee_ids={"usr_ada"})
    assert told(change) == [("ISSUE_UPDATED", {"claimed": False})]
    assert change.announced[0].action == "release"
