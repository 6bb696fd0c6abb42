"""Which session goes on with what its agent has claimed, and what becomes of the run of a claim that ends."""

from datetime import timedelta

import pytest

from forge.auth import sessions
from forge.context import Caller
from forge.contract.terms import EngagementMode
from forge.testing.builders import a_caller, a_change, a_run, an_agent, an_issue
from forge.testing.clock import NOON
from forge.work.issues.runs.runs import EngagementSource, RunItem, RunStatus
from forge.work.workspace.people import runtimes
from forge.work.workspace.people.agents import RuntimeKind
from forge.work.workspace.people.runtimes import RuntimeItem
from functions.issues.rules import claiming
from functions.issues.rules.claiming import HeldIssue
from tests.workshop.outcomes import at_work, endings

WORKER = an_agent("worker")
PERSON, AGENT = a_caller(user_id="usr_ada"), a_caller(agent_id=WORKER.id)
SECOND = timedelta(seconds=1)
OF_WORKER = an_issue(claimed_by_agent_id=WORKER.id, claimed_at=NOON, claim_expires_at=NOON + SECOND)
HOUR, MISSED = timedelta(hours=1), runtimes.MISSED
A, B, UNSAID = (
    AGENT.replaced(session_id=one) for one in ("ses_a", "ses_b", sessions.session_of({}, AGENT.key_id))
)


def a_runtime(heard: timedelta) -> RuntimeItem:
    """One that was last heard of so long ago."""
    return RuntimeItem(
        workspace_id=WORKER.workspace_id,
        id="rt_1",
        name="Mac",
        kind=RuntimeKind.LOCAL_DAEMON,
        heartbeat_at=NOON - heard,
        created_at=NOON,
        updated_at=NOON,
    )


def unfinished(
    session: str | None = None, *, runtime: RuntimeItem | None = None, silent: timedelta = HOUR, **run: object
) -> HeldIssue:
    """A claim of an hour ago that a session has."""
    issue = an_issue(
        claimed_by_agent_id=WORKER.id,
        claimed_at=NOON - HOUR,
        claim_expires_at=NOON + HOUR,
        claim_session=session,
    )
    return HeldIssue(issue, a_run(last_event_at=NOON - silent, **run), runtime)


@pytest.mark.parametrize(
    ("held", "caller", "resume", "is_given"),
    [
        (unfinished("ses_a"), A, False, True),
        (unfinished("ses_a"), B, False, False),
        (unfinished("ses_a"), B, True, False),
        (unfinished("ses_a"), UNSAID, True, False),
        (unfinished(), UNSAID, False, False),
        (unfinished(), UNSAID, True, True),
        (unfinished(), A, False, False),
        (unfinished(UNSAID.session_id), UNSAID, False, False),
        (unfinished(UNSAID.session_id), UNSAID, True, True),
    ],
)
def test_a_session_gets_its_own_back_and_who_names_none_only_where_it_asks(
    held: HeldIssue, caller: Caller, resume: bool, is_given: bool
) -> None:
    assert claiming.is_given_back(held, caller, NOON, resume=resume) is is_given


@pytest.mark.parametrize(
    "held",
    [
        unfinished("ses_a", status=RunStatus.WAITING),
        unfinished("ses_a", engagement_mode=EngagementMode.REVIEW),
        unfinished("ses_a")._replace(issue=unfinished("ses_a").issue.changed(open_blockers=1)),
    ],
    ids=["waits", "reviews", "blocked"],
)
def test_what_can_not_go_on_is_not_given_back(held: HeldIssue) -> None:
    assert not claiming.is_given_back(held, A, NOON, resume=True)


def test_what_a_lost_runtime_had_is_free_for_the_other_sessions_of_its_agent() -> None:
    lost, alive = a_runtime(MISSED), a_runtime(MISSED - SECOND)

    for caller in (B, UNSAID):
        assert claiming.is_given_back(unfinished("ses_a", runtime=lost), caller, NOON, resume=False)
        assert not claiming.is_given_back(unfinished("ses_a", runtime=alive), caller, NOON, resume=False)


def test_who_is_heard_of_or_came_after_a_runtime_was_lost_keeps_its_work() -> None:
    lost_before, lost = a_runtime(HOUR + 2 * MISSED), a_runtime(MISSED)

    assert not claiming.is_orphaned(unfinished("ses_a", runtime=lost_before), NOON)
    assert not claiming.is_orphaned(unfinished("ses_a", runtime=lost, silent=MISSED - SECOND), NOON)
    assert not claiming.is_orphaned(unfinished("ses_a"), NOON)


def test_its_own_comes_before_what_others_left_and_then_the_most_silent() -> None:
    lost = a_runtime(MISSED)
    left = unfinished("ses_b", runtime=lost, silent=3 * HOUR)
    own, older = unfinished("ses_a"), unfinished("ses_a", silent=2 * HOUR)

    assert claiming.given_back([left, own, older], A, NOON, resume=False) == [older, own, left]


def test_a_claim_keeps_its_session_and_shuts_the_former_one_out() -> None:
    fresh, of_a = an_issue(), unfinished("ses_a").issue

    assert [claiming.session_after(fresh, caller) for caller in (A, UNSAID, PERSON)] == ["ses_a", None, None]
    assert claiming.session_after(of_a, B) == "ses_b"
    assert claiming.session_after(of_a, UNSAID) == UNSAID.session_id


@pytest.mark.parametrize(
    ("run", "ends"),
    [
        (a_run(engagement_source=EngagementSource.AGENT_REQUEST), True),
        (a_run(engagement_source=EngagementSource.AGENT_REQUEST, output_started_at=NOON), False),
        (a_run(engagement_source=EngagementSource.SURFACE_DEFAULT), False),
    ],
    ids=["never begun", "begun", "assigned"],
)
def test_with_a_claim_ends_the_run_that_it_began_and_nothing_came_of(run: RunItem, ends: bool) -> None:
    change = a_change(at_work(OF_WORKER, run), caller=AGENT, holding=[run, WORKER])

    claiming.release(change)

    assert endings(change) == ({run.id: "ABANDONED"} if ends else {})
