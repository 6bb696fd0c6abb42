"""Operators add columns to the board; exactly one of them is where new issues start."""

from forge.work.workspace.statuses import MAX_STATUSES, StatusCategory, StatusItem
from tests.workshop.office import Office


def defaults(office: Office) -> list[str]:
    return [row["name"] for row in office.rows("statuses.list") if row["isDefault"]]


def test_a_status_is_returned_as_it_was_made(office: Office) -> None:
    made = office.call("statuses.create", {"name": "Blocked", "category": "IN_PROGRESS", "color": "#F59E0B"})

    assert made == {
        "id": made["id"],
        "name": "Blocked",
        "category": "IN_PROGRESS",
        "color": "#f59e0b",
        "position": 6,
        "isDefault": False,
    }
    assert made["id"].startswith("sta_")
    assert office.rows("statuses.list")[-1] == made


def test_what_is_left_out_or_null_has_a_default(office: Office) -> None:
    made = office.call(
        "statuses.create",
        {"name": "Blocked", "category": "TODO", "color": None, "position": None, "isDefault": None},
    )

    assert (made["color"], made["position"], made["isDefault"]) == ("#64748b", 6, False)


def test_a_status_can_be_put_anywhere_on_the_board(office: Office) -> None:
    for position in (0, 3, 1000):
        assert office.a_status(f"At {position}", position=position)["position"] == position


def test_a_name_that_exists_is_a_conflict_whatever_the_case(office: Office) -> None:
    for name in ("Backlog", "BACKLOG", "  backlog "):
        refused = office.refused("statuses.create", {"name": name, "category": "TODO"})

        assert refused == (409, "conflict", {"name"})
    assert len(office.rows("statuses.list")) == 6


def test_a_new_default_ends_the_old_one(office: Office) -> None:
    assert defaults(office) == ["Backlog"]

    for name in ("Triage", "Inbox"):
        assert office.a_status(name, "BACKLOG", isDefault=True)["isDefault"] is True

        assert defaults(office) == [name]


def test_a_default_that_is_refused_leaves_the_old_one(office: Office) -> None:
    office.refused("statuses.create", {"name": "Todo", "category": "TODO", "isDefault": True})

    assert defaults(office) == ["Backlog"]


def test_a_workspace_has_at_most_fifty_statuses(office: Office) -> None:
    office.put(
        *(
            StatusItem(
                workspace_id=office.workspace.id,
                id=f"sta_x{number:02}",
                name=f"Status {number}",
                category=StatusCategory.TODO,
                color="#64748b",
                position=number,
            )
            for number in range(MAX_STATUSES - 7)
        )
    )
    office.a_status("The last one")

    refused = office.refused("statuses.create", {"name": "One more", "category": "TODO"})

    assert refused == (422, "precondition_failed", set())
    assert len(office.rows("statuses.list")) == MAX_STATUSES == 50


def test_a_new_status_is_audited_but_announced_to_nobody(office: Office) -> None:
    made = office.a_status("Blocked")

    row = office.log()[-1]
    assert (row.kind, row.tool, row.action) == (None, "statuses.create", "create")
    assert (row.subject_type, row.subject_id) == ("status", made["id"])
    assert office.rows("events.recent") == []
