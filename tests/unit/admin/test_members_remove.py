"""Who is removed is out at once, with all keys; the last owner can't be removed."""

from tests.workshop.office import Office

OUT = (403, "forbidden", set[str]())


def remove(office: Office, user_id: str, *, key: str | None = None) -> dict[str, object]:
    return office.call("members.remove", {"userId": user_id}, key=key or office.owner_key)


def test_a_removed_member_is_gone(office: Office) -> None:
    colleague = office.a_colleague()

    assert remove(office, colleague.id) == {"id": colleague.id, "removed": True}
    assert colleague.id not in {row["id"] for row in office.rows("members.list")}


def test_every_key_of_a_removed_member_is_refused_from_the_next_call_on(office: Office) -> None:
    colleague = office.a_colleague("ADMIN")
    second = office.a_key(userId=colleague.id, kind="SESSION")["rawKey"]
    assert office.send("labels.list", key=colleague.key).status == 200

    remove(office, colleague.id)

    assert office.refused("labels.list", key=colleague.key) == OUT
    assert office.refused("members.list", key=second) == OUT
    assert office.send("labels.list").status == 200


def test_agents_keys_outlive_whoever_made_them(office: Office) -> None:
    admin = office.a_colleague("ADMIN")
    agent = office.an_agent()
    key = office.a_key(by=admin.key, kind="AGENT", linkedAgentId=agent["id"])["rawKey"]

    remove(office, admin.id)

    assert office.call("agents.me", key=key)["id"] == agent["id"]


def test_the_handle_is_free_again(office: Office) -> None:
    remove(office, office.a_colleague(handle="ada").id)

    assert office.a_colleague(handle="Ada")


def test_who_was_removed_can_come_back_and_gets_new_keys(office: Office) -> None:
    address = f"ada@{office.workspace.slug}.example"
    before = office.a_colleague("ADMIN", email=address)
    remove(office, before.id)

    after = office.a_colleague("MEMBER", email=address)

    assert after.id == before.id
    assert office.send("labels.list", key=after.key).status == 200
    assert office.refused("members.list", key=after.key) == (403, "forbidden", set())
    # An old key never regains the power that it had.
    assert office.refused("members.list", key=before.key) == OUT


def test_their_keys_are_shown_as_revoked_and_stay_so_when_they_come_back(office: Office) -> None:
    address = f"ada@{office.workspace.slug}.example"
    before = office.a_colleague("ADMIN", email=address)
    key_id = office.rows("keys.list")[0]["id"]
    token = office.call("tokens.create", {"keyId": key_id})["token"]
    office.world.clock.advance(hours=1)
    remove(office, before.id)
    moment = office.world.clock().isoformat().replace("+00:00", "Z")

    office.a_colleague("ADMIN", email=address)

    (shown,) = [row for row in office.rows("keys.list") if row["id"] == key_id]
    assert shown["revokedAt"] == moment
    for credential in (before.key, token):
        assert office.refused("labels.list", key=credential)[0] in (401, 403)
    assert office.refused("labels.list", key=before.key) == OUT
    assert office.refused("tokens.create", {"keyId": key_id}) == (409, "conflict", set())
    assert office.refused("keys.revoke", {"id": key_id}) == (409, "conflict", set())


def test_a_session_that_has_expired_and_was_purged_is_no_obstacle(office: Office) -> None:
    colleague = office.a_colleague()
    office.a_key(userId=colleague.id, kind="SESSION", ttlHours=1)
    office.world.clock.advance(hours=1)
    office.sweep()

    office.call("members.setRole", {"userId": colleague.id, "role": "GUEST"})
    remove(office, colleague.id)

    assert office.refused("labels.list", key=colleague.key) == OUT


def test_other_workspaces_of_the_person_are_not_concerned(office: Office, other_office: Office) -> None:
    address = f"ada@{office.workspace.slug}.example"
    here, there = (one.a_colleague(email=address) for one in (office, other_office))

    remove(office, here.id)

    assert other_office.send("labels.list", key=there.key).status == 200


def test_the_last_owner_can_not_be_removed(office: Office) -> None:
    admin = office.a_colleague("ADMIN")

    refused = office.refused("members.remove", {"userId": office.owner_id})

    assert refused == (409, "conflict", set())
    assert office.send("labels.list").status == 200
    assert admin.id in {row["id"] for row in office.rows("members.list")}


def test_an_owner_can_leave_when_there_is_another(office: Office) -> None:
    second = office.a_colleague("OWNER")

    remove(office, office.owner_id)

    assert office.refused("labels.list") == OUT
    refused = office.refused("members.remove", {"userId": second.id}, key=second.key)
    assert refused == (409, "conflict", set())
