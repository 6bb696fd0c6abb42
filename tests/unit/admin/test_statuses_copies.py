"""The workspace carries a copy of its statuses, and no change of a status leaves it behind."""

import pytest

from forge.work.workspace import statuses
from forge.work.workspace.statuses import MAX_STATUSES, StatusCategory, StatusCopy, StatusItem
from forge.work.workspace.workspaces import WorkspaceItem
from tests.workshop.interference import COMMIT
from tests.workshop.office import Office


def stored(office: Office) -> WorkspaceItem:
    """The workspace as it is on the table, with nothing made up for it."""
    table = office.world.services.store.table
    found = table.find(WorkspaceItem, WorkspaceItem.at(office.workspace.id))
    assert found is not None
    return found


def originals(office: Office) -> list[StatusCopy]:
    """What a faithful copy would be."""
    table = office.world.services.store.table
    return statuses.copies(statuses.list_all(table, office.workspace.id))


def id_of(office: Office, name: str) -> str:
    (found,) = [row["id"] for row in office.rows("statuses.list") if row["name"] == name]
    return str(found)


def statuses_at(office: Office, *positions: int) -> list[StatusItem]:
    return [
        StatusItem(
            workspace_id=office.workspace.id,
            id=f"sta_x{position:02}",
            name=f"Status {position}",
            category=StatusCategory.TODO,
            color="#64748b",
            position=position,
        )
        for position in positions
    ]


def test_a_new_status_is_in_the_copy(office: Office) -> None:
    made = office.a_status("Blocked", "IN_PROGRESS", color="#f59e0b")

    copy = stored(office).status(made["id"])

    assert copy == StatusCopy(
        id=made["id"], name="Blocked", category=StatusCategory.IN_PROGRESS, color="#f59e0b", position=6
    )
    assert stored(office).statuses == originals(office)


@pytest.mark.parametrize(
    "change",
    [{"name": "Next"}, {"color": "#00ff00"}, {"position": 1000}, {"isDefault": True}],
    ids=lambda change: next(iter(change)),
)
def test_a_change_of_a_status_is_in_the_copy(office: Office, change: dict[str, object]) -> None:
    before = stored(office)

    office.call("statuses.update", {"id": id_of(office, "Todo"), **change})

    after = stored(office)
    assert after.statuses == originals(office) != before.statuses


def test_the_copy_is_in_the_order_of_the_board(office: Office) -> None:
    office.a_status("Last", position=1000)
    office.a_status("Second", position=0)
    office.call("statuses.update", {"id": id_of(office, "Canceled"), "position": 1})

    assert [one.name for one in stored(office).statuses] == [
        "Backlog",
        "Second",
        "Todo",
        "Canceled",
        "In Progress",
        "In Review",
        "Done",
        "Last",
    ]


def test_the_copy_knows_the_one_default(office: Office) -> None:
    assert stored(office).default_status.name == "Backlog"

    office.a_status("Triage", "BACKLOG", isDefault=True)
    assert stored(office).default_status.name == "Triage"
    office.call("statuses.update", {"id": id_of(office, "Todo"), "isDefault": True})

    assert [one.name for one in stored(office).statuses if one.is_default] == ["Todo"]


def test_what_is_refused_or_changes_nothing_leaves_the_workspace_alone(office: Office) -> None:
    before = stored(office)

    office.refused("statuses.create", {"name": "Todo", "category": "TODO"})
    office.refused("statuses.update", {"id": id_of(office, "Todo"), "name": "Done"})
    office.call("statuses.update", {"id": id_of(office, "Todo"), "name": "Todo"})

    assert stored(office) == before


def test_settings_that_change_keep_the_copy(office: Office) -> None:
    office.a_status("Blocked")
    before = stored(office)

    office.call("workspaces.update", {"name": "Renamed"})

    assert stored(office).statuses == before.statuses


def test_neither_the_log_nor_the_settings_repeat_the_copy(office: Office) -> None:
    office.a_status("Blocked")
    office.call("workspaces.update", {"name": "Renamed"})

    digests = [digest for row in office.log() for digest in (row.before, row.after) if digest]
    assert digests
    assert all("statuses" not in digest for digest in digests)
    assert "statuses" not in office.call("workspaces.get")
    assert "statuses" not in office.call("workspace.get")


@pytest.mark.parametrize("moment", ["GetItem", "Query", COMMIT])
def test_of_two_admins_at_once_neither_change_is_missing_in_the_copy(office: Office, moment: str) -> None:
    office.meanwhile(lambda: office.a_status("Theirs"), before=moment)

    office.a_status("Ours")

    workspace = stored(office)
    assert workspace.statuses == originals(office)
    assert {"Ours", "Theirs"} <= {one.name for one in workspace.statuses}


@pytest.mark.parametrize("moment", ["GetItem", "Query", COMMIT])
def test_of_two_defaults_at_once_one_is_left(office: Office, moment: str) -> None:
    office.meanwhile(lambda: office.a_status("Theirs", isDefault=True), before=moment)

    office.a_status("Ours", isDefault=True)

    workspace = stored(office)
    assert workspace.statuses == originals(office)
    assert [one.name for one in workspace.statuses if one.is_default] == ["Ours"]


def test_two_who_add_the_last_status_at_once_do_not_both_succeed(office: Office) -> None:
    office.put(*statuses_at(office, *range(MAX_STATUSES - 7)))
    office.meanwhile(lambda: office.a_status("The last one"))

    refused = office.refused("statuses.create", {"name": "One more", "category": "TODO"})

    assert refused == (422, "precondition_failed", set())
    assert len(stored(office).statuses) == MAX_STATUSES
