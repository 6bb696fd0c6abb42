"""Operators add columns to the board; exactly one of them is where new issues start."""

from tests.workshop.office import Office


def defaults(office: Office) -> list[str]:
    return [row["name"] for row in office.rows("statuses.list") if row["isDefault"]]


def test_a_status_is_listed_as_it_was_made_with_its_color_in_lower_case(office: Office) -> None:
    made = office.call("statuses.create", {"name": "Blocked", "category": "IN_PROGRESS", "color": "#F59E0B"})

    assert (made["category"], made["color"]) == ("IN_PROGRESS", "#f59e0b")
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
