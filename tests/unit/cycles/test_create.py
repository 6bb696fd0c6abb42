"""cycles.create: a cycle is made once under its name, PLANNED."""

from datetime import datetime, timedelta

import pytest

from tests.workshop.cycles import a_cycle
from tests.workshop.issues import now
from tests.workshop.office import Office


def test_a_cycle_is_as_long_as_the_workspace_says(office: Office) -> None:
    office.call("workspaces.update", {"cycleLengthDays": 14, "cycleCooldownDays": 2})

    made = office.call("cycles.create", {"name": " Sprint 1 "})

    assert (made["name"], made["lengthDays"], made["cooldownDays"]) == ("Sprint 1", 14, 2)
    assert datetime.fromisoformat(made["endsAt"]) == now(office) + timedelta(days=14)
    assert office.rows("cycles.list") == [made]


def test_an_agent_may_make_one_too(office: Office) -> None:
    agent_id = office.an_agent()["id"]

    made = office.call("cycles.create", {"name": "Sprint 1"}, key=office.an_agents_key(agent_id))

    assert (made["createdById"], made["createdByAgentId"]) == (None, agent_id)


def test_a_name_is_taken_once_in_a_workspace(office: Office, other_office: Office) -> None:
    a_cycle(office, "Sprint 1")

    assert office.refused("cycles.create", {"name": "SPRINT 1"}) == (409, "conflict", {"name"})
    assert a_cycle(other_office, "Sprint 1")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", "current"),
        ("startsAt", "soon"),
    ],
)
def test_a_wrong_field_is_named(tableless_office: Office, field: str, value: object) -> None:
    refused = tableless_office.refused("cycles.create", {"name": "Sprint 1", field: value})

    assert refused == (400, "invalid_input", {field})


def test_an_end_before_the_beginning_is_a_mistake(office: Office) -> None:
    dates = {"startsAt": "2099-02-01T00:00:00Z", "endsAt": "2099-02-01T00:00:00Z"}

    assert office.refused("cycles.create", {"name": "Sprint 1", **dates}) == (
        400,
        "invalid_input",
        {"endsAt"},
    )
