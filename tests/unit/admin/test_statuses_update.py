"""A status changes in place; its category does not, and there is always exactly one default."""

from tests.workshop.office import Body, Office


def status(office: Office, name: str) -> Body:
    (found,) = [row for row in office.rows("statuses.list") if row["name"] == name]
    return found


def defaults(office: Office) -> list[str]:
    return [row["name"] for row in office.rows("statuses.list") if row["isDefault"]]


def test_what_is_given_changes_and_the_rest_stays(office: Office) -> None:
    todo = status(office, "Todo")

    for change in (
        {"name": "Next"},
        {"color": "#00ff00"},
        {"position": 0},
        {"name": "Later", "color": "#0000ff", "position": 1000, "isDefault": True},
    ):
        changed = office.call("statuses.update", {"id": todo["id"], **change})

        assert changed == {**todo, **change}
        assert status(office, changed["name"]) == changed
        todo = changed


def test_what_changes_nothing_writes_nothing(office: Office) -> None:
    todo = status(office, "Todo")
    logged = office.log()

    for change in (
        {},
        {"name": None, "color": None, "position": None, "isDefault": None},
        {"name": "null", "color": "null"},
        {"name": " Todo "},
        {"isDefault": False},
        {"name": "Todo", "color": "#64748b", "position": 1},
    ):
        assert office.call("statuses.update", {"id": todo["id"], **change}) == todo
    assert office.log() == logged


def test_the_board_follows_a_move(office: Office) -> None:
    office.call("statuses.update", {"id": status(office, "Canceled")["id"], "position": 1})

    names = [row["name"] for row in office.rows("statuses.list")]

    assert names == ["Backlog", "Todo", "Canceled", "In Progress", "In Review", "Done"]


def test_a_new_default_ends_the_old_one_time_after_time(office: Office) -> None:
    for name in ("Todo", "In Progress", "Todo", "Backlog"):
        changed = office.call("statuses.update", {"id": status(office, name)["id"], "isDefault": True})

        assert changed["isDefault"] is True
        assert defaults(office) == [name]


def test_making_the_default_the_default_changes_nothing(office: Office) -> None:
    logged = office.log()

    office.call("statuses.update", {"id": status(office, "Backlog")["id"], "isDefault": True})

    assert office.log() == logged


def test_the_default_can_not_just_end(office: Office) -> None:
    backlog = status(office, "Backlog")

    refused = office.refused("statuses.update", {"id": backlog["id"], "isDefault": False, "name": "Icebox"})

    assert refused == (409, "conflict", set())
    assert status(office, "Backlog") == backlog


def test_a_name_that_another_status_has_is_a_conflict(office: Office) -> None:
    todo = status(office, "Todo")

    refused = office.refused("statuses.update", {"id": todo["id"], "name": "DONE", "isDefault": True})

    assert refused == (409, "conflict", {"name"})
    assert defaults(office) == ["Backlog"]


def test_a_rename_frees_the_old_name(office: Office) -> None:
    office.call("statuses.update", {"id": status(office, "Todo")["id"], "name": "Next"})

    assert office.a_status("TODO")["name"] == "TODO"
    assert office.refused("statuses.create", {"name": "next", "category": "TODO"}) == (
        409,
        "conflict",
        {"name"},
    )
