"""Pins belong to whom the key stands for, are set as a whole, and show only what may still be seen."""

import json
from functools import partial

import pytest

from forge.context import KeyKind
from forge.errors import InvalidInput
from functions.pins.rules import pinned
from tests.workshop.issues import a_project, an_agents_key, an_issue, issues
from tests.workshop.office import Office


def pins_of(office: Office, key: str | None = None) -> list[str]:
    return [row["id"] for row in office.rows("pins.list", key=key or office.owner_key)]


def set_pins(office: Office, *issue_ids: str, key: str | None = None) -> list[str]:
    answer = office.call("pins.set", {"issueIds": [*issue_ids]}, key=key or office.owner_key)
    assert answer.keys() == {"pinnedIssueIds"}
    ids: list[str] = answer["pinnedIssueIds"]
    return ids


def test_three_are_pinned_each_once_and_a_fourth_is_refused() -> None:
    assert pinned(["c", "a", "c", "b", "a"]) == ["c", "a", "b"]
    with pytest.raises(InvalidInput):
        pinned(["a", "b", "c", "d"])


def test_the_set_is_replaced_in_the_order_given_whatever_an_issue_is_called(office: Office) -> None:
    first, second, third = issues(office, 3)
    set_pins(office, first)
    identifier = office.call("issues.get", {"id": third})["identifier"].lower()

    assert set_pins(office, identifier, second, third, second) == [third, second]

    assert pins_of(office) == [third, second]
    assert set_pins(office) == []
    assert pins_of(office) == []


def test_setting_the_same_again_writes_nothing(office: Office) -> None:
    issue_id = an_issue(office)
    assert set_pins(office) == []
    set_pins(office, issue_id)
    logged = office.log()

    set_pins(office, issue_id)

    assert office.log() == logged
    assert (logged[-1].kind, logged[-1].subject_type, logged[-1].action) == (None, "pins", "set")


def test_everybody_has_pins_of_their_own_and_so_has_an_agent(office: Office) -> None:
    first, second, third = issues(office, 3)
    colleague, agents_key = office.a_colleague(), office.an_agents_key()

    set_pins(office, first)
    set_pins(office, second, key=colleague.key)
    set_pins(office, third, key=agents_key)

    pins = [pins_of(office), pins_of(office, colleague.key), pins_of(office, agents_key)]
    assert pins == [[first], [second], [third]]
    assert office.refused(
        "pins.list", key=office.world.a_key(kind=KeyKind.AGENT, workspace=office.workspace)
    ) == (
        403,
        "forbidden",
        set(),
    )


def test_what_can_not_be_seen_is_neither_pinned_nor_shown(office: Office) -> None:
    project = a_project(office)
    inside, outside = an_issue(office, projectId=project), an_issue(office)
    agent = office.an_agent()["id"]
    whole, narrowed = (an_agents_key(office, agent, project_ids=ids) for ids in ([], [project]))

    set_pins(office, outside, inside, key=whole)

    assert pins_of(office, narrowed) == [inside]
    refused = office.refused("pins.set", {"issueIds": [inside, outside]}, key=narrowed)
    assert refused == (403, "forbidden", set())
    assert pins_of(office, whole) == [outside, inside]


def test_of_two_sets_at_once_the_last_one_counts(office: Office) -> None:
    first, second, third = issues(office, 3)

    for quicker, slower in ((first, second), (third, first)):
        office.meanwhile(partial(set_pins, office, quicker))
        set_pins(office, slower)

        assert pins_of(office) == [slower]


@pytest.mark.parametrize("unknown", ["DEMO-999", "iss_unknown"])
def test_of_several_issues_the_one_that_is_not_there_is_named(office: Office, unknown: str) -> None:
    answer = office.send("pins.set", {"issueIds": [*issues(office, 2), unknown]})

    assert unknown in json.loads(answer.body)["issues"]["issueIds"]
