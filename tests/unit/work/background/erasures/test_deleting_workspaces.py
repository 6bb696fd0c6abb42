"""A workspace that is deleted stops at once, can be restored for a while, and then leaves nothing behind."""

import json
from datetime import timedelta

import pytest

from forge.store.store import Store
from forge.testing.faults import Fault, FaultAt, ProcessDied
from forge.testing.instruments import watched
from forge.testing.world import World
from forge.work.background.deliveries import consuming
from forge.work.workspace.erasures import ErasureItem
from forge.work.workspace.people.members import UserItem
from forge.work.workspace.workers import worker_of
from tests.contract.dumps import dump, restore
from tests.unit.work.background.erasures.leavers import EMAIL, Leaver, of_workspace, texts_of, work
from tests.workshop.office import Office


@pytest.fixture
def other(world: World) -> Office:
    """Another tenant, who shares a person with the first."""
    found = Office(world, world.add_workspace("other"))
    found.call("issues.create", {"title": "Somebody else's"})
    return found


def delete(office: Office, **more: object) -> str:
    return str(office.call("workspaces.delete", {"confirm": office.workspace.slug, **more})["deletesAt"])


def deleted(office: Office, store: Store | None = None) -> bool:
    world = office.world
    return work(world, store or world.services.store, office.workspace.id, office.workspace.id)


def remains(store: Store, office: Office) -> list[tuple[str, str]]:
    return [*of_workspace(dump(store), office.workspace.id)]


def test_nothing_is_left_but_that_it_was_deleted_and_others_are_as_they_were(
    store: Store, world: World, office: Office, other: Office
) -> None:
    leaver, agent_key = Leaver(office), office.an_agents_key()
    leaver.live()
    former = office.a_colleague(email="former@private.example")
    office.call("members.remove", {"userId": former.id})
    there = other.call("members.add", {"email": EMAIL})
    office.call("issues.get", {"id": "DEMO-1"}, key=agent_key)
    theirs = of_workspace(dump(store), other.workspace.id)

    delete(office)
    world.clock.advance(days=31)
    assert deleted(office)

    order = store.table.find(ErasureItem, ErasureItem.at(office.workspace.id, office.workspace.id))
    assert remains(store, office) == [(f"WS#{office.workspace.id}#ERASURE#{office.workspace.id}", "ERASURE")]
    assert order is not None
    assert (order.is_over, order.leaving, order.staying) == (True, set(), set())
    assert [name for name in store.blobs.list_names("") if office.workspace.id in name] == []
    assert of_workspace(dump(store), other.workspace.id) == theirs
    assert store.table.find(UserItem, UserItem.at(there["id"])) is not None
    held = texts_of(store)
    assert "former@private.example" not in held
    assert f"owner@{office.workspace.slug}.example" not in held
    answer = office.send("workspaces.get")
    assert (answer.status, json.loads(answer.body)["error"]) == (401, "unauthorized")
    order_again = {"slug": office.workspace.slug, "key": office.workspace.key_prefix, "name": "Again"}
    assert other.call("workspaces.create", order_again)["workspace"]["id"] != office.workspace.id


def test_at_once_every_key_is_refused_with_a_word_on_who_can_undo_it(office: Office, other: Office) -> None:
    member, agent_key = office.a_colleague(), office.an_agents_key()
    token = office.call("tokens.create", {"keyId": office.rows("keys.list")[0]["id"]})["token"]

    ends_at = delete(office, graceDays=7)

    for key in (member.key, agent_key, office.owner_key, token):
        answer = office.send("workspace.get", key=key)
        error = json.loads(answer.body)
        assert (answer.status, error["error"]) == (403, "forbidden")
        assert error["details"]["deletesAt"][:19] == ends_at[:19]
        assert "workspaces.restore" in error["hint"]
    assert other.send("workspace.get").status == 200


def test_keys_beyond_those_of_the_transaction_stop_and_go_on_with_the_sweep(
    world: World, office: Office
) -> None:
    keys = [office.a_key(kind="AGENT")["rawKey"] for _ in range(65)]
    delete(office)
    before = [office.send("workspace.get", key=key).status for key in keys]
    office.sweep()

    assert 200 in before
    assert {office.send("workspace.get", key=key).status for key in keys} == {403}

    office.call("workspaces.restore")
    office.sweep()
    world.clock.advance(minutes=2)
    office.sweep()
    assert {office.send("workspace.get", key=key).status for key in keys} == {200}


