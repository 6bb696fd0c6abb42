"""Keys are listed with their last use, and without anything that would let one use them."""

from datetime import datetime

from forge.auth.keys import hash_of
from tests.workshop.office import Office


def test_a_row_is_the_key_without_its_secret(office: Office) -> None:
    made = office.a_key(name="laptop", scopes=["READ_ISSUES"], expiresInDays=30)

    row = office.rows("keys.list")[0]

    raw = made.pop("rawKey")
    assert row == made
    answer = office.send("keys.list").body
    assert raw not in answer
    assert hash_of(raw) not in answer


def test_the_newest_key_comes_first(office: Office) -> None:
    for name in ("first", "second"):
        office.a_key(name=name)

    assert [row["name"] for row in office.rows("keys.list")] == ["second", "first", "Owner"]


def test_a_key_shows_when_it_was_last_used(office: Office) -> None:
    key = office.a_key(name="laptop")
    assert office.rows("keys.list")[0]["lastUsedAt"] is None
    for _ in range(2):
        office.world.clock.advance(hours=1)
        office.call("labels.list", key=key["rawKey"])
    used_at = office.world.clock()
    office.world.clock.advance(hours=1)

    row = office.rows("keys.list")[0]

    assert datetime.fromisoformat(row["lastUsedAt"]) == used_at


def test_a_call_that_is_refused_for_its_scope_is_a_use_too(office: Office) -> None:
    key = office.a_key(scopes=["READ_ISSUES"])
    office.refused("labels.create", {"name": "bug"}, key=key["rawKey"])

    assert office.rows("keys.list")[0]["lastUsedAt"] is not None


def test_revoked_and_expired_keys_stay_in_the_list(office: Office) -> None:
    revoked = office.a_key(name="revoked")
    office.a_key(name="expired", kind="SESSION", ttlHours=1)
    office.call("keys.revoke", {"id": revoked["id"]})
    office.world.clock.advance(hours=2)

    expired_row, revoked_row, _ = office.rows("keys.list")

    assert (expired_row["name"], expired_row["revokedAt"]) == ("expired", None)
    assert datetime.fromisoformat(expired_row["expiresAt"]) < office.world.clock()
    assert (revoked_row["name"], revoked_row["expiresAt"]) == ("revoked", None)
    assert revoked_row["revokedAt"] is not None
