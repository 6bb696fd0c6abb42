"""A log that is spread over partitions while its workspace goes on, and is read as one."""

from forge.auth.keys import hash_of
from forge.work.background.sweep import outbox
from forge.work.record.log.rows import LogItem, OutboxItem, log_partitions, shard_of
from forge.work.workspace.people.api_keys import AuthenticationItem
from forge.work.workspace.people.authentication import AUTHENTICATION
from tests.unit.work.messages import waiting_messages
from tests.workshop.issues import an_issue
from tests.workshop.office import Office

SHARDS = 4


def spread_of(office: Office, raw_key: str) -> tuple[int, int]:
    found = office.world.services.store.table.find(AuthenticationItem, AUTHENTICATION(hash_of(raw_key)))
    assert found is not None
    return found.log_shards, found.log_spread


def raise_to(office: Office, shards: int) -> None:
    office.call("workspaces.update", {"logShards": shards})
    for _ in range(3):
        office.sweep()
        office.world.clock.advance(minutes=1)


def rows_in_shards(office: Office) -> list[list[LogItem]]:
    table = office.world.services.store.table
    partitions = log_partitions(office.workspace.id, SHARDS)
    return [table.query_all(one, most=500).of(LogItem) for one in partitions]


def test_things_are_spread_and_each_stays_where_it_is() -> None:
    places = {shard_of(f"iss_{number}", SHARDS) for number in range(50)}

    assert places == {0, 1, 2, 3}
    assert shard_of("iss_1", SHARDS) == shard_of("iss_1", SHARDS)
    assert shard_of("iss_1", 1) == 0
    assert log_partitions("ws_1", 2) == ["WS#ws_1#LOG", "WS#ws_1#LOG#1"]


def test_every_key_reads_all_shards_before_any_key_writes_to_them(office: Office) -> None:
    keys = [office.a_key()["rawKey"] for _ in range(25)]

    office.call("workspaces.update", {"logShards": SHARDS})
    assert {spread_of(office, key) for key in keys} == {(1, 1)}
    office.sweep()
    assert {spread_of(office, key) for key in keys} == {(SHARDS, 1)}
    late = office.a_key()["rawKey"]
    assert spread_of(office, late) == (SHARDS, 1)
    office.world.clock.advance(minutes=1)
    office.sweep()
    assert {spread_of(office, key) for key in [*keys, late]} == {(SHARDS, SHARDS)}
    assert spread_of(office, office.a_key()["rawKey"]) == (SHARDS, SHARDS)


def test_what_is_spread_is_listed_in_its_order_page_by_page(office: Office) -> None:
    before = [an_issue(office) for _ in range(3)]
    raise_to(office, SHARDS)
    after = []
    for _ in range(12):
        office.world.clock.advance(seconds=1)
        after.append(an_issue(office))

    for tool, named in (("events.recent", "subjectId"), ("audit.list", "entityId")):
        listed: list[str] = []
        page = office.call(tool, {"limit": 5})
        while True:
            listed += [row[named] for row in page["data"]]
            if not (cursor := page.get("nextCursor")):
                break
            page = office.call(tool, {"limit": 5, "cursor": cursor})
        made = [one for one in dict.fromkeys(listed) if one.startswith("iss_")]
        assert made[: len(after)] == after[::-1]
        assert set(made[len(after) :]) == set(before)
    assert sum(bool(rows) for rows in rows_in_shards(office)) == SHARDS


def test_all_of_it_is_told_once(office: Office) -> None:
    raise_to(office, SHARDS)
    store = office.world.services.store
    issues = [an_issue(office) for _ in range(12)]
    partitions = [f"WS#{office.workspace.id}#OUTBOX{end}" for end in ("", "#1", "#2", "#3")]
    marks = [mark for one in partitions for mark in store.table.query_all(one, most=500).of(OutboxItem)]
    seen = [outbox.mark_in(mark.attributes()) for mark in marks]
    assert len({mark.shard for mark in marks}) > 1
    assert seen == marks
    waiting_messages(store)

    office.world.clock.advance(minutes=3)
    office.sweep()

    told = [message["subjectId"] for message in waiting_messages(store) if message["kind"] == "ISSUE_CREATED"]
    assert sorted(told) == sorted(issues)


def test_shards_are_never_fewer(office: Office) -> None:
    raise_to(office, SHARDS)

    assert office.refused("workspaces.update", {"logShards": 2}) == (400, "invalid_input", {"logShards"})
    assert office.refused("workspaces.update", {"logShards": 17})[0] == 400
    assert office.call("workspaces.get")["logShards"] == SHARDS
