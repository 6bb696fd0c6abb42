"""What an open issue blocks is offered to nobody, and nothing ever blocks itself through others."""

import pytest

from forge.work.issues.issues import MAX_BLOCKED
from functions.relations.rules import MAX_WALKED
from tests.contract.stage import ALL_TOOLS
from tests.workshop.issues import a_queued_issue, an_issue, head, issues, move
from tests.workshop.office import Office
from tests.workshop.relations import chain, claim, queue, relate, relating, remove, rows_of, stored_chain

FULL = (422, "precondition_failed", set[str]())
CIRCULAR = (409, "conflict", set[str]())


@pytest.mark.parametrize("kind", ["BLOCKS", "BLOCKED_BY"])
def test_a_blocked_issue_leaves_the_queue(office: Office, kind: str) -> None:
    blocker, blocked = an_issue(office), a_queued_issue(office)
    ends = (blocker, blocked) if kind == "BLOCKS" else (blocked, blocker)

    relate(office, ends[0], kind, ends[1])

    assert queue(office) == set()
    assert head(office, blocked).queued is True
    assert claim(office) is None


def test_an_issue_that_is_queued_while_blocked_is_not_offered(office: Office) -> None:
    blocker, blocked = issues(office, 2)
    relate(office, blocker, "BLOCKS", blocked)

    office.call("issues.queue", {"id": blocked})

    assert claim(office) is None


def test_it_waits_for_the_last_of_its_blockers(office: Office) -> None:
    blockers, blocked = issues(office, 3), a_queued_issue(office)
    for blocker in blockers:
        relate(office, blocked, "BLOCKED_BY", blocker)

    for blocker in blockers:
        assert claim(office) is None
        move(office, blocker, "DONE")

    assert claim(office) == blocked


def test_who_has_claimed_an_issue_keeps_it_when_it_is_blocked(office: Office) -> None:
    blocker, blocked = an_issue(office), a_queued_issue(office)
    assert claim(office) == blocked

    made = relate(office, blocker, "BLOCKS", blocked)

    assert queue(office) == set()
    remove(office, made["relation"]["id"])
    assert queue(office) == {blocked}
    assert head(office, blocked).claimed_by_id == office.owner_id


def test_an_issue_blocks_at_most_twenty(office: Office) -> None:
    blocker, *others = issues(office, MAX_BLOCKED + 2)
    for blocked in others[:-1]:
        relate(office, blocker, "BLOCKS", blocked)
    last = others[-1]

    assert office.refused("relations.add", relating(blocker, "BLOCKS", last)) == FULL
    assert office.refused("relations.add", relating(last, "BLOCKED_BY", blocker)) == FULL
    assert head(office, blocker).blocks == others[:-1]
    assert len(others[:-1]) == MAX_BLOCKED == 20
    assert (head(office, last).open_blockers, rows_of(office, last)) == (0, [])

    # All of them are freed in one step.
    move(office, blocker, "DONE")
    assert {head(office, blocked).open_blockers for blocked in others} == {0}


def test_an_issue_may_wait_for_more_than_twenty(office: Office) -> None:
    blocked, *blockers = issues(office, MAX_BLOCKED + 2)

    for blocker in blockers:
        relate(office, blocker, "BLOCKS", blocked)

    assert head(office, blocked).open_blockers == MAX_BLOCKED + 1


def test_blocking_in_a_circle_is_refused(office: Office) -> None:
    ids = issues(office, 3)
    chain(office, ids)
    before = [head(office, issue_id) for issue_id in ids]

    refused = [
        office.refused("relations.add", relating(ids[-1], "BLOCKS", ids[0])),
        office.refused("relations.add", relating(ids[0], "BLOCKED_BY", ids[-1])),
    ]

    assert refused == [CIRCULAR] * 2
    assert [head(office, issue_id) for issue_id in ids] == before


def test_a_circle_through_what_the_caller_may_not_see_is_refused_too(office: Office) -> None:
    label = office.a_label()["id"]
    first, last = [an_issue(office, labelIds=[label]) for _ in range(2)]
    chain(office, [first, an_issue(office), last])

    key = office.a_narrowed_key(label_ids=[label])

    assert office.refused("relations.add", relating(last, "BLOCKS", first), key=key) == CIRCULAR


def test_once_a_relation_is_removed_its_circle_is_none(office: Office) -> None:
    first, second = issues(office, 2)
    made = relate(office, first, "BLOCKS", second)

    remove(office, made["reciprocal"]["id"])

    assert relate(office, second, "BLOCKS", first)["relation"]["kind"] == "BLOCKS"


def test_the_longest_walk_stays_within_its_budget(office: Office) -> None:
    requests = office.counted()
    blocker, waiting = an_issue(office), stored_chain(office, MAX_WALKED - 1)
    agent_id = office.an_agent()["id"]
    office.call("issues.assign", {"issueId": blocker, "agentId": agent_id})
    requests.reset()

    relate(office, blocker, "BLOCKS", waiting[0])

    assert requests.reads == ALL_TOOLS["relations.add"].costs.most.reads
