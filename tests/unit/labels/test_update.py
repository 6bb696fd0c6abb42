"""A label is renamed and recolored in place."""

from tests.workshop.office import Office


def test_a_label_is_renamed(office: Office) -> None:
    label = office.a_label("bug", color="#dc2626")

    changed = office.call("labels.update", {"id": label["id"], "name": "  defect "})

    assert changed == {**label, "name": "defect"}
    assert office.rows("labels.list") == [changed]


def test_a_label_is_recolored(office: Office) -> None:
    label = office.a_label("bug", color="#dc2626")

    changed = office.call("labels.update", {"id": label["id"], "color": "#00FF00"})

    assert changed == {**label, "color": "#00ff00"}
    assert office.rows("labels.list") == [changed]


def test_what_changes_nothing_writes_nothing(office: Office) -> None:
    label = office.a_label("bug", color="#dc2626")
    logged = office.log()

    for change in (
        {},
        {"name": None, "color": None},
        {"name": "null", "color": "null"},
        {"name": "bug"},
        {"name": " bug "},
        {"color": "#dc2626"},
        {"name": "bug", "color": "#DC2626"},
    ):
        assert office.call("labels.update", {"id": label["id"], **change}) == label
    assert office.log() == logged


def test_a_change_is_audited_with_nothing_but_what_changed(office: Office) -> None:
    label = office.a_label("bug", color="#dc2626")

    office.call("labels.update", {"id": label["id"], "name": "defect", "color": "#dc2626"})

    row = office.log()[-1]
    assert (row.kind, row.action, row.subject_id) == (None, "update", label["id"])
    assert (row.before, row.after) == ({"name": "bug"}, {"name": "defect"})


def test_a_name_that_another_label_has_is_a_conflict(office: Office) -> None:
    label, _ = office.a_label("bug"), office.a_label("Defect")

    refused = office.refused("labels.update", {"id": label["id"], "name": "dEFECT"})

    assert refused == (409, "conflict", {"name"})
    assert [row["name"] for row in office.rows("labels.list")] == ["bug", "Defect"]


def test_a_refused_name_leaves_the_color_alone_too(office: Office) -> None:
    label, _ = office.a_label("bug", color="#dc2626"), office.a_label("defect")

    office.refused("labels.update", {"id": label["id"], "name": "defect", "color": "#000000"})

    assert office.rows("labels.list")[0] == label


def test_a_rename_frees_the_old_name(office: Office) -> None:
    label = office.a_label("bug")
    office.call("labels.update", {"id": label["id"], "name": "defect"})

    assert office.a_label("BUG")["name"] == "BUG"
    assert office.refused("labels.create", {"name": "Defect"}) == (409, "conflict", {"name"})


def test_the_case_of_a_name_can_change_by_itself(office: Office) -> None:
    label = office.a_label("bug")

    changed = office.call("labels.update", {"id": label["id"], "name": "BUG"})

    assert changed["name"] == "BUG"
    assert office.refused("labels.create", {"name": "bug"}) == (409, "conflict", {"name"})


def test_after_a_change_of_case_the_name_can_still_be_freed(office: Office) -> None:
    label = office.a_label("bug")
    office.call("labels.update", {"id": label["id"], "name": "BUG"})

    office.call("labels.update", {"id": label["id"], "name": "defect"})

    assert office.a_label("bug")["name"] == "bug"


def test_two_labels_can_swap_names(office: Office) -> None:
    first, second = office.a_label("one"), office.a_label("two")

    for label, name in ((first, "three"), (second, "one"), (first, "two")):
        office.call("labels.update", {"id": label["id"], "name": name})

    named = {row["id"]: row["name"] for row in office.rows("labels.list")}
    assert named == {first["id"]: "two", second["id"]: "one"}
