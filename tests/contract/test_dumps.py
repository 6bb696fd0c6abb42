"""What the other tests compare: dumps keep what was, and only what a call decides counts as a change."""

from copy import deepcopy

from forge.store.store import Store
from forge.testing.world import World
from tests.contract.dumps import Dump, changes, comparable, dump, restore
from tests.contract.stage import Stage


def test_a_dump_is_not_changed_by_what_happens_later_and_can_be_restored(store: Store) -> None:
    stage = Stage(World(store=store))
    label_id = stage.a_label()
    before = dump(store)
    copied = deepcopy(before)

    stage.call("labels.update", {"id": label_id, "name": "another"})
    stage.a_member()
    after = dump(store)
    restore(store, before, present=after)

    assert before == copied
    assert changes(before, after) != []
    assert dump(store) == copied
    assert stage.call("labels.list", {})["data"][0]["name"] != "another"


def test_what_was_changed_is_told_apart_from_what_is_as_it_was() -> None:
    kept = {"pk": {"S": "WS#1#LABEL#1"}, "sk": {"S": "X"}, "version": {"N": "1"}}
    since: Dump = {("WS#1#LABEL#1", "X"): kept, ("WS#1#LABEL#2", "X"): {"pk": {"S": "WS#1#LABEL#2"}}}
    held: Dump = {("WS#1#LABEL#1", "X"): {**kept, "version": {"N": "2"}}}

    assert changes(since, since) == []
    assert len(changes(since, held)) == 2
    assert changes(since, held, ignoring=frozenset({"version"})) == [{"gone": ["WS#1#LABEL#2", "X"]}]


def test_only_ids_that_a_call_made_may_differ_between_two_runs() -> None:
    def run(made: str, referred_to: str, said: str) -> object:
        item = {"pk": {"S": made}, "sk": {"S": "X"}, "about": {"S": referred_to}}
        return comparable([item], {"id": said}, newer_than=10)

    first = run("lab_000011", "usr_000003", "lab_000011")

    assert run("lab_000042", "usr_000003", "lab_000042") == first
    assert run("lab_000042", "usr_000004", "lab_000042") != first
    assert run("lab_000042", "usr_000003", "lab_000043") != first
