"""Which issue blocks which, how many relations there may be, and that nothing ever blocks itself."""

from itertools import pairwise

import pytest

from forge.errors import Conflict, PreconditionFailed
from forge.testing.builders import WORKSPACE_ID, a_change, an_agent, an_issue
from forge.testing.clock import NOON
from forge.work.issues.issues import CLOSED, MAX_BLOCKED, IssueItem
from forge.work.issues.relations import relations, settling
from forge.work.issues.relations.relations import MAX_RELATIONS, RelationItem, RelationKind
from forge.work.workspace.statuses import StatusCategory
from functions.relations import rules
from tests.workshop.outcomes import given_to, told, woken

ONE, TWO = an_issue(id="iss_1"), an_issue(id="iss_2")
PLAIN = [RelationKind.DUPLICATES, RelationKind.RELATES_TO]

every_kind = pytest.mark.parametrize("kind", RelationKind)


def a_relation(kind: RelationKind) -> RelationItem:
    """Of the first issue to the second."""
    return RelationItem(
        workspace_id=WORKSPACE_ID,
        id="rel_1",
        issue_id=ONE.id,
        other_id=TWO.id,
        kind=kind,
        mirror_id=None if kind in PLAIN else "rel_2",
        created_at=NOON,
    )


def settled(
    kind: RelationKind, issue: IssueItem = ONE, other: IssueItem = TWO, *, is_added: bool = True
) -> tuple[IssueItem, IssueItem]:
    change = a_change(issue)
    other_after = settling.settle(change, a_relation(kind), other, is_added=is_added)
    return change.issue, other_after


def test_who_blocks_whom_is_the_same_however_it_is_said() -> None:
    assert rules.blocking(RelationKind.BLOCKS, ONE, TWO) == (ONE, TWO)
    assert rules.blocking(RelationKind.BLOCKED_BY, ONE, TWO) == (TWO, ONE)


@pytest.mark.parametrize("kind", PLAIN)
def test_other_kinds_block_nothing(kind: RelationKind) -> None:
    assert rules.blocking(kind, ONE, TWO) is None
    assert settled(kind) == (ONE, TWO)
    assert settled(kind, is_added=False) == (ONE, TWO)


def test_an_issue_has_so_many_relations_and_no_more() -> None:
    one = a_relation(RelationKind.BLOCKS)

    relations.require_room("DEMO-1", [one] * (MAX_RELATIONS - 1))
    with pytest.raises(PreconditionFailed):
        relations.require_room("DEMO-1", [one] * MAX_RELATIONS)


def test_an_issue_blocks_so_many_and_no_more() -> None:
    blocked = [f"iss_{place}" for place in range(MAX_BLOCKED)]

    rules.require_room_to_block("DEMO-1", ONE.changed(blocks=blocked[1:]))
    with pytest.raises(PreconditionFailed):
        rules.require_room_to_block("DEMO-1", ONE.changed(blocks=blocked))


def require(graph: dict[str, list[str]]) -> None:
    """That the first issue may block the second, given what others block."""
    rules.require_no_circle(graph, blocker=("iss_1", "DEMO-1"), blocked=("iss_2", "DEMO-2"))


@pytest.mark.parametrize(
    "graph",
    [
        {},
        {"iss_2": []},
        {"iss_2": ["iss_3"], "iss_3": []},
        {"iss_2": ["iss_3", "iss_4"], "iss_3": ["iss_5"], "iss_4": ["iss_5"], "iss_5": []},
    ],
)
def test_what_never_leads_back_is_no_circle(graph: dict[str, list[str]]) -> None:
    require(graph)


@pytest.mark.parametrize("length", [2, 3, 20])
def test_blocking_in_a_circle_is_refused(length: int) -> None:
    ids = ["iss_2", *(f"iss_x{place}" for place in range(length - 2)), "iss_1"]

    with pytest.raises(Conflict):
        require({one: [following] for one, following in pairwise(ids)})


