"""An initiative is found by id, slug or name, and shown with its projects."""

import json

from forge.testing.builders import a_project as a_project_item
from forge.work.issues.pages.sizes import MAX_ANSWER
from tests.workshop.office import Office
from tests.workshop.projects import a_project


def test_its_projects_are_shown_the_one_that_changed_last_first(office: Office) -> None:
    initiative = office.an_initiative("Faster onboarding", description="Why.")
    made = []
    for key in ("ONE", "TWO"):
        made.append(a_project(office, key, initiativeId=initiative["id"]))
        office.world.clock.advance(minutes=1)
    archived = office.call("projects.archive", {"id": made[0]["id"]})

    for said in (initiative["id"], "FASTER-onboarding", "faster onboarding"):
        shown = office.call("initiatives.get", {"id": said})

        assert (shown["description"], shown["projectCount"]) == ("Why.", 2)
        assert [project["key"] for project in shown["projects"]] == ["ONE", "TWO"]
        assert shown["projects"][0] == {name: archived[name] for name in shown["projects"][0]}


def test_a_key_narrowed_to_projects_sees_only_those(office: Office) -> None:
    initiative = office.an_initiative()
    mine = a_project(office, "MINE", initiativeId=initiative["id"])
    a_project(office, "OTHER", initiativeId=initiative["id"])
    narrowed = office.a_narrowed_key(project_ids=[mine["id"]])

    shown = office.call("initiatives.get", {"id": initiative["id"]}, key=narrowed)

    assert [project["id"] for project in shown["projects"]] == [mine["id"]]


def test_of_very_many_projects_as_many_are_shown_as_can_be_sent(office: Office) -> None:
    initiative = office.an_initiative(description='"' * 10_000)
    usual = {"workspace_id": office.workspace.id, "name": '"' * 120, "initiative_id": initiative["id"]}
    office.put(*(a_project_item(id=f"prj_x{n:03}", project_key=f"X{n}", **usual) for n in range(101)))

    answer = office.send("initiatives.get", {"id": initiative["id"]})

    shown = json.loads(answer.body)
    assert len(answer.body) <= MAX_ANSWER
    assert 20 < len(shown["projects"]) < 100
    assert shown["projectsTruncated"] is True


def test_a_name_that_two_have_is_ambiguous_and_their_slugs_are_not(office: Office) -> None:
    first, second = (office.an_initiative("Get rich")["id"] for _ in range(2))

    assert office.refused("initiatives.get", {"id": "Get rich"}) == (400, "invalid_input", {"id"})
    assert office.call("initiatives.get", {"id": "get-rich"})["id"] == first
    assert office.call("initiatives.get", {"id": "get-rich-2"})["id"] == second
