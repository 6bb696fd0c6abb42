"""issues.list: every order both ways, and pages that give each issue once."""

from datetime import timedelta

import pytest

from forge.work.issues.issues import IssueItem
from forge.work.workspace.statuses import StatusCategory
from tests.workshop.issues import a_project, an_issue, chained, ids, issues, move, now, stored_issues
from tests.workshop.office import Office

ORDERS = ("priority", "createdAt", "updatedAt", "identifier", "title")
DIRECTIONS = ("asc", "desc")


def in_order(office: Office, **how: object) -> list[str]:
    return ids(office.rows("issues.list", {"limit": 100, **how}))


def a_mixed_board(office: Office) -> dict[str, list[str]]:
    """Some issues, and how each order lists them ascending; those of each pair share their moment."""
    made = []
    for place, (title, priority) in enumerate(
        [("delta", "LOW"), ("Alpha", "HIGH"), ("charlie", "NONE"), ("Bravo", "HIGH"), ("echo", "URGENT")]
    ):
        made.append(an_issue(office, title, priority=priority))
        if place % 2:
            office.world.clock.advance(minutes=1)
    delta, alpha, charlie, bravo, echo = made
    office.world.clock.advance(minutes=1)
    office.call("issues.update", {"id": charlie, "estimate": 1})
    return {
        "createdAt": made,
        "identifier": made,
        "updatedAt": [delta, alpha, bravo, echo, charlie],
        "title": [alpha, bravo, charlie, delta, echo],
        "priority": [charlie, delta, alpha, bravo, echo],
    }


@pytest.mark.parametrize("order", ORDERS)
def test_each_order_has_two_directions(office: Office, order: str) -> None:
    ascending = a_mixed_board(office)[order]

    assert in_order(office, orderBy=order, order="asc") == ascending
    assert in_order(office, orderBy=order, order="desc") == ascending[::-1]
    assert in_order(office, orderBy=order) == ascending[::-1]


@pytest.mark.parametrize("order", ORDERS)
def test_a_query_is_ordered_the_same_way(office: Office, order: str) -> None:
    label_id = office.a_label()["id"]
    first = an_issue(office, "Login b", priority="LOW")
    office.world.clock.advance(minutes=1)
    second = an_issue(office, "Login a", priority="HIGH", labelIds=[label_id])
    office.world.clock.advance(minutes=1)
    third = an_issue(office, "login c", priority="NONE")

    without = in_order(office, orderBy=order)

    assert in_order(office, orderBy=order, query="login") == without
    assert in_order(office, orderBy=order, order="asc", query="login") == without[::-1]
    assert set(without) == {first, second, third}


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("order", ORDERS)
def test_pages_give_each_issue_once_though_the_clock_stands_still(
    office: Office, order: str, direction: str
) -> None:
    made = issues(office, 7)

    found = chained(office, "issues.list", {"limit": 2, "orderBy": order, "order": direction})

    assert found == (made if direction == "asc" else made[::-1])


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("order", ORDERS)
def test_pages_run_over_live_and_done_issues_together(office: Office, order: str, direction: str) -> None:
    whole = a_mixed_board(office)
    move(office, whole["title"][1], "DONE")
    move(office, whole["title"][3], "DONE")
    everything = in_order(office, orderBy=order, order=direction, includeDone=True)

    found = chained(
        office, "issues.list", {"limit": 2, "orderBy": order, "order": direction, "includeDone": True}
    )

    assert found == everything
    assert (len(found), set(found)) == (5, set(whole["title"]))


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("order", ORDERS)
def test_pages_of_a_query_give_each_issue_once(office: Office, order: str, direction: str) -> None:
    made = issues(office, 5)

    found = chained(
        office, "issues.list", {"limit": 2, "orderBy": order, "order": direction, "query": "number"}
    )

    assert found == (made if direction == "asc" else made[::-1])


@pytest.mark.parametrize("order", ORDERS)
def test_pages_of_filtered_issues_are_full(office: Office, order: str) -> None:
    first, second = a_project(office, "ONE"), a_project(office, "TWO")
    wanted = set()
    for place in range(10):
        issue_id = an_issue(office, f"Number {place}", projectId=first if place % 2 else second)
        if place % 3:
            office.call("issues.queue", {"id": issue_id})
            wanted.add(issue_id)

    filters = {"limit": 2, "orderBy": order, "queued": True, "projectIds": [first, second]}
    found = chained(office, "issues.list", filters)

    assert (len(found), set(found)) == (len(wanted), wanted)


