"""A label is made once under its name, whatever the case."""

from forge.work.workspace.labels import MAX_LABELS, LabelItem
from tests.workshop.office import Office


def fill(office: Office, number: int) -> None:
    """That many labels in the workspace, without a call for each."""
    office.put(
        *(
            LabelItem(workspace_id=office.workspace.id, id=f"lbl_x{n:03}", name=f"label {n}", color="#64748b")
            for n in range(number)
        )
    )


def test_a_label_is_returned_as_it_was_made(office: Office) -> None:
    made = office.call("labels.create", {"name": "bug", "color": "#dc2626"})

    assert made == {"id": made["id"], "name": "bug", "color": "#dc2626", "issueCount": 0}
    assert made["id"].startswith("lbl_")
    assert office.rows("labels.list") == [made]


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


def test_a_new_label_is_audited_but_announced_to_nobody(office: Office) -> None:
    made = office.a_label("bug", color="#dc2626")

    row = office.log()[-1]
    assert (row.kind, row.tool, row.action) == (None, "labels.create", "create")
    assert (row.subject_type, row.subject_id) == ("label", made["id"])
    assert row.actor_user_id == office.owner_id
    assert row.before is None
    assert row.after is not None
    assert row.after["name"] == "bug"
    assert office.rows("events.recent") == []
