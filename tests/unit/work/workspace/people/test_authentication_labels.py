"""A key that is narrowed to labels is told at every call which of them are still there."""

from forge.context import Narrowing
from forge.store.store import Store
from forge.testing.builders import a_label
from forge.testing.instruments import Counter, watched
from forge.testing.world import World
from tests.unit.store.things import begin
from tests.unit.work.workspace.people.test_authentication import a_key_hash, touch


def test_labels_that_are_gone_grant_nothing_and_cost_one_read(store: Store, stored_world: World) -> None:
    tx = begin(store)
    tx.create(a_label(id="lbl_1", workspace_id=stored_world.workspace.id))
    store.commit(tx)
    narrowing = Narrowing(label_ids=frozenset({"lbl_1", "lbl_gone"}))
    key_hash, counter = a_key_hash(stored_world, narrowing=narrowing), Counter()

    record, admitted = touch(watched(store, counter), stored_world, key_hash)

    assert admitted
    assert record is not None
    assert record.narrowing.label_ids == {"lbl_1"}
    assert counter.reads == 1


def test_every_other_key_costs_no_read(store: Store, stored_world: World) -> None:
    narrowing = Narrowing(project_ids=frozenset({"prj_1"}))
    key_hash, counter = a_key_hash(stored_world, narrowing=narrowing), Counter()

    touch(watched(store, counter), stored_world, key_hash)

    assert counter.reads == 0
