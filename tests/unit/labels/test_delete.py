"""A deleted label is gone at once, and so is its hold on the name."""

from tests.unit.office import Office


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


def test_a_repeated_deletion_gets_the_first_answer(office: Office) -> None:
    label = office.a_label("bug")
    first = office.call("labels.delete", {"id": label["id"]}, idempotency_key="once")

    assert office.call("labels.delete", {"id": label["id"]}, idempotency_key="once") == first


def test_a_repeated_deletion_spares_a_new_label_of_the_same_name(office: Office) -> None:
    label = office.a_label("bug")
    office.call("labels.delete", {"id": label["id"]}, idempotency_key="once")
    successor = office.a_label("bug")

    office.call("labels.delete", {"id": label["id"]}, idempotency_key="once")

    assert office.rows("labels.list") == [successor]


def test_a_deletion_is_audited_with_what_was_lost(office: Office) -> None:
    label = office.a_label("bug")

    office.call("labels.delete", {"id": label["id"]})

    row = office.log()[-1]
    assert (row.kind, row.action, row.subject_id) == (None, "delete", label["id"])
    assert row.before is not None
    assert row.before["name"] == "bug"
    assert row.after is None


def test_without_an_id_nothing_is_deleted(tableless_office: Office) -> None:
    refused = tableless_office.refused("labels.delete", {"name": "bug"})

    assert refused == (400, "invalid_input", {"id", "name"})


def test_a_key_narrowed_to_a_deleted_label_goes_on_seeing_nothing_more(office: Office) -> None:
    label = office.a_label("bug")
    narrowed = office.a_key(labelIds=[label["id"]])["rawKey"]
    office.an_agent()

    office.call("labels.delete", {"id": label["id"]})

    assert office.rows("events.recent", key=narrowed) == []


def test_only_the_scope_admin_deletes_labels(office: Office) -> None:
    label = office.a_label("bug")
    key = office.a_key(scopes=["READ_ISSUES", "WRITE_ISSUES"])["rawKey"]

    assert office.refused("labels.delete", {"id": label["id"]}, key=key) == (403, "scope_required", set())


def test_a_label_can_be_deleted_over_mcp(office: Office) -> None:
    label = office.a_label("bug")

    assert office.mcp("labels.delete", {"id": label["id"]}) == {"id": label["id"], "deleted": True}
    assert office.mcp_error("labels.delete", {"id": label["id"]}) == "not_found"
