"""A workspace comes back from the lines of its export: whole, once, and nobody hears of anything twice."""

import json
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from forge.cli.backups.wanted import Stopped, patiently
from forge.errors import Unavailable
from forge.store.connections import Connections
from forge.testing.faults import ProcessDied
from forge.testing.instruments import Parameters, Send
from forge.work.issues import counts
from tests.unit.cli.backups.houses import House
from tests.unit.gateway.test_gates import dies_at
from tests.workshop.interference import COMMIT, once_before, only

LONG_AGO = date(2000, 1, 1)
NOT_AS_IT_WAS = ("LOG", "KEYS", "DELIVERIES")
"""What an import is known to change or add to: the guide says how."""


def lines_of(text: str) -> dict[tuple[str, str], Any]:
    lines = [json.loads(line) for line in text.splitlines()[1:-1]]
    return {tuple(one["key"]): one["item"] for one in lines if one["key"][0] not in NOT_AS_IT_WAS}


def derived(house: House, workspace_id: str) -> dict[tuple[str, str], Any]:
    """What follows from issues, as it is stored."""
    prefix = f"WS#{workspace_id}#"
    own = {(place.removeprefix(prefix), sort): row for (place, sort), row in house.rows().items()}
    kinds = ("QUEUE", "BL#", "HELD#")
    return {
        place: {**row, "version": 1}
        for place, row in own.items()
        if place[0].startswith(kinds) or place[1].startswith("CLAIM#")
    }


def test_an_export_of_what_was_imported_is_the_same_again(
    house: House, elsewhere: House, backup: Path
) -> None:
    done = elsewhere.take_in(backup)

    assert lines_of(elsewhere.exported(house.workspace.id)) == lines_of(backup.read_text(encoding="utf-8"))
    assert done.rows_written == done.findings.missing.total() > 100
    assert not done.findings.other


def test_what_is_made_anew_is_as_it_was(house: House, elsewhere: House, backup: Path) -> None:
    elsewhere.take_in(backup)

    assert derived(elsewhere, house.workspace.id) == derived(house, house.workspace.id)
    assert len(derived(house, house.workspace.id)) >= 4
    found = [
        counts.read(one.store.table, house.workspace.id, None, since=LONG_AGO) for one in (house, elsewhere)
    ]
    assert found[0] == found[1] != Counter()


def test_who_comes_back_can_go_on(house: House, elsewhere: House, backup: Path) -> None:
    before = house.call("issues.list", {"limit": 50})["data"]
    key = elsewhere.take_in(backup).raw_key
    elsewhere.world.ids.go_on_at(500_000)

    assert elsewhere.call("issues.list", {"limit": 50}, key=key)["data"] == before
    found = elsewhere.call("issues.list", {"query": "it safari hangs"}, key=key)["data"]
    assert [one["title"] for one in found] == ["Login hangs on Safari"]
    assert elsewhere.call("issues.create", {"title": "The next"}, key=key)["number"] == len(before) + 1
    # Names are still taken.
    taken = elsewhere.world.admin(
        "repositories.register", {"fullName": "acme/app", "provider": "native"}, key=str(key)
    )
    assert taken.status == 409


def test_nobody_is_told_again(house: House, elsewhere: House, backup: Path) -> None:
    """Nothing is left for the relay or the sweep to send; keys of former days open nothing."""
    elsewhere.take_in(backup)

    rows = [row for (place, _), row in elsewhere.rows().items() if f"#{house.workspace.id}#" in place]
    assert not [row for row in rows if "outbox_due" in row]
    assert elsewhere.world.rest("workspace.get", {}, key=house.world.owner_key(house.workspace)).status == 401