def test_a_page_goes_on_where_it_ended_though_its_last_issue_is_gone(office: Office) -> None:
    made = issues(office, 4)
    first = office.call("issues.list", {"limit": 2})
    move(office, made[2], "DONE")

    second = office.rows("issues.list", {"limit": 2, "cursor": first["nextCursor"]})

    assert ids(second) == [made[1], made[0]]


@pytest.mark.parametrize("is_search", [False, True])
def test_pages_by_title_go_on_however_long_the_titles_are(office: Office, is_search: bool) -> None:
    made = {an_issue(office, f"{place} {'長い' * 149}") for place in range(3)}
    query = {"query": "長い"} if is_search else {}

    found = chained(office, "issues.list", {"limit": 1, "orderBy": "title", **query})

    assert (len(found), set(found)) == (3, made)


@pytest.mark.parametrize("order", ORDERS)
def test_a_cursor_that_no_page_gave_is_a_mistake(office: Office, order: str) -> None:
    issues(office, 1)

    refused = office.refused("issues.list", {"cursor": "nonsense", "orderBy": order})

    assert refused == (400, "invalid_input", {"cursor"})


def test_a_cursor_of_another_order_is_a_mistake(office: Office) -> None:
    issues(office, 2)
    cursor = office.call("issues.list", {"limit": 1})["nextCursor"]

    for other in ({"orderBy": "updatedAt"}, {"orderBy": "title"}, {"order": "asc"}, {"query": "number"}):
        refused = office.refused("issues.list", {"cursor": cursor, **other})
        assert refused == (400, "invalid_input", {"cursor"})


@pytest.mark.parametrize("include_done", [False, True])
def test_up_to_five_hundred_issues_are_ordered_by_title_and_no_more(
    office: Office, include_done: bool
) -> None:
    wanted = {"orderBy": "title", "order": "asc", "limit": 3, "includeDone": include_done}
    stored_issues(office, 300)

    rows = office.rows("issues.list", wanted)
    stored_issues(office, 201)

    assert [row["title"] for row in rows] == ["Number 0", "Number 1", "Number 10"]
    assert office.refused("issues.list", wanted)[:2] == (422, "precondition_failed")


def test_issues_of_more_than_a_megabyte_are_ordered_by_title_all_the_same(office: Office) -> None:
    stored_issues(office, 400, padding="x" * 3_000)

    for order, numbers in (("asc", range(3)), ("desc", range(399, 396, -1))):
        rows = office.rows("issues.list", {"orderBy": "title", "order": order, "limit": 3})

        assert [row["title"][:10] for row in rows] == [f"Number {number:03}" for number in numbers]


def test_a_list_that_has_read_enough_says_so_and_goes_on(office: Office) -> None:
    last = an_issue(office)
    office.world.clock.advance(minutes=1)
    stored_issues(office, 505)
    office.call("issues.queue", {"id": last})

    first = office.call("issues.list", {"queued": True})
    second = office.call("issues.list", {"queued": True, "cursor": first["nextCursor"]})

    assert (first["data"], first["truncated"]) == ([], True)
    assert ids(second["data"]) == [last]
    assert not {"nextCursor", "truncated"} & second.keys()


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_numbers_that_were_given_at_one_moment_are_in_order_too(office: Office, direction: str) -> None:
    later, sooner = now(office), now(office) - timedelta(milliseconds=2)
    usual = {"workspace_id": office.workspace.id, "status_id": "sta_any", "category": StatusCategory.TODO}
    moments = {4: sooner, 1: later, 3: later, 2: sooner}
    office.put(
        *(
            IssueItem(**usual, id=f"iss_{number}", number=number, title="T", created_at=at, updated_at=at)
            for number, at in moments.items()
        )
    )

    rows = office.rows("issues.list", {"orderBy": "identifier", "order": direction})

    numbers = [row["number"] for row in rows]
    assert numbers == sorted(numbers, reverse=direction == "desc")
    assert len(numbers) == 4
