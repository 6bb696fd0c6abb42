"""Founding: a workspace is there with everything it needs, or not at all."""

import pytest

from forge.auth.keys import hash_of
from forge.context import Door, Role
from forge.errors import Conflict, ErrorCode
from forge.store.pages import Portion
from forge.store.store import Store
from forge.testing.clock import NOON, FakeIds
from forge.testing.faults import Fault, FaultAt, ProcessDied
from forge.testing.instruments import Counter, watched
from forge.work.record.log.rows import LOG, LogItem
from forge.work.workspace import founding, statuses, workspaces
from forge.work.workspace.founding import Founded
from forge.work.workspace.people import api_keys, members
from forge.work.workspace.people.authentication import TableKeys
from forge.work.workspace.people.members import UserItem
from forge.work.workspace.workspaces import WorkspaceItem

IDS = FakeIds()


def found_one(
    store: Store, *, slug: str = "acme", prefix: str = "ACME", email: str = "ada@example.com"
) -> Founded:
    owner = UserItem(id=IDS("usr"), email=email, created_at=NOON)
    return founding.found_first(
        store, slug=slug, prefix=prefix, name="Acme", owner=owner, handle="ada", new_id=IDS
    )


def rows_of(store: Store) -> int:
    return len(store.table.client.ask("Scan", {"TableName": store.table.name})["Items"])


def refused(store: Store, **order: str) -> Conflict:
    """Founding must fail and leave nothing behind."""
    before = rows_of(store)
    with pytest.raises(Conflict) as caught:
        found_one(store, **order)
    assert rows_of(store) == before
    return caught.value


def test_a_workspace_is_there_as_ordered(store: Store) -> None:
    founded = found_one(store)

    stored = workspaces.get(store.table, founded.workspace.id)
    assert (stored.slug, stored.key_prefix, stored.name) == ("acme", "ACME", "Acme")


def test_a_workspace_begins_with_statuses_of_which_one_is_the_default(store: Store) -> None:
    founded = found_one(store)

    seeded = statuses.list_all(store.table, founded.workspace.id)
    assert [status.name for status in seeded] == [name for name, _, _ in statuses.SEED]
    assert [status.is_default for status in seeded] == [True] + [False] * (len(seeded) - 1)


def test_a_workspace_begins_with_a_copy_of_its_statuses(store: Store) -> None:
    founded = found_one(store)

    stored = store.table.find(WorkspaceItem, founded.workspace.key)

    assert stored == founded.workspace
    assert stored.statuses == statuses.copies(statuses.list_all(store.table, founded.workspace.id))
    assert stored.default_status.name == "Backlog"


def test_the_names_of_the_first_statuses_are_taken(store: Store) -> None:
    founded = found_one(store)
    tx = founding.setup_transaction(store, founded.workspace.id, now=NOON, new_id=IDS)
    seeded = statuses.list_all(store.table, founded.workspace.id)
    statuses.add(tx, seeded[0].changed(id="sta_new", name="backlog"))

    with pytest.raises(Conflict):
        store.commit(tx)


def test_a_workspace_has_its_founder_for_owner(store: Store) -> None:
    founded = found_one(store)

    (owner,) = members.list_all(store.table, founded.workspace.id)
    assert (owner.role, owner.handle, owner.email) == (Role.OWNER, "ada", "ada@example.com")
    assert members.find_user_id(store.table, "ADA@example.com") == owner.user_id


def test_the_owner_s_key_works_and_is_known_to_its_membership(store: Store) -> None:
    founded = found_one(store)

    record, admitted = TableKeys(store.table).touch(hash_of(founded.owner_key.raw), Door.RPC, NOON)

    assert admitted
    assert record is not None
    assert (record.workspace_id, record.role) == (founded.workspace.id, Role.OWNER)
    owner = members.get(store.table, founded.workspace.id, founded.owner.user_id)
    assert set(owner.live_keys) == {record.key_hash}
    listed, _ = api_keys.list_page(store.table, founded.workspace.id, Portion(10))
    assert [key.id for key in listed.items] == [record.id]


def test_the_raw_key_is_stored_nowhere(store: Store) -> None:
    founded = found_one(store)

    assert founded.owner_key.raw not in str(
        store.table.client.ask("Scan", {"TableName": store.table.name})["Items"]
    )


def test_the_log_begins_with_the_founding(store: Store) -> None:
    founded = found_one(store)

    rows = store.table.query_all(LOG(founded.workspace.id), most=10)
    (row,) = [LogItem.from_attributes(row) for row in rows]
    assert (row.action, row.subject_type) == ("create", "workspace")
    assert row.after is not None
    assert row.after["slug"] == "acme"
    assert "statuses" not in row.after


def test_founding_is_one_transaction(store: Store) -> None:
    counter = Counter()

    found_one(watched(store, counter))

    assert [sent.operation for sent in counter.sent] == ["TransactWriteItems"]


@pytest.mark.parametrize(
    ("order", "field"),
    [
        ({"slug": "acme", "prefix": "OTHER"}, "slug"),
        ({"slug": "other", "prefix": "ACME"}, "key"),
    ],
)
def test_slug_and_key_are_unique_in_the_deployment(store: Store, order: dict[str, str], field: str) -> None:
    found_one(store)

    conflict = refused(store, **order, email="bob@example.com")

    assert conflict.code is ErrorCode.CONFLICT
    assert conflict.issues is not None
    assert set(conflict.issues) == {field}


def test_an_address_belongs_to_one_user(store: Store) -> None:
    found_one(store)

    conflict = refused(store, slug="other", prefix="OTHER", email="Ada@Example.com")

    assert conflict.code is ErrorCode.CONFLICT


def test_two_workspaces_have_nothing_in_common(store: Store) -> None:
    first = found_one(store)
    second = found_one(store, slug="other", prefix="OTHER", email="bob@example.com")

    assert first.workspace.id != second.workspace.id
    assert [one.email for one in members.list_all(store.table, second.workspace.id)] == ["bob@example.com"]
    assert len(statuses.list_all(store.table, second.workspace.id)) == len(statuses.SEED)


def test_a_crash_before_the_commit_leaves_nothing_and_can_be_repeated(store: Store) -> None:
    with pytest.raises(ProcessDied):
        found_one(watched(store, FaultAt(Fault.CRASHED, position=0)))
    assert rows_of(store) == 0

    found_one(store)

    assert rows_of(store) > 0


def test_a_lost_answer_does_not_make_the_founder_collide_with_themselves(store: Store) -> None:
    founded = found_one(watched(store, FaultAt(Fault.ANSWER_LOST, position=0)))

    assert workspaces.get(store.table, founded.workspace.id).slug == "acme"
