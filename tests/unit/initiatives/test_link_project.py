"""A project serves one initiative at most; whoever moves it must see all that changes."""

from tests.workshop.office import Office
from tests.workshop.projects import a_project, an_initiative, announced, project_count, projects_of


def test_a_linked_project_leaves_the_initiative_that_it_served(office: Office) -> None:
    first, second = an_initiative(office), an_initiative(office)
    project = a_project(office, initiativeId=first)

    linked = office.call("initiatives.linkProject", {"initiativeId": "growth-2", "projectId": "site"})

    assert linked == {**project, "initiativeId": second}
    assert (projects_of(office, first), projects_of(office, second)) == ([], [project["id"]])
    assert announced(office, project["id"])[1:] == [("PROJECT_UPDATED", {"initiativeId": second})]
    assert office.log()[-1].action == "link"


def test_linking_twice_and_unlinking_what_is_free_write_nothing(office: Office) -> None:
    initiative_id = an_initiative(office)
    linked, free = a_project(office, "ONE", initiativeId=initiative_id), a_project(office, "TWO")
    logged = office.log()

    again = office.call("initiatives.linkProject", {"initiativeId": initiative_id, "projectId": linked["id"]})

    assert again == linked
    assert office.call("initiatives.unlinkProject", {"projectId": free["id"]}) == free
    assert office.log() == logged


def test_an_unlinked_project_serves_none(office: Office) -> None:
    initiative_id = an_initiative(office)
    project = a_project(office, initiativeId=initiative_id)

    unlinked = office.call("initiatives.unlinkProject", {"projectId": "Website"})

    assert unlinked == {**project, "initiativeId": None}
    assert projects_of(office, initiative_id) == []
    assert office.log()[-1].action == "unlink"


def test_both_ends_and_the_project_must_be_within_the_key(office: Office) -> None:
    mine, other = an_initiative(office), an_initiative(office)
    inside, outside = a_project(office, "IN", initiativeId=mine), a_project(office, "OUT", initiativeId=other)
    of_mine = office.a_narrowed_key(initiative_ids=[mine])
    of_project = office.a_narrowed_key(project_ids=[inside["id"]])
    link = "initiatives.linkProject"

    for key, tool, arguments in (
        (of_mine, link, {"initiativeId": other, "projectId": inside["id"]}),
        (of_mine, link, {"initiativeId": mine, "projectId": outside["id"]}),
        (of_mine, "initiatives.unlinkProject", {"projectId": outside["id"]}),
        (of_project, link, {"initiativeId": mine, "projectId": outside["id"]}),
        (of_project, "initiatives.unlinkProject", {"projectId": outside["id"]}),
    ):
        assert office.refused(tool, arguments, key=key) == (403, "forbidden", set())
    assert [project_count(office, one) for one in (mine, other)] == [1, 1]


def test_a_project_leaves_no_other_initiative_than_the_one_that_was_meant(office: Office) -> None:
    mine, other = an_initiative(office), an_initiative(office)
    leaving = {"projectId": a_project(office, "IN", initiativeId=mine)["id"]}

    refused = office.refused("initiatives.unlinkProject", {**leaving, "initiativeId": other})

    assert (refused, project_count(office, mine)) == ((400, "invalid_input", {"initiativeId"}), 1)
    left = office.call("initiatives.unlinkProject", {**leaving, "initiativeId": mine})
    assert (left["initiativeId"], project_count(office, mine)) == (None, 0)
