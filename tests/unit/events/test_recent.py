"""What happened is told newest first, with who did it and to what."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from tests.workshop.office import Body, Office


def kinds_of(rows: list[Body]) -> list[str]:
    return [row["kind"] for row in rows]


def now(office: Office, **later: float) -> str:
    """The time as answers write it, once the clock has moved on."""
    office.world.clock.advance(**later)
    return office.world.clock().isoformat().replace("+00:00", "Z")


def test_an_event_tells_what_happened_who_did_it_and_to_what(office: Office) -> None:
    agent = office.an_agent("worker", name="Worker")

    (row,) = office.rows("events.recent")

    owner_id = office.owner_id
    assert row == {
        "id": row["id"],
        "kind": "AGENT_CREATED",
        "actor": {"id": owner_id, "name": "Owner"},
        "subjectType": "agent",
        "subjectId": agent["id"],
        "payload": {"profileKey": "worker", "name": "Worker"},
        "createdAt": now(office),
    }


def test_what_an_agent_did_names_the_agent_and_no_person(office: Office) -> None:
    agent = office.an_agent()
    office.call("agents.heartbeat", key=office.an_agents_key(agent["id"]))

    row = office.rows("events.recent")[0]

    assert row["actorAgent"] == {"id": agent["id"], "profileKey": "worker", "name": "Worker"}
    assert "actor" not in row


def test_what_stands_elsewhere_in_a_row_comes_for_who_asks_for_it(office: Office) -> None:
    office.an_agent()

    (row,) = office.rows("events.recent", {"fields": ["actorId", "actorAgentId", "workspaceId"]})

    shown = {"actorId": office.owner_id, "actorAgentId": None, "workspaceId": office.workspace.id}
    assert row == {"id": row["id"], **shown}


def test_the_newest_event_comes_first(office: Office) -> None:
    agent = office.an_agent()
    for status in ("BUSY", "ONLINE"):
        office.world.clock.advance(seconds=1)
        office.call("agents.heartbeat", {"status": status}, key=office.an_agents_key(agent["id"]))

    rows = office.rows("events.recent")

    assert kinds_of(rows) == ["AGENT_STATUS_CHANGED", "AGENT_STATUS_CHANGED", "AGENT_CREATED"]
    assert [row["payload"].get("to") for row in rows] == ["ONLINE", "BUSY", None]


def test_of_one_moment_the_later_event_comes_first(office: Office) -> None:
    agents = [office.an_agent(f"agent{number}")["id"] for number in range(3)]

    rows = office.rows("events.recent")

    assert len({row["createdAt"] for row in rows}) == 1
    assert [row["subjectId"] for row in rows] == agents[::-1]


def test_changes_that_are_only_audited_are_no_events(office: Office) -> None:
    office.a_label()
    office.a_status()
    office.a_key()
    office.call("workspaces.update", {"name": "Renamed"})

    assert len(office.log()) >= 4
    assert office.rows("events.recent") == []


def test_events_about_one_kind_of_thing(office: Office) -> None:
    office.an_agent()
    colleague = office.a_colleague()

    rows = office.rows("events.recent", {"subjectType": "membership"})

    assert [(row["kind"], row["subjectId"]) for row in rows] == [("MEMBERSHIP_CREATED", colleague.id)]


def test_events_about_one_thing(office: Office) -> None:
    first, second = office.an_agent("one"), office.an_agent("two")
    for agent in (first, second):
        office.call("agents.update", {"id": agent["id"], "maxConcurrent": 3})

    rows = office.rows("events.recent", {"subjectType": "agent", "subjectId": first["id"]})

    assert kinds_of(rows) == ["AGENT_UPDATED", "AGENT_CREATED"]
    assert {row["subjectId"] for row in rows} == {first["id"]}


def test_a_subject_that_is_not_there_is_a_mistake(office: Office) -> None:
    agent = office.an_agent()

    for kind, unknown in (("issue", agent["id"]), ("agent", "agt_999999"), ("project", "Nothing")):
        refused = office.refused("events.recent", {"subjectType": kind, "subjectId": unknown})
        assert refused == (400, "invalid_input", {"subjectId"})


def test_a_subject_is_named_as_people_name_it(office: Office) -> None:
    agent = office.an_agent("worker")
    by_id = office.rows("events.recent", {"subjectType": "agent", "subjectId": agent["id"]})

    assert office.rows("events.recent", {"subjectType": "agent", "subjectId": "Worker"}) == by_id != []


def test_a_subject_needs_its_kind(tableless_office: Office) -> None:
    refused = tableless_office.refused("events.recent", {"subjectId": "agt_1"})

    assert refused == (400, "invalid_input", {"subjectType"})


def test_only_the_wanted_kinds_are_told(office: Office) -> None:
    agent = office.an_agent()
    office.call("agents.update", {"id": agent["id"], "name": "Renamed"})
    office.a_colleague()
    everything = ["MEMBERSHIP_CREATED", "AGENT_UPDATED", "AGENT_CREATED"]

    for kinds, expected in (
        (["AGENT_UPDATED"], ["AGENT_UPDATED"]),
        (["AGENT_UPDATED", "MEMBERSHIP_CREATED"], ["MEMBERSHIP_CREATED", "AGENT_UPDATED"]),
        (["AGENT_DELETED"], []),
        ([], everything),
        (None, everything),
    ):
        assert kinds_of(office.rows("events.recent", {"kinds": kinds})) == expected


def test_filters_are_joined(office: Office) -> None:
    agent = office.an_agent()
    office.call("agents.update", {"id": agent["id"], "name": "Renamed"})
    wanted = {"subjectType": "agent", "subjectId": agent["id"], "kinds": ["AGENT_CREATED"]}

    assert kinds_of(office.rows("events.recent", wanted)) == ["AGENT_CREATED"]


def test_before_leaves_out_the_very_moment(office: Office) -> None:
    office.an_agent("first")
    moment = now(office, seconds=10)
    office.an_agent("second")

    rows = office.rows("events.recent", {"before": moment})

    assert [row["payload"]["profileKey"] for row in rows] == ["first"]


def test_before_can_be_written_in_any_zone(office: Office) -> None:
    office.an_agent("first")
    just_after = office.world.clock() + timedelta(milliseconds=1)
    office.world.clock.advance(seconds=10)
    office.an_agent("second")
    in_lisbon = just_after.astimezone(ZoneInfo("Europe/Lisbon")).isoformat()
    without_zone = just_after.replace(tzinfo=None).isoformat()

    for before in (in_lisbon, without_zone):
        rows = office.rows("events.recent", {"before": before})
        assert [row["payload"]["profileKey"] for row in rows] == ["first"]


def test_before_holds_for_one_subject_too(office: Office) -> None:
    agent = office.an_agent()
    moment = now(office, seconds=10)
    office.call("agents.update", {"id": agent["id"], "name": "Renamed"})

    rows = office.rows("events.recent", {"subjectType": "agent", "subjectId": agent["id"], "before": moment})

    assert kinds_of(rows) == ["AGENT_CREATED"]


def test_an_event_can_be_told_in_fewer_words(office: Office) -> None:
    office.an_agent()
    (whole,) = office.rows("events.recent")

    for fields, names in (
        (["createdAt", "actor"], {"id", "createdAt", "actor"}),
        (["id"], {"id"}),
        ("kind", {"id", "kind"}),
        ('["kind"]', {"id", "kind"}),
        ([], set(whole)),
        (None, set(whole)),
    ):
        (row,) = office.rows("events.recent", {"fields": fields})
        assert row == {name: whole[name] for name in names}


@pytest.mark.parametrize("narrowing", ["project_ids", "label_ids"])
def test_a_narrowed_key_sees_nothing_that_is_about_no_issue(office: Office, narrowing: str) -> None:
    agent = office.an_agent()
    key = office.a_narrowed_key(**{narrowing: ["id_1"]})

    about_it = {"subjectType": "agent", "subjectId": agent["id"]}
    assert office.call("events.recent", key=key) == {"data": []}
    assert office.call("events.recent", about_it, key=key) == {"data": []}


def test_initiatives_narrow_only_what_is_about_initiatives(office: Office) -> None:
    office.an_agent()
    mine, other = (office.an_initiative(name)["id"] for name in ("Mine", "Other"))
    key = office.a_narrowed_key(initiative_ids=[mine])

    told = office.rows("events.recent", key=key)
    about = {"subjectType": "initiative", "subjectId": "mine"}

    assert [(row["kind"], row["subjectId"]) for row in told[:-1]] == [("PROJECT_UPDATED", mine)]
    assert told[-1]["kind"] == "AGENT_CREATED"
    assert office.rows("events.recent", about, key=key) == told[:-1]
    refused = office.refused("events.recent", {**about, "subjectId": other}, key=key)
    assert refused == (403, "forbidden", set())


def test_who_left_stays_the_actor_but_has_no_name_any_more(office: Office) -> None:
    colleague = office.a_colleague("ADMIN", name="Ada")
    office.call("agents.create", {"profileKey": "worker", "name": "Worker"}, key=colleague.key)
    about_agents = {"subjectType": "agent"}
    shown = {"id": colleague.id, "name": "Ada"}
    assert office.rows("events.recent", about_agents)[0]["actor"] == shown

    office.call("members.remove", {"userId": colleague.id})

    (row,) = office.rows("events.recent", about_agents)
    assert row["actor"] == {"id": colleague.id}
