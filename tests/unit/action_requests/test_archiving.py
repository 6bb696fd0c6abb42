"""What goes with an issue that is put away."""

import pytest

from forge.errors import PreconditionFailed
from forge.testing.builders import a_change, a_label, a_run, an_agent, an_issue
from forge.testing.clock import NOON
from forge.work.issues.issues import MAX_BLOCKED, MAX_LABELS, MAX_LIVE_RUNS
from forge.work.issues.runs.runs import RunStatus
from functions.action_requests import archiving
from tests.workshop.outcomes import at_work, endings, told

BUG, GONE = a_label("bug"), a_label("gone")


def test_it_is_deleted_unclaimed_without_runs_and_no_longer_counts_for_its_labels() -> None:
    run = a_run()
    issue = at_work(an_issue(label_ids={BUG.id, GONE.id}, claimed_by_id="usr_1", claimed_at=NOON), run)
    change = a_change(issue, holding=[BUG, run], knowing_absent=[GONE.key])

    labels = archiving.archive(change, by_request_id="ar_1")

    assert labels == [BUG.id]
    assert (change.issue.deleted_at, change.issue.claimed_by_id, change.issue.live_runs) == (NOON, None, [])
    assert endings(change) == {run.id: RunStatus.ABANDONED}
    payload = {"number": 1, "title": "Fix the login", "via": "action-request", "actionRequestId": "ar_1"}
    assert told(change) == [("ISSUE_DELETED", payload)]


def test_what_one_transaction_can_not_hold_is_refused_before_anything_changes() -> None:
    labels = [a_label(f"l{place}") for place in range(MAX_LABELS)]
    runs = [a_run(id=f"run_{place}", agent_id=an_agent(f"a{place}").id) for place in range(MAX_LIVE_RUNS)]
    issue = at_work(an_issue(label_ids={one.id for one in labels}), *runs)
    full = issue.changed(blocks=[f"iss_{place}" for place in range(100, 100 + MAX_BLOCKED)])
    change = a_change(full, holding=[*labels, *runs])

    with pytest.raises(PreconditionFailed):
        archiving.archive(change)

    assert (change.issue, change.announced) == (change.before, [])
