"""The columns of the board are listed in its order."""

from tests.workshop.office import Office


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
