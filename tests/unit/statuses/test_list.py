"""The columns of the board are listed in its order."""

from tests.workshop.office import Office

SEEDED = [
    ("Backlog", "BACKLOG"),
    ("Todo", "TODO"),
    ("In Progress", "IN_PROGRESS"),
    ("In Review", "IN_REVIEW"),
    ("Done", "DONE"),
    ("Canceled", "CANCELED"),
]


def test_a_new_workspace_has_one_status_of_each_category(office: Office) -> None:
    rows = office.rows("statuses.list")

    assert [(row["name"], row["category"]) for row in rows] == SEEDED
    assert [row["position"] for row in rows] == [0, 1, 2, 3, 4, 5]
    assert [row["isDefault"] for row in rows] == [True, False, False, False, False, False]


def test_a_row_is_the_status_as_it_was_made(office: Office) -> None:
    made = office.a_status("Blocked", "IN_PROGRESS", color="#F59E0B")

    assert office.rows("statuses.list")[-1] == {
        "id": made["id"],
        "name": "Blocked",
        "category": "IN_PROGRESS",
        "color": "#f59e0b",
        "position": 6,
        "isDefault": False,
    }


def test_statuses_come_in_the_order_of_the_board(office: Office) -> None:
    office.a_status("Last", "DONE", position=1000)
    office.a_status("First", "DONE", position=0)

    names = [row["name"] for row in office.rows("statuses.list")]

    # Of two at the same place, the older one leads.
    assert names == ["Backlog", "First", "Todo", "In Progress", "In Review", "Done", "Canceled", "Last"]


def test_a_category_leaves_out_the_others(office: Office) -> None:
    office.a_status("Blocked", "IN_PROGRESS")

    rows = office.rows("statuses.list", {"category": "IN_PROGRESS"})

    assert [row["name"] for row in rows] == ["In Progress", "Blocked"]


def test_null_for_the_category_means_every_category(office: Office) -> None:
    for nothing in (None, "null"):
        assert len(office.rows("statuses.list", {"category": nothing})) == len(SEEDED)
