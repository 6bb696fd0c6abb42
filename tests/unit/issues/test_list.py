"""issues.list: rows, fields, totals, and what is seen without any filter."""

from collections.abc import Callable

import pytest

from tests.workshop.issues import a_project, an_issue, delete, issues, listed, move, status_id
from tests.workshop.office import Office

ROW = {
    "id",
    "identifier",
    "number",
    "title",
    "url",
    "status",
    "statusId",
    "priority",
    "project",
    "projectId",
    "assignedAgent",
    "assignedAgentId",
    "labels",
    "queued",
    "dueDate",
    "createdAt",
    "updatedAt",
}


def total(office: Office, **filters: object) -> int | None:
    found: int | None = office.call("issues.list", filters).get("total")
    return found


def test_an_empty_board_is_an_empty_page(office: Office) -> None:
    assert office.call("issues.list") == {"data": [], "total": 0}


def test_rows_are_slim_and_leave_out_what_there_is_nothing_to_say_about(office: Office) -> None:
    an_issue(office, description="Long text")

    (row,) = office.rows("issues.list")

    assert row.keys() == ROW


def test_rows_name_what_they_refer_to(office: Office) -> None:
    project_id, agent = a_project(office), office.an_agent("worker", name="Wanda")
    labels = [office.a_label(name)["id"] for name in ("zebra", "ape")]
    issue_id = an_issue(office, projectId=project_id, labelIds=labels)
    office.call("issues.assign", {"issueId": issue_id, "agentId": agent["id"]})
    office.call("issues.claim", {"issueId": issue_id})

    (row,) = office.rows("issues.list")

    assert row["project"] == {"id": project_id, "key": "SITE", "name": "Website"}
    assert row["assignedAgent"] == {"id": agent["id"], "profileKey": "worker", "name": "Wanda"}
    assert [label["name"] for label in row["labels"]] == ["ape", "zebra"]
    assert row["claimedById"] == office.owner_id
    assert row["claimExpiresAt"]


def test_a_renamed_status_project_or_label_is_shown_by_its_new_name(office: Office) -> None:
    project_id, label_id = a_project(office), office.a_label()["id"]
    an_issue(office, projectId=project_id, labelIds=[label_id])

    office.call("projects.update", {"id": project_id, "name": "Shop"})
    office.call("labels.update", {"id": label_id, "name": "fault"})
    office.call("statuses.update", {"id": status_id(office, "BACKLOG"), "name": "Inbox"})

    (row,) = office.rows("issues.list")
    assert (row["project"]["name"], row["labels"][0]["name"]) == ("Shop", "fault")
    assert row["status"]["name"] == "Inbox"


def test_a_deleted_label_is_not_shown(office: Office) -> None:
    label_id = office.a_label()["id"]
    an_issue(office, labelIds=[label_id])

    office.call("labels.delete", {"id": label_id})

    assert office.rows("issues.list")[0]["labels"] == []


def test_a_deleted_issue_is_hidden(office: Office) -> None:
    kept, deleted = issues(office, 2)

    delete(office, deleted)

    assert listed(office, {"includeDone": True}) == {kept}
    assert listed(office, {"query": "number"}) == {kept}


def test_fields_do_for_a_query_too(office: Office) -> None:
    issue_id = an_issue(office, "One")

    page = office.call("issues.list", {"query": "one", "fields": ["identifier"]})

    assert [row.keys() for row in page["data"]] == [{"id", "identifier"}]
    assert (page["data"][0]["id"], "coverage" in page) == (issue_id, True)


def test_the_total_follows_whatever_happens(office: Office) -> None:
    first, second, third = issues(office, 3)
    totals = [total(office)]

    move(office, first, "DONE")
    totals.append(total(office))
    move(office, second, "CANCELED")
    totals.append(total(office))
    move(office, first, "TODO")
    totals.append(total(office))

    assert totals == [3, 2, 2, 3]
    assert total(office, includeDone=True) == 3
    assert listed(office) == {first, second, third}


def test_the_total_counts_what_was_asked_for(office: Office) -> None:
    ones = issues(office, 3)
    move(office, ones[0], "DONE")
    move(office, ones[1], "TODO")

    assert total(office, status="TODO") == 1
    assert total(office, statusId=status_id(office, "DONE")) == 1
    assert total(office, statusCategories=["DONE", "BACKLOG"]) == 2
    assert total(office, statusCategories=["DONE"], includeDone=False) == 1
    assert total(office, status="Todo", statusCategories=["DONE"]) == 0


def test_the_total_of_a_project_follows_its_issues(office: Office) -> None:
    first, second = a_project(office, "ONE"), a_project(office, "TWO")
    issue_id = an_issue(office, projectId=first)
    an_issue(office, projectId=first)

    office.call("issues.update", {"id": issue_id, "projectId": second})

    assert (total(office, projectId=first), total(office, projectId=second)) == (1, 1)
    move(office, issue_id, "DONE")
    assert (total(office, projectId=second), total(office, projectId=second, includeDone=True)) == (0, 1)


def test_the_total_is_of_all_pages_and_on_the_first(office: Office) -> None:
    issues(office, 3)

    first = office.call("issues.list", {"limit": 2})
    second = office.call("issues.list", {"limit": 2, "cursor": first["nextCursor"]})

    assert (len(first["data"]), first["total"]) == (2, 3)
    assert (len(second["data"]), "total" in second) == (1, False)


@pytest.mark.parametrize(
    "filters",
    [
        {"priority": "HIGH"},
        {"queued": True},
        {"unassigned": True},
        {"query": "number"},
        {"labelIds": ["bug"]},
        {"createdByViewer": True},
    ],
)
def test_there_is_no_total_where_nothing_is_counted(office: Office, filters: dict[str, object]) -> None:
    issues(office, 1)
    if "labelIds" in filters:
        filters = {"labelIds": [office.a_label()["id"]]}

    assert total(office, **filters) is None


@pytest.mark.parametrize("narrow", [a_project, lambda office: office.a_label()["id"]])
def test_a_narrowed_key_is_told_no_total_of_what_it_may_not_see(
    office: Office, narrow: Callable[[Office], str]
) -> None:
    issues(office, 2)
    wanted = narrow(office)
    field = "project_ids" if narrow is a_project else "label_ids"
    key = office.a_narrowed_key(**{field: [wanted]})

    assert office.call("issues.list", {}, key=key) == {"data": []}
