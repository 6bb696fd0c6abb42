"""Repositories: registered, changed and removed by operators."""

from tests.unit.backlog.yard import Session, a_repository, an_issue
from tests.unit.office import Office


def test_a_native_repository_has_a_project_and_the_labels_of_a_backlog(office: Office) -> None:
    made = a_repository(office)

    assert made["webhookSecret"].startswith("whsec_")
    assert (made["fullName"], made["provider"], made["default"]) == ("demo/app", "native", True)
    assert made["projectId"] in [one["id"] for one in office.rows("projects.list")]
    names = {label["name"] for label in office.rows("labels.list")}
    assert {"type:bug", "type:docs", "status:backlog", "status:in-review"} <= names
    (listed,) = office.rows("repositories.list")
    assert "webhookSecret" not in listed
    assert listed == {name: value for name, value in made.items() if name != "webhookSecret"}


def test_labels_that_are_there_are_taken_over_and_deleted_ones_made_again(office: Office) -> None:
    known = office.a_label("Type:Bug")["id"]
    a_repository(office)
    assert [one["id"] for one in office.rows("labels.list") if one["name"].lower() == "type:bug"] == [known]

    office.call("labels.delete", {"id": known})
    number = an_issue(office)

    assert Session(office, "a").taken(includeTypes=["bug"]) == number


def test_a_name_is_taken_in_any_case_and_a_project_keeps_one_backlog(office: Office) -> None:
    made = a_repository(office)
    order = {"fullName": "Demo/App", "provider": "native"}
    other = {"fullName": "demo/other", "provider": "native", "projectId": made["projectId"]}

    assert office.refused("repositories.register", order)[:2] == (409, "conflict")
    assert office.refused("repositories.register", other)[:2] == (409, "conflict")
    unknown = {**other, "projectId": "prj_unknown"}
    assert office.refused("repositories.register", unknown) == (400, "invalid_input", {"projectId"})


def test_another_project_is_another_backlog(office: Office) -> None:
    made = a_repository(office)
    an_issue(office)
    project = office.call("projects.create", {"key": "NEW", "name": "New"})["id"]
    office.call("issues.create", {"title": "Its own", "projectId": project})

    updated = office.call("repositories.update", {"id": made["id"], "projectId": project, "readOnly": True})
    office.sweep()

    assert (updated["projectId"], updated["readOnly"]) == (project, True)
    assert [row["title"] for row in office.call("list_backlog")["backlog"]] == ["Its own"]


def test_a_repository_that_is_gone_has_no_backlog_and_its_name_is_free(office: Office) -> None:
    a_repository(office)
    an_issue(office)

    office.call("repositories.remove", {"fullName": "DEMO/app"})

    assert office.call("list_backlog", {"repository": "demo/app"})["code"] == "REPO_NOT_FOUND"
    assert office.call("list_backlog")["code"] == "REPO_REQUIRED"
    assert office.refused("repositories.remove", {"fullName": "demo/app"})[:2] == (404, "not_found")
    again = a_repository(office)
    office.sweep()
    assert again["default"] is True
    assert len(office.rows("issues.list")) == 1
