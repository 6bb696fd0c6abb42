"""Whatever happens to issues and their relations, counts and queue say what is so."""

from itertools import count

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forge.testing.world import World
from tests.workshop.issues import a_queued_issue, head, move
from tests.workshop.office import Office
from tests.workshop.relations import MIRRORED, queue, relating, rows_of

NUMBER = 5
CATEGORIES = ("TODO", "IN_PROGRESS", "DONE", "CANCELED")

_numbers = count(1)

places = st.integers(0, NUMBER - 1)
steps = st.one_of(
    st.tuples(st.just("add"), places, st.sampled_from([*MIRRORED, "DUPLICATES"]), places),
    st.tuples(st.just("remove"), places, places),
    st.tuples(st.just("move"), places, st.sampled_from(CATEGORIES)),
    st.tuples(st.just("queue"), places, st.booleans()),
)


def take(office: Office, ids: list[str], step: tuple[object, ...]) -> None:
    """A step may be refused; then it must have changed nothing, which is what is checked after it."""
    match step:
        case "add", int(place), str(kind), int(other):
            office.send("relations.add", relating(ids[place], kind, ids[other]))
        case "remove", int(place), int(number):
            rows = rows_of(office, ids[place])
            if rows:
                office.call("relations.remove", {"relationId": rows[number % len(rows)].id})
        case "move", int(place), str(category):
            move(office, ids[place], category)
        case "queue", int(place), bool(is_queued):
            office.send("issues.setQueued", {"id": ids[place], "queued": is_queued})


def require_truth(office: Office, ids: list[str]) -> None:
    heads = {issue_id: head(office, issue_id) for issue_id in ids}
    rows = {issue_id: rows_of(office, issue_id) for issue_id in ids}
    for issue_id, issue in heads.items():
        assert sorted(issue.blocks) == [row.other_id for row in rows[issue_id] if row.kind == "BLOCKS"]
        blockers = [heads[row.other_id] for row in rows[issue_id] if row.kind == "BLOCKED_BY"]
        assert issue.open_blockers == sum(blocker.is_open for blocker in blockers)
        assert all(row.counterpart in rows[row.other_id] for row in rows[issue_id])
    free = {one.id for one in heads.values() if one.queued and one.is_open and not one.open_blockers}
    assert queue(office) == free
    require_order(ids, {issue_id: issue.blocks for issue_id, issue in heads.items()})


def require_order(ids: list[str], blocks: dict[str, list[str]]) -> None:
    """Take away what blocks nothing that is left: in a circle something would stay."""
    left = set(ids)
    while left:
        last = {issue_id for issue_id in left if left.isdisjoint(blocks[issue_id])}
        assert last
        left -= last


@settings(
    max_examples=10,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(taken=st.lists(steps, min_size=5, max_size=12))
def test_counts_and_queue_are_right_after_every_step(
    lasting_world: World, taken: list[tuple[object, ...]]
) -> None:
    office = Office(lasting_world, lasting_world.add_workspace(f"web{next(_numbers)}"))
    ids = [a_queued_issue(office) for _ in range(NUMBER)]

    for step in taken:
        take(office, ids, step)

        require_truth(office, ids)
