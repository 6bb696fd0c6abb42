"""issues.release: a claim is given back, by whom it may be."""

from forge.work.record.log.kinds import EventKind
from tests.workshop.issues import a_queued_issue, an_issue, assign, head, held, last, queue, woken
from tests.workshop.office import Office


def test_a_queued_issue_waits_in_the_queue_again(office: Office) -> None:
    issue_id = a_queued_issue(office)
    office.call("issues.claim", {"issueId": issue_id})

    office.call("issues.release", {"id": issue_id})

    assert (queue(office), held(office)) == ([issue_id], [])


def test_one_event_tells_of_it_and_wakes_who_has_the_issue(office: Office) -> None:
    issue_id, agent_id = an_issue(office), office.an_agent()["id"]
    assign(office, issue_id, agent_id)
    office.call("issues.claim", {"issueId": issue_id})
    place = len(office.log())

    office.call("issues.release", {"id": issue_id})

    event = last(office, EventKind.ISSUE_UPDATED)
    assert (event.payload, event.action) == ({"claimed": False}, "release")
    assert woken(office, place) == [(agent_id, "ISSUE_UPDATED")]


def test_what_nobody_claimed_stays_as_it_is(office: Office) -> None:
    issue_id = an_issue(office)
    before, rows = head(office, issue_id), len(office.log())
    office.world.clock.advance(minutes=1)

    office.call("issues.release", {"id": issue_id})

    assert (head(office, issue_id), len(office.log())) == (before, rows)
