"""A session's key is gone from the list once it has expired; others stay to be looked up."""

import json

from tests.workshop.office import Body, Office

UNKNOWN_KEY = "forge_sk_" + "a" * 43


def refusal(office: Office, key: str) -> Body:
    """What is said to a client that goes on with this key."""
    answer = office.send("labels.list", key=key)
    assert answer.status == 401
    said: Body = json.loads(answer.body)
    return {name: value for name, value in said.items() if name != "requestId"}


def shown(office: Office) -> set[str]:
    return {str(row["id"]) for row in office.rows("keys.list")}


def test_an_expired_session_is_purged_by_the_sweep(office: Office) -> None:
    session = office.a_key(kind="SESSION", ttlHours=1)
    office.world.clock.advance(minutes=59)
    office.sweep()
    assert session["id"] in shown(office)
    assert office.send("labels.list", key=session["rawKey"]).status == 200

    office.world.clock.advance(minutes=1)
    office.sweep()

    assert session["id"] not in shown(office)
    assert office.refused("labels.list", key=session["rawKey"]) == (401, "unauthorized", set())
    (row,) = [row for row in office.log() if row.action == "purge"]
    assert (row.subject_type, row.subject_id) == ("key", session["id"])


def test_its_client_is_told_the_same_before_and_after_the_sweep(office: Office) -> None:
    key = office.a_key(kind="SESSION", ttlHours=1)["rawKey"]
    office.world.clock.advance(hours=1)
    before = refusal(office, key)

    office.sweep()

    assert refusal(office, key) == before != refusal(office, UNKNOWN_KEY)


def test_a_revoked_session_is_purged_too(office: Office) -> None:
    session = office.a_key(kind="SESSION", ttlHours=1)
    office.call("keys.revoke", {"id": session["id"]})
    office.world.clock.advance(hours=1)

    office.sweep()

    assert session["id"] not in shown(office)


def test_other_keys_are_kept_when_they_have_expired(office: Office) -> None:
    key = office.a_key(expiresInDays=1)
    office.world.clock.advance(days=2)

    office.sweep()

    assert key["id"] in shown(office)


def test_it_is_purged_once(office: Office) -> None:
    office.a_key(kind="SESSION", ttlHours=1)
    office.world.clock.advance(hours=1)

    office.sweep()
    office.sweep()

    assert [row.action for row in office.log()].count("purge") == 1
