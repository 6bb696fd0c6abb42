"""A token stands for a key for 300 seconds, and never for longer than the key itself."""

from datetime import datetime, timedelta

from tests.workshop.office import Body, Office

REFUSED = (401, "unauthorized", set[str]())


def a_token(office: Office, key: Body) -> str:
    return str(office.call("tokens.create", {"keyId": key["id"]})["token"])


def test_a_token_tells_when_it_ends(office: Office) -> None:
    answer = office.call("tokens.create", {"keyId": office.a_key()["id"]})

    assert set(answer) == {"token", "expiresAt"}
    ends_at = datetime.fromisoformat(answer["expiresAt"])
    assert ends_at == office.world.clock() + timedelta(seconds=300)


def test_a_token_is_the_key_for_300_seconds(office: Office) -> None:
    agent = office.an_agent()
    token = a_token(office, office.a_key(kind="AGENT", linkedAgentId=agent["id"]))

    office.world.clock.advance(seconds=299)
    assert office.call("agents.me", key=token)["id"] == agent["id"]
    assert office.mcp("agents_me", key=token)["id"] == agent["id"]

    office.world.clock.advance(seconds=1)
    assert office.refused("agents.me", key=token) == REFUSED


def test_a_token_can_do_no_more_than_its_key(office: Office) -> None:
    token = a_token(office, office.a_key(scopes=["READ_ISSUES"]))

    assert office.send("labels.list", key=token).status == 200
    assert office.refused("labels.create", {"name": "bug"}, key=token) == (403, "scope_required", set())


def test_a_token_is_narrowed_like_its_key(office: Office) -> None:
    office.an_agent()
    token = a_token(office, office.a_key(labelIds=[office.a_label()["id"]]))

    assert office.rows("events.recent", key=token) == []


def test_a_token_ends_when_its_key_expires(office: Office) -> None:
    key = office.a_key(kind="SESSION", ttlHours=1)
    office.world.clock.advance(minutes=58)
    token = a_token(office, key)

    office.world.clock.advance(minutes=2)

    assert office.refused("labels.list", key=token) == REFUSED


def test_a_token_follows_the_role_of_its_keys_owner(office: Office) -> None:
    colleague = office.a_colleague("ADMIN")
    token = a_token(office, office.rows("keys.list")[0])
    assert office.send("members.list", key=token).status == 200

    office.call("members.setRole", {"userId": colleague.id, "role": "MEMBER"})
    assert office.refused("members.list", key=token) == (403, "forbidden", set())

    office.call("members.remove", {"userId": colleague.id})
    assert office.refused("labels.list", key=token) == (403, "forbidden", set())


def test_a_use_of_the_token_is_a_use_of_the_key(office: Office) -> None:
    key = office.a_key()
    office.call("labels.list", key=a_token(office, key))

    assert office.rows("keys.list")[0]["lastUsedAt"] is not None


def test_a_key_that_ended_gets_no_token(office: Office) -> None:
    revoked, expired = office.a_key(), office.a_key(kind="SESSION", ttlHours=1)
    office.call("keys.revoke", {"id": revoked["id"]})
    office.world.clock.advance(hours=1)

    for key in (revoked, expired):
        assert office.refused("tokens.create", {"keyId": key["id"]}) == (409, "conflict", set())