def test_what_is_open_is_due_when_it_was_and_not_before_all_of_it_is_there(
    house: House, elsewhere: House, backup: Path
) -> None:
    def due(where: House) -> set[tuple[str, str, str]]:
        own = f"#{house.workspace.id}#"
        rows = [row for (place, _), row in where.rows().items() if own in place and "#OUTBOX" not in place]
        return {(row["pk"]["S"], row["sk"]["S"], row["dueSk"]["S"]) for row in rows if "dueSk" in row}

    seen: list[int] = []

    def count_first(operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
        seen.append(len(due(elsewhere)))
        return send(**parameters)

    elsewhere.interference.handle = only(COMMIT, count_first)
    elsewhere.take_in(backup)

    assert due(elsewhere) == due(house) != set()
    # The last but one sets the timers, and the last one makes the owner's key.
    assert set(seen[:-1]) == {0}


def test_what_no_export_holds_is_told(elsewhere: House, backup: Path) -> None:
    told = " ".join(elsewhere.take_in(backup).lost.told())

    for name in ("made on the stage", "acme/hub", "https://", "keys.create"):
        assert name in told


def test_wherever_it_dies_doing_it_again_gives_the_same(
    house: House, connections: Connections, backup: Path
) -> None:
    whole = House(connections)
    whole.take_in(backup)
    expected = comparable(whole, house)

    broken, deaths = House(connections), 0
    for _ in range(100):
        # Each run gets one transaction further than the one before.
        broken.interference.handle = only(COMMIT, dies_at(deaths + 1))
        try:
            broken.take_in(backup)
        except ProcessDied:
            deaths += 1
            continue
        break

    assert 4 <= deaths < 100
    assert comparable(broken, house) == expected


def comparable(where: House, house: House) -> dict[tuple[str, str], Any]:
    own = {place: row for place, row in where.rows().items() if f"#{house.workspace.id}#" in place[0]}
    kept = {place: row for place, row in own.items() if not place[0].endswith(NOT_AS_IT_WAS)}
    return {
        place: {name: one for name, one in row.items() if name not in ("live_keys", "secret", "version")}
        for place, row in kept.items()
        if "#COUNT#" not in place[0]
    }


def test_who_writes_at_the_same_time_loses_nothing(house: House, elsewhere: House, backup: Path) -> None:
    """Not even where it is what would have been written."""
    place = {"pk": {"S": f"WS#{house.workspace.id}#WORKSPACE"}, "sk": {"S": "META"}}
    row = {"Item": {**place, "name": {"S": "Theirs"}}, "TableName": elsewhere.plain.table.name}
    client = elsewhere.plain.table.client
    elsewhere.interference.handle = once_before(COMMIT, lambda: client.ask("PutItem", row))

    with pytest.raises(Stopped, match="Run it again"):
        elsewhere.take_in(backup)

    assert elsewhere.rows()[place["pk"]["S"], "META"] == row["Item"]


def test_a_table_that_throttles_is_waited_for() -> None:
    waited: list[float] = []

    def act() -> str:
        if len(waited) < 2:
            raise Unavailable("Busy.")
        return "done"

    assert patiently(act, waited.append) == "done"
    assert len(waited) == 2


def test_a_dry_run_says_what_would_be_done_and_does_nothing(elsewhere: House, backup: Path) -> None:
    before = elsewhere.rows()

    done = elsewhere.take_in(backup, is_dry=True)

    assert elsewhere.rows() == before
    assert (done.findings.missing["IssueItem"], done.raw_key) == (3, None)


def test_what_is_there_and_unchanged_is_left_alone_and_so_are_its_keys(house: House, backup: Path) -> None:
    done = house.take_in(backup)

    assert (done.rows_written, done.findings.other.total()) == (0, 0)
    assert house.world.rest("workspace.get", {}, key=house.world.owner_key(house.workspace)).status == 200


def test_what_is_there_and_was_changed_since_is_refused(elsewhere: House, tmp_path: Path) -> None:
    backup = tmp_path / "small.jsonl"
    backup.write_text(elsewhere.exported(), encoding="utf-8")
    elsewhere.call("workspaces.update", {"name": "Another name"})
    before = elsewhere.rows()

    with pytest.raises(Stopped, match="not the same"):
        elsewhere.take_in(backup)

    assert elsewhere.rows() == before


def test_names_that_another_workspace_has_are_refused_or_changed(
    house: House, elsewhere: House, backup: Path
) -> None:
    names = {"slug": house.workspace.slug, "key": "ACME", "name": "Another"}
    elsewhere.call("workspaces.create", names)

    with pytest.raises(Stopped, match="--slug"):
        elsewhere.take_in(backup)
    done = elsewhere.take_in(backup, slug="acme-back", key_prefix="BACK")

    shown = elsewhere.call("workspace.get", {}, key=done.raw_key)
    assert (shown["slug"], shown["key"]) == ("acme-back", "BACK")


def test_an_address_that_is_anothers_is_refused(house: House, elsewhere: House, backup: Path) -> None:
    member = next(item for (place, _), item in lines_of(backup.read_text()).items() if place == "MEMBERS")
    elsewhere.call("members.add", {"email": member["email"], "name": "Somebody", "handle": "somebody"})

    with pytest.raises(Stopped, match=member["email"]):
        elsewhere.take_in(backup)


def test_other_workspaces_are_as_they_were(house: House, elsewhere: House, backup: Path) -> None:
    before = elsewhere.rows()

    elsewhere.take_in(backup)

    assert {place: row for place, row in elsewhere.rows().items() if place in before} == before


def test_files_are_sent_back_under_their_names(
    house: House, elsewhere: House, backup: Path, tmp_path: Path
) -> None:
    (file,) = house.call("exports.files", {})["data"]
    folder = tmp_path / "files"
    folder.mkdir()

    with pytest.raises(Stopped, match="nothing was written"):
        elsewhere.take_in(backup, files=folder)
    (folder / file["name"]).parent.mkdir(parents=True)
    (folder / file["name"]).write_bytes(house.store.blobs.get_bytes(file["name"], most=10_000))
    assert elsewhere.take_in(backup).files_missing == 1
    assert elsewhere.take_in(backup, files=folder).files_missing == 0

    assert elsewhere.store.blobs.get_bytes(file["name"], most=10_000)