def test_an_owner_restores_it_with_a_key_that_was_stopped_and_nobody_else_does(
    store: Store, world: World, office: Office
) -> None:
    admin, revoked = office.a_colleague("ADMIN"), office.a_key()
    gone = office.a_colleague("OWNER")
    office.call("keys.revoke", {"id": revoked["id"]})
    office.call("members.remove", {"userId": gone.id})
    delete(office)
    assert office.call("workspaces.get")["deletesAt"]
    assert office.refused("workspaces.restore", key=admin.key)[:2] == (403, "forbidden")
    assert office.refused("workspaces.restore", key=revoked["rawKey"])[0] == 401
    assert office.refused("workspaces.restore", key=gone.key)[0] == 403
    assert office.refused("members.list")[0] == 403

    world.clock.advance(days=29)
    restored = office.call("workspaces.restore")

    assert "deletesAt" not in restored
    assert office.send("workspace.get", key=admin.key).status == 200
    assert office.send("workspace.get", key=revoked["rawKey"]).status == 401
    assert office.send("workspace.get", key=gone.key).status in (401, 403)
    world.clock.advance(days=60)
    assert not deleted(office)
    assert office.call("workspaces.restore") == office.call("workspaces.get")


def test_after_the_time_nobody_restores_it(world: World, office: Office) -> None:
    delete(office, graceDays=1)
    world.clock.advance(hours=23)
    assert not deleted(office)
    world.clock.advance(hours=1)

    assert office.refused("workspaces.restore")[:2] == (409, "conflict")
    assert deleted(office)


def test_it_is_deleted_only_by_an_owner_who_says_which_it_is(store: Store, office: Office) -> None:
    admin = office.a_colleague("ADMIN")

    assert office.refused("workspaces.delete", {"confirm": "demo2"}) == (400, "invalid_input", {"confirm"})
    refused = office.refused("workspaces.delete", {"confirm": office.workspace.slug}, key=admin.key)
    assert refused[:2] == (403, "forbidden")
    assert "deletesAt" not in office.call("workspaces.get")
    first = delete(office)
    # Whoever repeats it is told the same.
    assert delete(office, graceDays=1) == first


def test_nothing_is_swept_or_dispatched_in_it_until_it_is_restored(
    store: Store, world: World, office: Office
) -> None:
    office.call("webhooks.create", {"url": "https://ci.example.com/forge"})
    office.call("workspaces.update", {"agentIdleTimeoutMinutes": 5})
    agent_id = office.an_agent()["id"]
    office.call("agents.heartbeat", {"status": "ONLINE"}, key=office.an_agents_key(agent_id))
    office.call("issues.create", {"title": "Heard of by nobody"})
    (event,) = [row for row in office.log() if row.kind == "ISSUE_CREATED"]
    message: dict[str, object] = {
        "id": event.id,
        "workspaceId": office.workspace.id,
        "kind": event.kind,
        "subjectType": "issue",
        "subjectId": event.subject_id,
        "payload": {},
        "wakes": [],
        "createdAt": "2026-01-01T00:00:00Z",
    }
    delete(office)
    world.clock.advance(hours=1)
    office.sweep()
    consuming.consume(worker_of(world.services, "dispatch"), json.dumps(message))
    office.sweep()

    held = of_workspace(dump(store), office.workspace.id)
    assert not any("#DELIVERIES" in partition for partition, _ in held)
    assert held[f"WS#{office.workspace.id}#AGENTS", f"PULSE#{agent_id}"]["status"] == {"S": "ONLINE"}

    office.call("workspaces.restore")
    office.sweep()
    shown = office.rows("agents.list")
    assert [one["status"] for one in shown] == ["OFFLINE"]


def test_when_its_time_has_come_the_sweep_has_a_worker_begin(world: World, office: Office) -> None:
    delete(office)
    queues = world.services.store.queues
    while queues.receive(ErasureItem.queue, most=10):
        pass

    world.clock.advance(days=30)
    office.sweep()

    (received,) = queues.receive(ErasureItem.queue, most=10)
    assert json.loads(received.body) == {
        "workspaceId": office.workspace.id,
        "erasureId": office.workspace.id,
    }


def test_wherever_a_worker_dies_the_next_one_deletes_the_rest(
    store: Store, world: World, office: Office, other: Office
) -> None:
    leaver = Leaver(office)
    leaver.live()
    delete(office)
    world.clock.advance(days=31)
    before, theirs = dump(store), of_workspace(dump(store), other.workspace.id)
    deaths = 0
    while True:
        try:
            assert deleted(office, watched(store, FaultAt(Fault.CRASHED, 11 * deaths)))
            break
        except ProcessDied:
            deaths += 1
        world.clock.advance(minutes=25)
        deleted(office)

        assert len(remains(store, office)) == 1
        assert EMAIL not in texts_of(store)
        assert of_workspace(dump(store), other.workspace.id) == theirs
        world.clock.advance(minutes=-25)
        restore(store, before, present=dump(store))

    assert deaths > 5


def test_a_deletion_that_was_undone_while_a_worker_began_deletes_nothing(
    store: Store, world: World, office: Office
) -> None:
    delete(office, graceDays=1)
    order = store.table.find(ErasureItem, ErasureItem.at(office.workspace.id, office.workspace.id))
    assert order is not None
    office.call("workspaces.restore")
    held = dump(store)

    world.clock.advance(seconds=timedelta(days=2).total_seconds())

    assert not deleted(office)
    assert dump(store) == held
