"""A project is changed in place: what is left out stays, `clear` empties, and only real changes are told."""

from typing import Any

import pytest

from tests.workshop.office import Office
from tests.workshop.projects import a_project, an_initiative, announced, project_count, projects_of

FULL = {
    "name": "Website",
    "description": "Ours.",
    "icon": "🚀",
    "color": "#dc2626",
    "startDate": "2099-08-01T00:00:00Z",
    "targetDate": "2099-12-24T00:00:00Z",
}
CLEARABLE = ("description", "icon", "color", "startDate", "targetDate")


@pytest.mark.parametrize(
    "change",
    [
        {"name": "New website"},
        {"description": "Theirs."},
        {"icon": "🐛"},
        {"color": "#00ff00"},
        {"archived": True},
        {"startDate": "2099-09-01T00:00:00Z"},
        {"targetDate": "2099-09-01T00:00:00Z"},
        {"startDate": "2100-01-01T00:00:00Z", "targetDate": "2100-02-01T00:00:00Z", "name": "Later"},
    ],
    ids=lambda change: "-".join(change),
)
def test_what_is_given_changes_and_is_told(office: Office, change: dict[str, Any]) -> None:
    project = a_project(office, **FULL)
    office.world.clock.advance(minutes=1)

    changed = office.call("projects.update", {"id": project["id"], **change})

    now = office.world.clock().isoformat().replace("+00:00", "Z")
    assert changed == {**project, **change, "updatedAt": now}
    assert office.rows("projects.list", {"includeArchived": True}) == [changed]
    assert announced(office, project["id"])[1:] == [("PROJECT_UPDATED", change)]


@pytest.mark.parametrize("field", CLEARABLE)
def test_a_field_is_cleared_by_its_name(office: Office, field: str) -> None:
    project = a_project(office, **FULL)

    changed = office.call("projects.update", {"id": project["id"], "clear": [field]})

    assert changed == {**project, field: None}
    assert office.rows("projects.list") == [changed]
    assert announced(office, project["id"])[1:] == [("PROJECT_UPDATED", {field: None})]


def test_what_changes_nothing_writes_nothing(office: Office) -> None:
    initiative_id = an_initiative(office)
    project = a_project(office, **FULL, initiativeId=initiative_id)
    bare = a_project(office, "BARE")
    logged = office.log()
    office.world.clock.advance(minutes=1)

    for change in (
        {},
        FULL,
        {"name": None, "archived": None},
        {"name": " Website ", "color": "#DC2626", "archived": False},
        {"startDate": "2099-08-01", "targetDate": "2099-12-24T02:00:00.000999+02:00"},
        dict.fromkeys((*CLEARABLE, "initiativeId"), "null"),
        dict.fromkeys((*CLEARABLE, "initiativeId", "clear")),
        {"initiativeId": initiative_id},
    ):
        assert office.call("projects.update", {"id": project["id"], **change}) == project
    empty = {"clear": [*CLEARABLE, "initiativeId"]}
    assert office.call("projects.update", {"id": bare["id"], **empty}) == bare
    assert office.log() == logged


def test_only_what_really_changed_is_told(office: Office) -> None:
    project = a_project(office, **FULL)

    office.call(
        "projects.update",
        {"id": project["id"], **FULL, "name": "New website", "icon": None, "clear": ["icon"]},
    )

    patch = {"name": "New website", "icon": None}
    assert announced(office, project["id"])[1:] == [("PROJECT_UPDATED", patch)]
    (event, _) = office.rows("events.recent", {"subjectType": "project", "subjectId": project["id"]})
    assert (event["kind"], event["payload"]) == ("PROJECT_UPDATED", patch)
    row = office.log()[-1]
    assert (row.tool, row.action) == ("projects.update", "update")
    assert row.before is not None
    assert (row.before["name"], row.before["icon"]) == ("Website", "🚀")


