"""A deleted label is gone at once, and so is its hold on the name."""

from tests.workshop.office import Office


def test_a_deleted_label_is_gone(office: Office) -> None:
    label, other = office.a_label("bug"), office.a_label("chore")

    answer = office.call("labels.delete", {"id": label["id"]})

    assert answer == {"id": label["id"], "deleted": True}
    assert office.rows("labels.list") == [other]


def test_its_name_is_free_again(office: Office) -> None:
    label = office.a_label("bug")
    office.call("labels.delete", {"id": label["id"]})

    assert office.a_label("BUG")["id"] != label["id"]


def test_a_renamed_label_frees_the_name_that_it_has_now(office: Office) -> None:
    label = office.a_label("bug")
    office.call("labels.update", {"id": label["id"], "name": "Defect"})
    office.call("labels.delete", {"id": label["id"]})

    assert office.a_label("defect")["name"] == "defect"


def test_what_is_deleted_can_not_be_found_again(office: Office) -> None:
    label = office.a_label("bug")
    office.call("labels.delete", {"id": label["id"]})

    for tool in ("labels.delete", "labels.update"):
        assert office.refused(tool, {"id": label["id"]}) == (404, "not_found", set())
