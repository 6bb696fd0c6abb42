"""A revoked key is refused from the very next call on."""

from tests.workshop.office import Office


def test_the_next_call_with_it_is_refused_at_both_doors(office: Office) -> None:
    key = office.a_key()
    assert office.send("labels.list", key=key["rawKey"]).status == 200

    office.call("keys.revoke", {"id": key["id"]})

    assert office.refused("labels.list", key=key["rawKey"]) == (401, "unauthorized", set())
    over_rpc = office.world.modern("tools/call", {"name": "labels.list"}, key=key["rawKey"])
    assert over_rpc.status == 401


def test_other_keys_of_the_same_person_go_on(office: Office) -> None:
    key, other = office.a_key(), office.a_key()

    office.call("keys.revoke", {"id": key["id"]})

    assert office.send("labels.list", key=other["rawKey"]).status == 200
    assert office.send("labels.list").status == 200


def test_a_key_can_end_itself(office: Office) -> None:
    key = office.a_key()

    office.call("keys.revoke", {"id": key["id"]}, key=key["rawKey"])

    assert office.refused("labels.list", key=key["rawKey"]) == (401, "unauthorized", set())


def test_a_key_can_not_be_revoked_twice(office: Office) -> None:
    key = office.a_key()
    first = office.call("keys.revoke", {"id": key["id"]})
    logged = office.log()
    office.world.clock.advance(hours=1)

    assert office.refused("keys.revoke", {"id": key["id"]}) == (409, "conflict", set())
    assert office.rows("keys.list")[0]["revokedAt"] == first["revokedAt"]
    assert office.log() == logged
