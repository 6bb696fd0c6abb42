"""A label is made once under its name, whatever the case."""

import pytest

from forge.work.workspace.labels import MAX_LABELS, LabelItem
from tests.unit.office import Office


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


@pytest.mark.parametrize("name", ["", "   ", "\t\n", "b" * 41, None, 7, ["a", "b"], {"name": "bug"}])
def test_another_name_is_refused(tableless_office: Office, name: object) -> None:
    refused = tableless_office.refused("labels.create", {"name": name})

    assert refused == (400, "invalid_input", {"name"})


@pytest.mark.parametrize("color", ["red", "dc2626", "#dc262", "#dc26266", "#gc2626", "#dc2626\n", ""])
def test_a_color_is_six_hexadecimal_digits(tableless_office: Office, color: str) -> None:
    refused = tableless_office.refused("labels.create", {"name": "bug", "color": color})

    assert refused == (400, "invalid_input", {"color"})


def test_every_wrong_field_is_named_at_once(tableless_office: Office) -> None:
    refused = tableless_office.refused("labels.create", {"nam": "bug", "color": "red"})

    assert refused == (400, "invalid_input", {"name", "nam", "color"})


def test_a_name_that_exists_is_a_conflict_whatever_the_case(office: Office) -> None:
    made = [office.a_label(name) for name in ("Bug", "straße")]

    for name in ("Bug", "BUG", " bUG ", "STRASSE"):
        assert office.refused("labels.create", {"name": name}) == (409, "conflict", {"name"})
    assert office.rows("labels.list") == made


def test_two_workspaces_may_have_labels_of_one_name(office: Office, other_office: Office) -> None:
    office.a_label("bug")

    assert other_office.a_label("bug")["name"] == "bug"


def test_a_label_and_a_status_may_share_a_name(office: Office) -> None:
    assert office.a_label("Backlog")["name"] == "Backlog"


def test_a_workspace_has_at_most_five_hundred_labels(office: Office) -> None:
    fill(office, MAX_LABELS - 1)
    made = office.a_label("the last one")

    assert office.refused("labels.create", {"name": "too much"}) == (422, "precondition_failed", set())
    assert len(office.rows("labels.list")) == MAX_LABELS == 500

    office.call("labels.delete", {"id": made["id"]})
    assert office.a_label("another last one")["name"] == "another last one"


def test_only_the_scope_admin_makes_labels(office: Office) -> None:
    key = office.a_key(scopes=["READ_ISSUES", "WRITE_ISSUES"])["rawKey"]

    assert office.refused("labels.create", {"name": "bug"}, key=key) == (403, "scope_required", set())


def test_an_agent_with_the_scope_makes_labels_too(office: Office) -> None:
    agent = office.an_agent()

    made = office.call("labels.create", {"name": "bug"}, key=office.an_agents_key(agent["id"]))

    assert office.log()[-1].actor_agent_id == agent["id"]
    assert office.rows("labels.list") == [made]


def test_a_repeated_call_gets_the_first_answer(office: Office) -> None:
    first = office.call("labels.create", {"name": "bug"}, idempotency_key="once")
    logged = office.log()

    again = office.call("labels.create", {"name": "bug"}, idempotency_key="once")

    assert again == first
    assert office.rows("labels.list") == [first]
    assert office.log() == logged


def test_an_idempotency_key_is_for_one_set_of_arguments(office: Office) -> None:
    office.call("labels.create", {"name": "bug"}, idempotency_key="once")

    refused = office.refused("labels.create", {"name": "chore"}, idempotency_key="once")

    assert refused == (409, "conflict", set())
    assert [row["name"] for row in office.rows("labels.list")] == ["bug"]


def test_after_a_day_a_repeated_call_is_a_new_one(office: Office) -> None:
    office.call("labels.create", {"name": "bug"}, idempotency_key="once")
    office.world.clock.advance(hours=24)

    refused = office.refused("labels.create", {"name": "bug"}, idempotency_key="once")

    assert refused == (409, "conflict", {"name"})


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


def test_a_label_can_be_made_over_mcp(office: Office) -> None:
    made = office.mcp("labels_create", {"name": "bug"})

    assert office.rows("labels.list") == [made]
    assert office.mcp_error("labels_create", {"name": "BUG"}) == "conflict"