def test_a_circle_is_found_on_any_of_several_ways() -> None:
    with pytest.raises(Conflict):
        require({"iss_2": ["iss_3", "iss_4"], "iss_3": [], "iss_4": ["iss_5", "iss_1"], "iss_5": []})


def walked(number: int) -> dict[str, list[str]]:
    """So many issues that wait for the second, itself among them."""
    ids = ["iss_2", *(f"iss_x{place}" for place in range(number - 1))]
    return {one: [following] for one, following in pairwise([*ids, ids[-1]])} | {ids[-1]: []}


def test_so_many_issues_are_walked_and_no_more() -> None:
    require(walked(rules.MAX_WALKED - 1))
    with pytest.raises(PreconditionFailed):
        require(walked(rules.MAX_WALKED))


def test_a_circle_at_the_end_of_a_walk_that_is_too_long_is_still_a_circle() -> None:
    graph = walked(rules.MAX_WALKED)
    graph[list(graph)[-1]] = ["iss_1"]

    with pytest.raises(Conflict):
        require(graph)


def test_an_open_issue_counts_for_what_it_blocks_however_it_is_said() -> None:
    by_one = TWO.changed(open_blockers=1, blocker_numbers=frozenset({ONE.number}))
    by_two = ONE.changed(open_blockers=1, blocker_numbers=frozenset({TWO.number}))

    assert settled(RelationKind.BLOCKS) == (ONE.changed(blocks=["iss_2"]), by_one)
    assert settled(RelationKind.BLOCKED_BY) == (by_two, TWO.changed(blocks=["iss_1"]))


@pytest.mark.parametrize("category", sorted(CLOSED))
def test_a_closed_issue_blocks_nothing_yet_but_is_known_to(category: StatusCategory) -> None:
    closed = an_issue(id="iss_1", category=category)

    blocker, blocked = settled(RelationKind.BLOCKS, closed)

    assert (blocker.blocks, blocked.open_blockers) == (["iss_2"], 0)


def test_what_is_added_and_removed_leaves_nothing_behind() -> None:
    for kind in (RelationKind.BLOCKS, RelationKind.BLOCKED_BY):
        assert settled(kind, *settled(kind), is_added=False) == (ONE, TWO)


def test_removing_takes_one_blocker_of_several_and_only_this_issue() -> None:
    blocker, blocked = ONE.changed(blocks=["iss_9", "iss_2", "iss_8"]), TWO.changed(open_blockers=3)

    after = settled(RelationKind.BLOCKS, blocker, blocked, is_added=False)

    assert (after[0].blocks, after[1].open_blockers) == (["iss_9", "iss_8"], 2)


def test_a_closed_blocker_that_is_removed_frees_nothing_a_second_time() -> None:
    closed = an_issue(id="iss_1", category=StatusCategory.DONE, blocks=["iss_2"])

    _, blocked = settled(RelationKind.BLOCKS, closed, TWO.changed(open_blockers=1), is_added=False)

    assert blocked.open_blockers == 1


@every_kind
@pytest.mark.parametrize(("is_added", "word"), [(True, "added"), (False, "removed")])
def test_one_event_tells_of_it(kind: RelationKind, is_added: bool, word: str) -> None:
    change = a_change(ONE)

    settling.settle(change, a_relation(kind), TWO, is_added=is_added)

    about = {"id": "rel_1", "kind": kind, "toIssueId": "iss_2"}
    assert told(change) == [("ISSUE_UPDATED", {"relation": about, word: True})]


@every_kind
def test_whoever_has_the_issue_is_woken_and_whoever_has_the_other_is_not(kind: RelationKind) -> None:
    worker, other = an_agent(), an_agent("other")
    change = a_change(given_to(ONE, worker), holding=[worker, other])

    settling.settle(change, a_relation(kind), given_to(TWO, other), is_added=True)

    assert woken(change) == [(worker.id, "ISSUE_UPDATED")]
