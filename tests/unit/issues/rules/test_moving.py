"""How many issues move in one transaction, and which never move in the same one."""

from datetime import timedelta
from itertools import chain, pairwise

import pytest

from forge.store.transactions import MAX_WRITES
from forge.testing.builders import a_run, a_status, an_issue
from forge.testing.clock import NOON
from forge.work.issues.issues import MAX_BLOCKED, MAX_LIVE_RUNS, IssueItem
from forge.work.workspace.statuses import StatusCategory, StatusCopy
from functions.issues.rules import moving
from tests.workshop.outcomes import at_work

DONE, TODO = a_status(StatusCategory.DONE), a_status(StatusCategory.TODO)
FULL = at_work(an_issue(), *(a_run(agent_id=f"agt_{place}") for place in range(MAX_LIVE_RUNS)))


def issues(number: int, **fields: object) -> list[IssueItem]:
    return [an_issue(id=f"iss_{place}", **fields) for place in range(number)]


def sizes(given: list[IssueItem], status: StatusCopy, agent_id: str | None = None) -> list[int]:
    found = list(moving.chunks(given, status, agent_id=agent_id))
    assert list(chain.from_iterable(found)) == given
    return [len(chunk) for chunk in found]


@pytest.mark.parametrize(
    ("number", "expected"), [(0, []), (1, [1]), (19, [19]), (20, [19, 1]), (45, [19, 19, 7])]
)
def test_as_many_move_at_once_as_a_transaction_holds(number: int, expected: list[int]) -> None:
    """Each is four writes, and all together are three counts: two statuses and a day."""
    assert 19 * 4 + 3 <= MAX_WRITES < 20 * 4 + 3
    assert sizes(issues(number), TODO) == expected
    assert sizes(issues(number, category=StatusCategory.DONE), TODO) == expected


def test_what_costs_more_moves_in_smaller_numbers() -> None:
    plain = sizes(issues(40), DONE)
    with_runs = sizes([issue.changed(live_runs=FULL.live_runs[:1]) for issue in issues(40)], DONE)
    with_more_runs = sizes([issue.changed(live_runs=FULL.live_runs[:2]) for issue in issues(40)], DONE)

    assert len(plain) < len(with_runs) < len(with_more_runs)


def test_runs_cost_nothing_where_they_do_not_end() -> None:
    at_rest, busy = issues(40), [issue.changed(live_runs=FULL.live_runs) for issue in issues(40)]

    assert sizes(busy, TODO) == sizes(at_rest, TODO)


@pytest.mark.parametrize("assigned", [None, "agt_worker"])
def test_an_agent_that_moves_issues_moves_fewer_at_once_because_its_runs_begin(assigned: str | None) -> None:
    given = issues(40, assigned_agent_id=assigned)

    assert len(sizes(given, TODO, agent_id="agt_caller")) > len(sizes(given, TODO))
    assert sizes(given, DONE, agent_id="agt_caller") == sizes(given, DONE)


def test_counts_that_are_shared_are_written_once_and_others_each() -> None:
    together = issues(18, project_id="prj_1")
    apart = [issue.changed(project_id=f"prj_{place}") for place, issue in enumerate(issues(18))]

    assert sizes(together, TODO) == [18]
    assert sizes(apart, TODO) == [12, 6]


def test_loads_of_many_agents_and_days_of_many_ends_are_counts_too() -> None:
    same = issues(17, assigned_agent_id="agt_1", category=StatusCategory.CANCELED)
    agents = [issue.changed(assigned_agent_id=f"agt_{place}") for place, issue in enumerate(same)]
    days = [
        issue.changed(category=StatusCategory.DONE, completed_at=NOON - timedelta(days=place))
        for place, issue in enumerate(issues(17))
    ]

    assert len(sizes(agents, DONE)) > len(sizes(same, DONE))
    assert len(sizes(days, TODO)) > len(sizes(issues(17), TODO))


def test_the_most_that_one_issue_can_cost_still_fits() -> None:
    blocks = [f"iss_other{place}" for place in range(MAX_BLOCKED)]
    whole = FULL.changed(blocks=blocks, assigned_agent_id="agt_worker", project_id="prj_1")

    cost = moving._cost(whole, DONE, None) + len(moving._counts(whole, DONE))

    assert cost <= MAX_WRITES
    assert sizes([whole, an_issue(id="iss_2"), an_issue(id="iss_3")], DONE) == [2, 1]


@pytest.mark.parametrize("is_blocker_first", [True, False])
def test_a_blocker_never_moves_together_with_what_it_blocks(is_blocker_first: bool) -> None:
    blocker, blocked = an_issue(id="iss_1", blocks=["iss_2"]), an_issue(id="iss_2")
    given = [blocker, blocked] if is_blocker_first else [blocked, blocker]

    assert sizes(given, DONE) == [1, 1]


def test_two_that_block_a_third_never_move_together_though_that_stays() -> None:
    given = [an_issue(id=issue_id, blocks=["iss_3"]) for issue_id in ("iss_1", "iss_2")]

    assert sizes(given, DONE) == [1, 1]


def test_no_two_of_a_chunk_ever_touch_one_issue() -> None:
    ids = [f"iss_{place}" for place in range(30)]
    in_a_chain = [an_issue(id=one, blocks=[following]) for one, following in pairwise(ids)]
    apart = [an_issue(id=f"iss_far{place}", blocks=[f"iss_x{place}"]) for place in range(30)]

    for chunk in moving.chunks([*in_a_chain, *apart], DONE, agent_id=None):
        touched = [one for issue in chunk for one in (issue.id, *issue.blocks)]
        assert len(touched) == len(set(touched))
