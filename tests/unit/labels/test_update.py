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


def test_a_name_that_another_label_has_is_a_conflict(office: Office) -> None:
    label, _ = office.a_label("bug"), office.a_label("Defect")

    refused = office.refused("labels.update", {"id": label["id"], "name": "dEFECT"})

    assert refused == (409, "conflict", {"name"})
    assert [row["name"] for row in office.rows("labels.list")] == ["bug", "Defect"]


def test_a_rename_frees_the_old_name(office: Office) -> None:
    label = office.a_label("bug")
    office.call("labels.update", {"id": label["id"], "name": "defect"})

    assert office.a_label("BUG")["name"] == "BUG"
    assert office.refused("labels.create", {"name": "Defect"}) == (409, "conflict", {"name"})