def test_an_archived_project_comes_back(office: Office) -> None:
    project = a_project(office)
    office.call("projects.archive", {"id": project["id"]})

    back = office.call("projects.update", {"id": project["id"], "archived": False})

    assert back == project
    assert office.rows("projects.list") == [back]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"startDate": "2099-12-25"}, "startDate"),
        ({"targetDate": "2099-07-31"}, "targetDate"),
        ({"startDate": "2100-02-01", "targetDate": "2100-01-01"}, "targetDate"),
    ],
)
def test_a_project_is_not_due_before_it_begins(office: Office, change: dict[str, Any], field: str) -> None:
    project = a_project(office, **FULL)

    refused = office.refused("projects.update", {"id": project["id"], "name": "Other", **change})

    assert refused == (400, "invalid_input", {field})
    assert office.rows("projects.list") == [project]


def test_two_dates_that_change_at_once_can_not_cross(office: Office) -> None:
    project = a_project(office, **FULL)
    earlier = {"id": project["id"], "targetDate": "2099-09-01"}
    office.meanwhile(lambda: office.call("projects.update", earlier))

    refused = office.refused("projects.update", {"id": project["id"], "startDate": "2099-10-01"})

    assert refused == (400, "invalid_input", {"startDate"})
    assert [one for one, _ in announced(office, project["id"])] == ["PROJECT_CREATED", "PROJECT_UPDATED"]


def test_two_changes_at_once_are_both_kept_and_each_told(office: Office) -> None:
    project = a_project(office)
    rename = {"id": project["id"], "name": "New website"}
    office.meanwhile(lambda: office.call("projects.update", rename))

    changed = office.call("projects.update", {"id": project["id"], "icon": "🐛"})

    assert changed == {**project, "name": "New website", "icon": "🐛"}
    patches = [patch for _, patch in announced(office, project["id"])[1:]]
    assert patches == [{"name": "New website"}, {"icon": "🐛"}]


def test_counts_move_with_the_initiative(office: Office) -> None:
    first, second = an_initiative(office), an_initiative(office)
    project = a_project(office)

    for initiative_id in (first, second, None):
        wanted = {"initiativeId": initiative_id} if initiative_id else {"clear": ["initiativeId"]}
        changed = office.call("projects.update", {"id": project["id"], **wanted})

        assert changed == {**project, "initiativeId": initiative_id}
        for one in (first, second):
            assert projects_of(office, one) == [project["id"]] * (one == initiative_id)
    patches = [patch for _, patch in announced(office, project["id"])[1:]]
    assert patches == [{"initiativeId": first}, {"initiativeId": second}, {"initiativeId": None}]


def test_two_moves_at_once_leave_counts_that_are_right(office: Office) -> None:
    start, first, second = (an_initiative(office) for _ in range(3))
    project = a_project(office, initiativeId=start)
    there = {"id": project["id"], "initiativeId": first}
    office.meanwhile(lambda: office.call("projects.update", there))

    office.call("projects.update", {"id": project["id"], "initiativeId": second})

    assert [projects_of(office, one) for one in (start, first, second)] == [[], [], [project["id"]]]


def test_a_key_narrowed_to_initiatives_moves_projects_between_those_alone(office: Office) -> None:
    mine, also_mine, other = (an_initiative(office) for _ in range(3))
    narrowed = office.a_narrowed_key(initiative_ids=[mine, also_mine])
    inside = a_project(office, "IN", initiativeId=mine)
    outside = a_project(office, "OUT", initiativeId=other)

    into_mine, out = {"initiativeId": mine}, {"clear": ["initiativeId"]}
    for project, change in ((inside, {"initiativeId": other}), (outside, into_mine), (outside, out)):
        wanted = {"id": project["id"], **change}
        assert office.refused("projects.update", wanted, key=narrowed) == (403, "forbidden", set())
    moved = office.call("projects.update", {"id": inside["id"], "initiativeId": also_mine}, key=narrowed)
    renamed = office.call("projects.update", {"id": outside["id"], "name": "Other"}, key=narrowed)

    assert moved["initiativeId"] == also_mine
    assert (renamed["name"], renamed["initiativeId"]) == ("Other", other)
    assert [project_count(office, one) for one in (mine, also_mine, other)] == [0, 1, 1]
