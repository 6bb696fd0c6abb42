"""issues.setQueued: into the queue and out of it."""

from forge.work.record.log.kinds import EventKind
from tests.workshop.issues import a_queued_issue, an_issue, events, head, held, queue
from tests.workshop.office import Body, Office


def set_queued(office: Office, issue_id: str, queued: bool, **how: str) -> Body:
    return office.call("issues.setQueued", {"id": issue_id, "queued": queued}, **how)


def test_false_takes_it_out(office: Office) -> None:
    issue_id = a_queued_issue(office)

    assert set_queued(office, issue_id, False)["queued"] is False

    assert (queue(office), head(office, issue_id).queued) == ([], False)
    assert len(events(office, EventKind.ISSUE_QUEUED)) == 1


def test_a_claim_stays_when_its_issue_leaves_the_queue(office: Office) -> None:
    issue_id = a_queued_issue(office)
    office.call("issues.claim", {"issueId": issue_id})

    answer = set_queued(office, issue_id, False)

    assert answer["claimedById"] == office.owner_id
    assert (queue(office), held(office)) == ([], [])


def test_a_claimed_issue_that_is_queued_is_held(office: Office) -> None:
    issue_id = an_issue(office)
    office.call("issues.claim", {"issueId": issue_id})

    set_queued(office, issue_id, True)

    assert (queue(office), held(office)) == ([], [issue_id])
