"""Relations that are made and unmade at the same moment: no circle, no wrong count, no half a relation."""

from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any

import pytest

from forge.store.connections import Connections
from forge.store.provision import provision
from forge.store.store import Store
from forge.testing.instruments import Parameters, Send
from forge.wire.http import Response
from tests.integration.races.crowds import at_once
from tests.workshop.interference import COMMIT, Interference, let_pass, once_before
from tests.workshop.issues import a_queued_issue, an_issue, head, issues, move
from tests.workshop.office import Office
from tests.workshop.relations import claim, events, queue, relate, relating, relations_of, remove, rows_of

_numbers = count(1)


class BeforeRequest:
    """Does something else just before the request at a certain place, if there are so many."""

    def __init__(self, place: int, act: Callable[[], object]) -> None:
        self._left = place
        self._act = act
        self.has_acted = False

    def __call__(self, operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
        if not self.has_acted and self._left == 0:
            self.has_acted = True
            self._act()
        self._left -= 1
        return send(**parameters)


@pytest.fixture
def store(near_connections: Connections) -> Store:
    """In this process: each request of a call is a moment at which another may come first."""
    return provision(near_connections, f"relation-races-{next(_numbers)}")


def decide(office: Office, tool: str, arguments: dict[str, Any]) -> Response:
    """As somebody does who is told to try again."""
    while True:
        answer = office.send(tool, arguments)
        if answer.status != 409 or '"retryable":true' not in answer.body:
            return answer


def add(office: Office, *ends: str) -> int:
    return decide(office, "relations.add", relating(*ends)).status


def is_circular(office: Office, ids: list[str]) -> bool:
    blocks = {issue_id: head(office, issue_id).blocks for issue_id in ids}
    left = set(ids)
    while left:
        last = {issue_id for issue_id in left if left.isdisjoint(blocks[issue_id])}
        if not last:
            return True
        left -= last
    return False


def require_counts(office: Office, ids: list[str]) -> None:
    heads = {issue_id: head(office, issue_id) for issue_id in ids}
    for issue_id, issue in heads.items():
        blockers = [row.other_id for row in rows_of(office, issue_id) if row.kind == "BLOCKED_BY"]
        assert issue.open_blockers == sum(heads[blocker].is_open for blocker in blockers)
        assert all(issue_id in heads[blocker].blocks for blocker in blockers)


def test_of_two_who_block_each_other_at_once_one_is_refused(office: Office) -> None:
    ends = issues(office, 2)

    outcomes = at_once(2, lambda place: add(office, ends[place], "BLOCKS", ends[1 - place]))

    assert sorted(outcomes) == [200, 409]
    assert not is_circular(office, ends)


def test_of_twelve_who_together_close_a_circle_one_is_refused(office: Office) -> None:
    ids = issues(office, 12)

    outcomes = at_once(12, lambda place: add(office, ids[place], "BLOCKS", ids[(place + 1) % 12]))

    assert sorted(outcomes) == [200] * 11 + [409]
    assert not is_circular(office, ids)
    require_counts(office, ids)


@pytest.mark.parametrize(
    ("kind", "there", "added", "is_closed"),
    [
        ("BLOCKS", ["ab", "cd"], "bc", False),
        ("BLOCKED_BY", ["ab", "cd"], "bc", False),
        ("BLOCKS", ["ac"], "cd", False),
        # Neither end has to be counted anew, so nothing but the graph can tell.
        ("BLOCKS", ["cd"], "ac", True),
        ("BLOCKED_BY", ["cd"], "ac", True),
    ],
)
def test_a_circle_is_noticed_whenever_its_other_half_is_added(
    office: Office, interference: Interference, kind: str, there: list[str], added: str, is_closed: bool
) -> None:
    """While d is to block a, something else comes in between that leads from a to d: at every request."""
    place, has_acted = 0, True
    while has_acted:
        named = dict(zip("abcd", issues(office, 4), strict=True))
        for ends in there:
            relate(office, named[ends[0]], "BLOCKS", named[ends[1]])
        if is_closed:
            move(office, named["d"], "DONE")
        blocker, blocked = (named[name] for name in added)
        overtaking = BeforeRequest(place, partial(relate, office, blocker, "BLOCKS", blocked))
        wanted = relating(named["d"], kind, named["a"])
        if kind == "BLOCKED_BY":
            wanted = relating(named["a"], kind, named["d"])
        interference.handle = overtaking

        answer = office.send("relations.add", wanted)

        interference.handle = let_pass
        has_acted, place = overtaking.has_acted, place + 1
        assert answer.status == (409 if has_acted else 200)
        assert not is_circular(office, [*named.values()])
        require_counts(office, [*named.values()])
    # Authentication, the graph, both issues, the commit.
    assert place > 4


def test_the_same_from_ten_sides_is_one_relation_and_one_answer(office: Office) -> None:
    first, second = issues(office, 2)

    answers = at_once(10, lambda _: decide(office, "relations.add", relating(first, "BLOCKS", second)))

    assert {answer.status for answer in answers} == {200}
    assert len({answer.body for answer in answers}) == 1
    assert head(office, first).blocks == [second]
    assert head(office, second).open_blockers == 1
    assert len(events(office)) == 1


@pytest.mark.parametrize("kind", ["DUPLICATES", "RELATES_TO"])
def test_the_same_at_the_same_moment_is_one_relation(
    office: Office, interference: Interference, kind: str
) -> None:
    first, second = issues(office, 2)
    overtaking: list[dict[str, Any]] = []
    interference.handle = once_before(COMMIT, lambda: overtaking.append(relate(office, first, kind, second)))

    made = relate(office, first, kind, second)

    assert overtaking == [made]
    assert len(rows_of(office, first)) == len(rows_of(office, second)) == 1
    assert len(events(office)) == 1


@pytest.mark.parametrize("category", ["DONE", "CANCELED"])
@pytest.mark.parametrize("is_removal", [True, False], ids=["removing", "adding"])
@pytest.mark.parametrize("side", ["relation", "reciprocal"])
def test_a_blocker_that_is_closed_meanwhile_is_counted_as_it_is(
    office: Office, interference: Interference, category: str, is_removal: bool, side: str
) -> None:
    """At every request of the change, the blocker is closed in between."""
    place, has_acted = 0, True
    while has_acted:
        blocker, blocked = ids = [an_issue(office), a_queued_issue(office)]
        made = relate(office, blocker, "BLOCKS", blocked)
        if not is_removal:
            office.call("relations.remove", {"relationId": made["relation"]["id"]})
        closing = BeforeRequest(place, partial(move, office, blocker, category))
        interference.handle = closing

        if is_removal:
            office.call("relations.remove", {"relationId": made[side]["id"]})
        elif side == "relation":
            relate(office, blocker, "BLOCKS", blocked)
        else:
            relate(office, blocked, "BLOCKED_BY", blocker)

        interference.handle = let_pass
        has_acted, place = closing.has_acted, place + 1
        require_counts(office, ids)
        assert (blocked in queue(office)) is (is_removal or has_acted)
    assert place > 3


def test_a_relation_that_is_removed_while_its_blocker_is_closed_is_counted_as_it_is(
    office: Office, interference: Interference
) -> None:
    """The other way round: at every request of the closing, the relation is removed."""
    place, has_acted = 0, True
    while has_acted:
        blocker, other, blocked = ids = issues(office, 3)
        relation_id = relate(office, blocker, "BLOCKS", blocked)["relation"]["id"]
        relate(office, other, "BLOCKS", blocked)
        (done,) = office.rows("statuses.list", {"category": "DONE"})
        removing = BeforeRequest(place, partial(remove, office, relation_id))
        interference.handle = removing

        office.call("issues.transition", {"id": blocker, "statusId": done["id"]})

        interference.handle = let_pass
        has_acted, place = removing.has_acted, place + 1
        require_counts(office, ids)
        assert head(office, blocked).open_blockers == 1
    assert place > 3


def test_blockers_that_come_and_go_and_close_at_once_are_counted_right(office: Office) -> None:
    blocked, *blockers = [a_queued_issue(office), *issues(office, 6)]
    made = [relate(office, blocker, "BLOCKS", blocked)["relation"]["id"] for blocker in blockers[:4]]
    (done,) = office.rows("statuses.list", {"category": "DONE"})
    acts: list[tuple[str, dict[str, Any]]] = [
        ("relations.remove", {"relationId": made[0]}),
        ("relations.remove", {"relationId": made[1]}),
        ("issues.transition", {"id": blockers[1], "statusId": done["id"]}),
        ("issues.transition", {"id": blockers[2], "statusId": done["id"]}),
        ("relations.add", relating(blocked, "BLOCKED_BY", blockers[4])),
        ("issues.transition", {"id": blockers[4], "statusId": done["id"]}),
        ("relations.add", relating(blockers[5], "BLOCKS", blocked)),
        ("issues.setQueued", {"id": blocked, "queued": False}),
    ]

    answers = at_once(len(acts), lambda place: decide(office, *acts[place]))

    assert {answer.status for answer in answers} == {200}
    require_counts(office, [blocked, *blockers])
    assert head(office, blocked).open_blockers == 2
    assert queue(office) == set()


def test_a_relation_is_removed_once_by_whichever_of_its_ids(office: Office) -> None:
    first, second = issues(office, 2)
    made = relate(office, first, "BLOCKS", second)
    ids = [made["relation"]["id"], made["reciprocal"]["id"]] * 4

    answers = at_once(8, lambda place: decide(office, "relations.remove", {"relationId": ids[place]}).status)

    assert sorted(answers) == [200] + [404] * 7
    assert relations_of(office, first) == relations_of(office, second) == []
    assert (head(office, first).blocks, head(office, second).open_blockers) == ([], 0)


def test_a_relation_that_is_made_anew_is_not_removed_by_its_old_id(
    office: Office, interference: Interference
) -> None:
    first, second = issues(office, 2)
    old_id = relate(office, first, "RELATES_TO", second)["relation"]["id"]

    def make_anew() -> None:
        office.call("relations.remove", {"relationId": old_id})
        relate(office, first, "RELATES_TO", second)

    interference.handle = once_before("BatchGetItem", make_anew)

    refused = office.refused("relations.remove", {"relationId": old_id})

    assert refused[0] == 404
    assert len(rows_of(office, first)) == len(rows_of(office, second)) == 1


def test_what_is_blocked_while_it_is_claimed_stays_out_of_the_queue(
    office: Office, interference: Interference
) -> None:
    blocker, blocked = an_issue(office), a_queued_issue(office)
    interference.handle = once_before(COMMIT, lambda: relate(office, blocker, "BLOCKS", blocked))

    assert claim(office) is None
    assert queue(office) == set()
