"""Workspaces come back as they were in a copy of the table, and nothing else is touched."""

from collections.abc import Callable
from typing import Any

import pytest

from forge.cli.backups import restores
from forge.cli.backups.restores import Restored
from forge.cli.backups.wanted import Stopped
from forge.store.connections import Connections
from forge.store.provision import provision
from forge.store.store import Store
from forge.testing.faults import ProcessDied
from forge.work.overviews.exports.lines import is_passing
from tests.unit.cli.backups.houses import House, in_silence
from tests.unit.gateway.test_gates import dies_at
from tests.workshop.interference import COMMIT, only

Rows = dict[tuple[str, str], dict[str, Any]]
_COUNTED = ("last_used_at", "rpc_", "rest_")


@pytest.fixture
def house(connections: Connections) -> House:
    made = House(connections)
    made.furnish()
    return made


@pytest.fixture
def copy(house: House, connections: Connections) -> Store:
    """The table as it is now, under another name."""
    made = provision(connections, f"{house.plain.table.name}-copy")
    for row in house.rows().values():
        made.table.client.ask("PutItem", {"TableName": made.table.name, "Item": row})
    return made


def restored(
    house: House, copy: Store, *, is_dry: bool = False, replaces: bool = False, **which: Any
) -> Restored:
    return restores.run(
        house.store,
        copy.table,
        workspace_id=which.get("workspace_id", house.workspace.id),
        replaces=replaces,
        is_dry=is_dry,
        show=in_silence,
        pause=lambda seconds: None,
    )


def lose(house: House, is_lost: Callable[[str], bool]) -> None:
    client, name = house.plain.table.client, house.plain.table.name
    for row in house.rows().values():
        if is_lost(row["pk"]["S"]):
            client.ask("DeleteItem", {"TableName": name, "Key": {"pk": row["pk"], "sk": row["sk"]}})


def kept(rows: Rows, *, of: str = "") -> Rows:
    """What has to come back, without who was told of it and how a key was used."""
    return {
        place: {
            name: value
            for name, value in row.items()
            if name != "outbox_due" and not name.startswith(_COUNTED)
        }
        for place, row in rows.items()
        if not is_passing(place[0].split("#", 2)[-1], place[1])
        and f"#{of}" in place[0]
        and "#LOG" not in place[0]
    }


def test_a_workspace_that_was_lost_comes_back_with_its_people_and_keys(house: House, copy: Store) -> None:
    before, key = house.rows(), house.world.owner_key(house.workspace)
    lose(house, lambda partition: f"#{house.workspace.id}#" in partition)
    keys = {
        row["pk"]["S"]
        for row in before.values()
        if row.get("workspace_id", {}).get("S") == house.workspace.id
    }
    lose(house, lambda partition: partition in keys)
    assert house.world.rest("workspace.get", {}, key=key).status == 401

    done = restored(house, copy)

    assert (done.workspaces, done.rows_removed) == ([house.workspace.id], 0)
    assert kept(house.rows()) == kept(before)
    assert house.world.rest("workspace.get", {}, key=key).status == 200
    assert not [
        row for row in house.rows().values() if "outbox_due" in row and house.workspace.id in row["pk"]["S"]
    ]


def test_what_was_changed_since_is_told_and_refused(house: House, copy: Store) -> None:
    house.call("issues.create", {"title": "Later"})
    before = house.rows()

    shown = restored(house, copy, is_dry=True).findings
    with pytest.raises(Stopped, match="--replace"):
        restored(house, copy)

    assert shown.extra["IssueItem"] == 1
    assert shown.other["NUMBER"] == 1
    assert house.rows() == before


def test_with_replace_all_is_as_it_was_but_for_the_log_and_what_was_revoked(
    house: House, copy: Store
) -> None:
    before, listed = house.rows(), house.call("keys.list", {"limit": 100})["data"]
    lost = next(one for one in listed if one["name"] == "made on the stage")
    house.call("keys.revoke", {"id": lost["id"]})
    made = house.call("keys.create", {"name": "too late", "scopes": ["READ_ISSUES"]})
    house.call("issues.create", {"title": "Later", "queue": True})
    logged = {place for place in house.rows() if place[0].endswith("#LOG")}

    done = restored(house, copy, replaces=True)

    changed = {place for place, row in kept(house.rows()).items() if kept(before).get(place) != row}
    assert {sort for _, sort in changed} == {"KEY", lost["id"]}
    assert done.rows_removed > 0
    assert logged < {place for place in house.rows() if place[0].endswith("#LOG")}
    assert house.world.rest("workspace.get", {}, key=made["rawKey"]).status == 401
    (again,) = [one for one in house.call("keys.list", {"limit": 100})["data"] if one["id"] == lost["id"]]
    assert again["revokedAt"]


def test_wherever_it_dies_doing_it_again_gives_the_same(house: House, copy: Store) -> None:
    before, deaths = house.rows(), 0
    lose(house, lambda partition: f"#{house.workspace.id}#" in partition)

    for _ in range(100):
        house.interference.handle = only(COMMIT, dies_at(1 + deaths % 2))
        try:
            restored(house, copy)
        except ProcessDied:
            deaths += 1
            continue
        break

    assert 1 < deaths < 100
    assert kept(house.rows()) == kept(before)


def test_other_workspaces_are_left_alone(house: House, copy: Store) -> None:
    other = house.world.workspace
    lose(house, lambda partition: f"#{house.workspace.id}#" in partition)
    house.world.rest("issues.create", {"title": "Meanwhile"}, key=house.world.owner_key(other))
    before = kept(house.rows(), of=other.id)

    restored(house, copy, replaces=True)

    assert kept(house.rows(), of=other.id) == before


def test_all_of_a_copy_makes_a_new_table_whole(house: House, copy: Store, connections: Connections) -> None:
    fresh = House(connections)
    lose(fresh, lambda partition: True)

    done = restored(fresh, copy, workspace_id=None)

    assert set(done.workspaces) == {house.workspace.id, house.world.workspace.id}
    assert kept(fresh.rows()) == kept(house.rows())


def test_a_copy_without_the_workspace_is_refused(house: House, copy: Store) -> None:
    with pytest.raises(Stopped):
        restored(house, copy, workspace_id="ws_nowhere")


def test_a_name_that_another_has_by_now_is_not_taken_from_it(house: House, copy: Store) -> None:
    slug = house.workspace.slug
    lose(house, lambda partition: f"#{house.workspace.id}#" in partition or f"#{slug}" in partition)
    owner = house.world.owner_key()
    made = house.world.admin("workspaces.create", {"slug": slug, "key": "TOO", "name": "Late"}, key=owner)
    assert made.status == 200, made.body

    with pytest.raises(Stopped, match="Somebody else"):
        restored(house, copy, replaces=True)


def test_a_file_that_was_deleted_since_comes_back_from_its_last_version(house: House, copy: Store) -> None:
    s3, bucket = house.plain.blobs.client, house.plain.blobs.bucket
    s3.put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": "Enabled"})
    (file,) = house.call("exports.files", {})["data"]
    content = house.store.blobs.get_bytes(file["name"], most=10_000)
    house.store.blobs.put(file["name"], content, content_type="text/plain")
    house.store.blobs.delete(file["name"])

    done = restored(house, copy)

    assert done.files_missing == 0
    assert house.store.blobs.get_bytes(file["name"], most=10_000) == content
