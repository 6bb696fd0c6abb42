"""A person has at most fifty live keys in a workspace."""

import pytest

from forge.auth.keys import KeyOrder, mint
from forge.context import KeyKind
from forge.contract.terms import Scope
from forge.work.workspace.people import api_keys, members
from forge.work.workspace.people.keyrings import MAX_LIVE_KEYS
from tests.workshop.office import Office

FULL = (422, "precondition_failed", set[str]())
AN_ORDER = {"name": "one more", "scopes": ["READ_ISSUES"]}


@pytest.fixture
def full_office(office: Office) -> Office:
    """One whose owner has fifty live keys: the first, 48 that last, and one for an hour."""
    for _ in range(4):
        give_keys(office, office.owner_id, number=12)
    office.a_key(kind="SESSION", ttlHours=1)
    return office


def give_keys(office: Office, user_id: str, *, number: int) -> None:
    """What as many calls of `keys.create` do, in one transaction."""
    owner = members.get(office.world.services.store.table, office.workspace.id, user_id)
    order = KeyOrder(
        "a key", KeyKind.PERSONAL, office.workspace.id, [Scope.READ_ISSUES], user_id=user_id, role=owner.role
    )
    tx = office.begin()
    for _ in range(number):
        minted = mint(order, key_id=office.world.ids("key"), now=tx.origin.now)
        api_keys.add(tx, minted, name=order.name)
        owner = owner.with_key(minted.record.key_hash, None, tx.origin.now)
    tx.replace(owner)
    office.commit(tx)


def test_the_fifty_first_key_is_one_too_many(full_office: Office) -> None:
    keys = full_office.rows("keys.list", {"limit": 100})

    assert full_office.refused("keys.create", AN_ORDER) == FULL
    assert full_office.rows("keys.list", {"limit": 100}) == keys
    assert len(keys) == MAX_LIVE_KEYS == 50
    # Keys of agents and of other people do not count.
    assert full_office.an_agents_key()
    assert full_office.a_colleague().key


def test_keys_that_ended_make_room(full_office: Office) -> None:
    full_office.world.clock.advance(hours=1)
    made = full_office.call("keys.create", AN_ORDER)
    assert full_office.refused("keys.create", AN_ORDER) == FULL

    full_office.call("keys.revoke", {"id": made["id"]})

    assert full_office.call("keys.create", AN_ORDER)["name"] == "one more"
    assert full_office.refused("keys.create", AN_ORDER) == FULL


def test_a_change_of_role_reaches_fifty_keys_at_once(full_office: Office) -> None:
    second = full_office.a_colleague("OWNER")
    session_key, *_, first_key = full_office.rows("keys.list", {"limit": 100})[1:]
    token = full_office.call("tokens.create", {"keyId": session_key["id"]})["token"]
    assert full_office.send("members.list", key=token).status == 200

    full_office.call("members.setRole", {"userId": first_key["userId"], "role": "MEMBER"}, key=second.key)

    for key in (token, full_office.owner_key):
        assert full_office.refused("members.list", key=key) == (403, "forbidden", set())
    assert full_office.send("members.list", key=second.key).status == 200
