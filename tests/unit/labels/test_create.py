"""A label is made once under its name, whatever the case."""

from forge.testing.builders import a_label
from forge.work.workspace.labels import MAX_LABELS
from tests.workshop.office import Office


def fill(office: Office, number: int) -> None:
    """That many labels in the workspace, without a call for each."""
    office.put(*(a_label(f"label {n}", workspace_id=office.workspace.id) for n in range(number)))


def test_the_color_need_not_be_given(office: Office) -> None:
    assert office.call("labels.create", {"name": "bug"})["color"] == "#64748b"
    for number, nothing in enumerate((None, "null")):
        assert office.a_label(f"bug {number}", color=nothing)["color"] == "#64748b"


def test_colors_are_kept_in_lower_case(office: Office) -> None:
    assert office.a_label(color="#DC26FF")["color"] == "#dc26ff"


def test_a_name_has_one_to_forty_characters(office: Office) -> None:
    for name in ("b", "b" * 40, "né " * 13 + "x", "🐛" * 40, "null", "a#b", "2"):
        assert office.a_label(name)["name"] == name


def test_space_around_a_name_does_not_count(office: Office) -> None:
    padded = "  " + "b" * 40 + " \n"

    assert office.a_label(padded)["name"] == "b" * 40


def test_a_name_that_exists_is_a_conflict_whatever_the_case(office: Office) -> None:
    made = [office.a_label(name) for name in ("Bug", "straße")]

    for name in ("Bug", "BUG", " bUG ", "STRASSE"):
        assert office.refused("labels.create", {"name": name}) == (409, "conflict", {"name"})
    assert office.rows("labels.list") == made


def test_a_label_and_a_status_may_share_a_name(office: Office) -> None:
    assert office.a_label("Backlog")["name"] == "Backlog"


def test_a_workspace_has_at_most_five_hundred_labels(office: Office) -> None:
    fill(office, MAX_LABELS - 1)
    made = office.a_label("the last one")

    assert office.refused("labels.create", {"name": "too much"}) == (422, "precondition_failed", set())
    assert len(office.rows("labels.list")) == MAX_LABELS == 500

    office.call("labels.delete", {"id": made["id"]})
    assert office.a_label("another last one")["name"] == "another last one"
