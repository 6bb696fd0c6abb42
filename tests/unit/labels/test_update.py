"""A label is renamed and recolored in place."""

from typing import Any

import pytest

from tests.unit.office import Office


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


@pytest.mark.parametrize("change", [{"name": ""}, {"name": "b" * 41}, {"color": "red"}, {"issueCount": 5}])
def test_a_wrong_field_is_named(tableless_office: Office, change: dict[str, Any]) -> None:
    refused = tableless_office.refused("labels.update", {"id": "lbl_1", **change})

    assert refused == (400, "invalid_input", set(change))


@pytest.mark.parametrize("label_id", ["", "l" * 121, None, 5])
def test_an_id_that_can_not_be_one_is_refused(tableless_office: Office, label_id: object) -> None:
    assert tableless_office.refused("labels.update", {"id": label_id}) == (400, "invalid_input", {"id"})


def test_without_an_id_nothing_can_be_changed(tableless_office: Office) -> None:
    assert tableless_office.refused("labels.update", {"name": "bug"}) == (400, "invalid_input", {"id"})


def test_a_label_that_does_not_exist_is_not_found(office: Office) -> None:
    office.a_label("bug")

    for label_id in ("lbl_unknown", "lbl_1#COUNT", "defect"):
        refused = office.refused("labels.update", {"id": label_id, "name": "defect"})

        assert refused == (404, "not_found", set())


def test_a_repeated_rename_gets_the_first_answer_even_when_the_label_moved_on(office: Office) -> None:
    label = office.a_label("bug")
    rename = {"id": label["id"], "name": "defect"}
    first = office.call("labels.update", rename, idempotency_key="once")
    office.call("labels.update", {"id": label["id"], "name": "error"})

    assert office.call("labels.update", rename, idempotency_key="once") == first
    assert [row["name"] for row in office.rows("labels.list")] == ["error"]


def test_only_the_scope_admin_changes_labels(office: Office) -> None:
    label = office.a_label("bug")
    key = office.a_key(scopes=["READ_ISSUES", "WRITE_ISSUES"])["rawKey"]

    refused = office.refused("labels.update", {"id": label["id"], "name": "defect"}, key=key)

    assert refused == (403, "scope_required", set())
