"""A project is made once under its key, announced, and counted with its initiative."""

import pytest

from forge.work.workspace.projects import projects
from tests.workshop.office import Body, Office
from tests.workshop.projects import a_project, an_initiative, announced, project_count, projects_of

A_PROJECT = {"key": "SITE", "name": "Website"}


def test_a_project_is_returned_as_it_was_made(office: Office) -> None:
    initiative_id = an_initiative(office)
    order = {
        "key": "SITE",
        "name": "Website",
        "description": "# Why\nBecause.",
        "icon": "🚀",
        "color": "#dc2626",
        "startDate": "2099-08-01T00:00:00Z",
        "targetDate": "2099-12-24T18:30:00Z",
        "initiativeId": initiative_id,
    }

    made = office.call("projects.create", order)

    now = office.world.clock().isoformat().replace("+00:00", "Z")
    assert made == {
        **order,
        "id": made["id"],
        "archived": False,
        "createdById": office.owner_id,
        "createdAt": now,
        "updatedAt": now,
    }
    assert made["id"].startswith("prj_")
    assert office.rows("projects.list") == [made]


def test_only_key_and_name_must_be_given(office: Office) -> None:
    empty = ("description", "icon", "color", "startDate", "targetDate", "initiativeId")

    bare = a_project(office, "BARE")
    for key, nothing in (("NONE", None), ("NULL", "null")):
        made = a_project(office, key, **dict.fromkeys(empty, nothing))
        assert [made[name] for name in empty] == [bare[name] for name in empty] == [None] * 6


def test_other_namespaces_find_it_by_its_id_and_among_all(office: Office) -> None:
    made = [a_project(office, key) for key in ("ONE", "TWO")]
    office.call("projects.archive", {"id": made[0]["id"]})
    table, workspace_id = office.world.services.store.table, office.workspace.id

    assert projects.get(table, workspace_id, made[1]["id"]).project_key == "TWO"
    assert [one.project_key for one in projects.list_all(table, workspace_id)] == ["ONE", "TWO"]
    assert [one.project_key for one in projects.list_all(table, workspace_id, most=1)] == ["ONE"]


def test_names_are_trimmed_and_colors_kept_in_lower_case(office: Office) -> None:
    made = a_project(office, name="  Website \n", color="#DC26FF")

    assert (made["name"], made["color"]) == ("Website", "#dc26ff")


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("2099-08-01", "2099-08-01T00:00:00Z"),
        ("2099-08-01T12:00:00", "2099-08-01T12:00:00Z"),
        ("2099-08-01T12:00:00+02:00", "2099-08-01T10:00:00Z"),
        ("2099-08-01T12:00:00.123987Z", "2099-08-01T12:00:00.123000Z"),
    ],
)
def test_dates_are_shown_in_utc_as_they_are_stored(office: Office, given: str, shown: str) -> None:
    made = a_project(office, startDate=given)

    assert made["startDate"] == shown
    assert office.rows("projects.list") == [made]


def test_a_project_is_not_due_before_it_begins(office: Office) -> None:
    dates = {"startDate": "2099-08-02", "targetDate": "2099-08-01"}

    assert office.refused("projects.create", A_PROJECT | dates) == (400, "invalid_input", {"targetDate"})
    assert office.rows("projects.list") == []
    assert a_project(office, startDate="2099-08-01", targetDate="2099-08-01")["key"] == "SITE"


def test_a_key_that_exists_is_a_conflict_even_of_an_archived_project(office: Office) -> None:
    made = a_project(office)
    office.call("projects.archive", {"id": made["id"]})
    logged = office.log()

    assert office.refused("projects.create", A_PROJECT) == (409, "conflict", {"key"})
    assert office.log() == logged


def test_names_need_not_be_unique(office: Office) -> None:
    assert {a_project(office, key, name="Website")["name"] for key in ("ONE", "TWO")} == {"Website"}


def test_of_two_who_take_one_key_at_once_one_gets_it(office: Office) -> None:
    initiative_id = an_initiative(office)
    order = {**A_PROJECT, "initiativeId": initiative_id}
    quicker: list[Body] = []
    office.meanwhile(lambda: quicker.append(office.call("projects.create", order)))

    refused = office.refused("projects.create", order)

    assert refused == (409, "conflict", {"key"})
    assert office.rows("projects.list") == quicker
    assert projects_of(office, initiative_id) == [quicker[0]["id"]]


def test_a_new_project_is_announced_once(office: Office) -> None:
    made = a_project(office, description="Not for everybody's eyes.")

    assert announced(office, made["id"]) == [("PROJECT_CREATED", {"name": "Website", "key": "SITE"})]
    row = office.log()[-1]
    assert (row.tool, row.action, row.actor_user_id) == ("projects.create", "create", office.owner_id)
    assert row.before is None
    assert row.after is not None
    assert row.after["project_key"] == "SITE"
    (event,) = office.rows("events.recent", {"subjectType": "project", "subjectId": made["id"]})
    assert (event["kind"], event["payload"]) == ("PROJECT_CREATED", {"name": "Website", "key": "SITE"})


def test_an_agent_makes_projects_too(office: Office) -> None:
    agent = office.an_agent()

    made = office.call("projects.create", A_PROJECT, key=office.an_agents_key(agent["id"]))

    stored = projects.get(office.world.services.store.table, office.workspace.id, made["id"])
    assert made["createdById"] is None
    assert (stored.created_by_id, stored.created_by_agent_id) == (None, agent["id"])


def test_its_initiative_counts_it(office: Office) -> None:
    initiative_id = an_initiative(office)

    made = [a_project(office, key, initiativeId=initiative_id) for key in ("ONE", "TWO")]

    assert projects_of(office, initiative_id) == [one["id"] for one in reversed(made)]


def test_a_key_narrowed_to_labels_makes_projects(office: Office) -> None:
    narrowed = office.a_narrowed_key(label_ids=[office.a_label()["id"]])

    assert office.call("projects.create", A_PROJECT, key=narrowed)["key"] == "SITE"


def test_a_key_narrowed_to_initiatives_adds_projects_to_those_alone(office: Office) -> None:
    allowed, other = an_initiative(office), an_initiative(office)
    narrowed = office.a_narrowed_key(initiative_ids=[allowed])

    refused = office.refused("projects.create", {**A_PROJECT, "initiativeId": other}, key=narrowed)

    assert refused == (403, "forbidden", set())
    assert office.call("projects.create", {**A_PROJECT, "initiativeId": allowed}, key=narrowed)
    assert office.call("projects.create", {"key": "FREE", "name": "Of none"}, key=narrowed)
    assert (project_count(office, allowed), project_count(office, other)) == (1, 0)
