"""Events come in pages that neither repeat nor lose any."""

import json

import pytest

from forge.work.record.log.events import EventKind, LogItem
from functions.events.tools import QUICKLY_READ
from tests.workshop.office import Body, Office


def pages(office: Office, arguments: Body) -> list[list[str]]:
    """The ids of every page until there is no next one."""
    found, cursor = [], None
    while True:
        page = office.call("events.recent", {**arguments, "cursor": cursor})
        found.append([row["id"] for row in page["data"]])
        cursor = page.get("nextCursor")
        if cursor is None:
            return found


def log_rows(office: Office, *kinds: EventKind | None, payload: Body | None = None) -> list[str]:
    """Rows of these kinds in the log, oldest first."""
    rows = [
        LogItem(
            workspace_id=office.workspace.id,
            id=office.world.ids("evt"),
            kind=kind,
            subject_type="agent",
            subject_id="agt_100001",
            action="update",
            tool="agents.update",
            key_id="key_1",
            request_id="req_1",
            payload=payload or {},
            created_at=office.world.clock(),
        )
        for kind in kinds
    ]
    office.put(*rows)
    return [row.id for row in rows]


def test_unless_a_number_is_given_a_page_is_quickly_read_and_says_what_follows(office: Office) -> None:
    ids = log_rows(office, *[EventKind.AGENT_UPDATED] * 50, payload={"name": "x" * 60, "by": {"id": None}})

    page = office.call("events.recent")

    assert len(json.dumps(page, separators=(",", ":"))) <= QUICKLY_READ
    assert 10 < len(page["data"]) < 50
    assert "by" not in page["data"][0]["payload"]
    assert [one for each in pages(office, {}) for one in each] == ids[::-1]
    assert len(pages(office, {"limit": 50})) == 1


def test_fewer_fields_make_room_for_more_rows(office: Office) -> None:
    ids = log_rows(office, *[EventKind.AGENT_UPDATED] * 100, payload={"note": "x" * 1_000})

    page = office.call("events.recent", {"limit": 200, "fields": ["kind"]})

    assert page == {"data": [{"id": event_id, "kind": "AGENT_UPDATED"} for event_id in ids[::-1]]}


@pytest.mark.parametrize(
    "other_list",
    [
        {"subjectType": "agent", "subjectId": "agt_100001"},
        {"before": "2020-01-01T00:00:00Z"},
    ],
)
def test_a_cursor_belongs_to_the_list_that_gave_it(office: Office, other_list: Body) -> None:
    log_rows(office, *[EventKind.AGENT_UPDATED] * 2)
    cursor = office.call("events.recent", {"limit": 1})["nextCursor"]

    refused = office.refused("events.recent", {**other_list, "cursor": cursor})

    assert refused == (400, "invalid_input", {"cursor"})
