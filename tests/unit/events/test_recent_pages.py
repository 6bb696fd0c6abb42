"""Events come in pages that neither repeat nor lose any."""

import json

import pytest

from forge.work.record.log.kinds import EventKind
from functions.events.tools import QUICKLY_READ
from tests.workshop.events import a_row
from tests.workshop.office import Body, Office, ids_in


def agent_events(office: Office, number: int, **payload: object) -> list[str]:
    """So many about one agent, the newest first."""
    subject, kind = ("agent", "agt_100001"), EventKind.AGENT_UPDATED
    rows = [a_row(office, None, subject=subject, kind=kind).changed(payload=payload) for _ in range(number)]
    office.put(*rows)
    return [row.id for row in reversed(rows)]


def test_unless_a_number_is_given_a_page_is_quickly_read_and_says_what_follows(office: Office) -> None:
    ids = agent_events(office, 50, name="x" * 60, by={"id": None})

    page = office.call("events.recent")

    assert len(json.dumps(page, separators=(",", ":"))) <= QUICKLY_READ
    assert 10 < len(page["data"]) < 50
    assert "by" not in page["data"][0]["payload"]
    assert ids_in(*office.pages("events.recent")) == ids
    assert len(office.pages("events.recent", {"limit": 50})) == 1


def test_fewer_fields_make_room_for_more_rows(office: Office) -> None:
    ids = agent_events(office, 100, note="x" * 1_000)

    page = office.call("events.recent", {"limit": 200, "fields": ["kind"]})

    assert page == {"data": [{"id": event_id, "kind": "AGENT_UPDATED"} for event_id in ids]}


@pytest.mark.parametrize(
    "other_list",
    [
        {"subjectType": "agent", "subjectId": "agt_100001"},
        {"before": "2020-01-01T00:00:00Z"},
    ],
)
def test_a_cursor_belongs_to_the_list_that_gave_it(office: Office, other_list: Body) -> None:
    agent_events(office, 2)
    cursor = office.call("events.recent", {"limit": 1})["nextCursor"]

    refused = office.refused("events.recent", {**other_list, "cursor": cursor})

    assert refused == (400, "invalid_input", {"cursor"})
