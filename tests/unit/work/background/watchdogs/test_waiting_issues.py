"""Issues that auto-dispatch found nobody for, as the sweep offers them again."""

from datetime import datetime, timedelta

import pytest

from forge.store.store import Store
from forge.testing.builders import a_workspace
from forge.testing.builders import an_issue as an_issue_item
from forge.testing.clock import NOON
from forge.testing.faults import Fault, FaultAt, ProcessDied
from forge.testing.instruments import watched
from forge.work.background.watchdogs.waiting_issues import AGAIN, SELDOM, next_look
from forge.work.issues.auto_dispatch import lines
from forge.work.issues.auto_dispatch.lines import LINE, MOST_GIVEN_OUT, LineItem
from forge.work.issues.issues import IssueItem
from forge.work.record.log.kinds import EventKind
from tests.unit.work.background.watchdogs.offices import an_online_agent, later, set_up, sweep_through
from tests.workshop.interference import COMMIT, only
from tests.workshop.issues import a_queued_issue, assign, events, head, load, move, table
from tests.workshop.office import Office

DISPATCHING = {"autoDispatch": True, "autoDispatchMode": "ROUND_ROBIN"}
ON = a_workspace(auto_dispatch=True, auto_dispatch_mode="ROUND_ROBIN")


def owner_of(office: Office, issue_id: str) -> str | None:
    return head(office, issue_id).assigned_agent_id


def line(office: Office) -> LineItem | None:
    return table(office).find(LineItem, LINE(office.workspace.id))


def test_what_found_nobody_goes_to_whoever_comes_online_the_most_urgent_first(office: Office) -> None:
    set_up(office, **DISPATCHING)
    issue_ids = [a_queued_issue(office, priority=one) for one in ("LOW", "URGENT")]
    later(office, minutes=3)
    agent_id = an_online_agent(office)

    later(office, minutes=1)

    assert [owner_of(office, one) for one in issue_ids] == [None, agent_id]
    (told,) = events(office, EventKind.AGENT_ASSIGNED)
    assert (told.payload["auto"], told.actor_agent_id, told.actor_user_id) == (True, None, None)
    assert load(office, agent_id) == 1


def test_whoever_gets_room_is_given_what_waits_and_never_more(office: Office) -> None:
    set_up(office, **DISPATCHING)
    agent_id = an_online_agent(office)
    first, second, third = (a_queued_issue(office) for _ in range(3))
    later(office, minutes=1)
    assert [owner_of(office, one) for one in (first, second, third)] == [agent_id, None, None]

    move(office, first, "DONE")
    later(office, minutes=1)

    assert [owner_of(office, one) for one in (second, third)] == [agent_id, None]
    assert load(office, agent_id) == 1


def test_what_was_queued_while_it_was_off_is_given_out_when_it_is_switched_on(office: Office) -> None:
    agent_id = an_online_agent(office)
    issue_id = a_queued_issue(office)
    later(office, minutes=1)
    assert (owner_of(office, issue_id), line(office)) == (None, None)

    set_up(office, **DISPATCHING)

    assert owner_of(office, issue_id) == agent_id


def test_nobody_looks_where_nothing_waits(office: Office) -> None:
    set_up(office, **DISPATCHING)
    a_queued_issue(office)
    later(office, minutes=1)
    assert line(office) is not None
    an_online_agent(office)

    later(office, minutes=1)

    assert line(office) is None


def test_what_people_have_claimed_is_offered_when_the_claim_has_lapsed(office: Office) -> None:
    set_up(office, **DISPATCHING)
    issue_id = a_queued_issue(office)
    office.call("issues.claim", {"issueId": issue_id, "claimTtlMinutes": 10})
    agent_id = an_online_agent(office)
    later(office, minutes=9)
    assert owner_of(office, issue_id) is None

    later(office, minutes=2)

    assert owner_of(office, issue_id) == agent_id


def test_what_is_taken_back_by_hand_waits_again(office: Office) -> None:
    set_up(office, **DISPATCHING)
    issue_id = a_queued_issue(office)
    agent_id = an_online_agent(office)
    later(office, minutes=1)
    assign(office, issue_id, None)

    later(office, minutes=1)

    assert owner_of(office, issue_id) == agent_id


@pytest.mark.parametrize("fault", [Fault.CRASHED, Fault.CRASHED_AFTER])
@pytest.mark.parametrize("position", range(2))
def test_a_sweep_that_dies_gives_nothing_twice(
    office: Office, store: Store, fault: Fault, position: int
) -> None:
    set_up(office, **DISPATCHING)
    issue_id = a_queued_issue(office)
    agent_id = an_online_agent(office)
    office.world.clock.advance(minutes=1)
    with pytest.raises(ProcessDied):
        sweep_through(office, watched(store, only(COMMIT, FaultAt(fault, position=position))))

    office.sweep()

    assert owner_of(office, issue_id) == agent_id
    assert len(events(office, EventKind.AGENT_ASSIGNED)) == 1
    assert load(office, agent_id) == 1


@pytest.mark.parametrize(
    ("issue", "joins"),
    [
        (an_issue_item(queued=True), True),
        (an_issue_item(), False),
        (an_issue_item(queued=True, assigned_agent_id="agt_worker"), False),
        (an_issue_item(queued=True, category="DONE"), False),
        (an_issue_item(queued=True, times_ignored=MOST_GIVEN_OUT + 1), False),
        (an_issue_item(queued=True, claimed_by_id="usr_1", claim_expires_at=NOON), True),
    ],
)
def test_an_issue_joins_the_line_when_it_is_queued_and_nobodys(issue: IssueItem, joins: bool) -> None:
    assert lines.joins(None, issue, ON) is joins
    assert lines.joins(issue, issue, ON) is False
    assert lines.joins(None, issue, a_workspace()) is False


@pytest.mark.parametrize(
    ("kept_back", "moment"),
    [
        ([], None),
        ([None], NOON + SELDOM),
        ([NOON + timedelta(minutes=5), None], NOON + timedelta(minutes=5)),
        ([NOON + timedelta(hours=5)], NOON + SELDOM),
        ([NOON], NOON + AGAIN),
    ],
)
def test_what_others_have_is_looked_at_when_it_may_be_free(
    kept_back: list[datetime | None], moment: datetime | None
) -> None:
    assert next_look(NOON, is_anything_left=False, kept_back=kept_back) == moment
    assert next_look(NOON, is_anything_left=True, kept_back=kept_back) == NOON + AGAIN
